"""Thousands of random evenings: what must hold whatever happens, in whatever order."""

from __future__ import annotations

import json
import re
from collections import Counter
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.odyssey.table import SCENES
from tests.games.odyssey.walks import any_event, any_options, leading_on, walk
from voice_host.games import dixit_odyssey as game
from voice_host.games.dixit_odyssey import PHASES, PROMPTS, State
from voice_host.games.dixit_odyssey.permitted import permitted
from voice_host.games.dixit_odyssey.prompts import EARCONS, TIMERS
from voice_host.games.dixit_odyssey.state import Finished, Owners, TurnResult, Voting, all_cards, team_of
from voice_host.games.game import TABLE, Earcon, Flag, Intent, Refuse, Say, StartTimer, StopTimer
from voice_host.games.history import Undone, advanced, opened, replayed, undone

SEEDS = st.integers(min_value=0, max_value=2**32)


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_an_illegal_intent_changes_nothing_and_says_why(seed: int) -> None:
    rng = Random(seed)
    for before, event, step in walk(rng, any_options(rng), 150):
        if any(isinstance(effect, Refuse) for effect in step.effects):
            assert step.state is before
            assert [type(effect) for effect in step.effects] == [Refuse]
        if before is not None and isinstance(event, Intent) and event.name not in permitted(before):
            assert step.state is before


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_every_effect_is_one_that_languages_and_sounds_know(seed: int) -> None:
    rng = Random(seed)
    for _, _, step in walk(rng, any_options(rng), 150):
        for effect in step.effects:
            match effect:
                case Say(prompt, slots):
                    assert PROMPTS.get(prompt) == tuple(slots), effect
                case Refuse(reason, slots):
                    assert PROMPTS.get(f"refuse_{reason}") == tuple(slots), effect
                case Earcon(name):
                    assert name in EARCONS
                case StartTimer(name, seconds):
                    assert name in TIMERS
                    assert seconds > 0
                case StopTimer(name):
                    assert name in TIMERS
                case Flag():
                    raise AssertionError(effect)
        assert game.view(step.state, TABLE)["phase"] in PHASES


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_all_84_cards_are_always_there_and_each_once(seed: int) -> None:
    rng = Random(seed)
    for _, _, step in walk(rng, any_options(rng), 200):
        expected = [] if step.state.boxed else sorted(scene.id for scene in SCENES)
        assert sorted(scene.id for scene in all_cards(step.state)) == expected


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_hands_are_full_whenever_a_turn_begins(seed: int) -> None:
    rng = Random(seed)
    for _, _, step in walk(rng, any_options(rng), 150):
        state: State = step.state
        if game.view(state, TABLE)["phase"] == "idea":
            sizes = {seat: len(game.view(state, seat)["hand"]) for seat in state.hands}
            hidden = state.options.mode == "party"
            teller = state.turn.storyteller
            assert sizes == {seat: 0 if hidden and teller in {None, seat} else state.way.hand for seat in state.hands}


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_nobody_votes_for_an_own_card_or_twice_for_one(seed: int) -> None:
    rng = Random(seed)
    for _, _, step in walk(rng, any_options(rng), 150):
        state: State = step.state
        phase = state.phase
        if not isinstance(phase, Voting | Owners):
            continue
        for seat, numbers in phase.votes.items():
            assert len(set(numbers)) == len(numbers) <= (state.way.most_votes if state.options.two_votes else 1)
            assert all(1 <= number <= len(phase.laid) for number in numbers)
            if not state.boxed and state.options.mode != "party":
                assert {phase.laid[number - 1].owner for number in numbers}.isdisjoint(team_of(state, seat))
        if phase.red is not None and not state.boxed:
            assert phase.laid[phase.red - 1].owner != state.turn.storyteller
        counted = Counter(team_of(state, seat) for seat in phase.votes)
        assert max(counted.values(), default=1) == 1


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_points_are_the_fold_of_the_votes(seed: int) -> None:
    rng = Random(seed)
    chosen = any_options(rng)
    scored = 0
    for before, _, step in walk(rng, chosen, 250):
        state: State = step.state
        assert state.totals == {
            seat: sum(result.points.get(seat, 0) for result in state.results) for seat in state.seats
        }
        if before is not None and len(state.results) > len(before.results):
            scored += 1
            result = state.results[-1]
            present = [seat for seat in state.seats if seat in result.points]
            assert result.points == {seat: expected_points(before, result, seat) for seat in present}


def expected_points(state: State, result: TurnResult, seat: str) -> int:
    """Work out from the rulebook's sentences, one after another, what a turn is worth to one seat."""
    owner = {number: card.owner for number, card in enumerate(result.laid, start=1)}
    teller = result.turn.storyteller
    if state.options.mode == "party":
        total = 0
        for number, giver in owner.items():
            votes = [voter for voter, numbers in result.votes.items() if number in numbers]
            worth = 0 if len(votes) == 1 or number == result.red else min(5, len(votes))
            if state.options.party_scores == "owner":
                total += worth if giver == seat else 0
            else:
                total += worth if seat in votes else 0
        return total
    team = team_of(state, seat)
    found = [voter for voter, numbers in result.votes.items() if any(owner[number] == teller for number in numbers)]
    if not result.votes:
        return 0
    fooled = sum(owner[number] in team and owner[number] != teller for ns in result.votes.values() for number in ns)
    total = min(3, fooled)
    if len(found) in {0, len(result.votes)}:
        total += 0 if teller in team else 2
    elif teller in team or set(found) & set(team):
        total += 3
    if state.turn.players >= 7 and state.options.mode == "classic" and state.options.two_votes and seat in found:
        total += len(result.votes[seat]) == 1
    return total


