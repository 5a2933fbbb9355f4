"""What listening costs: processor time for each second of table audio, by engine (python -m benchmarks.listening).

The recorded table of four speaks a night's clues and guesses with a table's pauses; the whole ear hears them: voice detection,
endpointing, recognition as somebody speaks, the look at each pause, and the second look where the engine can weigh words.
The clock jumps, so nothing is waited for, and only processor time is counted: another program on the machine changes it little.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import soundfile

from tests.live.card_table import ROOM_TONE_DBFS
from tests.live.evenings import LiveEvening, load_live_evening
from voice_host import virtual_time
from voice_host.errors import HostError
from voice_host.hearing.ear import Ear, Heard
from voice_host.hearing.microphone import FileMicrophone
from voice_host.hearing.recognizers import Recognizer, load_recognizer
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples
from voice_host.program import Program
from voice_host.resources import folder
from voice_host.second_look import WEIGHING, SecondLook
from voice_host.tables.robot import Line

ENGINES = (("en", "moonshine"), ("en", "whisper"), ("ko", "vosk"))
PAUSE_SECONDS = 1.2
"""Between two people of a table that is playing fast."""


def night_sound(evening: LiveEvening, seconds: float) -> Samples:
    """Return what the table says, line after line with its pauses and a room's tone, for so long."""
    pause = np.zeros(round(PAUSE_SECONDS * SAMPLE_RATE), np.float32)
    spoken = (evening.clips[act] for act in itertools.cycle(act for act in evening.acts if isinstance(act, Line)))
    pieces, count = [pause], len(pause)
    while count < seconds * SAMPLE_RATE:
        pieces += [next(spoken), pause]
        count += len(pieces[-2]) + len(pause)
    tone = np.random.default_rng(0).normal(0.0, 10 ** (ROOM_TONE_DBFS / 20), count)
    sound: Samples = (np.concatenate(pieces) + tone).astype(np.float32)
    return sound


def heard(sound: Samples, recognizer: Recognizer, look: SecondLook | None) -> int:
    """Let an ear hear the sound to its end; returns the number of utterances."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "night.wav"
        soundfile.write(path, sound, SAMPLE_RATE)
        microphone = FileMicrophone(path)
        ear = Ear(microphone, recognizer, patience=lambda texts: 0.0 if texts else None, second_look=look)

        async def listen() -> int:
            return sum([isinstance(event, Heard) async for event in ear.listen()])

        try:
            return virtual_time.run(listen(), virtual=True)
        finally:
            microphone.close()


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=300.0, help="how much of the table is heard")
    arguments = parser.parse_args()
    program = Program("en")
    voices = folder("voices") / "en"
    sound = night_sound(load_live_evening(voices / "evening.txt", voices / "cards.txt"), arguments.seconds)
    silence = np.zeros(len(sound), np.float32)
    seconds = len(sound) / SAMPLE_RATE
    print(f"{seconds:.0f} s of a table that speaks, and as much silence.\n")
    print(
        "| engine | second look | utterances | one core while people speak, % | in silence, % |\n|---|---|---|---|---|"
    )
    for language, engine in ENGINES:
        try:
            recognizer = load_recognizer(language, engine)
        except HostError as error:
            print(f"| {engine} ({language}) | | | not here: {error} | |")
            continue
        look = SecondLook(recognizer, program.measures) if language == "en" and engine in WEIGHING else None
        heard(sound[: 20 * SAMPLE_RATE], recognizer, look)  # what is loaded at first use is no cost of listening
        shares: list[float] = []
        counts: list[int] = []
        for what in (sound, silence):
            before = time.process_time()
            counts.append(heard(what, recognizer, look))
            shares.append(100 * (time.process_time() - before) / seconds)
        recognizer.close()
        print(
            f"| {engine} ({language}) | {'yes' if look else 'no'} | {counts[0]} | {shares[0]:.1f} | {shares[1]:.1f} |",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
