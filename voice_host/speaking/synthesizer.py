"""From text to sound: what a synthesizer is, the silent one, and the one that speaks in a child process."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final, Protocol

import numpy as np
import platformdirs
import soundfile

from voice_host.speaking.cache import ClipCache, clip_key
from voice_host.speaking.child import VoiceLost, VoiceProcess, VoiceStuck
from voice_host.speaking.clip import Clip, concatenate, silence, trim
from voice_host.speaking.text import clean, pieces, speakable

__all__ = ["ChildSynthesizer", "SilentSynthesizer", "Synthesizer", "VoiceLost"]

_LOG = logging.getLogger(__name__)

WORDS_PER_MINUTE: Final = 175
"""Clear for a room with music, and a night prompt of three words stays within about a second."""

_ESPEAK_VOICES: Final = MappingProxyType(
    {
        "en": ("gmw/en-us", "gmw/en-us+f3", "gmw/en", "gmw/en+f4"),
        "zh-Hant": ("sit/cmn", "sit/cmn+f3"),
        "ko": ("ko", "ko+f3"),
    }
)
"""Voices that are told apart at once, the usual one first; those of macOS and Windows are the user's to name."""

_MEMORY_SECONDS: Final = 90.0
"""Speech kept in memory (8 MB); the disk keeps the rest."""

_PAUSE_SECONDS: Final = 0.25
"""Between two pieces of a long text."""

_FORMAT: Final = 1
"""Goes into the cache's keys: raised when what is done with the voice's sound changes."""

_SECOND_PATIENCE: Final = 3.0
"""How many times as long a fresh child may take: the first one may only have been slow, on a busy machine."""

_ONE: Final = MappingProxyType({"en": "one", "zh-Hant": "一", "ko": "하나"})
"""A word that each language's voice can certainly say, to tell an unspeakable text from a silent voice."""


class Synthesizer(Protocol):
    """Whatever turns a text into sound."""

    async def synthesize(self, text: str) -> Clip:
        """Return the spoken text; an empty clip when nothing in it has a sound; raises `VoiceLost` when there is no voice."""

    def close(self) -> None:
        """Leave nothing behind."""


class SilentSynthesizer:
    """Says nothing, in no time: for typed evenings and for tables that only read."""

    async def synthesize(self, text: str) -> Clip:  # noqa: ARG002 - every text is the same to it
        """Return an empty clip."""
        return silence(0)

    def close(self) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class _Manner:
    """How one text is to be spoken, whatever is changed while it waits."""

    voice: str | None
    rate: int


