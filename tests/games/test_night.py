"""Clues, turns, guesses and the bell."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.helpers import Table, words
from voice_host.games import when_i_dream as game
from voice_host.games.game import Earcon, Flag, Intent, Paused, Played, Refuse, Resumed, Say, StartTimer, StopTimer


@pytest.fixture
def table() -> Table:
    return Table(upcoming=words("sea", "sun", "ice", "oak", "fig")).night()


def test_the_time_begins_when_the_dreamer_was_told_to_sleep() -> None:
    table = Table()
    assert table.started == {}
    table.night()
    ticks = {f"tick_{left}": 120 - left for left in (5, 4, 3, 2, 1)}
    assert table.started == {"night": 120, "night_60": 60, "night_30": 90, "night_10": 110, **ticks, "clue": 5}


def test_a_short_night_announces_only_the_time_it_has() -> None:
    table = Table(night_seconds=25.0, tick_seconds=1)
    table.happens(Played("night_falls"))
    assert table.started == {"night": 25, "night_10": 15, "tick_1": 24, "clue": 5}


def test_the_last_five_seconds_tick_and_no_others(table: Table) -> None:
    assert [table.timer(f"tick_{left}") for left in (6, 5, 1)] == [(), (Earcon("tick"),), (Earcon("tick"),)]
    table.bell()
    assert table.timer("tick_1") == ()


def test_clues_go_clockwise_round_and_round_without_an_announcement(table: Table) -> None:
    turns = []
    for _ in range(4):
        turns.append(table.turn)
        assert table.clue() == (
            StartTimer("clue", 5.0, waits_for_speech=True),
            StartTimer("hesitation", 3.0, waits_for_speech=True),
        )
    assert turns == ["Bob", "Cy", "Di", "Bob"]


def test_a_clue_out_of_turn_is_taken_and_the_turn_goes_on_at_the_left_of_who_spoke(table: Table) -> None:
    assert table.clue(speaker="Cy")[0] == Flag("out_of_turn", {"player": "Cy", "turn": "Bob"})
    assert table.turn == "Di"


def test_a_guess_is_noted_as_heard_and_the_next_card_begins_at_the_left_of_who_spoke_last(table: Table) -> None:
    table.clue()
    table.timer("clue")
    assert table.turn == "Di"
    assert table.guess("moon") == (
        Earcon("noted"),
        Say("guess_noted", {"word": "moon"}),
        Say("turn", {"player": "Cy"}),
        StartTimer("clue", 5.0, waits_for_speech=True),
        StopTimer("hesitation"),
    )
    assert (table.word, table.turn) == ("sun", "Cy")


def test_who_passed_has_spoken_too(table: Table) -> None:
    table.clue()
    table.hears("pass", "Cy")
    table.guess("moon")
    assert table.turn == "Di"


def test_while_nobody_has_spoken_the_turn_stays(table: Table) -> None:
    table.timer("clue")
    table.guess("moon")
    assert table.turn == "Cy"


def test_a_silent_table_is_not_nagged_for_longer_than_a_round(table: Table) -> None:
    announced = [bool(table.timer("clue") and table.prompts) for _ in range(5)]
    assert announced == [True, True, False, False, False]
    table.clue()
    table.timer("clue")
    assert table.prompts == ("turn",)


def test_a_giver_who_hesitates_after_a_clue_is_reminded_once(table: Table) -> None:
    table.clue()
    assert table.timer("hesitation") == (Say("turn_waits", {"player": "Cy"}),)
    assert "hesitation" not in table.started


@pytest.mark.parametrize("chosen", [{"announce_turns": "always"}, {"announce_turns": "never"}, {"clue_seconds": 3.0}])
def test_nobody_is_reminded_who_was_announced_or_is_skipped_sooner_or_wants_silence(chosen: dict[str, Any]) -> None:
    table = Table(**chosen).night()
    table.clue()
    assert "hesitation" not in table.started


def test_after_a_pause_the_giver_is_announced_and_not_reminded_as_well(table: Table) -> None:
    table.clue()
    table.pause()
    table.timer("hesitation")
    table.resume()
    assert table.prompts == ("turn",)


@pytest.mark.parametrize("how", ["adaptive", "never"])
def test_who_asks_is_told_each_turn_and_the_others_as_before(how: str) -> None:
    table = Table(announce_turns=how).night()
    assert table.hears("tell_turns", "Cy", player="Cy") == (Say("turns_told", {"player": "Cy"}),)
    told = []
    for _ in range(4):
        table.clue()
        told += [slots["player"] for _, slots in table.said]
    assert told == ["Cy", "Cy"]
    table.hears("stop_telling_turns", "Cy", player="Cy")
    table.clue()
    table.clue()
    assert table.said == ()


def test_whoever_asks_unknown_lets_all_be_told(table: Table) -> None:
    assert table.hears("tell_turns") == (Say("turns_told_all", {}),)
    assert [len(table.clue() and table.said) for _ in range(4)] == [1, 1, 1, 1]


def test_who_wants_to_hear_less_is_told_like_an_adaptive_table() -> None:
    table = Table(announce_turns="always").night()
    table.hears("stop_telling_turns", None, player="Cy")
    table.clue()
    assert (table.turn, table.said) == ("Cy", ())
    table.clue()
    assert (table.turn, table.prompts) == ("Di", ("turn",))


def test_a_wish_for_somebody_who_does_not_play_is_refused(table: Table) -> None:
    before = table.state
    table.hears("tell_turns", None, player="Zoe")
    assert (table.refused, table.state) == ("no_such_player", before)


def test_who_asked_in_the_lobby_is_told_from_the_first_night() -> None:
    table = Table(told=("Cy",)).night()
    table.clue()
    assert table.said == (("turn", {"player": "Cy"}),)


@pytest.mark.parametrize(("how", "clue", "skip"), [("always", 1, 1), ("adaptive", 0, 1), ("never", 0, 0)])
def test_turns_are_announced_as_the_table_likes(how: str, clue: int, skip: int) -> None:
    table = Table(announce_turns=how).night()
    table.clue()
    assert len(table.prompts) == clue
    table.timer("clue")
    assert len(table.prompts) == skip


@pytest.mark.parametrize(
    ("name", "speaker", "slots", "reason"),
    [
        ("guess", "Bob", {"word": "sea"}, "only_dreamer_guesses"),
        ("guess", "Zoe", {"word": "sea"}, "no_such_player"),
        ("guess", None, {}, "no_word"),
        ("clue", None, {"word": " "}, "no_word"),
        ("clue", "Ann", {"word": "wet"}, "dreamer_gives_no_clues"),
        ("clue", "Zoe", {"word": "wet"}, "no_such_player"),
        ("give_up", "Bob", {}, "only_dreamer_gives_up"),
        ("correct_guess", "Bob", {"word": "sea"}, "only_dreamer_corrects"),
        ("correct_guess", None, {"word": "sea"}, "nothing_to_correct"),
        ("pass", "Ann", {}, "dreamer_cannot_pass"),
        ("pass", "Di", {}, "not_your_turn"),
        ("foul", "Ann", {}, "dreamer_calls_no_foul"),
        ("foul", None, {}, "nobody_spoke"),
        ("foul", None, {"player": "Ann"}, "dreamer_makes_no_foul"),
        ("foul", None, {"player": "Zoe"}, "no_such_player"),
        ("withdraw", None, {}, "nothing_to_withdraw"),
        ("wake_up", None, {}, "night_not_over"),
        ("appeal", None, {"card": "1"}, "only_in_review"),
        ("claim_role", None, {"player": "Bob", "role": "fairy"}, "roles_later"),
        ("ready", None, {}, "not_waiting"),
        ("join", None, {"player": "Hal"}, "join_between_rounds"),
        ("dance", None, {}, "not_now"),
    ],
)
def test_what_the_rules_forbid_at_night(
    table: Table, name: str, speaker: str | None, slots: dict[str, str], reason: str
) -> None:
    before = table.state
    table.hears(name, speaker, **slots)
    assert table.refused == reason
    assert table.state is before


def test_a_card_given_up_is_blue_and_has_nothing_to_correct(table: Table) -> None:
    table.hears("give_up", "Ann")
    assert (table.sees()["blue"], table.prompts) == (["sea"], ("card_given_up", "turn"))
    table.hears("correct_guess", "Ann", word="sea")
    assert table.refused == "nothing_to_correct"


def test_a_correction_is_judged_on_the_same_card_until_the_next_clue(table: Table) -> None:
    table.guess("tea")
    table.hears("correct_guess", "Ann", word="sea")
    assert (table.sees()["yellow"], table.word) == (["sea"], "sun")
    table.hears("correct_guess", None, word="tea")
    assert table.sees()["blue"] == ["sea"]
    table.clue()
    table.hears("correct_guess", "Ann", word="sea")
    assert table.refused == "nothing_to_correct"


def test_corrections_can_be_switched_off() -> None:
    table = Table(corrections=False).night()
    table.guess("tea")
    table.hears("correct_guess", "Ann", word="sea")
    assert isinstance(table.effects[0], Refuse)
    assert "correct_guess" not in game.listening(table.state).intents


def test_all_readings_of_a_guess_are_judged(table: Table) -> None:
    table.happens(Intent("guess", {"word": "see"}, readings=("see", "sea")))
    assert table.sees()["yellow"] == ["sea"]


def test_a_foul_lays_the_card_before_who_spoke_last_and_the_left_hand_goes_on(table: Table) -> None:
    table.clue()
    table.clue()
    table.hears("foul", "Di", kind="derived")
    assert table.said == (("foul_called", {"player": "Cy"}), ("turn", {"player": "Di"}))
    assert table.sees()["penalty_cards"] == [{"player": "Cy", "word": "sea", "round": 1}]
    assert (table.word, table.turn, table.sees()["blue"]) == ("sun", "Di", [])


def test_a_named_foul_goes_to_the_named_giver(table: Table) -> None:
    table.clue()
    table.hears("foul", None, player="di")
    assert (table.sees()["penalties"]["Di"], table.turn) == (1, "Bob")


def test_one_foul_called_by_two_costs_one_card(table: Table) -> None:
    table.clue()
    table.hears("foul", "Cy")
    table.hears("foul", "Di", player="Bob")
    assert table.refused == "foul_already_called"
    assert table.sees()["penalties"]["Bob"] == 1


def test_a_withdrawn_foul_restores_card_turn_and_penalties_but_keeps_corrections(table: Table) -> None:
    table.guess("tea")
    before = table.sees()
    table.hears("foul", None, player="Bob")
    table.timer("clue")
    table.hears("correct_guess", None, word="sea")
    table.hears("withdraw")
    assert table.sees() == {**before, "yellow": ["sea"], "blue": []}
    assert table.prompts == ("foul_withdrawn", "turn")


def test_a_foul_stands_after_the_next_clue_and_after_the_next_guess(table: Table) -> None:
    for name in ("clue", "guess"):
        table.clue()
        table.hears("foul")
        table.hears(name, None, word="wet")
        table.hears("withdraw")
        assert table.refused == "nothing_to_withdraw"


def test_the_dreamer_may_call_fouls_where_the_table_allows_it() -> None:
    table = Table(foul_callers="everybody").night()
    table.clue()
    table.hears("foul", "Ann")
    assert table.sees()["penalties"]["Bob"] == 1


@pytest.mark.parametrize(("referee", "flags"), [("off", 0), ("flag", 1)])
def test_a_faulty_clue_is_flagged_unless_the_referee_is_off(referee: str, flags: int) -> None:
    table = Table(referee=referee, upcoming=words("moon")).night()
    effects = table.clue("moonlight", "Bob")
    assert len([effect for effect in effects if isinstance(effect, Flag)]) == flags
    assert table.sees()["penalties"]["Bob"] == 0


def test_at_the_bell_one_last_guess_is_waited_for(table: Table) -> None:
    table.clue()
    effects = table.timer("night")
    assert effects[-3:] == (Earcon("bell"), Say("last_guess"), StartTimer("last_guess", 10.0, waits_for_speech=True))
    assert StopTimer("clue") in effects
    table.clue()
    assert table.refused == "time_is_over"
    table.guess("sea")
    assert (table.phase, table.sees()["yellow"]) == ("story", ["sea"])


@pytest.mark.parametrize("nothing", ["timer", "give_up"])
def test_without_a_last_guess_the_card_stays_without_effect(table: Table, nothing: str) -> None:
    table.bell()
    if nothing == "timer":
        table.timer("last_guess")
    else:
        table.hears("give_up", "Ann")
    assert (table.phase, table.sees()["yellow"], table.sees()["blue"]) == ("story", [], [])
    assert table.state.deck.shown is not None
    assert table.state.deck.shown.word.text == "sea"


def test_a_last_guess_after_its_time_is_refused(table: Table) -> None:
    table.dawn().guess("sea")
    assert table.refused == "only_at_night"


def test_late_speech_does_not_count_where_the_table_wants_it_so() -> None:
    table = Table(late_speech_counts=False).night().bell()
    assert table.effects[-1] == StartTimer("last_guess", 10.0, waits_for_speech=False)


def test_a_foul_after_the_bell_leaves_nothing_to_guess(table: Table) -> None:
    table.clue()
    table.bell().hears("foul", "Di")
    assert (table.phase, table.sees()["penalties"]["Bob"]) == ("story", 1)


def test_a_foul_from_before_the_bell_can_be_withdrawn_after_it(table: Table) -> None:
    table.clue()
    table.hears("foul", "Di")
    table.bell().hears("withdraw")
    assert (table.phase, table.word, table.sees()["penalties"]["Bob"]) == ("last_guess", "sea", 0)


def test_a_pause_hides_the_word_and_resuming_takes_the_next_card(table: Table) -> None:
    table.clue()
    table.pause()
    assert table.sees()["word"] is None
    table.guess("sea")
    assert table.refused == "paused"
    table.resume()
    assert (table.word, table.turn, table.sees()["blue"]) == ("sun", "Cy", [])
    assert table.started == {"clue": 5}


def test_a_foul_stands_after_a_pause(table: Table) -> None:
    table.clue()
    table.hears("foul")
    table.pause()
    table.resume()
    table.hears("withdraw")
    assert table.refused == "nothing_to_withdraw"


def test_a_pause_may_leave_the_card_where_the_table_wants_it_so() -> None:
    table = Table(pause_replaces_card=False, upcoming=words("sea", "sun")).night()
    table.pause()
    table.resume()
    assert table.word == "sea"


def test_a_fault_hides_the_word_and_leaves_the_card(table: Table) -> None:
    table.clue()
    table.happens(Paused("microphone_lost"))
    assert table.sees()["word"] is None
    table.happens(Resumed())
    assert (table.word, table.turn) == ("sea", "Cy")


def test_a_pause_that_is_asked_for_during_a_fault_counts_as_asked_for(table: Table) -> None:
    table.happens(Paused("microphone_lost"))
    table.pause()
    table.resume()
    assert table.word == "sun"


def test_a_pause_after_the_bell_leaves_the_card(table: Table) -> None:
    table.bell().pause()
    table.resume()
    assert (table.phase, table.word) == ("last_guess", "sea")


def test_the_vocabulary_holds_the_whole_deck_and_bare_words_mean_clues_except_the_dreamers(table: Table) -> None:
    heard = game.listening(table.state)
    assert heard.intents["guess"]["word"].values == table.options.words
    assert heard.intents["guess"]["word"].open
    assert heard.bare_word == {"Ann": "guess", "Bob": "clue", "Cy": "clue", "Di": "clue", None: "clue"}
    assert game.listening(table.bell().state).bare_word == {"Ann": "guess"}


@pytest.mark.parametrize("speech", ["foul", "withdraw"])
def test_who_calls_or_withdraws_a_foul_breaks_the_silence(table: Table, speech: str) -> None:
    table.clue()
    if speech == "withdraw":
        table.hears("foul")
    announced = []
    for _ in range(3):
        table.timer("clue")
        announced.append(len(table.prompts))
    table.hears(speech)
    table.timer("clue")
    announced.append(len(table.prompts))
    assert announced == [1, 1, 0, 1]


def test_a_second_pause_keeps_the_first_reason(table: Table) -> None:
    table.pause()
    before = table.state
    table.happens(Paused("microphone_lost"))
    assert table.state is before


def test_resuming_a_table_that_is_not_paused_changes_nothing(table: Table) -> None:
    before = table.state
    table.resume()
    assert table.state is before


def test_what_may_be_said_is_told_with_its_values(table: Table) -> None:
    heard = game.listening(table.state).intents
    assert heard["foul"]["player"].values == ("Bob", "Cy", "Di")
    assert heard["leave"]["player"].values == ("Ann", "Bob", "Cy", "Di")
    assert not heard["foul"]["kind"].open
    assert heard["clue"]["word"].open
    table.guess("sea")
    table.guess("sun")
    table.dawn()
    assert game.listening(table.state).any_speech == "story"
    table.hears("wake_up")
    heard = game.listening(table.state).intents
    assert heard["appeal"]["card"].values == ("1", "2")
    table.hears("no_objections")
    assert game.listening(table.state).intents["join"]["player"].open
    assert game.listening(table.state).any_speech is None
