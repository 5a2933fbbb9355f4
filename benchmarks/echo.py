"""Does the host hear itself, and whom does it hear while it speaks? In simulated rooms (PYTHONPATH=. python benchmarks/echo.py).

A host says real prompts with its real voice into a computed room; what the room's microphone hears goes through the echo canceller, the
ear, the recogniser and the interpreter of an evening. Waiting takes no time, and work takes the processor time that it takes, so the
latencies are those of a machine that does nothing else. Parts: prompts, interruptions, night, guesses; all without a name.
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from figures import share, table

from tests.dialogue.phases import LISTENING
from tests.simulated.interrupting import WORDS, Interruption, interrupted
from tests.simulated.overlapping import VOICES, Overlap, clips, sounding, spoken_over
from tests.simulated.prompts import all_prompts
from tests.simulated.reciting import Prompt, Table, recite
from tests.simulated.room import Acoustics, SimulatedRoom
from tests.simulated.working_time import run
from voice_host.games.game import Utterance
from voice_host.hearing.recognizers import load_recognizer
from voice_host.hearing.sound_files import Samples, read_sound
from voice_host.program import Program
from voice_host.second_look import SecondLook
from voice_host.speaking.earcons import earcon
from voice_host.speaking.synthesizer import ChildSynthesizer
from voice_host.understanding import Understander

ROOMS = (
    Acoustics("desk", 0.25, -20.0, direct_db=3.0),
    Acoustics("living room", 0.4, -6.0, seed=2),
    Acoustics("hall", 0.8, -12.0, direct_db=-6.0, seed=3),
    Acoustics("loud and rattling", 0.4, 0.0, overdrive=2.0, seed=4),
    Acoustics("wireless, late", 0.5, -10.0, delay_seconds=0.25, direct_db=-3.0, seed=5),
)
LEAKS_DB = (-30.0, -20.0, -12.0, -6.0, 0.0)
LOUDNESS = 0.06
"""Root mean square of the people's speech."""
PROMPT_SECONDS = 10.0
"""No prompt, with the silence after it, takes longer on the average."""
AT_NIGHT: tuple[Prompt | str, ...] = (
    Prompt("turn", {"player": "Ben"}),
    Prompt("guess_noted", {"word": "dragon"}),
    Prompt("countdown", {"seconds": 30}),
    Prompt("time_left", {"seconds": 42}),
)
EARCONS = ("noted", "next_card")


