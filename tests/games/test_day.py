"""The dream, the review with its appeals, the roles, the scores."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.helpers import Table, words
from voice_host.games import when_i_dream as game
from voice_host.games.game import Refuse
from voice_host.games.when_i_dream.state import Night

ROLES = ({"Bob": "fairy", "Cy": "boogeyman", "Di": "sandman"},)


def after_a_night(told: str = "", **chosen: Any) -> Table:
    """Return a table by day: ``sea`` was guessed right, ``sun`` wrong, ``ice`` was given up."""
    table = Table(upcoming=words("sea", "sun", "ice", "oak", "fig"), rigged_roles=ROLES, **chosen).night()
    table.guess("sea")
    table.guess("moon")
    table.hears("give_up")
    return table.review(told)


def test_a_dream_is_ticked_in_silence() -> None:
    table = Table(upcoming=words("sea", "sun")).night()
    table.guess("sea")
    assert table.dawn().hears("story", "Ann", text="we saw the seas") == ()
    assert table.sees()["told"] == ["sea"]
    assert table.sees("Bob")["told"] == ["sea"]
    assert "told" not in table.sees("Ann")


def test_only_the_dreamer_tells_the_dream_and_ends_it() -> None:
    table = Table(upcoming=words("sea", "sun")).night()
    table.guess("sea")
    before = table.dawn().state
    assert table.hears("story", "Bob", text="sea") == ()
    assert table.hears("wake_up", "Bob") == (Refuse("only_dreamer_wakes", {"dreamer": "Ann"}),)
    assert table.state is before


def test_chatter_by_day_is_no_fault() -> None:
    table = after_a_night()
    before = table.state
    assert table.hears("story", None, text="sea") == ()
    assert table.state is before


def test_what_was_heard_last_may_be_corrected_until_the_dream_begins() -> None:
    table = Table(upcoming=words("sea")).night().bell()
    table.guess("tea")
    table.hears("correct_guess", "Ann", word="sea")
    assert table.sees()["yellow"] == ["sea"]
    table.hears("story", "Ann", text="once")
    table.hears("correct_guess", "Ann", word="tea")
    assert table.refused == "nothing_to_correct"


def test_each_card_is_read_with_what_was_heard_and_how_it_was_judged() -> None:
    assert after_a_night().said == (
        ("dream_told", {}),
        ("day_breaks", {"dreamer": "Ann"}),
        ("review_begins", {"count": 3}),
        ("review_guess", {"number": 1, "word": "sea", "heard": "sea", "verdict": "right"}),
        ("review_guess", {"number": 2, "word": "sun", "heard": "moon", "verdict": "wrong"}),
        ("review_given_up", {"number": 3, "word": "ice"}),
        ("ask_objections", {}),
    )


def test_by_day_everybody_sees_everything_but_roles() -> None:
    table = after_a_night()
    assert table.sees("Ann") == table.sees()
    assert table.sees("Ann")["yellow"] == ["sea"]


@pytest.mark.parametrize(
    ("card", "reason"), [("3", "given_up_stays"), ("4", "no_such_card"), ("0", "no_such_card"), ("two", "no_such_card")]
)
def test_only_judged_cards_can_be_appealed(card: str, reason: str) -> None:
    table = after_a_night()
    before = table.state
    table.hears("appeal", "Cy", card=card)
    assert table.refused == reason
    assert table.state is before


@pytest.mark.parametrize(
    ("votes", "outcome"),
    [
        # of four players three are more than half; the appeal itself is Cy's voice
        ([("Cy", "appeal"), ("Di", "agree"), ("Ann", "agree")], "appeal_granted"),
        ([("Cy", "appeal"), ("Di", "disagree"), ("Ann", "disagree"), ("Bob", "disagree")], "appeal_denied"),
        ([("Cy", "appeal"), ("Di", "disagree"), ("Ann", "disagree"), ("Bob", "agree")], "appeal_denied"),
        ([(None, "appeal"), (None, "agree"), (None, "agree"), (None, "agree")], "appeal_granted"),
        ([(None, "appeal"), (None, "disagree"), (None, "no"), (None, "disagree")], "appeal_denied"),
        ([("Cy", "appeal"), (None, "yes"), ("Bob", "yes")], "appeal_granted"),
    ],
)
def test_a_majority_of_all_players_decides_an_appeal_at_once(votes: list[tuple[str | None, str]], outcome: str) -> None:
    table = after_a_night()
    for speaker, name in votes:
        assert "appeal" not in table.prompts
        table.hears(name, speaker, **({"card": "2"} if name == "appeal" else {}))
    assert table.prompts == (outcome, "ask_objections")
    assert table.sees()["yellow"] == (["sea", "sun"] if outcome == "appeal_granted" else ["sea"])


@pytest.mark.parametrize(
    ("votes", "outcome"),
    [
        ([("Cy", "appeal")], "appeal_denied"),
        ([(None, "appeal")], "appeal_denied"),
        ([(None, "appeal"), (None, "agree")], "appeal_denied"),
        ([(None, "appeal"), (None, "agree"), (None, "agree")], "appeal_granted"),
        ([(None, "appeal"), (None, "agree"), ("Di", "agree")], "appeal_granted"),
        ([("Cy", "appeal"), ("Di", "agree")], "appeal_granted"),
        ([("Cy", "appeal"), ("Cy", "agree")], "appeal_denied"),
        ([("Cy", "appeal"), ("Di", "agree"), ("Di", "disagree")], "appeal_denied"),
    ],
)
@pytest.mark.parametrize("end", ["timer", "no_objections"])
def test_otherwise_the_votes_that_were_cast_decide(votes: list[tuple[str | None, str]], outcome: str, end: str) -> None:
    table = after_a_night()
    for speaker, name in votes:
        table.hears(name, speaker, **({"card": "2"} if name == "appeal" else {}))
    table.timer("appeal") if end == "timer" else table.hears("no_objections")
    assert table.prompts[0] == outcome
    assert table.phase == ("review" if end == "timer" else "between")


def test_a_right_guess_can_be_overruled_too_and_each_judgement_only_once() -> None:
    table = after_a_night()
    table.hears("appeal", "Cy", card="1")
    table.hears("appeal", "Di", card="2")
    assert table.refused == "appeal_open"
    table.hears("agree", "Di")
    table.hears("agree", "Bob")
    assert table.said[0] == ("appeal_granted", {"number": 1, "verdict": "wrong"})
    table.hears("appeal", "Di", card="1")
    assert table.refused == "already_appealed"
    table.hears("agree", "Di")
    assert table.refused == "no_appeal_open"


def test_an_unsure_guess_counts_as_wrong_until_the_table_overrules_it() -> None:
    table = Table(upcoming=words("sea", "sun")).night()
    table.guess("tea?")
    assert table.sees()["blue"] == ["sea"]
    table.review()
    assert table.sees()["cards"][0]["verdict"] == "unsure"
    table.hears("appeal", None, card="1")
    table.hears("agree")
    table.hears("agree")
    table.timer("appeal")
    assert table.sees()["yellow"] == ["sea"]


def test_scores_follow_the_review_and_words_told_count_for_cards_overruled_later() -> None:
    table = after_a_night("the sea under the sun")
    table.hears("appeal", "Cy", card="2")
    table.hears("agree", "Di")
    table.hears("no_objections")
    assert table.sees()["points"] == {"Ann": 4, "Bob": 2, "Cy": 1, "Di": 2}
    assert table.prompts.count("role_shown") == 3
    assert "bonus_earned" in table.prompts


@pytest.mark.parametrize(
    ("told", "prompt", "points"), [("a sea", "bonus_earned", 3), ("a sun", "bonus_missed", 1), ("", "bonus_missed", 1)]
)
def test_a_dream_with_all_its_yellow_words_earns_the_bonus(told: str, prompt: str, points: int) -> None:
    table = after_a_night(told)
    table.hears("no_objections")
    assert prompt in table.prompts
    assert table.sees()["points"]["Ann"] == points


@pytest.mark.parametrize(
    ("chosen", "bonus", "prompt"), [({}, 0, "no_bonus"), ({"bonus_without_yellow": True}, 2, "bonus_earned")]
)
def test_without_a_yellow_word_there_is_no_bonus(chosen: dict[str, bool], bonus: int, prompt: str) -> None:
    table = Table(**chosen).night().review()
    assert table.sees()["bonus"] == bonus
    assert prompt in table.prompts


def test_a_night_without_cards_has_nothing_to_review_and_balances_the_sandman() -> None:
    table = Table(rigged_roles=ROLES).night().review()
    assert "review_nothing" in table.prompts
    assert table.sees()["points"] == {"Ann": 0, "Bob": 0, "Cy": 0, "Di": 2}


def test_where_the_table_wants_no_appeals_the_scores_follow_at_once() -> None:
    table = after_a_night(appeals=False)
    assert table.phase == "between"
    assert "ask_objections" not in table.prompts


def test_cards_go_back_turned_when_the_night_is_scored() -> None:
    table = Table().night()
    assert isinstance(table.state.phase, Night)
    first = table.state.phase.card
    table.guess("x")
    table.review()
    table.hears("no_objections")
    assert table.state.deck.pile[-1] == first.turned()


class TestClaimedRoles:
    """The table deals its own cards and says the roles aloud."""

    @pytest.fixture
    def table(self) -> Table:
        table = Table(deal="table")
        assert table.prompts == ("evening_begins", "deal_roles")
        table.hears("ready")
        return table.night().review()

    def claim(self, table: Table, player: str, role: str, speaker: str | None = None) -> None:
        table.hears("claim_role", speaker, player=player, role=role)

    def test_the_night_waits_until_the_cards_are_dealt(self) -> None:
        table = Table(deal="table")
        before = table.state
        table.timer("night")
        assert table.state is before
        table.hears("ready")
        assert table.prompts == ("night_falls",)

    def test_all_roles_lead_to_the_scores(self, table: Table) -> None:
        table.hears("claim_role", "Bob", role="sandman")
        self.claim(table, "cy", "fairy")
        self.claim(table, "Di", "sandman", "Cy")
        assert table.phase == "between"
        assert table.sees()["roles"] == {"Bob": "sandman", "Cy": "fairy", "Di": "sandman"}
        assert "role_shown" not in table.prompts

    def test_who_is_missing_is_told_on_ready(self, table: Table) -> None:
        self.claim(table, "Bob", "fairy")
        table.hears("ready")
        assert table.said == (("roles_missing", {"players": ("Cy", "Di")}),)

    @pytest.mark.parametrize(
        ("player", "role", "reason"),
        [
            ("Cy", "fairy", "role_all_taken"),
            ("Ann", "fairy", "dreamer_has_no_role"),
            ("Zoe", "fairy", "no_such_player"),
            ("Cy", "wizard", "no_such_role"),
        ],
    )
    def test_claims_must_fit_the_set(self, table: Table, player: str, role: str, reason: str) -> None:
        self.claim(table, "Bob", "fairy")
        before = table.state
        self.claim(table, player, role)
        assert table.refused == reason
        assert table.state is before

    def test_a_claim_can_be_changed_and_all_can_be_forgotten(self, table: Table) -> None:
        self.claim(table, "Bob", "fairy")
        self.claim(table, "Bob", "sandman")
        self.claim(table, "Cy", "fairy")
        assert table.sees()["claims"] == {"Bob": "sandman", "Cy": "fairy"}
        table.hears("withdraw")
        assert table.sees()["claims"] == {}

    def test_a_round_with_rigged_roles_is_dealt_by_the_host(self) -> None:
        table = Table(deal="table", rigged_roles=ROLES)
        assert table.sees("Bob")["role"] == "fairy"


def test_who_asks_is_told_turns_and_scores_and_nothing_changes() -> None:
    table = Table(upcoming=words("sea")).night()
    before = table.state
    table.hears("whose_turn", "Ann")
    assert table.said == (("whose_turn", {"player": "Bob"}),)
    table.hears("score")
    assert table.prompts == ("score_nothing",)
    assert table.state is before
    table.guess("sea")
    table.review()
    table.hears("no_objections")
    table.night().guess("x")
    table.hears("score")
    assert {slots["player"]: slots["points"] for _, slots in table.said} == table.sees()["scores"]


def test_the_evening_ends_after_its_rounds_with_penalties_taken_off() -> None:
    table = Table(rounds=1, rigged_roles=ROLES).night()
    table.clue()
    table.hears("foul")
    table.review()
    assert table.phase == "finished"
    assert table.sees()["scores"] == {"Ann": 0, "Bob": -1, "Cy": 0, "Di": 2}
    assert table.sees()["winners"] == ["Di"]
    assert table.said[-1] == ("winner", {"player": "Di", "points": 2})
    assert ("penalty_points", {"player": "Bob", "count": 1}) in table.said
    assert game.listening(table.state).intents == {"score": {}}


def test_stopping_ends_the_evening_anywhere_with_the_scores_as_they_are() -> None:
    table = after_a_night("sea")
    table.hears("no_objections")
    scores = table.sees()["scores"]
    table.night().clue()
    table.hears("foul")
    table.pause()
    table.hears("stop_game")
    assert (table.phase, table.sees()["paused"]) == ("finished", None)
    assert table.sees()["scores"] == {**scores, "Cy": scores["Cy"] - 1}
    assert table.prompts[0] == "stopped"
