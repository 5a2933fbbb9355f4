"""Which player is meant by a name as a recogniser wrote it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from rapidfuzz.distance import JaroWinkler, Levenshtein

from voice_host.dialogue.spoken import normal

SameSound = Callable[[str, str], float]
"""How alike two short texts sound: 1 is the same, 0 is quite different."""

_QUITE_DIFFERENT: Final = 2.0
"""Phones that differ between names that nobody takes for each other; short names have hardly more."""

_CUTOFF: Final = 0.64
_MARGIN: Final = 0.1
# How letters are confused when names are written by ear; applied before spellings are compared.
_BY_EAR: Final = (("ph", "f"), ("ck", "k"), ("c", "k"), ("q", "k"), ("y", "i"), ("ee", "i"), ("ea", "i"), ("ie", "i"), ("z", "s"), ("h", ""))  # fmt: skip


def spelled_alike(one: str, other: str) -> float:
    """Return the likeness of two names by their letters: the stand-in where no phones are at hand."""
    plain = [normal(text).replace(" ", "") for text in (one, other)]
    by_ear = [_heard(text) for text in plain]
    return max(
        Levenshtein.normalized_similarity(*plain),
        (Levenshtein.normalized_similarity(*by_ear) + JaroWinkler.similarity(*by_ear)) / 2,
    )


def _heard(text: str) -> str:
    for written, sound in _BY_EAR:
        text = text.replace(written, sound)
    return "".join(letter for letter, before in zip(text, " " + text, strict=False) if letter != before)


def alike_by(distance: Callable[[str, str], float]) -> SameSound:
    """Turn a distance by phones (0 the same, about 1 a phone that is quite another) into a likeness."""
    return lambda one, other: max(0.0, 1.0 - distance(one, other) / _QUITE_DIFFERENT)


def nearest(
    heard: str, names: Sequence[str], same_sound: SameSound, never: Iterable[str] = ()
) -> tuple[str, float] | None:
    """Return the name that was meant and its likeness; None when none is near, or two are about equally near."""
    said = normal(heard).removesuffix("'s")
    if not said or said in frozenset(never):
        return None
    for name in names:
        if normal(name) == said:
            return name, 1.0
    ranked = sorted(((same_sound(said, name), name) for name in names), reverse=True)
    if not ranked or ranked[0][0] < _CUTOFF:
        return None
    if len(ranked) > 1 and ranked[0][0] - ranked[1][0] < _MARGIN:
        return None
    return ranked[0][1], ranked[0][0]