@settings(max_examples=50, deadline=None)
@given(SEEDS, st.integers(min_value=0, max_value=150))
def test_every_order_of_events_leads_back_to_a_table_that_comes_to_an_end(seed: int, length: int) -> None:
    rng = Random(seed)
    chosen = any_options(rng)
    *_, (_, _, last) = walk(rng, chosen, length)
    state: State = last.state
    for _ in range(6000):
        if isinstance(state.phase, Finished):
            break
        state = game.step(state, leading_on(state, rng)).state
    assert isinstance(state.phase, Finished)
    best = max(state.phase.scores[seat] for seat in state.players)
    assert set(state.phase.winners) == {seat for seat in state.players if state.phase.scores[seat] == best}


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_a_seat_is_sent_no_other_hand_and_no_vote_before_the_reveal(seed: int) -> None:
    rng = Random(seed)
    for _, _, step in walk(rng, any_options(rng), 120):
        state: State = step.state
        lying = state.phase.laid if isinstance(state.phase, Voting | Owners) else ()
        public = {card.scene.sentence for card in lying if card.scene is not None}
        last = state.results[-1].laid if state.results else ()
        public |= {card.scene.sentence for card in last if card.scene is not None}
        for viewer in (TABLE, *state.players, "Zoe"):
            seen = game.view(state, viewer)
            own = {scene.sentence for scene in state.hands.get(viewer, ()) if scene is not None}
            assert set(re.findall(r"picture q\d+q", json.dumps(seen))) <= public | own
            if not isinstance(state.phase, Owners):
                assert "votes" not in seen
            if isinstance(state.phase, Voting):
                assert all(set(card) == {"number", "scene", "id"} for card in seen["cards"])
                votes = state.phase.votes.get(viewer)
                assert seen.get("vote") == (None if votes is None else list(votes))
                assert seen.get("red") in ({state.phase.red} if viewer == state.turn.storyteller else {None})


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_what_is_said_to_the_room_tells_no_hand_and_no_tapped_vote(seed: int) -> None:
    rng = Random(seed)
    for before, event, step in walk(rng, any_options(rng), 120):
        tapped = isinstance(event, Intent) and event.utterance is None and before is not None
        for effect in step.effects:
            if not isinstance(effect, Say) or effect.to != "room":
                continue
            assert effect.prompt != "your_card"
            if tapped and isinstance(step.state.phase, Voting):
                assert effect.prompt not in {"vote_heard", "red_vote_heard"}
        if before is not None and tapped and isinstance(before.phase, Voting):
            secret = {"own_card", "has_voted"}
            assert all(
                effect.to != "room" for effect in step.effects if isinstance(effect, Refuse) and effect.reason in secret
            )


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_views_are_json_and_keep_their_keys(seed: int) -> None:
    rng = Random(seed)
    shared = {"phase", "round", "mode", "boxed", "players", "storyteller", "turn", "paused", "scores", "words"} | {
        *("waiting", "given", "voted", "cards", "last")
    }
    for _, _, step in walk(rng, any_options(rng), 60):
        for viewer in (TABLE, *step.state.players, "Zoe"):
            seen: Any = game.view(step.state, viewer)
            assert json.loads(json.dumps(seen)) == seen
            assert shared <= set(seen)


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_an_undone_evening_is_the_evening_without_its_last_intent(seed: int) -> None:
    rng = Random(seed)
    chosen = any_options(rng)
    history = opened(game, chosen, seed)
    facts: list[Any] = []
    for _ in range(60):
        if rng.random() < 0.1:
            facts.append(Undone())
            history = undone(game, history) or history
        else:
            event = any_event(rng, history.state)
            facts.append(event)
            history = advanced(game, history, event)
    assert replayed(game, chosen, seed, facts).state == history.state


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_undisturbed_everybody_tells_clockwise_as_often_as_was_agreed(seed: int) -> None:
    rng = Random(seed)
    chosen = any_options(rng)
    if chosen.laps is None:
        return
    state: State = game.start(chosen, rng).state
    while not isinstance(state.phase, Finished):
        state = game.step(state, leading_on(state, rng)).state
    tellers = [result.turn.storyteller for result in state.results]
    first = state.seats.index(tellers[0] or "")
    order = (*state.seats[first:], *state.seats[:first]) * chosen.laps
    assert tuple(tellers) == order[: len(tellers)]
    if chosen.mode != "classic":
        assert len(tellers) == len(state.seats) * chosen.laps
