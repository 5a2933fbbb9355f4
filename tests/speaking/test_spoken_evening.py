"""The real voice, the queue and a file for the room together, on a clock that jumps."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import numpy as np
import pytest
import soundfile

from voice_host.speaking.earcons import earcon
from voice_host.speaking.loudspeaker import FileLoudspeaker
from voice_host.speaking.synthesizer import ChildSynthesizer
from voice_host.speaking.voice import Finished, Started, Voice, VoiceEvent, VoiceFailed, VoiceRecovered
from voice_host.virtual_time import run

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and process ids as on Linux and macOS")


def evening(
    tmp_path: Path, script: Callable[[Voice, ChildSynthesizer], Awaitable[None]], *, start_seconds: float = 10
) -> list[VoiceEvent]:
    """Let a script use a whole voice that writes ``room.wav``, and return all that it told."""
    events: list[VoiceEvent] = []

    async def whole() -> None:
        synthesizer = ChildSynthesizer(
            "en", cache_folder=tmp_path / "speech", timeout_seconds=0.5, start_seconds=start_seconds
        )
        loudspeaker = FileLoudspeaker(tmp_path / "room.wav")
        voice = Voice(synthesizer, loudspeaker, events.append)
        running = asyncio.create_task(voice.run())
        try:
            await script(voice, synthesizer)
        finally:
            running.cancel()
            await asyncio.wait([running])
            loudspeaker.close()
            synthesizer.close()

    run(whole(), virtual=True)
    return events


def test_the_room_hears_each_line_when_it_is_told_to_have_started(tmp_path: Path) -> None:
    async def script(voice: Voice, _synthesizer: ChildSynthesizer) -> None:
        voice.say("It is night, and Amy begins to dream.", name="night_falls")
        await voice.say("Ben, your turn.")
        await asyncio.sleep(118.0)
        await voice.earcon("bell")
        await voice.say(["The dreamer is", earcon("noted"), "and wakes up."])
        await asyncio.sleep(3.0)

    real = time.monotonic()
    events = evening(tmp_path, script)
    assert time.monotonic() - real < 10
    samples, sample_rate = soundfile.read(tmp_path / "room.wav")
    audible = np.abs(samples) > 0.003
    started = [event for event in events if isinstance(event, Started)]
    finished = [event for event in events if isinstance(event, Finished)]
    assert len(started) == len(finished) == 4
    heard = np.zeros(len(samples), bool)
    for begin, end in zip(started, finished, strict=True):
        first, last = round(begin.at * sample_rate), round(end.at * sample_rate)
        assert audible[first : first + 300].any()
        heard[first:last] = True
    assert not audible[~heard].any()
    assert len(samples) / sample_rate == pytest.approx(finished[-1].at + 3.0, abs=0.01)
    assert started[2].at == pytest.approx(finished[1].at + 118.0)


def test_a_hung_voice_delays_no_second_of_the_evening(tmp_path: Path) -> None:
    """The watchdog works in real time, the evening's clock stands meanwhile, and the prompt is spoken."""

    async def script(voice: Voice, synthesizer: ChildSynthesizer) -> None:
        await voice.say("It is night.")
        pid = synthesizer.child_pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        begin = asyncio.get_running_loop().time()
        await voice.say("Ben, your turn.")
        assert asyncio.get_running_loop().time() - begin < 1.5

    events = evening(tmp_path, script)
    assert not any(isinstance(event, VoiceFailed) for event in events)


def test_a_missing_voice_is_shown_once_and_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOICE_HOST_ESPEAK_FOLDER", str(tmp_path / "nowhere"))

    async def script(voice: Voice, _synthesizer: ChildSynthesizer) -> None:
        await voice.say("It is night.")
        await voice.say("Ben, your turn.")
        monkeypatch.delenv("VOICE_HOST_ESPEAK_FOLDER")
        await asyncio.sleep(15)
        await voice.say("Cleo, your turn.")

    events = evening(tmp_path, script)
    faults = [event for event in events if isinstance(event, VoiceFailed | VoiceRecovered)]
    assert [type(event) for event in faults] == [VoiceFailed, VoiceRecovered]
    lengths = {event.line.text: event.at for event in events if isinstance(event, Started)}
    ends = {event.line.text: event.at for event in events if isinstance(event, Finished)}
    attention = earcon("attention").seconds
    assert ends["Ben, your turn."] - lengths["Ben, your turn."] == pytest.approx(attention, abs=0.001)
    assert ends["Cleo, your turn."] - lengths["Cleo, your turn."] > 2 * attention


def test_the_same_evening_sounds_the_same_twice(tmp_path: Path) -> None:
    async def script(voice: Voice, _synthesizer: ChildSynthesizer) -> None:
        voice.prepare(["Next card."])
        voice.say("Dragon, noted.")
        voice.earcon("noted")
        await voice.say("Next card.")

    evening(tmp_path, script)
    first = (tmp_path / "room.wav").read_bytes()
    evening(tmp_path, script)
    assert (tmp_path / "room.wav").read_bytes() == first


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    async def script(voice: Voice, _synthesizer: ChildSynthesizer) -> None:
        await voice.say("It is night.")

    evening(tmp_path, script)
    deadline = time.monotonic() + 2  # the thread that read the child's answers sees its end
    while any(thread.name.startswith(("speaking", "voice-child")) for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    files = open_files()
    for _ in range(3):
        evening(tmp_path, script)
    assert open_files() <= files + 1


def open_files() -> int:
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.is_dir() else 0
