"""What judge_mandarin.py and judge_korean.py share: the command line and the tables."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from statistics import median, quantiles

from figures import det_curve, share, table
from rooms import CONDITIONS
from sound_clips import CLEAN, Bench, Choice, Clip, Kept, Listener
from sound_limits import curve, search
from sound_trials import Method, Pool, methods, words

from voice_host.errors import HostError
from voice_host.matching.words import Verdict

ONLY_CLEAN = ("exact text, any reading", "judge, first reading")
"""These are left out in noise and rooms."""


def count_row(accepted: Method, clips: Sequence[Clip], pool: Pool) -> tuple[str, ...]:
    """Return the cells of one method: misses, false accepts on random and on nearest words."""
    counts = [[0, 0], [0, 0], [0, 0]]
    for clip in clips:
        right, drawn, near = pool.of(clip)
        got = accepted(clip, [*right, *drawn, *near])
        parts = ([not got[0]], got[1 : 1 + len(drawn)], got[1 + len(drawn) :])
        for count, part in zip(counts, parts, strict=True):
            count[0] += sum(part)
            count[1] += len(part)
    return tuple(share(*count) for count in counts)


def report(bench: Bench, clips: Sequence[Clip], pool: Pool, condition: str) -> None:
    """Print misses and false accepts in one condition, of each set (when clean) and of all together."""
    spoken = [clip for clip in clips if clip.said]
    tried = methods(bench, pool.texts, spoken)
    if condition != CLEAN:
        tried = {name: method for name, method in tried.items() if name not in ONLY_CLEAN}
    groups = sorted({clip.group for clip in spoken}) if condition == CLEAN else []
    rows = []
    for group in (*groups, *(("all",) if len(groups) != 1 else ())):
        chosen = [clip for clip in spoken if group in ("all", clip.group)]
        for name, accepted in tried.items():
            rows.append((f"{group} ({len(chosen)} clips)", name, *count_row(accepted, chosen, pool)))
    print(f"### {condition}\n")
    print(table(("recordings", "method", "misses", "false accepts, 20 random", "… 5 nearest"), rows))
    if condition == CLEAN:
        _report_unsure(bench, spoken, pool)
        _report_wordless(tried, [clip for clip in clips if not clip.said], pool)
        _report_times(bench, spoken)
    sys.stdout.flush()


def _report_unsure(bench: Bench, spoken: Sequence[Clip], pool: Pool) -> None:
    counts = {"right word": [0, 0], "20 random": [0, 0], "5 nearest": [0, 0]}
    for clip in spoken:
        for count, hidden in zip(counts.values(), pool.of(clip), strict=True):
            judged = bench.judge.judge_many(clip.first.texts, words(hidden), clip.first.confidences)
            count[0] += sum(judgement.verdict is Verdict.UNSURE for judgement in judged)
            count[1] += len(judged)
    print(table(("left to the table (unsure)", *counts), [("judge", *(share(*pair) for pair in counts.values()))]))


def _report_wordless(tried: Mapping[str, Method], clips: Sequence[Clip], pool: Pool) -> None:
    rows = []
    for group in sorted({clip.group for clip in clips}):
        chosen = [clip for clip in clips if clip.group == group]
        cells = []
        for accepted in tried.values():
            got = [one for clip in chosen for one in accepted(clip, pool.random("", clip.file))]
            cells.append(share(sum(got), len(got)))
        with_text = sum(bool(clip.first.texts) for clip in chosen)
        rows.append((f"{group} ({len(chosen)} clips, {with_text} with text)", *cells))
    if rows:
        print(table(("not a guess: right for one of 20 random words", *tried), rows))


def _report_times(bench: Bench, clips: Sequence[Clip]) -> None:
    verdicts = []
    hidden = words([clips[0].said])
    for clip in clips[:100]:
        started = time.process_time()
        bench.judge.judge_many(clip.first.texts, hidden, clip.first.confidences)
        verdicts.append(1000 * (time.process_time() - started))
    measured = {"decoding / length of the clip": [clip.first.seconds / clip.seconds for clip in clips]}
    if any(clip.second.texts != clip.first.texts for clip in clips):
        measured["decoding and second look / length"] = [clip.second.seconds / clip.seconds for clip in clips]
        measured["second look, s"] = [clip.second.seconds - clip.first.seconds for clip in clips]
    measured["verdict, ms"] = verdicts
    rows = [(name, f"{median(values):.2f}", f"{quantiles(values, n=20)[-1]:.2f}") for name, values in measured.items()]
    print(table(("processor time", "median", "95th percentile"), rows))


def _arguments(description: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--audio", type=Path, required=True, help="folder with index.tsv and the recordings")
    parser.add_argument("--transcripts", type=Path, help="keep what was heard in this folder and use it the next time")
    parser.add_argument("--half", choices=("report", "tuning", "all"), default="report")
    parser.add_argument("--conditions", nargs="+", choices=CONDITIONS, default=CONDITIONS)
    parser.add_argument(
        "--most", type=int, help="hear only so many words in each condition, drawn by their files' names"
    )
    parser.add_argument("--engine", help="only this engine")
    parser.add_argument(
        "--curve", type=Path, help="draw the DET curves into this SVG file, an engine's name before .svg"
    )
    parser.add_argument(
        "--second-look", action="store_true", help="let an engine that can hear each word again with expectations"
    )
    parser.add_argument("--search", action="store_true", help="search the judge's limits on the tuning half")
    return parser.parse_args()


def _measure(bench: Bench, engine: str, arguments: argparse.Namespace) -> None:
    """Print all that is measured of one engine; raises `HostError` where it is not there."""
    kept = Kept(arguments.transcripts, second_look=arguments.second_look)
    listener = Listener(bench, engine, arguments.audio, kept)
    pool = Pool(bench.judge, listener.said)
    if arguments.search:
        search(bench, listener.listen(Choice(CLEAN, "tuning", None)), pool)
        return
    curves = {}
    for condition in arguments.conditions:
        clips = listener.listen(Choice(condition, arguments.half, arguments.most))
        report(bench, clips, pool, condition)
        if arguments.curve:
            curves[condition] = curve(bench, clips, pool)
    if curves:
        name = f"{arguments.curve.stem}_{engine}.svg" if len(bench.engines) > 1 else arguments.curve.name
        det_curve(arguments.curve.with_name(name), curves)


def run(bench_of: Callable[[], Bench], description: str) -> int:
    """Print the report; leave with 0, and a reason, where the recordings are not there."""
    arguments = _arguments(description)
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
    for engine in bench.engines if arguments.engine is None else (arguments.engine,):
        print(f"## {engine}\n")
        try:
            _measure(bench, engine, arguments)
        except HostError as error:
            print(f"skipped: {error}\n")
    return 0
