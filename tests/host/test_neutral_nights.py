"""The night is verdict-neutral through the whole program: other hidden words, the same sound of the room."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from voice_host.commands.play import PlayRequest, play
from voice_host.program import Program

SPOKEN = (
    "Amy: I guess {word}",
    "?: my guess is {word}",
    "?: {word}",
    "Ben: {word}",
    "Cleo: {word}",
    "Dan: foul",
    "?: foul on Cleo",
    "?: never mind",
    "Amy: I give up",
    "Amy: no, I said {word}",
    "Ben: pass",
    "?: undo",
    "?: pause",
    "?: resume",
    "?: how much time",
    "?: whose turn",
    "?: repeat",
    "Ben: tell me when it is my turn",
    "?: stop announcing the turns",
    "?: speak a bit louder",
    "@wait 3.2",
    "@wait 5.5",
    "@wait 12",
)
AUDIBLE = ("said", "earcon", "timer")


def _night(folder: Path, program: Program, script: str, cards: list[str]) -> tuple[list[Any], list[Any]]:
    """Return what the room hears until the dream is told, and what the table sees at the end of it."""
    folder.mkdir()
    (folder / "script.txt").write_text(script, encoding="utf-8")
    (folder / "cards.txt").write_text("\n".join(cards), encoding="utf-8")
    request = PlayRequest(
        game="when-i-dream",
        lang="en",
        players="Amy,Ben,Cleo,Dan",
        seed=7,
        script=folder / "script.txt",
        events=folder / "events.jsonl",
        cards=folder / "cards.txt",
        journal=folder / "journal",
    )
    play(request, program)
    lines: list[Mapping[str, Any]] = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    heard = [line for line in lines if line["type"] in AUDIBLE and line.get("to", "room") == "room"]
    zones = [line["view"] for line in lines if line["type"] == "view" and line["viewer"] == "table"][-1]
    return heard, [zones.get("yellow"), zones.get("blue")]


@pytest.mark.parametrize("seed", range(12))
def test_other_hidden_words_leave_the_sound_of_the_room_as_it_was(english: Program, tmp_path: Path, seed: int) -> None:
    chance = Random(seed)
    deck = [word.text for card in english.dreams for word in card]
    cards = chance.sample(deck, 30)
    near = [*cards[:6], *chance.sample(deck, 4)]
    script = "\n".join(chance.choice(SPOKEN).format(word=chance.choice(near)) for _ in range(40))
    one, _ = _night(tmp_path / "one", english, script, cards)
    two, _ = _night(tmp_path / "two", english, script, chance.sample(cards, len(cards)))
    assert one == two
    assert len(one) > 20


def test_a_night_of_right_guesses_sounds_like_a_night_of_wrong_ones(english: Program, tmp_path: Path) -> None:
    deck = [word.text for card in english.dreams for word in card]
    cards = Random(5).sample(deck, 12)
    guesses = [f"Amy: I guess {word}" for word in cards[:6]]
    clues = ["Ben: something", "?: {}", "Cleo: nothing"]
    script = "\n".join(
        line.format(word) for word, guess in zip(cards, guesses, strict=False) for line in (*clues, guess)
    )
    right, zones = _night(tmp_path / "right", english, script, cards)
    wrong, other = _night(tmp_path / "wrong", english, script, cards[::-1])
    assert zones == [cards[:6], []]
    assert other == [[], cards[::-1][:6]]
    assert right == wrong
