"""Loudspeakers without a device: the clock they keep, what is in the file, and what a stop, a kill and a full disk do."""

from __future__ import annotations

import asyncio
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import soundfile

from voice_host.errors import UsageError
from voice_host.speaking.clip import Clip, silence
from voice_host.speaking.loudspeaker import FileLoudspeaker, Loudspeaker, LoudspeakerLost, SilentLoudspeaker
from voice_host.speaking.mixer import DUCK_GAIN, FADE_SECONDS
from voice_host.speaking.tap import TAP_RATE
from voice_host.virtual_time import run

RATE = 22050


def ones(seconds: float, sample_rate: int = RATE) -> Clip:
    return Clip(np.full(round(seconds * sample_rate), 0.5, np.float32), sample_rate)


def heard(path: Path) -> tuple[np.ndarray, int]:
    samples, sample_rate = soundfile.read(path, dtype="float32")
    return samples, sample_rate


def stretches(samples: np.ndarray) -> list[tuple[int, int]]:
    """Return where sound begins and ends, in samples."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], np.abs(samples) > 0.1, [0]])))
    return [(int(first), int(last)) for first, last in edges.reshape(-1, 2)]


def test_a_clip_takes_its_time_and_no_real_time_on_a_virtual_clock(tmp_path: Path) -> None:
    async def evening(loudspeaker: Loudspeaker) -> float:
        begin = asyncio.get_running_loop().time()
        for _ in range(60):
            await loudspeaker.play(ones(10.0))
        return asyncio.get_running_loop().time() - begin

    real = time.monotonic()
    assert run(evening(SilentLoudspeaker()), virtual=True) == pytest.approx(600)
    assert run(evening(SilentLoudspeaker(takes_time=False)), virtual=True) == 0
    assert run(evening(FileLoudspeaker(tmp_path / "room.wav")), virtual=True) == pytest.approx(600)
    assert time.monotonic() - real < 20


def test_the_file_holds_each_clip_at_its_second_and_silence_between(tmp_path: Path) -> None:
    path = tmp_path / "room.wav"

    async def evening() -> None:
        await asyncio.sleep(5.0)
        loudspeaker = FileLoudspeaker(path)
        await asyncio.sleep(1.2345)
        await loudspeaker.play(ones(0.75))
        await asyncio.sleep(100.0)
        await loudspeaker.play(ones(0.5, 48000))
        await loudspeaker.play(ones(0.25))
        await asyncio.sleep(2.0)
        loudspeaker.close()
        loudspeaker.close()

    run(evening(), virtual=True)
    samples, sample_rate = heard(path)
    assert sample_rate == RATE
    first, second = stretches(samples)
    assert first == (round(1.2345 * RATE), round(1.2345 * RATE) + round(0.75 * RATE))
    assert second[0] == pytest.approx(101.9845 * RATE, abs=20)  # converting softens the edge by a few samples
    assert second[1] - second[0] == pytest.approx(0.75 * RATE, abs=20)
    assert len(samples) == pytest.approx((1.2345 + 0.75 + 100 + 0.75 + 2.0) * RATE, abs=2)


def test_many_short_clips_at_odd_times_stay_on_their_sample(tmp_path: Path) -> None:
    path = tmp_path / "room.wav"
    begins: list[float] = []

    async def evening() -> None:
        loudspeaker = FileLoudspeaker(path)
        loop = asyncio.get_running_loop()
        for number in range(300):
            await asyncio.sleep(0.0173 + number / 997)
            begins.append(loop.time())
            await loudspeaker.play(ones((number + 50) / RATE))
        loudspeaker.close()

    run(evening(), virtual=True)
    found = stretches(heard(path)[0])
    assert [first for first, _ in found] == [round(begin * RATE) for begin in begins]
    assert [last - first for first, last in found] == [number + 50 for number in range(300)]


def test_stop_fades_out_from_its_sample_on_and_ends_play(tmp_path: Path) -> None:
    path = tmp_path / "room.wav"

    async def evening() -> float:
        loudspeaker = FileLoudspeaker(path)
        loop = asyncio.get_running_loop()
        loop.call_later(0.333, loudspeaker.stop)
        await loudspeaker.play(ones(5.0))
        ended = loop.time()
        assert not loudspeaker.playing
        await asyncio.sleep(1.0)
        loudspeaker.stop()  # in silence: harmless, and the next clip is whole
        await loudspeaker.play(ones(0.1))
        loudspeaker.close()
        return ended

    assert run(evening(), virtual=True) == pytest.approx(0.333)
    samples = heard(path)[0]
    first, second = stretches(samples)
    cut, fade = round(0.333 * RATE), round(FADE_SECONDS * RATE)
    assert np.array_equal(samples[:cut], np.full(cut, samples[0]))
    assert (np.diff(samples[cut : cut + fade]) < 0).all()
    assert not samples[cut + fade : cut + 100 + fade].any()
    assert first[0] == 0
    assert first[1] == pytest.approx(cut + 0.8 * fade, abs=2)
    assert second == (round(1.333 * RATE), round(1.333 * RATE) + round(0.1 * RATE))


def test_a_cancelled_clip_was_heard_up_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "room.wav"

    async def evening() -> None:
        loudspeaker = FileLoudspeaker(path)
        playing = asyncio.create_task(loudspeaker.play(ones(5.0)))
        await asyncio.sleep(0.25)
        assert loudspeaker.playing
        playing.cancel()
        await asyncio.wait([playing])
        assert not loudspeaker.playing
        loudspeaker.close()

    run(evening(), virtual=True)
    ((first, last),) = stretches(heard(path)[0])
    assert first == 0
    assert last == pytest.approx(0.25 * RATE, abs=1)


def test_a_tick_is_mixed_over_speech_at_its_sample_and_cuts_nothing(tmp_path: Path) -> None:
    path = tmp_path / "room.wav"

    async def evening() -> tuple[bool, float]:
        loudspeaker = FileLoudspeaker(path)
        loop = asyncio.get_running_loop()
        ticks = [asyncio.create_task(loudspeaker.overlay(ones(0.05), at)) for at in (0.7, 1.5)]
        await loudspeaker.play(Clip(np.full(RATE, 0.25, np.float32), RATE))
        await asyncio.sleep(0.2)
        assert not loudspeaker.playing  # what only waits for its time is not heard
        await ticks[1]
        ended = loop.time()
        playing = loudspeaker.playing
        await loudspeaker.overlay(ones(0.05), 0.2)  # too late: at once
        loudspeaker.close()
        return playing, ended

    playing, ended = run(evening(), virtual=True)
    assert not playing
    assert ended == pytest.approx(1.55, abs=1 / RATE)
    samples = np.round(heard(path)[0], 3)
    expected = np.zeros(len(samples))
    expected[:RATE] = 0.25
    for at in (0.7, 1.5, ended):
        expected[round(at * RATE) : round(at * RATE) + round(0.05 * RATE)] += 0.5
    assert np.array_equal(samples, expected)


def test_stop_leaves_what_is_overlaid_and_cancelling_cuts_it(tmp_path: Path) -> None:
    path = tmp_path / "room.wav"

    async def evening() -> None:
        loudspeaker = FileLoudspeaker(path)
        bell = asyncio.create_task(loudspeaker.overlay(ones(1.0)))
        never = asyncio.create_task(loudspeaker.overlay(ones(1.0), 3.0))
        speech = asyncio.create_task(loudspeaker.play(ones(0.8)))
        await asyncio.sleep(0.25)
        loudspeaker.stop()
        await speech
        await asyncio.sleep(0.25)
        assert loudspeaker.playing
        for task in (bell, never):
            task.cancel()
        await asyncio.wait([bell, never])
        assert not loudspeaker.playing
        await asyncio.sleep(4.0)
        loudspeaker.close()

    run(evening(), virtual=True)
    samples = heard(path)[0]
    ((first, last),) = stretches(samples)
    assert first == 0
    assert last == pytest.approx(0.5 * RATE, abs=FADE_SECONDS * RATE)
    assert samples[round(0.4 * RATE)] == pytest.approx(0.5, abs=0.001)


def test_ducking_and_volume_take_effect_within_thirty_milliseconds_and_are_undone(tmp_path: Path) -> None:
    path = tmp_path / "room.wav"

    async def evening() -> None:
        loudspeaker = FileLoudspeaker(path)
        loop = asyncio.get_running_loop()
        loop.call_later(1.0, loudspeaker.duck, True)  # noqa: FBT003 - the protocol's
        loop.call_later(2.0, loudspeaker.duck, False)  # noqa: FBT003 - the protocol's
        loop.call_later(3.0, setattr, loudspeaker, "volume", 0.5)
        await loudspeaker.play(ones(4.0))
        assert loudspeaker.volume == 0.5
        loudspeaker.close()

    run(evening(), virtual=True)
    samples = heard(path)[0]
    for second, gain in ((0.99, 1.0), (1.03, DUCK_GAIN), (1.99, DUCK_GAIN), (2.03, 1.0), (2.99, 1.0), (3.03, 0.5)):
        assert samples[round(second * RATE) + 1] == pytest.approx(0.5 * gain, abs=0.001)
    assert np.abs(np.diff(samples)).max() < 0.002  # no clicks


def test_the_tap_is_told_what_is_heard_and_when(tmp_path: Path) -> None:
    pieces: list[tuple[np.ndarray, float]] = []

    async def evening() -> None:
        loudspeaker = FileLoudspeaker(tmp_path / "room.wav")
        loudspeaker.tap = lambda samples, at: pieces.append((samples, at))
        loop = asyncio.get_running_loop()
        for begin in (1.0, 2.5):
            await asyncio.sleep(begin - loop.time())
            time_ = np.arange(RATE) / RATE
            await loudspeaker.play(Clip((0.5 * np.sin(2 * np.pi * 440 * time_)).astype(np.float32), RATE))
        loudspeaker.close()

    run(evening(), virtual=True)
    told = np.zeros(4 * TAP_RATE)
    for samples, at in pieces:
        first = round(at * TAP_RATE)
        assert at * TAP_RATE == pytest.approx(first, abs=0.5)
        told[first : first + len(samples)] += samples
    expected = np.zeros(4 * TAP_RATE)
    for begin in (1.0, 2.5):
        expected[round(begin * TAP_RATE) :][:TAP_RATE] = 0.5 * np.sin(2 * np.pi * 440 * np.arange(TAP_RATE) / TAP_RATE)
    assert np.abs(told - expected).max() < 0.05
    assert np.abs(told - expected)[round(1.1 * TAP_RATE) : round(1.9 * TAP_RATE)].max() < 0.005


def test_two_clips_at_once_are_a_mistake_of_the_caller() -> None:
    async def evening() -> None:
        loudspeaker = SilentLoudspeaker()
        playing = asyncio.create_task(loudspeaker.play(silence(1.0)))
        await asyncio.sleep(0.1)
        with pytest.raises(RuntimeError, match="already"):
            await loudspeaker.play(silence(1.0))
        await playing

    run(evening(), virtual=True)


@pytest.mark.parametrize("name", ["no/such/folder/room.wav", "", "/dev/null"])
def test_an_unwritable_file_is_refused_at_once(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="loudspeaker file"):
        FileLoudspeaker(tmp_path / name)


@pytest.fixture
def little_disk() -> Iterator[None]:
    """Let no file of this process grow beyond 60 kB, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.usefixtures("little_disk")
