"""Listen to silence, noise and wordless voices, and count what is heard there; print the tables of benchmarks/README.md.

python benchmarks/silence.py --audio ../shared/audio
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from figures import share, table
from night import Meant, Night, as_played, joined, rate
from rooms import read_index

from voice_host.hearing.sound_files import SAMPLE_RATE, Samples, read_sound
from voice_host.matching.words import Verdict, Word
from voice_host.second_look import SecondLook

HISS_DECIBELS = -60
RANDOM_WORDS = 20
FANS = ("ceiling-fan", "air_conditioner", "laboratory", "laundry-room", "washing-machine")
CAFES = ("crowd.", "supermarket", "office", "subway-station")
CROWDS = ("nonspeech_n1.", "nonspeech_n10.", "nonspeech_n15.", "nonspeech_n16.", "nonspeech_n4.", "nonspeech_n6.",
          "nonspeech_n7.", "nonspeech_n8.")  # fmt: skip
TALKERS = 6


def looped(recordings: list[Samples], seconds: float) -> Samples:
    """Return the recordings one after the other, each repeated through an equal part of the time."""
    return np.concatenate([np.resize(one, int(seconds * SAMPLE_RATE / len(recordings))) for one in recordings])


def babble(voices: list[Samples], seconds: float) -> Samples:
    """Return six readers at once, at an ordinary level."""
    count, dice = int(seconds * SAMPLE_RATE), np.random.default_rng(0)
    mixed = np.zeros(count, np.float32)
    for number in range(TALKERS):
        voice = np.concatenate([voices[index] for index in dice.permutation(len(voices))[number:]])
        mixed += np.resize(voice, count) / np.float32(np.sqrt(np.square(voice).mean()))
    quiet: Samples = (0.2 * mixed / np.abs(mixed).max() * np.sqrt(TALKERS)).astype(np.float32)
    return quiet


def rooms(audio: Path, seconds: float) -> Iterator[tuple[str, Callable[[], Samples]]]:
    """Yield each kind of silence by name, made when it is asked for."""
    index = read_index(audio)

    def of(kind: str, *names: str) -> list[Samples]:
        rows = (row for row in index if row["kind"] == kind)
        return [
            read_sound(audio / row["file"]) for row in rows if not names or any(one in row["file"] for one in names)
        ]

    hiss = np.random.default_rng(0).normal(0.0, 10 ** (HISS_DECIBELS / 20), int(seconds * SAMPLE_RATE))
    yield "digital silence", lambda: np.zeros(int(seconds * SAMPLE_RATE), np.float32)
    yield f"hiss, {HISS_DECIBELS} dBFS", lambda: hiss.astype(np.float32)
    yield f"fans and machines ({len(FANS)}, looped)", lambda: looped(of("noise", *FANS), seconds)
    yield f"café, shop, station ({len(CAFES)}, looped)", lambda: looped(of("noise", *CAFES), seconds)
    yield f"near crowds ({len(CROWDS)}, looped)", lambda: looped(of("noise", *CROWDS), seconds)
    yield "music (1, looped)", lambda: looped(of("noise", "felix_music"), seconds)
    yield "all 45 noises, once", lambda: joined(of("noise"))[0]
    yield "coughs, laughter, yawns ..., once", lambda: joined(of("nonverbal"))[0]
    yield "children (may hold words), once", lambda: joined(of("child"))[0]
    yield "six readers at once (words)", lambda: babble(of("babble-speech"), seconds)


def judged_right(night: Night, meant: Meant, readings: tuple[str, ...], confidences: tuple[float, ...]) -> int:
    """Return for how many of 20 random words of the deck the readings would be a right guess."""
    deck: list[Word] = [word for card in night.program.dreams for word in card]
    hidden = random.Random(str(meant.started)).sample(deck, RANDOM_WORDS)
    judge = night.program.measures.judge
    return sum(judge(readings, word, confidences).verdict is Verdict.RIGHT for word in hidden)


def measure(night: Night, name: str, samples: Samples) -> tuple[tuple[str, ...], list[str]]:
    """Return the row of one kind of silence, and what was meant there."""
    minutes = len(samples) / SAMPLE_RATE / 60
    found = night.hear(samples, as_played(SecondLook(night.recognizer, night.program.measures)))
    texts = [meant for meant in found if meant.texts]
    intents = [(meant, intent) for meant in found for intent in meant.intents]
    guesses = [(meant, intent) for meant, intent in intents if intent.name == "guess"]
    right = sum(judged_right(night, one, intent.readings, intent.confidences) for one, intent in guesses)
    any_text = sum(judged_right(night, one, one.texts, one.confidences) for one in texts)
    commands = sum(intent.name not in {"guess", "clue"} for _, intent in intents)
    named = Counter(intent.name for _, intent in intents)
    counts = (len(found), len(texts), named["clue"], len(guesses), commands)
    row = (
        name,
        f"{minutes:.1f}",
        *(rate(count, minutes) for count in counts),
        str(right),
        share(any_text, RANDOM_WORDS * len(texts)),
    )
    return row, [f"{name}: {', '.join(one.names) or one.unclear or 'nothing'}: {one.texts[0]!r}" for one in texts]


def main() -> int:
    """Print the report; leave with 0, and a reason, where the recordings are not there."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--audio", type=Path, required=True, help="folder with index.tsv and the recordings")
    parser.add_argument("--minutes", type=float, default=10.0, help="how long each endless noise is heard")
    parser.add_argument("--only", default="", help="hear only the sounds with this in their name")
    arguments = parser.parse_args()
    if not (arguments.audio / "index.tsv").exists():
        print(f"skipped: there are no recordings in {arguments.audio}")
        return 0
    night = Night()
    rows, heard = [], []
    for name, make in rooms(arguments.audio, 60 * arguments.minutes):
        if arguments.only not in name:
            continue
        row, texts = measure(night, name, make())
        rows.append(row)
        heard += texts
        sys.stderr.write(f"{row}\n")
    header = ("sound", "minutes", "utterances a minute", "texts", "clues", "guesses", "commands", "guesses right",
              "any text taken as a guess: right, 20 random words")  # fmt: skip
    print(table(header, rows))
    print("All that was recognised:\n")
    print("\n".join(f"- {line} ({count})" for line, count in Counter(heard).items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
