"""The frame around the turns: dealing, refilling, who tells next, the end of the evening."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from voice_host.games.dixit_odyssey import scores
from voice_host.games.dixit_odyssey.asking import REMINDER, REVEAL, hand_told
from voice_host.games.dixit_odyssey.deck import Hand, held, refilled, shuffled
from voice_host.games.dixit_odyssey.options import Options
from voice_host.games.dixit_odyssey.state import (
    Finished,
    Giving,
    Idea,
    State,
    Turn,
    Voting,
    cards_of,
    others,
    team_of,
    teams,
)
from voice_host.games.dixit_odyssey.ways import SMALLEST, way
from voice_host.games.game import Effect, Say, Seat, Step, StopTimer
from voice_host.games.seats import clockwise


def start(options: Options, rng: Random) -> Step:
    """Deal, and ask who has an idea."""
    seed = rng.getrandbits(64)
    empty = State(
        options=options,
        seed=seed,
        seats=options.players,
        present=frozenset(options.players),
        pile=shuffled(options.scenes, lambda purpose: Random(f"{seed} {purpose}")),
        hands={} if options.cards == "box" else dict.fromkeys(options.players, ()),
        turn=Turn(1, None, players=len(options.players)),
        phase=Idea(),
        told=dict.fromkeys(options.players, 0),
    )
    state = filled(empty)
    begins: list[Effect] = [Say("odyssey_begins", {"players": options.players})]
    begins += [Say("team", {"players": team}) for team in teams(state) if len(team) > 1]
    if state.boxed:
        begins.append(Say("deal_hands", {"count": state.way.hand}))
    else:
        begins += [Say("hands_dealt"), *_hands_told(empty, state)]
    return Step(state, (*begins, Say("ask_idea")))


def end_turn(state: State, effects: tuple[Effect, ...]) -> Step:
    """Tell the points, discard what was used, refill, and go on with the storyteller at the left, or end the evening."""
    return next_turn(_cleared(state), (*effects, *_points_told(state)))


def next_turn(state: State, effects: tuple[Effect, ...]) -> Step:
    """Begin the turn of the storyteller at the left; nobody's cards are on the table any more."""
    teller = state.turn.storyteller
    told = state.told if teller is None else {**state.told, teller: state.told[teller] + 1}
    after = replace(state, told=told)
    following = next_storyteller(after)
    if following is None:
        return finish(after, effects)
    return begin_turn(after, following, effects)


def begin_turn(state: State, teller: Seat | None, effects: tuple[Effect, ...]) -> Step:
    """Refill the hands, pass them on where they pass, and wait for the storyteller's idea."""
    before = state.way
    turn = Turn(state.turn.number + 1, teller, players=len(state.present))
    emptied = replace(state, turn=turn, phase=Idea())
    full = filled(emptied)
    said: list[Effect] = []
    if before.hands_pass:
        full = replace(full, hands=_passed(full))
    if state.boxed:
        said += _refill_by_hand(state)
    elif not before.hands_pass:
        said += _hands_told(emptied, full)
    return Step(full, (*effects, *said, _asked(teller)))


def next_storyteller(state: State) -> Seat | None:
    """Return who tells next, clockwise; None when the evening is over."""
    if state.options.mode == "classic" and any(
        state.totals[seat] >= state.options.winning_points for seat in state.players
    ):
        return None
    laps = state.options.laps
    order = others(state) if state.turn.storyteller is None else clockwise(state.seats, state.turn.storyteller)
    return next((seat for seat in order if seat in state.present and (laps is None or state.told[seat] < laps)), None)


def finish(state: State, effects: tuple[Effect, ...] = ()) -> Step:
    """End the evening with the scores as they are."""
    final = state.totals
    among = state.players or state.seats
    best = scores.winners(final, among)
    said: list[Effect] = [Say("odyssey_over")]
    for side in dict.fromkeys(team_of(state, seat) for seat in state.seats):
        if len(side) > 1:
            said.append(Say("final_team_total", {"players": side, "points": final[side[0]]}))
        else:
            said.append(Say("final_total", {"player": side[0], "points": final[side[0]]}))
    if len(best) == 1:
        said.append(Say("winner", {"player": best[0], "points": final[best[0]]}))
    elif team_of(state, best[0]) == best:
        said.append(Say("winning_team", {"players": best, "points": final[best[0]]}))
    else:
        said.append(Say("winners", {"players": best, "points": final[best[0]]}))
    cleared = _cleared(state)
    return Step(replace(cleared, phase=Finished(final, best)), (*running_timers(state), *effects, *said))


