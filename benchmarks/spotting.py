"""Count guesses and commands that nobody meant in talk and noise, and guesses that were missed; print the tables of benchmarks/README.md.

python benchmarks/spotting.py --audio ../shared/audio
"""

from __future__ import annotations

import argparse
import bisect
import csv
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from figures import share, table
from night import Meant, Night, as_played, joined, rate
from rooms import Rooms, read_index

from voice_host.hearing.ear import SecondLook as Look
from voice_host.hearing.recognizers import load_recognizer
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples, read_sound
from voice_host.matching.words import Verdict, Word
from voice_host.resources import folder
from voice_host.second_engine import NONE, load_second_engine
from voice_host.second_look import SecondLook

TALK = ("en_sent_librispeech", "en_sent_speechocean762", "en_conversation_ami", "en_wakewords_picovoice", "noise")
CLUES = ("en_words_art4apps", "en_words_tuxpaint", "en_speech_commands")
PARTS = ("talk", "words", "guesses")
CONDITIONS = {"clean": 1, "cafe 10 dB": 2, "cafe 5 dB": 2}
"""Condition -> in how many different noises each clip is heard."""
TAIL_SECONDS = 0.5
"""Silence (or the noise alone) after a guess; before it there is a second."""
_GUESS = re.compile(r"(?:My guess is|Is it) (?:an? |the )?(\w+)[.?]")


@dataclass(frozen=True, slots=True)
class Guess:
    """One recorded guess of the demo's table."""

    file: str
    phrase: str
    word: str
    samples: Samples


def false_alarms(night: Night, audio: Path, title: str, sets: tuple[str, ...]) -> None:
    """Let a night hear the talk of other occasions, and print all that it took for the game's."""
    rows = [row for row in read_index(audio) if row["file"].split("/")[0] in sets]
    clips = [read_sound(audio / row["file"]) for row in rows]
    stream, begins = joined(clips)
    found = night.hear(stream)
    sources = [rows[max(0, bisect.bisect(begins, meant.started + 0.05) - 1)] for meant in found]
    origin = [row["file"] for row in sources]
    print(f"### {title}\n")
    print(
        table(
            ("recordings", "minutes", "utterances", "nothing meant", "clues", "guesses", "commands", "asked back"),
            [_counted(name, rows, clips, found, origin) for name in (*sets, "all")],
        )
    )
    hours = sum(map(len, clips)) / SAMPLE_RATE / 3600
    names = Counter(name for meant in found for name in meant.names)
    shown = ["guess", *sorted(name for name in night.listening.intents if name not in {"guess", "clue"}), "clue"]
    quiet = [name for name in shown if not names[name] and name != "guess"]
    print(
        table(
            ("taken for", "per hour of recordings"),
            [(name, rate(names[name], hours)) for name in shown if name not in quiet]
            + [(f"each of: {', '.join(quiet)}", rate(0, hours))],
        )
    )
    print("Taken for a guess or a command:\n")
    for meant, row in zip(found, sources, strict=True):
        wanted = [f"{one.name} {dict(one.slots) or ''}".strip() for one in meant.intents if one.name != "clue"]
        if wanted or meant.unclear:
            print(
                f"- {', '.join(wanted) or f'asked back ({meant.unclear})'}: {said(meant)} in {row['file']}, {row['text']!r}"
            )
    print()


def said(meant: Meant) -> str:
    """Return the readings that were looked at, with their probabilities."""
    return ", ".join(
        f"{text!r} {chance:.3f}" for text, chance in zip(meant.texts, meant.confidences or (1.0,), strict=False)
    )


def _counted(
    name: str, rows: list[dict[str, str]], clips: list[Samples], found: list[Meant], origin: list[str]
) -> tuple[str, ...]:
    """Return the row of one set of recordings."""
    inside = name if name != "all" else ""
    seconds = sum(len(clip) for row, clip in zip(rows, clips, strict=True) if row["file"].startswith(inside))
    here = [meant for meant, file in zip(found, origin, strict=True) if file.startswith(inside)]
    named = Counter(one for meant in here for one in meant.names)
    commands = sum(named.values()) - named["clue"] - named["guess"]
    asked = sum(meant.unclear is not None for meant in here)
    nothing = sum(not meant.names and meant.unclear is None for meant in here)
    counts = (len(here), nothing, named["clue"], named["guess"], commands, asked)
    return (name, f"{seconds / SAMPLE_RATE / 60:.1f}", *map(str, counts))


