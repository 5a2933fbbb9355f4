"""What was measured of the echo before the evening is where the canceller begins, and no more than that."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.hearing.echo_room import EchoRoom, room_answer
from tests.hearing.sounds import Speak
from tests.hearing.test_echo import VOICES, brought, end_of, spoken, understood
from voice_host.hearing.echo import Echo, EchoCanceller
from voice_host.hearing.known_echo import UNKNOWN, KnownEcho, possible
from voice_host.hearing.recognizers import Recognizer
from voice_host.hearing.sound_files import SAMPLE_RATE, read_sound
from voice_host.hearing.voice_activity import BLOCK_SECONDS
from voice_host.live import _calibrations
from voice_host.own_voice import known_echo
from voice_host.settings import Calibration, save_calibration
from voice_host.speaking.loudspeaker import SilentLoudspeaker

LEAK_DB = -20.0
DELAY_SECONDS = 0.08
MEASURED = KnownEcho(DELAY_SECONDS, LEAK_DB, 0.25)
OVER_FIRST_PROMPT = 1.2
"""Seconds after the first word of the evening, when nothing is learned yet."""


def over_the_first_prompt(speak: Speak, known: KnownEcho) -> tuple[EchoRoom, EchoCanceller, slice]:
    """Return a room in which somebody speaks over the first prompt, and the blocks of that."""
    host = spoken(speak)
    clip = read_sound(next(VOICES.glob("amy-my-guess-is-umbrella-*.opus")))
    at = host[0][0] + OVER_FIRST_PROMPT
    room = EchoRoom(host, [(at, clip)], room_answer(0.25, LEAK_DB), end_of(host) + 1.0, DELAY_SECONDS)
    return (
        room,
        EchoCanceller(known),
        slice(round(at / BLOCK_SECONDS), round((at + len(clip) / SAMPLE_RATE) / BLOCK_SECONDS)),
    )


def test_whoever_is_louder_than_the_measured_echo_is_heard_over_the_first_prompt(
    speak: Speak, recognizer: Recognizer
) -> None:
    room, canceller, _ = over_the_first_prompt(speak, MEASURED)
    assert "umbrella" in " ".join(understood(room, canceller, recognizer))


def test_without_a_measurement_the_ear_is_closed_then(speak: Speak) -> None:
    room, canceller, meanwhile = over_the_first_prompt(speak, UNKNOWN)
    _, is_open = brought(room, canceller)
    assert not any(is_open[meanwhile][: round(0.5 / BLOCK_SECONDS)])


@pytest.mark.parametrize(
    "known",
    [
        KnownEcho(DELAY_SECONDS, LEAK_DB - 30, 0.25),  # it was turned up
        KnownEcho(DELAY_SECONDS, LEAK_DB + 20, 0.25),  # it was turned down
        KnownEcho(0.75, LEAK_DB, 0.25),  # another loudspeaker
        KnownEcho(heard=False),  # it was muted when it was measured
    ],
)
def test_a_stale_measurement_lets_the_host_neither_hear_itself_nor_stay_deaf(
    speak: Speak, recognizer: Recognizer, known: KnownEcho
) -> None:
    host = spoken(speak)
    room = EchoRoom(host, [], room_answer(0.25, LEAK_DB), end_of(host) + 1.0, DELAY_SECONDS)
    canceller = EchoCanceller(known)
    assert understood(room, canceller, recognizer) == []
    assert canceller.echo is Echo.CANCELLED


def test_where_no_loudspeaker_was_heard_that_is_believed_again_within_the_first_second(speak: Speak) -> None:
    host = spoken(speak)
    known_at = round((host[0][0] + 1.2) / BLOCK_SECONDS)
    for known, at_once in ((KnownEcho(heard=False), True), (UNKNOWN, False)):
        _, is_open = brought(EchoRoom(host, [], None, end_of(host)), EchoCanceller(known))
        assert all(is_open[known_at : known_at + 10]) == at_once


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -1000.0, 1000.0])
def test_what_cannot_be_true_is_ignored(wrong: float) -> None:
    assert possible(KnownEcho(wrong, wrong, wrong)) == UNKNOWN


def test_a_calibration_tells_the_echo_of_its_pair_of_devices(no_settings: Path) -> None:
    measured = Calibration(-60.0, None, DELAY_SECONDS, LEAK_DB, 0.25)
    save_calibration("mic, ALSA", "speaker, ALSA", measured)
    loudspeaker = SilentLoudspeaker()
    loudspeaker.name = "speaker, ALSA"  # type: ignore[attr-defined] # as a device has one
    assert known_echo(_calibrations(loudspeaker)("mic, ALSA")) == MEASURED
    assert known_echo(_calibrations(loudspeaker)("another, ALSA")) == UNKNOWN
    assert known_echo(Calibration(-60.0)) == KnownEcho(heard=False)
    assert no_settings.is_file()
