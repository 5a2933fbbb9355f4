"""People who speak while the host does, or right after it: what of it is heard."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from tests.simulated.reciting import Prompt, Recital, Spoken, Table, recite
from tests.simulated.room import Acoustics, SimulatedRoom
from tests.simulated.working_time import run
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples, read_sound

VOICES: Final = Path(__file__).parents[2] / "voices" / "en" / "evening"
FIRST: Final[tuple[Prompt | str, ...]] = (Prompt("welcome", {}), Prompt("ask_objections", {}))
"""What the host says before anybody speaks over it, so that it knows how it is heard."""
_LATER_SECONDS: Final = 2.5
"""Within which what was said is understood."""
_LONGEST_SECONDS: Final = 20.0
"""From one prompt to the next, with what is answered."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """One utterance of a table, and what the host says when it is said."""

    text: str
    samples: Samples
    host_says: Prompt | str
    "a text is the name of an earcon"
    after_seconds: float
    "from the beginning of that"


@dataclass(frozen=True, slots=True)
class Understood:
    """What came of it."""

    overlap: Overlap
    began: float
    "the loop's time at which the sound began"
    heard: tuple[dict[str, Any], ...]
    recital: Recital

    @property
    def intents(self) -> tuple[str, ...]:
        """The names of all that was meant."""
        return tuple(intent["name"] for line in self.heard for intent in line["intents"])

    @property
    def word(self) -> str:
        """The word that was guessed or given as a clue, as it was read."""
        words = [intent["slots"].get("word", "") for line in self.heard for intent in line["intents"]]
        return next(iter(words), "").casefold()


def clips(folder: Path) -> list[tuple[str, str, Samples]]:
    """Return who says what in a folder of rendered voices, and its sound."""
    with (folder / "manifest.tsv").open(encoding="utf-8") as table:
        rows = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [(row["person"], row["text"], read_sound(folder / row["file"])) for row in rows]


def sounding(samples: Samples, level: float = 0.02) -> tuple[float, float]:
    """Return the seconds of the first and last sample above that part of the peak."""
    loud = np.flatnonzero(np.abs(samples) > level * np.abs(samples).max())
    return int(loud[0]) / SAMPLE_RATE, int(loud[-1]) / SAMPLE_RATE


def spoken_over(table: Table, acoustics: Acoustics, overlaps: Sequence[Overlap]) -> list[Understood]:
    """Let each be said over a prompt of its own."""
    prompts, over = list(FIRST), dict[int, Spoken]()
    for overlap in overlaps:
        over[len(prompts)] = Spoken(overlap.samples, overlap.after_seconds)
        prompts.append(overlap.host_says)
    room = SimulatedRoom(acoustics, 40.0 + _LONGEST_SECONDS * len(overlaps))
    recital = run(recite(table, room, prompts, over))
    return [_understood(overlap, recital, place) for overlap, place in zip(overlaps, over, strict=True)]


def _understood(overlap: Overlap, recital: Recital, place: int) -> Understood:
    began = recital.began[place] + overlap.after_seconds
    first, last = sounding(overlap.samples)
    heard = (line for line in recital.heard if began + first - 0.2 < line["t"] < began + last + _LATER_SECONDS)
    return Understood(overlap, began, tuple(dict(line) for line in heard), recital)
