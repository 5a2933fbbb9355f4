"""A sound server for each test that wants one, and the loaded language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.live.sound_server import SoundServer, skip_without_a_sound_server
from voice_host.program import Program


@pytest.fixture
def server() -> Iterator[SoundServer]:
    skip_without_a_sound_server()
    running = SoundServer()
    try:
        running.start()
        yield running
    finally:
        running.close()


@pytest.fixture(scope="session")
def english() -> Program:
    program = Program("en")
    _ = program.measures, program.prompts, program.grammar
    return program
