"""The recorded evenings that come with the program are whole, small, and made of words of the deck."""

from __future__ import annotations

import pytest

from voice_host.commands.demo import DemoRequest, load_evening
from voice_host.decks import load_dreams
from voice_host.program import read_cards
from voice_host.resources import folder
from voice_host.tables.robot import Bell, Line

VOICES = folder("voices") / "en"
EVENINGS = {
    "evening": ("cards.txt", "Amy Ben Cleo Dan"),
    "evening_of_six": ("cards_of_six.txt", "Amy Ben Cleo Dan Emma Fred"),
}
each_evening = pytest.mark.parametrize("name", EVENINGS)


@each_evening
def test_every_line_of_the_evening_has_a_clip(name: str) -> None:
    acts, clips, cards = load_evening(DemoRequest(lang="en", evening=VOICES / name))
    assert {act for act in acts if isinstance(act, Line)} == set(clips)
    assert cards == VOICES / EVENINGS[name][0]


def test_the_evening_that_comes_up_by_itself_is_that_of_four() -> None:
    assert load_evening(DemoRequest(lang="en"))[2] == VOICES / "cards.txt"


@each_evening
def test_everybody_of_the_evening_dreams_once(name: str) -> None:
    acts, _, _ = load_evening(DemoRequest(lang="en", evening=VOICES / name))
    people = set(EVENINGS[name][1].split())
    assert {act.person for act in acts if isinstance(act, Line)} == people
    assert sum(isinstance(act, Bell) for act in acts) == len(people)


@each_evening
def test_every_clip_is_speech_of_sensible_length_and_loudness(name: str) -> None:
    _, clips, _ = load_evening(DemoRequest(lang="en", evening=VOICES / name))
    for line, samples in clips.items():
        assert 0.4 < len(samples) / 16_000 < 8, line
        assert abs(samples).max() < 1, line
        assert float((samples**2).mean() ** 0.5) == pytest.approx(0.06, rel=0.25), line


@each_evening
def test_the_words_that_come_up_are_words_of_the_deck(name: str) -> None:
    deck = {word.text for card in load_dreams("en") for word in card}
    words = read_cards(VOICES / EVENINGS[name][0])
    assert set(words) <= deck
    assert len(set(words)) == len(words)


def test_the_voices_take_little_room() -> None:
    assert sum(path.stat().st_size for path in VOICES.rglob("*") if path.is_file()) < 2.5e6
