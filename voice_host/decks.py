"""The decks: tables of words, one a line, that a person can read and write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from voice_host.errors import UsageError
from voice_host.matching.words import Word
from voice_host.resources import language_folder

COLUMNS = ("id", "card", "kind", "text", "forms")
"""The header of ``dreams.tsv``, tab separated; `kind` says what sort of thing a word is, in every language the same."""

WORDS_A_CARD = 4

DreamWords = tuple[Word, Word, Word, Word]
"""One card: the words of its two sides, two ends each."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table of words."""

    line: int
    """Counts from 1, the header included."""
    card: int
    kind: str
    word: Word


def load_dreams(language: str) -> tuple[DreamWords, ...]:
    """Return the cards of a language's deck in the order of their numbers; raises `UsageError` with line and remedy."""
    path = dreams_path(language)
    return parse_dreams(read_table(path), str(path))


def dreams_path(language: str) -> Path:
    """Return where the deck of a language is; raises `UsageError` when there is no such language."""
    return language_folder(language) / "dreams.tsv"


def read_table(path: Path, columns: Sequence[str] = COLUMNS) -> str:
    """Return the text of a table; raises `UsageError` when it cannot be read as UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"The deck {path} cannot be read ({error.strerror}); put a table with the columns {', '.join(columns)} there."
        ) from error
    except UnicodeDecodeError as error:
        raise UsageError(f"The deck {path} is not UTF-8 at byte {error.start}; save it as UTF-8.") from error


def parse_dreams(text: str, source: str) -> tuple[DreamWords, ...]:
    """Return the cards of a table in the order of their numbers; raises `UsageError` naming `source` and the line."""
    cards = []
    rows = sorted(parse_rows(text, source), key=lambda row: row.card)
    for number, group in groupby(rows, key=lambda row: row.card):
        lines = list(group)
        if len(lines) != WORDS_A_CARD:
            raise UsageError(
                f"{source}, line {lines[-1].line}: card {number} has {len(lines)} words; give it exactly {WORDS_A_CARD}."
            )
        one, two, three, four = (row.word for row in lines)
        cards.append((one, two, three, four))
    if not cards:
        raise UsageError(f"{source}, line 1: there is no word in this deck; write one a line below the header.")
    return tuple(cards)


def parse_rows(text: str, source: str) -> tuple[Row, ...]:
    """Return the lines of a table as they stand; raises `UsageError` naming `source` and the line that is no row."""
    lines = text.removeprefix("\ufeff").splitlines()
    header = tuple(lines[0].split("\t")) if lines else ()
    if header != COLUMNS:
        raise UsageError(f"{source}, line 1: the header must name the columns {', '.join(COLUMNS)}, separated by tabs.")
    rows = tuple(
        _row(line.split("\t"), f"{source}, line {number}", number)
        for number, line in enumerate(lines[1:], start=2)
        if line.strip()
    )
    _refuse_repeated_ids(rows, source)
    return rows


def _row(cells: Sequence[str], where: str, line: int) -> Row:
    """Return one line's values; `where` begins the sentence of an error."""
    if len(cells) == len(COLUMNS) - 1:
        cells = (*cells, "")  # editors strip the tab before an empty last cell
    if len(cells) != len(COLUMNS):
        raise UsageError(
            f"{where}: {len(cells)} cells instead of {len(COLUMNS)}; separate {', '.join(COLUMNS)} by one tab each."
        )
    id_, card, kind, text, forms = cells
    if not (id_.isascii() and id_.replace("_", "").isalnum() and id_ == id_.lower()):
        raise UsageError(f"{where}: the id {id_!r} must be small ASCII letters, digits and underscores.")
    if not (card.isascii() and card.isdigit() and int(card) > 0):
        raise UsageError(f"{where}: the card {card!r} must be a number from 1.")
    for column, cell in (("kind", kind), ("text", text)):
        if not cell.strip():
            raise UsageError(f"{where}: the column {column} is empty; fill it in.")
    word = Word(id=id_, text=text, forms=tuple(forms.split("|")) if forms else ())
    return Row(line, int(card), kind, word)


def _refuse_repeated_ids(rows: Sequence[Row], source: str) -> None:
    """Raise `UsageError` when an id stands on two lines: the game tells words apart by their ids."""
    lines: dict[str, int] = {}
    for row in rows:
        if row.word.id in lines:
            raise UsageError(
                f"{source}, line {row.line}: the id {row.word.id!r} is taken by line {lines[row.word.id]}; choose another."
            )
        lines[row.word.id] = row.line
