"""What the host says to one seat alone, by a second sound device: its role, the word where it may see it, its turn.

Theory of operation
-------------------
An ear takes nothing but what the seat's own page is sent: what is said to that seat, and the game's own view for it. The view of a
dreamer holds no word before day, and the ear of the dreamer says none whatever the view holds. Each ear has a speech queue,
a synthesizer and a device of its own, so that nothing of it can reach, or delay, what the room hears.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from voice_host.errors import UsageError
from voice_host.evening import Outcome
from voice_host.host import Host
from voice_host.page_texts import load_page_texts
from voice_host.speaking.loudspeaker import Loudspeaker
from voice_host.speaking.synthesizer import Synthesizer
from voice_host.speaking.voice import Priority, Voice, VoiceEvent, VoiceFailed

_WORD: Final = Priority.TIMELY


@dataclass(slots=True)
class PrivateEar:
    """Speaks to one seat; `watch` is one of the host's watchers."""

    seat: str
    """As it was named when the evening was started; capital letters do not count."""
    voice: Voice
    texts: Mapping[str, str]
    muted: bool = False
    """True while what was said before a resumption is told again."""
    _shown: Mapping[str, Any] = field(default_factory=dict)

    def watch(self, outcome: Outcome) -> None:
        """Take one line of the evening."""
        line = outcome.line
        if line["type"] == "said" and self._is_mine(line["to"]) and not self.muted:
            self.voice.say(line["text"], name=line["prompt"])
        elif line["type"] == "view" and self._is_mine(line["viewer"]):
            self._look(line["view"], line["viewer"])

    def listen_again(self) -> None:
        """Speak from now on; what shows at this moment is told. Harmless where nothing was kept back."""
        if not self.muted:
            return
        self.muted = False
        shown, self._shown = self._shown, {}
        if shown:
            self._look(shown, self.seat)

    def _is_mine(self, seat: str) -> bool:
        return seat.casefold() == self.seat.casefold()

    def _look(self, view: Mapping[str, Any], seat: str) -> None:
        before, self._shown = self._shown, view
        if self.muted or self._is_mine(view.get("dreamer") or ""):
            return
        word = None if view.get("paused") else view.get("word")
        if word != before.get("word"):
            self.voice.interrupt(below=_WORD + 1)  # whatever still waits is of another card
            if word is not None:
                self.voice.say(self.texts["the_word_is"].format(word=word), _WORD, name="word")
        turn = view.get("turn") if "dreamer" in view else None  # elsewhere the host asks aloud
        if turn == seat and (turn != before.get("turn") or word != before.get("word")):
            self.voice.say(self.texts["your_turn"], name="turn")


class PrivateSpeakers:
    """The second sound devices of an evening, by seat."""

    def __init__(self, speakers: Mapping[str, Loudspeaker], synthesizer: Synthesizer, language: str) -> None:
        """Take the open devices, and a voice that speaks to them alone."""
        texts = load_page_texts()
        self._texts = {**texts["en"], **texts.get(language, {})}
        self._speakers = speakers
        self._synthesizer = synthesizer

    def attend(self, host: Host, notice: Callable[[str], None], *, resumed: bool) -> tuple[PrivateEar, ...]:
        """Let every seat's ear watch the host from now on; a resumed evening is listened to with `PrivateEar.listen_again`."""
        ears = []
        for seat, speaker in self._speakers.items():

            def tell(event: VoiceEvent, seat: str = seat) -> None:
                if isinstance(event, VoiceFailed):
                    notice(f"The loudspeaker of {seat}: {event.sentence}")

            ears.append(PrivateEar(seat, Voice(self._synthesizer, speaker, tell), self._texts, muted=resumed))
            host.watch(ears[-1].watch)
        return tuple(ears)

    @staticmethod
    def tasks(ears: Sequence[PrivateEar]) -> list[Coroutine[Any, Any, None]]:
        """Return what is to run beside the evening."""
        return [ear.voice.run() for ear in ears]

    def close(self) -> None:
        """Give the devices back."""
        for speaker in self._speakers.values():
            speaker.close()
        self._synthesizer.close()


def parse_private_speakers(texts: Sequence[str], players: Sequence[str] | None, room: str | None) -> dict[str, str]:
    """Read ``SEAT=DEVICE``, once a seat; raises `UsageError` for a seat that nobody has, or a device that others hear.

    ``players`` is None where the names are not known before the evening.
    """
    chosen: dict[str, str] = {}
    for text in texts:
        seat, sign, device = (part.strip() for part in text.partition("="))
        if not (seat and sign and device) or device == "none":
            raise UsageError(
                f"{text!r} names no private speaker; write --private-speaker SEAT=DEVICE or SEAT=FILE.wav."
            )
        if players is not None and seat.casefold() not in {player.casefold() for player in players}:
            raise UsageError(f"{seat} of --private-speaker is not at the table; the players are {', '.join(players)}.")
        if device in {room, *chosen.values()} or seat.casefold() in map(str.casefold, chosen):
            raise UsageError(
                f"--private-speaker {text}: each seat takes one device that nobody else hears; name another."
            )
        chosen[seat] = device
    return chosen
