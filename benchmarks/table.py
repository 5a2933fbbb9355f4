"""Play whole evenings over a virtual sound card, in real time, and print how they went (python -m benchmarks.table).

The robot tables of four and of six play their evenings through a PulseAudio server of our own: they speak into the sink that the
host's microphone is, and hear the host from the sink that its loudspeaker is, which leaks into the microphone. ``--faults`` lets
every fault of ``tests/live/faults.py`` happen in one night instead. It takes as long as the evenings do.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from tests.live.evenings import Event, LiveEvening, load_live_evening, meanings, outline, said, typed_reference
from tests.live.faults import ALL_IN_ONE_NIGHT, FAULTS
from tests.live.latency import acknowledgements, bells, last_guesses
from tests.live.mishaps import Mishap, Mishaps
from tests.live.playing import Played, lines_of, play_live
from tests.live.sound_server import LEAK_DECIBELS, SoundServer
from voice_host.program import Program
from voice_host.resources import folder

SHORT = Path(__file__).parents[1] / "tests" / "live" / "evenings"
VOICES = folder("voices") / "en"
FAULTS_OF_A_NIGHT = 15
SETTINGS = ("--seed", "3", "--set", "countdown_seconds=10")


def evenings(short: bool) -> Iterator[tuple[str, LiveEvening]]:  # noqa: FBT001
    """Yield the evenings by name: whole ones with lobby and a night for each, or those of the tests."""
    if short:
        players = {"four": ("Ben,Cleo,Dan,Amy", "100"), "six": ("Dan,Emma,Fred,Amy,Ben,Cleo", "85")}
        for name, (seats, seconds) in players.items():
            options = (
                "--players",
                seats,
                "--rounds",
                "1",
                "--set",
                f"night_seconds={seconds}",
                "--set",
                "clue_seconds=8",
            )
            yield (
                f"{name}, short",
                load_live_evening(SHORT / f"{name}.txt", SHORT / f"{name}_cards.txt", *options, *SETTINGS),
            )
        return
    slow = ("--set", "night_seconds=150", "--set", "clue_seconds=8")
    yield "four", load_live_evening(VOICES / "evening.txt", VOICES / "cards.txt", *slow, *SETTINGS)
    yield "six", load_live_evening(VOICES / "evening_of_six.txt", VOICES / "cards_of_six.txt", *slow, *SETTINGS)


def fault_night() -> LiveEvening:
    """Return the night in which things go wrong."""
    options = (
        "--players",
        "Dan,Amy,Ben,Cleo",
        "--rounds",
        "1",
        "--set",
        "night_seconds=60",
        "--set",
        "clue_seconds=50",
    )
    return load_live_evening(SHORT / "mishaps.txt", SHORT / "mishaps_cards.txt", *options, *SETTINGS)


def quantiles(seconds: Sequence[float | None]) -> str:
    """Return median, 95th percentile and number of what was measured, and how often the host was not heard."""
    known = [value for value in seconds if value is not None]
    missing = f", {len(seconds) - len(known)} not found" if len(known) < len(seconds) else ""
    if not known:
        return f"- | - | 0{missing}"
    return f"{np.median(known):.2f} | {np.quantile(known, 0.95):.2f} | {len(known)}{missing}"


def agreement(evening: LiveEvening, reference: Sequence[Event], played: Played) -> str:
    """Return a row on how far an evening went as its script says."""
    cells = (
        f"{len(lines_of(evening.acts))}",
        f"{len(outline(reference))}",
        "all" if outline(reference) == outline(played.events) else "**not all**",
        "yes" if meanings(reference) == meanings(played.events) else "**no**",
        "yes" if said(reference) == said(played.events) else "**no**",
        "yes" if reference[-1] == played.events[-1] else "**no**",
        f"{len(played.heard_of_nobody())}",
        f"{len(played.acted_on_nobody())}",
        f"{len(played.spoken_in_vain())}",
    )
    return " | ".join(cells)


def play_evenings(server: SoundServer, program: Program, *, short: bool) -> bool:
    """Play the evenings and print their tables; returns whether all went as their scripts say."""
    rows, waits, right = [], [], True
    for name, evening in evenings(short):
        reference = typed_reference(evening, program)
        with tempfile.TemporaryDirectory() as scratch:
            played = play_live(evening, server, reference, Path(scratch))
        minutes = max((event["t"] for event in played.events if "t" in event), default=0.0) / 60
        rows.append(f"| {name} | {minutes:.1f} | {agreement(evening, reference, played)} |")
        waits.append(
            f"| {name} | end of a guess to its acknowledgement | {quantiles(acknowledgements(evening, reference, played))} |"
        )
        waits.append(
            f"| {name} | end of a last guess to its acknowledgement | {quantiles(last_guesses(evening, reference, played))} |"
        )
        waits.append(f"| {name} | end of the night's time to the bell | {quantiles(bells(played))} |")
        right = right and reference[-1] == played.events[-1] and not played.acted_on_nobody()
        print(
            f"{rows[-1]}\n{played.heard_of_nobody()} {[one.line for one in played.spoken_in_vain()]}",
            file=sys.stderr,
            flush=True,
        )
    print(f"Leak of the loudspeaker into the microphone: {LEAK_DECIBELS:.0f} dB.\n")
    print(
        "| table | minutes | lines | states in the script | states that agree | meanings | prompts | scores | heard of nobody | of these acted upon | not heard |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    print("\n".join(rows))
    print("\n| table | wait | median, s | 95 %, s | measured |\n|---|---|---|---|---|")
    print("\n".join(waits))
    return right


def play_faults(server: SoundServer, program: Program, names: Sequence[str]) -> bool:
    """Let the faults happen, some each night, and print what came of it; returns whether all nights ended right."""
    evening = fault_night()
    reference = typed_reference(evening, program)
    right = True
    print(
        "| fault | lasts, s | noticed after, s | as | goes on after it is mended, s | night ends with the right score |"
    )
    print("|---|---|---|---|---|---|", flush=True)
    for first in range(0, len(names), FAULTS_OF_A_NIGHT):
        mishaps = Mishaps(names[first : first + FAULTS_OF_A_NIGHT], server)
        with tempfile.TemporaryDirectory() as scratch:
            os.environ["XDG_CACHE_HOME"] = scratch  # nothing was ever said: the voice is needed
            played = play_live(mishaps.in_evening(evening), server, reference, Path(scratch), begins=mishaps.begin)
        same = reference[-1] == played.events[-1]
        right = right and same
        for mishap in mishaps.all:
            print(f"| {fault_row(mishap)} | {'yes' if same else '**no**'} |", flush=True)
    return right


def fault_row(mishap: Mishap) -> str:
    """Return what the table's screen showed of a fault."""
    noticed = resumed = "-"
    if not mishap.fault.pauses:  # what the screen showed was another one's
        return f"{mishap.fault.name} | {mishap.fault.seconds:.0f} | - | no pause | -"
    if mishap.began is not None and mishap.noticed is not None:
        noticed = f"{mishap.noticed - mishap.began:.2f}"
    if mishap.mended is not None and mishap.resumed is not None:
        resumed = f"{mishap.resumed - mishap.mended:.2f}"
    return f"{mishap.fault.name} | {mishap.fault.seconds:.0f} | {noticed} | {mishap.reason or 'no pause'} | {resumed}"


def main() -> int:
    """Print the report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--short", action="store_true", help="the evenings of the tests")
    parser.add_argument(
        "--faults", nargs="*", metavar="FAULT", help=f"let things go wrong; none named: {', '.join(FAULTS)}"
    )
    arguments = parser.parse_args()
    program = Program("en")
    server = SoundServer()
    try:
        server.start()
        if arguments.faults is not None:
            return 0 if play_faults(server, program, arguments.faults or ALL_IN_ONE_NIGHT) else 1
        return 0 if play_evenings(server, program, short=arguments.short) else 1
    finally:
        server.close()


if __name__ == "__main__":
    sys.exit(main())
