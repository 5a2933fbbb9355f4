// Speaks into the earphone of this page's player, with the browser's own voice.

export function canSpeak() { return "speechSynthesis" in window; }

export function speak(text) {
  if (!canSpeak()) return;
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.lang = document.documentElement.lang;
  speechSynthesis.speak(utterance);
}
