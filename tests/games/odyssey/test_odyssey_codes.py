"""Secret ballots: the code word that is said tells the host the number, and everybody else nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from tests.games.odyssey.table import Table, options
from voice_host.games.dixit_odyssey.codes import codes_of
from voice_host.games.dixit_odyssey.state import Voting
from voice_host.games.game import TABLE, Say

WORDS = tuple(f"w{number}" for number in range(144))


def secret(count: int = 4, **settings: Any) -> Table:
    return Table(count, ballot="secret", code_words=WORDS, **settings).told().given()


def codes(table: Table, seat: str) -> Mapping[int, str]:
    assert isinstance(table.state.phase, Voting)
    return codes_of(table.state, table.state.phase, seat)


def says(table: Table, seat: str, owner: str) -> None:
    """Let a voter, whose voice nobody knows, say the code word for another's card."""
    table.hears("code_vote", code=codes(table, seat)[table.number_of(owner)])


def test_code_words_count_as_the_votes_they_stand_for() -> None:
    table = secret()
    for seat, owner in {"Bob": "Ann", "Cy": "Bob", "Di": "Bob"}.items():
        says(table, seat, owner)
        assert ("vote_noted", {"player": seat}) in table.said
        assert "vote_heard" not in table.prompts
    assert table.shown().scores == {"Ann": 3, "Bob": 5, "Cy": 0, "Di": 0}


def test_two_words_are_two_votes() -> None:
    table = secret(7)
    mine = codes(table, "Bob")
    one, two = table.number_of("Ann"), table.number_of("Cy")
    table.hears("code_vote", "Bob", code=mine[one], second_code=mine[two])
    assert table.sees("Bob")["vote"] == sorted((one, two))
    table.hears("code_vote", "Bob", code=mine[one], second_code=mine[one])
    assert table.refused == "votes_equal"


def test_a_word_said_again_changes_nothing_and_another_one_corrects_it_until_the_reveal() -> None:
    table = secret()
    for seat in ("Bob", "Cy", "Di"):
        says(table, seat, "Ann")
    says(table, "Di", "Ann")
    says(table, "Cy", "Di")
    assert table.refused is None
    assert table.shown().scores == {"Ann": 3, "Bob": 3, "Cy": 0, "Di": 3 + 1}
    table.hears("code_vote", code="w1")
    assert table.refused == "no_votes_now"


def test_each_voter_is_told_its_own_words_alone_and_none_for_its_own_card() -> None:
    table = secret()
    told = {seat: dict(codes(table, seat)) for seat in ("Bob", "Cy", "Di")}
    for seat, words in told.items():
        assert set(words) == {1, 2, 3, 4} - {table.number_of(seat)}
        assert table.sees(seat)["codes"] == [{"number": number, "word": word} for number, word in words.items()]
    heard = {word for words in told.values() for word in words.values()}
    assert len(heard) == 9
    for viewer in (TABLE, "Ann", "Zoe"):
        assert "codes" not in table.sees(viewer)


def test_the_words_are_said_into_each_voters_own_ear() -> None:
    table = Table(4, ballot="secret", code_words=WORDS).told()
    for seat in ("Ann", "Bob", "Cy", "Di"):
        table.hears("give", seat, card="1")
    private = [(say.to, say.slots) for say in table.effects if isinstance(say, Say) and say.prompt == "your_code"]
    assert Counter(to for to, _ in private) == {"Bob": 3, "Cy": 3, "Di": 3}
    assert all(codes(table, to)[int(str(slots["number"]))] == slots["word"] for to, slots in private)
    assert "ask_vote" not in table.prompts


def test_what_would_give_a_vote_away_is_refused() -> None:
    table = secret()
    before = table.state
    for name, speaker, slots, reason in (
        ("vote", "Bob", {"card": "1"}, "vote_by_code"),
        ("change_vote", "Bob", {"card": "1"}, "vote_by_code"),
        ("code_vote", None, {"code": "elephant"}, "no_such_code"),
        ("code_vote", "Cy", {"code": next(iter(codes(table, "Bob").values()))}, "not_your_code"),
        ("code_vote", None, {"code": codes(table, "Ann")[table.number_of("Bob")]}, "no_such_code"),
    ):
        table.hears(name, speaker, **slots)
        assert table.refused == reason
        assert table.state is before
    table.taps("vote", "Bob", card=str(table.number_of("Ann")))  # a finger on the own page is as secret
    assert table.refused is None


def test_in_an_open_ballot_there_are_no_code_words() -> None:
    table = Table(4).told().given()
    table.hears("code_vote", "Bob", code="w1")
    assert table.refused == "no_codes"


def test_the_red_vote_is_said_with_a_code_word_too() -> None:
    table = secret(6, mode="party")
    table.hears("red_vote", "Ann", card="1")
    assert table.refused == "vote_by_code"
    number = table.number_of("Bob")
    table.hears("red_code", "Ann", code=codes(table, "Ann")[number])
    assert (table.prompts, table.sees("Ann")["red"]) == (("red_vote_noted",), number)


def test_too_few_code_words_are_told() -> None:
    with pytest.raises(ValueError, match="takes 144 code words; there are 100"):
        options(12, ballot="secret", code_words=WORDS[:100])


GAMES = 1500


def test_the_word_that_is_said_tells_nothing_of_the_number_it_stands_for() -> None:
    """Over many games, one voter always votes 1, the other 4: what is heard of them must not differ but by chance."""
    first: Counter[str] = Counter()
    last: Counter[str] = Counter()
    ranks: Counter[tuple[int, int]] = Counter()
    for seed in range(GAMES):
        mine = codes(secret(cards="box", seed=seed), "Bob")
        first[mine[1]] += 1
        last[mine[4]] += 1
        order = sorted(mine.values())
        ranks.update((number, order.index(word)) for number, word in mine.items())
    assert deviation([first[word] for word in WORDS]) < BOUND[143]
    assert deviation([last[word] for word in WORDS]) < BOUND[143]
    # Nor does the place of the word among the voter's own ones, in the order of the alphabet.
    for number in (1, 2, 3, 4):
        assert deviation([ranks[number, rank] for rank in range(4)]) < BOUND[3]


BOUND = {3: 16.3, 143: 199.0}
"""Degrees of freedom to what chi squared exceeds once in a thousand times."""


def deviation(counts: list[int]) -> float:
    """Return chi squared of counts that should all be the same."""
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts)


def test_the_measure_of_chance_would_notice_a_habit() -> None:
    assert deviation([GAMES // 4 + extra for extra in (60, -20, -20, -20)]) > 12
    assert deviation([40, *[10] * 143]) < BOUND[143] < deviation([60, *[10] * 143])


def test_words_change_from_turn_to_turn_and_from_voter_to_voter() -> None:
    table = secret(cards="box")
    first = {seat: codes(table, seat) for seat in ("Bob", "Cy", "Di")}
    assert len({word for words in first.values() for word in words.values()}) == 12
    for seat in ("Bob", "Cy", "Di"):
        table.hears("code_vote", code=first[seat][1])
    table.shown()
    table.hears("claim_card", "Ann", card="1")
    table.told("Bob").hears("all_down")
    second = {seat: codes(table, seat) for seat in ("Cy", "Di")}
    assert all(second[seat] != first[seat] for seat in second)
