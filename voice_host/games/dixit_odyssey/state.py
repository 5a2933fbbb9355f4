"""The values an evening is made of: hands and pile, the turn, and one type for each phase with only its own data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from voice_host.games.dixit_odyssey.deck import Hand, Pile, Scene, held
from voice_host.games.dixit_odyssey.options import Options
from voice_host.games.dixit_odyssey.ways import Way, way
from voice_host.games.game import Seat
from voice_host.games.seats import clockwise

Votes = Mapping[Seat, tuple[int, ...]]
"""The numbers each voter has chosen, from 1."""


@dataclass(frozen=True, slots=True)
class Given:
    """A card that was given, with its place in the hand it came from."""

    place: int
    """From 0."""
    scene: Scene


@dataclass(frozen=True, slots=True)
class Laid:
    """A numbered card on the table."""

    scene: Scene | None
    """None with the box: the host sees no picture."""
    owner: Seat | None
    """Who gave it; None with the box until somebody says so."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is and what was said."""

    number: int
    storyteller: Seat | None
    """None in the first turn, until somebody has an idea."""
    words: str | None = None
    """What the storyteller said; the empty text is a sound that no words are for."""
    players: int = 0
    """How many were present when it began: by their number the whole turn is played."""


# ----------------------------------------------------------------------------------------------------------------- phases


@dataclass(frozen=True, slots=True)
class Idea:
    """An idea is waited for: the storyteller's, and in the first turn anybody's."""


@dataclass(frozen=True, slots=True)
class Telling:
    """The storyteller's next words are the ones for the card."""

    given: Mapping[Seat, tuple[Given, ...]] = field(default_factory=dict)
    """The storyteller's card, when it was chosen before the words."""


@dataclass(frozen=True, slots=True)
class Giving:
    """Everybody who is to give a card gives it, face down."""

    given: Mapping[Seat, tuple[Given, ...]]
    """Who has given; with the box nobody knows what, so the cards are none."""
    reminders: int = 0


@dataclass(frozen=True, slots=True)
class Voting:
    """The cards lie numbered on the table, and votes come in."""

    laid: tuple[Laid, ...]
    gave: frozenset[Seat]
    """Who is known to have given a card."""
    votes: Votes = field(default_factory=dict)
    red: int | None = None
    """The number under the storyteller's red vote."""
    reminders: int = 0


@dataclass(frozen=True, slots=True)
class Owners:
    """With the box: the host asks whose the cards are that count."""

    laid: tuple[Laid, ...]
    votes: Votes
    red: int | None


@dataclass(frozen=True, slots=True)
class Finished:
    """The evening is over."""

    scores: Mapping[Seat, int]
    winners: tuple[Seat, ...]


Phase = Idea | Telling | Giving | Voting | Owners | Finished


# ------------------------------------------------------------------------------------------------------------------ evening


@dataclass(frozen=True, slots=True)
class TurnResult:
    """A turn that has been scored; totals are sums over these and nothing else."""

    turn: Turn
    laid: tuple[Laid, ...]
    votes: Votes
    """Without those that did not count."""
    red: int | None
    points: Mapping[Seat, int]
    """Of everybody present; in teams both partners have their team's."""


@dataclass(frozen=True, slots=True)
class State:
    """One evening."""

    options: Options
    seed: int
    """From which every shuffle follows, so that chance comes in only once."""
    seats: tuple[Seat, ...]
    """Clockwise, everybody who took a seat."""
    present: frozenset[Seat]
    pile: Pile
    hands: Mapping[Seat, Hand]
    """Empty with the box."""
    turn: Turn
    phase: Phase
    told: Mapping[Seat, int]
    """How many turns each was storyteller in, or was passed over as one."""
    results: tuple[TurnResult, ...] = ()
    paused: str | None = None
    """Why the clock stands still; None while it runs."""
    late_timers: tuple[str, ...] = ()
    """Timers whose end was reported while the clock stood still; they count when it runs again."""

    @property
    def players(self) -> tuple[Seat, ...]:
        """Who is at the table, clockwise."""
        return tuple(seat for seat in self.seats if seat in self.present)

    @property
    def way(self) -> Way:
        """The numbers that this turn is played by."""
        return way(self.options.mode, self.turn.players)

    @property
    def boxed(self) -> bool:
        """Whether the cards are those of the box, which the host does not know."""
        return self.options.cards == "box"

    @property
    def totals(self) -> Mapping[Seat, int]:
        """Everybody's points."""
        return {seat: sum(result.points.get(seat, 0) for result in self.results) for seat in self.seats}

    def chance(self, purpose: str) -> Random:
        """Return chance for a purpose of this evening."""
        return Random(f"{self.seed} {purpose}")


def team_of(state: State, seat: Seat) -> tuple[Seat, ...]:
    """Return who plays together with a seat, itself included; without teams it is alone."""
    if state.options.mode != "teams":
        return (seat,)
    half = len(state.seats) // 2
    first = state.seats.index(seat) % half
    return (state.seats[first], state.seats[first + half])


def teams(state: State) -> tuple[tuple[Seat, ...], ...]:
    """Return all who play together, in the order of the first seat of each; those who have left are left out."""
    return tuple(dict.fromkeys(team_of(state, seat) for seat in state.players))


def others(state: State) -> tuple[Seat, ...]:
    """Return everybody present but the storyteller, clockwise from the storyteller's left."""
    if state.turn.storyteller is None:
        return state.players
    order = clockwise(state.seats, state.turn.storyteller)
    return tuple(seat for seat in order if seat in state.present and seat != state.turn.storyteller)


def cards_of(state: State) -> tuple[Scene, ...]:
    """Return the cards that lie on the table, given or laid."""
    match state.phase:
        case Telling(given) | Giving(given):
            return tuple(card.scene for cards in given.values() for card in cards)
        case Voting(laid=laid) | Owners(laid=laid):
            return tuple(card.scene for card in laid if card.scene is not None)
        case _:
            return ()


def all_cards(state: State) -> tuple[Scene, ...]:
    """Return every card of the evening, wherever it lies."""
    hands = (scene for hand in state.hands.values() for scene in held(hand))
    return (*state.pile.cards, *state.pile.discards, *hands, *cards_of(state))
