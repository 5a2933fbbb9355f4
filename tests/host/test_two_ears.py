"""The dreamer's own microphone beside the table's: each utterance belongs to one of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from voice_host.commands.demo import DemoRequest, load_evening
from voice_host.commands.play import PlayRequest, play
from voice_host.errors import HostError, UsageError
from voice_host.hearing.microphone import Block, FileMicrophone
from voice_host.hearing.recognizers import Capabilities, Recognition
from voice_host.hearing.sound_files import Samples
from voice_host.hearing.voice_activity import BLOCK_SAMPLES, BLOCK_SECONDS
from voice_host.program import Program
from voice_host.tables.robot import Line
from voice_host.tables.two_ears import DREAMER, TABLE, TwoEars
from voice_host.virtual_time import run


class _Deaf:
    """A recogniser that is never asked."""

    name = "deaf"
    languages = ("en",)
    capabilities = Capabilities(streaming=True, n_best=True)

    def recognize(self, samples: Samples) -> Recognition:
        raise AssertionError(len(samples))

    def can_write(self, word: str) -> bool:
        return bool(word)

    def close(self) -> None:
        pass


class _Tone:
    """A scripted microphone that brings, second by second, a noise of these levels (dBFS)."""

    name = "tone"
    captured_at = 0.0

    def __init__(self, levels: list[float]) -> None:
        self._levels = levels

    async def blocks(self) -> AsyncGenerator[Block, None]:
        chance = np.random.default_rng(1)
        for number in range(round(len(self._levels) / BLOCK_SECONDS)):
            await asyncio.sleep(BLOCK_SECONDS)
            level = self._levels[int(number * BLOCK_SECONDS)]
            yield (chance.standard_normal(BLOCK_SAMPLES) * 10 ** (level / 20)).astype(np.float32)

    def close(self) -> None:
        pass


def _listened(table: list[float], dreamer: list[float]) -> TwoEars:
    """Let two ears hear seconds of these levels."""
    ears = TwoEars(_Deaf(), lambda _samples, recognition: recognition)

    async def listen(ear: str, levels: list[float]) -> None:
        loop = asyncio.get_running_loop()
        async for _ in ears.metered(ear, _Tone(levels), loop.time).blocks():
            pass

    async def evening() -> None:
        await asyncio.gather(listen(TABLE, table), listen(DREAMER, dreamer))

    run(evening(), virtual=True)
    return ears


def _owners(ears: TwoEars, count: int, first: str) -> list[str]:
    """Return whose each second's utterance is, the ear ``first`` being asked first; exactly one has it."""
    other = TABLE if first == DREAMER else DREAMER
    owners = []
    for second in range(count):
        claims = {ear: ears.belongs_to(ear, second + 0.05, second + 0.9) for ear in (first, other)}
        assert sorted(claims.values()) == [False, True]
        owners.append(next(ear for ear, has in claims.items() if has))
    return owners


@pytest.mark.parametrize("first", [TABLE, DREAMER])
@pytest.mark.parametrize("gain", [-10.0, 0.0, 10.0])
def test_who_is_faint_at_the_dreamers_ear_is_not_the_dreamer(first: str, gain: float) -> None:
    who = "dggddgdg"
    table = [-30.0 - 2 * (number % 3) for number in range(len(who))]
    dreamer = [(-25.0 if one == "d" else -42.0) + gain - 2 * (number % 3) for number, one in enumerate(who)]
    owners = _owners(_listened(table, dreamer), len(who), first)
    assert owners == [DREAMER if one == "d" else TABLE for one in who]


def test_a_giver_who_speaks_before_the_dreamer_ever_did_is_a_giver() -> None:
    assert _owners(_listened([-28.0, -30.0], [-50.0, -27.0]), 2, DREAMER) == [TABLE, DREAMER]


def test_a_guess_amid_long_talk_on_the_table_is_the_dreamers_all_the_same() -> None:
    ears = _listened([-30.0] * 4, [-45.0, -45.0, -25.0, -45.0])
    assert ears.belongs_to(TABLE, 0.1, 3.9)
    assert ears.belongs_to(DREAMER, 2.1, 2.9)


def test_two_ears_share_an_engine_that_then_cannot_stream() -> None:
    shared = TwoEars(_Deaf(), lambda _samples, recognition: recognition).recognizer
    assert shared.capabilities == Capabilities(n_best=True)


NIGHT = [
    (9.0, "giver", "Mountain."),
    (12.0, "dreamer", "Rocket."),
    (15.0, "giver", "Is it a glacier?"),
    (18.0, "giver", "Captain."),
    (21.0, "dreamer", "Is it a glacier?"),
]


@pytest.fixture
def two_recordings(tmp_path: Path) -> Path:
    """Return a file of two channels: the table's microphone, which hears all alike, and the dreamer's."""
    _, clips, _ = load_evening(DemoRequest("en"))
    said = {line.text: clip for line, clip in clips.items() if isinstance(line, Line)}
    sound = np.zeros((16_000 * 26, 2), np.float32)
    for second, who, text in NIGHT:
        first = round(second * 16_000)
        clip = said[text]
        sound[first : first + len(clip), 0] += 0.5 * clip
        sound[first : first + len(clip), 1] += (0.8 if who == "dreamer" else 0.1) * clip
    path = tmp_path / "both.wav"
    soundfile.write(path, sound, 16_000)
    return path


def _heard(program: Program, folder: Path, both: Path, **mics: str | None) -> list[dict[str, Any]]:
    request = PlayRequest(
        "when-i-dream",
        "en",
        players="Amy,Ben,Cleo,Dan",
        speaker="none",
        fast=True,
        no_screens=True,
        events=folder / "events.jsonl",
        journal=folder / "journal",
        **{name: value and f"{both}{value}" for name, value in mics.items()},  # type: ignore[arg-type]
    )
    with pytest.raises(HostError, match="ended before the evening"):
        play(request, program)
    lines = [json.loads(line) for line in (folder / "events.jsonl").read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if line["type"] in {"heard", "said"}]


def test_with_an_own_microphone_a_word_is_a_guess_and_a_givers_word_is_none(
    english: Program, tmp_path: Path, two_recordings: Path
) -> None:
    lines = _heard(english, tmp_path, two_recordings, mic="#1", dreamer_mic="#2")
    heard = [line for line in lines if line["type"] == "heard"]
    assert [(line["speaker"], [intent["name"] for intent in line["intents"]]) for line in heard] == [
        (None, ["clue"]),
        ("Amy", ["guess"]),
        (None, ["guess"]),
        (None, ["clue"]),
        ("Amy", ["guess"]),
    ]
    assert [line["prompt"] for line in lines if line["type"] == "said"].count("refuse_only_dreamer_guesses") == 1
    assert [line["prompt"] for line in lines if line["type"] == "said"].count("guess_noted") == 2


def test_with_one_microphone_a_word_is_a_clue_and_a_phrase_a_guess(
    english: Program, tmp_path: Path, two_recordings: Path
) -> None:
    heard = [line for line in _heard(english, tmp_path, two_recordings, mic="#1") if line["type"] == "heard"]
    assert [intent["name"] for line in heard for intent in line["intents"]] == [
        "clue",
        "clue",
        "guess",
        "clue",
        "guess",
    ]


def test_a_channel_that_the_recording_lacks_is_named(two_recordings: Path) -> None:
    with pytest.raises(UsageError, match="no channel 3; choose one from 1 to 2"):
        FileMicrophone(two_recordings, 3)
