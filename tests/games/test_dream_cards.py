"""Cards turn when they go back under the deck, and rigged words come up in their order."""

from __future__ import annotations

from random import Random

from tests.games.helpers import Table, deck, words
from voice_host.games.when_i_dream.deck import Card, Deck, shuffled


def test_a_card_under_the_deck_shows_another_of_its_words() -> None:
    card = Card(words("a", "b", "c", "d"))
    seen = [card.word.text]
    for _ in range(3):
        card = card.turned()
        seen.append(card.word.text)
    assert seen == ["a", "b", "c", "d"]


def test_a_night_begins_by_turning_the_top_card_under() -> None:
    pile = tuple(Card(words(*name)) for name in ("abcd", "efgh", "ijkl"))
    card, rest = Deck(pile).opened()
    assert card == pile[1]
    assert rest.pile == (pile[2], pile[0].turned())


def test_a_card_that_nobody_guessed_goes_under_when_the_next_night_begins() -> None:
    pile = tuple(Card(words(*name)) for name in ("abcd", "efgh"))
    card, rest = Deck(pile[1:], shown=pile[0]).opened()
    assert card == pile[1]
    assert rest == Deck((pile[0].turned(),))


def test_rigged_words_come_first_and_are_taken_out_of_their_cards() -> None:
    upcoming = words("q1a", "zebra", "q2b")
    mixed = shuffled(deck(2), upcoming, Random(1))
    shown = []
    for _ in range(3):
        card, mixed = mixed.drawn()
        assert card is not None
        shown.append(card.word.text)
    left = {word.text for card in mixed.pile for word in card.words}
    assert shown == ["q1a", "zebra", "q2b"]
    assert left == {"q1b", "q1c", "q1d", "q2a", "q2c", "q2d"}


def test_rigged_words_skip_none_over_all_nights() -> None:
    table = Table(upcoming=words("sea", "sun", "ice", "oak", "fig"))
    seen = [table.night().word]
    table.guess("sea")
    seen.append(table.word)
    table.review()
    table.hears("no_objections")
    seen.append(table.night().word)
    table.bell()
    table.guess("oops")
    table.hears("wake_up")
    table.hears("no_objections")
    seen.append(table.night().word)
    table.pause()
    table.resume()
    seen.append(table.word)
    assert seen == ["sea", "sun", "ice", "oak", "fig"]


def test_the_same_seed_deals_the_same_evening_and_another_seed_another() -> None:
    assert Table(seed=1).state == Table(seed=1).state
    assert Table(seed=1).state.deck != Table(seed=2).state.deck


def test_a_night_without_a_card_left_is_over_and_the_day_comes() -> None:
    table = Table(cards=deck(2)).night()
    table.guess("a")
    assert table.phase == "night"
    table.guess("b")
    assert table.phase == "story"
    assert table.prompts == ("guess_noted", "night_over")
