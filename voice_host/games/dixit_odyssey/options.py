"""What a table may choose before an evening; the defaults are the decisions of the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from voice_host.games.dixit_odyssey.deck import CARDS, Scene
from voice_host.games.dixit_odyssey.ways import PLAYERS, Mode
from voice_host.games.game import Seat
from voice_host.games.seats import check_names

LONGEST_SECONDS: Final = 3_600.0
MOST_ROUNDS: Final = 20
MOST_POINTS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Options:
    """One evening's players, cards and settings; raises `ValueError` with one sentence when they cannot be played."""

    players: tuple[Seat, ...]
    """Clockwise; in teams of two those who sit opposite play together."""
    mode: Mode = "classic"
    cards: Literal["box", "scenes"] = "scenes"
    """``box``: the pictures lie on the table and the host knows none of them; ``scenes``: the host deals our own deck."""
    scenes: tuple[Scene, ...] = ()
    """The deck; empty with the box."""
    code_words: tuple[str, ...] = ()
    """What secret votes are said with; no two sound alike."""
    rounds: int | None = None
    """How often everybody is storyteller. None: once in party and teams; in classic until somebody has enough points."""

    winning_points: int = 30
    """Classic ends after the turn in which somebody has so many."""
    two_votes: bool = True
    """False: with seven and more players, too, everybody has one vote, and no point is given for using only one."""
    ballot: Literal["open", "secret"] = "open"
    """``secret``: votes are said with code words that each voter alone is shown or told; ``open``: with the numbers."""
    party_scores: Literal["owner", "voters"] = "owner"
    """Who gets the points of a card in party: who gave it, or each who voted for it."""
    reveal_seconds: float = 4.0
    """How long votes can still be changed when all are in; 0: not at all."""
    reminder_seconds: float = 60.0
    """After how long a wait the host says who is missing, twice at most; 0: never."""

    def __post_init__(self) -> None:
        if self.mode not in PLAYERS:
            raise ValueError(f"There is no mode {self.mode}; the modes are {', '.join(PLAYERS)}.")
        _check_count(self.mode, len(self.players))
        check_names(self.players)
        if self.cards == "scenes" and len(self.scenes) != CARDS:
            raise ValueError(f"The deck of scenes needs exactly {CARDS} cards; this one has {len(self.scenes)}.")
        if len({scene.id for scene in self.scenes}) != len(self.scenes):
            raise ValueError("Two scenes have the same id.")
        needed = len(self.players) ** 2
        if self.ballot == "secret" and len(set(self.code_words)) < needed:
            raise ValueError(f"A secret ballot of so many takes {needed} code words; there are {len(self.code_words)}.")
        if self.rounds is not None and not 1 <= self.rounds <= MOST_ROUNDS:
            raise ValueError(f"Everybody can be storyteller 1 to {MOST_ROUNDS} times.")
        if not 1 <= self.winning_points <= MOST_POINTS:
            raise ValueError(f"winning_points must be between 1 and {MOST_POINTS}.")
        for name in ("reveal_seconds", "reminder_seconds"):
            if not 0 <= getattr(self, name) <= LONGEST_SECONDS:
                raise ValueError(f"{name} must be between 0 and {LONGEST_SECONDS}.")

    @property
    def laps(self) -> int | None:
        """How often everybody is storyteller; None: as often as it takes."""
        return 1 if self.rounds is None and self.mode != "classic" else self.rounds


def _check_count(mode: Mode, count: int) -> None:
    allowed = PLAYERS[mode]
    if count in allowed:
        return
    numbers = f"{allowed[0]} to {allowed[-1]}" if mode != "teams" else "6, 8, 10 or 12"
    raise ValueError(
        f"Dixit Odyssey in {mode} mode is for {numbers} players; {count} {'was' if count == 1 else 'were'} named."
    )
