"""Random evenings of Dixit Odyssey: whatever may happen at a table, likely and unlikely, in any order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from tests.games.helpers import NAMES
from tests.games.odyssey.table import options
from voice_host.games import dixit_odyssey as game
from voice_host.games.dixit_odyssey import Options, State
from voice_host.games.dixit_odyssey.ballots import all_in, missing_voters
from voice_host.games.dixit_odyssey.giving import missing_givers
from voice_host.games.dixit_odyssey.permitted import permitted
from voice_host.games.dixit_odyssey.prompts import TIMERS
from voice_host.games.dixit_odyssey.reveal import wanted
from voice_host.games.dixit_odyssey.state import Finished, Giving, Idea, Owners, Telling, Voting, team_of
from voice_host.games.dixit_odyssey.ways import PLAYERS
from voice_host.games.game import Event, Intent, Paused, Played, Resumed, Step, TimerFinished, Utterance

INTENTS = (
    *(
        "have_idea",
        "tell",
        "sound",
        "correct_words",
        "give",
        "put_down",
        "all_down",
        "take_back",
        "vote",
        "change_vote",
    ),
    *("red_vote", "show_votes", "claim_card", "read_cards", "my_cards", "repeat", "ready", "leave", "join", "score"),
    *("whose_turn", "stop_game", "nonsense"),
)
RARE: Mapping[str, float] = {"stop_game": 0.01, "leave": 0.06}
"""Intents that end something are held back, so that walks see more of an evening."""

TOLD = Utterance(1, ("...",), 0.0, 1.0)


def any_options(rng: Random) -> Options:
    """Return an evening in any way, with any number of players and any settings."""
    mode = rng.choice(tuple(PLAYERS))
    return options(
        rng.choice(PLAYERS[mode]),
        mode=mode,
        cards=rng.choice(("box", "scenes", "scenes")),
        rounds=rng.choice((None, None, 1, 2)),
        winning_points=rng.choice((5, 30)),
        two_votes=rng.random() < 0.8,
        party_scores=rng.choice(("owner", "voters")),
        reveal_seconds=rng.choice((0.0, 4.0)),
        reminder_seconds=rng.choice((0.0, 60.0)),
    )


def any_intent(rng: Random, state: State) -> Intent:
    """Return an intent: mostly one that has a place now, with likely and unlikely slots."""
    places = permitted(state)
    name = rng.choice(places) if places and rng.random() < 0.85 else rng.choice(INTENTS)
    if rng.random() > RARE.get(name, 1.0):
        name = "vote" if "vote" in places else "give" if "give" in places else "whose_turn"
    speaker = rng.choice((None, state.turn.storyteller, *state.players, "Zoe", "?"))
    slots: dict[str, str] = {}
    numbers = ("0", "1", "2", "3", "4", "5", "6", "7", "13", "two", "")
    if name in {"give", "vote", "change_vote", "red_vote", "claim_card"}:
        slots["card"] = rng.choice(numbers)
        if rng.random() < 0.3:
            slots["second"] = rng.choice(numbers)
    if name in {"tell", "correct_words"}:
        slots["text"] = rng.choice(("far away", "the end", ""))
    if rng.random() < 0.4:
        slots["player"] = rng.choice((*state.seats, *NAMES, "zoe"))
    return Intent(name, slots, speaker, rng.choice((None, TOLD)))


def any_event(rng: Random, state: State) -> Event:
    """Return any event, and often the one that leads on, so that walks come far."""
    chance = rng.random()
    if state.paused is not None and chance < 0.7:
        return Resumed()
    if chance < 0.4:
        return leading_on(state, rng)
    if chance < 0.9:
        return any_intent(rng, state)
    timers = (TimerFinished(name) for name in TIMERS)
    others: list[Event] = [*timers, Played("ask_idea"), Paused("asked"), Paused("microphone_lost"), Resumed()]
    return rng.choice(others)


def walk(rng: Random, chosen: Options, length: int) -> Iterator[tuple[State | None, Event | None, Step]]:
    """Yield the start and then, for each of at most ``length`` events, the state before it, the event, the step."""
    step = game.start(chosen, rng)
    yield None, None, step
    for _ in range(length):
        state: State = step.state
        event = any_event(rng, state)
        step = game.step(state, event)
        yield state, event, step
        if isinstance(step.state.phase, Finished) and rng.random() < 0.2:
            return


def leading_on(state: State, rng: Random) -> Event:
    """Return the event that a table which wants to go on, or its clock, brings next."""
    if state.paused is not None:
        return Resumed()
    match state.phase:
        case Voting() as phase if all_in(state, phase):
            return TimerFinished("reveal")
        case _:
            return _wanted(state, rng)


def _wanted(state: State, rng: Random) -> Intent:
    match state.phase:
        case Idea():
            return Intent("have_idea", {}, state.turn.storyteller or rng.choice(state.players), TOLD)
        case Telling():
            return Intent("tell", {"text": "a word"}, state.turn.storyteller, TOLD)
        case Giving(given):
            return _giving(state, missing_givers(state, given)[0], rng)
        case Voting() as phase:
            return _voting(state, phase, rng)
        case Owners() as phase:
            return _owning(state, phase, rng)
        case Finished():
            return Intent("score")


def _giving(state: State, seat: str, rng: Random) -> Intent:
    if state.boxed:
        return Intent("put_down", {}, seat, TOLD)
    places = [place for place, scene in enumerate(state.hands[seat], start=1) if scene is not None]
    return Intent("give", {"card": str(rng.choice(places))}, seat, rng.choice((None, TOLD)))


def _voting(state: State, phase: Voting, rng: Random) -> Intent:
    missing = missing_voters(state, phase)
    teller = state.turn.storyteller
    if not missing:
        others = [number for number, card in enumerate(phase.laid, start=1) if card.owner != teller]
        return Intent("red_vote", {"card": str(rng.choice(others))}, teller, TOLD)
    seat = missing[0]
    free = [
        number
        for number, card in enumerate(phase.laid, start=1)
        if state.way.own_votes or card.owner not in team_of(state, seat)
    ]
    chosen = rng.sample(free, min(len(free), rng.choice((1, 1, state.way.most_votes))))
    if not state.options.two_votes:
        chosen = chosen[:1]
    second = {"second": str(chosen[1])} if len(chosen) > 1 else {}
    return Intent("vote", {"card": str(chosen[0]), **second}, seat, rng.choice((None, TOLD)))


def _owning(state: State, phase: Owners, rng: Random) -> Intent:
    """Answer what the host asks; who has no card left to own is not named."""
    asked = wanted(state, phase)
    if asked == 0:
        free = [number for number, card in enumerate(phase.laid, start=1) if card.owner is None]
        if free:
            return Intent(
                "claim_card", {"card": str(rng.choice(free)), "player": state.turn.storyteller or ""}, None, TOLD
            )
        return Intent("take_back", {}, None, TOLD)
    seats = [seat for seat in state.seats if _can_own(state, phase, seat)]
    if not seats:
        return Intent("take_back", {}, None, TOLD)
    return Intent("claim_card", {"player": rng.choice(seats), "card": str(asked)}, None, TOLD)


def _can_own(state: State, phase: Owners, seat: str) -> bool:
    before = game.step(state, Intent("claim_card", {"player": seat, "card": str(wanted(state, phase))}, None, TOLD))
    return before.state is not state