class ChildSynthesizer:
    """Speaks through the machine's voice in a child process; a crashed or hung child is replaced once per text.

    The child is started with the first text that is in no cache. All work is done one text at a time by one thread.
    """

    def __init__(
        self,
        language: str,
        voice: str | None = None,
        *,
        rate_words_per_minute: int = WORDS_PER_MINUTE,
        cache_folder: Path | None = None,
        timeout_seconds: float = 1.5,
        start_seconds: float = 10.0,
    ) -> None:
        """Prepare to speak; ``cache_folder`` None means the user's cache folder, the timeouts are those of the watchdog."""
        self._language = language
        self.voice = voice
        """The engine's own name of the voice, None for the usual one; may be set between texts."""
        self.rate = rate_words_per_minute
        """Words a minute; may be set between texts."""
        self._timeout_seconds = timeout_seconds
        self._start_seconds = start_seconds
        self._cache = ClipCache(cache_folder or Path(platformdirs.user_cache_path("voice_host")) / "speech")
        self._memory: OrderedDict[str, Clip] = OrderedDict()
        self._process: VoiceProcess | None = None
        self._process_voice: str | None = None
        self._worker = ThreadPoolExecutor(1, "speaking")
        self._closed = False

    @property
    def voices(self) -> tuple[str, ...]:
        """The voices of the language, the usual one first; none where only the user knows them."""
        return () if sys.platform in {"darwin", "win32"} else _ESPEAK_VOICES.get(self._language, ())

    @property
    def child_pid(self) -> int | None:
        """Process id of the running child, None when there is none."""
        process = self._process
        return process.pid if process is not None and process.alive else None

    async def synthesize(self, text: str) -> Clip:
        """Return the spoken text without silence around it; an empty clip when nothing in it has a sound."""
        text = clean(text)
        if not speakable(text):
            return silence(0)
        manner = _Manner(self.voice, self.rate)
        return self._remembered(text, manner) or await self._work(text, manner)

    def close(self) -> None:
        """End the child and the thread; a text that is being made raises `VoiceLost`."""
        self._closed = True
        process = self._process
        if process is not None:
            process.kill()
        self._worker.shutdown(wait=True, cancel_futures=True)
        if self._process is not None:
            self._process.kill()

    async def _work(self, text: str, manner: _Manner) -> Clip:
        if self._closed:
            raise VoiceLost(_CLOSED)
        return await asyncio.get_running_loop().run_in_executor(self._worker, self._make, text, manner)

    def _key(self, text: str, manner: _Manner) -> str:
        return clip_key(_FORMAT, text, self._language, manner.voice or "", manner.rate)

    def _remembered(self, text: str, manner: _Manner) -> Clip | None:
        key = self._key(text, manner)
        clip = self._memory.get(key)
        if clip is not None:
            self._memory.move_to_end(key)
        return clip

    # ------------------------------------------------------------------------------------- in the worker's thread

    def _make(self, text: str, manner: _Manner) -> Clip:
        """Return the clip from a cache, else synthesise and keep it."""
        key = self._key(text, manner)
        clip = self._memory.get(key) or self._cache.get(key)
        if clip is None:
            clip = self._spoken(text, manner)
            if clip.audible:
                clip = self._cache.put(key, clip)
        self._memory[key] = clip
        while sum(kept.seconds for kept in self._memory.values()) > _MEMORY_SECONDS:
            self._memory.popitem(last=False)
        return clip

    def _spoken(self, text: str, manner: _Manner) -> Clip:
        """Synthesise piece by piece; silence for a text that the voice has no sound for."""
        clips: list[Clip] = []
        for piece in pieces(text):
            clip = trim(self._spoken_piece(piece, manner))
            if clip.audible:
                clips.extend([silence(_PAUSE_SECONDS, clip.sample_rate), clip] if clips else [clip])
        if not clips:
            if not trim(self._spoken_piece(_ONE.get(self._language, "1"), manner)).audible:
                raise VoiceLost("The voice makes no sound; choose another voice or reinstall espeak-ng.")
            _LOG.warning("the voice has no sound for %r", text)
        return concatenate(clips)

    def _spoken_piece(self, piece: str, manner: _Manner) -> Clip:
        """Ask the child, and a fresh child once more if the first is stuck; raises `VoiceLost`."""
        try:
            return self._asked(piece, manner, self._timeout_seconds)
        except VoiceStuck as stuck:
            _LOG.warning("the voice is started anew: %s", stuck)
            return self._asked(piece, manner, _SECOND_PATIENCE * self._timeout_seconds)

    def _asked(self, piece: str, manner: _Manner, timeout_seconds: float) -> Clip:
        process = self._running(manner.voice)
        try:
            path = process.speak(piece, manner.rate, timeout_seconds)
            clip = _read(path)
            path.unlink(missing_ok=True)
        except VoiceStuck:
            process.kill()
            self._process = None
            raise
        return clip

    def _running(self, voice: str | None) -> VoiceProcess:
        """Return a child with that voice, which a child has for life."""
        if self._closed:
            raise VoiceLost(_CLOSED)
        if self._process is not None and (voice != self._process_voice or not self._process.alive):
            self._process.kill()
            self._process = None
        if self._process is None:
            self._process = VoiceProcess(self._language, voice, self._start_seconds)
            self._process_voice = voice
            _LOG.info("speaking with %s, voice %s", self._process.engine, self._process.voice)
        return self._process


_CLOSED: Final = "The voice is closed; nothing is said after the evening."


def _read(path: Path) -> Clip:
    """Read what the child has written, mixed to mono; raises `VoiceStuck` when it is no sound of finite numbers."""
    try:
        samples, sample_rate = soundfile.read(path, dtype="float32", always_2d=True)
    except (OSError, RuntimeError) as error:
        raise VoiceStuck(f"The voice wrote a sound file that cannot be read ({error}); free disk space.") from error
    mono = np.ascontiguousarray(samples.mean(axis=1, dtype=np.float32))
    if not np.isfinite(mono).all():
        raise VoiceStuck("The voice wrote broken sound; it is tried again by itself.")
    return Clip(mono, int(sample_rate))
