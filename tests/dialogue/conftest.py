"""The English grammar and prompts, and an interpreter that asks what was meant."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # the tests share modules, wherever pytest is started

from tests.dialogue.phases import LISTENING, Ask
from voice_host.dialogue.grammar import Grammar, parse_grammar
from voice_host.dialogue.interpreter import Meaning, interpret
from voice_host.dialogue.prompts import Prompts
from voice_host.games.game import Utterance
from voice_host.resources import folder


@pytest.fixture(scope="session")
def grammar() -> Grammar:
    english = folder("grammars") / "en"
    names = ("common.yaml", "when_i_dream.yaml")
    return parse_grammar({name: (english / name).read_text(encoding="utf-8") for name in names})


@pytest.fixture(scope="session")
def prompts() -> Prompts:
    return Prompts("en", (folder("grammars") / "en" / "prompts.ftl").read_text(encoding="utf-8"))


@pytest.fixture
def ask(grammar: Grammar) -> Ask:
    """Interpret hypotheses, best first, as said in a phase by a seat (None: nobody knows who)."""

    def interpreted(phase: str, speaker: str | None, *hypotheses: str) -> Meaning:
        return interpret(Utterance(1, hypotheses, 0.0, 1.0), speaker, LISTENING[phase], grammar)

    return interpreted
