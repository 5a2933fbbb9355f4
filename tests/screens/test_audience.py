"""Which lines reach whom."""

from __future__ import annotations

from typing import Any

import pytest

from voice_host.games.game import ROOM as ROOM_OF_GAMES
from voice_host.games.game import TABLE as TABLE_OF_GAMES
from voice_host.screens.audience import ROOM, TABLE, caption_for

HEARD = {
    "t": 1.0,
    "type": "heard",
    "utterance": 1,
    "text": "is it a boat",
    "hypotheses": ["is it a boat", "is it a goat"],
    "speaker": "Amy",
    "intents": [{"name": "guess", "slots": {"word": "boat"}}],
    "unclear": None,
}


def _line(kind: str, **fields: Any) -> dict[str, Any]:
    return {"t": 2.0, "type": kind, **fields}


def test_the_rooms_agree_on_whom_the_names_mean() -> None:
    assert (ROOM, TABLE) == (ROOM_OF_GAMES, TABLE_OF_GAMES)


def test_what_was_heard_is_read_by_all_without_its_other_readings() -> None:
    expected = {"t": 1.0, "kind": "heard", "speaker": "Amy", "text": "is it a boat", "meant": ["guess"]}
    assert caption_for(HEARD, TABLE) == expected
    assert caption_for(HEARD, "Amy") == expected


def test_what_is_said_to_one_seat_is_read_there_alone() -> None:
    role = _line("said", text="You are a fairy.", prompt="your_role", to="Ben")
    assert caption_for(role, "Ben") == {
        "t": 2.0,
        "kind": "said",
        "prompt": "your_role",
        "text": "You are a fairy.",
        "private": True,
    }
    assert caption_for(role, "Amy") is None
    assert caption_for(role, TABLE) == {"t": 2.0, "kind": "said", "to": "Ben", "text": None, "private": True}


def test_a_flag_is_for_the_table_alone() -> None:
    flag = _line("flag", reason="hidden_word_heard", slots={"word": "boat"})
    assert caption_for(flag, TABLE) == {
        "t": 2.0,
        "kind": "flag",
        "reason": "hidden_word_heard",
        "slots": {"word": "boat"},
    }
    assert [caption_for(flag, seat) for seat in ("Amy", "Ben")] == [None, None]


@pytest.mark.parametrize("kind", ["view", "phase", "score", "timer", "a kind of tomorrow"])
def test_a_line_of_another_kind_is_no_caption(kind: str) -> None:
    line = _line(kind, viewer="table", view={"word": "boat"}, name="night", event="started", scores={})
    assert [caption_for(line, viewer) for viewer in (TABLE, "Amy")] == [None, None]


def test_whoever_is_blindfolded_reads_no_words_of_others() -> None:
    slip = {**HEARD, "speaker": "Ben", "text": "boat"}
    unknown = {**HEARD, "speaker": None}
    assert caption_for(slip, "Amy", blindfolded=True) is None
    assert caption_for(unknown, "Amy", blindfolded=True) is None
    assert caption_for(HEARD, "Amy", blindfolded=True) == caption_for(HEARD, "Amy")
    tapped = _line("tapped", speaker="Ben", intent={"name": "clue", "slots": {"word": "boat"}})
    assert caption_for(tapped, "Amy", blindfolded=True) is None
