"""Listen to two hours of one table, as fast as the machine allows, and see what grows (python -m benchmarks.soak).

The recorded table of four plays its evening again and again as one long evening; the sound goes through the real endpointer,
recogniser and synthesiser (each in its child process) on a clock that jumps. Memory is read whenever the evening begins again.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

from tests.live.evenings import LiveEvening, load_live_evening, outline, play_typed, said, typed_script, with_answers
from tests.live.soaking import Footprint, footprint, play_virtual
from voice_host.program import Program, read_cards
from voice_host.resources import folder
from voice_host.tables.robot import Act, Line

PLAYERS = "Amy,Ben,Cleo,Dan"
ROUNDS = 4
AGAIN = (Line("Ben", "I'm ready."), Line("Ben", "Everybody is ready."))
"""What is said between the last dream of the evening and the first of the next one."""


def without_lobby(evening: LiveEvening) -> LiveEvening:
    """Return the evening from its first clue on."""
    ready = next(place for place, act in enumerate(evening.acts) if isinstance(act, Line) and "is ready" in act.text)
    return replace(evening, acts=evening.acts[ready + 1 :])


def long_evening(evening: LiveEvening, times: int, program: Program, scratch: Path) -> tuple[LiveEvening, list[str]]:
    """Return the evening played so often in a row, and the same as a script."""
    script = typed_script(evening, program)
    between = [f"?: {line.text}" for line in AGAIN]
    cards = scratch / "cards.txt"
    cards.write_text("\n".join(read_cards(evening.cards) * times) + "\n", encoding="utf-8")
    acts: list[Act] = []
    lines: list[str] = []
    for number in range(times):
        acts += [*(AGAIN if number else ()), *evening.acts]
        lines += [*(between if number else ()), *script]
    options = ("--players", PLAYERS, "--rounds", str(ROUNDS * times), "--seed", "3", *evening.options[6:])
    return replace(evening, acts=tuple(acts), cards=cards, options=options), lines


def main() -> int:
    """Print the report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--hours", type=float, default=2.0, help="how much of the table is heard, at least")
    arguments = parser.parse_args()
    program = Program("en")
    voices = folder("voices") / "en"
    options = ("--players", PLAYERS, "--rounds", str(ROUNDS), "--seed", "3", "--set", "clue_seconds=12")
    evening = without_lobby(load_live_evening(voices / "evening.txt", voices / "cards.txt", *options))
    prints: list[tuple[float, Footprint]] = []
    with tempfile.TemporaryDirectory() as name:
        times = max(2, round(arguments.hours * 3600 / 850))
        whole, script = long_evening(evening, times, program, Path(name))
        reference = play_typed(whole, script, program)
        starts = set(places_of_starts(whole, evening, with_answers(whole.acts, reference)))
        began = time.monotonic()
        progress = sys.stderr  # while the host plays, its captions and notices go nowhere

        def begins(place: int, _act: Act) -> None:
            if place in starts:
                prints.append((time.monotonic() - began, footprint()))
                print(len(prints), prints[-1], file=progress, flush=True)

        events = play_virtual(whole, reference, program, Path(name), begins)
        prints.append((time.monotonic() - began, footprint()))
    print(report(prints, [event["t"] for event in events if "t" in event][-1]))
    same, spoken = outline(reference) == outline(events), Counter(said(events))
    more, less = spoken - Counter(said(reference)), Counter(said(reference)) - spoken
    print(f"\nEvery turn, guess, foul, skip, story and score as typed: {same}.")
    print(f"Said and not in the script: {dict(more)}; in the script and not said: {dict(less)}.")
    return 0 if same and not more else 1


def places_of_starts(whole: LiveEvening, evening: LiveEvening, acts: tuple[Act, ...]) -> list[int]:
    """Return where among the acts with answers each playing begins: with its first line."""
    period = len(evening.acts) + len(AGAIN)
    wanted = {number * period for number in range(len(whole.acts) // period + 1)}
    original = iter(range(len(whole.acts)))
    places: list[int] = []
    known = iter(whole.acts)
    expected = next(known)
    for place, act in enumerate(acts):
        if act is expected:
            if next(original) in wanted:
                places.append(place)
            expected = next(known, act)
    return places


def report(prints: list[tuple[float, Footprint]], seconds: float) -> str:
    """Return the table of what the process held, with one row for each time that the evening began again."""
    rows = [
        "| began | real time, s | host, MB | its children, MB | threads | open files | children |",
        "|---|---|---|---|---|---|---|",
    ]
    for number, (second, held) in enumerate(prints, start=1):
        name = str(number) if number < len(prints) else "after the end"
        rows.append(
            f"| {name} | {second:.0f} | {held.megabytes:.1f} | {held.children_megabytes:.1f} | {len(held.threads)} | {held.files} | {held.children} |"
        )
    heard = f"{seconds / 3600:.2f} h of the table heard."
    growth = prints[-2][1].megabytes - prints[1][1].megabytes
    of_children = prints[-2][1].children_megabytes - prints[1][1].children_megabytes
    return "\n".join(
        [
            heard,
            "",
            *rows,
            "",
            f"Growth from the second beginning to the last: host {growth:+.1f} MB, children {of_children:+.1f} MB.",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
