"""The evening as a fold: what all games share, on the rules of When I Dream and exact measures."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.helpers import NAMES, ExactMeasures, deck, word
from voice_host.evening import Evening
from voice_host.games import when_i_dream
from voice_host.games.game import Game, Intent, Played, SlotValue, TimerFinished, Utterance
from voice_host.games.when_i_dream import Options
from voice_host.journal import Began, Heard
from voice_host.program import Program

CARDS = ("sea", "sun", "ice")


class Table:
    """Lets facts happen one by one and remembers what came of them."""

    def __init__(self, program: Program) -> None:
        self.evening = Evening(_build, program.prompts)
        self.lines: list[dict[str, Any]] = []
        self.now = 0.0
        self._apply(Began("when-i-dream", {}, 7))
        self.play_all()

    def say(self, intent: str, **slots: str) -> list[dict[str, Any]]:
        """Let somebody mean something now; returns the lines that came of it."""
        spoken = Utterance(self.evening.utterances + 1, (intent,), self.now, self.now)
        return self._apply(Heard(spoken, None, (Intent(intent, slots, None, spoken),)))

    def mumble(self) -> list[dict[str, Any]]:
        """Let somebody mean the host and not be understood."""
        spoken = Utterance(self.evening.utterances + 1, ("my guess is",), self.now, self.now)
        return self._apply(Heard(spoken, None, (), "word"))

    def play_all(self) -> None:
        """Let the room hear everything that was said."""
        while self.evening.unplayed:
            self._apply(Played(self.evening.unplayed[0].line["prompt"]))

    def wait(self, seconds: float) -> None:
        """Let time pass; timers finish as they are due."""
        until = self.now + seconds
        while (due := self.evening.timers.next_due(None)) and due.deadline <= until:
            self.now = due.deadline
            self._apply(TimerFinished(due.name))
            self.play_all()
        self.now = until

    def deadline(self, timer: str) -> float:
        return self.evening.timers.running[timer].deadline

    def _apply(self, entry: Any) -> list[dict[str, Any]]:
        lines = [dict(outcome.line) for outcome in self.evening.apply(self.now, entry)]
        self.lines += lines
        return lines


def _build(_began: Began) -> tuple[Game, Any]:
    options = Options(
        players=NAMES[:4],
        cards=deck(),
        measures=ExactMeasures(),
        upcoming=tuple(word(text) for text in CARDS),
        rounds=1,
    )
    return when_i_dream, options


def _said(lines: list[dict[str, Any]]) -> list[str]:
    return [line["prompt"] for line in lines if line["type"] == "said"]


@pytest.fixture
def table(english: Program) -> Table:
    return Table(english)


def test_the_night_begins_when_the_room_has_heard_that_it_falls(table: Table) -> None:
    assert table.evening.view()["phase"] == "night"
    assert table.deadline("night") == 120


def test_a_pause_stops_every_timer_and_hides_the_word(table: Table) -> None:
    table.wait(3)
    table.say("pause")
    assert (table.evening.paused, table.evening.view()["word"]) == ("asked", None)
    table.wait(1000)
    assert _said(table.say("guess", word="sea")) == ["refuse_paused"]
    table.say("resume")
    assert table.evening.view()["word"] == "sun"
    assert table.deadline("night") == 1120


def test_undo_takes_back_the_last_intent_with_its_card_and_gives_a_timer_its_time(table: Table) -> None:
    table.wait(1)
    table.say("clue", word="wave")
    table.wait(3)
    table.say("guess", word="sun")
    table.wait(4)
    assert table.evening.view()["blue"] == ["sea"]
    assert _said(table.say("undo")) == ["undone", "whose_turn"]
    assert (table.evening.view()["word"], table.evening.view()["blue"]) == ("sea", [])
    assert table.deadline("night") == 120
    assert table.deadline("clue") == 13  # it should have finished at 6: the giver gets five seconds again


def test_undo_reaches_over_a_pause(table: Table) -> None:
    table.wait(2)
    table.say("guess", word="sea")
    table.say("pause")
    table.wait(10)
    table.say("resume")
    table.say("undo")
    table.play_all()
    assert table.evening.view()["yellow"] == []
    assert table.deadline("night") == 130


def test_undo_without_anything_to_undo_says_so(table: Table) -> None:
    assert _said(table.say("undo")) == ["nothing_to_undo"]
    table.say("score")
    assert _said(table.say("undo")) == ["nothing_to_undo"]


def test_the_last_words_are_repeated_and_the_time_left_is_told(table: Table) -> None:
    table.wait(30.4)
    (left,) = [line["text"] for line in table.say("time_left") if line["type"] == "said"]
    assert "90" in left
    (again,) = [line["text"] for line in table.say("repeat") if line["type"] == "said"]
    assert "90" in again


def test_help_fits_the_phase(table: Table) -> None:
    assert _said(table.say("help")) == ["help_night"]


def test_the_host_asks_again_at_most_once_in_a_minute(table: Table) -> None:
    assert _said(table.mumble()) == ["reprompt_1"]
    table.wait(59)
    assert _said(table.mumble()) == []
    table.wait(1)
    assert _said(table.mumble()) == ["reprompt_2"]


def test_what_only_the_table_may_see_is_never_said(table: Table) -> None:
    lines = table.say("clue", word="sea")
    assert [line["reason"] for line in lines if line["type"] == "flag"] == ["hidden_word_heard"]
    assert not any("sea" in line["text"] for line in lines if line["type"] == "said")


def test_a_fault_pauses_the_evening_by_itself_and_only_its_end_resumes_it(table: Table) -> None:
    from voice_host.games.game import Paused, Resumed

    table.wait(10)
    assert _said(table._apply(Paused("microphone_lost"))) == ["microphone_lost"]
    table.wait(50)
    assert _said(table._apply(Resumed()))[0] == "resume_said"
    assert table.deadline("night") == 170


def test_words_for_one_seat_are_not_repeated_to_the_room(table: Table) -> None:
    private = [line["text"] for line in table.lines if line["type"] == "said" and line["to"] != "room"]
    assert len(private) == 3
    (again,) = [line["text"] for line in table.say("repeat") if line["type"] == "said"]
    assert again not in private


def test_nobody_is_asked_again_in_a_pause_and_nothing_is_taken_for_a_story(table: Table) -> None:
    table.say("pause")
    assert _said(table.mumble()) == []
    table.say("resume")
    table.wait(200)
    assert table.evening.listening().any_speech == "story"
    table.say("pause")
    assert table.evening.listening().any_speech is None


def test_resume_is_listened_for_only_in_a_pause(table: Table) -> None:
    assert "resume" not in table.evening.listening().intents
    table.say("pause")
    assert "resume" in table.evening.listening().intents


def test_minus_one_point_is_said_as_such(english: Program) -> None:
    for prompt in ("final_total", "night_points", "night_points_with_bonus", "totals", "winner", "winners"):
        for variant in range(4):
            slots: dict[str, SlotValue] = {"player": "Ben", "players": ("Ben", "Cleo")}
            assert "minus one point" in english.prompts.text(prompt, {**slots, "points": -1}, variant)
            assert "-2" in english.prompts.text(prompt, {**slots, "points": -2}, variant)
            assert "minus" not in english.prompts.text(prompt, {**slots, "points": 1}, variant)
