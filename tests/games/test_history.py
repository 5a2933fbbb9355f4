"""An evening is the fold of its facts, and an undo drops the last intent that changed it."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.helpers import options, words
from tests.games.walks import any_event, words_heard
from voice_host.games import when_i_dream as game
from voice_host.games.game import WISHES, Event, Intent, Played, TimerFinished
from voice_host.games.history import Fact, Undone, advanced, opened, replayed, undone
from voice_host.games.when_i_dream.state import Finished

NIGHT: list[Fact] = [Played("night_falls"), Intent("clue", {"word": "wet"})]


@settings(max_examples=100, deadline=None)
@given(st.integers(min_value=0, max_value=2**32))
def test_the_same_facts_make_the_same_evening(seed: int) -> None:
    rng = Random(seed)
    evening = options(rng.randint(4, 10))
    history = opened(game, evening, seed)
    facts: list[Fact] = []
    for _ in range(80):
        if rng.random() < 0.1:
            back = undone(game, history)
            facts += [Undone()] if back else []
            history = back or history
        else:
            event = any_event(rng, history.state, words_heard(history.state))
            facts.append(event)
            history = advanced(game, history, event)
    assert replayed(game, evening, seed, facts) == history


@settings(max_examples=100, deadline=None)
@given(st.integers(min_value=0, max_value=2**32))
def test_an_undone_intent_is_as_if_it_had_never_been(seed: int) -> None:
    rng = Random(seed)
    evening = options(rng.randint(4, 10))
    history = opened(game, evening, seed)
    for _ in range(60):
        history = advanced(game, history, any_event(rng, history.state, words_heard(history.state)))
    last = max((index for index, taken in enumerate(history.applied) if taken.is_undoable), default=None)
    back = undone(game, history)
    if last is None:
        assert back is None
        return
    assert back is not None
    before: list[Fact] = [taken.event for taken in history.applied[:last]]
    since: list[Fact] = [taken.event for taken in history.applied[last + 1 :] if _is_kept(taken.event)]
    assert back.state == replayed(game, evening, seed, before + since).state


def _is_kept(event: Event) -> bool:
    return not isinstance(event, Intent) or event.name in WISHES


def test_an_undo_passes_over_the_wish_to_be_told_each_turn() -> None:
    facts: list[Fact] = [*NIGHT, Intent("clue", {"word": "deep"}), Intent("tell_turns", {"player": "Cy"}), Undone()]
    undone_clue = replayed(game, options(), 7, facts).state
    assert (undone_clue.phase.turn, undone_clue.wishes) == ("Cy", {"Cy": True})


def test_what_was_refused_stays_refused_when_an_undo_would_make_it_count() -> None:
    table = [*NIGHT, Intent("foul", {"player": "Bob"}, "Cy"), Intent("foul", {"player": "Bob"}, "Di")]
    back = undone(game, replayed(game, options(), 7, table))
    assert back is not None
    assert back.state.penalties == ()


def test_refused_and_merely_asked_intents_are_not_undone() -> None:
    before = replayed(game, options(), 7, NIGHT)
    asked = [*NIGHT, Intent("score"), Intent("pass", speaker="Ann"), TimerFinished("night_60"), Undone()]
    assert replayed(game, options(), 7, asked).state == replayed(game, options(), 7, NIGHT[:1]).state
    assert before.state.phase.spoke == "Bob"


def test_there_is_nothing_to_undo_before_anything_was_meant() -> None:
    history = replayed(game, options(), 7, [Played("night_falls")])
    assert undone(game, history) is None
    assert replayed(game, options(), 7, [Undone(), Played("night_falls")]).state == history.state


def test_a_finished_evening_goes_on_after_an_undo() -> None:
    history = replayed(game, options(), 7, [*NIGHT, Intent("stop_game")])
    assert isinstance(history.state.phase, Finished)
    back = undone(game, history)
    assert back is not None
    assert back.state == replayed(game, options(), 7, NIGHT).state


def test_undo_takes_back_one_intent_after_the_other() -> None:
    evening = options(upcoming=words("sea", "sun", "ice"))
    guesses = [Intent("guess", {"word": text}) for text in ("sea", "sun")]
    facts: list[Fact] = [*NIGHT, *guesses, Undone(), Undone()]
    assert replayed(game, evening, 7, facts).state == replayed(game, evening, 7, NIGHT).state
