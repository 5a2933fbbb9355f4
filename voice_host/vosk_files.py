"""What Vosk's native code must find in a model's folder: it may abort the process over less, so this is read first."""

from __future__ import annotations

import importlib.util
import mmap
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

SPEAKER_ENGINE: Final = "vosk-speakers"
"""The catalogue's name for models of voices, which hear no words."""

_ALWAYS: Final = ("am/final.mdl", "conf/mfcc.conf", "conf/model.conf")
_GRAPHS: Final = (("graph/HCLG.fst",), ("graph/HCLr.fst", "graph/Gr.fst"))
_IVECTOR: Final = tuple(
    f"ivector/{name}"
    for name in ("final.dubm", "final.ie", "final.mat", "global_cmvn.stats", "online_cmvn.conf", "splice.conf")
)
_SPEAKER: Final = ("mfcc.conf", "final.ext.raw", "mean.vec", "transform.mat")
_FST: Final = b"\xd6\xfd\xb2\x7e"
"""How OpenFst's binary files begin."""
_TAIL: Final = 1 << 18
"""After the network come its context and the priors of its classes, at most some 10 000 floats."""
_TRY_WORDS: Final = (
    "import sys, vosk; vosk.SetLogLevel(-1); one = vosk.KaldiRecognizer(vosk.Model(sys.argv[1]), 16000.0); "
    "one.AcceptWaveform(bytes(32000)); one.FinalResult()"
)
_TRY_VOICES: Final = "import sys, vosk; vosk.SetLogLevel(-1); vosk.SpkModel(sys.argv[1])"
_TRIAL_SECONDS: Final = 60.0


def vosk_faults(folder: Path) -> tuple[str, ...]:
    """Return what a model for words lacks; nothing does not mean that each byte is right, only that nothing is cut off."""
    faults = [*_absent(folder, _ALWAYS)]
    if not any(not [*_absent(folder, graph)] for graph in _GRAPHS):
        faults.append("graph/HCLG.fst, or HCLr.fst with Gr.fst, is missing or empty")
    if not faults:
        faults.extend(_ivector_faults(folder))
    if not faults:
        faults.extend(_damage(folder))
    return tuple(faults)


def trial_fault(folder: Path, engine: str) -> str | None:
    """Let Vosk load a model and hear a second of silence in a process of its own, which may die of it (3 s).

    Returns what came of it, or None when it went well or Vosk is not installed.
    """
    if importlib.util.find_spec("vosk") is None:
        return None
    program = _TRY_VOICES if engine == SPEAKER_ENGINE else _TRY_WORDS
    command = [sys.executable, "-c", program, str(folder)]
    try:
        ended = subprocess.run(command, capture_output=True, check=False, timeout=_TRIAL_SECONDS)  # noqa: S603
    except subprocess.TimeoutExpired:
        return "Vosk does not come to an end with it"
    return "Vosk cannot load it" if ended.returncode else None


def speaker_faults(folder: Path) -> tuple[str, ...]:
    """Return what a model of voices lacks."""
    return tuple(_absent(folder, _SPEAKER))


def _absent(folder: Path, names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        path = folder / name
        if not path.is_file():
            yield f"{name} is missing"
        elif path.stat().st_size == 0:
            yield f"{name} is empty"


def _ivector_faults(folder: Path) -> Iterator[str]:
    """Yield what the extractor of i-vectors lacks, where the network takes them: Vosk misses it only when it listens."""
    if (folder / "ivector").is_dir() or _contains(folder / "am" / "final.mdl", b"name=ivector"):
        yield from _absent(folder, _IVECTOR)


def _damage(folder: Path) -> Iterator[str]:
    """Look at how the binary files begin and end: a garbled or cut file shows there."""
    yield from _between(folder, "am/final.mdl", b"\0B<TransitionModel> ", b"</Nnet3> ")
    if (folder / "ivector").is_dir():
        yield from _between(folder, "ivector/final.ie", b"\0B<IvectorExtractor> ", b"</IvectorExtractor> ")
        yield from _between(folder, "ivector/final.dubm", b"\0B<DiagGMM> ", b"</DiagGMM> ")
    for name in ("graph/HCLG.fst", "graph/HCLr.fst", "graph/Gr.fst"):
        if (folder / name).is_file():
            yield from _between(folder, name, _FST, b"")


def _between(folder: Path, name: str, beginning: bytes, end: bytes) -> Iterator[str]:
    with (folder / name).open("rb") as file:
        head = file.read(len(beginning))
        file.seek(max(0, (folder / name).stat().st_size - _TAIL))
        tail = file.read()
    if head != beginning:
        yield f"{name} does not begin as such a file does"
    elif end not in tail:
        yield f"{name} is cut off"


def _contains(path: Path, wanted: bytes) -> bool:
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return data.find(wanted) >= 0
