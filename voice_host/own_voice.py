"""The host's own voice in its ears: what plays is taken out of every microphone, and what is heard of it all the same is dropped.

Theory of operation: the echo canceller closes the ear where nobody but the host is heard. What gets through is an utterance, whose
loudness over the expected rest of the echo is known: hardly louder, and it is the host; much louder, and it is a person, who may
well repeat what the host says ("say resume"); in between the words decide. They are compared by sound with what the host says or
has just said, because a recogniser mishears a rest of speech; its further readings count where they are the host's very words.
That a microphone hears no loudspeaker is a belief that a moved device makes wrong: there, too, nobody is believed to say what
the host is just saying. Nothing here knows what is hidden.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from voice_host.hearing.ear import IsHost
from voice_host.hearing.echo import EchoCanceller
from voice_host.hearing.echo_microphone import EchoFreeMicrophone, NearVoiceActivity
from voice_host.hearing.known_echo import UNKNOWN, KnownEcho
from voice_host.hearing.microphone import Microphone
from voice_host.settings import Calibration
from voice_host.speaking.tap import Taps

HOST_DB: Final = 3.0
"""An utterance that is no louder than this above the expected rest of the echo is the host's."""
PERSON_DB: Final = 12.0
"""One that is louder is a person's, whatever the words."""
LATELY_SECONDS: Final = 2.0
"""How long after a prompt an utterance may still be an echo of it."""
_ALIKE: Final = 0.3
"""Cost by sound, per letter that was heard, up to which words count as the host's."""
_WORD: Final = re.compile(r"[\w']+")

Unlikeness = Callable[[str, str], float]
"""Tells how unlike two texts sound: about 1 for each phone that is quite another."""


@dataclass(frozen=True, slots=True, eq=False)
class Listening:
    """What an ear needs to be without the host's voice."""

    microphone: EchoFreeMicrophone
    detector: NearVoiceActivity
    is_host: IsHost


class OwnVoice:
    """Takes one loudspeaker out of any number of ears; lives on the loop."""

    def __init__(
        self,
        taps: Taps,
        said_since: Callable[[float], tuple[str, ...]],
        unlikeness: Unlikeness,
        calibration: Callable[[str], Calibration | None] = lambda _microphone: None,
    ) -> None:
        """Listen at the loudspeaker's ``taps``; ``said_since`` tells the prompts since a time of the loop, ``calibration`` what was measured."""
        self._said_since = said_since
        self._unlikeness = unlikeness
        self._calibration = calibration
        self._taps = taps
        self._microphones: dict[str, EchoFreeMicrophone] = {}

    def begin_anew(self) -> None:
        """Be told that the loudspeaker or a clock is not what it was: every ear is half-duplex until the echo is known again."""
        for microphone in self._microphones.values():
            microphone.begin_anew()

    def taken_out_of(self, microphone: Microphone, ear: str) -> Listening:
        """Return what an ear listens with; the same ear's former microphone is told nothing any more."""
        echo_known = known_echo(self._calibration(microphone.name))
        canceller = EchoCanceller(echo_known)
        echo_free = EchoFreeMicrophone(microphone, canceller)
        self._taps.add(f"echo in {ear}", echo_free.tap)
        self._microphones[ear] = echo_free

        def is_host(texts: tuple[str, ...], started: float, ended: float) -> bool:
            return self._is_host(echo_free, texts, started, ended)

        return Listening(echo_free, NearVoiceActivity(echo_free), is_host)

    def _is_host(self, microphone: EchoFreeMicrophone, texts: tuple[str, ...], started: float, ended: float) -> bool:
        above = microphone.above_echo_db(started, ended)
        if above < HOST_DB:
            return True
        began = asyncio.get_running_loop().time() - (microphone.heard_seconds - started)
        if len("".join(_WORD.findall(texts[0]))) <= 1 and self._said_since(began):
            return True  # a single letter means nothing to a host, but is what a syllable of its own is read as
        if microphone.hears_no_loudspeaker:
            prompts = self._said_since(began)
        elif above >= PERSON_DB:
            return False
        else:
            prompts = self._said_since(began - LATELY_SECONDS)
        return any(self._is_of(texts, prompt) for prompt in prompts)

    def _is_of(self, texts: tuple[str, ...], prompt: str) -> bool:
        """Tell whether the best reading sounds like a stretch of the prompt, or another one has the words of one."""
        if said_in(texts[0], prompt, self._unlikeness):
            return True
        words = f" {' '.join(_WORD.findall(prompt.casefold()))} "
        others = [" ".join(_WORD.findall(text.casefold())) for text in texts[1:]]
        return any(f" {text} " in words for text in others if " " in text)


def known_echo(measured: Calibration | None) -> KnownEcho:
    """Return what a calibration tells of the echo."""
    if measured is None:
        return UNKNOWN
    heard = measured.leak_db is not None or measured.delay_seconds is not None
    return KnownEcho(measured.delay_seconds, measured.leak_db, measured.tail_seconds, heard)


def said_in(heard: str, prompt: str, unlikeness: Unlikeness) -> bool:
    """Tell whether what was heard sounds like a stretch of the prompt."""
    words, of_prompt = _WORD.findall(heard.casefold()), _WORD.findall(prompt.casefold())
    if not words:
        return True
    text = " ".join(words)
    bound = _ALIKE * len(text.replace(" ", ""))
    stretches = {
        " ".join(of_prompt[first : first + count])
        for count in range(max(1, len(words) - 1), len(words) + 2)
        for first in range(len(of_prompt) - count + 1)
    }
    return any(stretch == text or unlikeness(text, stretch) <= bound for stretch in sorted(stretches))
