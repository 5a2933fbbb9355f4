"""``voice-host phrases``: prints what can be said to the host, made from the grammar itself."""

from __future__ import annotations

from voice_host.dialogue.phrases import as_text, phrase_table
from voice_host.program import Program


def run_phrases(language: str, game: str) -> int:
    """Print the table; returns the exit code."""
    print(as_text(phrase_table(Program(language, game).grammar)))
    return 0
