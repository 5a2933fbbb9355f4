"""What the host asks and tells in more than one phase, and how numbers are read from what was meant."""

from __future__ import annotations

from typing import Final

from voice_host.games.dixit_odyssey.state import Laid, State
from voice_host.games.game import Intent, Say, Seat, StartTimer

REMINDER: Final = "reminder"
REVEAL: Final = "reveal"
"""The timers."""
MOST_REMINDERS: Final = 2


def said_words(state: State) -> Say:
    """Return the storyteller's words as the room hears them."""
    player = state.turn.storyteller or ""
    if state.turn.words:
        return Say("words_heard", {"player": player, "words": state.turn.words})
    return Say("sound_heard", {"player": player})


def hand_told(state: State, seat: Seat) -> tuple[Say, ...]:
    """Tell a seat its cards, in its own ear."""
    hand = state.hands.get(seat, ())
    return tuple(
        Say("your_card", {"number": place, "scene": scene.sentence}, seat)
        for place, scene in enumerate(hand, start=1)
        if scene is not None
    )


def reminder(state: State) -> tuple[StartTimer, ...]:
    """Wait for those who are missing."""
    seconds = state.options.reminder_seconds
    return (StartTimer(REMINDER, seconds, waits_for_speech=True),) if seconds else ()


def numbers_of(intent: Intent) -> tuple[int, ...]:
    """Return the numbers that were said; what is no number counts as none there is."""
    said = (intent.slots.get(slot) for slot in ("card", "second"))
    return tuple(int(text) if text.isdigit() else 0 for text in said if text)


def read_cards(laid: tuple[Laid, ...]) -> tuple[Say, ...]:
    """Read what lies on the table."""
    return tuple(
        Say("scene_lies", {"number": number, "scene": card.scene.sentence})
        for number, card in enumerate(laid, start=1)
        if card.scene is not None
    )