def in_all_phases(program: Program, texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return what an utterance would mean, by phase, where it means anything."""
    understand = Understander(program)
    found = {}
    for phase, listening in LISTENING.items():
        intents, _ = understand(Utterance(1, tuple(texts), 0.0, 1.0), None, listening)
        if intents:
            found[phase] = tuple(intent.name for intent in intents)
    return found


def own_voice(at: Table, every: int) -> Iterator[tuple[str, ...]]:
    """Let the host say all that it can say, nobody else speaking; yield a row for each room."""
    said = all_prompts(at.program)[::every]
    for acoustics in ROOMS:
        room = SimulatedRoom(acoustics, PROMPT_SECONDS * len(said))
        recital = run(recite(at, room, said))
        meant = [in_all_phases(at.program, line["hypotheses"]) for line in recital.heard]
        for line, phases in zip(recital.heard, meant, strict=True):
            sys.stderr.write(f"{acoustics.name}: {line['t']:.1f} s: {line['text']!r} {phases}\n")
        yield (
            acoustics.name,
            f"{acoustics.leak_db:.0f}",
            f"{1000 * acoustics.tail_seconds:.0f}",
            str(len(recital.began)),
            f"{recital.began[-1] / 60:.1f}",
            str(len(recital.heard)),
            str(len(recital.actions) + len(recital.cut)),
            str(sum(bool(phases) for phases in meant)),
        )


def waits(found: Sequence[Interruption]) -> tuple[str, ...]:
    """Return how many were understood and silenced the host in time, and the median and 95 % of the waits."""
    waited = [one.silent_after_seconds for one in found if one.silent_after_seconds is not None]
    return (
        share(sum(one.understood for one in found), len(found)),
        share(len(waited), len(found)),
        share(sum(seconds <= 0.3 for seconds in waited), len(waited)),
        f"{np.median(waited):.2f}" if waited else "–",
        f"{np.quantile(waited, 0.95):.2f}" if waited else "–",
    )


def recorded(audio: Path) -> list[tuple[str, str, Samples]]:
    """Return the people of the recordings who say one of the words, as loud as the others."""
    with (audio / "index.tsv").open(encoding="utf-8", newline="") as file:
        rows = [
            row
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            if row["language"] == "en" and row["text"] in {"stop", "pause", "time"}
        ]
    found = []
    for row in rows:
        samples = read_sound(audio / row["file"])
        loud = samples[np.abs(samples) > 0.1 * np.abs(samples).max()]
        samples = samples * np.float32(LOUDNESS / np.sqrt(np.square(loud).mean()))
        found.append((row["speaker"], row["text"], np.clip(samples, -1.0, 1.0)))
    return found


def interruptions(at: Table, audio: Path | None, every: int) -> Iterator[tuple[str, ...]]:
    """Yield a row for each word and leak."""
    rendered = clips(WORDS)[::every]
    for leak in LEAKS_DB:
        found = interrupted(at, Acoustics("living room", 0.4, leak, seed=2), rendered)
        for one in found:
            sys.stderr.write(f"{leak:.0f} dB: {one}\n")
        for word in ("stop", "pause", "time"):
            of_word = [one for one in found if one.word == word]
            alone = [clip for clip, one in zip(rendered, found, strict=True) if one.word == word]
            yield f"{leak:.0f}", f"{word}, rendered voices", _read_alone(at, alone), *waits(of_word)
        if audio is not None:
            spoken = recorded(audio)
            people = interrupted(at, Acoustics("living room", 0.4, leak, seed=2), spoken)
            yield f"{leak:.0f}", "stop and time, recorded people", _read_alone(at, spoken), *waits(people)


def _read_alone(at: Table, said: Sequence[tuple[str, str, Samples]]) -> str:
    """Return how many of the clips are read as their word where nobody speaks but they."""
    best = [(text, at.recognizer.recognize(samples).hypotheses[:1]) for _, text, samples in said]
    return share(sum(bool(one) and _is_word(one[0].text, text) for text, one in best), len(best))


def at_night(at: Table, every: int) -> Iterator[tuple[str, ...]]:
    """Yield, for each leak, how many clues and guesses are understood in silence, over a night prompt, and right after an earcon."""
    spoken = [(text, samples) for _, text, samples in clips(VOICES) if _is_guess(text) or " " not in text][::every]
    for leak in LEAKS_DB:
        acoustics = Acoustics("living room", 0.4, leak, seed=2)
        for where, overlaps in (
            ("in silence", [Overlap(text, samples, EARCONS[0], 2.0) for text, samples in spoken]),
            (
                "over a night prompt",
                [
                    Overlap(text, samples, AT_NIGHT[number % len(AT_NIGHT)], 0.2)
                    for number, (text, samples) in enumerate(spoken)
                ],
            ),
            (
                "right after an earcon",
                [
                    Overlap(
                        text,
                        samples,
                        EARCONS[number % 2],
                        earcon(EARCONS[number % 2]).seconds + 0.02 - sounding(samples)[0],
                    )
                    for number, (text, samples) in enumerate(spoken)
                ],
            ),
        ):
            found = spoken_over(at, acoustics, overlaps)
            guesses = [one for one in found if _is_guess(one.overlap.text)]
            clues = [one for one in found if not _is_guess(one.overlap.text)]
            yield (
                f"{leak:.0f}",
                where,
                share(sum(bool(one.heard) for one in found), len(found)),
                share(sum("guess" in one.intents for one in guesses), len(guesses)),
                share(sum(_is_word(one.word, one.overlap.text) for one in guesses), len(guesses)),
                share(sum("clue" in one.intents for one in clues), len(clues)),
                share(sum(_is_word(one.word, one.overlap.text) for one in clues), len(clues)),
            )


def acknowledgements(at: Table, every: int) -> Iterator[tuple[str, ...]]:
    """Yield, with and without foretelling, how long after a guess its acknowledgement is heard; nothing is said before it."""
    look = SecondLook(at.recognizer, at.program.measures)
    spoken = [(text, samples) for _, text, samples in clips(VOICES) if _is_guess(text)][::every]
    overlaps = [Overlap(text, samples, EARCONS[0], 3.0) for text, samples in spoken]
    acoustics = Acoustics("living room", 0.4, -20.0, seed=2)
    for name, table_of in (
        ("when it has been weighed again", replace(at, second_look=look, foretold=False)),
        ("foretold by its first reading", replace(at, second_look=look)),
        ("without a second look", at),
    ):
        waited = []
        for one in spoken_over(table_of, acoustics, overlaps):
            end = one.began + sounding(one.overlap.samples)[1]
            answer = next((begun for begun in one.recital.sounded if one.began < begun < end + 4.0), None)
            if answer is not None:
                waited.append(answer - end)
        yield (
            name,
            f"{len(waited)} of {len(overlaps)}",
            f"{np.median(waited):.2f}",
            f"{np.quantile(waited, 0.95):.2f}",
        )


def _is_guess(text: str) -> bool:
    return text.startswith(("My guess is", "Is it"))


def _last_word(text: str) -> str:
    return text.rstrip(".?!").split()[-1].casefold()


def _is_word(heard: str, text: str) -> bool:
    """Tell whether the word of a clip was read as it is; an article before it is none of it."""
    return bool(heard) and _last_word(heard) == _last_word(text)


PARTS = {
    "prompts": (
        "room",
        "leak, dB",
        "tail, ms",
        "prompts and earcons",
        "minutes",
        "heard of itself",
        "host actions",
        "would act in some phase",
    ),
    "interruptions": (
        "leak, dB",
        "word",
        "read as that alone",
        "understood",
        "made it silent",
        "within 0.3 s",
        "median, s",
        "95 %, s",
    ),
    "night": (
        "leak, dB",
        "spoken",
        "heard",
        "guesses taken as such",
        "with their word",
        "clues taken as such",
        "with their word",
    ),
    "guesses": ("acknowledged", "heard", "median, s", "95 %, s"),
}


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--every", type=int, default=1, help="only every so manieth prompt or utterance")
    parser.add_argument("--audio", type=Path, help="folder with index.tsv and recorded people")
    arguments = parser.parse_args()
    program, synthesizer, recognizer = Program("en"), ChildSynthesizer("en"), load_recognizer("en")
    program.measures.distance("loaded", "loaded")
    with tempfile.TemporaryDirectory() as scratch:
        night = Table(program, recognizer, synthesizer, LISTENING["night"], Path(scratch))
        day = replace(night, listening=LISTENING["review"])
        rows = {
            "prompts": lambda: own_voice(night, arguments.every),
            "interruptions": lambda: interruptions(day, arguments.audio, arguments.every),
            "night": lambda: at_night(night, arguments.every),
            "guesses": lambda: acknowledgements(night, arguments.every),
        }
        for part in arguments.parts or PARTS:
            done = []
            for row in rows[part]():
                done.append(row)
                sys.stderr.write(f"{row}\n")
            print(table(PARTS[part], done), flush=True)
    synthesizer.close()
    recognizer.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
