"""Which fact leads where: every event finds its phase here, and nothing else does.

Theory of operation: `permitted` says which intents have a place; the phase's own module decides. Timers and prompts that
nobody waits for change nothing. While the clock stands still only `Resumed` leads on; a timer whose end was reported in that
moment counts afterwards, so that no order of events leaves the table waiting for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, assert_never

from voice_host.games.game import (
    ASKED,
    SOMEBODY_ELSE,
    Earcon,
    Effect,
    Event,
    Intent,
    Paused,
    Played,
    Resumed,
    Say,
    Step,
    TimerFinished,
)
from voice_host.games.seats import refuse, seat_named
from voice_host.games.when_i_dream import day, evening, fouls, leaving, night, turns
from voice_host.games.when_i_dream.permitted import permitted, why_not
from voice_host.games.when_i_dream.state import (
    Falling,
    Finished,
    LastGuess,
    Night,
    Review,
    RoleReveal,
    State,
    Story,
    left_of,
)


def step(state: State, event: Event) -> Step:
    """Apply one fact; a forbidden intent returns the identical state and a `Refuse`."""
    match event:
        case Intent():
            return _intend(state, event)
        case TimerFinished(name):
            return _timer_finished(state, name)
        case Played(prompt):
            return _played(state, prompt)
        case Paused(reason):
            return _pause(state, reason)
        case Resumed():
            return _resume(state)
        case _:
            assert_never(event)


def _intend(state: State, intent: Intent) -> Step:
    someone = state.present | {None, SOMEBODY_ELSE}
    if intent.speaker is not None and intent.speaker not in someone and intent.name not in _OF_GUESTS:
        return refuse(state, "no_such_player", player=intent.speaker)
    if intent.name not in permitted(state):
        if intent.name == "story" and not isinstance(state.phase, Finished):
            return Step(state)  # whoever talks breaks no rule
        return refuse(state, why_not(state, intent.name))
    anywhere = _ANYWHERE.get(intent.name)
    return _in_phase(state, intent) if anywhere is None else anywhere(state, intent)


def _in_phase(state: State, intent: Intent) -> Step:
    match state.phase:
        case Night() as phase:
            return _AT_NIGHT[intent.name](state, phase, intent)
        case LastGuess(current):
            return _AT_NIGHT[intent.name](state, current, intent)
        case Story() as phase:
            return _IN_STORY[intent.name](state, phase, intent)
        case Review() as phase:
            return _IN_REVIEW[intent.name](state, phase, intent)
        case RoleReveal() as phase:
            return _IN_REVEAL[intent.name](state, phase, intent)
        case _:
            return _BETWEEN[intent.name](state, intent)


def _stop_game(state: State, _: Intent) -> Step:
    return evening.finish(replace(state, paused=None), (Say("stopped"),))


def _ready(state: State, _: Intent) -> Step:
    if isinstance(state.phase, Falling):
        return Step(replace(state, phase=Falling(dealt=True)), (evening.night_falls(state),))
    dreamer = evening.next_dreamer(state)
    return evening.finish(state) if dreamer is None else evening.begin_round(state, dreamer)


def _timer_finished(state: State, name: str) -> Step:
    if isinstance(state.phase, Finished):
        return Step(state)
    if state.paused is not None:
        return Step(replace(state, late_timers=(*state.late_timers, name)))
    match state.phase, name:
        case Night() as phase, _:
            return _night_timer_finished(state, phase, name)
        case LastGuess(current), "last_guess":
            return turns.close(state, current.cards, current.card, correctable=current.correctable)
        case Review() as phase, "appeal" if phase.appeal is not None:
            return day.settle(state, phase)
        case _:
            return Step(state)


def _night_timer_finished(state: State, phase: Night, name: str) -> Step:
    if name == "night":
        return turns.ring(state, phase)
    if name == "clue":
        return turns.skip(state, phase)
    if name == "hesitation":
        return turns.remind(state, phase)
    if name in (f"tick_{left}" for left in evening.tick_seconds(state.options)):
        return Step(state, (Earcon("tick"),))
    for left in evening.countdown_seconds(state.options):
        if name == f"night_{left}":
            return Step(state, (Say("countdown", {"seconds": left}),))
    return Step(state)


def _played(state: State, prompt: str) -> Step:
    falls = prompt == "night_falls" and state.phase == Falling(dealt=True) and state.paused is None
    return turns.begin(state) if falls else Step(state)


def _pause(state: State, reason: str) -> Step:
    # Whoever asks for a pause during a fault has the time to think, as in any other pause.
    first = state.paused is None or reason == ASKED
    return Step(replace(state, paused=reason) if first and not isinstance(state.phase, Finished) else state)


def _resume(state: State) -> Step:
    if state.paused is None:
        return Step(state)
    late = state.late_timers
    replaces = state.options.pause_replaces_card and state.paused == ASKED
    resumed = _taken_up(replace(state, paused=None, late_timers=()), replaces_card=replaces)
    effects: tuple[Effect, ...] = resumed.effects
    for name in late:
        # A giver's time ran out in the moment of the pause: after it the giver is announced and has the full time again.
        if name not in {"clue", "hesitation"}:
            resumed = _timer_finished(resumed.state, name)
            effects += resumed.effects
    return Step(resumed.state, effects)


def _taken_up(state: State, *, replaces_card: bool) -> Step:
    match state.phase:
        case Falling(dealt) if dealt:
            return Step(state, (evening.night_falls(state),))
        case Night() as phase if replaces_card:
            # Whoever asked for the pause could have thought about the word all the while.
            after = replace(state, deck=state.deck.put_under((phase.card,)))
            first = turns.first_of_next_card(after, phase)
            return turns.next_card(after, replace(phase, foul=None), first, (Earcon("next_card"),))
        case Night() as phase:
            return turns.go_on(state, phase, "card")
        case _:
            return Step(state)


def _whose_turn(state: State, _: Intent) -> Step:
    match state.phase:
        case Night(turn=turn):
            player = turn
        case LastGuess() | Story():
            player = state.round.dreamer
        case _:
            player = left_of(state, state.round.dreamer)
    return Step(state, (Say("whose_turn", {"player": player}),))


def _tell_turns(state: State, intent: Intent) -> Step:
    """Tell a player, or everybody, each turn; or do so no more."""
    tells = intent.name == "tell_turns"
    name = intent.slots.get("player")
    seat = seat_named(state.players, name) if name else None
    if name and seat is None:
        return refuse(state, "no_such_player", player=name)
    seats = state.players if seat is None else (seat,)
    after = replace(state, wishes={**state.wishes, **dict.fromkeys(seats, tells)})
    prompt = "turns_told" if tells else "turns_not_told"
    return Step(after, (Say(prompt, {"player": seat}) if seat else Say(f"{prompt}_all"),))


def _tell_score(state: State, _: Intent) -> Step:
    if isinstance(state.phase, Finished):
        return Step(state, _points("score_now", state.phase.scores))
    if not state.nights:
        return Step(state, (Say("score_nothing"),))
    return Step(state, _points("score_now", state.totals))


def _points(prompt: str, points: Mapping[str, int]) -> tuple[Say, ...]:
    return tuple(Say(prompt, {"player": seat, "points": count}) for seat, count in points.items())


_OF_GUESTS: Final = frozenset({"join", "score", "whose_turn", "stop_game"})
"""What somebody may say who is not, or no longer, at the table."""

_ANYWHERE: Final[Mapping[str, Callable[[State, Intent], Step]]] = {
    "score": _tell_score,
    "stop_game": _stop_game,
    "whose_turn": _whose_turn,
    "tell_turns": _tell_turns,
    "stop_telling_turns": _tell_turns,
    "leave": leaving.leave,
}
_AT_NIGHT: Final[Mapping[str, Callable[[State, Night, Intent], Step]]] = {
    "clue": night.clue,
    "pass": night.pass_turn,
    "guess": night.guess,
    "correct_guess": night.correct_guess,
    "give_up": night.give_up,
    "wake_up": night.wake_up,
    "foul": fouls.foul,
    "withdraw": fouls.withdraw,
}
_IN_STORY: Final[Mapping[str, Callable[[State, Story, Intent], Step]]] = {
    "story": day.story,
    "correct_guess": night.correct_guess,
    "wake_up": day.wake_up,
}
_IN_REVIEW: Final[Mapping[str, Callable[[State, Review, Intent], Step]]] = {
    "appeal": day.appeal,
    "agree": day.agree,
    "yes": day.agree,
    "disagree": day.disagree,
    "no": day.disagree,
    "no_objections": day.no_objections,
}
_IN_REVEAL: Final[Mapping[str, Callable[[State, RoleReveal, Intent], Step]]] = {
    "claim_role": day.claim_role,
    "withdraw": day.clear_claims,
    "ready": day.roles_missing,
}
_BETWEEN: Final[Mapping[str, Callable[[State, Intent], Step]]] = {
    "ready": _ready,
    "join": leaving.join,
}
