"""The values an evening is made of: what lies on the table, the round, and one type for each phase with only its own data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from voice_host.games.game import Seat
from voice_host.games.seats import clockwise
from voice_host.games.when_i_dream.deck import Card, Deck
from voice_host.games.when_i_dream.options import Options
from voice_host.games.when_i_dream.roles import Role
from voice_host.matching.words import Fault, Verdict


@dataclass(frozen=True, slots=True)
class Laid:
    """A card that lies in a zone: it was guessed once, or given up."""

    card: Card
    heard: str | None
    """What was heard as the guess; None when the card was given up."""
    verdict: Verdict
    """As judged, or as the table decided on appeal; only `Verdict.RIGHT` is yellow."""
    appealed: bool = False

    @property
    def yellow(self) -> bool:
        """Whether the card lies in the yellow zone; else it lies in the blue one."""
        return self.verdict is Verdict.RIGHT


@dataclass(frozen=True, slots=True)
class Penalty:
    """A card that lies before a giver until the end of the evening."""

    player: Seat
    card: Card
    kind: Fault | None
    """What was wrong with the clue, when it was said."""
    round: int


@dataclass(frozen=True, slots=True)
class Round:
    """Who dreams, who gives clues, and who is what."""

    number: int
    dreamer: Seat
    givers: tuple[Seat, ...]
    """Clockwise from the dreamer's left, without those who have left."""
    players: int
    """How many were present when the roles were dealt; the set of role cards follows from it."""
    roles: Mapping[Seat, Role] | None
    """None when the table has dealt its own cards."""


@dataclass(frozen=True, slots=True)
class CalledFoul:
    """The last foul while it can still be withdrawn, with what it changed."""

    offender: Seat
    night: Night
    """As it was before the foul."""
    deck: Deck
    penalties: tuple[Penalty, ...]


# ----------------------------------------------------------------------------------------------------------------- phases


@dataclass(frozen=True, slots=True)
class Falling:
    """The evening: roles are dealt and the dreamer closes the eyes; the time has not begun."""

    dealt: bool
    """False: the table still deals its own cards and then says that it is ready."""


@dataclass(frozen=True, slots=True)
class Night:
    """Clues are given and cards are guessed while the time runs."""

    card: Card
    """The card whose word shows."""
    turn: Seat
    cards: tuple[Laid, ...] = ()
    """In the order in which they were guessed or given up."""
    spoke: Seat | None = None
    """The giver who spoke last; the next card starts at that giver's left."""
    clued: Seat | None = None
    """The giver of the last clue for this card: whom a foul without a name means."""
    silent_skips: int = 0
    """How many givers in a row were skipped since somebody last spoke."""
    correctable: bool = False
    """True from a guess to the next clue."""
    foul: CalledFoul | None = None


@dataclass(frozen=True, slots=True)
class LastGuess:
    """The time is over; the dreamer may guess the card that shows."""

    night: Night


@dataclass(frozen=True, slots=True)
class Story:
    """The dreamer, still blindfolded, tells the dream."""

    cards: tuple[Laid, ...]
    told: frozenset[str] = frozenset()
    """Ids of the cards' words that were mentioned, right guesses or not: an appeal may still turn a card yellow."""
    correctable: bool = False
    """True while the last guess may still be corrected: until the dream begins."""


@dataclass(frozen=True, slots=True)
class Appeal:
    """A vote on one judgement."""

    number: int
    """Of the card, from 1."""
    by: Seat | None
    votes: Mapping[Seat, bool] = field(default_factory=dict)
    """The votes of known speakers, True for overruling; the last one of each counts."""
    agreed: int = 0
    disagreed: int = 0
    """Voices of unknown speakers; each counts one, as far as there are players who have not voted by name."""


@dataclass(frozen=True, slots=True)
class Review:
    """By day the judgements are read and may be appealed."""

    cards: tuple[Laid, ...]
    told: frozenset[str]
    appeal: Appeal | None = None


@dataclass(frozen=True, slots=True)
class RoleReveal:
    """The givers say which role card they hold; only when the table has dealt its own."""

    cards: tuple[Laid, ...]
    told: frozenset[str]
    claims: Mapping[Seat, Role] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Between:
    """The scores are known; the table is waited for. Players may leave and join."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The evening is over."""

    scores: Mapping[Seat, int]
    """Points less penalty cards."""
    winners: tuple[Seat, ...]


Phase = Falling | Night | LastGuess | Story | Review | RoleReveal | Between | Finished


# ------------------------------------------------------------------------------------------------------------------ evening


@dataclass(frozen=True, slots=True)
class NightResult:
    """A night that has been scored; totals are sums over these and nothing else."""

    round: Round
    roles: Mapping[Seat, Role]
    cards: tuple[Laid, ...]
    told: frozenset[str]
    bonus: int
    points: Mapping[Seat, int]


@dataclass(frozen=True, slots=True)
class State:
    """One evening."""

    options: Options
    seed: int
    """From which every round's roles are dealt, so that chance comes in only once."""
    seats: tuple[Seat, ...]
    """Clockwise, everybody who ever took a seat."""
    present: frozenset[Seat]
    dreamt: frozenset[Seat]
    """Who has dreamt, or was away when the turn to dream came."""
    deck: Deck
    round: Round
    phase: Phase
    penalties: tuple[Penalty, ...] = ()
    nights: tuple[NightResult, ...] = ()
    paused: str | None = None
    """Why the clock stands still; None while it runs."""
    wishes: Mapping[Seat, bool] = field(default_factory=dict)
    """Who asked to be told each turn (True), or to be told no more (False)."""
    late_timers: tuple[str, ...] = ()
    """Timers whose end was reported while the clock stood still; they count when it runs again."""

    @property
    def players(self) -> tuple[Seat, ...]:
        """Who is at the table, clockwise."""
        return tuple(seat for seat in self.seats if seat in self.present)

    @property
    def totals(self) -> Mapping[Seat, int]:
        """Everybody's points of all finished nights, penalties not yet taken off."""
        return {seat: sum(night.points.get(seat, 0) for night in self.nights) for seat in self.seats}

    @property
    def penalty_counts(self) -> Mapping[Seat, int]:
        """How many penalty cards lie before each seat."""
        counts = Counter(penalty.player for penalty in self.penalties)
        return {seat: counts[seat] for seat in self.seats}


def left_of(state: State, seat: Seat) -> Seat:
    """Return the next giver at the left of a seat; with one giver that giver is its own neighbour."""
    return next(other for other in clockwise(state.seats, seat) if other in state.round.givers)
