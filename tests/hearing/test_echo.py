"""The host does not hear itself, and hears people who speak while it does."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import numpy as np
import pytest

from tests.hearing.echo_room import EchoRoom, Placed, room_answer
from tests.hearing.sounds import Speak
from voice_host import virtual_time
from voice_host.hearing.ear import Ear, Heard
from voice_host.hearing.echo import Echo, EchoCanceller
from voice_host.hearing.echo_microphone import EchoFreeMicrophone, NearVoiceActivity
from voice_host.hearing.microphone import Block
from voice_host.hearing.recognizers import Recognizer
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples, read_sound
from voice_host.hearing.voice_activity import BLOCK_SECONDS
from voice_host.lexicon import english_measures
from voice_host.matching.pronounce import spelled_out
from voice_host.own_voice import HOST_DB, PERSON_DB, said_in

VOICES = Path(__file__).parents[2] / "voices" / "en" / "evening"

PROMPTS = (
    "Good evening, and welcome. I am your host tonight. Nobody needs to touch anything: just talk to me.",
    "Night falls. Amy, close your eyes and sleep well. Ben gives the first clue.",
    "The night is over. Amy, keep your eyes covered and tell us your dream. End it with: I wake up.",
    "Paused. Say resume.",
)


@pytest.fixture(scope="module")
def unlikeness() -> Callable[[str, str], float]:
    return english_measures((), spelled_out).distance  # espeak is one, and busy speaking


def spoken(speak: Speak, *, first: float = 1.0, pause: float = 2.0) -> list[Placed]:
    """Let the host say all prompts, one after another."""
    placed: list[Placed] = []
    for text in PROMPTS:
        placed.append((first, speak(text) * np.float32(0.5)))
        first += len(placed[-1][1]) / SAMPLE_RATE + pause
    return placed


def end_of(placed: list[Placed]) -> float:
    return placed[-1][0] + len(placed[-1][1]) / SAMPLE_RATE


def brought(room: EchoRoom, canceller: EchoCanceller) -> tuple[Samples, list[bool]]:
    """Return what comes out of the room without the echo, and in which blocks the ear was open."""
    microphone = EchoFreeMicrophone(room, canceller)
    room.tap = microphone.tap

    async def all_blocks() -> tuple[Samples, list[bool]]:
        pieces, is_open = [], []
        async for block in microphone.blocks():
            pieces.append(block)
            is_open.append(microphone.open)
        return np.concatenate(pieces), is_open

    return virtual_time.run(all_blocks(), virtual=True)


def understood(
    room: EchoRoom,
    canceller: EchoCanceller,
    recognizer: Recognizer,
    unlikeness: Callable[[str, str], float] | None = None,
) -> list[str]:
    """Return what is heard louder than what may be left of the host's voice; with ``unlikeness`` its words tell, too."""
    microphone = EchoFreeMicrophone(room, canceller)
    room.tap = microphone.tap

    def is_host(texts: tuple[str, ...], started: float, ended: float) -> bool:
        above = microphone.above_echo_db(started, ended)
        if unlikeness is None or above >= PERSON_DB:
            return above < HOST_DB
        return above < HOST_DB or any(said_in(texts[0], prompt, unlikeness) for prompt in PROMPTS)

    ear = Ear(microphone, recognizer, detector=NearVoiceActivity(microphone), is_host=is_host)

    async def everything() -> list[str]:
        return [event.hypotheses[0].text.casefold() async for event in ear.listen() if isinstance(event, Heard)]

    return virtual_time.run(everything(), virtual=True)


def decibels(samples: Samples) -> float:
    return 10 * math.log10(float(np.square(samples).mean()) + 1e-12)


