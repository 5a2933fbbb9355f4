"""A whole evening at a terminal without any sound, by typing; and the terminal afterwards."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.terminal.pseudo_terminal import PseudoTerminal
from voice_host.journal import Heard, is_finished, read_entries

pytestmark = [pytest.mark.real_time, pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")]

CARDS = ("dragon", "castle", "igloo", "violin")


@contextlib.contextmanager
def _playing(
    folder: Path, *more: str, size: tuple[int, int] = (80, 24), term: str = "xterm", background: bool = False
) -> Iterator[PseudoTerminal]:
    cards = folder / "cards.txt"
    cards.write_text("\n".join(CARDS), encoding="utf-8")
    settings = ("--set", "night_seconds=0", "--set", "clue_seconds=0", "--rounds", "1", "--seed", "1")
    arguments = ("--mic", "none", "--speaker", "none", "--players", "Amy,Ben,Cleo,Dan", "--no-screens")
    terminal = PseudoTerminal(
        ["play", "when-i-dream", *arguments, *settings, "--cards", str(cards), "--journal", str(folder), *more],
        size,
        term,
        background=background,
    )
    try:
        yield terminal
    finally:
        terminal.close()


def test_a_night_and_a_day_are_played_by_typing(tmp_path: Path) -> None:
    with _playing(tmp_path) as terminal:
        terminal.until("D R A G O N")
        terminal.type("Ben: claws")
        terminal.until("Cleo, a clue")
        terminal.type("Amy: my guess is dragon")
        terminal.until("C A S T L E")
        terminal.type("I can see it")
        assert "C A S T L E" not in terminal.until("The clock stands").split("The word is hidden")[-1]
        terminal.type("resume")
        terminal.until("I G L O O")
        terminal.resize((120, 40))
        terminal.type("Amy: I wake up")
        terminal.until("The dream is told")
        terminal.type("Amy: there was a dragon")
        terminal.until("☑ dragon")
        terminal.type("Amy: I wake up")
        terminal.until("By day: the cards")
        terminal.type("no objections")
        terminal.until("who was who")
        for name, role in (("Ben", "fairy"), ("Cleo", "boogeyman"), ("Dan", "sandman")):
            terminal.type(f"{name}: I was the {role}")
            if name != "Dan":
                terminal.until(f"{name}: I was the {role}")
        assert terminal.ended() == 0
        assert terminal.is_restored()
        assert "winner" in terminal.written[terminal.written.rindex("\x1b[?1049l") :]
    (journal,) = tmp_path.glob("*.evening")
    heard = [
        (entry.speaker, entry.utterance.hypotheses[0]) for _, entry in read_entries(journal) if isinstance(entry, Heard)
    ]
    assert heard[:3] == [("Ben", "claws"), ("Amy", "my guess is dragon"), (None, "I can see it")]
    assert is_finished(journal)


@pytest.mark.parametrize(
    ("how", "background"), [("SIGINT", False), ("SIGTERM", False), ("SIGHUP", False), ("SIGTERM", True)]
)
def test_whatever_ends_the_evening_leaves_the_terminal_as_it_was(tmp_path: Path, how: str, background: bool) -> None:  # noqa: FBT001
    with _playing(tmp_path, background=background) as terminal:
        terminal.until("D R A G O N")
        terminal.process.send_signal(getattr(signal, how))
        assert terminal.ended() == 130
        assert terminal.is_restored()
        assert "--resume" in terminal.written[terminal.written.rindex("\x1b[?1049l") :]


@pytest.mark.parametrize(("more", "term"), [(("--captions",), "xterm"), ((), "dumb")])
def test_without_a_table_nobody_can_type(tmp_path: Path, more: tuple[str, ...], term: str) -> None:
    with _playing(tmp_path, *more, term=term) as terminal:
        assert terminal.ended() == 2
        assert "takes a terminal" in terminal.written.replace("\r\n", " ")
        assert not list(tmp_path.glob("*.evening"))
