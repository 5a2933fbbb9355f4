"""Measure the Mandarin judge beside matching by text, on recorded words; print the tables of benchmarks/mandarin.md.

    python benchmarks/judge_mandarin.py --audio ../shared/audio

Every clip is tried against its right word (a miss: the verdict is not right) and against other words of the recordings (a false
accept: the verdict is right). For the baselines every text, heard or hidden, is first written in Simplified characters, so that
they do not lose by the script. Halves are parted by word: each set is one speaker.
"""

from __future__ import annotations

import sys

from sound_clips import Bench, Recording
from sound_judging import run

from voice_host.lexicon import load_mandarin_measures
from voice_host.matching.mandarin_text import plain

WORD_SETS = ("zh_gcompris", "zh_words_audio_cmn")
WORDLESS_KINDS = ("noise", "nonverbal")
INTERJECTIONS = ("啊", "哈哈")
"""These are recorded as words, but the judge takes them for hesitation, as it should in a game."""


def read(row: dict[str, str]) -> Recording | None:
    """Return what a line of the index is good for."""
    folder = row["file"].split("/")[0]
    if row["kind"] in WORDLESS_KINDS:
        return Recording(row["file"], row["kind"], "", row["file"])
    if row["kind"] == "sentence" and row["language"] == "zh":
        return Recording(row["file"], "sentences of other people", "", row["file"])
    if folder not in WORD_SETS or not row["text"] or row["text"] in INTERJECTIONS:
        return None
    return Recording(row["file"], folder, row["text"], row["text"])


def bench() -> Bench:
    """Return what is measured for Mandarin."""
    measures = load_mandarin_measures()
    return Bench(
        language="zh-Hant",
        engines=("whisper", "vosk"),
        judge=measures.judging,
        read=read,
        plain=lambda text: measures.speech.script.to_simplified(plain(text)),
        packages=("wordfreq", "rapidfuzz", "numpy"),
    )


if __name__ == "__main__":
    sys.exit(run(bench, __doc__ or ""))
