"""A whole number between two others, as the command line and the settings take it."""

from __future__ import annotations

import argparse
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """A type for argparse that also tells its limits to the settings."""

    least: int
    most: int

    def __call__(self, text: str) -> int:
        """Read the number; raises `argparse.ArgumentTypeError` for what is none, or lies outside."""
        try:
            number = int(text)
        except ValueError:
            number = None
        if number is None or not self.has(number):
            raise argparse.ArgumentTypeError(f"{text!r} is not {self}")
        return number

    def has(self, number: int) -> bool:
        """Tell whether a number lies within the limits."""
        return self.least <= number <= self.most

    def __str__(self) -> str:
        """Return what is wanted, in words."""
        return f"a whole number from {self.least} to {self.most}"
