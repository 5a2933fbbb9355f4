"""What every test relies on: the settings of whoever runs the tests count for nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from voice_host.configured import PREFIX
from voice_host.settings import CONFIG_VARIABLE

FULL = "--full"

_KEPT = {f"{PREFIX}MODELS"}


@pytest.fixture(autouse=True)
def no_settings(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the settings file be one that is not there yet; return its path."""
    for name in list(os.environ):
        if name.startswith(PREFIX) and name not in _KEPT:
            monkeypatch.delenv(name)
    path = tmp_path_factory.mktemp("config") / "settings.toml"
    monkeypatch.setenv(CONFIG_VARIABLE, str(path))
    return path


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(FULL, action="store_true", help="play the evenings that take minutes of real time, too")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"full: takes minutes of real time; played with {FULL}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption(FULL):
        for item in items:
            if item.get_closest_marker("full") is not None:
                item.add_marker(pytest.mark.skip(reason=f"takes minutes of real time; run pytest {FULL}"))
