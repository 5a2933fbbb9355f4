"""How the host sounds: its rate, its volume and its voice, changed step by step at the table's request and remembered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from voice_host.errors import UsageError
from voice_host.evening import AT_LIMIT
from voice_host.speaking.synthesizer import WORDS_PER_MINUTE

RATES: Final = (100, 120, 145, 175, 205, 240, 280)
"""Words a minute: below it is no speech, above it few follow a voice that they do not know."""
VOLUMES: Final = (25, 35, 50, 70, 100, 140, 200)
"""Percent of the voice's own level, 3 dB apart; above 200 the loudest syllables would be cut off."""
DEFAULT_VOLUME: Final = 100

_STEPS: Final[Mapping[str, tuple[Sequence[int], int]]] = {
    "speak_slower": (RATES, -1),
    "speak_faster": (RATES, 1),
    "speak_louder": (VOLUMES, 1),
    "speak_softer": (VOLUMES, -1),
}


@dataclass(frozen=True, slots=True)
class Chosen:
    """How the host is to sound, as flags and settings have it."""

    rate: int = WORDS_PER_MINUTE
    """Words a minute."""
    volume: int = DEFAULT_VOLUME
    """Percent."""
    voice: str | None = None
    """The synthesizer's own name of it; None: the language's first one."""

    def __post_init__(self) -> None:
        """Raise `UsageError` for what nobody could listen to."""
        for name, value, range_ in (("rate", self.rate, RATES), ("volume", self.volume, VOLUMES)):
            if not range_[0] <= value <= range_[-1]:
                raise UsageError(f"--{name} {value} is out of range; choose a number from {range_[0]} to {range_[-1]}.")


class Speaker(Protocol):
    """The synthesizer, as far as it can sound different."""

    rate: int
    voice: str | None

    @property
    def voices(self) -> tuple[str, ...]:
        """Return the voices of the language, the usual one first."""
        ...


class Manner:
    """Applies changes to the synthesizer and the loudspeaker; ``remember`` is given each setting that was changed."""

    def __init__(
        self,
        chosen: Chosen,
        speaker: Speaker,
        set_gain: Callable[[float], None],
        remember: Callable[[str, int | str], None],
    ) -> None:
        self._speaker = speaker
        self._set_gain = set_gain
        self._remember = remember
        self._volume = chosen.volume
        speaker.rate, speaker.voice = chosen.rate, chosen.voice
        set_gain(chosen.volume / 100)

    def value_after(self, change: str) -> str:
        """Return what an intent of `VOICE_CHANGES` makes of its setting, or `AT_LIMIT` when it goes no further."""
        if change not in _STEPS:
            return self._next_voice()
        values, direction = _STEPS[change]
        now = self._speaker.rate if values is RATES else self._volume
        further = [value for value in values if (value - now) * direction > 0]
        return str(further[0 if direction > 0 else -1]) if further else AT_LIMIT

    def adjust(self, setting: str, value: str) -> None:
        """Sound like this from now on, and in later evenings."""
        match setting:
            case "rate":
                self._speaker.rate = int(value)
            case "volume":
                self._volume = int(value)
                self._set_gain(int(value) / 100)
            case _:
                self._speaker.voice = value
        self._remember(setting, value if setting == "voice" else int(value))

    def _next_voice(self) -> str:
        voices = self._speaker.voices
        now = self._speaker.voice
        if len(voices) < 2 and now in {None, *voices}:
            return AT_LIMIT
        place = voices.index(now) if now in voices else (0 if now is None else -1)
        return voices[(place + 1) % len(voices)]
