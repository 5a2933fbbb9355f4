"""What the recogniser's child process does: loads one engine, then carries out one job after another.

    started -> {"name", "languages", "capabilities"}  or  {"error": one sentence, "kind": the error's class}
    {"job", ...} (with samples: 32-bit floats; none where they are those of the job before) -> {..., "worked_seconds", "memory_bytes"}

What an engine raises ends the process: the parent starts another one and asks again.
"""

from __future__ import annotations

import contextlib
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from voice_host.child_process import Parent, Values
from voice_host.errors import HostError
from voice_host.hearing.recognizers import Recognition, Recognizer, load_recognizer
from voice_host.hearing.sound_files import Samples


def main(parent: Parent, language: str, engine: str) -> None:
    """Load the engine, an empty name meaning the best one, and serve it."""
    try:
        recognizer = load_recognizer(language, engine or None)
    except HostError as error:
        parent.send({"error": str(error), "kind": type(error).__name__})
        return
    serve(parent, recognizer)


def serve(parent: Parent, recognizer: Recognizer) -> NoReturn:
    """Do one job after another until the parent is gone."""
    parent.send(
        {
            "name": recognizer.name,
            "languages": recognizer.languages,
            "capabilities": asdict(recognizer.capabilities),
            "memory_bytes": memory_bytes(),
        }
    )
    samples: Samples = np.zeros(0, np.float32)
    while True:
        values, data = parent.receive()
        if not values["same"]:
            samples = np.frombuffer(data, np.float32)
        began = time.process_time()
        answer = _answer(recognizer, values, samples)
        worked = time.process_time() - began
        parent.send({**answer, "worked_seconds": worked, "memory_bytes": memory_bytes()})


def _answer(recognizer: Any, values: Values, samples: Samples) -> Values:
    match values["job"]:
        case "accept":
            recognizer.accept(samples)
            return {}
        case "score":
            return {"scores": recognizer.score(samples, values["candidates"])}
        case "listen_for":
            return {"unknown": recognizer.listen_for(values["phrases"])}
        case "can_write":
            return {"can": recognizer.can_write(values["word"])}
        case _:
            return _written(_heard(recognizer, values, samples))


def _heard(recognizer: Any, values: Values, samples: Samples) -> Recognition:
    recognition: Recognition
    match values["job"]:
        case "recognize":
            recognition = recognizer.recognize(samples)
        case "recognize_expecting":
            recognition = recognizer.recognize_expecting(samples, values["words"])
        case "finish":
            recognition = recognizer.finish()
        case job:
            raise ValueError(f"there is no job {job!r}")
    return recognition


def _written(recognition: Recognition) -> Values:
    return {
        "hypotheses": [(hypothesis.text, hypothesis.confidence) for hypothesis in recognition.hypotheses],
        "decode_seconds": recognition.decode_seconds,
    }


def memory_bytes() -> int | None:
    """Return the memory that this process occupies now; None where the system does not tell."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * _page_bytes()
    return None


def _page_bytes() -> int:
    import resource

    return resource.getpagesize()
