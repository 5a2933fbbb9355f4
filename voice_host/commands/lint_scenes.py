"""Looks a deck of scenes through: what could not be read aloud in a breath, and which two scenes are too much alike.

As for the deck of words, each finding names the line, why, and the remedy; nothing is repaired.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import Final

from voice_host.commands.findings import Finding
from voice_host.decks import read_table
from voice_host.scenes import COLUMNS, SceneRow, parse_scenes, pictured_scenes, scenes_path

SCENES: Final = 84
"""The number of cards of a whole deck, as in the box."""

WORDS: Final = range(8, 17)
"""So many words are read aloud in about 3 to 6 s and still make a picture."""

CHARACTERS: Final = 90
"""The longest sentence: more does not fit below a card on a phone, nor into one breath."""

MOTIF_LETTERS: Final = 5
"""A word of so many letters or more is taken for one that carries a scene's meaning."""

SHARED_MOTIFS: Final = 2
"""Two scenes with so many meaningful words in common would answer the same clues."""

_WORD: Final = re.compile(r"[^\W\d_]+(?:['\N{RIGHT SINGLE QUOTATION MARK}-][^\W\d_]+)*")
_SENTENCE: Final = re.compile(r"[^\W\d_](?:[^\W\d_]|[ ,'-])*\.")
"""Letters, spaces, commas, apostrophes and hyphens, and one full stop at the end."""


def lint_scenes(rows: Sequence[SceneRow], pictured: Collection[str], scenes: int = SCENES) -> tuple[Finding, ...]:
    """Return all faults in the order of their lines; `pictured` are the ids of the scenes that have a picture."""
    findings = [*_count(rows, scenes), *_twice(rows), *_alike(rows), *_pictures(rows, pictured)]
    for row in rows:
        findings += [*_length(row), *_spelling(row), *_names(row)]
    return tuple(sorted(set(findings)))


def run_lint_scenes(language: str) -> int:
    """Print all findings of a language's deck of scenes; returns the exit code (0 none, 1 some)."""
    path = scenes_path(language)
    rows = parse_scenes(read_table(path, COLUMNS), str(path))
    findings = lint_scenes(rows, pictured_scenes())
    for finding in findings:
        print(f"{path}, {finding}")
    if findings:
        print(f"{len(findings)} findings in {len(rows)} scenes.")
        return 1
    print(
        f"{len(rows)} scenes of {WORDS.start} to {WORDS.stop - 1} words: none twice, no two of the same motif, a picture for each."
    )
    return 0


def _count(rows: Sequence[SceneRow], scenes: int) -> Iterator[Finding]:
    """Find a deck that has not exactly so many scenes."""
    if len(rows) != scenes:
        remedy = f"add {scenes - len(rows)}" if len(rows) < scenes else f"delete {len(rows) - scenes}"
        yield Finding(rows[-1].line, (), f"there are {len(rows)} scenes instead of {scenes}", remedy)


def _twice(rows: Sequence[SceneRow]) -> Iterator[Finding]:
    """Find sentences that another scene has already, whatever their capitals and commas."""
    lines: dict[tuple[str, ...], int] = {}
    for row in rows:
        first = lines.setdefault(tuple(_words(row)), row.line)
        if first != row.line:
            yield Finding(row.line, (row.scene.id,), f"line {first} has this sentence already", "write another")


def _alike(rows: Sequence[SceneRow]) -> Iterator[Finding]:
    """Find scenes that share their motif."""
    owners: dict[tuple[int, int], list[str]] = defaultdict(list)
    motifs = {row.line: {word for word in _words(row) if len(word) >= MOTIF_LETTERS} for row in rows}
    for one, other in combinations(sorted(motifs), 2):
        owners[one, other] += sorted(motifs[one] & motifs[other])
    ids = {row.line: row.scene.id for row in rows}
    for (one, other), shared in owners.items():
        if len(shared) >= SHARED_MOTIFS:
            why = f"both scenes speak of {' and '.join(shared)}, so that one clue fits both"
            yield Finding(other, (ids[one], ids[other]), why, "give one of them another motif")


def _pictures(rows: Sequence[SceneRow], pictured: Collection[str]) -> Iterator[Finding]:
    """Find scenes that cannot be seen, and pictures that no sentence tells."""
    for row in rows:
        if row.scene.id not in pictured:
            remedy = "write a recipe and draw it with tools/draw_scenes.py"
            yield Finding(row.line, (row.scene.id,), "it has no picture", remedy)
    untold = tuple(sorted(set(pictured) - {row.scene.id for row in rows}))
    if untold:
        yield Finding(rows[-1].line, untold, "no scene tells these pictures", "delete them or write their sentences")


def _length(row: SceneRow) -> Iterator[Finding]:
    """Find sentences that are too short to be a picture, or too long to be listened to."""
    count = len(_words(row))
    if count not in WORDS:
        why = f"the sentence has {count} words"
        yield Finding(row.line, (row.scene.id,), why, f"write {WORDS.start} to {WORDS.stop - 1}")
    if len(row.scene.sentence) > CHARACTERS:
        why = f"the sentence has {len(row.scene.sentence)} characters"
        yield Finding(row.line, (row.scene.id,), why, f"write at most {CHARACTERS}")


def _spelling(row: SceneRow) -> Iterator[Finding]:
    """Find markup, digits, signs that a voice does not read, a missing capital or full stop, needless spaces."""
    sentence = row.scene.sentence
    whole = _SENTENCE.fullmatch(sentence) and sentence[0] == sentence[0].upper()
    if not whole or sentence != " ".join(unicodedata.normalize("NFC", sentence).split()):
        why = "this is not one plain sentence"
        remedy = "begin with a capital, end with a full stop, and use letters, commas, apostrophes and hyphens only"
        yield Finding(row.line, (row.scene.id,), why, remedy)


def _names(row: SceneRow) -> Iterator[Finding]:
    """Find proper names: they are pronounced in many ways and tie a scene to one story."""
    for word in _WORD.findall(row.scene.sentence)[1:]:
        if word != word.lower():
            yield Finding(row.line, (row.scene.id,), f"{word!r} is a name", "say what it is instead")


def _words(row: SceneRow) -> list[str]:
    """Return a scene's words in small letters."""
    return _WORD.findall(row.scene.sentence.lower())
