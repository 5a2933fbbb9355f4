"""The votes: who has them, which are refused, and how they are changed until they are shown."""

from __future__ import annotations

from dataclasses import replace

from voice_host.games.dixit_odyssey.asking import REMINDER, REVEAL, numbers_of, reminder
from voice_host.games.dixit_odyssey.codes import all_codes, codes_of
from voice_host.games.dixit_odyssey.reveal import show_votes
from voice_host.games.dixit_odyssey.state import State, Voting, others, team_of
from voice_host.games.game import ROOM, Earcon, Effect, Intent, Refuse, Say, Seat, StartTimer, Step, StopTimer
from voice_host.games.seats import refuse, seat_named

# --------------------------------------------------------------------------------------------------------------- who votes


def missing_voters(state: State, phase: Voting) -> tuple[Seat, ...]:
    """Return whose vote is still to come, clockwise from the storyteller's left; of a team of which it is unknown who gave, both."""
    return tuple(seat for seat in voters(state, phase) if not _has_voted(state, phase, seat))


def voters(state: State, phase: Voting) -> tuple[Seat, ...]:
    """Return who may vote, clockwise from the storyteller's left."""
    if state.options.mode == "teams":
        partners = () if state.turn.storyteller is None else team_of(state, state.turn.storyteller)
        return tuple(seat for seat in others(state) if seat not in partners and seat not in phase.gave)
    teller = state.turn.storyteller
    if state.way.storyteller_votes and teller in state.present and teller is not None:
        return (*others(state), teller)
    return others(state)


def wants_red(state: State, phase: Voting) -> bool:
    """Tell whether the storyteller's red vote is still to come."""
    return state.way.red_vote and phase.red is None and state.turn.storyteller in state.present


def all_in(state: State, phase: Voting) -> bool:
    """Tell whether every vote is in."""
    return not missing_voters(state, phase) and not wants_red(state, phase)


def most_votes(state: State) -> int:
    """Return how many numbers a voter may choose."""
    return state.way.most_votes if state.options.two_votes else 1


def first_call(state: State) -> tuple[Say, ...]:
    """Let all choose at the same time, and then read their votes in turn."""
    if not isinstance(state.phase, Voting):
        return ()
    if state.options.ballot == "secret":
        return (Say("vote_secret"), *_codes_told(state, state.phase))
    prompt = "vote_one_or_two" if most_votes(state) > 1 else "vote_one"
    return (Say(prompt), *next_call(state, state.phase))


def next_call(state: State, phase: Voting) -> tuple[Say, ...]:
    """Ask the next voter."""
    missing = missing_voters(state, phase)
    if missing:
        return (Say("ask_vote", {"player": missing[0]}),)
    return (Say("ask_red_vote", {"player": state.turn.storyteller or ""}),) if wants_red(state, phase) else ()


def _codes_told(state: State, phase: Voting) -> tuple[Say, ...]:
    """Tell each voter its code words, in its own ear."""
    return tuple(
        Say("your_code", {"number": number, "word": word}, seat)
        for seat in voters(state, phase)
        for number, word in codes_of(state, phase, seat).items()
    )


def _has_voted(state: State, phase: Voting, seat: Seat) -> bool:
    return any(other in phase.votes for other in team_of(state, seat))


# ------------------------------------------------------------------------------------------------------------------ voting


def vote(state: State, phase: Voting, intent: Intent) -> Step:
    """Take a vote; of an unknown speaker it is the vote of whoever was asked last."""
    if is_aloud(state, intent):
        return refuse(state, "vote_by_code")
    found = _voter(state, phase, intent)
    if isinstance(found, Refuse):
        return Step(state, (found,))
    if found in phase.votes:
        return Step(state, (Refuse("has_voted", {"player": found}, _to(intent, found)),))
    if _has_voted(state, phase, found):
        partner = next(other for other in team_of(state, found) if other in phase.votes)
        return refuse(state, "team_has_voted", player=partner)
    return _take(state, phase, found, intent)


def code_vote(state: State, phase: Voting, intent: Intent) -> Step:
    """Take a vote that was said with code words; other words of the same voter replace it until the votes are shown."""
    found = _decoded(state, phase, intent)
    if isinstance(found, Refuse):
        return Step(state, (found,))
    seat, numbers = found
    slots = {"player": seat, **dict(zip(("card", "second"), map(str, numbers), strict=False))}
    # Without the utterance it is as secret as a tap.
    return change_vote(state, phase, Intent(intent.name, slots, seat))


def red_code(state: State, phase: Voting, intent: Intent) -> Step:
    """Take the storyteller's red vote, said with a code word."""
    found = _decoded(state, phase, intent)
    if isinstance(found, Refuse):
        return Step(state, (found,))
    seat, numbers = found
    return red_vote(state, phase, Intent(intent.name, {"card": str(numbers[0])}, seat))


def _decoded(state: State, phase: Voting, intent: Intent) -> tuple[Seat, tuple[int, ...]] | Refuse:
    """Return whose code words were said and what they stand for, or why they count for nobody."""
    known = all_codes(state, phase, voters(state, phase))
    said = [intent.slots[slot] for slot in ("code", "second_code") if slot in intent.slots]
    found = [known[word] for word in said if word in known]
    if not found or len(found) < len(said):
        return Refuse("no_such_code")
    seats = {seat for seat, _ in found}
    if len(seats) > 1 or intent.speaker not in {None, *seats}:
        return Refuse("not_your_code")
    return found[0][0], tuple(number for _, number in found)


