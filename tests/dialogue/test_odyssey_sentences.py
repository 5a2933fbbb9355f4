"""What people say at Dixit Odyssey, and what the interpreter makes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.dialogue.odyssey_phases import LISTENINGS, listening
from tests.dialogue.test_interpreter import LINE, TABLE_TALK
from voice_host.dialogue.grammar import Grammar, parse_grammar
from voice_host.dialogue.interpreter import NOTHING, Meaning, Unclear, interpret
from voice_host.dialogue.phrases import phrase_table
from voice_host.dialogue.spoken import normal
from voice_host.games.game import Utterance
from voice_host.program import GRAMMARS
from voice_host.resources import folder

SENTENCES: Final = [
    line
    for line in (Path(__file__).parent / "odyssey_sentences.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
TALKING: Final = [phase for phase in LISTENINGS if phase != "telling"]


@pytest.fixture(scope="module")
def odyssey() -> Grammar:
    english = folder("grammars") / "en"
    return parse_grammar({name: (english / name).read_text(encoding="utf-8") for name in GRAMMARS["dixit-odyssey"]})


def meaning(grammar: Grammar, phase: str, speaker: str | None, said: str) -> Meaning:
    return interpret(Utterance(1, (said,), 0.0, 1.0), speaker, listening(phase), grammar)


@pytest.mark.parametrize("line", SENTENCES)
def test_a_sentence_means_its_intent(line: str, odyssey: Grammar) -> None:
    expected = LINE.fullmatch(line)
    assert expected is not None, "phase speaker: sentence -> intent slot=value; slot=value"
    slots = dict(pair.split("=", 1) for pair in (expected["slots"] or "").split("; ") if pair)
    speaker = None if expected["speaker"] == "?" else expected["speaker"]
    meant = meaning(odyssey, expected["phase"], speaker, expected["said"])
    assert not isinstance(meant, Unclear)
    assert [(intent.name, dict(intent.slots)) for intent in meant] == [(expected["intent"], slots)]


def test_every_line_of_its_grammar_has_a_sentence(odyssey: Grammar) -> None:
    said: dict[str, list[str]] = {}
    for line in SENTENCES:
        parts = LINE.fullmatch(line)
        assert parts is not None
        said.setdefault(parts["intent"], []).append(normal(parts["said"]) + " ")
    common = parse_grammar({"common.yaml": (folder("grammars") / "en" / "common.yaml").read_text(encoding="utf-8")})
    shared = {(template.intent, template.text) for template in common.templates}
    untried = [
        f"{template.intent}: {template.text}"
        for template in odyssey.templates
        if (template.intent, template.text) not in shared
        and not any(template.pattern.fullmatch(text) for text in said.get(template.intent, ()))
    ]
    assert untried == []


@pytest.mark.parametrize("phase", TALKING)
def test_talk_at_the_table_means_nothing(phase: str, odyssey: Grammar) -> None:
    harmless = {"whose_turn", "score", "time_left", "help", "repeat", "ready"}
    meant = {said: meaning(odyssey, phase, None, said) for said in TABLE_TALK}
    wrong = {
        said: found
        for said, found in meant.items()
        if found != NOTHING and (isinstance(found, Unclear) or any(intent.name not in harmless for intent in found))
    }
    assert wrong == {}


@pytest.mark.parametrize("said", ["Um", "okay", "Well, um, so", "haha", "let me think"])
def test_the_storyteller_may_hesitate(said: str, odyssey: Grammar) -> None:
    assert meaning(odyssey, "telling", "Amy", said) == NOTHING


def test_the_table_of_phrases_is_of_the_game(odyssey: Grammar) -> None:
    intents = {row.intent for row in phrase_table(odyssey)}
    assert {"vote", "claim_card", "leave", "pause"} <= intents
    assert intents.isdisjoint({"guess", "clue", "foul"})
