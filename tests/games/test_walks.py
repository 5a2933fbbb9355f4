"""Thousands of random nights: what must hold whatever happens, in whatever order."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.games.helpers import deck, options, words
from tests.games.walks import leading_on, walk
from voice_host.games import when_i_dream as game
from voice_host.games.game import TABLE, Earcon, Effect, Flag, Intent, Refuse, Say, StartTimer, StopTimer
from voice_host.games.when_i_dream import FLAGS, PROMPTS, Options, State
from voice_host.games.when_i_dream.permitted import permitted
from voice_host.games.when_i_dream.prompts import EARCONS, PHASES, TIMERS
from voice_host.games.when_i_dream.scores import night_points
from voice_host.games.when_i_dream.state import Finished, LastGuess, Night, Review, RoleReveal, Story

SEEDS = st.integers(min_value=0, max_value=2**32)
BLINDFOLDED = {"falling", "night", "last_guess", "story"}


def any_options(rng: Random) -> Options:
    """Return an evening with any number of players and any settings."""
    return options(
        rng.randint(4, 10),
        cards=deck(rng.choice((3, 20, 40))),
        upcoming=words(*rng.sample(["q1a", "q2b", "q900x", "q901x"], rng.randint(0, 4))),
        rounds=rng.choice((None, 1, 3)),
        referee=rng.choice(("off", "flag", "auto")),
        deal=rng.choice(("host", "table")),
        announce_turns=rng.choice(("adaptive", "always", "never")),
        foul_callers=rng.choice(("givers", "everybody")),
        corrections=rng.random() < 0.8,
        appeals=rng.random() < 0.8,
        joining=rng.random() < 0.8,
        pause_replaces_card=rng.random() < 0.8,
        bonus_without_yellow=rng.random() < 0.2,
    )


@settings(max_examples=250, deadline=None)
@given(SEEDS)
def test_an_illegal_intent_changes_nothing_and_says_why(seed: int) -> None:
    rng = Random(seed)
    for before, event, step in walk(rng, any_options(rng), 250):
        if any(isinstance(effect, Refuse) for effect in step.effects):
            assert step.state is before
            assert [type(effect) for effect in step.effects if not isinstance(effect, Flag)] == [Refuse]
        if before is not None and isinstance(event, Intent) and event.name not in permitted(before):
            assert step.state is before


@settings(max_examples=250, deadline=None)
@given(SEEDS)
def test_every_effect_is_one_that_languages_and_sounds_know(seed: int) -> None:
    rng = Random(seed)
    for _, _, step in walk(rng, any_options(rng), 250):
        for effect in step.effects:
            assert is_known(effect), effect
        assert game.view(step.state, TABLE)["phase"] in PHASES


def _givers(state: State | None) -> tuple[str, ...]:
    return () if state is None else state.round.givers


def is_known(effect: Effect) -> bool:
    match effect:
        case Say(prompt, slots):
            return PROMPTS.get(prompt) == tuple(slots)
        case Refuse(reason, slots):
            return PROMPTS.get(f"refuse_{reason}") == tuple(slots)
        case Flag(reason, slots):
            return FLAGS.get(reason) == tuple(slots)
        case Earcon(name):
            return name in EARCONS
        case StartTimer(name, seconds):
            return name in TIMERS and seconds > 0
        case StopTimer(name):
            return name in TIMERS


@settings(max_examples=250, deadline=None)
@given(SEEDS)
def test_no_card_is_lost_or_counted_twice(seed: int) -> None:
    rng = Random(seed)
    evening = any_options(rng)
    every = None
    for _, _, step in walk(rng, evening, 150):
        if isinstance(step.state.phase, Finished):
            break  # the box is being packed
        lying = cards_on_table(step.state)
        assert max(lying.values(), default=1) == 1
        every = every or lying
        assert lying == every


def cards_on_table(state: State) -> Counter[frozenset[str]]:
    """Count the printed cards wherever they lie; each is known by its words, however it is turned."""
    cards = [*state.deck.pile, *(penalty.card for penalty in state.penalties)]
    if state.deck.shown is not None:
        cards.append(state.deck.shown)
    match state.phase:
        case Night(card=card, cards=laid) | LastGuess(Night(card=card, cards=laid)):
            cards += [card, *(each.card for each in laid)]
        case Story(cards=laid) | Review(cards=laid) | RoleReveal(cards=laid):
            cards += [each.card for each in laid]
        case _:
            pass
    return Counter(frozenset(known.text for known in card.words) for card in cards if not card.rigged)


@settings(max_examples=250, deadline=None)
@given(SEEDS)
def test_totals_are_the_fold_of_what_was_said(seed: int) -> None:
    rng = Random(seed)
    points: Counter[str] = Counter()
    fouls: list[str] = []
    for _, _, step in walk(rng, any_options(rng), 250):
        for effect in step.effects:
            match effect:
                case Say("night_points" | "night_points_with_bonus", {"player": str(player), "points": int(gained)}):
                    points[player] += gained
                case Say("foul_called", {"player": str(player)}):
                    fouls.append(player)
                case Say("foul_withdrawn"):
                    fouls.pop()
                case _:
                    pass
        shown = game.view(step.state, TABLE)
        lost = Counter(fouls)
        assert shown["penalties"] == {seat: lost[seat] for seat in step.state.seats}
        over = shown["phase"] == "finished"
        assert shown["scores"] == {seat: points[seat] - (lost[seat] if over else 0) for seat in step.state.seats}


@settings(max_examples=250, deadline=None)
@given(SEEDS)
def test_points_of_a_night_follow_from_the_zones_that_everybody_saw(seed: int) -> None:
    rng = Random(seed)
    evening = any_options(rng)
    for before, _, step in walk(rng, evening, 200):
        if before is None or len(step.state.nights) == len(before.nights):
            continue
        night = step.state.nights[-1]
        yellow = {laid.card.word.id for laid in night.cards if laid.yellow}
        earned = yellow <= night.told and (bool(yellow) or evening.bonus_without_yellow)
        assert set(night.roles) == set(before.round.givers)
        assert night.bonus == (2 if earned else 0)
        assert night.points == night_points(
            night.round.dreamer, night.roles, len(yellow), len(night.cards) - len(yellow), night.bonus
        )


@settings(max_examples=250, deadline=None)
@given(SEEDS, st.integers(min_value=0, max_value=200))
@example(0, 0)
def test_every_order_of_events_leads_back_to_a_table_that_comes_to_an_end(seed: int, length: int) -> None:
    rng = Random(seed)
    *_, (_, _, last) = walk(rng, any_options(rng), length)
    state: State = last.state
    for _ in range(400):
        if isinstance(state.phase, Finished):
            break
        state = game.step(state, leading_on(state)).state
    assert isinstance(state.phase, Finished)
    assert state.phase.winners != ()


@settings(max_examples=250, deadline=None)
@given(SEEDS)
def test_the_blindfolded_dreamer_is_shown_no_word_and_no_zone(seed: int) -> None:
    rng = Random(seed)
    for _, _, step in walk(rng, any_options(rng), 250):
        seen = game.view(step.state, step.state.round.dreamer)
        if seen["phase"] in BLINDFOLDED:
            assert re.search(r"q\d", json.dumps(seen)) is None
            assert set(seen).isdisjoint({"word", "yellow", "blue", "told", "cards", "penalty_cards"})


@settings(max_examples=120, deadline=None)
@given(SEEDS)
def test_nobody_sees_the_role_of_another_before_the_reveal(seed: int) -> None:
    rng = Random(seed)
    for _, _, step in walk(rng, any_options(rng), 100):
        state: State = step.state
        for viewer in (TABLE, *state.players):
            seen = game.view(state, viewer)
            if seen["phase"] in BLINDFOLDED | {"review"}:
                own = (state.round.roles or {}).get(viewer)
                assert seen["role"] == (own.value if own else None)
                assert "roles" not in seen


@settings(max_examples=120, deadline=None)
@given(SEEDS)
def test_a_pause_hides_the_word_from_everybody(seed: int) -> None:
    rng = Random(seed)
    for _, _, step in walk(rng, any_options(rng), 100):
        if step.state.paused is not None:
            assert not any(game.view(step.state, viewer).get("word") for viewer in (TABLE, *step.state.players))


@settings(max_examples=250, deadline=None)
@given(SEEDS)
def test_a_guess_lies_in_the_zone_that_its_word_says(seed: int) -> None:
    rng = Random(seed)
    for before, event, step in walk(rng, any_options(rng), 250):
        if before is None or not isinstance(event, Intent) or event.name != "guess" or event.speaker in _givers(before):
            continue
        if step.state is not before:
            was, now = game.view(before, TABLE), game.view(step.state, TABLE)
            zone = "yellow" if event.slots["word"] in {was["word"], f"{was['word']}s"} else "blue"
            assert now[zone] == [*was[zone], was["word"]]


@settings(max_examples=100, deadline=None)
@given(SEEDS)
def test_views_are_json_and_keep_their_keys(seed: int) -> None:
    rng = Random(seed)
    for _, _, step in walk(rng, any_options(rng), 60):
        for viewer in (TABLE, *step.state.players, "Zoe"):
            seen: Mapping[str, Any] = game.view(step.state, viewer)
            assert json.loads(json.dumps(seen)) == seen
            assert {"phase", "round", "players", "dreamer", "turn", "paused", "scores", "penalties", "role"} <= set(
                seen
            )


@pytest.mark.parametrize("count", range(4, 11))
def test_undisturbed_everybody_dreams_once_clockwise(count: int) -> None:
    state: State = game.start(options(count), Random(count)).state
    dreamers = []
    while not isinstance(state.phase, Finished):
        if isinstance(state.phase, Night):
            dreamers.append(state.round.dreamer)
        state = game.step(state, leading_on(state)).state
    assert tuple(dreamers) == state.seats
