"""Fouls: a clue that breaks the rules costs its giver a penalty card, until somebody takes the call back."""

from __future__ import annotations

from dataclasses import replace

from voice_host.games.game import Effect, Intent, Say, Seat, Step
from voice_host.games.seats import refuse, seat_named
from voice_host.games.when_i_dream.state import CalledFoul, LastGuess, Night, Penalty, State, left_of
from voice_host.games.when_i_dream.turns import close, go_on, next_card
from voice_host.matching.words import Fault


def foul(state: State, night: Night, intent: Intent) -> Step:
    """Call a foul on the named giver, or on the one who gave the last clue."""
    if intent.speaker == state.round.dreamer and state.options.foul_callers == "givers":
        return refuse(state, "dreamer_calls_no_foul")
    name = intent.slots.get("player")
    offender = seat_named(state.seats, name) if name else night.clued
    if name and offender == state.round.dreamer:
        return refuse(state, "dreamer_makes_no_foul", player=offender)
    if name and offender not in state.round.givers:
        return refuse(state, "no_such_player", player=name)
    if night.foul is not None:
        # Two people call the same foul in one breath; only one card may go.
        return refuse(state, "foul_already_called", player=night.foul.offender)
    if offender is None:
        return refuse(state, "nobody_spoke")
    kind = intent.slots.get("kind")
    return call(state, night, offender, Fault(kind) if kind in {fault.value for fault in Fault} else None)


def call(state: State, night: Night, offender: Seat, kind: Fault | None, effects: tuple[Effect, ...] = ()) -> Step:
    """Lay the card before the offender and replace it; the offender's left-hand giver gives the next clue."""
    called = CalledFoul(offender, night, state.deck, state.penalties)
    penalty = Penalty(offender, night.card, kind, state.round.number)
    after = replace(state, penalties=(*state.penalties, penalty))
    said = (*effects, Say("foul_called", {"player": offender}))
    if isinstance(state.phase, LastGuess):
        # After the bell no clue is given any more, so there is no next card to guess.
        return close(after, night.cards, None, said, correctable=night.correctable)
    pending = replace(night, spoke=offender, foul=called, silent_skips=0)
    return next_card(after, pending, left_of(state, offender), said)


def withdraw(state: State, night: Night, _: Intent) -> Step:
    """Take the foul back: its card shows again, before whom it lay is forgotten, the turn is as it was."""
    called = night.foul
    if called is None or not state.options.withdrawals:
        return refuse(state, "nothing_to_withdraw")
    # A correction may have come between; it belongs to an earlier card and stays.
    restored = replace(called.night, cards=night.cards, correctable=night.correctable, silent_skips=0)
    after = replace(state, deck=called.deck, penalties=called.penalties)
    said = (Say("foul_withdrawn"),)
    if isinstance(state.phase, LastGuess):
        return Step(replace(after, phase=LastGuess(restored)), said)
    return go_on(after, restored, "card", said)
