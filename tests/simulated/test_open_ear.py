"""Night prompts and earcons leave the ear open."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.dialogue.phases import LISTENING
from tests.simulated.overlapping import VOICES, Overlap, clips, sounding, spoken_over
from tests.simulated.reciting import Prompt, Table
from tests.simulated.room import Acoustics
from voice_host.speaking.earcons import earcon

SAID = {"My guess is umbrella.": "guess", "Is it a piano?": "guess", "Treasure.": "clue", "Mountain.": "clue"}


@pytest.mark.parametrize("leak_db", [-20.0, -6.0])
def test_clues_and_guesses_are_heard_over_a_night_prompt_and_right_after_an_earcon(
    by_day: Table, leak_db: float
) -> None:
    night = replace(by_day, listening=LISTENING["night"])
    spoken = {text: samples for _, text, samples in clips(VOICES) if text in SAID}
    assert spoken.keys() == SAID.keys()
    after = earcon("noted").seconds
    overlaps = [
        overlap
        for text, samples in spoken.items()
        for overlap in (
            Overlap(text, samples, Prompt("guess_noted", {"word": "dragon"}), 0.2),
            Overlap(text, samples, "noted", after + 0.02 - sounding(samples)[0]),
        )
    ]
    found = spoken_over(night, Acoustics("living room", 0.4, leak_db), overlaps)
    assert [(one.overlap.text, one.intents) for one in found] == [
        (text, (SAID[text],)) for text in spoken for _ in (1, 2)
    ]
    assert [one for one in found if "umbrella" in one.overlap.text and "umbrella" not in one.word] == []
