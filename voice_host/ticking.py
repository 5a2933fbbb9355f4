"""Ticks that sound in their moment: the loudspeaker is told of each a little before, so that a busy machine makes none late."""

from __future__ import annotations

import asyncio
from typing import Final

from voice_host.host import Host
from voice_host.room import VoicedRoom

AHEAD_SECONDS: Final = 0.4
"""How long before it sounds a tick is handed over; a pause in that time comes too late for it."""
_LOOK_SECONDS: Final = 0.05


async def keep_ticking(host: Host, room: VoicedRoom) -> None:
    """Hand each tick of the running timers over before it is due, until cancelled."""
    while True:
        await asyncio.sleep(_LOOK_SECONDS)
        timers = host.evening.timers
        if timers.frozen_at is not None:
            continue
        for timer in tuple(timers.running.values()):
            if timer.name.startswith("tick_") and timer.deadline - host.now() <= AHEAD_SECONDS:
                room.foretell_tick(timer.deadline, host.time_of(timer.deadline))
