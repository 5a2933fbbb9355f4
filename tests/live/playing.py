"""A whole evening over the virtual sound card: the host as a user starts it, the table beside it, and what came of both."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.live.card_table import CardTable, SpokenLine
from tests.live.evenings import Event, LiveEvening, read_events, start_host, with_answers
from tests.live.recording import Recording
from tests.live.screen import Screen
from tests.live.sound_server import SoundServer
from voice_host.faults import FAULTS
from voice_host.journal import Heard, read_entries
from voice_host.tables.robot import Act, Line

_NEAR_SECONDS: Final = 0.8
"""By so much the ear and the sound card may differ on when somebody spoke."""


@dataclass(frozen=True, slots=True)
class HeardAt:
    """An utterance that the host heard, in seconds of the clock (`time.monotonic`)."""

    text: str
    began: float
    ended: float
    acted: bool
    """Whether it meant anything to the host."""


@dataclass(frozen=True)
class Played:
    """What came of an evening."""

    exit_code: int
    events: list[Event]
    heard: list[HeardAt]
    spoken: list[SpokenLine]
    origin: float
    """The second of the clock at which the evening's second 0 was."""
    room: Recording
    microphone: Recording
    notices: str

    def heard_of_nobody(self) -> list[str]:
        """Return the texts that the host heard while nobody of the table spoke: its own voice, or noise."""
        return [one.text for one in self._of_nobody()]

    def acted_on_nobody(self) -> list[str]:
        """Return those of them that meant something to the host."""
        return [one.text for one in self._of_nobody() if one.acted]

    def _of_nobody(self) -> list[HeardAt]:
        return [one for one in self.heard if not any(_overlap(line, one.began, one.ended) for line in self.spoken)]

    def spoken_in_vain(self) -> list[SpokenLine]:
        """Return the lines of the table that the host did not hear."""
        return [line for line in self.spoken if not any(_overlap(line, one.began, one.ended) for one in self.heard)]


def _overlap(line: SpokenLine, began: float, ended: float) -> bool:
    return began < line.ended + _NEAR_SECONDS and ended > line.began - _NEAR_SECONDS


def play_live(
    evening: LiveEvening,
    server: SoundServer,
    reference: Sequence[Event],
    scratch: Path,
    *,
    more: Sequence[str] = (),
    begins: Callable[[int, Act, Screen, subprocess.Popen[bytes]], None] = lambda _place, _act, _screen, _host: None,
) -> Played:
    """Play an evening to its end in real time; ``begins`` is told each act of the table when it begins."""
    acts = with_answers(evening.acts, reference)
    table, screen = CardTable(server), Screen(scratch / "events.jsonl")
    host = start_host(evening, server.environment, scratch, more)
    try:
        table.play(
            acts,
            evening.clips,
            lambda: host.poll() is not None,
            lambda place, act: begins(place, act, screen, host),
            lambda: screen.paused in FAULTS,
        )
    finally:
        if host.poll() is None:
            host.kill()
        exit_code = host.wait()
        screen.close()
        table.close()
    journal = next((scratch / "journal").glob("*.evening"), None)
    heard = [] if journal is None else [entry for _, entry in read_entries(journal) if isinstance(entry, Heard)]
    return Played(
        exit_code,
        read_events(scratch / "events.jsonl"),
        [
            HeardAt(
                one.utterance.hypotheses[0],
                one.utterance.started + screen.origin,
                one.utterance.ended + screen.origin,
                acted=bool(one.intents),
            )
            for one in heard
        ],
        table.located(evening.clips),
        screen.origin,
        table.room,
        table.microphone,
        (scratch / "notices").read_text(encoding="utf-8"),
    )


def skip_if_too_slow(played: Played) -> None:
    """Skip the test of an evening in which the host told the table that its machine had too much to do."""
    if any(event["type"] == "said" and event["prompt"] == "machine_slow" for event in played.events):
        pytest.skip("this machine was too busy for an evening in real time, and the host said so")


def lines_of(acts: Sequence[Act]) -> list[Line]:
    """Return what is said in an evening, in order."""
    return [act for act in acts if isinstance(act, Line)]
