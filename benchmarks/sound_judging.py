"""What judge_mandarin.py and judge_korean.py share: clips, trials, baselines, tables and the search for the judge's limits."""

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
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import metadata
from itertools import product
from pathlib import Path
from statistics import median, quantiles

import numpy as np
from judge_english import det_curve, share, table
from numpy.typing import NDArray
from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from voice_host.errors import HostError
from voice_host.hearing.recognizers import load_recognizer
from voice_host.hearing.sound_files import read_sound
from voice_host.matching.judging import Limits, SoundJudge
from voice_host.matching.nearest import nearest_of
from voice_host.matching.words import Verdict, Word

RANDOM_TRIALS = 20
NEAREST_TRIALS = 5
SAMPLE_RATE = 16_000
RANDOM_LIMIT = 0.003
NEAREST_LIMIT = 0.02
"""The shares of false accepts that the search for limits allows."""
CURVE_SCALE = 0.25
"""The costs that make a step on the scale of the curve's thresholds; it changes where the curve ends, not its shape."""


@dataclass(frozen=True, slots=True)
class Clip:
    """One recording with what was heard in it."""

    file: str
    group: str
    """Under which name it is reported."""
    said: str
    """"" where nobody says a word."""
    tuning: bool
    """Whether it is in the half on which the limits were chosen."""
    heard: tuple[str, ...]
    confidences: tuple[float, ...]
    decode_seconds: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Recording:
    """One line of the index that is of use, before anybody listened."""

    file: str
    group: str
    said: str
    half_by: str
    """Speaker or word by which the halves are parted."""


@dataclass(frozen=True, slots=True)
class Bench:
    """What one language measures."""

    language: str
    engines: tuple[str, ...]
    judge: SoundJudge
    read: Callable[[dict[str, str]], Recording | None]
    """Line of the index -> recording, or None where it is of no use."""
    plain: Callable[[str], str]
    """A text as the baselines compare it."""
    packages: tuple[str, ...]


def in_tuning_half(key: str) -> bool:
    """Tell to which half a speaker or a word belongs."""
    return zlib.crc32(key.encode()) % 2 == 0


