"""What may be said in each phase of Dixit Odyssey, asked of tables that are in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any, Final

from tests.games.odyssey.table import SCENES
from voice_host.evening import HOST_INTENTS
from voice_host.games import dixit_odyssey as game
from voice_host.games.dixit_odyssey import Options
from voice_host.games.game import Event, Intent, Listening, Slot, TimerFinished
from voice_host.resources import folder

CODE_WORDS: Final = tuple((folder("grammars") / "en" / "code_words.txt").read_text(encoding="utf-8").split())

Fact = tuple[str, str | None, dict[str, str]]
"""An intent, who meant it, its slots; or ``timer`` and its name."""

NAMES: Final = ("Amy", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus")


def _table(count: int, *facts: Fact, **settings: Any) -> Listening:
    """Let facts happen at a table (an intent, who meant it, its slots; or ``timer``), and ask what may be said then."""
    scenes = () if settings.get("cards") == "box" else SCENES
    state = game.start(Options(players=NAMES[:count], scenes=scenes, **settings), Random(7)).state
    for name, speaker, slots in facts:
        event: Event = TimerFinished(slots["name"]) if name == "timer" else Intent(name, slots, speaker)
        step = game.step(state, event)
        assert step.state is not state, (name, step.effects)
        state = step.state
    listening = game.listening(state)
    host: dict[str, Mapping[str, Slot]] = {name: {} for name in HOST_INTENTS if name != "resume"}
    return replace(listening, intents={**host, **listening.intents})


_TOLD: Final[tuple[Fact, ...]] = (("have_idea", "Amy", {}), ("tell", "Amy", {"text": "far away"}))
_DOWN: Final[tuple[Fact, ...]] = (*_TOLD, ("all_down", None, {}))


def _voted(count: int, *, number: str = "1") -> tuple[Fact, ...]:
    return tuple(("vote", name, {"card": number}) for name in NAMES[1:count])


LISTENINGS: Final[Mapping[str, Callable[[], Listening]]] = {
    "first_idea": lambda: _table(4),
    "telling": lambda: _table(4, _TOLD[0]),
    "giving": lambda: _table(4, *_TOLD),
    "last_giving": lambda: _table(4, *_TOLD, *(("give", name, {"card": "1"}) for name in ("Amy", "Ben", "Cleo"))),
    "down": lambda: _table(4, *_TOLD, cards="box"),
    "voting": lambda: _table(7, *_DOWN, cards="box"),
    "reading": lambda: _table(4, *_TOLD, *(("give", name, {"card": "1"}) for name in NAMES[:4])),
    "red": lambda: _table(6, *_DOWN, *_voted(6), ("vote", "Amy", {"card": "2"}), cards="box", mode="party"),
    "secret": lambda: _table(6, *_DOWN, cards="box", mode="party", ballot="secret", code_words=CODE_WORDS),
    "story_card": lambda: _table(4, *_DOWN, *_voted(4), ("timer", None, {"name": "reveal"}), cards="box"),
    "owners": lambda: _table(
        4,
        *_DOWN,
        *_voted(4),
        ("timer", None, {"name": "reveal"}),
        ("claim_card", "Amy", {"card": "2"}),
        cards="box",
    ),
}


@cache
def listening(phase: str) -> Listening:
    return LISTENINGS[phase]()
