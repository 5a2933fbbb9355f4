"""People who say "stop", "pause" or "time" while the host speaks, and how soon it is silent."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from tests.simulated.reciting import Prompt, Recital, Spoken, Table, recite
from tests.simulated.room import HELD_SECONDS, Acoustics, SimulatedRoom
from tests.simulated.working_time import run
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples, read_sound
from voice_host.speaking.mixer import FADE_SECONDS

CLIPS: Final = Path(__file__).parents[1] / "hearing" / "interruptions"
FIRST: Final[tuple[Prompt | str, ...]] = (Prompt("welcome", {}), Prompt("ask_objections", {}))
"""What the host says before anybody interrupts it, so that it knows how it is heard."""
OVER: Final = Prompt("night_over", {"dreamer": "Amy"})
"""What is interrupted."""
MEANT: Final[Mapping[str, frozenset[str]]] = {
    "stop": frozenset({"barge_in_stop"}),
    "pause": frozenset({"pause", "barge_in_pause"}),
    "time": frozenset({"barge_in_time", "time_left"}),
}
_END_LEVEL: Final = 0.02
"""Speech ends with its last sample above this part of its peak."""
_ANSWERED_SECONDS: Final = 2.5


@dataclass(frozen=True, slots=True)
class Interruption:
    """One word over a prompt."""

    who: str
    word: str
    silent_after_seconds: float | None
    "from the end of the word until the loudspeaker was silent; None when the prompt was said to its end"
    heard: tuple[str, ...]
    "what was read"
    meant: tuple[str, ...]
    "the intents"

    @property
    def understood(self) -> bool:
        """Whether it meant what it should."""
        return bool(MEANT[self.word] & set(self.meant))


def clips(folder: Path = CLIPS) -> list[tuple[str, str, Samples]]:
    """Return who says which word, and its sound."""
    with (folder / "manifest.tsv").open(encoding="utf-8") as table:
        rows = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [(row["person"], row["text"], read_sound(folder / row["file"])) for row in rows]


def interrupted(table: Table, acoustics: Acoustics, said: Sequence[tuple[str, str, Samples]]) -> list[Interruption]:
    """Let each word be said over a prompt of its own, between its second second and its third."""
    prompts, over = list(FIRST), dict[int, Spoken]()
    for number, (_, _, samples) in enumerate(said):
        over[len(prompts)] = Spoken(samples, 1.0 + 0.13 * (number % 5))
        prompts.append(OVER)
    room = SimulatedRoom(acoustics, 30.0 + 16.0 * len(said))
    recital = run(recite(table, room, prompts, over))
    return [
        _interruption(who, word, samples, recital, recital.began[place] + over[place].after_seconds)
        for (who, word, samples), place in zip(said, over, strict=True)
    ]


def _interruption(who: str, word: str, samples: Samples, recital: Recital, began: float) -> Interruption:
    loud = np.flatnonzero(np.abs(samples) > _END_LEVEL * np.abs(samples).max())
    first, end = began + int(loud[0]) / SAMPLE_RATE, began + int(loud[-1]) / SAMPLE_RATE
    cut = next((at for at in recital.cut if first < at < end + _ANSWERED_SECONDS), None)
    heard = [line for line in recital.heard if first - 0.2 < line["t"] < end + _ANSWERED_SECONDS]
    return Interruption(
        who,
        word,
        None if cut is None else cut + HELD_SECONDS + FADE_SECONDS - end,
        tuple(line["text"] for line in heard),
        tuple(_names(heard)),
    )


def _names(heard: Sequence[Mapping[str, Any]]) -> list[str]:
    return [intent["name"] for line in heard for intent in line["intents"]]
