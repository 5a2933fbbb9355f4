"""What one screen may show: the only place where secrets are dropped.

Always there: ``phase``, ``round`` (the number of the turn), ``mode``, ``boxed``, ``players``, ``storyteller``, ``turn`` (who is
waited for alone), ``paused``, ``scores``, ``words``, ``waiting`` (who is missing), ``given``, ``voted``, ``cards`` (what lies
numbered on the table: ``number``, ``scene``, ``id`` of the picture), ``last`` (the turn that was scored last: cards with ``owner`` and ``votes``,
``points``, ``red``). In teams: ``teams``. A seat alone sees its ``hand`` (the same), the numbers of its ``own`` cards on the table,
its own ``vote`` and ``red``, and in a secret ballot its ``codes`` (``number``, ``word``); when votes are shown everybody sees ``votes``. At the end: ``winners``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from voice_host.games.dixit_odyssey.ballots import missing_voters, voters
from voice_host.games.dixit_odyssey.codes import codes_of
from voice_host.games.dixit_odyssey.giving import missing_givers
from voice_host.games.dixit_odyssey.rules import hand_hidden
from voice_host.games.dixit_odyssey.state import (
    Finished,
    Giving,
    Idea,
    Laid,
    Owners,
    Phase,
    State,
    Telling,
    TurnResult,
    Votes,
    Voting,
    teams,
)
from voice_host.games.game import TABLE, Seat

_NAMES: Final[Mapping[type[Phase], str]] = {
    Idea: "idea",
    Telling: "telling",
    Giving: "giving",
    Voting: "voting",
    Owners: "owners",
    Finished: "finished",
}


def view(state: State, viewer: Seat) -> Mapping[str, Any]:
    """Tell what one viewer (a seat, or `TABLE`) may see, as JSON values; whoever has no seat sees what the table sees."""
    shared = _shared(state)
    if viewer == TABLE or viewer not in state.present:
        return shared
    return {**shared, **_own(state, viewer)}


def _shared(state: State) -> dict[str, Any]:
    phase = state.phase
    teller = state.turn.storyteller
    seen: dict[str, Any] = {
        "phase": _NAMES[type(phase)],
        "round": state.turn.number,
        "mode": state.options.mode,
        "boxed": state.boxed,
        "players": list(state.players),
        "storyteller": teller,
        "turn": teller if isinstance(phase, Idea | Telling) else None,
        "paused": state.paused,
        "scores": dict(phase.scores if isinstance(phase, Finished) else state.totals),
        "words": state.turn.words,
        "waiting": list(_waiting(state)),
        "given": [seat for seat in state.players if seat in _given(phase)],
        "voted": [seat for seat in state.players if seat in _votes(phase)],
        "cards": [_card(number, card) for number, card in enumerate(_laid(phase), start=1)],
        "last": _result(state.results[-1]) if state.results else None,
    }
    if state.options.mode == "teams":
        seen["teams"] = [list(team) for team in teams(state)]
    if isinstance(phase, Owners):
        seen["votes"] = _chosen(phase.votes)
        seen["red"] = phase.red
    if isinstance(phase, Finished):
        seen["winners"] = list(phase.winners)
    return seen


def _own(state: State, seat: Seat) -> dict[str, Any]:
    phase = state.phase
    own: dict[str, Any] = {
        "hand": [
            {"number": place, "scene": scene.sentence, "id": scene.id}
            for place, scene in enumerate(state.hands.get(seat, ()), start=1)
            if scene is not None and not hand_hidden(state, seat)
        ],
        "own": [],
        "vote": None,
    }
    if isinstance(phase, Voting):
        own["own"] = [number for number, card in enumerate(phase.laid, start=1) if card.owner == seat]
        own["vote"] = list(phase.votes[seat]) if seat in phase.votes else None
        if seat == state.turn.storyteller:
            own["red"] = phase.red
        if state.options.ballot == "secret" and seat in voters(state, phase):
            own["codes"] = [{"number": n, "word": word} for n, word in codes_of(state, phase, seat).items()]
    return own


def _waiting(state: State) -> Sequence[Seat]:
    match state.phase:
        case Idea() | Telling() if state.turn.storyteller is not None:
            return (state.turn.storyteller,)
        case Giving(given):
            return missing_givers(state, given)
        case Voting() as phase:
            return missing_voters(state, phase)
        case _:
            return ()


def _given(phase: Phase) -> frozenset[Seat]:
    match phase:
        case Telling(given) | Giving(given):
            return frozenset(given)
        case Voting(gave=gave):
            return gave
        case _:
            return frozenset()


def _votes(phase: Phase) -> Votes:
    return phase.votes if isinstance(phase, Voting | Owners) else {}


def _laid(phase: Phase) -> tuple[Laid, ...]:
    return phase.laid if isinstance(phase, Voting | Owners) else ()


def _card(number: int, card: Laid) -> dict[str, Any]:
    scene = card.scene
    return {"number": number, "scene": scene and scene.sentence, "id": scene and scene.id}


def _chosen(votes: Votes) -> dict[str, list[int]]:
    return {seat: list(numbers) for seat, numbers in votes.items()}


def _result(result: TurnResult) -> dict[str, Any]:
    return {
        "storyteller": result.turn.storyteller,
        "words": result.turn.words,
        "cards": [{**_card(number, card), "owner": card.owner} for number, card in enumerate(result.laid, start=1)],
        "votes": _chosen(result.votes),
        "red": result.red,
        "points": dict(result.points),
    }