def test_a_full_disk_is_told_and_the_evening_goes_on_in_time(tmp_path: Path) -> None:
    path = tmp_path / "room.wav"

    async def evening() -> None:
        loudspeaker = FileLoudspeaker(path)
        loop = asyncio.get_running_loop()
        for number in range(3):
            begin = loop.time()
            if number == 0:
                await loudspeaker.play(ones(1.0))
            else:
                with pytest.raises(LoudspeakerLost, match="free disk space"):
                    await loudspeaker.play(ones(1.0))
            assert loop.time() - begin == pytest.approx(1.0)
        loudspeaker.close()

    run(evening(), virtual=True)
    assert len(heard(path)[0]) >= RATE


def test_a_killed_host_leaves_a_file_that_plays(tmp_path: Path) -> None:
    path = tmp_path / "room.wav"
    program = (
        "import asyncio, sys; from pathlib import Path; from voice_host.speaking.clip import Clip; import numpy as np\n"
        "from voice_host.speaking.loudspeaker import FileLoudspeaker\n"
        "async def main():\n"
        "    speaker = FileLoudspeaker(Path(sys.argv[1])); print('up', flush=True)\n"
        "    await speaker.play(Clip(np.full(22050 * 60, .5, np.float32), 22050))\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.75)
        process.send_signal(signal.SIGKILL)
    samples, sample_rate = heard(path)
    assert sample_rate == RATE
    assert 0.4 <= len(samples) / RATE <= 0.9
    assert stretches(samples)[0][1] == len(samples)  # whole to its end
