"""Everybody's card: given from a hand of our own deck or, with the box, put down as the players say; then all are laid out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from voice_host.games.dixit_odyssey.asking import REMINDER, numbers_of, read_cards, reminder, said_words
from voice_host.games.dixit_odyssey.ballots import first_call
from voice_host.games.dixit_odyssey.state import (
    Given,
    Giving,
    Laid,
    State,
    Telling,
    Voting,
    others,
    team_of,
    teams,
)
from voice_host.games.game import ROOM, Earcon, Effect, Intent, Refuse, Say, Seat, Step, StopTimer
from voice_host.games.seats import refuse, seat_named

GivenCards = Mapping[Seat, tuple[Given, ...]]


def missing_givers(state: State, given: GivenCards) -> tuple[Seat, ...]:
    """Return whose card is still to come; of a team that owes one card, both."""
    teller = state.turn.storyteller
    if state.options.mode == "teams":
        of_teller = () if teller is None else tuple(seat for seat in team_of(state, teller) if seat not in given)
        owing = (team for team in teams(state) if teller not in team and not any(seat in given for seat in team))
        return (*of_teller, *(seat for team in owing for seat in team))
    order = (*(() if teller is None or teller not in state.present else (teller,)), *others(state))
    return tuple(seat for seat in order if not _has_given(state, given, seat))


def _has_given(state: State, given: GivenCards, seat: Seat) -> bool:
    return seat in given if state.boxed else len(given.get(seat, ())) >= _owed(state, seat)


def _owed(state: State, seat: Seat) -> int:
    return 1 if seat == state.turn.storyteller else state.way.given_by_others


def give(state: State, intent: Intent) -> Step:
    """Put cards of a hand on the table, by their places in it."""
    if not isinstance(state.phase, Telling | Giving):
        return refuse(state, "not_now")
    found = _giver(state, state.phase.given, intent)
    if isinstance(found, Step):
        return found
    if isinstance(state.phase, Telling) and found != state.turn.storyteller:
        return refuse(state, "words_first")
    given = _taken(state, state.phase.given, found, intent)
    if isinstance(given, Refuse):
        return Step(state, (given,))
    places = {card.place for card in given}
    hand = tuple(None if place in places else scene for place, scene in enumerate(state.hands[found]))
    laid_down = {**state.phase.given, found: given}
    after = replace(state, hands={**state.hands, found: hand}, phase=replace(state.phase, given=laid_down))
    return _went_on(after, found)


def put_down(state: State, intent: Intent) -> Step:
    """With the box: somebody has given, as the player says."""
    if not isinstance(state.phase, Giving):
        return refuse(state, "not_now")
    found = _giver(state, state.phase.given, intent)
    if isinstance(found, Step):
        return found
    return _went_on(replace(state, phase=replace(state.phase, given={**state.phase.given, found: ()})), found)


def all_down(state: State, _: Intent) -> Step:
    """With the box: everybody has given. With our own deck the host knows better and says who is missing."""
    if not isinstance(state.phase, Giving):
        return refuse(state, "not_now")
    if not state.boxed:
        return refuse(state, "cards_missing", players=missing_givers(state, state.phase.given))
    teller = state.turn.storyteller
    known = team_of(state, teller) if state.options.mode == "teams" and teller else state.players
    return lay_out(replace(state, phase=Giving({**state.phase.given, **dict.fromkeys(known, ())})))


def _giver(state: State, given: GivenCards, intent: Intent) -> Seat | Step:
    """Return who gives, or the refusal."""
    name = intent.slots.get("player") or intent.speaker
    missing = missing_givers(state, given)
    if name is None:
        return missing[0] if len(missing) == 1 else refuse(state, "who_gives")
    seat = seat_named(state.players, name)
    if seat is None:
        return refuse(state, "no_such_player", player=name)
    if seat not in missing:
        partner = next((other for other in team_of(state, seat) if other != seat and other in given), None)
        if partner is not None and seat not in given:
            return refuse(state, "team_has_given", player=partner)
        return refuse(state, "has_given", player=seat)
    return seat


def _taken(state: State, given: GivenCards, seat: Seat, intent: Intent) -> tuple[Given, ...] | Refuse:
    """Return all that a seat has given with these cards, or why not; who tapped is refused alone, for a hand is secret."""
    before = given.get(seat, ())
    numbers = numbers_of(intent)
    left = _owed(state, seat) - len(before)
    to = ROOM if intent.utterance is not None else seat
    if not numbers:
        return Refuse("which_card", {}, to)
    if len(numbers) > left:
        return Refuse("too_many_cards", {"player": seat, "count": left}, to)
    hand = state.hands[seat]
    for at, number in enumerate(numbers):
        scene = hand[number - 1] if 1 <= number <= len(hand) else None
        if scene is None or number in numbers[:at]:
            return Refuse("not_in_hand", {"player": seat, "number": number}, to)
        before = (*before, Given(number - 1, scene))
    return before


def _went_on(state: State, seat: Seat) -> Step:
    taken: tuple[Effect, ...] = (Earcon("noted"), Say("card_given", {"player": seat}))
    return go_on_giving(state, taken)


def go_on_giving(state: State, effects: tuple[Effect, ...] = ()) -> Step:
    """Lay the cards out when all are in."""
    if isinstance(state.phase, Giving) and not missing_givers(state, state.phase.given):
        laid = lay_out(state)
        return Step(laid.state, (*effects, *laid.effects))
    return Step(state, effects)


def take_back(state: State, intent: Intent) -> Step:
    """Take the own card back, as long as not all are in."""
    if not isinstance(state.phase, Telling | Giving):
        return refuse(state, "not_now")
    name = intent.slots.get("player") or intent.speaker
    if name is None:
        return refuse(state, "who_gives")
    seat = seat_named(state.players, name)
    if seat is None:
        return refuse(state, "no_such_player", player=name)
    if seat not in state.phase.given:
        return refuse(state, "nothing_given", player=seat)
    left = {other: cards for other, cards in state.phase.given.items() if other != seat}
    back = returned(state, {seat: state.phase.given[seat]})
    return Step(replace(back, phase=replace(state.phase, given=left)), (Say("card_taken_back", {"player": seat}),))


def returned(state: State, given: GivenCards) -> State:
    """Put given cards back into the places they came from; those of who has left are nobody's."""
    hands = dict(state.hands)
    for seat in given.keys() & hands.keys():
        hand = list(hands[seat])
        for card in given[seat]:
            hand[card.place] = card.scene
        hands[seat] = tuple(hand)
    return replace(state, hands=hands)


# -------------------------------------------------------------------------------------------------------- on the table


def lay_out(state: State) -> Step:
    """Shuffle and number the cards; votes come in from now on."""
    if not isinstance(state.phase, Giving):
        return Step(state)
    given = state.phase.given
    laid = _anonymous(state, given) if state.boxed else _mixed(state, given)
    after = replace(state, phase=Voting(laid, frozenset(given)))
    if state.boxed:
        said: tuple[Say, ...] = (Say("lay_cards", {"count": len(laid)}),)
    else:
        said = (Say("cards_lie", {"count": len(laid)}), *read_cards(laid))
    return Step(after, (StopTimer(REMINDER), *said, said_words(after), *first_call(after), *reminder(after)))


def _mixed(state: State, given: GivenCards) -> tuple[Laid, ...]:
    cards = [Laid(card.scene, seat) for seat, held_down in given.items() for card in held_down]
    state.chance(f"laid {state.turn.number}").shuffle(cards)
    return tuple(cards)


def _anonymous(state: State, given: GivenCards) -> tuple[Laid, ...]:
    count = sum(_owed(state, seat) for seat in given)
    if state.options.mode == "teams":
        count += sum(not any(seat in given for seat in team) for team in teams(state))
    return (Laid(None, None),) * count