def guesses() -> list[Guess]:
    """Return the dreamers' guesses among the demo's own clips."""
    clips = folder("voices") / "en" / "evening"
    with (clips / "manifest.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        Guess(
            row["file"],
            "is it" if row["text"].startswith("Is") else "my guess is",
            match[1],
            read_sound(clips / row["file"]),
        )
        for row in rows
        if (match := _GUESS.fullmatch(row["text"]))
    ]


def misses(night: Night, audio: Path, look: Look | None) -> None:
    """Let a night hear guesses in quiet and in the café, and print what it missed."""
    rooms, recorded = Rooms(audio, read_index(audio)), guesses()
    rows, notes = [], []
    for condition, noises in CONDITIONS.items():
        trials = [(guess, number) for guess in recorded for number in range(noises)]
        heard = [(guess, night.hear(_in_room(rooms, condition, guess, number), look)) for guess, number in trials]
        for phrase in ("my guess is", "is it", "both"):
            here = [(guess, meant) for guess, meant in heard if phrase in {guess.phrase, "both"}]
            taken = sum(any("guess" in one.names for one in meant) for _, meant in here)
            right = sum(_right(night, guess, meant) for guess, meant in here)
            shares = (share(len(here) - taken, len(here)), share(taken - right, taken))
            rows.append((condition, phrase, *shares, share(len(here) - right, len(here))))
        sys.stderr.write(f"{rows[-1]}\n")
        missed = [(guess, meant) for guess, meant in heard if not _right(night, guess, meant)]
        notes += [f"- {condition}, {guess.word!r}: {'; '.join(map(said, meant))}" for guess, meant in missed]
    print("### Misses: guesses in a phrase\n")
    print(table(("condition", "phrase", "no guess heard", "guess heard, word not right", "missed in all"), rows))
    print("Missed:\n")
    print("\n".join(notes), "\n")


def _in_room(rooms: Rooms, condition: str, guess: Guess, number: int) -> Samples:
    """Return the guess with noise before and after the words, so that the ear has to find them."""
    padded = np.pad(guess.samples, (SAMPLE_RATE, int(TAIL_SECONDS * SAMPLE_RATE)))
    return rooms(condition, padded, f"{number}{guess.file}")


def _right(night: Night, guess: Guess, meant: list[Meant]) -> bool:
    """Tell whether one of the guesses that were taken is judged right."""
    known = {word.text.casefold(): word for card in night.program.dreams for word in card}
    hidden = known.get(guess.word.casefold(), Word(guess.word, guess.word))
    return any(
        night.program.measures.judge(intent.readings or (intent.slots["word"],), hidden, intent.confidences).verdict
        is Verdict.RIGHT
        for one in meant
        for intent in one.intents
        if intent.name == "guess"
    )


def main() -> int:
    """Print the report; leave with 0, and a reason, where the recordings are not there."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--audio", type=Path, required=True, help="folder with index.tsv and the recordings")
    parser.add_argument("--second-look", action="store_true", help="weigh the guesses again, as a played evening does")
    parser.add_argument(
        "--second-engine", default=NONE, metavar="NAME", help="… and let this engine hear them as well: whisper"
    )
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="what to hear")
    arguments = parser.parse_args()
    if not (arguments.audio / "index.tsv").exists():
        print(f"skipped: there are no recordings in {arguments.audio}")
        return 0
    night = Night()
    if "talk" in arguments.parts:
        false_alarms(night, arguments.audio, "False alarms: talk and noise that are no game", TALK)
    if "words" in arguments.parts:
        false_alarms(night, arguments.audio, "Clues taken for commands: single words", CLUES)
    sys.stdout.flush()
    other = load_second_engine("en", night.recognizer.name, arguments.second_engine, load_recognizer, print)
    looks = arguments.second_look or other is not None
    look = as_played(SecondLook(night.recognizer, night.program.measures, other=other)) if looks else None
    if "guesses" in arguments.parts:
        misses(night, arguments.audio, look)
    return 0


if __name__ == "__main__":
    sys.exit(main())
