"""An evening's recording, kept only when the table was told: what each microphone brought, and what the host let be heard.

One folder an evening, beside its journal and of the same name. Each start of the evening adds its own FLAC files (16 kHz, mono),
all of which begin at the second that `parts.tsv` names. A full disk ends the recording, not the evening.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

import numpy as np
import soundfile

from voice_host.errors import HostError, UsageError
from voice_host.hearing.microphone import Block, Microphone
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples, read_sound

log = logging.getLogger(__name__)

SUFFIX: Final = ".recording"
PARTS: Final = "parts.tsv"
_NAMES: Final = "names"
_WRITTEN_SECONDS: Final = 1.0
"""How much sound waits in memory for the disk."""


def recording_of(journal: Path) -> Path:
    """Return where the recording of an evening is kept, if it was recorded."""
    return journal.with_suffix(SUFFIX)


def size_of(folder: Path) -> int:
    """Return the bytes of a recording."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else 0


def forget(folder: Path) -> None:
    """Delete a recording; harmless where there is none; raises `HostError` when it cannot be deleted."""
    try:
        if folder.is_dir():
            shutil.rmtree(folder)
    except OSError as error:
        raise HostError(f"The recording {folder} cannot be deleted ({error.strerror}); delete it yourself.") from error


class Recording:
    """The files of one start of an evening; all methods belong to the loop's thread."""

    def __init__(self, folder: Path, notice: Callable[[str], None]) -> None:
        """Make the folder; raises `HostError` when it cannot be written."""
        self.folder = folder
        self._notice = notice
        self._tracks: dict[str, _Track] = {}
        self._began = 0.0
        self._broken = False
        try:
            (folder / _NAMES).mkdir(mode=0o700, parents=True, exist_ok=True)
            self.number = 1 + max((int(path.stem.rsplit("-", 1)[1]) for path in folder.glob("*-*.flac")), default=0)
        except (OSError, ValueError) as error:
            raise HostError(
                f"The evening cannot be recorded in {folder} ({error}); make room, or leave --record away."
            ) from error

    def begin(self, second: float, loop_time: float) -> None:
        """Note the second of the evening at which the files of this start begin."""
        self._began = loop_time
        with (self.folder / PARTS).open("a", encoding="utf-8") as parts:
            parts.write(f"{self.number}\t{second:.3f}\n")

    def microphone(self, ear: str, microphone: Microphone) -> Microphone:
        """Return a microphone that is recorded while it is listened to."""
        return _Recorded(microphone, self, ear)

    def tap(self, samples: Samples, heard_at: float) -> None:
        """Record what the room hears of the host, at its time of the loop."""
        self.write("host", samples, heard_at)

    def write(self, name: str, samples: Samples, at: float) -> None:
        """Record samples whose first one is heard at a time of the loop; what is missing before it is silence."""
        if self._broken:
            return
        try:
            if name not in self._tracks:
                self._tracks[name] = _Track(self.folder / f"{name}-{self.number}.flac")
            self._tracks[name].write(samples, round((at - self._began) * SAMPLE_RATE))
        except (OSError, soundfile.SoundFileError) as error:
            self._notice(f"The recording in {self.folder} ends here ({error}); make room before the next evening.")
            self._broken = True

    def keep_name(self, player: str, samples: Samples) -> None:
        """Keep how a player says the own name, so that a resumed evening has it."""
        try:
            soundfile.write(self.folder / _NAMES / f"{quote(player, safe='')}.flac", samples, SAMPLE_RATE)
        except (OSError, soundfile.SoundFileError) as error:
            self._notice(f"How {player} says the own name was not kept ({error}); make room before the next evening.")

    def names(self) -> dict[str, Samples]:
        """Return the names that players have said themselves, as far as they can be read."""
        found: dict[str, Samples] = {}
        for path in sorted((self.folder / _NAMES).glob("*.flac")):
            try:
                found[unquote(path.stem)] = read_sound(path)
            except UsageError as error:
                self._notice(str(error))
        return found

    def close(self) -> None:
        """Finish the files."""
        for track in self._tracks.values():
            try:
                track.close()
            except (OSError, soundfile.SoundFileError) as error:
                log.warning("a recording was not finished: %s", error)


class _Track:
    """One growing FLAC file."""

    def __init__(self, path: Path) -> None:
        self._file = soundfile.SoundFile(path, "w", SAMPLE_RATE, 1, "PCM_16", format="FLAC")
        self._frames = 0
        self._waiting: list[Samples] = []
        self._waiting_frames = 0

    def write(self, samples: Samples, frame: int) -> None:
        """Put samples at a frame, or behind what is there if that is later."""
        gap = frame - self._frames
        if gap > SAMPLE_RATE // 10:  # a smaller one is how exactly times are told
            self._add(np.zeros(gap, np.float32))
        self._add(samples)
        if self._waiting_frames >= _WRITTEN_SECONDS * SAMPLE_RATE:
            self._flush()

    def close(self) -> None:
        self._flush()
        self._file.close()

    def _add(self, samples: Samples) -> None:
        self._waiting.append(samples)
        self._waiting_frames += len(samples)
        self._frames += len(samples)

    def _flush(self) -> None:
        if self._waiting:
            self._file.write(np.concatenate(self._waiting))
            self._file.flush()
        self._waiting, self._waiting_frames = [], 0


class _Recorded:
    """A microphone whose blocks are recorded."""

    def __init__(self, microphone: Microphone, recording: Recording, ear: str) -> None:
        self._microphone = microphone
        self._recording = recording
        self._ear = ear

    @property
    def name(self) -> str:
        return self._microphone.name

    @property
    def captured_at(self) -> float:
        return self._microphone.captured_at

    async def blocks(self) -> AsyncGenerator[Block, None]:
        async for block in self._microphone.blocks():
            self._recording.write(self._ear, block, self._microphone.captured_at - len(block) / SAMPLE_RATE)
            yield block

    def close(self) -> None:
        self._microphone.close()