def listen(bench: Bench, engine: str, audio: Path, folder: Path | None) -> list[Clip]:
    """Recognise every clip of use; what is kept in the folder of transcripts is not heard again."""
    with (audio / "index.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        wanted = [recording for row in rows if (recording := bench.read(row))]
    cache = folder / f"{bench.language}-{engine}.jsonl" if folder else None
    known: dict[str, dict[str, object]] = {}
    if cache and cache.exists():
        known = {entry["file"]: entry for entry in map(json.loads, cache.read_text(encoding="utf-8").splitlines())}
    missing = [recording for recording in wanted if recording.file not in known]
    recognizer = load_recognizer(bench.language, engine) if missing else None
    for number, recording in enumerate(missing, start=1):
        assert recognizer is not None  # noqa: S101
        samples = read_sound(audio / recording.file)
        result = recognizer.recognize(samples)
        known[recording.file] = {
            "file": recording.file,
            "heard": [hypothesis.text for hypothesis in result.hypotheses],
            "confidences": [hypothesis.confidence or 0.0 for hypothesis in result.hypotheses],
            "decode_seconds": result.decode_seconds,
            "seconds": len(samples) / SAMPLE_RATE,
        }
        sys.stderr.write(f"\r{number} of {len(missing)} clips heard by {engine}")
    if cache and missing:
        cache.write_text(
            "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in known.values()), encoding="utf-8"
        )
    return [_clip(recording, known[recording.file]) for recording in wanted]


def _clip(recording: Recording, entry: Mapping[str, object]) -> Clip:
    heard, confidences = entry["heard"], entry["confidences"]
    assert isinstance(heard, list)  # noqa: S101
    assert isinstance(confidences, list)  # noqa: S101
    weighed = tuple(float(one) for one in confidences) if any(confidences) else ()
    return Clip(
        file=recording.file,
        group=recording.group,
        said=recording.said,
        tuning=in_tuning_half(recording.half_by),
        heard=tuple(map(str, heard)),
        confidences=weighed,
        decode_seconds=float(str(entry["decode_seconds"])),
        seconds=float(str(entry["seconds"])),
    )


class Pool:
    """The words that a clip is tried against: all that anybody says in the recordings."""

    def __init__(self, judge: SoundJudge, texts: Iterable[str]) -> None:
        self.texts = tuple(sorted(set(texts)))
        self._sounds = {text: frozenset(judge.speech.phrase(text)) for text in self.texts}

    def others(self, said: str) -> list[str]:
        """Return the words that do not sound the same as the said one, nor contain it or are contained in it."""
        own = self._sounds.get(said, frozenset())
        return [
            text
            for text, sounds in self._sounds.items()
            if not said or (sounds.isdisjoint(own) and said not in text and text not in said)
        ]

    def random(self, said: str, seed: str) -> list[str]:
        """Return `RANDOM_TRIALS` other words, drawn by the seed."""
        return random.Random(seed).sample(self.others(said), RANDOM_TRIALS)

    def nearest(self, said: str) -> list[str]:
        """Return the `NEAREST_TRIALS` other words with the fewest units to change (plain Levenshtein, not the judge's costs)."""

        def to_change(text: str) -> tuple[int, str]:
            pairs = product(self._sounds[said], self._sounds[text])
            return min((Levenshtein.distance(one, other) for one, other in pairs), default=99), text

        return sorted(self.others(said), key=to_change)[:NEAREST_TRIALS]


Method = Callable[[Clip, Sequence[str]], list[bool]]


def words(texts: Iterable[str]) -> list[Word]:
    """Return texts as words of a deck."""
    return [Word(id=text, text=text) for text in texts]


def by_text(plain: Callable[[str], str], accepts: Callable[[str, str], bool]) -> Method:
    """Return a baseline that accepts by spelling alone."""

    def accepted(clip: Clip, hidden: Sequence[str]) -> list[bool]:
        heard = plain(clip.heard[0]) if clip.heard else ""
        return [bool(heard) and accepts(heard, plain(word)) for word in hidden]

    return accepted


def by_nearest_spelling(plain: Callable[[str], str], known: Sequence[str]) -> Method:
    """Return the baseline of wyoming-vosk: the nearest of all known words by Levenshtein with weights 1, 1, 3, however far."""
    spelled = sorted({plain(word) for word in known})

    def accepted(clip: Clip, hidden: Sequence[str]) -> list[bool]:
        heard = plain(clip.heard[0]) if clip.heard else ""
        found = min(spelled, key=lambda word: Levenshtein.distance(heard, word, weights=(1, 1, 3)))
        return [bool(heard) and plain(word) == found for word in hidden]

    return accepted


def by_sound(judge: SoundJudge, readings: int | None = None, *, weighed: bool = True) -> Method:
    """Return the judge with so many readings: accepted is what is right; unsure counts as wrong, as at night."""

    def accepted(clip: Clip, hidden: Sequence[str]) -> list[bool]:
        confidences = clip.confidences[:readings] if weighed else ()
        judged = judge.judge_many(clip.heard[:readings], words(hidden), confidences)
        return [judgement.verdict is Verdict.RIGHT for judgement in judged]

    return accepted


def methods(bench: Bench, known: Sequence[str]) -> dict[str, Method]:
    """Return the judge and the baselines by the name in the table."""
    plain = bench.plain

    def in_any_reading(clip: Clip, hidden: Sequence[str]) -> list[bool]:
        heard = {plain(reading) for reading in clip.heard}
        return [plain(word) in heard for word in hidden]

    return {
        "exact text": by_text(plain, lambda heard, hidden: heard == hidden),
        "rapidfuzz ratio >= 80": by_text(plain, lambda heard, hidden: fuzz.ratio(heard, hidden) >= 80),
        "rapidfuzz WRatio >= 80": by_text(plain, lambda heard, hidden: fuzz.WRatio(heard, hidden) >= 80),
        "nearest spelling, no cutoff": by_nearest_spelling(plain, known),
        "exact text, any reading": in_any_reading,
        "judge, first reading": by_sound(bench.judge, 1),
        "**voice-host judge**": by_sound(bench.judge),
    }


def count_row(accepted: Method, clips: Sequence[Clip], pool: Pool) -> tuple[str, ...]:
    """Return the cells of one method: misses, false accepts on random and on nearest words."""
    counts = [[0, 0], [0, 0], [0, 0]]
    for clip in clips:
        drawn, near = pool.random(clip.said, clip.file), pool.nearest(clip.said)
        got = accepted(clip, [clip.said, *drawn, *near])
        parts = ([not got[0]], got[1 : 1 + len(drawn)], got[1 + len(drawn) :])
        for count, part in zip(counts, parts, strict=True):
            count[0] += sum(part)
            count[1] += len(part)
    return tuple(share(*count) for count in counts)


def report(bench: Bench, clips: Sequence[Clip], half: str) -> None:
    """Print the tables of one engine."""
    pool = Pool(bench.judge, (clip.said for clip in clips if clip.said))
    spoken = [clip for clip in clips if clip.said and (half == "all" or clip.tuning == (half == "tuning"))]
    groups = sorted({clip.group for clip in spoken})
    rows = []
    for group in (*groups, *(("all",) if len(groups) > 1 else ())):
        chosen = [clip for clip in spoken if group in ("all", clip.group)]
        for name, accepted in methods(bench, pool.texts).items():
            rows.append((f"{group} ({len(chosen)} clips)", name, *count_row(accepted, chosen, pool)))
    print(table(("recordings", "method", "misses", "false accepts, 20 random", "… 5 nearest"), rows))
    _report_unsure(bench, spoken, pool)
    _report_wordless(bench, [clip for clip in clips if not clip.said], pool)
    _report_times(bench, [clip for clip in clips if clip.said])


def _report_unsure(bench: Bench, spoken: Sequence[Clip], pool: Pool) -> None:
    counts = {"right word": [0, 0], "20 random": [0, 0], "5 nearest": [0, 0]}
    for clip in spoken:
        lists = ([clip.said], pool.random(clip.said, clip.file), pool.nearest(clip.said))
        for count, hidden in zip(counts.values(), lists, strict=True):
            judged = bench.judge.judge_many(clip.heard, words(hidden), clip.confidences)
            count[0] += sum(judgement.verdict is Verdict.UNSURE for judgement in judged)
            count[1] += len(judged)
    print(table(("left to the table (unsure)", *counts), [("judge", *(share(*pair) for pair in counts.values()))]))


def _report_wordless(bench: Bench, clips: Sequence[Clip], pool: Pool) -> None:
    names = methods(bench, pool.texts)
    rows = []
    for group in sorted({clip.group for clip in clips}):
        chosen = [clip for clip in clips if clip.group == group]
        cells = []
        for accepted in names.values():
            got = [one for clip in chosen for one in accepted(clip, pool.random("", clip.file))]
            cells.append(share(sum(got), len(got)))
        rows.append((f"{group} ({len(chosen)} clips, {sum(bool(clip.heard) for clip in chosen)} with text)", *cells))
    if rows:
        print(table(("not a guess: right for one of 20 random words", *names), rows))


def _report_times(bench: Bench, clips: Sequence[Clip]) -> None:
    verdicts = []
    hidden = words([clips[0].said])
    for clip in clips[:100]:
        started = time.perf_counter()
        bench.judge.judge_many(clip.heard, hidden, clip.confidences)
        verdicts.append(1000 * (time.perf_counter() - started))
    ratios = [clip.decode_seconds / clip.seconds for clip in clips]
    rows = (
        ("decode time / length of the clip", f"{median(ratios):.2f}", f"{quantiles(ratios, n=20)[-1]:.2f}"),
        ("verdict, ms", f"{median(verdicts):.0f}", f"{quantiles(verdicts, n=20)[-1]:.0f}"),
    )
    print(table(("time", "median", "95th percentile"), rows))


@dataclass(frozen=True, slots=True)
class _Trials:
    """The measures of many judgements, from which verdicts are computed again and again; all arrays are [trial]."""

    kind: NDArray[np.int32]
    """0 the right word, 1 a random one, 2 a near one."""
    cost: NDArray[np.float64]
    margin: NDArray[np.float64]
    length: NDArray[np.float64]
    another: NDArray[np.bool_]
    """Whether the first reading is exactly another thing."""
    first_share: NDArray[np.float64]
    """Share of the first reading in the probability of all."""

    def excess(self, limits: Limits) -> NDArray[np.float64]:
        """Return by how much all limits must be loosened for the verdict to be right; the same rule as the judge's at 0."""
        ways = (
            (limits.same_cost, -limits.same_cost),
            (limits.near_cost, limits.near_margin),
            (limits.far_cost_per_phone * self.length, limits.far_margin),
        )
        excess = np.min([np.maximum(self.cost - cost, margin - self.margin) for cost, margin in ways], axis=0)
        another = self.another & (self.first_share >= limits.sure_confidence) & (self.cost > limits.same_cost)
        return np.where(another, np.inf, excess)

    def rates(self, limits: Limits) -> tuple[float, ...]:
        """Return the shares of right verdicts of each kind."""
        right = self.excess(limits) <= 0.0
        return tuple(float(right[self.kind == kind].mean()) for kind in range(3))


def _trials(judge: SoundJudge, clips: Sequence[Clip], pool: Pool) -> _Trials:
    certain = replace(judge, limits=replace(judge.limits, sure_confidence=0.0))
    rows = []
    for clip in clips:
        heard = certain.heard(clip.heard, clip.confidences)
        costs = judge.lexicon.costs(heard.sounds, judge.costs)
        lists = ([clip.said], pool.random(clip.said, clip.file), pool.nearest(clip.said))
        first = max(clip.confidences, default=1.0) / (sum(clip.confidences) or 1.0)
        for kind, hidden in enumerate(lists):
            for word in words(hidden):
                meant = judge.speech.sounds(word)
                judged = certain.compare(heard, costs, word)
                length = nearest_of(heard.sounds, meant.pronunciations, judge.costs)[1] if heard.sounds else 1
                another = bool(heard.sounds) and certain.is_another_thing(heard, meant)
                rows.append((kind, judged.cost, judged.margin, length, another, first))
    kinds, cost, margin, lengths, others, firsts = (np.array(column) for column in zip(*rows, strict=True))
    return _Trials(kinds, cost, margin, lengths, others, firsts)


def curve(bench: Bench, clips: Sequence[Clip], half: str) -> dict[str, list[float]]:
    """Return kind of trial -> between 0 and 1 how surely right; the judge's own limits are at a half."""
    pool = Pool(bench.judge, (clip.said for clip in clips if clip.said))
    chosen = [clip for clip in clips if clip.said and (half == "all" or clip.tuning == (half == "tuning"))]
    trials = _trials(bench.judge, chosen, pool)
    sure = 1 / (1 + np.exp(np.minimum(trials.excess(bench.judge.limits), 100.0) / CURVE_SCALE))
    return {name: sure[trials.kind == kind].tolist() for name, kind in (("right", 0), ("nearest", 2))}


def search(bench: Bench, clips: Sequence[Clip]) -> None:
    """Print the limits that miss least on the tuning half within the allowed false accepts."""
    pool = Pool(bench.judge, (clip.said for clip in clips if clip.said))
    tuning = [clip for clip in clips if clip.said and clip.tuning]
    found = []
    for nats in (6.0, 10.0, 16.0, 24.0):
        base = replace(bench.judge.limits, nats_a_cost=nats)
        trials = _trials(replace(bench.judge, limits=base), tuning, pool)
        for near_cost, near_margin, far, far_margin, sure in product(
            (0.15, 0.25, 0.35, 0.45),
            (-0.3, -0.2, -0.15, -0.1, -0.05, 0.0),
            (0.08, 0.12, 0.16, 0.2, 0.25),
            (-0.1, 0.0, 0.1, 0.2, 0.3),
            (0.5, 0.75, 2.0),
        ):
            limits = replace(
                base,
                near_cost=near_cost,
                near_margin=near_margin,
                far_cost_per_phone=far,
                far_margin=far_margin,
                sure_confidence=sure,
            )
            right, drawn, nearest = trials.rates(limits)
            if drawn <= RANDOM_LIMIT and nearest <= NEAREST_LIMIT:
                found.append((right, -nearest, -drawn, limits))
    found.sort(key=lambda one: one[:3], reverse=True)
    for right, nearest, drawn, limits in found[:12]:
        print(f"miss {1 - right:.3f} nearest {-nearest:.4f} random {-drawn:.4f} {limits}")


def run(bench_of: Callable[[], Bench], description: str) -> int:
    """Print the report; leave with 0, and a reason, where the recordings are not there."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--audio", type=Path, required=True, help="folder with index.tsv and the recordings")
    parser.add_argument("--transcripts", type=Path, help="keep what was heard in this folder and use it the next time")
    parser.add_argument("--half", choices=("report", "tuning", "all"), default="report")
    parser.add_argument("--engine", help="only this engine")
    parser.add_argument("--curve", type=Path, help="draw the DET curve into this SVG file")
    parser.add_argument("--search", action="store_true", help="search the judge's limits on the tuning half")
    arguments = parser.parse_args()
    if not (arguments.audio / "index.tsv").exists():
        print(f"skipped: there are no recordings in {arguments.audio}")
        return 0
    started = time.perf_counter()
    bench = bench_of()
    seconds = time.perf_counter() - started
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in bench.packages)
    print(f"Python {platform.python_version()}, {versions}; {os.cpu_count()} CPUs ({platform.machine()}).")
    print(
        f"Half: {arguments.half}. {len(bench.judge.lexicon.words)} words in the lexicon, loaded in {seconds:.1f} s.\n"
    )
    curves = {}
    for engine in bench.engines if arguments.engine is None else (arguments.engine,):
        try:
            clips = listen(bench, engine, arguments.audio, arguments.transcripts)
        except HostError as error:
            print(f"## {engine}: skipped\n\n{error}\n")
            continue
        print(f"## {engine}\n")
        if arguments.search:
            search(bench, clips)
        else:
            report(bench, clips, arguments.half)
            if arguments.curve:
                curves[engine] = curve(bench, clips, arguments.half)
    if curves:
        det_curve(arguments.curve, curves)
    return 0
