"""Measure the Korean judge beside matching by text, on recorded words; print the tables of benchmarks/korean.md.

    python benchmarks/judge_korean.py --audio ../shared/audio

Every clip is tried against its right word (a miss: the verdict is not right) and against other words of the recordings (a false
accept: the verdict is right). Nouns are cut from running speech with their particles (날개를): the noun alone is the right word.
For the baselines spaces are taken out of every text. Halves are parted by speaker.
"""

from __future__ import annotations

import re
import sys

from sound_clips import Bench, Recording
from sound_judging import run

from voice_host.lexicon import load_korean_measures
from voice_host.matching.korean_text import plain

GROUPS = {"cutword": "nouns with particles", "word": "words", "phrase": "phrases"}
WORDLESS_KINDS = ("noise", "nonverbal")


def read(row: dict[str, str]) -> Recording | None:
    """Return what a line of the index is good for."""
    if row["kind"] in WORDLESS_KINDS:
        return Recording(row["file"], row["kind"], "", row["file"])
    if row["kind"] == "child" and row["language"] == "ko":
        return Recording(row["file"], "a child's sentences", "", row["file"])
    if row["language"] != "ko" or row["kind"] not in GROUPS:
        return None
    noun = re.match(r"noun=(\S+)", row["note"])
    return Recording(row["file"], GROUPS[row["kind"]], noun[1] if noun else row["text"], row["speaker"])


def bench() -> Bench:
    """Return what is measured for Korean."""
    return Bench(
        language="ko",
        engines=("whisper", "vosk"),
        judge=load_korean_measures().judging,
        read=read,
        plain=plain,
        packages=("wordfreq", "rapidfuzz", "numpy"),
    )


if __name__ == "__main__":
    sys.exit(run(bench, __doc__ or ""))