def running_timers(state: State) -> tuple[StopTimer, ...]:
    """Stop whatever may be running in the phase."""
    match state.phase:
        case Giving():
            return (StopTimer(REMINDER),)
        case Voting():
            return (StopTimer(REMINDER), StopTimer(REVEAL))
        case _:
            return ()


def hand_discarded(state: State, seat: Seat) -> State:
    """Put the hand of somebody who leaves on the discards."""
    hands = dict(state.hands)
    hand = hands.pop(seat, ())
    return replace(state, hands=hands, pile=state.pile.discard(held(hand)))


def fewer_wait(state: State, teller: Seat | None, effects: tuple[Effect, ...]) -> Step:
    """Go on waiting for an idea with fewer players, who may hold more cards each."""
    before = state.way.hand
    fewer = replace(state, turn=replace(state.turn, storyteller=teller, players=len(state.present)))
    full = filled(fewer)
    more = [Say("fill_hands", {"count": full.way.hand})] if state.boxed and full.way.hand != before else []
    hidden = full.way.hands_pass
    said = (*more, *([] if hidden else _hands_told(fewer, full)))
    asked = () if teller == state.turn.storyteller else (_asked(teller),)
    return Step(full, (*effects, *said, *asked))


def _asked(teller: Seat | None) -> Say:
    return Say("ask_idea") if teller is None else Say("next_storyteller", {"player": teller})


def _cleared(state: State) -> State:
    """Put what lies on the table on the discards."""
    return replace(state, pile=state.pile.discard(cards_of(state)), phase=Idea())


def filled(state: State) -> State:
    """Refill everybody's hand, clockwise, to what the turn is played with."""
    size = way(state.options.mode, state.turn.players).hand
    hands, pile = dict(state.hands), state.pile
    for seat in state.players:
        if seat in hands:
            hands[seat], pile = refilled(hands[seat], size, pile, state.chance)
    return replace(state, hands=hands, pile=pile)


def _passed(state: State) -> Mapping[Seat, Hand]:
    """Return every hand at the left-hand neighbour of who held it."""
    seats = tuple(seat for seat in state.players if seat in state.hands)
    return {left: state.hands[seat] for seat, left in zip(seats, (*seats[1:], *seats[:1]), strict=True)}


def _hands_told(before: State, after: State) -> list[Say]:
    """Tell each seat the cards that are new in its hand."""
    said: list[Say] = []
    for seat in after.players:
        known = {scene.id for scene in held(before.hands.get(seat, ()))}
        hand = after.hands.get(seat, ())
        new = {place for place, scene in enumerate(hand, start=1) if scene is not None and scene.id not in known}
        said += [say for say in hand_told(after, seat) if say.slots["number"] in new]
    return said


def _refill_by_hand(state: State) -> list[Say]:
    """Tell the table what to draw from the box."""
    teller = state.turn.storyteller or ""
    if state.options.mode == "teams":
        said = [Say("draw_givers")]
    elif state.turn.players == SMALLEST:
        said = [Say("draw_three", {"player": teller})]
    else:
        said = [Say("draw_one")]
    before, after = state.way.hand, way(state.options.mode, len(state.present)).hand
    if after != before:
        said.append(Say("fill_hands", {"count": after}))
    if state.way.hands_pass:
        said.append(Say("pass_hands"))
    return said


def _points_told(state: State) -> list[Say]:
    """Tell what the turn was worth to each, and how many points that makes."""
    result = state.results[-1].points
    said: list[Say] = []
    for side in teams(state):
        here = [seat for seat in side if seat in result]
        if not here:
            continue
        slots = {"points": result[here[0]], "total": state.totals[here[0]]}
        if len(side) > 1:
            said.append(Say("team_points", {"players": side, **slots}))
        else:
            said.append(Say("turn_points", {"player": side[0], **slots}))
    return said
