"""The recordings of Mandarin and Korean words, heard in a room by an engine, with and without the second look."""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from english_trials import Heard
from judge_english import hear
from rooms import Rooms, read_index

from voice_host.errors import MissingError
from voice_host.hearing.recognizers import Recognizer, load_recognizer
from voice_host.hearing.recognizers.vosk import VoskRecognizer
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples, read_sound
from voice_host.lexicon import common_things
from voice_host.matching.judging import SoundJudge
from voice_host.models import best_for
from voice_host.models_install import prepare
from voice_host.second_look import SecondLook

CLEAN = "clean"
DECOYS = 440
"""Common things beside the words of the recordings, as many as a deck has."""


@dataclass(frozen=True, slots=True)
class Clip:
    """One recording with what was heard in it."""

    file: str
    group: str
    """Under which name it is reported."""
    said: str
    """"" where nobody says a word."""
    tuning: bool
    """Whether it is in the half on which all was chosen and fitted."""
    first: Heard
    """The recogniser's own n-best."""
    second: Heard
    """After the second look."""
    expecting: Heard | None
    """With a grammar of all words of the recordings and of decoys beside free words; None where the engine follows none."""
    outside: Heard | None
    """The same, but the word that is said is in no grammar."""
    forced: str
    """The text that a grammar of these words and decoys alone finds; "" where the engine follows none."""
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


@dataclass(frozen=True, slots=True)
class Choice:
    """Which clips are heard."""

    condition: str
    half: str
    """report, tuning or all."""
    most: int | None
    """Only so many, spoken ones, drawn by their files' names; None for all."""

    def of(self, bench: Bench, rows: Sequence[dict[str, str]]) -> list[Recording]:
        """Return the recordings, drawn ones in the order of the draw; those without words only where all are heard clean."""
        wanted = [
            recording
            for row in rows
            if (recording := bench.read(row)) and (not recording.said or self._in_half(recording))
        ]
        if self.condition == CLEAN and self.most is None:
            return wanted
        spoken = sorted((one for one in wanted if one.said), key=lambda one: zlib.crc32(one.file.encode()))
        return spoken[: self.most]

    def _in_half(self, recording: Recording) -> bool:
        return self.half == "all" or in_tuning_half(recording.half_by) == (self.half == "tuning")


@dataclass(frozen=True, slots=True)
class Kept:
    """What is done with what is heard."""

    folder: Path | None
    """Where it is kept and found again; None for nowhere."""
    second_look: bool
    """Whether each clip is heard twice, the second time with expectations."""

    def file(self, language: str, engine: str) -> Path | None:
        """Return the file of an engine's hearings."""
        second = "-twice" if self.second_look else ""
        return self.folder / f"{language}-{engine}{second}.jsonl" if self.folder else None


def in_tuning_half(key: str) -> bool:
    """Tell to which half a speaker or a word belongs."""
    return zlib.crc32(key.encode()) % 2 == 0


class Forced:
    """What most programs do with Vosk: a grammar of the words alone, which finds something in it whatever is said."""

    def __init__(self, recognizer: VoskRecognizer, language: str, known: Sequence[str]) -> None:
        """Make a grammar of the words, those that the model lacks in pieces; Vosk may join pieces of different words."""
        import vosk

        found = best_for(language, recognizer.name)
        if found is None:
            raise MissingError(f"There is no Vosk model for language {language!r}.")
        grammar = sorted({words for text in known if (words := recognizer.pieces(text))})
        model = vosk.Model(str(prepare(found.model)))
        self._native = vosk.KaldiRecognizer(model, float(SAMPLE_RATE), json.dumps(grammar, ensure_ascii=False))

    def __call__(self, samples: Samples) -> str:
        """Return the text, "" for none."""
        self._native.AcceptWaveform((np.clip(samples, -1.0, 1.0) * 32767).astype("<i2").tobytes())
        return str(json.loads(self._native.FinalResult()).get("text", ""))


class Listener:
    """Lets one engine hear recordings; what is kept in the folder of transcripts is not heard again."""

    def __init__(self, bench: Bench, engine: str, audio: Path, kept: Kept) -> None:
        self._bench = bench
        self._engine = engine
        self._audio = audio
        self._rows = read_index(audio)
        self.said = sorted({one.said for row in self._rows if (one := bench.read(row)) and one.said})
        self._vocabulary = (*self.said, *common_things(bench.language, DECOYS))
        self._tools: tuple[Recognizer, SecondLook, Rooms] | None = None
        self._forced: Forced | None = None
        self._expecting = frozenset({engine}) if kept.second_look else frozenset()
        self._kept = kept.file(bench.language, engine)
        self._known: dict[tuple[str, str], dict[str, Any]] = {}
        if self._kept and self._kept.exists():
            entries = map(json.loads, self._kept.read_text(encoding="utf-8").splitlines())
            self._known = {(entry["condition"], entry["file"]): entry for entry in entries}

    def listen(self, choice: Choice) -> list[Clip]:
        """Return what is heard in the chosen clips; raises `HostError` where the engine is not there."""
        wanted = choice.of(self._bench, self._rows)
        clips = []
        for number, recording in enumerate(wanted, start=1):
            key = (choice.condition, recording.file)
            if key not in self._known:
                self._hear(*key)
                sys.stderr.write(f"\r{choice.condition}: {number} of {len(wanted)} clips heard by {self._engine}")
            clips.append(_clip(recording, self._known[key]))
        return clips

    def _hear(self, condition: str, file: str) -> None:
        if self._tools is None:
            recognizer = load_recognizer(self._bench.language, self._engine)
            look = SecondLook(recognizer, self._bench.judge, self._expecting)
            self._tools = recognizer, look, Rooms(self._audio, self._rows)
            if isinstance(recognizer, VoskRecognizer) and recognizer.capabilities.grammar:
                self._forced = Forced(recognizer, self._bench.language, self._vocabulary)
        recognizer, look, rooms = self._tools
        samples = rooms(condition, read_sound(self._audio / file), file)
        entry = {"condition": condition, "file": file, **hear(recognizer, look, samples)}
        if self._forced is not None and isinstance(recognizer, VoskRecognizer):
            entry["forced"] = self._forced(samples)
            said = next(one.said for row in self._rows if (one := self._bench.read(row)) and one.file == file)
            for name, words in (("expecting", self._vocabulary), ("outside", without(said, self._vocabulary))):
                recognizer.listen_for(words)
                heard = hear(recognizer, look, samples)
                entry[name] = heard["first"]
            recognizer.listen_for(())
        self._known[condition, file] = entry
        if self._kept:
            with self._kept.open("a", encoding="utf-8") as kept:
                kept.write(json.dumps(entry, ensure_ascii=False) + "\n")


def without(said: str, words: Sequence[str]) -> tuple[str, ...]:
    """Return the words that are no part of what is said, nor hold it."""
    return tuple(word for word in words if not said or (said not in word and word not in said))


def _clip(recording: Recording, entry: dict[str, Any]) -> Clip:
    expecting, outside = (_heard(entry[name]) if name in entry else None for name in ("expecting", "outside"))
    looks = (_heard(entry["first"]), _heard(entry["second"]), expecting, outside)
    tuning, forced = in_tuning_half(recording.half_by), str(entry.get("forced", ""))
    return Clip(recording.file, recording.group, recording.said, tuning, *looks, forced, entry["seconds"])


def _heard(kept: dict[str, Any]) -> Heard:
    confidences = tuple(kept["confidences"]) if any(kept["confidences"]) else ()
    return Heard(tuple(kept["texts"]), confidences, kept["seconds"])
