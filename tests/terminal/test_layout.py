"""What the terminal shows: everything that counts in every language, also in a low or narrow window."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any, Final

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.screen import Screen

from voice_host.page_texts import load_page_texts
from voice_host.terminal.keyboard import LineEditor
from voice_host.terminal.layout import Shown, layout

LANGUAGES: Final = ("en", "zh-Hant", "ko")
NIGHT: Final[Mapping[str, Any]] = {
    "phase": "night", "round": 2, "players": ["Amy", "Ben", "Cleo", "Dan"], "dreamer": "Amy", "turn": "Cleo",
    "word": "dragon", "yellow": ["castle", "pie"], "blue": ["igloo"], "scores": {"Amy": 3, "Ben": 1},
    "penalties": {"Ben": 1}, "told": [],
}  # fmt: skip
REVIEW: Final[Mapping[str, Any]] = {
    **NIGHT, "phase": "review", "word": None, "turn": None,
    "cards": [{"number": n, "word": f"word{n}", "heard": "pie", "verdict": "right", "appealed": False} for n in range(1, 9)],
    "appeal": {"number": 1, "agreed": 1, "disagreed": 2},
}  # fmt: skip
CAPTIONS: Final = tuple(
    {"kind": "heard", "speaker": "Ben", "text": f"clue {n}", "t": 0.0, "meant": []} for n in range(20)
)


def _text(language: str) -> Any:
    texts = load_page_texts()[language]

    def text(name: str, **slots: Any) -> str:
        return texts.get(name, name).format_map(
            {slot: ", ".join(value) if isinstance(value, list) else value for slot, value in slots.items()}
        )

    return text


def _drawn(shown: Shown, language: str = "en", width: int = 80, height: int = 24) -> list[str]:
    console = Console(file=io.StringIO(), width=width, height=height, force_terminal=True, color_system=None)
    with console.capture() as captured:
        console.print(Screen(layout(shown, _text(language))), end="")
    lines = captured.get().split("\n")
    assert len(lines) <= height
    assert all(cell_len(line) <= width for line in lines)
    return lines


def _shown(view: Mapping[str, Any], **more: Any) -> Shown:
    fields: dict[str, Any] = {
        "paused": None,
        "timers": {"night": (83.0, 120.0)},
        "captions": CAPTIONS,
        "typed": "Amy: m",
    }
    return Shown(view, **(fields | more))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(80, 24), (60, 20), (200, 60)])
def test_the_night_shows_word_turn_time_zones_and_what_is_typed(language: str, size: tuple[int, int]) -> None:
    links = tuple(f"The page of {name}: http://127.0.0.1/seat/{'x' * 22}" for name in ("Amy", "Ben", "Cleo", "Dan"))
    seen = "\n".join(_drawn(_shown(NIGHT, links=links), language, *size))
    text = _text(language)
    for piece in (
        "D R A G O N",
        text("turn_of", player="Cleo"),
        "1:23",
        "castle · pie",
        "igloo",
        "> Amy: m",
        "clue 19",
    ):
        assert piece in seen
    assert text("zone_blue", count=1) in seen


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pause_hides_the_word_and_says_why(language: str) -> None:
    seen = "\n".join(_drawn(_shown({**NIGHT, "word": "dragon"}, paused="asked"), language))
    assert "D R A G O N" not in seen
    assert _text(language)("paused") in seen


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_day_shows_each_card_and_the_votes(language: str) -> None:
    seen = "\n".join(_drawn(_shown(REVIEW, timers={}), language, 100, 40))
    assert all(f"word{n}" in seen for n in range(1, 9))
    assert _text(language)("appeal_votes", number=1, agreed=1, disagreed=2) in seen


@pytest.mark.parametrize("size", [(20, 5), (10, 1), (300, 3)])
def test_no_window_is_too_small_to_be_drawn(size: tuple[int, int]) -> None:
    assert any(line.startswith("> Amy") for line in _drawn(_shown(REVIEW), "en", *size))


def test_an_unknown_flag_and_a_fault_without_words_are_shown_in_others() -> None:
    flag = {"kind": "flag", "reason": "voice", "slots": {"rate": "150"}, "t": 1.0}
    seen = "\n".join(_drawn(_shown(NIGHT, captions=(flag,), paused="some_fault")))
    assert "flag_voice" not in seen
    assert _text("en")("paused_fault") in seen


def test_keys_make_lines() -> None:
    lines: list[str] = []
    editor = LineEditor(lines.append)
    editor.type("Amyy\x7f: \x1b[A\x1b[3~")
    assert editor.text == ""  # whatever begins with Escape clears
    editor.type("Amy: 龍\r\n\rx\x15y\r")
    assert lines == ["Amy: 龍", "y"]
    editor.type("a" * 500)
    assert len(editor.text) == 200


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("reason", "slots"),
    [
        ("out_of_turn", {"player": "Dan", "turn": "Cleo"}),
        ("clue_fault", {"player": "Ben", "kind": "contains", "clue": "dragonfly"}),
        ("hidden_word_heard", {"word": "dragon"}),
        ("unclear", {"player": None}),
    ],
)
def test_a_flag_is_read_with_what_it_tells(language: str, reason: str, slots: Mapping[str, Any]) -> None:
    flag = {"kind": "flag", "reason": reason, "slots": slots, "t": 1.0}
    drawn = "\n".join(_drawn(_shown(NIGHT, captions=(flag,), flag=flag), language))
    assert drawn.count("⚑") >= 2
    assert "{" not in drawn


def test_a_pause_at_night_covers_all_that_the_dreamer_may_not_see() -> None:
    flag = {
        "kind": "flag",
        "reason": "clue_fault",
        "slots": {"player": "Ben", "kind": "contains", "clue": "dragonfly"},
        "t": 1.0,
    }
    drawn = "\n".join(_drawn(_shown({**NIGHT, "word": None}, paused="asked", flag=flag, captions=())))
    assert not any(word in drawn for word in ("castle", "igloo", "dragon"))
