"""Looks a deck through: what a table would quarrel about, and what the recogniser could never write.

The checks are pure functions from rows (and, where sound matters, pronunciations) to findings. Nothing here repairs a deck:
whoever wrote the words knows best which of two to exchange, so each finding names the line, the words, why, and the remedy.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Protocol

import numpy as np

from voice_host.commands.findings import Finding
from voice_host.commands.lint_scenes import run_lint_scenes
from voice_host.decks import WORDS_A_CARD, Row, dreams_path, parse_rows, read_table
from voice_host.errors import UsageError
from voice_host.hearing.recognizers import load_recognizer
from voice_host.lexicon import load_measures
from voice_host.matching.english import EnglishMeasures
from voice_host.matching.english_text import words
from voice_host.matching.nearest import build_trie, distances

CARDS: Final = 110
"""The number of cards of a whole deck."""

QUARREL_COST: Final = 0.6
"""Two words that sound nearer than this are taken for each other across a table (bear and pear: 0.33)."""

CARD_COST: Final = 0.9
"""On one card the words must be further apart, because the card turns from one to the other."""


class Writer(Protocol):
    """What is asked of a recogniser here."""

    @property
    def name(self) -> str:
        """Return the engine's name."""
        ...

    def can_write(self, word: str) -> bool:
        """Tell whether the engine could ever write this word or phrase."""
        ...


class Sounds(Protocol):
    """What is asked of a language's measures here."""

    def knows(self, word: str) -> bool:
        """Tell whether a single word is a word of the language."""
        ...

    def nearest(self, texts: Sequence[str], bound: float) -> Mapping[tuple[int, int], float]:
        """Return the cost between the sounds of two texts, by their positions (smaller first), where it is below the bound."""
        ...


def lint_rows(
    rows: Sequence[Row], sounds: Sounds | None, writer: Writer | None, cards: int = CARDS
) -> tuple[Finding, ...]:
    """Return all faults in the order of their lines; without `sounds` or `writer` their checks are left out."""
    findings = [*_counts(rows, cards), *_spellings(rows), *_taken_spellings(rows), *_kinds(rows)]
    if sounds is not None:
        findings += [*_alike(rows, sounds), *_contained(rows, sounds.knows), *_unknown(rows, sounds.knows)]
    if writer is not None:
        findings += _unwritable(rows, writer)
    return tuple(sorted(set(findings)))


def _counts(rows: Sequence[Row], cards: int) -> Iterator[Finding]:
    """Find cards without exactly four words, and decks without exactly the cards 1 to `cards`."""
    last_line = {row.card: row.line for row in rows}
    for card, count in sorted(Counter(row.card for row in rows).items()):
        if card > cards:
            yield Finding(last_line[card], (), f"there is a card {card}", f"number the cards from 1 to {cards}")
        elif count != WORDS_A_CARD:
            yield Finding(
                last_line[card], (), f"card {card} has {count} words", f"give every card exactly {WORDS_A_CARD}"
            )
    missing = sorted(set(range(1, cards + 1)) - set(last_line))
    if missing:
        names = ", ".join(str(card) for card in missing[:5]) + (" ..." if len(missing) > 5 else "")
        why = f"{len(missing)} of {cards} cards are missing ({names})"
        yield Finding(max(last_line.values(), default=1), (), why, f"add {WORDS_A_CARD} words for each")


def _spellings(rows: Sequence[Row]) -> Iterator[Finding]:
    """Find texts and forms that are not written in the one way in which texts are compared."""
    for row in rows:
        for text in (row.word.text, *row.word.forms):
            normal = " ".join(unicodedata.normalize("NFC", text).lower().split())
            if not text.strip():
                yield Finding(row.line, (row.word.text,), "an accepted form is empty", "delete the needless separator")
            elif text != normal:
                yield Finding(
                    row.line, (text,), "this is not normal spelling", f"write {normal!r} (small letters, NFC)"
                )
        for form, count in Counter((row.word.text, *row.word.forms)).items():
            if count > 1:
                yield Finding(row.line, (form,), "the word lists this spelling twice", "delete one of them")


def _taken_spellings(rows: Sequence[Row]) -> Iterator[Finding]:
    """Find spellings that are accepted for two words."""
    owners: dict[str, Row] = {}
    for row in rows:
        for text in dict.fromkeys((row.word.text, *row.word.forms)):
            owner = owners.setdefault(text, row)
            if owner is row:
                continue
            if text == row.word.text == owner.word.text:
                why, remedy = f"the word is in the deck already, on line {owner.line}", "put another word here"
            else:
                why = f"{text!r} is also accepted for line {owner.line}"
                remedy = "delete the form or exchange one of the words"
            yield Finding(row.line, (row.word.text, owner.word.text), why, remedy)


def _kinds(rows: Sequence[Row]) -> Iterator[Finding]:
    """Find two words of the same kind on one card."""
    for one, other in _on_one_card(rows):
        if one.kind == other.kind:
            why = f"both on card {one.card} are of the kind {one.kind}"
            yield Finding(other.line, (one.word.text, other.word.text), why, "exchange one with another card")


def _on_one_card(rows: Iterable[Row]) -> Iterator[tuple[Row, Row]]:
    """Return the pairs of rows that share a card."""
    by_card: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        by_card[row.card].append(row)
    for group in by_card.values():
        yield from combinations(group, 2)


