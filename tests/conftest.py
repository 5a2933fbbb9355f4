"""What every test relies on: the settings of whoever runs the tests count for nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from voice_host.configured import PREFIX
from voice_host.settings import CONFIG_VARIABLE

FULL = "--full"
REAL_TIME = "--real-time"

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
    parser.addoption(REAL_TIME, action="store_true", help="run what needs real time on an idle machine, too")
    parser.addoption(FULL, action="store_true", help="the same, and the evenings that take many minutes")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"real_time: needs real time, which other tests disturb; run with {REAL_TIME}")
    config.addinivalue_line("markers", f"full: takes minutes of real time; run with {FULL}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    full = config.getoption(FULL)
    left_out = {} if full else {"full": f"takes minutes of real time; run pytest {FULL}"}
    if not full and not config.getoption(REAL_TIME):
        left_out["real_time"] = f"needs real time; run pytest -n 0 {REAL_TIME}"
    for item in items:
        for marker, reason in left_out.items():
            if item.get_closest_marker(marker) is not None:
                item.add_marker(pytest.mark.skip(reason=reason))
