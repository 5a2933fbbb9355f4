"""What may be said in each phase, and why not what may not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from voice_host.games.game import Listening, Seat, Slot
from voice_host.games.when_i_dream.prompts import FOUL_KINDS, ROLES
from voice_host.games.when_i_dream.state import (
    Between,
    Falling,
    Finished,
    LastGuess,
    Night,
    Phase,
    Review,
    RoleReveal,
    State,
    Story,
)

_ALWAYS: Final = ("score", "stop_game")
_AT_TABLE: Final = (*_ALWAYS, "leave", "tell_turns", "stop_telling_turns")
_IN_PLAY: Final = (*_AT_TABLE, "whose_turn")

_PLACES: Final[Mapping[type[Phase], tuple[str, ...]]] = {
    Falling: (*_IN_PLAY, "ready"),
    Night: (*_IN_PLAY, "clue", "guess", "correct_guess", "give_up", "pass", "foul", "withdraw", "wake_up"),
    LastGuess: (*_IN_PLAY, "guess", "correct_guess", "give_up", "foul", "withdraw"),
    Story: (*_IN_PLAY, "story", "wake_up", "correct_guess"),
    Review: (*_AT_TABLE, "appeal", "agree", "disagree", "yes", "no", "no_objections"),
    RoleReveal: (*_AT_TABLE, "claim_role", "withdraw", "ready"),
    Between: (*_AT_TABLE, "ready", "join"),
    Finished: ("score",),
}

_REASONS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("guess", "correct_guess", "give_up", "clue", "pass", "foul", "withdraw"), "only_at_night"),
    **dict.fromkeys(("appeal", "agree", "disagree", "no_objections"), "only_in_review"),
    "claim_role": "roles_later",
    "join": "join_between_rounds",
    "ready": "not_waiting",
    "wake_up": "no_dream_to_tell",
    "whose_turn": "nobodys_turn",
}


def permitted(state: State) -> tuple[str, ...]:
    """Return the names of the intents that have a place now."""
    names = _PLACES[type(state.phase)]
    if state.paused is not None:
        return tuple(name for name in names if name in _ALWAYS)
    barred = set(_out_of_place(state))
    return tuple(name for name in names if name not in barred)


def why_not(state: State, intent: str) -> str:
    """Return the reason for refusing an intent that has no place now."""
    if isinstance(state.phase, Finished):
        return "evening_is_over"
    if state.paused is not None:
        return "paused"
    if isinstance(state.phase, LastGuess) and intent in {"clue", "pass"}:
        return "time_is_over"
    if isinstance(state.phase, Night | LastGuess) and intent == "wake_up":
        return "night_not_over"
    if isinstance(state.phase, Story) and intent == "correct_guess":
        return "nothing_to_correct"
    return _REASONS.get(intent, "not_now")


def listening(state: State) -> Listening:
    """Tell what may be said now; the words are always the whole deck's, so that the vocabulary betrays nothing."""
    names = permitted(state)
    slots = _slots(state)
    intents = {name: slots.get(name, {}) for name in names}
    dreamer = state.round.dreamer
    only_of = _only_of(state)
    if "clue" in names:
        heard: dict[str | None, str] = {dreamer: "guess", None: "clue", **dict.fromkeys(state.round.givers, "clue")}
        return Listening(intents, heard, only_of=only_of, read_aloud={"clue": "clue_tapped"})
    if "guess" in names:
        return Listening(intents, {dreamer: "guess"}, only_of=only_of)
    return Listening(intents, any_speech="story" if "story" in names else None, only_of=only_of)


def _out_of_place(state: State) -> Iterator[str]:
    if not state.options.corrections:
        yield "correct_guess"
    if not state.options.joining:
        yield "join"
    match state.phase:
        case Falling(dealt=True):
            yield "ready"
        case Night() if state.options.night_seconds:
            yield "wake_up"
        case Story(correctable=False):
            yield "correct_guess"


def _only_of(state: State) -> Mapping[str, tuple[Seat, ...]]:
    """Tell whose an intent is, where the rules would refuse it to everybody else."""
    dreamer, givers = (state.round.dreamer,), state.round.givers
    turn = (state.phase.turn,) if isinstance(state.phase, Night) else ()
    of_givers = {"clue": givers, "pass": turn}
    if state.options.foul_callers == "givers":
        of_givers["foul"] = givers
    return {**dict.fromkeys(("guess", "correct_guess", "give_up", "story", "wake_up"), dreamer), **of_givers}


def _slots(state: State) -> Mapping[str, Mapping[str, Slot]]:
    words = Slot(state.options.words, open=True)
    givers = Slot(state.round.givers)
    absent = tuple(seat for seat in state.seats if seat not in state.present)
    numbers = len(state.phase.cards) if isinstance(state.phase, Review) else 0
    return {
        "guess": {"word": words},
        "correct_guess": {"word": words},
        "clue": {"word": Slot(open=True)},
        "foul": {"player": givers, "kind": Slot(FOUL_KINDS)},
        "story": {"text": Slot(open=True)},
        "appeal": {"card": Slot(tuple(str(number) for number in range(1, numbers + 1)))},
        "claim_role": {"player": givers, "role": Slot(ROLES)},
        "leave": {"player": Slot(state.players)},
        "tell_turns": {"player": Slot(state.players)},
        "stop_telling_turns": {"player": Slot(state.players)},
        "join": {"player": Slot(absent, open=True)},
    }
