"""Joins the dialogue's pure interpreter with one language's grammar and ear for names."""

from __future__ import annotations

from voice_host.dialogue.interpreter import Unclear, interpret
from voice_host.dialogue.names import alike_by
from voice_host.games.game import Intent, Listening, Utterance
from voice_host.program import Program


class Understander:
    """Implements the host's `Understanding`."""

    def __init__(self, program: Program) -> None:
        self._grammar = program.grammar
        self._same_sound = alike_by(program.measures.distance)

    def __call__(
        self, utterance: Utterance, speaker: str | None, listening: Listening
    ) -> tuple[tuple[Intent, ...], str | None]:
        """Return the intents, and what is unclear when there are none and somebody meant the host."""
        meaning = interpret(utterance, speaker, listening, self._grammar, self._same_sound)
        return ((), meaning.reason) if isinstance(meaning, Unclear) else (meaning, None)
