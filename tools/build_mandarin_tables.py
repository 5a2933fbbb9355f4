"""Write grammars/zh-Hant/{characters,phrases,traditional,nouns}.tsv from pypinyin, OpenCC, wordfreq and jieba; needed only to renew them.

    pip install pypinyin opencc-python-reimplemented wordfreq jieba
    python tools/build_mandarin_tables.py

The tables stand for their packages at play time: they load in a tenth of the time and need nothing installed.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import wordfreq

from voice_host.matching.mandarin_phones import parse_syllable
from voice_host.resources import folder

RARE_SHARE: Final = 0.08
RARE_COUNT: Final = 4
"""A second reading of a character that is in fewer phrases than this, or in a smaller share of them, is left out."""
LONGEST_PHRASE: Final = 4
HAN: Final = re.compile("[一-鿿]+")
LEAST_FREQUENCY: Final = 1e-6
COMMON_NOUN: Final = ("n", "ng", "nz", "nr", "ns")
"""jieba's marks of things; names of people and places count half, as cards rarely have them."""


def package(name: str) -> Path:
    """Return the folder of an installed package."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise SystemExit(f"{name} is not installed")
    return Path(spec.origin).parent


def plain(names: Iterable[str]) -> tuple[str, ...] | None:
    """Return marked syllables with numbers for the tones, as parse_syllable spells them; None where one is no syllable."""
    try:
        found = [parse_syllable(name) for name in names]
    except ValueError:
        return None
    return tuple(f"{one.initial}.{one.final}.{one.tone}" for one in found)


def opencc(name: str) -> dict[str, list[str]]:
    """Return one of OpenCC's dictionaries."""
    lines = (package("opencc") / "dictionary" / name).read_text(encoding="utf-8").splitlines()
    return {key: values.split() for key, _, values in (line.partition("\t") for line in lines if line)}


def write(name: str, comment: str, lines: Iterable[str]) -> None:
    """Write one table."""
    path = folder("grammars") / "zh-Hant" / name
    path.write_text("".join(f"{line}\n" for line in (f"# {comment}", *lines)), encoding="utf-8")


def main() -> None:
    """Write the four tables."""
    # Not imported by name: it is installed for this tool alone.
    phrases_dict = import_module("pypinyin.phrases_dict").phrases_dict
    pinyin_dict = import_module("pypinyin.pinyin_dict").pinyin_dict
    words = wordfreq.get_frequency_dict("zh", wordlist="large")
    to_simplified, to_traditional = opencc("TSCharacters.txt"), opencc("STCharacters.txt")
    used: defaultdict[str, Counter[str]] = defaultdict(Counter)
    phrases = {}
    for text, marked in phrases_dict.items():
        names = plain(one[0] for one in marked)
        if names is not None and len(names) == len(text):
            phrases[text] = names
            for letter, name in zip(text, names, strict=True):
                used[letter][name] += 1
    in_use = set("".join(words)) | set("".join(phrases))
    in_use |= {other for letter in in_use for other in to_traditional.get(letter, ())}
    readings: dict[str, list[str]] = {}
    lines = []
    for letter in sorted(in_use):
        listed = [names[0] for name in pinyin_dict.get(ord(letter), "").split(",") if name and (names := plain([name]))]
        if not listed:
            continue
        counts = used[letter] + used[to_simplified.get(letter, [letter])[0]]
        least = max(RARE_COUNT, RARE_SHARE * sum(counts.values()))
        readings[letter] = [name for index, name in enumerate(listed) if not index or counts[name] >= least]
        certain = to_traditional.get(letter, [letter])
        simplified = to_simplified.get(letter, [letter])[0]
        cells = (letter, " ".join(readings[letter]), simplified, certain[0] if len(certain) == 1 else "")
        lines.append("\t".join(cells))
    write(
        "characters.tsv",
        "character, readings, Simplified, Traditional where certain (pypinyin, MIT; OpenCC, Apache-2.0)",
        lines,
    )

    def told_apart(text: str, names: tuple[str, ...]) -> bool:
        """Tell whether a phrase says something that its characters alone do not."""
        return any(
            letter not in "一不" and (readings.get(letter) or [""]) != [name]
            for letter, name in zip(text, names, strict=True)
        )

    kept = {
        text: names
        for text, names in phrases.items()
        if 1 < len(text) <= LONGEST_PHRASE and text in words and told_apart(text, names)
    }
    write(
        "phrases.tsv",
        "phrase, its syllables (pypinyin, MIT)",
        (f"{text}\t{' '.join(kept[text])}" for text in sorted(kept)),
    )
    doubtful = {letter for letter, others in to_traditional.items() if len(others) > 1}
    common = wordfreq.get_frequency_dict("zh", wordlist="small")
    written = {
        text: others[0]
        for text, others in opencc("STPhrases.txt").items()
        if text in common and 1 < len(text) <= LONGEST_PHRASE and doubtful & set(text)
    }
    comment = "Simplified word with a character that may stand for several, the word in Traditional characters (OpenCC, Apache-2.0)"
    write("traditional.tsv", comment, (f"{text}\t{written[text]}" for text in sorted(written)))
    nouns = []
    for line in (package("jieba") / "dict.txt").read_text(encoding="utf-8").splitlines():
        word, _, mark = line.split(" ")
        if mark in COMMON_NOUN and words.get(word, 0.0) >= LEAST_FREQUENCY and HAN.fullmatch(word):
            nouns.append(f"{word}\t{50 if mark in ('nr', 'ns') else 100}")
    write("nouns.tsv", "noun, percent of its uses that can be drawn (jieba, MIT)", sorted(nouns))


if __name__ == "__main__":
    main()
