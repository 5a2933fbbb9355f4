"""What the tests of evenings share: one loaded language, and evenings played in processes of their own that may be killed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from voice_host.commands.play import PlayRequest, play
from voice_host.errors import HostError
from voice_host.program import Program


@pytest.fixture(scope="session")
def english() -> Program:
    program = Program("en")
    _ = program.measures, program.prompts, program.grammar
    return program


@pytest.fixture(scope="session")
def odyssey() -> Program:
    program = Program("en", "dixit-odyssey")
    _ = program.measures, program.prompts, program.grammar, program.scenes
    return program


@pytest.fixture
def play_in_child(english: Program, odyssey: Program, tmp_path: Path) -> Callable[..., int]:
    """Play in a forked process; returns its exit code, or minus the signal that ended it."""

    def run(request: PlayRequest, prepare: Callable[[], None] = lambda: None) -> int:
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            code = 70
            try:
                os.dup2(os.open(tmp_path / "output", os.O_WRONLY | os.O_CREAT | os.O_APPEND), 1)
                prepare()
                code = play(request, odyssey if request.game == odyssey.game else english)
            except HostError as error:
                code = error.exit_code
            finally:
                os._exit(code)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    return run
