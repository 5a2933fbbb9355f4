"""How long people wait for the host, measured in the recordings of both sinks: what the table played, and what the room heard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from tests.live.card_table import found_in
from tests.live.evenings import Event, LiveEvening
from tests.live.playing import Played
from tests.live.recording import QUIET_DBFS, Recording
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples
from voice_host.tables.robot import Bell, Line

_END_LEVEL: Final = 0.02
"""Speech ends with its last sample above this part of its peak."""
_FRAME: Final = 80
"""Samples; 5 ms."""
_GIVEN_UP: Final = 10.0


def acknowledgements(evening: LiveEvening, reference: Sequence[Event], played: Played) -> list[float | None]:
    """Return the seconds from the end of each guess's sound to the first sound of its acknowledgement, last guesses left out."""
    return [seconds for seconds, last in _acknowledged(evening, reference, played) if not last]


def last_guesses(evening: LiveEvening, reference: Sequence[Event], played: Played) -> list[float | None]:
    """Return the same for the guesses after a bell."""
    return [seconds for seconds, last in _acknowledged(evening, reference, played) if last]


def bells(played: Played) -> list[float | None]:
    """Return the seconds from the end of each night's time to the first sound of its bell."""
    ends = [
        event["t"]
        for event in played.events
        if event["type"] == "timer" and event["name"] == "night" and event["event"] == "finished"
    ]
    return [_until_sound(played.room, played.origin + end) for end in ends]


def _acknowledged(
    evening: LiveEvening, reference: Sequence[Event], played: Played
) -> Iterator[tuple[float | None, bool]]:
    """Yield the seconds of each line that is answered by the earcon ``noted``, and whether a bell came right before it."""
    lines = [place for place, act in enumerate(evening.acts) if isinstance(act, Line)]
    for place, noted, spoken in zip(lines, _noted(reference), played.spoken, strict=False):
        if noted:
            end = _end_of_sound(played.microphone, evening.clips[spoken.line], spoken.began)
            after_bell = place > 0 and isinstance(evening.acts[place - 1], Bell)
            yield None if end is None else _until_sound(played.room, end), after_bell


def _noted(reference: Sequence[Event]) -> list[bool]:
    """Tell of each line of the script whether it was answered by the earcon."""
    noted: list[bool] = []
    heard_at = -1.0
    for event in reference:
        if event["type"] == "heard":
            noted.append(False)
            heard_at = event["t"]
        elif noted and event["type"] == "earcon" and event["name"] == "noted" and event["t"] == heard_at:
            noted[-1] = True
    return noted


def _end_of_sound(microphone: Recording, clip: Samples, given: float) -> float | None:
    """Return the second of the clock at which a clip's speech ended in the microphone, or None where it is not found."""
    began = found_in(microphone, clip, given)
    loud = np.flatnonzero(np.abs(clip) > _END_LEVEL * np.abs(clip).max())
    return None if began is None else began + int(loud[-1]) / SAMPLE_RATE


def _until_sound(room: Recording, since: float) -> float | None:
    """Return the seconds until the room hears the host."""
    first = room.sample_at(since)
    sound = room.samples()[first : first + round(_GIVEN_UP * SAMPLE_RATE)]
    frames = sound[: len(sound) // _FRAME * _FRAME].reshape(-1, _FRAME)
    loud = np.flatnonzero(np.sqrt(np.mean(np.square(frames), axis=1)) > 10 ** (QUIET_DBFS / 20))
    return room.second_of(first + int(loud[0]) * _FRAME) - since if len(loud) else None