def _alike(rows: Sequence[Row], sounds: Sounds) -> Iterator[Finding]:
    """Find words that sound the same or nearly, and accepted forms that sound the same as another word."""
    texts = [(row, text) for row in rows for text in dict.fromkeys((row.word.text, *row.word.forms))]
    for (first, second), cost in sounds.nearest([text for _, text in texts], CARD_COST).items():
        (one, text), (other, other_text) = texts[first], texts[second]
        if one is other or text == other_text:
            continue
        pair = (one.word.text, other.word.text)
        if pair != (text, other_text):
            if cost == 0:
                why = f"{other_text!r} sounds the same as {text!r} of line {one.line}"
                yield Finding(other.line, pair, why, "delete the form or exchange one of the words")
        elif cost == 0:
            yield Finding(other.line, pair, f"it sounds the same as line {one.line}", "put another word here")
        elif cost < QUARREL_COST:
            why = f"it sounds so much like line {one.line} (cost {cost:.2f}) that a table would quarrel"
            yield Finding(other.line, pair, why, "put another word here")
        elif one.card == other.card:
            why = f"both on card {one.card} sound alike (cost {cost:.2f})"
            yield Finding(other.line, pair, why, "exchange one with another card")


def _contained(rows: Sequence[Row], knows: Callable[[str], bool]) -> Iterator[Finding]:
    """Find compounds of which another word of the deck is a part (snow in snowman)."""
    lines = {row.word.text: row for row in rows}
    for row in rows:
        text = row.word.text
        for cut in range(3, len(text) - 2):
            head, tail = text[:cut].rstrip(" -"), text[cut:].lstrip(" -")
            for part, rest in ((head, tail), (tail, head)):
                if part in lines and part != text and knows(rest):
                    why = f"{part!r} of line {lines[part].line} is a part of {text!r}"
                    yield Finding(row.line, (part, text), why, "exchange one of the words")


def _unknown(rows: Sequence[Row], knows: Callable[[str], bool]) -> Iterator[Finding]:
    """Find words that the language's lexicon does not know: no recogniser learned to write them."""
    for row in rows:
        parts = [part for part in re.split(r"[ -]", row.word.text) if part]
        strange = tuple(part for part in parts if not knows(part))
        if strange and not knows(row.word.text):
            yield Finding(row.line, strange, "the lexicon does not know this word", "put a common word here")


def _unwritable(rows: Sequence[Row], writer: Writer) -> Iterator[Finding]:
    """Find words that the recogniser has no letters or no vocabulary for."""
    for row in rows:
        if not writer.can_write(row.word.text):
            why = f"the recogniser {writer.name} can never write this"
            yield Finding(row.line, (row.word.text,), why, "put another word here")


@dataclass(frozen=True, slots=True)
class EnglishSounds:
    """The sounds of English, as the judge measures them."""

    measures: EnglishMeasures

    def knows(self, word: str) -> bool:
        """Tell whether a single word is in the pronouncing dictionary."""
        return self.measures.knows(word)

    def nearest(self, texts: Sequence[str], bound: float) -> Mapping[tuple[int, int], float]:
        """Return the cost between the sounds of two texts, by their positions (smaller first), where it is below the bound."""
        entries = [
            (position, said)
            for position, text in enumerate(texts)
            for said in self.measures.pronouncer.phrase(words(text))
        ]
        trie = build_trie([said for _, said in entries])
        found: dict[tuple[int, int], float] = {}
        for position, said in entries:
            costs = distances(said, trie, self.measures.costs, bound)
            for index in np.flatnonzero(costs < bound):
                other = entries[index][0]
                pair = (min(position, other), max(position, other))
                if position != other:
                    found[pair] = min(float(costs[index]), found.get(pair, bound))
        return found


def lint(language: str, recognizer: Writer | None = None) -> tuple[Finding, ...]:
    """Look the deck of a language through; raises `UsageError` when there is none, or a line is no row at all."""
    path = dreams_path(language)
    rows = parse_rows(read_table(path), str(path))
    return lint_rows(rows, _sounds(language), recognizer)


def run_lint(language: str) -> int:
    """Print all findings of a language's decks, words and scenes; returns the exit code (0 none, 1 some)."""
    return max(_run_lint_words(language), run_lint_scenes(language))


def _run_lint_words(language: str) -> int:
    """Print all findings of a language's deck of words; returns the exit code (0 none, 1 some)."""
    path = dreams_path(language)
    print(f"Looking {path} through ...", file=sys.stderr)
    recognizer = load_recognizer(language)
    try:
        findings = lint(language, recognizer)
    finally:
        recognizer.close()
    for finding in findings:
        print(f"{path}, {finding}")
    count = len(parse_rows(read_table(path), str(path)))
    if findings:
        print(f"{len(findings)} findings in {count} words.")
        return 1
    print(
        f"{count} words on {count // WORDS_A_CARD} cards: none twice, no two that sound alike, no part of another, no two of"
        f" a kind on a card; {recognizer.name} has letters for each, and the lexicon knows each."
    )
    return 0


def _sounds(language: str) -> Sounds:
    """Return the measures of a language; raises `UsageError` for a language that has none."""
    measures = load_measures(language, ())
    if not isinstance(measures, EnglishMeasures):
        raise UsageError(f"The sounds of {language!r} cannot be compared yet; choose --lang en.")
    return EnglishSounds(measures)
