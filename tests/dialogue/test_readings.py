"""The readings of a guess carry the recogniser's probabilities."""

from __future__ import annotations

from pathlib import Path

from voice_host.dialogue.grammar import parse_grammar
from voice_host.dialogue.interpreter import interpret
from voice_host.games.game import Intent, Listening, Slot, Utterance
from voice_host.resources import language_folder

GRAMMAR = parse_grammar(
    {
        name: (Path(language_folder("en")) / name).read_text(encoding="utf-8")
        for name in ("common.yaml", "when_i_dream.yaml")
    }
)
NIGHT = Listening({"guess": {"word": Slot((), open=True)}}, {"Ann": "guess"})


def _meant(speaker: str | None, *hypotheses: tuple[str, float]) -> Intent:
    texts, confidences = zip(*hypotheses, strict=True)
    (intent,) = interpret(Utterance(1, texts, 0.0, 1.0, confidences), speaker, NIGHT, GRAMMAR)  # type: ignore[misc]
    return intent


def test_each_reading_has_the_probability_of_the_hypotheses_that_gave_it() -> None:
    intent = _meant(
        None, ("my guess is ladder", 0.4), ("my guess is latter", 0.3), ("I guess ladder", 0.2), ("hello there", 0.1)
    )
    assert dict(zip(intent.readings, intent.confidences, strict=True)) == {"ladder": 0.4 + 0.2, "latter": 0.3}
    assert intent.readings[0] == "ladder"


def test_a_bare_guess_has_them_too() -> None:
    intent = _meant("Ann", ("ladder", 0.6), ("latter", 0.3))
    assert (intent.readings, intent.confidences) == (("ladder", "latter"), (0.6, 0.3))


def test_an_engine_without_probabilities_gives_none() -> None:
    (intent,) = interpret(Utterance(1, ("my guess is ladder",), 0.0, 1.0), None, NIGHT, GRAMMAR)  # type: ignore[misc]
    assert (intent.readings, intent.confidences) == (("ladder",), ())


COMMANDS = Listening(
    {"guess": {"word": Slot((), open=True)}, "clue": {"word": Slot((), open=True)}, "pause": {}}, {None: "clue"}
)


def test_an_unlikely_command_does_not_beat_the_clue_that_was_said() -> None:
    said = Utterance(1, ("House", "Pause"), 0.0, 1.0, (0.713, 0.007))
    assert [intent.name for intent in interpret(said, None, COMMANDS, GRAMMAR)] == ["clue"]  # type: ignore[union-attr]


def test_a_command_that_is_about_as_likely_as_what_was_written_is_taken() -> None:
    said = Utterance(1, ("Paws", "Pause"), 0.0, 1.0, (0.45, 0.35))
    assert [intent.name for intent in interpret(said, None, COMMANDS, GRAMMAR)] == ["pause"]  # type: ignore[union-attr]
