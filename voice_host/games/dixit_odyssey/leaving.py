"""Players who leave: what they gave stays, their vote does not count, and the turn of a storyteller who goes before the vote is void."""

from __future__ import annotations

from dataclasses import replace

from voice_host.games.dixit_odyssey.ballots import go_on_voting, next_call
from voice_host.games.dixit_odyssey.evening import (
    fewer_wait,
    finish,
    hand_discarded,
    next_storyteller,
    next_turn,
    running_timers,
)
from voice_host.games.dixit_odyssey.giving import go_on_giving, returned
from voice_host.games.dixit_odyssey.state import Giving, Idea, State, Telling, Voting, team_of
from voice_host.games.dixit_odyssey.ways import PLAYERS
from voice_host.games.game import Effect, Intent, Say, Seat, Step
from voice_host.games.seats import refuse, seat_named


def leave(state: State, intent: Intent) -> Step:
    """Let a player go, and in teams the partner, who cannot play alone."""
    name = intent.slots.get("player") or intent.speaker or ""
    player = seat_named(state.players, name)
    if player is None:
        return refuse(state, "no_such_player", player=name)
    team = team_of(state, player)
    gone = replace(state, present=state.present.difference(team))
    said: tuple[Effect, ...] = (Say("player_gone", {"player": player}),)
    if len(team) > 1:
        said = (*said, Say("team_gone", {"players": team}))
    for seat in team:
        gone = hand_discarded(gone, seat)
    if len(gone.present) < PLAYERS[state.options.mode][0]:
        return finish(gone, (*said, Say("too_few_for_odyssey")))
    if state.turn.storyteller in team:
        return _storyteller_gone(gone, said)
    return _other_gone(gone, team, said)


def _other_gone(state: State, team: tuple[Seat, ...], said: tuple[Effect, ...]) -> Step:
    match state.phase:
        case Giving():
            return go_on_giving(state, said)
        case Voting():
            return _voters_gone(state, team, said)
        case Idea():
            return fewer_wait(state, state.turn.storyteller, said)
        case _:
            return Step(state, said)


def _storyteller_gone(state: State, said: tuple[Effect, ...]) -> Step:
    match state.phase:
        case Idea():
            following = next_storyteller(state)
            if following is None:
                return finish(state, said)
            return fewer_wait(state, following, said)
        case Telling(given) | Giving(given):
            back = returned(state, given)
            left_behind = [card.scene for seat, cards in given.items() if seat not in back.hands for card in cards]
            void = replace(back, pile=back.pile.discard(left_behind), phase=Idea())
            skipped = Say("turn_void_box" if state.boxed else "turn_void")
            return next_turn(void, (*running_timers(state), *said, skipped))
        case Voting():
            return _voters_gone(state, team_of(state, state.turn.storyteller or ""), said)
        case _:
            return Step(state, said)


def _voters_gone(state: State, team: tuple[Seat, ...], said: tuple[Effect, ...]) -> Step:
    """Go on without the votes of those who left; their cards stay."""
    if not isinstance(state.phase, Voting):
        return Step(state, said)
    votes = {seat: numbers for seat, numbers in state.phase.votes.items() if seat not in team}
    after = replace(state, phase=replace(state.phase, votes=votes))
    waited = go_on_voting(after, said)
    calls = next_call(waited.state, waited.state.phase) if isinstance(waited.state.phase, Voting) else ()
    return Step(waited.state, (*waited.effects, *calls))
