"""How exactly the last seconds of a night tick: a whole night of 120 s in real time, while the host talks all the time.

    python benchmarks/ticks.py

Somebody asks for the time every 1.5 s, so that speech plays through the whole night. What the room hears goes to a file, in which
the ticks are found by their waveform. Told are the lateness of each tick against the night's first moment, and the drift: how much
the interval from the first to the last tick differs from four seconds.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import numpy as np
import soundfile

from voice_host.commands.play import PlayRequest, first_entry
from voice_host.evening import Outcome
from voice_host.host import SourceEnded, SpeechBegan, SpeechRecognized
from voice_host.journal import Journal
from voice_host.program import Program
from voice_host.room import VoicedRoom
from voice_host.running import Kept, begin, make_host, run_evening
from voice_host.speaking.clip import resample
from voice_host.speaking.earcons import earcon
from voice_host.speaking.loudspeaker import FileLoudspeaker
from voice_host.speaking.synthesizer import ChildSynthesizer
from voice_host.ticking import keep_ticking
from voice_host.virtual_time import run

NIGHT_SECONDS = 120.0
SEARCHED_SECONDS = 0.4


async def night(folder: Path, program: Program) -> tuple[float, list[str]]:
    """Play a night into ``room.wav``; returns the second of the file at which it began, and what was said in it."""
    loop = asyncio.get_running_loop()
    loudspeaker, synthesizer = FileLoudspeaker(folder / "room.wav"), ChildSynthesizer("en")
    opened = loop.time()
    began: list[float] = []
    said: list[str] = []

    def watch(outcome: Outcome) -> None:
        line = outcome.line
        if line["type"] == "timer" and (line["name"], line["event"]) == ("night", "started"):
            began.append(host.time_of(line["t"]) - opened)
        if line["type"] == "said":
            said.append(line["prompt"])

    request = PlayRequest("when-i-dream", "en", players="Amy,Ben,Cleo,Dan", seed=1, rounds=1)
    kept = Kept(Journal.create(folder / "ticks.evening"), (), first_entry(request, deal="table"))
    room = VoicedRoom(synthesizer, loudspeaker, print)
    host = make_host(program, kept, room, [watch])

    async def asking() -> None:
        while not began or loop.time() - opened < began[0] + NIGHT_SECONDS + 2:
            now = host.now()
            host.inbox.put_nowait(SpeechBegan(now))
            host.inbox.put_nowait(SpeechRecognized(("how much time is left",), now, now))
            await asyncio.sleep(1.5)
        host.inbox.put_nowait(SourceEnded(abruptly=True))

    try:
        begin(host, kept)
        await run_evening(host, kept, asking(), room.voice.run(), keep_ticking(host, room))
    finally:
        loudspeaker.close()
        synthesizer.close()
        kept.journal.close()
    return began[0], said


def late_by(path: Path, expected: float) -> float:
    """Return how many seconds after the expected second of the file the tick is heard."""
    room, rate = soundfile.read(path, dtype="float64")
    tick = resample(earcon("tick"), rate).samples.astype(np.float64)
    first = round((expected - SEARCHED_SECONDS) * rate)
    stretch = room[first : first + round(2 * SEARCHED_SECONDS * rate)]
    found = int(np.argmax(np.abs(np.correlate(stretch, tick, "valid"))))
    return float(found / rate) - SEARCHED_SECONDS


def main() -> None:
    """Play and tell."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        began, said = run(night(folder, Program("en")), virtual=False)
        late = [late_by(folder / "room.wav", began + NIGHT_SECONDS - left) for left in (5, 4, 3, 2, 1)]
    print(f"said in the night: {said.count('time_left')} answers, {said.count('countdown')} countdowns")
    print("ticks late by (ms):", ", ".join(f"{1000 * seconds:.1f}" for seconds in late))
    print(f"drift over the last four ticks: {1000 * (late[-1] - late[0]):.1f} ms")
    print(f"worst: {1000 * max(map(abs, late)):.1f} ms in {NIGHT_SECONDS:.0f} s")


if __name__ == "__main__":
    main()