@pytest.mark.parametrize("delay", [0.02, 0.25])
@pytest.mark.parametrize("leak", [0.0, -20.0])
def test_after_the_first_seconds_the_echo_is_known_and_at_most_a_tenth_of_its_amplitude_is_left(
    speak: Speak, leak: float, delay: float
) -> None:
    host = spoken(speak)
    canceller = EchoCanceller()
    room = EchoRoom(host, [], room_answer(0.25, leak), end_of(host), delay)
    cleared, _ = brought(room, canceller)
    assert canceller.echo is Echo.CANCELLED
    last = slice(round(host[2][0] * SAMPLE_RATE), round(end_of(host) * SAMPLE_RATE) // 512 * 512)
    assert decibels(cleared[last]) < max(decibels(room._heard[last]) - 20, -60)


@pytest.mark.parametrize("leak", [0.0, -6.0, -20.0])
def test_nothing_that_the_host_says_is_heard(speak: Speak, recognizer: Recognizer, leak: float) -> None:
    host = spoken(speak)
    room = EchoRoom(host, [], room_answer(0.4, leak), end_of(host) + 1.0)
    assert understood(room, EchoCanceller(), recognizer) == []


def test_until_the_echo_is_known_the_ear_is_closed_while_the_host_speaks(speak: Speak) -> None:
    host: list[Placed] = [(1.0, speak("Four it is."))]
    canceller = EchoCanceller()
    _, is_open = brought(EchoRoom(host, [], room_answer(0.25, -6.0), 4.0), canceller)
    assert canceller.echo is Echo.UNKNOWN
    speaking = slice(round(1.1 / BLOCK_SECONDS), round(end_of(host) / BLOCK_SECONDS))
    assert not any(is_open[speaking])
    assert all(is_open[: round(0.9 / BLOCK_SECONDS)])
    assert is_open[-1]


def test_a_guess_over_a_prompt_is_understood(speak: Speak, recognizer: Recognizer) -> None:
    host = spoken(speak)
    clip = read_sound(next(VOICES.glob("amy-my-guess-is-umbrella-*.opus")))
    room = EchoRoom(host, [(host[2][0] + 1.0, clip)], room_answer(0.25, -6.0), end_of(host) + 1.0)
    texts = understood(room, EchoCanceller(), recognizer)
    assert len(texts) == 1
    assert "umbrella" in texts[0]


def test_where_the_loudspeaker_is_not_heard_everything_passes_untouched(speak: Speak) -> None:
    host = spoken(speak)
    clip = read_sound(next(VOICES.glob("amy-my-guess-is-umbrella-*.opus")))
    room = EchoRoom(host, [(host[2][0] + 1.0, clip)], None, end_of(host))
    canceller = EchoCanceller()
    cleared, is_open = brought(room, canceller)
    assert canceller.echo is Echo.NONE
    known = round(host[1][0] / BLOCK_SECONDS)
    assert all(is_open[known:])
    assert np.array_equal(cleared[known * 512 :], room._heard[known * 512 : len(cleared)])


def test_a_loudspeaker_that_is_turned_on_later_is_noticed(speak: Speak) -> None:
    host = spoken(speak)
    longer = [(at + end_of(host) + 1.0, samples) for at, samples in host]
    seconds = end_of(longer)
    silent = EchoRoom([*host, *longer], [], None, seconds)
    aloud = EchoRoom([*host, *longer], [], room_answer(0.25, -6.0), seconds)
    turned_on = round(end_of(host) * SAMPLE_RATE)
    aloud._heard[:turned_on] = silent._heard[:turned_on]
    canceller = EchoCanceller()
    _, is_open = brought(aloud, canceller)
    assert all(is_open[round(host[2][0] / BLOCK_SECONDS) : round(end_of(host) / BLOCK_SECONDS)])
    assert canceller.echo is Echo.CANCELLED


def test_two_clocks_that_drift_apart_do_not_make_the_host_hear_itself(
    speak: Speak, recognizer: Recognizer, unlikeness: Callable[[str, str], float]
) -> None:
    host = spoken(speak, pause=8.0)
    room = EchoRoom(host, [], room_answer(0.25, -6.0), end_of(host) + 1.0, drift=50e-6)
    canceller = EchoCanceller()
    assert understood(room, canceller, recognizer, unlikeness) == []
    assert canceller.echo is Echo.CANCELLED


def test_sentences_that_follow_each_other_need_not_be_told_to_the_millisecond(speak: Speak) -> None:
    """A sound system's clock is asked anew for each of them: a millisecond is more than any prediction survives."""
    host = spoken(speak)
    for number in range(8):
        host.append((end_of(host) + (0.08 if number else 2.0), speak(PROMPTS[number % 3]) * np.float32(0.5)))
    room = EchoRoom(host, [], room_answer(0.25, -20.0), end_of(host) + 1.0)
    canceller = EchoCanceller()
    microphone = EchoFreeMicrophone(room, canceller)
    begins = [at for at, _ in host]

    def tap(samples: Samples, heard_at: float) -> None:
        sentence = sum(begin <= heard_at for begin in begins)
        microphone.tap(samples, heard_at + (0.0006 if sentence % 2 else -0.0006))

    room.tap = tap

    async def open_seconds() -> float:
        opened = 0
        async for _ in microphone.blocks():
            opened += microphone.open and begins[4] < microphone.heard_seconds < end_of(host)
        return opened * BLOCK_SECONDS

    heard = virtual_time.run(open_seconds(), virtual=True)
    assert canceller.echo is Echo.CANCELLED
    assert heard < 0.01 * (end_of(host) - begins[4])


def test_a_microphone_that_first_tells_wrong_times_is_compared_anew_at_once(speak: Speak) -> None:
    host = spoken(speak, first=0.1, pause=0.3)
    room = EchoRoom(host, [], room_answer(0.25, -6.0), end_of(host) + 1.0)
    canceller = EchoCanceller()
    microphone = EchoFreeMicrophone(LateToTell(room, 0.6, -0.45), canceller)
    room.tap = microphone.tap

    async def known_at() -> float:
        async for _ in microphone.blocks():
            if canceller.echo is Echo.CANCELLED:
                return microphone.heard_seconds
        return math.inf

    assert virtual_time.run(known_at(), virtual=True) < 5.0
    assert canceller.echo is Echo.CANCELLED


class LateToTell:
    """A room whose device tells times that are wrong by ``error`` for its first seconds."""

    name = "late to tell"

    def __init__(self, room: EchoRoom, seconds: float, error: float) -> None:
        self._room = room
        self._seconds = seconds
        self._error = error

    @property
    def captured_at(self) -> float:
        told = self._room.captured_at
        return told + (self._error if told < self._seconds else 0.0)

    async def blocks(self) -> AsyncGenerator[Block, None]:
        async for block in self._room.blocks():
            yield block

    def close(self) -> None:
        self._room.close()


def test_after_the_loudspeaker_was_lost_the_ear_is_half_duplex_until_it_is_known_again(speak: Speak) -> None:
    host = spoken(speak)
    room = EchoRoom(host, [], room_answer(0.25, -6.0), end_of(host) + 1.0)
    canceller = EchoCanceller()
    microphone = EchoFreeMicrophone(room, canceller)
    room.tap = microphone.tap
    lost_at = host[2][0] - 0.5

    async def known_at() -> list[tuple[float, Echo]]:
        found: list[tuple[float, Echo]] = []
        lost = False
        async for _ in microphone.blocks():
            if not lost and microphone.heard_seconds > lost_at:
                assert canceller.echo is Echo.CANCELLED
                lost = True
                microphone.begin_anew()
            if not found or found[-1][1] is not canceller.echo:
                found.append((microphone.heard_seconds, canceller.echo))
        return found

    states = virtual_time.run(known_at(), virtual=True)
    assert [echo for _, echo in states] == [Echo.UNKNOWN, Echo.CANCELLED, Echo.UNKNOWN, Echo.CANCELLED]
    assert states[2][0] == pytest.approx(lost_at, abs=0.1)


def test_a_person_is_known_from_what_is_left_of_the_host(speak: Speak) -> None:
    host = spoken(speak)
    clip = read_sound(next(VOICES.glob("amy-my-guess-is-umbrella-*.opus")))
    at = host[2][0] + 1.0
    room = EchoRoom(host, [(at, clip)], room_answer(0.25, -6.0), end_of(host))
    microphone = EchoFreeMicrophone(room, EchoCanceller())
    room.tap = microphone.tap

    async def all_blocks() -> None:
        async for _ in microphone.blocks():
            pass

    virtual_time.run(all_blocks(), virtual=True)
    assert microphone.above_echo_db(at, at + len(clip) / SAMPLE_RATE) > 6
    assert microphone.above_echo_db(at + 2.0, at + 3.0) < 0
    assert microphone.above_echo_db(0.0, 0.9) == math.inf


@pytest.mark.parametrize("heard", ["Say resume", "say presume", "paused", "Poised. Say resume"])
def test_what_the_host_says_is_known_by_its_sound(heard: str, unlikeness: Callable[[str, str], float]) -> None:
    assert said_in(heard, "Paused. Say resume.", unlikeness)


@pytest.mark.parametrize("heard", ["stop", "dragon", "my guess is umbrella", "how much time is left", "I give up"])
def test_other_words_are_not_taken_for_the_hosts(heard: str, unlikeness: Callable[[str, str], float]) -> None:
    assert not said_in(heard, "Paused. Say resume.", unlikeness)