def change_vote(state: State, phase: Voting, intent: Intent) -> Step:
    """Take another vote instead of the one that was given."""
    if is_aloud(state, intent):
        return refuse(state, "vote_by_code")
    found = _voter(state, phase, intent)
    if isinstance(found, Refuse):
        return Step(state, (found,))
    if found not in phase.votes:
        return vote(state, phase, intent)
    return _take(state, phase, found, intent)


def red_vote(state: State, phase: Voting, intent: Intent) -> Step:
    """Take the storyteller's red vote, on a card of another; it can be set anew until the votes are shown."""
    teller = state.turn.storyteller or ""
    if intent.speaker not in {None, teller}:
        return refuse(state, "not_yours", player=teller)
    if is_aloud(state, intent):
        return refuse(state, "vote_by_code")
    number = (*numbers_of(intent), 0)[0]
    if not 1 <= number <= len(phase.laid):
        return refuse(state, "no_such_card", number=number)
    if phase.laid[number - 1].owner == teller:
        return Step(state, (Refuse("own_card", {"player": teller, "number": number}, _to(intent, teller)),))
    said = Say("red_vote_noted") if intent.utterance is None else Say("red_vote_heard", {"number": number})
    return _went_on(state, replace(phase, red=number), intent, (Earcon("noted"), said))


def withdraw_vote(state: State, phase: Voting, intent: Intent) -> Step:
    """Take the own vote back."""
    name = intent.slots.get("player") or intent.speaker
    if name is None:
        return refuse(state, "who_votes")
    seat = seat_named(state.players, name)
    if seat is None:
        return refuse(state, "no_such_player", player=name)
    if seat not in phase.votes:
        return refuse(state, "nothing_voted", player=seat)
    left = {other: numbers for other, numbers in phase.votes.items() if other != seat}
    after = replace(state, phase=replace(phase, votes=left))
    return Step(after, (StopTimer(REVEAL), Say("vote_taken_back", {"player": seat}), *reminder(after)))


def show(state: State, phase: Voting, _: Intent) -> Step:
    """Show the votes, when somebody wants it and all are in."""
    if missing := missing_voters(state, phase):
        return refuse(state, "votes_missing", players=missing)
    if wants_red(state, phase):
        return refuse(state, "red_vote_missing", player=state.turn.storyteller or "")
    return show_votes(state, phase, (StopTimer(REVEAL),))


def go_on_voting(state: State, effects: tuple[Effect, ...] = ()) -> Step:
    """Wait for changes when all votes are in, or go straight to showing them."""
    phase = state.phase
    if not isinstance(phase, Voting) or not all_in(state, phase):
        return Step(state, effects)
    seconds = state.options.reveal_seconds
    if not seconds:
        return show_votes(state, phase, (*effects, StopTimer(REMINDER)))
    waits = StartTimer(REVEAL, seconds, waits_for_speech=True)
    return Step(state, (*effects, StopTimer(REMINDER), Say("votes_in"), waits))


def _voter(state: State, phase: Voting, intent: Intent) -> Seat | Refuse:
    """Return whose vote it is, or why it is nobody's."""
    name = intent.slots.get("player") or intent.speaker
    missing = missing_voters(state, phase)
    if name is None:
        return missing[0] if missing else Refuse("who_votes")
    seat = seat_named(state.players, name)
    if seat is None:
        return Refuse("no_such_player", {"player": name})
    if seat in voters(state, phase):
        return seat
    teller = state.turn.storyteller
    if seat == teller:
        return Refuse("storyteller_votes_not", {"player": seat})
    if teller is not None and seat in team_of(state, teller):
        return Refuse("partner_votes_not", {"player": seat})
    return Refuse("giver_votes_not", {"player": seat})


def _take(state: State, phase: Voting, seat: Seat, intent: Intent) -> Step:
    numbers = numbers_of(intent)
    fault = _fault(state, phase, seat, numbers)
    if fault is not None:
        return Step(state, (replace(fault, to=_to(intent, seat)),))
    if intent.utterance is None:  # a finger on the own page: the number stays a secret
        said = Say("vote_noted", {"player": seat})
    else:
        said = Say("vote_heard", {"player": seat, "numbers": tuple(map(str, sorted(numbers)))})
    voted = replace(phase, votes={**phase.votes, seat: tuple(sorted(numbers))})
    return _went_on(state, voted, intent, (Earcon("noted"), said))


def _fault(state: State, phase: Voting, seat: Seat, numbers: tuple[int, ...]) -> Refuse | None:
    if not numbers:
        return Refuse("which_card")
    if len(set(numbers)) < len(numbers):
        return Refuse("votes_equal", {"player": seat})
    if len(numbers) > most_votes(state):
        return Refuse("one_vote_only", {"player": seat})
    for number in numbers:
        if not 1 <= number <= len(phase.laid):
            return Refuse("no_such_card", {"number": number})
        owner = phase.laid[number - 1].owner
        if owner is not None and owner in team_of(state, seat) and not state.way.own_votes:
            return Refuse("own_card", {"player": seat, "number": number})
    return None


def is_aloud(state: State, intent: Intent) -> bool:
    """Tell whether a number was said that is to be a secret."""
    return state.options.ballot == "secret" and intent.utterance is not None


def _to(intent: Intent, seat: Seat) -> Seat:
    """Return who hears a refusal: whoever tapped in secret hears it alone."""
    return seat if intent.utterance is None else ROOM


def _went_on(state: State, phase: Voting, intent: Intent, said: tuple[Effect, ...]) -> Step:
    after = replace(state, phase=phase)
    if all_in(state, phase):
        return go_on_voting(after, said)
    calls = () if intent.utterance is None else next_call(after, phase)
    return Step(after, (*said, *calls, *reminder(after)))
