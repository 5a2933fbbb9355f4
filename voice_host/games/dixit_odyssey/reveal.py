"""Showing the votes: whose the cards are, who found the storyteller's, who was fooled, and what it is worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from voice_host.games.dixit_odyssey import scores
from voice_host.games.dixit_odyssey.asking import numbers_of
from voice_host.games.dixit_odyssey.evening import end_turn
from voice_host.games.dixit_odyssey.state import Laid, Owners, State, TurnResult, Votes, Voting, team_of
from voice_host.games.game import Earcon, Effect, Intent, Say, Seat, Step
from voice_host.games.seats import refuse, seat_named


def show_votes(state: State, phase: Voting, effects: tuple[Effect, ...] = ()) -> Step:
    """Show all votes at once; with the box it is then asked whose the cards are."""
    said = [Say("votes_shown")]
    for number in range(1, len(phase.laid) + 1):
        seats = tuple(seat for seat, numbers in phase.votes.items() if number in numbers)
        if seats:
            said.append(Say("card_got", {"number": number, "players": seats}))
    if phase.red is not None:
        said.append(Say("red_lies", {"number": phase.red}))
    shown = replace(state, phase=Owners(phase.laid, phase.votes, phase.red))
    asked = ask_owner(shown)
    if asked is None:
        return _score(shown, (*effects, Earcon("next_card"), *said))
    return Step(shown, (*effects, Earcon("next_card"), *said, asked))


# ------------------------------------------------------------------------------------------------------ whose is number 3?


def wanted(state: State, phase: Owners) -> int | None:
    """Return the number whose owner is asked for next; 0: the storyteller's number; None: all that counts is known."""
    if state.options.mode != "party" and _story_number(state, phase.laid) is None:
        return 0
    for number in sorted(_counting(state, phase)):
        if phase.laid[number - 1].owner is None:
            return number
    return None


def ask_owner(state: State) -> Say | None:
    """Ask whose a card is; None when nothing needs to be asked."""
    if not isinstance(state.phase, Owners):
        return None
    number = wanted(state, state.phase)
    if number is None:
        return None
    if number == 0:
        return Say("ask_story_card", {"player": state.turn.storyteller or ""})
    return Say("ask_owner", {"number": number})


def claim_card(state: State, phase: Owners, intent: Intent) -> Step:
    """Take whose a card is: the number that was said, or the one that was asked for."""
    asked = wanted(state, phase)
    name = intent.slots.get("player") or intent.speaker
    if name is None and asked != 0:
        return refuse(state, "whose_card")
    teller = state.turn.storyteller or ""
    seat = teller if name is None else seat_named(state.seats, name)
    if seat is None:
        return refuse(state, "no_such_player", player=name or "")
    number = (*numbers_of(intent), asked or 0)[0]
    if not 1 <= number <= len(phase.laid):
        return refuse(state, "no_such_card", number=number)
    others = [at for at, card in enumerate(phase.laid, start=1) if card.owner == seat and at != number]
    if len(others) >= _most_owned(state, seat):
        return refuse(state, "owns_another", player=seat, number=others[0])
    laid = list(phase.laid)
    laid[number - 1] = Laid(None, seat)
    known = replace(state, phase=replace(phase, laid=tuple(laid)))
    said = Say("owner_heard", {"number": number, "player": seat})
    following = ask_owner(known)
    return _score(known, (said,)) if following is None else Step(known, (said, following))


def clear_claims(state: State, phase: Owners, _: Intent) -> Step:
    """Forget whose the cards are, and ask anew."""
    if not any(card.owner for card in phase.laid):
        return refuse(state, "nothing_claimed")
    forgotten = replace(state, phase=replace(phase, laid=tuple(Laid(card.scene, None) for card in phase.laid)))
    asked = ask_owner(forgotten)
    return Step(forgotten, (Say("claims_cleared"), *([] if asked is None else [asked])))


def _most_owned(state: State, seat: Seat) -> int:
    """Return how many cards on the table can be a seat's; a team that owes one card has none left for the partner."""
    return 1 if seat == state.turn.storyteller else state.way.given_by_others


def _story_number(state: State, laid: tuple[Laid, ...]) -> int | None:
    return next((number for number, card in enumerate(laid, start=1) if card.owner == state.turn.storyteller), None)


