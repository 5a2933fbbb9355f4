"""What a table may choose before an evening; the defaults are the decisions of the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from voice_host.games.game import Seat
from voice_host.games.seats import check_names
from voice_host.games.when_i_dream.deck import DreamCard
from voice_host.games.when_i_dream.roles import FEWEST_PLAYERS, MOST_PLAYERS, ROLE_TABLE, Role
from voice_host.matching.words import Measures, Word

WORDS_OF_A_CARD = 4
SHORTEST_SECONDS = 0.5
LONGEST_SECONDS = 36_000.0
MOST_BONUS = 100
CAN_BE_UNLIMITED = ("night_seconds", "clue_seconds")
MOST_TICKS = 10


@dataclass(frozen=True, slots=True)
class Options:
    """One evening's players, cards and settings; raises `ValueError` with one sentence when they cannot be played."""

    players: tuple[Seat, ...]
    """Clockwise; the first is the oldest and dreams first."""
    cards: tuple[DreamCard, ...]
    measures: Measures = field(compare=False, repr=False)
    upcoming: tuple[Word, ...] = ()
    """Words that come up first, in this order; then the shuffled deck goes on without them."""
    rigged_roles: tuple[Mapping[Seat, str], ...] = ()
    """For each round, from the first, the roles that are not left to chance; in such a round the host deals."""
    rounds: int | None = None
    """How many nights are played; None: everybody dreams once."""

    night_seconds: float = 120.0
    """0: no limit; the night lasts until the dreamer says "I wake up"."""
    clue_seconds: float = 5.0
    """A giver who thinks longer is skipped; 0: nobody is."""
    last_guess_seconds: float = 10.0
    appeal_seconds: float = 20.0
    """How long the votes on an appeal are waited for."""
    countdown_seconds: tuple[int, ...] = (60, 30, 10)
    """How long before the end of the night the time left is said."""
    late_speech_counts: bool = True
    """True: speech that began before the last guess's time was over is heard out and counts."""
    corrections: bool = True
    """True: the dreamer may correct what was heard, until the next clue."""
    withdrawals: bool = True
    """True: a foul can be withdrawn, until the next clue."""
    foul_callers: Literal["givers", "everybody"] = "givers"
    referee: Literal["off", "flag", "auto"] = "flag"
    """``flag``: a faulty clue is only shown on the table's screen; ``auto``: the host calls it when the speaker is certain."""
    pause_replaces_card: bool = True
    """True: after a pause that was asked for the next card is taken, so that nobody gains from the time to think; a fault leaves the card."""
    appeals: bool = True
    """True: the judgements are reviewed by day and the table may overrule them."""
    bonus: int = 2
    """Points for a dream told with all its yellow words."""
    bonus_without_yellow: bool = False
    joining: bool = True
    """True: players may come or come back between rounds."""
    deal: Literal["host", "table"] = "host"
    """``table``: the players deal their own role cards and say them at the reveal."""
    already_dealt: bool = False
    """True: a table that deals for itself has done so before the first round, which then begins at once."""
    announce_turns: Literal["adaptive", "always", "never"] = "adaptive"
    """``adaptive``: when a card begins, after a skip or a pass, and when a giver hesitates; silent once all were skipped."""
    hesitation_seconds: float = 3.0
    """How long a giver who was not announced may be silent before the host says the name, once; not before ``clue_seconds``."""
    told: tuple[Seat, ...] = ()
    """Who asked, before the evening, to be told each turn."""
    tick_seconds: int = 5
    """How many of the last seconds of the night tick; 0: none."""

    def __post_init__(self) -> None:
        _check_players(self.players)
        if not self.cards or any(len(card.words) != WORDS_OF_A_CARD for card in self.cards):
            raise ValueError("The deck needs at least one card, and each card needs four words.")
        if self.rounds is not None and self.rounds < 1:
            raise ValueError("An evening needs at least one round.")
        for name in ("night_seconds", "clue_seconds", "last_guess_seconds", "appeal_seconds"):
            unlimited = name in CAN_BE_UNLIMITED and getattr(self, name) == 0
            if not unlimited and not SHORTEST_SECONDS <= getattr(self, name) <= LONGEST_SECONDS:
                hint = ", or 0 for no limit" if name in CAN_BE_UNLIMITED else ""
                raise ValueError(f"{name} must be between {SHORTEST_SECONDS} and {LONGEST_SECONDS}{hint}.")
        if not 0 <= self.hesitation_seconds <= LONGEST_SECONDS:
            raise ValueError(f"hesitation_seconds must be between 0 and {LONGEST_SECONDS}.")
        if not 0 <= self.tick_seconds <= MOST_TICKS:
            raise ValueError(f"tick_seconds must be between 0 and {MOST_TICKS}.")
        if not 0 <= self.bonus <= MOST_BONUS:
            raise ValueError(f"bonus must be between 0 and {MOST_BONUS}.")
        if any(seconds <= 0 for seconds in self.countdown_seconds):
            raise ValueError("countdown_seconds must all be more than 0.")
        for number, rigged in enumerate(self.rigged_roles, start=1):
            _check_rigged(self.players, number, rigged)

    @property
    def words(self) -> tuple[str, ...]:
        """Every word that may be hidden this evening, in an order that tells nothing."""
        texts = {word.text for card in self.cards for word in card.words}
        return tuple(sorted(texts.union(word.text for word in self.upcoming)))


def _check_players(players: tuple[Seat, ...]) -> None:
    if not FEWEST_PLAYERS <= len(players) <= MOST_PLAYERS:
        raise ValueError(f"When I Dream is for {FEWEST_PLAYERS} to {MOST_PLAYERS} players; {len(players)} were named.")
    check_names(players)


def _check_rigged(players: tuple[Seat, ...], number: int, rigged: Mapping[Seat, str]) -> None:
    dreamer = players[(number - 1) % len(players)]
    for seat, role in rigged.items():
        if seat not in players:
            raise ValueError(f"{seat} is given a role in round {number} but is not among the players.")
        if seat == dreamer:
            raise ValueError(f"{seat} dreams in round {number} and can have no role in it.")
        if role not in {known.value for known in Role}:
            raise ValueError(f"{role} is not a role; the roles are {', '.join(Role)}.")
    for name, count in Counter(rigged.values()).items():
        if count > ROLE_TABLE[len(players)][Role(name)]:
            raise ValueError(f"Round {number} has more {name} roles than the set for {len(players)} players holds.")
