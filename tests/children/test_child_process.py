"""Real children that are stopped, killed, hung and crashed: each end is told once, in time, and nothing is left."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from voice_host.child_process import ChildLost, ChildProcess, Values

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and process ids as on Linux and macOS")

Start = Callable[..., "Child"]


class Child:
    """A child whose messages and end are collected."""

    def __init__(self, main: str, *arguments: str, silence_seconds: float = 1.5) -> None:
        self.messages: queue.Queue[tuple[Values, bytes]] = queue.Queue()
        self.ends: list[tuple[str, float]] = []
        self.process = ChildProcess(
            "the echo",
            f"tests.children.children:{main}",
            arguments,
            on_message=lambda values, data: self.messages.put((values, data)),
            on_end=lambda sentence: self.ends.append((sentence, time.monotonic())),
            silence_seconds=silence_seconds,
        )

    def message(self) -> Values:
        return self.messages.get(timeout=20)[0]

    def ended(self) -> str:
        """Return the one sentence of how it ended."""
        assert self.process.wait(20)
        ((sentence, _),) = self.ends
        return sentence


@pytest.fixture
def start() -> Iterator[Start]:
    children: list[Child] = []

    def started(*words: Any, **named: Any) -> Child:
        children.append(Child(*words, **named))
        return children[-1]

    yield started
    for child in children:
        child.process.kill()
        assert child.process.wait(10)


def test_values_and_sound_go_there_and_back(start: Start) -> None:
    child = start("echo", "grüß 你好")
    assert child.message() == {"greeting": "grüß 你好"}
    for count in (0, 1, 16_000, 1_000_000):
        sound = np.linspace(-1, 1, count, dtype=np.float32)
        child.process.send({"text": "a\nb"}, sound.tobytes())
        values, data = child.messages.get(timeout=20)
        assert values == {"text": "a\nb", "size": sound.nbytes}
        np.testing.assert_array_equal(np.frombuffer(data, np.float32), sound)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV])
def test_a_killed_child_is_known_at_once(start: Start, number: signal.Signals) -> None:
    child = start("echo", "hello")
    child.message()
    os.kill(child.process.pid, number)
    assert child.ended() == f"The process of the echo has ended unexpectedly (signal {int(number)})."
    assert not child.process.alive
    with pytest.raises(ChildLost):
        child.process.send({})


def test_a_stopped_child_is_known_in_time_and_killed(start: Start) -> None:
    child = start("echo", "hello")
    child.message()
    stopped = time.monotonic()
    os.kill(child.process.pid, signal.SIGSTOP)
    assert child.ended() == "The process of the echo has not answered for 1.5 seconds."
    assert child.process.heard_at - stopped < 0.5
    assert not child.process.alive


@pytest.mark.parametrize(
    ("order", "sentence"), [("crash", "signal 11"), ("die", "exit code 7"), ("raise", "exit code 1")]
)
def test_a_child_that_fails_by_itself_is_known(start: Start, order: str, sentence: str) -> None:
    child = start("echo", "hello")
    child.message()
    child.process.send({"do": order})
    assert sentence in child.ended()


def test_a_child_that_hangs_in_native_code_is_known(start: Start) -> None:
    child = start("echo", "hello")
    child.message()
    child.process.send({"do": "hold"})
    assert "has not answered" in child.ended()


def test_a_child_that_loads_slowly_is_waited_for(start: Start) -> None:
    child = start("slow_to_load", silence_seconds=0.6)
    assert child.message() == {"loaded": True}
    os.kill(child.process.pid, signal.SIGSTOP)
    assert "has not answered for 0.6 seconds" in child.ended()


def test_a_parent_that_was_stopped_itself_blames_nobody(tmp_path: Path) -> None:
    """As in a suspended machine: all of it stands still, and nothing has happened."""
    program = tmp_path / "parent.py"
    program.write_text(
        "import sys, time\n"
        f"sys.path.insert(1, {str(Path(__file__).parents[2])!r})\n"
        "from tests.children.test_child_process import Child\n"
        "child = Child('echo', 'hello', silence_seconds=0.8)\n"
        "child.message(); print(child.process.pid, flush=True)\n"
        "sys.stdin.readline(); time.sleep(0.5)\n"
        "print(child.process.alive, child.ends, flush=True); child.process.kill()\n"
    )
    with subprocess.Popen(
        [sys.executable, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdin is not None
        child = int(parent.stdout.readline())
        for pid in (child, parent.pid):
            os.kill(pid, signal.SIGSTOP)
        time.sleep(1.5)
        for pid in (parent.pid, child):
            os.kill(pid, signal.SIGCONT)
        print(file=parent.stdin, flush=True)
        assert parent.stdout.readline().split() == ["True", "[]"]


def test_children_end_with_their_parent(tmp_path: Path) -> None:
    program = tmp_path / "parent.py"
    program.write_text(
        "import sys, time\n"
        f"sys.path.insert(1, {str(Path(__file__).parents[2])!r})\n"
        "from tests.children.test_child_process import Child\n"
        "child = Child('echo', 'hello')\n"
        "child.message(); print(child.process.pid, flush=True); time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
    deadline = time.monotonic() + 10
    with contextlib.suppress(ProcessLookupError):
        while time.monotonic() < deadline:
            os.kill(child, 0)
            time.sleep(0.05)
        pytest.fail("the child lives")
