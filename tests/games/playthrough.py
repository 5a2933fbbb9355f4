"""Golden playthroughs: whole evenings as text, read and written.

In a file ``>`` lines are what happens and ``#`` lines are remarks; both are written by people. ``!`` lines (effects) and ``=``
lines (what changed on whose screen) are written by ``python -m tests.games.playthrough``, which renews all files in place; read
the difference before you keep it. A giver's line shows only what the table's screen does not.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.games.helpers import ExactMeasures, words
from tests.games.odyssey.table import SCENES
from voice_host.games import dixit_odyssey, when_i_dream
from voice_host.games.dixit_odyssey import Scene
from voice_host.games.game import (
    ROOM,
    TABLE,
    Earcon,
    Effect,
    Event,
    Flag,
    Game,
    Intent,
    Paused,
    Played,
    Refuse,
    Resumed,
    Say,
    StartTimer,
    StopTimer,
    TimerFinished,
    Utterance,
)
from voice_host.games.history import History, advanced, opened, undone
from voice_host.games.when_i_dream import DreamCard

FOLDER = Path(__file__).parent / "playthroughs"

DECK = """
anchor bottle candle drum / eagle feather garden hammer / island jungle kettle ladder / magnet needle ocean pencil
queen rocket saddle tunnel / umbrella violin window yacht / zebra apple bridge castle / diamond engine forest guitar
honey iceberg jacket kitchen / lantern mirror nest orchard / pirate quilt river scissors / trumpet unicorn volcano wagon
"""

DREAM_SLOTS = {
    "guess": "word",
    "correct_guess": "word",
    "clue": "word",
    "foul": "player",
    "story": "text",
    "appeal": "card",
    "leave": "player",
    "join": "player",
}
ODYSSEY_SLOTS = {
    "have_idea": "player",
    "tell": "text",
    "correct_words": "text",
    "leave": "player",
    **dict.fromkeys(("give", "vote", "change_vote", "red_vote", "claim_card"), "card"),
}
"""The slot that a value without a name fills."""

NUMBERS = {
    "rounds": int,
    "night_seconds": float,
    "clue_seconds": float,
    "bonus": int,
    "winning_points": int,
    "reveal_seconds": float,
}


@dataclass(frozen=True, slots=True)
class Notation:
    """How a game's playthroughs are written."""

    game: Game
    options: Callable[[dict[str, str]], Any]
    """Makes the options from the pairs of the first line, without the seed."""
    slots: Mapping[str, str]
    blind: Callable[[Any], str | None] = lambda _state: None
    """Tells whose screen shows less than the table's."""


def renewed(text: str, notation: Notation) -> str:
    """Return the playthrough with its effects and screens written anew from what happens in it."""
    lines: list[str] = []
    evening: _Evening | None = None
    for line in text.splitlines():
        if line.startswith(("!", "=")):
            continue
        lines.append(line)
        if not line.startswith(">"):
            continue
        what = line[1:].partition("  #")[0].strip()
        if evening is None:
            evening = _Evening(what, notation)
        else:
            evening.happens(what)
        lines += [f"! {effect}" for effect in _effects(evening.effects)]
        lines += [f"= {changed}" for changed in evening.changed()]
    return "\n".join(lines) + "\n"


class _Evening:
    def __init__(self, start: str, notation: Notation) -> None:
        self.notation = notation
        self.game = notation.game
        options, seed = _options(start, notation)
        self.history = opened(self.game, options, seed)
        self.effects: tuple[Effect, ...] = self.history.first_effects
        self.screens: dict[str, dict[str, str]] = {}

    def happens(self, what: str) -> None:
        if what == "undo":
            self.history = self._without_last()
            self.effects = ()
            return
        self.history = advanced(self.game, self.history, _event(what, self.notation.slots))
        self.effects = self.history.applied[-1].effects

    def _without_last(self) -> History:
        history = undone(self.game, self.history)
        if history is None:
            raise ValueError("there is nothing to undo")
        return history

    def changed(self) -> Iterator[str]:
        table = _screen(self.game.view(self.history.state, TABLE))
        yield from self._changed(TABLE, table, {})
        for seat in self.history.state.seats:
            screen = _screen(self.game.view(self.history.state, seat))
            blind = seat == self.notation.blind(self.history.state)
            yield from self._changed(seat, screen, {} if blind else table)

    def _changed(self, viewer: str, screen: dict[str, str], known: Mapping[str, str]) -> Iterator[str]:
        before = self.screens.get(viewer, {})
        shown = {name: value for name, value in screen.items() if known.get(name) != value}
        self.screens[viewer] = shown
        gone = [name for name in before if name not in shown and name not in known]
        news = [f"{name}={value}" for name, value in shown.items() if before.get(name) != value]
        news += [f"{name}=-" for name in gone if before[name] != "-"]
        if news:
            yield f"{viewer} {' '.join(news)}"


