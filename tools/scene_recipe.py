"""The recipe of a picture: one instruction a line, a word with its values.

sky #1b2a52 #e8a87c                from top to bottom
land 300 #27402f amp=14            a hilly ground from y = 300 down
whale 150 140 160 turn=-8 flip     a piece: the centre's x and y, the size, and how it lies

A picture is 300 wide and 400 high; x grows to the right, y downwards. ``#`` followed by a space begins a comment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from voice_host.errors import UsageError

FLAGS = frozenset({"flip", "foot"})
"""Words that stand for themselves wherever they stand in a line."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One line of a recipe."""

    where: str
    """Begins the sentence of an error."""
    word: str
    values: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    flags: frozenset[str] = frozenset()

    def numbers(self, count: int, first: int = 0) -> tuple[float, ...]:
        """Return `count` values from the `first` on as numbers; raises `UsageError` when there are fewer or others."""
        try:
            found = tuple(float(value) for value in self.values[first : first + count])
        except ValueError as error:
            raise UsageError(f"{self.where}: {error}; write a number.") from error
        if len(found) != count:
            raise UsageError(f"{self.where}: {self.word} needs {count} numbers; there are {len(found)}.")
        return found

    def text(self, position: int) -> str:
        """Return one value; raises `UsageError` when it is missing."""
        if position >= len(self.values):
            raise UsageError(f"{self.where}: {self.word} needs a value more.")
        return self.values[position]

    def number(self, name: str, usual: float) -> float:
        """Return an option as a number."""
        try:
            return float(self.options.get(name, usual))
        except ValueError as error:
            raise UsageError(f"{self.where}: {name}: {error}; write a number.") from error


def parse_recipe(text: str, source: str) -> Iterator[Instruction]:
    """Yield the instructions of a recipe in their order: what comes later lies above."""
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split("# ")[0].split()
        if words:
            values = tuple(word for word in words[1:] if "=" not in word and word not in FLAGS)
            options = dict(word.split("=", 1) for word in words[1:] if "=" in word)
            flags = FLAGS.intersection(words[1:])
            yield Instruction(f"{source}, line {number}", words[0], values, options, flags)
