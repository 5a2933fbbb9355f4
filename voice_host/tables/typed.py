"""A table that types: plays a script to the host in the evening's time, as if it were speech."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Sequence
from typing import assert_never

from voice_host.host import Host, SourceEnded, SpeechBegan, SpeechRecognized
from voice_host.journal import LineBegan
from voice_host.tables.script import UTTERANCE_SECONDS, Kill, ScriptLine, Silence, Spoken


async def type_script(lines: Sequence[ScriptLine], host: Host) -> None:
    """Type every line that the evening has not seen yet; goes on in the middle of the one at which it was killed."""
    acts = kills = 0
    for line in lines:
        known = (kills < host.evening.kills) if isinstance(line, Kill) else (acts < host.evening.acts)
        kills, acts = (kills + 1, acts) if isinstance(line, Kill) else (kills, acts + 1)
        if known:
            if acts == host.evening.acts and host.evening.line_began_at is not None and not isinstance(line, Kill):
                await _finish(line, host.evening.line_began_at, host)
            continue
        began = host.now()
        host.inbox.put_nowait(LineBegan(acts, kills))
        await host.inbox.join()
        if isinstance(line, Kill):
            os.kill(os.getpid(), signal.SIGKILL)
        else:
            await _finish(line, began, host)
    host.inbox.put_nowait(SourceEnded(abruptly=True))


async def _finish(line: Spoken | Silence, began: float, host: Host) -> None:
    match line:
        case Spoken(text=text, speaker=speaker):
            host.inbox.put_nowait(SpeechBegan(began))
            await _sleep_until(began + UTTERANCE_SECONDS, host)
            host.inbox.put_nowait(SpeechRecognized((text,), began, began + UTTERANCE_SECONDS, speaker))
        case Silence(seconds=seconds):
            await _sleep_until(began + seconds, host)
        case _:
            assert_never(line)
    await host.inbox.join()


async def _sleep_until(second: float, host: Host) -> None:
    await asyncio.sleep(max(0.0, second - host.now()))
