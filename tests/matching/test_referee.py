"""What the clue referee flags and what the story ticker ticks."""

from __future__ import annotations

import pytest

from voice_host.matching.english import EnglishMeasures
from voice_host.matching.words import Fault, Word

CONTAINS, DERIVED, SOUNDS_LIKE = Fault.CONTAINS, Fault.DERIVED, Fault.SOUNDS_LIKE


def word(text: str) -> Word:
    return Word(id=text, text=text)


@pytest.mark.parametrize(
    ("clue", "hidden", "fault"),
    [
        ("dragon", "dragon", CONTAINS),
        ("the dragons", "dragon", CONTAINS),
        ("dragonfly", "dragon", CONTAINS),
        ("fire", "fire engine", CONTAINS),
        ("engines", "fire engine", CONTAINS),
        ("fly", "butterfly", CONTAINS),
        ("the sun", "sunflower", CONTAINS),
        ("doggy", "dog", CONTAINS),
        ("noses", "nose", CONTAINS),
        ("bake", "baker", DERIVED),
        ("sail", "sailor", DERIVED),
        ("painter", "painting", DERIVED),
        ("sunny", "sun", DERIVED),
        ("rainy", "rain", DERIVED),
        ("bare", "bear", SOUNDS_LIKE),
        ("pear", "bear", SOUNDS_LIKE),
        ("flour", "flower", SOUNDS_LIKE),
        ("sheep", "ship", SOUNDS_LIKE),
        ("water", "dragon", None),
        ("pet", "carpet", None),
        ("cat", "catalog", None),
        ("ham", "hammer", None),
        ("corn", "corner", None),
        ("flow", "flower", None),
        ("lad", "ladder", None),
        ("son", "season", None),
        ("moon", "spoon", None),
        ("boat", "goat", None),
        ("house", "mouse", None),
        ("", "dragon", None),
        ("the", "dragon", None),
    ],
)
def test_clues(measures: EnglishMeasures, clue: str, hidden: str, fault: Fault | None) -> None:
    assert measures.clue_fault(clue, word(hidden)) is fault


WORDS = tuple(
    word(text)
    for text in (
        "dragon", "fire engine", "mouse", "dart", "ferret", "bear", "flower", "butterfly", "acorn", "star", "fish", "sun",
        "camel", "lizard", "engine", "moon", "knife",
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("story", "ticked"),
    [
        ("The dragons flew over two mice.", {"dragon", "mouse"}),
        ("Then I saw, um, a moon", {"moon"}),
        ("I drove a fireengine", {"fire engine"}),
        ("in a fire-engine with an engine", {"fire engine", "engine"}),
        ("the fire engine", {"fire engine"}),
        ("The Bears! Camel's KNIVES", {"bear", "camel", "knife"}),
        ("we were fishing", {"fish"}),
        ("a fair it and a lizzard", {"ferret", "lizard"}),
        ("a cammel sat on a flour", {"camel", "flower"}),
        ("the butter fly", {"butterfly"}),
        ("lizard, dragon, bear", {"bear", "dragon", "lizard"}),
        ("We saw the art", set()),
        ("He ate a pear under the store", set()),
        ("a sunflower and a starfish", set()),
        ("the dark house was moving", set()),
        ("I was alone", set()),
        ("", set()),
    ],
)
def test_stories(measures: EnglishMeasures, story: str, ticked: set[str]) -> None:
    assert measures.mentioned(story, WORDS) == ticked


def test_nothing_wanted_is_never_ticked(measures: EnglishMeasures) -> None:
    assert measures.mentioned("a dragon", ()) == frozenset()
