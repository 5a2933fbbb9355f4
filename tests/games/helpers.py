"""What the tests of the games share: exact measures, a small deck, and a table at which facts happen one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from voice_host.games import when_i_dream as game
from voice_host.games.game import (
    ROOM,
    Effect,
    Event,
    Intent,
    Paused,
    Played,
    Refuse,
    Resumed,
    Say,
    StartTimer,
    Step,
    TimerFinished,
)
from voice_host.games.when_i_dream import DreamCard, Options, State
from voice_host.matching.words import Fault, Judgement, Verdict, Word

NAMES = ("Ann", "Bob", "Cy", "Di", "Eve", "Flo", "Gus", "Hal", "Ivy", "Jon", "Kit", "Lea")


def word(text: str) -> Word:
    return Word(text, text, (f"{text}s",))


def deck(cards: int = 40, prefix: str = "") -> tuple[DreamCard, ...]:
    """Return cards whose words occur in no name and no key of a view: ``q1a`` ... ``q1d``, ``q2a`` ..."""
    return tuple(
        DreamCard(tuple(word(f"q{prefix}{number}{side}") for side in "abcd")) for number in range(1, cards + 1)
    )


@dataclass(frozen=True, slots=True)
class ExactMeasures:
    """Measures by spelling; a guess that ends in ``?`` is unsure."""

    def judge(self, readings: Sequence[str], hidden: Word, confidences: Sequence[float] = ()) -> Judgement:  # noqa: ARG002  spelling is certain
        if any(self.same_word(reading, text) for reading in readings for text in (hidden.text, *hidden.forms)):
            return Judgement(Verdict.RIGHT, 0.0, 1.0, "other")
        unsure = any(reading.endswith("?") for reading in readings)
        return Judgement(Verdict.UNSURE if unsure else Verdict.WRONG, 0.5 if unsure else 2.0, 0.0, "other")

    def clue_fault(self, clue: str, hidden: Word) -> Fault | None:
        return Fault.CONTAINS if hidden.text.casefold() in clue.casefold() else None

    def mentioned(self, text: str, words: Sequence[Word]) -> frozenset[str]:
        tokens = set(text.casefold().replace(",", " ").replace(".", " ").split())
        return frozenset(known.id for known in words if tokens & {known.text, *known.forms})

    def same_word(self, heard: str, text: str) -> bool:
        return heard.casefold().strip() == text.casefold()

    def spoken_guess(self, readings: Sequence[str]) -> str:
        return readings[0]

    def distance(self, one: str, other: str) -> float:
        return 0.0 if self.same_word(one, other) else 9.0


def options(count: int = 4, /, **settings: Any) -> Options:
    """Return an evening of that many players with the small deck."""
    fields: dict[str, Any] = {"players": NAMES[:count], "cards": deck(), "measures": ExactMeasures()}
    return Options(**(fields | settings))


def words(*texts: str) -> tuple[Word, ...]:
    return tuple(word(text) for text in texts)


class Table:
    """A table at which facts happen; remembers the state and the effects of the last one."""

    def __init__(self, count: int = 4, /, *, seed: int = 7, **settings: Any) -> None:
        self.options = options(count, **settings)
        self.effects: tuple[Effect, ...] = ()
        self.state: State = self._take(game.start(self.options, Random(seed)))

    def _take(self, step: Step) -> State:
        self.effects = step.effects
        state: State = step.state
        return state

    def happens(self, event: Event) -> tuple[Effect, ...]:
        self.state = self._take(game.step(self.state, event))
        return self.effects

    def hears(self, name: str, speaker: str | None = None, /, **slots: str) -> tuple[Effect, ...]:
        return self.happens(Intent(name, slots, speaker))

    def clue(self, text: str = "wet", speaker: str | None = None) -> tuple[Effect, ...]:
        return self.hears("clue", speaker, word=text)

    def guess(self, text: str, speaker: str | None = None) -> tuple[Effect, ...]:
        return self.hears("guess", speaker, word=text)

    def timer(self, name: str) -> tuple[Effect, ...]:
        return self.happens(TimerFinished(name))

    def night(self) -> Table:
        """Let the night begin; from between the rounds too."""
        if self.phase == "between":
            self.hears("ready")
        self.happens(Played("night_falls"))
        assert self.phase == "night"
        return self

    def bell(self) -> Table:
        self.timer("night")
        return self

    def dawn(self) -> Table:
        """Let the night end without a last guess."""
        self.bell().timer("last_guess")
        return self

    def review(self, told: str = "") -> Table:
        """Let the dream be told and the blindfold come off."""
        self.dawn()
        if told:
            self.hears("story", None, text=told)
        self.hears("wake_up")
        return self

    def pause(self) -> None:
        self.happens(Paused("asked"))

    def resume(self) -> None:
        self.happens(Resumed())

    def sees(self, viewer: str = "table") -> Mapping[str, Any]:
        return game.view(self.state, viewer)

    @property
    def phase(self) -> str:
        return str(self.sees()["phase"])

    @property
    def word(self) -> str:
        return str(self.sees()["word"])

    @property
    def turn(self) -> str:
        return str(self.sees()["turn"])

    @property
    def said(self) -> tuple[tuple[str, Mapping[str, Any]], ...]:
        """Prompt and slots of what the last fact let the room hear."""
        return tuple((say.prompt, say.slots) for say in self.effects if isinstance(say, Say) and say.to == ROOM)

    @property
    def prompts(self) -> tuple[str, ...]:
        return tuple(prompt for prompt, _ in self.said)

    @property
    def refused(self) -> str | None:
        """Why the last fact was refused."""
        return next((effect.reason for effect in self.effects if isinstance(effect, Refuse)), None)

    @property
    def started(self) -> Mapping[str, float]:
        return {effect.name: effect.seconds for effect in self.effects if isinstance(effect, StartTimer)}
