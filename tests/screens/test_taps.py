"""What a page may send, and what it may not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice_host.screens.taps import REASONS, Allowance, NewLink, Refused, Talk, Tap, read_message

SAYABLE = {
    "pause": {},
    "guess": {"word": {"values": [], "open": True}},
    "foul": {"player": {"values": ["Ben", "Cleo"], "open": False}},
}


def _read(**body: Any) -> Tap | NewLink | Talk | Refused:
    return read_message(json.dumps(body), SAYABLE)


def test_what_may_be_said_is_taken() -> None:
    assert _read(intent="pause", id=7) == Tap("pause", {}, 7)
    assert _read(intent="guess", slots={"word": "  a  dragon "}) == Tap("guess", {"word": "a dragon"})
    assert _read(intent="foul", slots={"player": "Ben"}) == Tap("foul", {"player": "Ben"})
    assert _read(command="new_link", viewer="Ben") == NewLink("Ben")
    assert _read(talk=True) == Talk(pressed=True)


def test_what_has_no_place_or_no_such_value_is_refused() -> None:
    assert _read(intent="wake_up", id=1) == Refused("not_now", 1)
    assert _read(intent="foul", slots={"player": "Zoe"}) == Refused("no_such_value")


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "null", "7", '"pause"', "{}", '{"intent": 7}', '{"intent": "pause", "speaker": "Ben"}'),
        *('{"intent": "pause", "slots": []}', '{"intent": "guess", "slots": {"word": 7}}'),
        *(
            '{"intent": "guess", "slots": {"other": "x"}}',
            '{"intent": "pause", "id": -1}',
            '{"intent": "pause", "id": true}',
        ),
        *('{"intent": "guess", "slots": {"word": "a\\u0000b"}}', '{"intent": "guess", "slots": {"word": "\\ud800"}}'),
        *('{"talk": 1}', '{"talk": true, "intent": "pause"}', '{"command": "new_link"}', "[" * 4000, "9" * 4000),
        json.dumps({"intent": "guess", "slots": {"word": "x" * 1001}}),
        json.dumps({"intent": "guess", "slots": {"word": "x" * 5000}}),
    ],
)
def test_whatever_makes_no_sense_is_malformed(text: str) -> None:
    message = read_message(text, SAYABLE)
    assert isinstance(message, Refused)
    assert message.reason == "malformed"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(["intent", "slots", "id", "command", "viewer", "talk"]) | st.text(max_size=5)
NAMES = st.sampled_from(["pause", "guess", "foul", "new_link", "table", "word", "player", "Ben"])


@given(st.dictionaries(KEYS, NAMES | VALUES, max_size=5).map(json.dumps) | st.text())
def test_nothing_that_is_sent_breaks_anything(text: str) -> None:
    message = read_message(text, SAYABLE)
    if isinstance(message, Refused):
        assert message.reason in REASONS
    if isinstance(message, Tap):
        assert message.intent in SAYABLE
        assert message.slots.keys() <= SAYABLE[message.intent].keys()


def test_an_allowance_is_used_up_and_comes_back() -> None:
    seconds = [0.0]
    allowance = Allowance(3, 2.0, lambda: seconds[0])
    assert [allowance.take() for _ in range(4)] == [True, True, True, False]
    seconds[0] = 0.5
    assert [allowance.take(), allowance.take()] == [True, False]
    seconds[0] = 100.0
    assert not allowance.take(4)
    assert allowance.take(3)
