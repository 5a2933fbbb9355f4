"""Which fact leads where: every event finds its phase here, and nothing else does.

Theory of operation: `permitted` says which intents have a place; the phase's own module decides. Timers and prompts that
nobody waits for change nothing. While the clock stands still only `Resumed` leads on; a timer whose end was reported in that
moment counts afterwards, so that no order of events leaves the table waiting for ever.

    Idea --idea--> Telling --words--> Giving --all given--> Voting --all in--> (Owners, with the box) --> Idea ... Finished
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, assert_never

from voice_host.games.dixit_odyssey import ballots, evening, giving, leaving, reveal, telling
from voice_host.games.dixit_odyssey.asking import (
    MOST_REMINDERS,
    REMINDER,
    REVEAL,
    hand_told,
    read_cards,
    reminder,
    said_words,
)
from voice_host.games.dixit_odyssey.permitted import only_of, permitted, why_not
from voice_host.games.dixit_odyssey.state import Finished, Giving, Idea, Owners, State, Telling, Voting, team_of, teams
from voice_host.games.game import (
    ASKED,
    SOMEBODY_ELSE,
    Effect,
    Event,
    Intent,
    Paused,
    Played,
    Refuse,
    Resumed,
    Say,
    Step,
    TimerFinished,
)
from voice_host.games.seats import refuse, seat_named


def step(state: State, event: Event) -> Step:
    """Apply one fact; a forbidden intent returns the identical state and a `Refuse`."""
    match event:
        case Intent():
            return _intend(state, event)
        case TimerFinished(name):
            return _timer_finished(state, name)
        case Played():
            return Step(state)
        case Paused(reason):
            first = state.paused is None or reason == ASKED
            return Step(replace(state, paused=reason) if first and not isinstance(state.phase, Finished) else state)
        case Resumed():
            return _resume(state)
        case _:
            assert_never(event)


def _intend(state: State, intent: Intent) -> Step:
    reason = _why_refused(state, intent)
    if reason is not None:
        return Step(state, (reason,))
    if intent.speaker == SOMEBODY_ELSE:  # it was not one certain seat: nobody knows who it was
        intent = replace(intent, speaker=None)
    if intent.name == "take_back":
        return _take_back(state, intent)
    match state.phase:
        case Voting() as phase if intent.name in _IN_VOTE:
            return _IN_VOTE[intent.name](state, phase, intent)
        case Owners() as phase if intent.name == "claim_card":
            return reveal.claim_card(state, phase, intent)
        case _:
            return _ANYWHERE[intent.name](state, intent)


def _why_refused(state: State, intent: Intent) -> Refuse | None:
    """Return why an intent has no place at all, or not from that speaker."""
    if intent.name not in _OF_GUESTS and intent.speaker not in state.present | {None, SOMEBODY_ELSE}:
        return Refuse("no_such_player", {"player": intent.speaker or ""})
    if intent.name not in permitted(state):
        return Refuse(why_not(state, intent.name))
    owners = only_of(state).get(intent.name, ())
    return Refuse("not_yours", {"player": owners[0]}) if intent.speaker == SOMEBODY_ELSE and owners else None


def _take_back(state: State, intent: Intent) -> Step:
    match state.phase:
        case Voting() as phase:
            return ballots.withdraw_vote(state, phase, intent)
        case Owners() as phase:
            return reveal.clear_claims(state, phase, intent)
        case _:
            return giving.take_back(state, intent)


def _timer_finished(state: State, name: str) -> Step:
    if isinstance(state.phase, Finished):
        return Step(state)
    if state.paused is not None:
        return Step(replace(state, late_timers=(*state.late_timers, name)))
    if name == REMINDER:
        return _remind(state)
    if name == REVEAL and isinstance(state.phase, Voting) and ballots.all_in(state, state.phase):
        return reveal.show_votes(state, state.phase)
    return Step(state)


def _remind(state: State) -> Step:
    """Say who is missing, after a long wait."""
    phase = state.phase
    if not isinstance(phase, Giving | Voting) or phase.reminders >= MOST_REMINDERS:
        return Step(state)
    if isinstance(phase, Voting) and ballots.all_in(state, phase):
        return Step(state)
    after = replace(state, phase=replace(phase, reminders=phase.reminders + 1))
    waits = reminder(state) if phase.reminders + 1 < MOST_REMINDERS else ()
    return Step(after, (*_whose_turn(after, Intent("whose_turn")).effects, *waits))


def _resume(state: State) -> Step:
    if state.paused is None:
        return Step(state)
    late = state.late_timers
    resumed = Step(replace(state, paused=None, late_timers=()))
    effects: tuple[Effect, ...] = ()
    for name in late:
        resumed = _timer_finished(resumed.state, name)
        effects += resumed.effects
    return Step(resumed.state, effects)


# ------------------------------------------------------------------------------------------------------------- on request


def _ready(state: State, intent: Intent) -> Step:
    if isinstance(state.phase, Voting):
        return ballots.show(state, state.phase, intent)
    return telling.have_idea(state, replace(intent, slots={}))


def _whose_turn(state: State, _: Intent) -> Step:
    match state.phase:
        case Telling():
            said: tuple[Say, ...] = (Say("ask_words", {"player": state.turn.storyteller or ""}),)
        case Giving(given):
            said = (Say("cards_missing", {"players": giving.missing_givers(state, given)}),)
        case Voting() as phase:
            said = _missing_votes(state, phase)
        case Owners():
            asked = reveal.ask_owner(state)
            said = () if asked is None else (asked,)
        case _:
            teller = state.turn.storyteller
            said = (Say("ask_idea") if teller is None else Say("next_storyteller", {"player": teller}),)
    return Step(state, said)


def _missing_votes(state: State, phase: Voting) -> tuple[Say, ...]:
    if ballots.all_in(state, phase):
        return (Say("votes_in"),)
    missing = ballots.missing_voters(state, phase)
    return (Say("votes_missing", {"players": missing}),) if missing else ballots.next_call(state, phase)


def _read_cards(state: State, _: Intent) -> Step:
    return Step(state, read_cards(state.phase.laid) if isinstance(state.phase, Voting) else ())


def _my_cards(state: State, intent: Intent) -> Step:
    """Tell a seat its cards again, in its own ear."""
    name = intent.slots.get("player") or intent.speaker
    seat = seat_named(state.players, name) if name else None
    if seat is None:
        return refuse(state, "whose_cards")
    if hand_hidden(state, seat):
        return refuse(state, "words_before_cards")
    return Step(state, (Say("cards_told", {"player": seat}), *hand_told(state, seat)))


def hand_hidden(state: State, seat: str) -> bool:
    """Tell whether a seat may not look at its hand: in party the storyteller speaks before looking."""
    waits = isinstance(state.phase, Idea | Telling) and state.options.mode == "party"
    return waits and state.turn.storyteller in {None, seat}


def _repeat(state: State, _: Intent) -> Step:
    return Step(state, (said_words(state),))


def _stop_game(state: State, _: Intent) -> Step:
    return evening.finish(replace(state, paused=None), (Say("stopped"),))


def _tell_score(state: State, _: Intent) -> Step:
    if not state.results:
        return Step(state, (Say("score_nothing"),))
    points = state.phase.scores if isinstance(state.phase, Finished) else state.totals
    said: list[Say] = []
    for side in dict.fromkeys(team_of(state, seat) for seat in state.seats) if teams(state) else ():
        total = points[side[0]]
        alone = Say("score_now", {"player": side[0], "points": total})
        said.append(alone if len(side) == 1 else Say("team_score_now", {"players": side, "points": total}))
    return Step(state, tuple(said))


_OF_GUESTS: Final = frozenset({"score", "whose_turn", "stop_game"})
"""What somebody may say who is not, or no longer, at the table."""

_ANYWHERE: Final[Mapping[str, Callable[[State, Intent], Step]]] = {
    "score": _tell_score,
    "stop_game": _stop_game,
    "whose_turn": _whose_turn,
    "leave": leaving.leave,
    "my_cards": _my_cards,
    "have_idea": telling.have_idea,
    "ready": _ready,
    "tell": telling.tell,
    "sound": telling.sound,
    "correct_words": telling.correct_words,
    "repeat": _repeat,
    "give": giving.give,
    "put_down": giving.put_down,
    "all_down": giving.all_down,
    "read_cards": _read_cards,
}
_IN_VOTE: Final[Mapping[str, Callable[[State, Voting, Intent], Step]]] = {
    "vote": ballots.vote,
    "change_vote": ballots.change_vote,
    "code_vote": ballots.code_vote,
    "red_code": ballots.red_code,
    "red_vote": ballots.red_vote,
    "show_votes": ballots.show,
    "ready": ballots.show,
}
