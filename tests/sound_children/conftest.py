"""A sound server for the tests of this folder, and an environment that leads to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.sound_children.pulse_server import PulseServer


@pytest.fixture(scope="module")
def running() -> Iterator[PulseServer]:
    server = PulseServer()
    server.start()
    yield server
    server.close()


@pytest.fixture
def server(running: PulseServer, monkeypatch: pytest.MonkeyPatch) -> PulseServer:
    """Return the server that this process's devices are on."""
    for name in ("PULSE_SINK", "PULSE_SOURCE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in running.environment.items():
        monkeypatch.setenv(name, value)
    return running
