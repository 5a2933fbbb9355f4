"""Tells the host of all that fails around it: brings the reports of recogniser, voice, loudspeaker and machine into its inbox."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from voice_host.hearing.recognizers.child import ChildRecognizer, RecognizerBack, RecognizerLost
from voice_host.host import DeviceBack, DeviceLost, Host
from voice_host.room import VoicedRoom
from voice_host.speaking.loudspeaker import Loudspeaker, SilentLoudspeaker


def watch_recognizer(recognizer: ChildRecognizer, host: Host, notice: Callable[[str], None]) -> None:
    """Let the host pause while no recogniser listens; must be called on the loop, is told in other threads.

    Not for a loop whose clock jumps: it stands anyway while something waits to be recognised.
    """
    loop = asyncio.get_running_loop()

    def told(event: RecognizerLost | RecognizerBack) -> None:
        at = time.monotonic()
        try:
            loop.call_soon_threadsafe(report, event, at)
        except RuntimeError:
            return  # the evening has ended before

    def report(event: RecognizerLost | RecognizerBack, at: float) -> None:
        if isinstance(event, RecognizerBack):
            host.inbox.put_nowait(DeviceBack("recognizer_lost"))
            return
        notice(event.sentence)
        host.inbox.put_nowait(DeviceLost("recognizer_lost", host.second_at(at - event.seconds_ago)))

    recognizer.listener = told


def watch_voice(
    room: VoicedRoom, loudspeaker: Loudspeaker, host: Host, loudspeaker_is_back: Callable[[], None] = lambda: None
) -> None:
    """Let the host pause while the table cannot hear it; a table that only reads, and a file on a full disk, are no reason.

    ``loudspeaker_is_back`` is called before anything is said through the loudspeaker again.
    """
    is_device = hasattr(loudspeaker, "on_lost") and hasattr(loudspeaker, "on_back")
    awaited = frozenset(
        ([] if isinstance(loudspeaker, SilentLoudspeaker) else ["voice_lost"])
        + (["loudspeaker_lost"] if is_device else [])
    )

    def report(reason: str, *, lost: bool) -> None:
        if reason in awaited:
            host.inbox.put_nowait(DeviceLost(reason) if lost else DeviceBack(reason))

    def back() -> None:
        loudspeaker_is_back()
        room.voice.loudspeaker_is_back()
        report("loudspeaker_lost", lost=False)

    room.on_fault = report
    room.voice.holds = awaited
    if is_device:
        device: Any = loudspeaker  # tells also when nothing plays
        device.on_lost = lambda _error: report("loudspeaker_lost", lost=True)
        device.on_back = back
