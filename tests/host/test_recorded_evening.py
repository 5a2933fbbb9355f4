"""Recorded evenings: real voices' sound through the real endpointer, recogniser, interpreter, judge and synthesiser."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from voice_host.commands.demo import DemoRequest, demo, load_evening
from voice_host.commands.play import PlayRequest, first_entry, play
from voice_host.errors import HostError, UsageError
from voice_host.hearing.sound_files import Samples
from voice_host.journal import Journal
from voice_host.live import Session
from voice_host.program import Program
from voice_host.running import Kept
from voice_host.speaking.clip import Clip, resample
from voice_host.speaking.loudspeaker import FileLoudspeaker, SilentLoudspeaker
from voice_host.tables.robot import Act, Bell, HostSpoke, Hush, Line, RobotTable, Until, parse_acts
from voice_host.virtual_time import run

NIGHT_END = "What's the score?"
"""What somebody asks when the demo's first night is scored."""


def _events(path: Path) -> list[Mapping[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _first_night(folder: Path, program: Program, **chosen: Any) -> list[Mapping[str, Any]]:
    """Let the demo's people play their first night as the whole evening; returns its events."""
    acts, clips, own_cards = load_evening(DemoRequest("en"))
    request = PlayRequest("when-i-dream", "en", seed=3, rounds=1, cards=chosen.get("cards", own_cards))
    journal = Journal.create(folder / "night.evening", sync=False)
    session = Session("en", None, chosen.get("loudspeaker") or SilentLoudspeaker())
    try:
        session.play(
            program,
            Kept(journal, (), first_entry(request, deal="table")),
            lambda room: RobotTable(_until_night_end(acts), clips, room),
            virtual=True,
            events=folder / "night.jsonl",
        )
    finally:
        journal.close()
    return _events(folder / "night.jsonl")


def _until_night_end(acts: Sequence[Act]) -> tuple[Act, ...]:
    return tuple(itertools.takewhile(lambda act: not (isinstance(act, Line) and act.text == NIGHT_END), acts))


def _zones(events: list[Mapping[str, Any]]) -> tuple[set[str], set[str]]:
    table = [event["view"] for event in events if event["type"] == "view" and event["viewer"] == "table"][-1]
    return set(table["yellow"]), set(table["blue"])


def test_a_recorded_night_is_heard_judged_and_scored(english: Program, tmp_path: Path) -> None:
    events = _first_night(tmp_path, english, loudspeaker=FileLoudspeaker(tmp_path / "room.wav"))
    assert _zones(events) == ({"elephant", "pirate", "castle", "umbrella"}, {"volcano", "telescope"})
    assert events[-1]["scores"] == {"Amy": 6, "Ben": 4, "Cleo": 1, "Dan": 2}
    assert all(event["speaker"] is None for event in events if event["type"] == "heard")
    room, rate = soundfile.read(tmp_path / "room.wav")
    assert len(room) / rate > 180
    assert np.abs(room).max() > 0.1


@pytest.mark.full
def test_under_other_cards_the_same_voices_score_nothing(english: Program, tmp_path: Path) -> None:
    cards = tmp_path / "cards.txt"
    cards.write_text("kitten\nwindow\nspoon\ncactus\ntrumpet\nviolin\ngarage\npencil\n", encoding="utf-8")
    yellow, blue = _zones(_first_night(tmp_path, english, cards=cards))
    assert yellow == set()
    assert len(blue) == 6


@pytest.mark.full
def test_under_a_shuffled_deck_the_evening_still_comes_to_its_end(english: Program, tmp_path: Path) -> None:
    events = _first_night(tmp_path, english, cards=None)
    assert events[-1]["type"] == "final"
    assert sorted(events[-1]["scores"]) == ["Amy", "Ben", "Cleo", "Dan"]


def test_the_demo_plays_four_rounds_to_the_winner(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert demo(DemoRequest("en", events=tmp_path / "demo.jsonl")) == 0
    events = _events(tmp_path / "demo.jsonl")
    nights = [event for event in events if event.get("prompt") == "night_falls"]
    assert len(nights) == 4
    assert len(events[-1]["scores"]) == 4
    assert events[-1]["winners"]
    printed = capsys.readouterr().out
    assert all(f"{name} " in printed for name in ("Amy", "Ben", "Cleo", "Dan"))
    meant = {intent["name"] for event in events if event["type"] == "heard" for intent in event["intents"]}
    everything = {"guess", "clue", "give_up", "pass", "foul", "withdraw", "correct_guess", "story", "wake_up", "appeal"}
    assert (
        everything | {"agree", "disagree", "no_objections", "claim_role", "ready", "pause", "resume", "score"} <= meant
    )


def test_a_recording_as_the_microphone_plays_a_lobby_and_says_that_it_ended_too_soon(
    english: Program, tmp_path: Path
) -> None:
    acts, clips, _ = load_evening(DemoRequest("en"))
    lines = [act for act in acts if isinstance(act, Line)][:3]
    gap = np.zeros(16_000 * 20, np.float32)
    sound = np.concatenate([piece for line in lines for piece in (gap, clips[line])])
    stereo = np.repeat(np.stack([sound, np.zeros_like(sound)], axis=1), 2, axis=0)  # 32 kHz, one channel silent
    soundfile.write(tmp_path / "table.wav", stereo, 32_000)
    request = PlayRequest(
        "when-i-dream",
        "en",
        mic=str(tmp_path / "table.wav"),
        speaker="none",
        fast=True,
        events=tmp_path / "events.jsonl",
        journal=tmp_path / "journal",
    )
    with pytest.raises(HostError, match="recording ended before the evening") as ended:
        play(request, english)
    assert ended.value.exit_code == 1
    players = [event["view"]["players"] for event in _events(tmp_path / "events.jsonl") if event["type"] == "view"]
    assert players[-1] == ["Amy", "Ben"]


def test_who_has_a_name_that_is_in_no_list_hears_it_in_the_own_voice(english: Program, tmp_path: Path) -> None:
    acts, clips, _ = load_evening(DemoRequest("en"))
    (rocket,) = {act for act in acts if isinstance(act, Line) and (act.person, act.text) == ("Cleo", "Rocket.")}
    spoken = [act for act in acts if isinstance(act, Line)][:2]
    table = [spoken[0], rocket, spoken[1]]
    journal = Journal.create(tmp_path / "lobby.evening", sync=False)
    session = Session("en", None, FileLoudspeaker(tmp_path / "room.wav"))
    with pytest.raises(HostError, match="ended before"):
        session.play(
            english,
            Kept(journal, (), first_entry(PlayRequest("when-i-dream", "en"), deal="table")),
            lambda room: RobotTable(table, clips, room),
            virtual=True,
            events=tmp_path / "events.jsonl",
        )
    journal.close()
    assert [event["view"]["uncertain"] for event in _events(tmp_path / "events.jsonl") if event["type"] == "view"][
        -1
    ] == ["Rocket"]
    heard, rate = soundfile.read(tmp_path / "room.wav", dtype="float32")
    assert _likeness(resample(Clip(heard, rate), 16_000).samples, clips[rocket]) > 0.9
    assert _likeness(resample(Clip(heard, rate), 16_000).samples, clips[spoken[0]]) < 0.5


def _likeness(room: Samples, clip: Samples) -> float:
    """Return the highest normalised cross-correlation of a clip with any place of the room's sound."""
    size = len(room) + len(clip)
    products = np.fft.irfft(np.fft.rfft(room, size) * np.conj(np.fft.rfft(clip, size)), size)[: len(room) - len(clip)]
    sums = np.concatenate([[0.0], np.cumsum(room.astype(np.float64) ** 2)])
    energy = (sums[len(clip) :] - sums[: -len(clip)])[: len(products)]
    return float(np.max(products / np.sqrt(np.maximum(energy, 1e-2) * np.sum(clip**2))))


@pytest.mark.parametrize(
    ("content", "sentence"), [(b"", "sound"), (b"RIFF nonsense", "sound file"), (None, "no sound file")]
)
def test_a_recording_that_is_none_is_refused_before_anything_is_kept(
    english: Program, tmp_path: Path, content: bytes | None, sentence: str
) -> None:
    path = tmp_path / "table.wav"
    if content is not None:
        path.write_bytes(content)
    request = PlayRequest("when-i-dream", "en", mic=str(path), speaker="none", fast=True, journal=tmp_path / "journal")
    with pytest.raises(UsageError, match=sentence):
        play(request, english)


def test_fast_needs_a_recording(english: Program, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--fast needs a recording"):
        play(PlayRequest("when-i-dream", "en", fast=True, journal=tmp_path / "journal"), english)


# ------------------------------------------------------------------------------------------------------ the robot table


class _Host:
    """A host that speaks during given seconds and rings at one."""

    def __init__(self, speaks: Sequence[tuple[float, float]], rings_at: float) -> None:
        self.second = 0.0
        self._speaks = speaks
        self._rings_at = rings_at

    def silent_seconds(self) -> float:
        ended = [end for start, end in self._speaks if start <= self.second]
        return max(0.0, self.second - max(ended, default=-10.0))

    def bells(self) -> int:
        return int(self.second >= self._rings_at)


def _spoken_at(acts: Sequence[Act], host: _Host) -> list[float]:
    """Return the seconds at which the lines of a table begin."""
    clips = {act: np.ones(16_000, np.float32) for act in acts if isinstance(act, Line)}

    async def listen() -> list[float]:
        began, silent, number = [], True, 0
        async for block in RobotTable(acts, clips, host, closing_seconds=1.0).blocks():
            number += 1
            host.second = number * 512 / 16_000
            if silent and block.any():
                began.append(host.second)
            silent = not block.any()
        return began

    return run(listen(), virtual=True)


def test_the_table_speaks_when_the_host_has_been_silent_for_a_moment() -> None:
    (began,) = _spoken_at([Line("Amy", "hello")], _Host([(0.5, 7.0)], 1e9))
    assert 7.4 <= began <= 7.6


def test_the_table_waits_for_the_bell_and_holds_its_tongue() -> None:
    one, two = _spoken_at([Bell(), Line("Amy", "hello"), Hush(6), Line("Ben", "hello")], _Host([], 30.0))
    assert 31.0 <= one <= 31.2
    assert 7 + one <= two - 1 <= 7.3 + one


def test_a_bell_that_never_rings_does_not_keep_the_table_for_ever() -> None:
    (began,) = _spoken_at([Bell(), Line("Amy", "hello")], _Host([], 1e9))
    assert 180 < began < 183


def test_the_table_waits_until_the_host_has_said_something() -> None:
    (began,) = _spoken_at([HostSpoke(), Line("Amy", "hello")], _Host([(5.0, 7.0)], 1e9))
    assert 7.4 <= began <= 7.6


def test_a_host_that_does_not_answer_does_not_keep_the_table_for_ever() -> None:
    (began,) = _spoken_at([HostSpoke(12.0), Line("Amy", "hello")], _Host([], 1e9))
    assert 11.9 <= began <= 12.2


def test_the_table_waits_for_what_it_sees() -> None:
    seen = iter([False] * 99 + [True])
    (began,) = _spoken_at([Until(lambda: next(seen)), Line("Amy", "hello")], _Host([], 1e9))
    assert 4.1 <= began <= 4.4


def test_senseless_lines_of_a_table_are_named() -> None:
    acts = (Line("Amy", "hello"), Hush(6.0), Bell(), HostSpoke())
    assert parse_acts("# x\nAmy: hello\n@wait 6\n@bell\n@host\n", "e.txt") == acts
    for line in ("hello", "@wait", "@wait soon", "@sing", "Amy:"):
        with pytest.raises(UsageError, match=r"e\.txt, line 2"):
            parse_acts(f"Amy: hello\n{line}\n", "e.txt")
