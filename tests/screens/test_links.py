"""The links survive a crash, can be replaced, and are nobody else's to read."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from voice_host.errors import UsageError
from voice_host.screens.links import Links


def _ignored(_: str) -> None:
    pass


def test_links_are_the_same_after_a_crash(tmp_path: Path) -> None:
    links = Links(tmp_path / "e.links", _ignored)
    tokens = {viewer: links.token_of(viewer) for viewer in ("table", "Amy", "Ben")}
    links.keep_port(4711)
    again = Links(tmp_path / "e.links", _ignored)
    assert {viewer: again.token_of(viewer) for viewer in tokens} == tokens
    assert again.port == 4711
    assert len(set(tokens.values())) == 3
    assert all(len(token) >= 22 for token in tokens.values())
    assert stat.S_IMODE((tmp_path / "e.links").stat().st_mode) == 0o600


def test_a_replaced_token_opens_nothing(tmp_path: Path) -> None:
    links = Links(tmp_path / "e.links", _ignored)
    old = links.token_of("Amy")
    assert links.viewer_of(old) == "Amy"
    links.renew("Amy")
    assert links.viewer_of(old) is None
    assert links.viewer_of(links.token_of("Amy")) == "Amy"
    assert Links(tmp_path / "e.links", _ignored).viewer_of(old) is None


@pytest.mark.parametrize("token", ["", "x", "\ud800", "é" * 30, "table", "Amy"])
def test_what_is_no_token_opens_nothing(tmp_path: Path, token: str) -> None:
    links = Links(tmp_path / "e.links", _ignored)
    links.token_of("Amy")
    assert links.viewer_of(token) is None


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"tokens": {"table": ""}, "port": 1}', '{"tokens": {}, "port": "x"}', '{"port": null}']
)
def test_a_file_that_cannot_be_understood_is_replaced_with_a_word(tmp_path: Path, text: str) -> None:
    (tmp_path / "e.links").write_text(text, encoding="utf-8")
    notices: list[str] = []
    links = Links(tmp_path / "e.links", notices.append)
    assert len(links.token_of("table")) >= 22
    assert len(notices) == 1


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"e\.links"):
        Links(tmp_path / "missing" / "e.links", _ignored)
