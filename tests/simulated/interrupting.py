"""People who say "stop", "pause" or "time" while the host speaks, and how soon it is silent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.simulated.overlapping import Overlap, Understood, sounding, spoken_over
from tests.simulated.reciting import Prompt, Table
from tests.simulated.room import HELD_SECONDS, Acoustics
from voice_host.hearing.sound_files import Samples
from voice_host.speaking.mixer import FADE_SECONDS

WORDS: Final = Path(__file__).parents[1] / "hearing" / "interruptions"
OVER: Final = Prompt("night_over", {"dreamer": "Amy"})
"""What is interrupted."""
MEANT: Final[Mapping[str, frozenset[str]]] = {
    "stop": frozenset({"barge_in_stop"}),
    "pause": frozenset({"pause", "barge_in_pause"}),
    "time": frozenset({"barge_in_time", "time_left"}),
}
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


def interrupted(table: Table, acoustics: Acoustics, said: Sequence[tuple[str, str, Samples]]) -> list[Interruption]:
    """Let each word (who, word, sound) be said over a prompt of its own, between its second second and its third."""
    overlaps = [
        Overlap(word.strip(".!").casefold(), samples, OVER, 1.0 + 0.13 * (number % 5))
        for number, (_, word, samples) in enumerate(said)
    ]
    found = spoken_over(table, acoustics, overlaps)
    return [_interruption(who, one) for (who, _, _), one in zip(said, found, strict=True)]


def _interruption(who: str, one: Understood) -> Interruption:
    first, last = (one.began + seconds for seconds in sounding(one.overlap.samples))
    cut = next((at for at in one.recital.cut if first < at < last + _ANSWERED_SECONDS), None)
    return Interruption(
        who,
        one.overlap.text,
        None if cut is None else cut + HELD_SECONDS + FADE_SECONDS - last,
        tuple(line["text"] for line in one.heard),
        one.intents,
    )
