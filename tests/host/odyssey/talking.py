"""A talking table: plays Dixit Odyssey by the rules alone, writes what is said as a script, and knows how it ends.

The script is then played by the real program. Both must come to the same scores, though only one of them had to understand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.games.odyssey.walks import leading_on
from voice_host.games import dixit_odyssey as game
from voice_host.games.dixit_odyssey import Options, State
from voice_host.games.dixit_odyssey.ballots import missing_voters
from voice_host.games.dixit_odyssey.reveal import wanted
from voice_host.games.dixit_odyssey.state import Finished, Owners, Voting
from voice_host.games.game import Intent, TimerFinished
from voice_host.scenes import load_scenes

NAMES = ("Amy", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hugo", "Ivy", "Jack", "Kate", "Liam")
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
WORDS = (
    *(
        "the long way home",
        "Nobody is there.",
        "peace",
        "a letter that was never sent",
        "Too late!",
        "between two worlds",
    ),
    *(
        "my grandmother's kitchen",
        "once upon a time",
        "the sound of snow",
        "who turned off the light",
        "freedom",
        "twelve",
    ),
)


WAYS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "have_idea": (("seat", "I have an idea"), ("?", "{seat} has an idea")),
    "tell": (("seat", "{words}"), ("?", "{words}"), ("seat", "My word is {words}")),
    "give": (("seat", "I give {numbers}"), ("seat", "{numbers}"), ("?", "{seat} gives {numbers}")),
    "put_down": (("seat", "I'm ready"), ("?", "{seat} is ready"), ("seat", "Ready.")),
    "vote": (
        ("seat", "{numbers}"),
        ("seat", "I vote {numbers}"),
        ("?", "{seat} votes {numbers}"),
        ("?", "{seat} {numbers}"),
    ),
    "red_vote": (("seat", "red on {numbers}"), ("?", "the red vote goes to number {numbers}"), ("?", "{numbers}")),
    "take_back": (("?", "never mind"),),
}
"""Intent to the ways to say it: by the seat's own voice, or by an unknown one that says the name."""


@dataclass(slots=True)
class Talk:
    """What was said at a table, and what it came to."""

    lines: list[str] = field(default_factory=list)
    scores: dict[str, int] = field(default_factory=dict)
    winners: list[str] = field(default_factory=list)
    turns: int = 0


def talk(seed: int, count: int, *, table: int, **settings: Any) -> Talk:
    """Play a whole evening: ``table`` deals the cards, ``seed`` is what the players think."""
    rng = Random(seed)
    scenes = () if settings.get("cards") == "box" else load_scenes("en")
    state: State = game.start(Options(players=NAMES[:count], scenes=scenes, **settings), Random(table)).state
    told = Talk()
    while not isinstance(state.phase, Finished):
        event = leading_on(state, rng)
        if isinstance(event, TimerFinished):
            told.lines.append(rng.choice(("@wait 5", "?: show the votes")))
            state = game.step(state, event).state
            continue
        assert isinstance(event, Intent)
        if event.name == "tell":
            event = Intent("tell", {"text": rng.choice(WORDS).strip(".!")}, event.speaker, event.utterance)
        told.lines.append(_said(state, event, rng))
        step = game.step(state, event)
        assert step.state is not state, (event, step.effects)
        state = step.state
    told.scores, told.winners = dict(state.phase.scores), list(state.phase.winners)
    told.turns = len(state.results)
    return told


def _said(state: State, intent: Intent, rng: Random) -> str:
    """Return one of the ways to say it: by a known voice, or by a name."""
    speaker, sentence = rng.choice(tuple(_ways(state, intent)))
    return f"{speaker}: {sentence}"


def _ways(state: State, intent: Intent) -> Iterator[tuple[str, str]]:
    seat = intent.slots.get("player") or intent.speaker or "?"
    numbers = [NUMBERS[int(intent.slots[slot])] for slot in ("card", "second") if slot in intent.slots]
    both = " and ".join(numbers)
    if intent.name == "vote" and isinstance(state.phase, Voting) and missing_voters(state, state.phase)[0] == seat:
        yield ("?", both)  # the host has asked for it
    if intent.name == "have_idea" and state.turn.storyteller is not None:
        yield ("?", "ready")
    if intent.name == "claim_card" and isinstance(state.phase, Owners):
        yield from _claims(state, state.phase, seat, both)
        return
    words = intent.slots.get("text", "")
    for speaker, sentence in WAYS[intent.name]:
        yield seat if speaker == "seat" else "?", sentence.format(seat=seat, words=words, numbers=both)


def _claims(state: State, phase: Owners, seat: str, number: str) -> Iterator[tuple[str, str]]:
    if wanted(state, phase) == 0:
        yield from (("?", f"number {number}"), (seat, f"mine is {number}"), ("?", f"{seat} gave number {number}"))
        yield ("?", number)
    else:
        yield from (("?", f"it's {seat}'s"), (seat, "that's mine"), ("?", seat), ("?", f"number {number} is {seat}'s"))
