"""Scripts of typed evenings: what they mean, and that a senseless line is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from voice_host.errors import UsageError
from voice_host.tables.script import Kill, Silence, Spoken, parse_script, read_script


def test_every_kind_of_line() -> None:
    text = "# an evening\n\nAmy: I guess dragon\n?: dragon\n@wait 5.0\n@kill\nben：水\n"
    assert parse_script(text, "evening.txt", ("Amy", "Ben")) == (
        Spoken(3, "Amy", "I guess dragon"),
        Spoken(4, None, "dragon"),
        Silence(5, 5.0),
        Kill(6),
        Spoken(7, "Ben", "水"),
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("dragon", "'dragon' makes no sense"),
        ("Amy:", "'Amy:' makes no sense"),
        (": dragon", "makes no sense"),
        ("Zoe: dragon", "nobody at the table is called 'Zoe'"),
        ("@wait", "write '@wait SECONDS'"),
        ("@wait soon", "write '@wait SECONDS'"),
        ("@wait -1", "write '@wait SECONDS'"),
        ("@wait nan", "write '@wait SECONDS'"),
        ("@wait inf", "write '@wait SECONDS'"),
        ("@dance", "write '@wait SECONDS'"),
    ],
)
def test_a_line_without_sense_is_refused_by_its_number(line: str, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_script(f"# one\n{line}\n", "evening.txt", ("Amy",))
    assert "evening.txt, line 2:" in str(refused.value)
    assert said in str(refused.value)


def test_a_script_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "script"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="not UTF-8"):
        read_script(path, None)
    with pytest.raises(UsageError, match="cannot be read"):
        read_script(tmp_path / "nothing", None)
