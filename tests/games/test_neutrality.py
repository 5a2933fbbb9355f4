"""The night is verdict-neutral: swap the hidden words, and the room hears the same at the same time."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.helpers import Table, deck, options, word, words
from tests.games.walks import COMMON, any_event
from voice_host.games import when_i_dream as game
from voice_host.games.game import TABLE, Effect, Flag
from voice_host.games.when_i_dream import DreamCard, Options, State
from voice_host.games.when_i_dream.state import Falling, LastGuess, Night, Story

NIGHTLY = Falling | Night | LastGuess | Story


def with_words_swapped(evening: Options, rng: Random) -> Options:
    """Return the same evening with every word of the deck printed where another was."""
    texts = [known.text for card in evening.cards for known in card.words]
    rng.shuffle(texts)
    left = iter(texts)
    cards = tuple(DreamCard(tuple(word(next(left)) for _ in card.words)) for card in evening.cards)
    upcoming = tuple(rng.sample(evening.upcoming, len(evening.upcoming)))
    return Options(
        players=evening.players,
        cards=cards,
        measures=evening.measures,
        upcoming=upcoming,
        referee=evening.referee,
        deal=evening.deal,
        announce_turns=evening.announce_turns,
    )


def heard_in_room(effects: tuple[Effect, ...]) -> list[Effect]:
    """Leave out what only the table's screen shows; order, timers and refusals stay."""
    return [effect for effect in effects if not isinstance(effect, Flag)]


def nights_side_by_side(seed: int) -> tuple[Options, Options, int]:
    rng = Random(seed)
    evening = options(
        rng.randint(4, 10),
        cards=deck(rng.choice((3, 4, 20))),
        upcoming=words(*(f"q{number}r" for number in range(900, 900 + rng.randint(0, 4)))),
        referee=rng.choice(("off", "flag")),
        deal=rng.choice(("host", "table")),
        announce_turns=rng.choice(("adaptive", "always", "never")),
    )
    return evening, with_words_swapped(evening, rng), rng.getrandbits(32)


@settings(max_examples=600, deadline=None)
@given(st.integers(min_value=0, max_value=2**32))
def test_the_room_hears_the_same_whatever_the_hidden_words_are(seed: int) -> None:
    evening, other_evening, deal = nights_side_by_side(seed)
    one, other = game.start(evening, Random(deal)), game.start(other_evening, Random(deal))
    rng = Random(seed)
    assert heard_in_room(one.effects) == heard_in_room(other.effects)
    for _ in range(120):
        state, swapped = one.state, other.state
        if not isinstance(state.phase, NIGHTLY):
            break
        assert game.listening(state) == game.listening(swapped)
        assert game.view(state, state.round.dreamer) == game.view(swapped, swapped.round.dreamer)
        event = any_event(rng, state, (*COMMON, *hidden_words(state), *hidden_words(swapped)))
        one, other = game.step(state, event), game.step(swapped, event)
        if isinstance(one.state.phase, NIGHTLY):
            assert heard_in_room(one.effects) == heard_in_room(other.effects)
            assert type(one.state.phase) is type(other.state.phase)


def hidden_words(state: State) -> tuple[str, ...]:
    match state.phase:
        case Night(card=card) | LastGuess(Night(card=card)):
            return (card.word.text,) * 4
        case _:
            return ()


EVENTS: list[tuple[str, str | None, dict[str, str]]] = [
    ("guess", None, {"word": "moon"}),
    ("guess", "Ann", {"word": "moon"}),
    ("correct_guess", None, {"word": "moon"}),
    ("clue", None, {"word": "moon"}),
    ("clue", "Bob", {"word": "moons"}),
    ("clue", "Di", {"word": "moonlight"}),
    ("give_up", None, {}),
]


@pytest.mark.parametrize(("name", "speaker", "slots"), EVENTS)
def test_each_utterance_sounds_the_same_on_the_word_and_on_another(
    name: str, speaker: str | None, slots: dict[str, str]
) -> None:
    effects = []
    for hidden in ("moon", "sun"):
        table = Table(upcoming=words(hidden, "tree")).night()
        if name == "correct_guess":
            table.guess("spoon")
        effects.append(heard_in_room(table.hears(name, speaker, **slots)))
    assert effects[0] == effects[1]


@pytest.mark.parametrize(("hidden", "zone"), [("moon", "yellow"), ("sun", "blue")])
def test_only_the_screens_tell_the_verdict(hidden: str, zone: str) -> None:
    table = Table(upcoming=words(hidden, "tree")).night()
    table.guess("moon")
    assert table.sees(TABLE)[zone] == [hidden]
    assert table.sees("Bob")[zone] == [hidden]
    assert zone not in table.sees("Ann")


def test_the_hidden_word_by_an_unknown_voice_is_a_clue_like_any_other_and_is_flagged() -> None:
    table = Table(upcoming=words("moon", "tree")).night()
    effects = table.clue("moon")
    assert effects[0] == Flag("hidden_word_heard", {"word": "moon"})
    assert (table.word, table.turn, table.sees()["yellow"]) == ("moon", "Cy", [])


def test_a_host_that_referees_itself_breaks_in_only_when_it_knows_who_spoke() -> None:
    table = Table(referee="auto", upcoming=words("moon", "tree")).night()
    table.clue("moonlight")
    heard = [table.prompts]
    table.clue("moonlight", "Cy")
    heard.append(table.prompts)
    assert heard == [(), ("foul_called", "turn")]
    assert table.sees()["penalties"]["Cy"] == 1
