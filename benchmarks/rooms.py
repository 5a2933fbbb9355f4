"""The rooms in which the recorded words are heard again: none, a café, other people talking, an echo."""

from __future__ import annotations

import csv
import zlib
from pathlib import Path

import numpy as np

from voice_host.hearing.sound_files import SAMPLE_RATE, Samples, read_sound

CONDITIONS = ("clean", "cafe 10 dB", "babble 10 dB", "cafe 5 dB", "babble 5 dB", "room")
_CAFE = ("crowd", "supermarket", "office", "subway-station")
_TALKERS = 6
_SPOKEN = 0.1
"""Of the peak: what is louder counts as speech when its level is measured."""


def read_index(audio: Path) -> list[dict[str, str]]:
    """Return the rows of the table of recordings."""
    with (audio / "index.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


class Rooms:
    """Puts a clip into a room; the same clip always into the same noise, chosen by its file's name."""

    def __init__(self, audio: Path, index: list[dict[str, str]]) -> None:
        self._talkers = [read_sound(audio / row["file"]) for row in index if row["kind"] == "babble-speech"]
        self._cafes = [read_sound(audio / "noise" / f"moodist_{name}.flac") for name in _CAFE]
        self._echoes = [read_sound(path) for path in sorted((audio / "rir").glob("*.flac"))]

    def __call__(self, condition: str, samples: Samples, name: str) -> Samples:
        """Return the clip as it is heard in the condition."""
        dice = np.random.default_rng(zlib.crc32(name.encode()))
        if condition == "clean":
            return samples
        if condition == "room":
            return self._echoed(samples, dice)
        kind, decibels, _ = condition.split()
        noise = self._babble(len(samples), dice) if kind == "babble" else self._cafe(len(samples), dice)
        loud = samples[np.abs(samples) > _SPOKEN * np.abs(samples).max(initial=0.0)] if samples.any() else samples
        ratio = float(np.square(loud).mean() / (np.square(noise).mean() + 1e-12)) ** 0.5
        mixed = samples + noise * np.float32(ratio * 10 ** (-float(decibels) / 20))
        return (mixed / max(1.0, float(np.abs(mixed).max()))).astype(np.float32)

    def _babble(self, count: int, dice: np.random.Generator) -> Samples:
        noise = np.zeros(count, np.float32)
        for talker in dice.choice(len(self._talkers), _TALKERS, replace=False):
            voice = self._talkers[talker]
            voice = np.resize(np.roll(voice, dice.integers(len(voice))), count)
            noise += voice / np.sqrt(np.square(voice).mean() + 1e-12)
        return noise

    def _cafe(self, count: int, dice: np.random.Generator) -> Samples:
        noise = self._cafes[dice.integers(len(self._cafes))]
        return np.resize(np.roll(noise, dice.integers(len(noise))), count)

    def _echoed(self, samples: Samples, dice: np.random.Generator) -> Samples:
        echo = self._echoes[dice.integers(len(self._echoes))]
        echo = echo[int(np.abs(echo).argmax()) :][:SAMPLE_RATE]
        heard = np.convolve(samples, echo)[: len(samples) + SAMPLE_RATE // 4]
        echoed: Samples = (heard * np.abs(samples).max() / np.abs(heard).max()).astype(np.float32)
        return echoed