def _counting(state: State, phase: Owners) -> Iterable[int]:
    """Return the numbers whose owner matters for the points."""
    chosen = {number for numbers in phase.votes.values() for number in numbers}
    if state.options.mode != "party":
        return chosen
    count = {number: sum(number in numbers for numbers in phase.votes.values()) for number in chosen}
    matters = state.options.party_scores == "owner"
    return {
        number for number in chosen if count[number] >= scores.LEAST_PARTY_VOTES and (matters or number == phase.red)
    }


# ------------------------------------------------------------------------------------------------------------------ scores


def _score(state: State, effects: tuple[Effect, ...]) -> Step:
    phase = state.phase
    if not isinstance(phase, Owners):
        return Step(state, effects)
    owners = {at: card.owner for at, card in enumerate(phase.laid, start=1) if card.owner is not None}
    votes = _counted(state, phase.votes, owners)
    void = [seat for seat, numbers in phase.votes.items() if votes.get(seat) != numbers]
    said: list[Effect] = [Say("own_vote_void", {"player": seat}) for seat in void]
    if state.options.mode == "party":
        red = phase.red
        if red is not None and owners.get(red) == state.turn.storyteller:
            red = None  # with the box only now it is seen that the red vote lies on the storyteller's own card
            said.append(Say("own_red_void", {"player": state.turn.storyteller or ""}))
        to_owner = state.options.party_scores == "owner"
        points = scores.party_points(state.players, owners, votes, red, to_owner=to_owner)
        said += _party_sentences(state, phase, owners, votes, red)
    else:
        red = None
        points = _classic(state, owners, votes)
        said += _classic_sentences(state, owners, votes)
    result = TurnResult(state.turn, phase.laid, votes, red, points)
    scored = replace(state, results=(*state.results, result))
    return end_turn(scored, (*effects, *said))


def _counted(state: State, votes: Votes, owners: Mapping[int, Seat]) -> Votes:
    """Leave out votes for the own card, which with the box are only found out now."""
    if state.way.own_votes:
        return votes
    left = {
        seat: tuple(number for number in numbers if owners.get(number) not in team_of(state, seat))
        for seat, numbers in votes.items()
    }
    return {seat: numbers for seat, numbers in left.items() if numbers}


def _classic(state: State, owners: Mapping[int, Seat], votes: Votes) -> Mapping[Seat, int]:
    teller = state.turn.storyteller or ""
    sides = {seat: team_of(state, seat)[0] for seat in state.seats}  # who has left may have voted, and owns a card
    bonus = state.way.most_votes > 1 and state.options.two_votes
    points = scores.classic_points(sides, teller, owners, votes, single_vote_bonus=bonus)
    return {seat: points[sides[seat]] for seat in state.players}


def _classic_sentences(state: State, owners: Mapping[int, Seat], votes: Votes) -> list[Effect]:
    teller = state.turn.storyteller or ""
    story = next((number for number, owner in owners.items() if owner == teller), 0)
    finders = tuple(seat for seat, numbers in votes.items() if story in numbers)
    said: list[Effect] = [Say("story_card", {"number": story, "player": teller})]
    if not votes:
        said.append(Say("nobody_voted"))
    elif not finders:
        said.append(Say("nobody_found"))
    elif len(finders) == len(votes):
        said.append(Say("everybody_found"))
    else:
        said.append(Say("found_it", {"players": finders}))
    for seat in dict.fromkeys(owner for _, owner in sorted(owners.items()) if owner != teller):
        fooled = tuple(voter for voter, numbers in votes.items() if any(owners.get(one) == seat for one in numbers))
        if fooled:
            said.append(Say("fooled", {"player": seat, "players": fooled}))
    return said


def _party_sentences(
    state: State, phase: Owners, owners: Mapping[int, Seat], votes: Votes, red: int | None
) -> list[Effect]:
    said: list[Effect] = []
    for number in range(1, len(phase.laid) + 1):
        points = scores.party_card_points(number, votes, red)
        chosen = tuple(seat for seat, numbers in votes.items() if number in numbers)
        if points and state.options.party_scores == "owner" and number in owners:
            said.append(Say("card_gains", {"number": number, "player": owners[number], "points": points}))
        elif points:
            said.append(Say("voters_gain", {"number": number, "players": chosen, "points": points}))
    return said or [Say("no_card_gains")]
