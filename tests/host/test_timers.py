"""The timers of an evening."""

from __future__ import annotations

from voice_host.games.game import StartTimer
from voice_host.timers import Timers


def _timers(*wanted: StartTimer, now: float = 0.0) -> Timers:
    timers = Timers()
    for timer in wanted:
        timers.start(now, timer)
    return timers


def _due(timers: Timers, speech_started: float | None = None) -> tuple[str, float] | None:
    due = timers.next_due(speech_started)
    return None if due is None else (due.name, due.deadline)


def test_the_earliest_timer_is_due_first() -> None:
    assert _due(_timers(StartTimer("night", 120), StartTimer("clue", 5))) == ("clue", 5)


def test_a_started_timer_starts_anew() -> None:
    timers = _timers(StartTimer("clue", 5))
    timers.start(3, StartTimer("clue", 5))
    assert _due(timers) == ("clue", 8)


def test_a_timer_that_waits_for_speech_is_held_only_by_speech_that_began_before_its_end() -> None:
    timers = _timers(StartTimer("clue", 5, waits_for_speech=True))
    assert _due(timers, speech_started=4.9) is None
    assert _due(timers, speech_started=5.0) == ("clue", 5)


def test_the_bell_waits_for_nobody() -> None:
    assert _due(_timers(StartTimer("night", 120)), speech_started=119.5) == ("night", 120)


def test_a_pause_costs_no_time() -> None:
    timers = _timers(StartTimer("night", 120))
    timers.freeze(50)
    assert _due(timers) is None
    assert timers.remaining(80) == 70
    timers.unfreeze(80)
    assert _due(timers) == ("night", 150)


def test_a_timer_started_during_a_pause_counts_from_its_end() -> None:
    timers = _timers(StartTimer("night", 120))
    timers.freeze(50)
    timers.start(60, StartTimer("clue", 5))
    timers.unfreeze(80)
    assert _due(timers) == ("clue", 85)


def test_the_time_left_is_that_of_the_longest_timer() -> None:
    timers = _timers(StartTimer("night", 120), StartTimer("clue", 5))
    assert timers.remaining(30) == 90
    assert Timers().remaining(30) is None


def test_overdue_timers_get_their_whole_time_again() -> None:
    timers = _timers(StartTimer("night", 120), StartTimer("clue", 5))
    timers.renew_overdue(40)
    assert _due(timers) == ("clue", 45)
    assert timers.running["night"].deadline == 120
