"""What the tests of Dixit Odyssey share: a deck, options, and a table at which facts happen one by one."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from tests.games.helpers import NAMES
from voice_host.games import dixit_odyssey as game
from voice_host.games.dixit_odyssey import Options, Scene, State
from voice_host.games.dixit_odyssey.ballots import missing_voters
from voice_host.games.dixit_odyssey.giving import missing_givers
from voice_host.games.dixit_odyssey.state import Giving, Owners, Voting
from voice_host.games.game import (
    ROOM,
    Effect,
    Event,
    Intent,
    Paused,
    Refuse,
    Resumed,
    Say,
    StartTimer,
    Step,
    TimerFinished,
    Utterance,
)

SCENES = tuple(Scene(f"s{number}", f"picture q{number}q") for number in range(1, 85))
"""A deck whose texts occur in no name and no key of a view."""


def options(count: int = 4, /, **settings: Any) -> Options:
    fields: dict[str, Any] = {"players": NAMES[:count], "scenes": SCENES}
    if settings.get("cards") == "box":
        fields["scenes"] = ()
    return Options(**(fields | settings))


class Table:
    """Remembers the state and the effects of the last fact."""

    def __init__(self, count: int = 4, /, *, seed: int = 7, **settings: Any) -> None:
        self.effects: tuple[Effect, ...] = ()
        self.state: State = self._take(game.start(options(count, **settings), Random(seed)))

    def _take(self, step: Step) -> State:
        self.effects = step.effects
        state: State = step.state
        return state

    def happens(self, event: Event) -> tuple[Effect, ...]:
        self.state = self._take(game.step(self.state, event))
        return self.effects

    def hears(self, name: str, speaker: str | None = None, /, **slots: str) -> tuple[Effect, ...]:
        """Let something be said aloud."""
        return self.happens(Intent(name, slots, speaker, Utterance(1, (name,), 0.0, 1.0)))

    def taps(self, name: str, speaker: str, /, **slots: str) -> tuple[Effect, ...]:
        return self.happens(Intent(name, slots, speaker))

    def timer(self, name: str) -> tuple[Effect, ...]:
        return self.happens(TimerFinished(name))

    def pause(self) -> None:
        self.happens(Paused("asked"))

    def resume(self) -> None:
        self.happens(Resumed())

    # ------------------------------------------------------------------------------------------------- whole phases

    def told(self, teller: str = "Ann", words: str = "a long way home") -> Table:
        """Let somebody have an idea and say it."""
        self.hears("have_idea", teller)
        self.hears("tell", teller, text=words)
        assert self.phase == "giving"
        return self

    def given(self) -> Table:
        """Let everybody who is missing give what lies first in the hand."""
        while isinstance(self.state.phase, Giving):
            seat = missing_givers(self.state, self.state.phase.given)[0]
            if self.state.boxed:
                self.hears("put_down", seat)
            else:
                place = next(at for at, scene in enumerate(self.state.hands[seat], start=1) if scene is not None)
                self.hears("give", seat, card=str(place))
        assert self.phase == "voting"
        return self

    def number_of(self, seat: str) -> int:
        """Return the number of the first card on the table that a seat gave."""
        phase = self.state.phase
        assert isinstance(phase, Voting | Owners)
        return next(number for number, card in enumerate(phase.laid, start=1) if card.owner == seat)

    def votes(self, **numbers: int | tuple[int, int]) -> Table:
        """Let each named seat vote for these numbers."""
        for seat, chosen in numbers.items():
            first, *second = (chosen,) if isinstance(chosen, int) else chosen
            self.hears("vote", seat, card=str(first), **({"second": str(second[0])} if second else {}))
            assert self.refused is None, self.refused
        return self

    def votes_for(self, **owners: str) -> Table:
        """Let each named seat vote for the card of another."""
        return self.votes(**{seat: self.number_of(owner) for seat, owner in owners.items()})

    def shown(self) -> Table:
        self.timer("reveal")
        return self

    # --------------------------------------------------------------------------------------------------- what is seen

    def sees(self, viewer: str = "table") -> Mapping[str, Any]:
        return game.view(self.state, viewer)

    @property
    def phase(self) -> str:
        return str(self.sees()["phase"])

    @property
    def scores(self) -> Mapping[str, int]:
        return dict(self.sees()["scores"])

    def asks(self, prompt: str, **slots: Any) -> bool:
        """Tell whether that is the last thing the room heard."""
        return self.said[-1] == (prompt, slots)

    @property
    def missing_voters(self) -> tuple[str, ...]:
        assert isinstance(self.state.phase, Voting)
        return missing_voters(self.state, self.state.phase)

    @property
    def said(self) -> tuple[tuple[str, Mapping[str, Any]], ...]:
        return tuple((say.prompt, say.slots) for say in self.effects if isinstance(say, Say) and say.to == ROOM)

    @property
    def prompts(self) -> tuple[str, ...]:
        return tuple(prompt for prompt, _ in self.said)

    @property
    def refused(self) -> str | None:
        return next((effect.reason for effect in self.effects if isinstance(effect, Refuse)), None)

    @property
    def started(self) -> Mapping[str, float]:
        return {effect.name: effect.seconds for effect in self.effects if isinstance(effect, StartTimer)}
