"""Captions and the final table: what a reader at the table's screen sees."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import pytest

from voice_host.evening import Outcome
from voice_host.outputs import Captions, final_table


def _caption(**line: Any) -> str:
    stream = io.StringIO()
    Captions(stream)(Outcome({"t": 65.04, **line}))
    return stream.getvalue()


@pytest.mark.parametrize(
    ("line", "caption"),
    [
        ({"type": "said", "text": "Next card.", "to": "room"}, "  1:05.0  HOST: Next card.\n"),
        ({"type": "said", "text": "You are a fairy.", "to": "Ben"}, "  1:05.0  HOST to Ben, in private\n"),
        ({"type": "earcon", "name": "bell"}, "  1:05.0  ♪ bell\n"),
        (
            {
                "type": "heard",
                "speaker": None,
                "text": "Dragon",
                "intents": [{"name": "clue", "slots": {"word": "Dragon"}}],
            },
            "  1:05.0  ?: Dragon   (clue Dragon)\n",
        ),
        ({"type": "view", "viewer": "table", "view": {"word": "dragon"}}, "  1:05.0  [card]   dragon\n"),
        ({"type": "view", "viewer": "Ben", "view": {"word": "dragon", "role": "fairy"}}, ""),
        ({"type": "timer", "name": "night", "event": "started"}, ""),
    ],
)
def test_a_line_is_captioned_as_the_table_may_know_it(line: Mapping[str, Any], caption: str) -> None:
    assert _caption(**line) == caption


def test_a_card_is_shown_once_until_it_changes() -> None:
    stream = io.StringIO()
    captions = Captions(stream)
    for word in ("dragon", "dragon", None, "castle"):
        captions(Outcome({"t": 1.0, "type": "view", "viewer": "table", "view": {"word": word}}))
    assert [line.split()[-1] for line in stream.getvalue().splitlines()] == ["dragon", "castle"]


def test_the_final_table_names_the_winners_best_first() -> None:
    table = final_table({"Amy": 3, "Benjamin": 12}, ("Benjamin",))
    assert table.splitlines() == ["  Benjamin   12   winner", "  Amy         3"]
