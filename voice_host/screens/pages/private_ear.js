// Speaks into the earphone of this page's player, with the browser's own voices: each part in the voice of its language.

const SPOKEN = { en: ["en"], "zh-Hant": ["zh-TW", "zh-HK", "zh"], ko: ["ko-KR", "ko"] };

export function canSpeak() { return "speechSynthesis" in window; }

// Speaks [{text, lang}], one after the other.
export function speak(pieces) {
  if (!canSpeak()) return;
  for (const { text, lang } of pieces) {
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = SPOKEN[lang]?.[0] ?? lang;
    utterance.voice = voiceOf(lang);
    speechSynthesis.speak(utterance);
  }
}

export function beSilent() { if (canSpeak()) speechSynthesis.cancel(); }

// Returns a voice of that language, of this device if there is one (what is spoken is a secret), or null for the browser's choice.
function voiceOf(lang) {
  const voices = speechSynthesis.getVoices();
  for (const wanted of SPOKEN[lang] ?? [lang]) {
    const fitting = voices.filter((voice) => voice.lang.replace("_", "-").toLowerCase().startsWith(wanted.toLowerCase()));
    const chosen = fitting.find((voice) => voice.localService) ?? fitting[0];
    if (chosen) return chosen;
  }
  return null;
}
