"""Checks of speech: the voice says a word in each language, and the recogniser of the table's language hears one."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import soundfile

from voice_host.checks.finding import Finding, State
from voice_host.errors import HostError, MissingError, UsageError
from voice_host.hearing.sound_files import SAMPLE_RATE
from voice_host.models import advice, install_command
from voice_host.speaking.clip import Clip, resample
from voice_host.speaking.synthesizer import ChildSynthesizer

WORDS: Final = {"en": "my guess is elephant", "zh-Hant": "你好", "ko": "하나"}
"""Language -> what the doctor lets the voice say."""
_RECOGNISER_SECONDS: Final = 180.0
"""Some models are put together or loaded from a slow disk."""


def check_speech(language: str, engine: str | None) -> Iterator[Finding]:
    """Look at all voices, of which the table's language is needed, and at the recogniser of that language."""
    spoken: Clip | None = None
    for other in sorted(WORDS, key=lambda code: code != language):
        try:
            clip = say(other)
        except HostError as error:
            state: State = "missing" if other == language else "note"
            yield Finding(
                f"voice {other}", state, str(error), "python -m pip install --force-reinstall espeakng-loader"
            )
            continue
        yield Finding(f"voice {other}", "ok", f"says {WORDS[other]!r} in {clip.seconds:.1f} s")
        spoken = clip if other == language else spoken
    if language not in WORDS:
        yield Finding("language", "missing", f"there is no language {language!r}", f"choose one of: {', '.join(WORDS)}")
        return
    yield from _check_recogniser(language, engine, spoken or Clip(np.zeros(SAMPLE_RATE, np.float32), SAMPLE_RATE))


def say(language: str) -> Clip:
    """Let the voice say its word, from no cache; raises `HostError`."""
    with tempfile.TemporaryDirectory() as folder:
        synthesizer = ChildSynthesizer(language, cache_folder=Path(folder))
        try:
            return asyncio.run(synthesizer.synthesize(WORDS[language]))
        finally:
            synthesizer.close()


def _check_recogniser(language: str, engine: str | None, spoken: Clip) -> Iterator[Finding]:
    name = f"recogniser {language}"
    try:
        told = hear_apart(language, engine, spoken)
    except MissingError as error:
        yield Finding(name, "missing", str(error), install_command(language, engine))
        return
    except UsageError as error:
        yield Finding(name, "missing", str(error), "voice-host models list")
        return
    except HostError as error:
        yield Finding(name, "missing", str(error), "voice-host models verify")
        return
    heard = told["heard"]
    if not heard and spoken.audible:
        # The voice is no person's: a model for people may make nothing of it.
        yield Finding(
            name,
            "note",
            f"{told['engine']} loads, but heard nothing in {WORDS[language]!r}",
            "voice-host models verify",
        )
    else:
        said = (
            f"{told['engine']} heard {heard!r} where the voice said {WORDS[language]!r}"
            if heard
            else f"{told['engine']} loads"
        )
        yield Finding(name, "ok", f"{said} ({told['decode_seconds']:.1f} s)")
    better = advice(language)
    if better is not None and engine is None:
        sentence, _, command = better.partition("; run: ")
        yield Finding("model", "note", sentence, command)


def hear_apart(language: str, engine: str | None, spoken: Clip) -> dict[str, Any]:
    """Let the recogniser hear a clip in a process of its own, which may crash or hang without harm.

    Returns ``engine``, ``heard`` (may be empty) and ``decode_seconds``; raises the `HostError` that loading it raises.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "word.wav"
        around = np.zeros(SAMPLE_RATE // 2, np.float32)
        soundfile.write(path, np.concatenate([around, resample(spoken, SAMPLE_RATE).samples, around]), SAMPLE_RATE)
        try:
            ran = subprocess.run(  # noqa: S603 - our own program; the rest is a language's code, an engine's name, our file
                [sys.executable, "-P", "-m", "voice_host.checks.speech", language, engine or "", str(path)],
                capture_output=True,
                check=False,
                timeout=_RECOGNISER_SECONDS,
                encoding="utf-8",
                errors="replace",
                env={**os.environ, "PYTHONIOENCODING": "utf-8"},
            )
        except subprocess.TimeoutExpired as error:
            raise HostError(f"The recogniser has not answered for {_RECOGNISER_SECONDS:g} s") from error
    try:
        told: dict[str, Any] = json.loads(ran.stdout.strip().rpartition("\n")[2])
    except ValueError as error:
        raise HostError(f"The recogniser crashed (exit code {ran.returncode})") from error
    if "error" in told:
        kind = {UsageError.exit_code: UsageError, MissingError.exit_code: MissingError}.get(
            told["exit_code"], HostError
        )
        raise kind(told["error"])
    return told


def _hear(language: str, engine: str, path: str) -> dict[str, Any]:
    from voice_host.hearing.recognizers import load_recognizer
    from voice_host.hearing.sound_files import read_sound

    try:
        recognizer = load_recognizer(language, engine or None)
        recognition = recognizer.recognize(read_sound(Path(path)))
    except HostError as error:
        return {"error": str(error), "exit_code": error.exit_code}
    heard = recognition.hypotheses[0].text if recognition.hypotheses else ""
    return {"engine": recognizer.name, "heard": heard, "decode_seconds": recognition.decode_seconds}


if __name__ == "__main__":
    print(json.dumps(_hear(*sys.argv[1:4])))  # noqa: T201 - this is what the process is for
