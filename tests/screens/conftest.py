"""What the tests of the pages share: one loaded language."""

from __future__ import annotations

import pytest

from voice_host.program import Program


@pytest.fixture(scope="session")
def english() -> Program:
    program = Program("en")
    _ = program.measures, program.prompts, program.grammar
    return program