def _options(start: str, notation: Notation) -> tuple[Any, int]:
    name, *pairs = shlex.split(start)
    if name != "start":
        raise ValueError("a playthrough begins with: > start seed=... players=...")
    given = _pairs(pairs, "=")
    seed = int(given.pop("seed"))
    return notation.options(given), seed


def _dream_options(given: dict[str, str]) -> when_i_dream.Options:
    settings: dict[str, Any] = {}
    settings["upcoming"] = words(*filter(None, given.pop("upcoming", "").split(",")))
    rigged = filter(None, given.pop("roles", "").split("|"))
    settings["rigged_roles"] = tuple(_pairs(entry.split(","), ":") for entry in rigged)
    cards = tuple(DreamCard(words(*card.split())) for row in DECK.strip().splitlines() for card in row.split("/"))
    players = tuple(given.pop("players").split(","))
    return when_i_dream.Options(players=players, cards=cards, measures=ExactMeasures(), **settings, **_settings(given))


def _odyssey_options(given: dict[str, str]) -> dixit_odyssey.Options:
    players = tuple(given.pop("players").split(","))
    scenes = () if given.get("cards") == "box" else tuple(Scene(scene.id, scene.id) for scene in SCENES)
    return dixit_odyssey.Options(players=players, scenes=scenes, **_settings(given))


def _settings(given: Mapping[str, str]) -> dict[str, Any]:
    return {name: NUMBERS.get(name, str)(value) for name, value in given.items()}


def _pairs(texts: Iterable[str], sign: str) -> dict[str, str]:
    return {name: value for name, _, value in (text.partition(sign) for text in texts)}


def _event(what: str, positional: Mapping[str, str]) -> Event:
    kind, _, rest = what.partition(" ")
    match kind:
        case "played":
            return Played(rest)
        case "timer":
            return TimerFinished(rest)
        case "pause":
            return Paused(rest or "asked")
        case "resume":
            return Resumed()
    if not kind.endswith(":"):
        raise ValueError(f"nobody knows what happens: {what}")
    name, *values = shlex.split(rest)
    slots = _pairs((value if "=" in value else f"{positional[name]}={value}" for value in values), "=")
    # Whoever taps (~Ann:) says nothing aloud.
    speaker, heard = kind[:-1].removeprefix("~"), Utterance(1, (rest,), 0.0, 1.0)
    return Intent(name, slots, None if speaker == "?" else speaker, None if kind.startswith("~") else heard)


def _effects(effects: Iterable[Effect]) -> Iterator[str]:
    """Write the effects; the cards that a seat is told one after the other stand on one line."""
    cards: dict[str, list[str]] = {}
    for effect in effects:
        if isinstance(effect, Say) and effect.prompt == "your_card":
            cards.setdefault(effect.to, []).append(f"{effect.slots['number']}:{effect.slots['scene']}")
            continue
        yield from (f"say your_card to={seat} {' '.join(told)}" for seat, told in cards.items())
        cards = {}
        yield _effect(effect)


def _effect(effect: Effect) -> str:
    match effect:
        case Say(prompt, slots, to):
            return f"say {prompt}{'' if to == ROOM else f' to={to}'}{_slots(slots)}"
        case Earcon(name):
            return f"earcon {name}"
        case StartTimer(name, seconds, waits):
            return f"start_timer {name} {seconds:g}{' waits_for_speech' if waits else ''}"
        case StopTimer(name):
            return f"stop_timer {name}"
        case Refuse(reason, slots, to):
            return f"refuse {reason}{'' if to == ROOM else f' to={to}'}{_slots(slots)}"
        case Flag(reason, slots):
            return f"flag {reason}{_slots(slots)}"


def _slots(slots: Mapping[str, Any]) -> str:
    return "".join(f" {name}={_value(value)}" for name, value in slots.items())


def _screen(view: Mapping[str, Any]) -> dict[str, str]:
    return {name: _value(value) for name, value in view.items() if name not in {"cards", "last"}}


def _value(value: Any) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case dict():
            return ",".join(f"{key}:{_value(held)}" for key, held in value.items()) or "-"
        case list() | tuple():
            parts = [f"({_value(part)})" if isinstance(part, dict) else _value(part) for part in value]
            return ",".join(parts) or "-"
        case _:
            text = str(value)
            return f'"{text}"' if " " in text else text


NOTATIONS = {
    "when-i-dream": Notation(when_i_dream, _dream_options, DREAM_SLOTS, lambda state: str(state.round.dreamer)),
    "dixit-odyssey": Notation(dixit_odyssey, _odyssey_options, ODYSSEY_SLOTS),
}


def notation_of(path: Path) -> Notation:
    """Return how a file is written, by the game its name begins with."""
    return next(notation for game, notation in NOTATIONS.items() if path.stem.startswith(game))


def main() -> None:
    """Renew every playthrough."""
    for path in sorted(FOLDER.glob("*.txt")):
        path.write_text(renewed(path.read_text(encoding="utf-8"), notation_of(path)), encoding="utf-8")


if __name__ == "__main__":
    main()
