"""What one screen may show: the only place where secrets are dropped.

Always there: ``phase``, ``round``, ``players``, ``dreamer``, ``turn`` (None when nobody's), ``paused``, ``scores``,
``penalties`` (seat to number of cards), ``role`` (a giver's own while it is secret). For the table and the givers, and after
the night for everybody: ``word`` (the one that shows), ``yellow`` and ``blue`` (what lies in the zones), ``penalty_cards``,
``told`` (words of the dream that were mentioned). By day: ``cards`` (the review), ``appeal``, ``claims``; once shown: ``roles``,
``points`` of the night; at the end ``winners``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from voice_host.games.game import TABLE, Seat
from voice_host.games.when_i_dream.roles import Role
from voice_host.games.when_i_dream.state import (
    Appeal,
    Between,
    Falling,
    Finished,
    Laid,
    LastGuess,
    Night,
    Phase,
    Review,
    RoleReveal,
    State,
    Story,
)

_NAMES: Mapping[type[Phase], str] = {
    Falling: "falling",
    Night: "night",
    LastGuess: "last_guess",
    Story: "story",
    Review: "review",
    RoleReveal: "role_reveal",
    Between: "between",
    Finished: "finished",
}


def view(state: State, viewer: Seat) -> Mapping[str, Any]:
    """Tell what a seat or the table may see now, as JSON values."""
    shown = {**_public(state), "role": _own_role(state, viewer)}
    phase = state.phase
    asleep = isinstance(phase, Falling | Night | LastGuess | Story)
    if asleep and viewer == state.round.dreamer:
        shown["blindfolded"] = True
    if not asleep:
        shown.update(_by_day(state))
    elif viewer == TABLE or viewer in state.round.givers:
        shown.update(_at_night(state))
    return shown


def _public(state: State) -> dict[str, Any]:
    phase = state.phase
    return {
        "phase": _NAMES[type(phase)],
        "round": state.round.number,
        "players": list(state.players),
        "dreamer": state.round.dreamer,
        "turn": phase.turn if isinstance(phase, Night) else None,
        "paused": state.paused,
        "scores": dict(phase.scores if isinstance(phase, Finished) else state.totals),
        "penalties": dict(state.penalty_counts),
    }


def _own_role(state: State, viewer: Seat) -> str | None:
    if state.round.roles is None or viewer not in state.round.givers:
        return None
    return state.round.roles[viewer].value


def _at_night(state: State) -> dict[str, Any]:
    match state.phase:
        case Night(card=card, cards=cards) | LastGuess(Night(card=card, cards=cards)):
            word = None if state.paused is not None else card.word.text
            return {"word": word, **_zones(cards), **_penalty_cards(state), "told": []}
        case Story(cards=cards, told=told):
            return {"word": None, **_zones(cards), **_penalty_cards(state), "told": _told(cards, told)}
        case _:
            return {"word": None, **_zones(()), **_penalty_cards(state), "told": []}


def _by_day(state: State) -> dict[str, Any]:
    match state.phase:
        case Review(cards=cards, told=told, appeal=appeal):
            return {**_lying(state, cards, told), "appeal": None if appeal is None else _appeal(appeal)}
        case RoleReveal(cards=cards, told=told, claims=claims):
            return {**_lying(state, cards, told), "claims": _roles(claims)}
        case Finished(winners=winners):
            return {**_last_night(state), "winners": list(winners)}
        case _:
            return _last_night(state)


def _last_night(state: State) -> dict[str, Any]:
    if not state.nights or state.nights[-1].round.number != state.round.number:
        return _penalty_cards(state)
    night = state.nights[-1]
    return {
        **_lying(state, night.cards, night.told),
        "roles": _roles(night.roles),
        "bonus": night.bonus,
        "points": dict(night.points),
    }


def _lying(state: State, cards: tuple[Laid, ...], told: frozenset[str]) -> dict[str, Any]:
    return {
        **_zones(cards),
        **_penalty_cards(state),
        "told": _told(cards, told),
        "cards": [_card(number, laid) for number, laid in enumerate(cards, start=1)],
    }


def _zones(cards: tuple[Laid, ...]) -> dict[str, Any]:
    return {
        "yellow": [laid.card.word.text for laid in cards if laid.yellow],
        "blue": [laid.card.word.text for laid in cards if not laid.yellow],
    }


def _penalty_cards(state: State) -> dict[str, Any]:
    return {
        "penalty_cards": [
            {"player": penalty.player, "word": penalty.card.word.text, "round": penalty.round}
            for penalty in state.penalties
        ]
    }


def _told(cards: tuple[Laid, ...], told: frozenset[str]) -> list[str]:
    return [laid.card.word.text for laid in cards if laid.card.word.id in told]


def _card(number: int, laid: Laid) -> dict[str, Any]:
    return {
        "number": number,
        "word": laid.card.word.text,
        "heard": laid.heard,
        "verdict": laid.verdict.value,
        "appealed": laid.appealed,
    }


def _appeal(appeal: Appeal) -> dict[str, Any]:
    return {
        "number": appeal.number,
        "by": appeal.by,
        "votes": dict(appeal.votes),
        "agreed": appeal.agreed,
        "disagreed": appeal.disagreed,
    }


def _roles(roles: Mapping[Seat, Role]) -> dict[str, str]:
    return {seat: role.value for seat, role in roles.items()}
