"""What is right, wrong and unsure, by sound."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from voice_host.decks import load_dreams
from voice_host.lexicon import english_measures
from voice_host.matching.english import EnglishMeasures
from voice_host.matching.words import Verdict, Word

RIGHT, WRONG, UNSURE = Verdict.RIGHT, Verdict.WRONG, Verdict.UNSURE
DECK = tuple(word for card in load_dreams("en") for word in card)


def word(text: str, *forms: str) -> Word:
    return Word(id=text, text=text, forms=forms)


@pytest.mark.parametrize(
    ("hidden", "reading"),
    [
        ("dragon", "Dragon."),
        ("dragon", "the dragons"),
        ("dragon", "a little dragon"),
        ("dragon", "dragon or maybe a lizard"),
        ("fire engine", "a fire engine please"),
        ("fire engine", "fireengine"),
        ("fire engine", "fire-engines"),
        ("butterfly", "Butter. Fly."),
        ("ice cream", "an icecream"),
        ("flower", "Flour."),
        ("flour", "Flower."),
        ("knight", "Night."),
        ("sun", "Son,"),
        ("bee", "B.."),
        ("whale", "a wail"),
        ("hose", "Hoes,"),
        ("sleigh", "Slay,"),
        ("mouse", "mice"),
        ("knife", "knives"),
        ("dog", "Doggy!"),
        ("scissors", "scissor"),
        ("dog", "Dog. Dog."),
        ("dog", "dog's"),
        ("acorn", "acorn"),
        ("toucan", "two can"),
        ("ferret", "Fair it."),
        ("hippopotamus", "Hypopodamus."),
        ("dromedary", "Dromadary."),
        ("dolphin", "Dollfin"),
        ("camel", "cammel"),
        ("eight", "8"),
        ("star", "Star,"),
        ("yo-yo", "Yo-yo."),
        ("yo-yo", "A yoyo"),
        ("hourglass", "Our glass."),
        ("stepladder", "Step letter"),
        ("bear", "a brown bear"),
        ("bear", "I think it's the big brown bear over there."),
        ("fox", "a red fox"),
    ],
)
def test_the_same_word_by_sound_is_right(measures: EnglishMeasures, hidden: str, reading: str) -> None:
    assert measures.judge([reading], word(hidden)).verdict is RIGHT


@pytest.mark.parametrize(
    ("hidden", "reading"),
    [
        ("bear", "Pear."),
        ("pear", "a bear"),
        ("lizard", "dragon or maybe a lizard"),
        ("goat", "boat"),
        ("fox", "Box."),
        ("horse", "Force."),
        ("ship", "sheep"),
        ("map", "nap"),
        ("mouse", "house"),
        ("crow", "crown"),
        ("sun", "sunflower"),
        ("butterfly", "butter"),
        ("dragon", "dragonfly"),
        ("bus", "bush"),
        ("coat", "goat"),
        ("dragon", "banana"),
        ("tree", "Thank you."),
        ("dragon", "um"),
        ("dragon", ""),
        ("dragon", "Hmm, well, uh..."),
        ("doe", "Go."),
        ("bird", "a blackbird"),
        ("bird", "a black bird"),
        ("house", "Green house."),
        ("yo-yo", "yo"),
        ("glass", "our glass"),
    ],
)
def test_another_word_is_never_right(measures: EnglishMeasures, hidden: str, reading: str) -> None:
    assert measures.judge([reading], word(hidden)).verdict is not RIGHT


@pytest.mark.parametrize(
    ("hidden", "reading"),
    [
        ("camel", "came all"),
        ("camel", "Campbell."),
        ("goat", "Go."),
        ("ladder", "step ladder"),
        ("bear", "a teddy bear"),
        ("dog", "hot dog"),
    ],
)
def test_what_only_the_table_can_tell_is_unsure(measures: EnglishMeasures, hidden: str, reading: str) -> None:
    assert measures.judge([reading], word(hidden)).verdict is UNSURE


def test_nothing_heard_is_wrong_at_a_cost_beyond_all_words(measures: EnglishMeasures) -> None:
    for readings in ([], [""], ["um"], ["啊啊"]):
        judgement = measures.judge(readings, word("dragon"))
        assert (judgement.verdict, judgement.nearest) == (WRONG, "")
        assert judgement.cost > 50


def test_accepted_forms_of_a_card_are_right(measures: EnglishMeasures) -> None:
    card = word("aeroplane", "airplane", "plane")
    for reading in ("an aeroplane", "Airplanes.", "the plane"):
        assert measures.judge([reading], card).verdict is RIGHT


def test_a_lower_reading_can_be_right_but_costs_more(measures: EnglishMeasures) -> None:
    best = measures.judge(["goat"], word("goat"))
    lower = measures.judge(["Dot.", "goat"], word("goat"))
    assert best.cost < lower.cost <= 0.2


def test_cost_and_margin_are_told(measures: EnglishMeasures) -> None:
    judgement = measures.judge(["pear"], word("bear"))
    assert judgement.cost == pytest.approx(0.33)
    assert judgement.margin < 0
    assert judgement.nearest in {"pear", "pair"}


def test_an_explanation_shows_the_phones_and_the_nearest_words(measures: EnglishMeasures) -> None:
    found = measures.explain(["Fair it."], word("ferret"))
    assert found.heard[0][0] == "F EH R IH T"
    assert "F EH R AX T" in found.meant
    assert found.nearest[0][0] == "ferret"


def test_judging_many_words_is_judging_each(measures: EnglishMeasures) -> None:
    words = DECK[:20]
    assert measures.judge_many(["Bad.", "bat"], words) == tuple(measures.judge(["Bad.", "bat"], one) for one in words)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(hidden=st.sampled_from(DECK))
def test_every_word_of_the_deck_said_and_heard_is_right_at_no_cost(measures: EnglishMeasures, hidden: Word) -> None:
    for text in (hidden.text, *hidden.forms):
        judgement = measures.judge([f"a {text}."], hidden)
        assert (judgement.verdict, judgement.cost) == (RIGHT, 0)


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(said=st.sampled_from(DECK), hidden=st.sampled_from(DECK))
def test_no_word_of_the_deck_heard_exactly_is_right_for_another(
    measures: EnglishMeasures, said: Word, hidden: Word
) -> None:
    expected = said == hidden or measures.same_word(said.text, hidden.text)
    assert (measures.judge([said.text], hidden).verdict is RIGHT) == expected


def test_no_common_thing_heard_exactly_is_right_for_its_neighbour(measures: EnglishMeasures) -> None:
    things = [one for one in measures.lexicon.words if measures.is_plain(one)][::40]
    for said in things:
        near = measures.explain([said], word(said), count=8).nearest
        others = [word(one) for one, _, _ in near if not measures.same_word(one, said)]
        for hidden, judgement in zip(others, measures.judge_many([said], others), strict=True):
            # Nearer than this are two accents' ways to say one word ("caller", "collar").
            assert judgement.verdict is not RIGHT or judgement.cost <= 0.2, (said, hidden.text, judgement)


@settings(deadline=None, max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(deck=st.permutations(DECK))
def test_the_order_of_the_deck_changes_no_judgement(measures: EnglishMeasures, deck: list[Word]) -> None:
    shuffled = english_measures(deck)
    for reading in ("Bad.", "came all", "Forward,", "moon"):
        for hidden in DECK[:5]:
            one, other = measures.judge([reading], hidden), shuffled.judge([reading], hidden)
            assert (one.verdict, one.cost, one.margin) == (other.verdict, other.cost, other.margin)


def test_the_echo_is_written_as_a_thing_and_knows_no_hidden_word(measures: EnglishMeasures) -> None:
    assert measures.spoken_guess(["Hoes,"]) == "hose"
    assert measures.spoken_guess(["the, um, Flower"]) == "flower"
    assert measures.spoken_guess(["Hypopodamus"]) == "hypopodamus"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a dog", "dogs", True),
        ("bare", "the bear", True),
        ("little dog", "dog", True),
        ("Fire engine", "fireengine", True),
        ("pear", "bear", False),
        ("kitten", "cat", False),
        ("nose", "no", False),
        ("bus", "bun", False),
    ],
)
def test_same_words(measures: EnglishMeasures, one: str, other: str, same: bool) -> None:  # noqa: FBT001  a column
    assert measures.same_word(one, other) is same
    assert measures.same_word(other, one) is same
