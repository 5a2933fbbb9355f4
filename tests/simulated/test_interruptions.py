"""Who says "stop", "pause" or "time" over a prompt has made the host silent within 0.3 s of the word's end."""

from __future__ import annotations

from statistics import median

import pytest

from tests.simulated.interrupting import WORDS, interrupted
from tests.simulated.overlapping import clips
from tests.simulated.reciting import Table
from tests.simulated.room import Acoustics

WITHIN_SECONDS = 0.3


@pytest.mark.parametrize("leak_db", [-20.0, -6.0])
def test_the_host_is_silent_within_the_time_of_a_reaction(by_day: Table, leak_db: float) -> None:
    """Seconds are those of the processor, so a busy machine changes little; the rendered "pause" is a mumble that may be lost."""
    said = [clip for clip in clips(WORDS) if clip[0] in {"Amy", "Cleo"}]
    found = interrupted(by_day, Acoustics("living room", 0.4, leak_db), said)
    assert [one for one in found if not one.understood and one.word != "pause"] == []
    waited = [one.silent_after_seconds for one in found if one.silent_after_seconds is not None]
    assert len(waited) >= len(said) - 1
    assert median(waited) < WITHIN_SECONDS
