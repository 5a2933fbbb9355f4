"""What an evening was, told by its journal folded again; nothing here changes a journal.

Of an evening that is not over yet only what the table knows by day is told: the words of nights that have been reviewed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from voice_host.errors import HostError
from voice_host.evening import Evening, Line, Outcome
from voice_host.games.game import TABLE
from voice_host.house_rules import DREAM
from voice_host.journal import SUFFIX, Began, is_finished, read_entries
from voice_host.program import Program
from voice_host.screens.audience import caption_for

WORD_COLUMNS: Final = ("evening", "night", "dreamer", "card", "word", "heard", "verdict", "appealed", "told")
"""One row a card in the table of words."""
_OF_NIGHT: Final = ("dreamer", "cards", "told", "roles", "points", "bonus", "penalty_cards")


@dataclass(slots=True)
class PastEvening:
    """One evening as it can be read, replayed and exported."""

    id: str
    game: str
    language: str
    over: bool
    lines: list[Line] = field(default_factory=list)
    """All lines of its events file but the final one."""
    nights: dict[int, dict[str, Any]] = field(default_factory=dict)
    players: list[str] = field(default_factory=list)
    scores: Mapping[str, int] = field(default_factory=dict)
    winners: Sequence[str] = ()

    def take(self, line: Line) -> None:
        """Take one line of the evening."""
        self.lines.append(line)
        if line["type"] != "view" or line["viewer"] != TABLE:
            return
        view = line["view"]
        self.players = list(view.get("players", self.players))
        self.scores, self.winners = dict(view.get("scores", self.scores)), view.get("winners", ())
        if self.game == DREAM and "cards" in view:
            penalties = [card for card in view.get("penalty_cards", ()) if card["round"] == view["round"]]
            known = {name: view[name] for name in _OF_NIGHT if name in view}
            self.nights.setdefault(view["round"], {}).update(known | {"penalty_cards": penalties})

    def score_history(self) -> list[Mapping[str, int]]:
        """Return the scores each time they changed."""
        return [line["scores"] for line in self.lines if line["type"] == "score" and line["scores"]]

    def captions(self) -> list[Mapping[str, Any]]:
        """Return what the table's page showed under the table, with the seconds of the evening."""
        return [caption for line in self.lines if (caption := caption_for(line, TABLE)) is not None]

    def as_json(self) -> dict[str, Any]:
        """Return all of it as JSON values."""
        return {
            "id": self.id,
            "game": self.game,
            "language": self.language,
            "over": self.over,
            "seconds": self.lines[-1]["t"] if self.lines else 0.0,
            "players": self.players,
            "scores": dict(self.scores),
            "winners": list(self.winners),
            "nights": [{"number": number, **night} for number, night in sorted(self.nights.items())],
            "score_history": [dict(scores) for scores in self.score_history()],
            "captions": self.captions(),
        }

    def word_rows(self) -> Iterator[tuple[Any, ...]]:
        """Return a row of `WORD_COLUMNS` for each card."""
        for number, night in sorted(self.nights.items()):
            for card in night["cards"]:
                said = (card["word"], card["heard"], card["verdict"], card["appealed"], card["word"] in night["told"])
                yield (self.id, number, night["dreamer"], card["number"], *said)


def read_evening(path: Path) -> PastEvening:
    """Fold a journal; raises `HostError` with one sentence when it is damaged, foreign or of another version."""
    entries = read_entries(path)
    first = entries[0][1]
    if not isinstance(first, Began):
        raise HostError(f"The journal {path} does not begin with a game and was left untouched.")
    language = str(first.options.get("language", "en"))
    game = str(first.options.get("game", first.game))
    program = Program(language, game)
    evening = Evening(program.build, program.prompts)
    past = PastEvening(path.name.removesuffix(SUFFIX), game, language, over=is_finished(path))
    try:
        for t, entry in entries:
            for outcome in evening.apply(t, entry):
                past.take(outcome.line)
    except (KeyError, TypeError, ValueError, AttributeError, RuntimeError) as error:
        raise HostError(
            f"The journal {path} was written by another version ({error}); read it with that one."
        ) from error
    return past


def replayed(past: PastEvening) -> Iterator[Outcome]:
    """Return the lines as a caption writer takes them; the card that shows is told only of evenings that are over."""
    return (Outcome(line) for line in past.lines if past.over or line["type"] != "view")
