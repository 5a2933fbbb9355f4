"""What the pages offer to say: what the game listens to, less what only a voice can mean."""

from __future__ import annotations

from voice_host.evening import BARGE_INS
from voice_host.games.game import Listening, Slot
from voice_host.tables.tapping import sayable

LISTENING = Listening(
    {"guess": {"word": Slot(("dragon",), open=True)}, "pause": {}, **{name: {} for name in BARGE_INS}},
    only_of={"guess": ("Amy",)},
)


def test_words_that_cut_a_prompt_short_are_no_buttons() -> None:
    assert set(sayable(LISTENING, None)) == {"guess", "pause"}


def test_what_is_one_seats_own_is_offered_to_that_seat_and_no_values_of_the_deck_travel() -> None:
    assert set(sayable(LISTENING, "Ben")) == {"pause"}
    assert sayable(LISTENING, "Amy")["guess"] == {"word": {"values": [], "open": True}}
