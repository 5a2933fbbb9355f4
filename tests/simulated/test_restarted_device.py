"""A device that plays later than it says, all of a sudden, does not make the host hear itself."""

from __future__ import annotations

import pytest

from tests.simulated.reciting import Prompt, Table, recite
from tests.simulated.room import Acoustics, SimulatedRoom
from tests.simulated.working_time import run

BEFORE: tuple[Prompt, ...] = (Prompt("welcome", {}), Prompt("ask_objections", {}))
AFTER: tuple[Prompt, ...] = tuple(Prompt("night_over", {"dreamer": "Amy"}, variant) for variant in (0, 1, 2))


@pytest.mark.parametrize("leak_db", [-20.0, -6.0])
@pytest.mark.parametrize("later_seconds", [0.06, 0.2])
def test_after_a_restart_the_host_hears_nothing_of_itself(by_day: Table, leak_db: float, later_seconds: float) -> None:
    room = SimulatedRoom(Acoustics("living room", 0.4, leak_db), 80.0)

    def before(place: int) -> None:
        if place == len(BEFORE):
            room.restart_device(later_seconds)

    recital = run(recite(by_day, room, [*BEFORE, *AFTER], before=before))
    assert [line["text"] for line in recital.heard] == []
    assert recital.cut == []
