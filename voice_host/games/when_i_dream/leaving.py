"""Players who leave and players who come: the round goes on where it can, and ends where it cannot."""

from __future__ import annotations

from dataclasses import replace

from voice_host.games.game import NO_NAMES, Effect, Intent, Say, Seat, Step
from voice_host.games.seats import refuse, seat_named
from voice_host.games.when_i_dream.day import score_if_all_claimed, settle_if_decided
from voice_host.games.when_i_dream.evening import (
    end_round,
    finish,
    next_dreamer,
    night_falls,
    running_timers,
)
from voice_host.games.when_i_dream.roles import FEWEST_PLAYERS, MOST_PLAYERS
from voice_host.games.when_i_dream.state import (
    Between,
    Falling,
    Laid,
    LastGuess,
    Night,
    Review,
    RoleReveal,
    State,
    Story,
    left_of,
)
from voice_host.games.when_i_dream.turns import go_on


def leave(state: State, intent: Intent) -> Step:
    """Let a player go: the cards in front stay, the round's role is void, a dreamer's round is skipped."""
    name = intent.slots.get("player") or intent.speaker or ""
    player = seat_named(state.seats, name)
    if player is None or player not in state.present:
        return refuse(state, "no_such_player", player=name)
    gone = replace(state, present=state.present - {player})
    said = (Say("player_left", {"player": player}),)
    if len(gone.present) < FEWEST_PLAYERS:
        return finish(gone, (*said, Say("too_few_left")))
    if isinstance(state.phase, Between):
        return _between(gone, said)
    if player == state.round.dreamer:
        skipped = Say("round_skipped", {"dreamer": player})
        cleared = replace(gone, deck=gone.deck.put_under(laid.card for laid in _laid(state)))
        return end_round(_card_left_on_top(cleared), (*running_timers(state), *said, skipped))
    givers = tuple(seat for seat in state.round.givers if seat != player)
    return _giver_left(replace(gone, round=replace(gone.round, givers=givers)), player, said)


def join(state: State, intent: Intent) -> Step:
    """Seat somebody between rounds: who comes back at the old place, who is new at the right of the first dreamer."""
    name = (intent.slots.get("player") or intent.speaker or "").strip()
    known = seat_named(state.seats, name)
    if not name:
        return refuse(state, "no_such_player", player=name)
    if known in state.present or name.casefold() in NO_NAMES:
        return refuse(state, "already_here", player=known or name)
    if len(state.present) >= MOST_PLAYERS:
        return refuse(state, "table_full")
    player = known or name
    seats = state.seats if known else (*state.seats, player)
    joined = replace(state, seats=seats, present=state.present | {player})
    return _between(joined, (Say("player_joined", {"player": player}),))


def _between(state: State, effects: tuple[Effect, ...]) -> Step:
    dreamer = next_dreamer(state)
    if dreamer is None:
        return finish(state, effects)
    return Step(state, (*effects, Say("ask_ready", {"dreamer": dreamer})))


def _giver_left(state: State, player: Seat, said: tuple[Effect, ...]) -> Step:
    match state.phase:
        case Falling(dealt):
            return Step(state, (*said, night_falls(state)) if dealt else said)
        case Night() as night:
            stays = _without(night, player)
            moved = replace(stays, turn=left_of(state, player))
            return (
                go_on(state, moved, "card", said) if night.turn == player else Step(replace(state, phase=stays), said)
            )
        case LastGuess(night):
            return Step(replace(state, phase=LastGuess(_without(night, player))), said)
        case Review() as review:
            return _voter_left(state, review, player, said)
        case RoleReveal() as reveal:
            claims = {seat: role for seat, role in reveal.claims.items() if seat != player}
            return score_if_all_claimed(state, replace(reveal, claims=claims), said)
        case _:
            return Step(state, said)


def _voter_left(state: State, review: Review, player: Seat, said: tuple[Effect, ...]) -> Step:
    if review.appeal is None:
        return Step(state, said)
    votes = {seat: agrees for seat, agrees in review.appeal.votes.items() if seat != player}
    fewer = replace(review, appeal=replace(review.appeal, votes=votes))
    settled = settle_if_decided(replace(state, phase=fewer))
    return Step(settled.state, (*said, *settled.effects))


def _without(night: Night, player: Seat) -> Night:
    # A foul that is taken back could restore the turn of somebody who is not there.
    return replace(night, foul=None, clued=None if night.clued == player else night.clued)


def _laid(state: State) -> tuple[Laid, ...]:
    match state.phase:
        case Night(cards=cards) | LastGuess(Night(cards=cards)):
            return cards
        case Story(cards=cards) | Review(cards=cards) | RoleReveal(cards=cards):
            return cards
        case _:
            return ()


def _card_left_on_top(state: State) -> State:
    match state.phase:
        case Night(card=card) | LastGuess(Night(card=card)):
            return replace(state, deck=replace(state.deck, shown=card))
        case _:
            return state
