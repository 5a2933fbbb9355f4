"""The words of the pages: every language has all of them, and everything the pages ask for is among them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from voice_host.evening import BARGE_INS
from voice_host.games.lobby import PHASES as LOBBY_PHASES
from voice_host.games.when_i_dream import FLAGS, PHASES
from voice_host.games.when_i_dream.prompts import FOUL_KINDS, ROLES, VERDICTS
from voice_host.page_texts import load_page_texts
from voice_host.program import Program
from voice_host.screens.taps import REASONS

PAGES = Path(__file__).parents[2] / "voice_host" / "screens" / "pages"
TEXTS = load_page_texts()
SLOT = re.compile(r"\{(\w+)\}")


def test_there_are_the_three_languages() -> None:
    assert {"en", "zh-Hant", "ko"} <= set(TEXTS)


@pytest.mark.parametrize("language", sorted(TEXTS))
def test_every_language_has_every_text_with_the_same_slots(language: str) -> None:
    expected = {name: set(SLOT.findall(text)) for name, text in TEXTS["en"].items()}
    assert expected == {name: set(SLOT.findall(text)) for name, text in TEXTS[language].items()}
    assert all(text.strip() for text in TEXTS[language].values())


def test_what_the_scripts_ask_for_by_name_is_there() -> None:
    asked = {
        name for script in PAGES.glob("*.js") for name in re.findall(r'\bt(?:Parts)?\("(\w+)"', script.read_text())
    }
    assert asked
    assert not asked - set(TEXTS["en"])


def test_whatever_the_host_may_name_has_a_text() -> None:
    intents = set(Program("en").grammar.intents) - set(BARGE_INS)  # these are only spoken
    named = {
        **{f"phase_{name}": "" for name in (*PHASES, *LOBBY_PHASES)},
        **{f"role_{name}": "" for name in ROLES},
        **{f"role_hint_{name}": "" for name in ROLES},
        **{f"kind_{name}": "" for name in FOUL_KINDS},
        **{f"verdict_{name}": "" for name in VERDICTS},
        **{f"flag_{name}": "" for name in FLAGS},
        **{f"refused_{name}": "" for name in REASONS},
        **{f"say_{name}": "" for name in intents},
    }
    assert not set(named) - set(TEXTS["en"])
