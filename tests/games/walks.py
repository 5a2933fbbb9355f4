"""Random evenings: whatever may happen at a table, likely and unlikely, in any order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from tests.games.helpers import NAMES
from voice_host.games import when_i_dream as game
from voice_host.games.game import Event, Intent, Paused, Played, Resumed, Step, TimerFinished
from voice_host.games.when_i_dream import Options, State
from voice_host.games.when_i_dream.permitted import permitted
from voice_host.games.when_i_dream.prompts import FOUL_KINDS, ROLES, TIMERS
from voice_host.games.when_i_dream.state import (
    Between,
    Falling,
    Finished,
    LastGuess,
    Night,
    Phase,
    Review,
    RoleReveal,
    Story,
)

INTENTS = (
    *("guess", "correct_guess", "give_up", "clue", "pass", "foul", "withdraw", "story", "wake_up", "appeal", "agree"),
    *("disagree", "yes", "no", "no_objections", "claim_role", "leave", "join", "ready", "score", "whose_turn"),
    *("stop_game", "help", "nonsense", "tell_turns", "stop_telling_turns"),
)
COMMON = ("q1a", "q1b", "q2a", "q2b", "q3a", "q3b", "cat", "cat?", "")
"""Words that are said in any state, of small decks and of none."""

RARE = {"stop_game": 0.01, "leave": 0.04, "join": 0.4, "tell_turns": 0.2, "stop_telling_turns": 0.2}
"""Intents that end something are held back, so that walks see more of an evening."""


NEXT: Mapping[type[Phase], Event] = {
    Falling: Played("night_falls"),
    Night: TimerFinished("night"),
    LastGuess: TimerFinished("last_guess"),
    Story: Intent("wake_up"),
    Review: Intent("no_objections"),
    Between: Intent("ready"),
    Finished: Intent("score"),
}
"""What leads from a phase to the next."""


def words_heard(state: State) -> tuple[str, ...]:
    """Return words somebody may say: those of the deck, the shown one more often, and others."""
    shown = [state.phase.card.word.text] * 6 if isinstance(state.phase, Night) else []
    return (*COMMON, *shown)


def any_intent(rng: Random, state: State, heard: tuple[str, ...]) -> Intent:
    """Return an intent: mostly one that has a place now, sometimes any, with likely and unlikely slots."""
    places = permitted(state)
    name = rng.choice(places) if places and rng.random() < 0.85 else rng.choice(INTENTS)
    if name in places and isinstance(state.phase, Story | Review) and rng.random() < 0.15:
        name = "wake_up" if isinstance(state.phase, Story) else "no_objections"
    if rng.random() > RARE.get(name, 1.0):
        name = "guess" if "guess" in places and rng.random() < 0.5 else "clue"
    speaker = rng.choice((None, None, state.round.dreamer, *state.players, "Zoe"))
    slots: dict[str, str] = {}
    match name:
        case "guess" | "correct_guess" | "clue":
            slots["word"] = rng.choice(heard)
        case "story":
            slots["text"] = " ".join(rng.choices(heard, k=3))
        case "appeal":
            slots["card"] = rng.choice(("1", "2", "3", "99", "two", ""))
        case "foul" | "leave" | "claim_role" | "join" | "tell_turns" | "stop_telling_turns" if rng.random() < 0.7:
            slots["player"] = rng.choice((*NAMES, *state.seats, "zoe"))
    if name == "foul" and rng.random() < 0.5:
        slots["kind"] = rng.choice((*FOUL_KINDS, "odd"))
    if name == "claim_role":
        slots["role"] = rng.choice((*ROLES, "wizard"))
    return Intent(name, slots, speaker)


def any_event(rng: Random, state: State, heard: tuple[str, ...]) -> Event:
    """Return any event; the night's bell is rarer than the rest, so that nights are not all short."""
    chance = rng.random()
    if state.paused is not None and chance < 0.7:
        return Resumed()
    if isinstance(state.phase, Falling) and state.phase.dealt and chance < 0.5:
        return Played("night_falls")
    if chance < 0.75:
        return any_intent(rng, state, heard)
    if chance < 0.95:
        name = rng.choice(TIMERS)
        return TimerFinished("clue" if name == "night" and rng.random() < 0.6 else name)
    return rng.choice((Played("night_falls"), Played("turn"), Paused("asked"), Paused("microphone_lost"), Resumed()))


def walk(rng: Random, options: Options, length: int) -> Iterator[tuple[State | None, Event | None, Step]]:
    """Yield the start and then, for each of at most ``length`` events, the state before it, the event, the step."""
    step = game.start(options, rng)
    yield None, None, step
    for _ in range(length):
        state: State = step.state
        event = any_event(rng, state, words_heard(state))
        step = game.step(state, event)
        yield state, event, step
        if isinstance(step.state.phase, Finished) and rng.random() < 0.2:
            return


def leading_on(state: State) -> Event:
    """Return the event that a table which wants to go on, or its clock, brings next."""
    if state.paused is not None:
        return Resumed()
    match state.phase:
        case RoleReveal(claims=claims):
            missing = next(seat for seat in state.round.givers if seat not in claims)
            fits = (role for role in ROLES if claimed(state, missing, role) is not state)
            return Intent("claim_role", {"player": missing, "role": next(fits)})
        case Falling(dealt=False):
            return Intent("ready")
        case phase:
            return NEXT[type(phase)]


def claimed(state: State, seat: str, role: str) -> State:
    after: State = game.step(state, Intent("claim_role", {"player": seat, "role": role})).state
    return after
