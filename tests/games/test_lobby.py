"""Whole lobbies as they are spoken, and what a lobby never does."""

from __future__ import annotations

from random import Random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voice_host.dialogue.grammar import Grammar, parse_grammar
from voice_host.dialogue.interpreter import Unclear, interpret
from voice_host.games import lobby
from voice_host.games.game import (
    TABLE,
    Effect,
    Event,
    Game,
    Intent,
    Paused,
    Played,
    Refuse,
    Resumed,
    Say,
    StartTimer,
    Step,
    StopTimer,
    TimerFinished,
    Utterance,
)
from voice_host.resources import folder

_ENGLISH: Final = folder("grammars") / "en"
NAMES: Final = tuple((_ENGLISH / "names.txt").read_text(encoding="utf-8").split())
OPTIONS: Final = lobby.Options(known_names=NAMES)

THE_LOBBY_IS_A_GAME: Final[Game] = lobby


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    names = ("common.yaml", "when_i_dream.yaml")
    return parse_grammar({name: (_ENGLISH / name).read_text(encoding="utf-8") for name in names})


def _spoken(grammar: Grammar, *said: str, options: lobby.Options = OPTIONS) -> tuple[lobby.State, list[str]]:
    """Hold a lobby by voice; returns its state and, line by line, what was heard and what came of it."""
    step = lobby.start(options, Random(0))
    log = [_line(step.effects)]
    for number, text in enumerate(said, 1):
        utterance = Utterance(number, (text,), float(number), number + 0.5)
        meaning = interpret(utterance, None, lobby.listening(step.state), grammar)
        assert not isinstance(meaning, Unclear), text
        before = step.state
        step = Step(step.state)
        for intent in meaning:
            step = lobby.step(step.state, intent)
        assert isinstance(step.state, lobby.State)
        refused = any(isinstance(effect, Refuse) for effect in step.effects)
        assert not refused or step.state is before
        log.append(f"{text} > {_line(step.effects)}")
    return step.state, log


def _line(effects: tuple[Effect, ...]) -> str:
    return "; ".join(
        " ".join(
            [effect.prompt if isinstance(effect, Say) else f"refuse_{effect.reason}", *map(str, effect.slots.values())]
        )
        for effect in effects
        if isinstance(effect, Say | Refuse)
    )


def test_a_plain_lobby(grammar: Grammar) -> None:
    state, log = _spoken(
        grammar,
        *(
            "There are four of us.",
            "I'm Amy.",
            "Ben",
            "My name is Cleo.",
            "And then Dan.",
            "Cleo is the oldest.",
            "Let's start!",
        ),
    )
    assert log == [
        "welcome; ask_count 4 10",
        "There are four of us. > count_heard 4; ask_name 1",
        "I'm Amy. > name_heard Amy; ask_name 2",
        "Ben > name_heard Ben; ask_name 3",
        "My name is Cleo. > name_heard Cleo; ask_name 4",
        "And then Dan. > name_heard Dan; ask_oldest",
        "Cleo is the oldest. > oldest_heard Cleo; ask_start ('Cleo', 'Dan', 'Amy', 'Ben')",
        "Let's start! > lobby_over",
    ]
    assert lobby.players(state) == ("Cleo", "Dan", "Amy", "Ben")
    assert lobby.view(state, TABLE)["phase"] == "finished"


def test_a_lobby_full_of_mistakes(grammar: Grammar) -> None:
    state, log = _spoken(
        grammar,
        *(
            "Three.",
            "Twelve",
            "Five.",
            "no",
            "Four",
            "Amy",
            "Bin.",
            "No, Ben.",
            "Amy.",
            "Cleo",
            "no",
            "Clara",
            "Dan",
            "Ben.",
        ),
        *("No.", "Ben", "Yes."),
    )
    assert log == [
        "welcome; ask_count 4 10",
        "Three. > refuse_too_few_players 3 4",
        "Twelve > refuse_too_many_players 12 10",
        "Five. > count_heard 5; ask_name 1",
        "no > ask_count 4 10",
        "Four > count_heard 4; ask_name 1",
        "Amy > name_heard Amy; ask_name 2",
        "Bin. > name_heard Bin; ask_name 3",
        "No, Ben. > name_heard Ben; ask_name 3",
        "Amy. > refuse_name_twice Amy",
        "Cleo > name_heard Cleo; ask_name 4",
        "no > name_dropped Cleo; ask_name 3",
        "Clara > name_heard Clara; ask_name 4",
        "Dan > name_heard Dan; ask_oldest",
        "Ben. > oldest_heard Ben; ask_start ('Ben', 'Clara', 'Dan', 'Amy')",
        "No. > ask_oldest",
        "Ben > oldest_heard Ben; ask_start ('Ben', 'Clara', 'Dan', 'Amy')",
        "Yes. > lobby_over",
    ]
    assert lobby.players(state) == ("Ben", "Clara", "Dan", "Amy")


def test_all_names_may_be_said_at_once(grammar: Grammar) -> None:
    state, log = _spoken(
        grammar, "five", "Eve", "We are Amy, Ben, Cleo, Dan, Max and Zoe.", "Amy, Ben, Cleo and Xochi.", "Eve"
    )
    assert log[2:5] == [
        "Eve > name_heard Eve; ask_name 2",
        "We are Amy, Ben, Cleo, Dan, Max and Zoe. > refuse_more_names_than_players 5",
        "Amy, Ben, Cleo and Xochi. > names_heard ('Amy', 'Ben', 'Cleo', 'Xochi'); ask_oldest",
    ]
    assert lobby.Named("Xochi", certain=False, utterance_number=None) in state.names


def test_fewer_may_start_than_were_counted(grammar: Grammar) -> None:
    state, log = _spoken(
        grammar, "six", "Amy", "Ben", "That's everyone.", "Cleo", "Dan", "That's everyone.", "Amy", "we're ready"
    )
    assert log[4] == "That's everyone. > refuse_names_missing 2"
    assert log[7] == "That's everyone. > ask_oldest"
    assert lobby.players(state) == ("Amy", "Ben", "Cleo", "Dan")


def test_table_talk_names_nobody(grammar: Grammar) -> None:
    talk = ("Ha ha ha.", "Oh my god.", "Thank you.", "the", "Where is my drink?", "This is going to be fun.", "[Music]")
    state, log = _spoken(grammar, "four", *talk)
    assert state.names == ()
    assert [line.split(" > ")[1] for line in log[2:]] == [""] * len(talk)


def test_who_wants_to_be_told_each_turn_says_so_before_the_game_and_can_take_it_back(grammar: Grammar) -> None:
    named = ("four", "Amy", "Ben", "Cleo", "Dan")
    state, _ = _spoken(grammar, *named, "Always tell Cleo when it's her turn")
    assert lobby.view(state, TABLE)["told"] == ["Cleo"]
    state, _ = _spoken(grammar, *named, "tell me when it is my turn", "stop telling Cleo")
    assert lobby.view(state, TABLE)["told"] == ["Amy", "Ben", "Dan"]
    state, _ = _spoken(grammar, *named, "tell me when it is my turn", "stop telling me")
    assert lobby.view(state, TABLE)["told"] == []


def test_starting_over_forgets_all_names(grammar: Grammar) -> None:
    state, _ = _spoken(grammar, "four", "Amy", "Ben", "start over")
    assert state == lobby.start(OPTIONS, Random(0)).state


def test_stopping_ends_the_lobby_without_players(grammar: Grammar) -> None:
    state, log = _spoken(grammar, "four", "Amy", "stop the game")
    assert log[-1] == "stop the game > stopped"
    assert lobby.players(state) == ()
    assert lobby.view(state, TABLE)["phase"] == "called_off"


def test_a_name_without_a_certain_spelling_is_marked_with_its_utterance(grammar: Grammar) -> None:
    state, _ = _spoken(grammar, "four", "Amy", "Xochiquetzal", "Jessicah")
    assert state.names == (
        lobby.Named("Amy", certain=True, utterance_number=2),
        lobby.Named("Xochiquetzal", certain=False, utterance_number=3),
        lobby.Named("Jessicah", certain=True, utterance_number=4),
    )
    assert lobby.view(state, TABLE)["uncertain"] == ["Xochiquetzal"]


def test_the_reading_that_is_a_name_and_still_free_is_taken() -> None:
    state = lobby.step(lobby.start(OPTIONS, Random(0)).state, Intent("player_count", {"number": "4"})).state
    state = lobby.step(state, Intent("player_name", {"name": "Bent"}, readings=("Bent", "ben", "Dan"))).state
    state = lobby.step(state, Intent("player_name", {"name": "Bend"}, readings=("Bend", "Ben", "Dan"))).state
    assert [named.text for named in state.names] == ["Ben", "Dan"]


# -------------------------------------------------------------------------------------------------------------- silences


def _after(*events: Event) -> Step:
    step = lobby.start(OPTIONS, Random(0))
    for event in events:
        step = lobby.step(step.state, event)
    return step


def test_the_silence_is_timed_from_the_end_of_the_question() -> None:
    assert not any(isinstance(effect, StartTimer) for effect in _after().effects)
    assert _after(Played("welcome")).effects == ()
    assert _after(Played("ask_count")).effects == (StartTimer("no_input", 20.0, waits_for_speech=True),)


def test_a_question_is_asked_again_twice_at_most() -> None:
    silence = (Played("ask_count"), TimerFinished("no_input"))
    again = (Played("ask_count_again"), TimerFinished("no_input"))
    reprompt = (Say("ask_count_again", {"fewest": 4, "most": 10}),)
    assert _after(*silence).effects == reprompt
    assert _after(*silence, *again).effects == reprompt
    assert _after(*silence, *again, Played("ask_count_again")).effects == ()
    assert _after(*silence, *again, *again).effects == ()


def test_an_answer_stops_the_time_and_the_next_question_may_be_asked_again() -> None:
    silence = (Played("ask_count"), TimerFinished("no_input"))
    answered = _after(*silence, Intent("player_count", {"number": "4"}))
    assert StopTimer("no_input") in answered.effects
    assert lobby.step(answered.state, Played("ask_name")).effects == (
        StartTimer("no_input", 20.0, waits_for_speech=True),
    )


# ----------------------------------------------------------------------------------------------------------- any evening

_EVENTS: Final = st.one_of(
    st.builds(
        Intent,
        st.sampled_from(sorted({name for _, name in lobby._HANDLERS} | {"guess", "pass"})),
        st.fixed_dictionaries(
            {
                "number": st.integers(0, 12).map(str),
                "name": st.sampled_from(["Amy", "amy", "Ben", "Cleo", "Dan", "Eve", "Zyx"]),
                "names": st.sampled_from(["Amy, Ben", "Amy, amy", "Cleo, Dan, Eve", "", ","]),
                "player": st.sampled_from(["Amy", "Ben", "Cleo", "Nobody"]),
            }
        ),
    ),
    st.sampled_from([Played("ask_name"), Played("ask_count_again"), TimerFinished("no_input"), TimerFinished("night")]),
    st.sampled_from([Paused("asked"), Resumed()]),
)


@given(events=st.lists(_EVENTS, max_size=40))
@settings(deadline=None)
def test_whatever_happens_the_lobby_stays_sound(events: list[Event]) -> None:
    step = lobby.start(OPTIONS, Random(0))
    for event in events:
        before = step.state
        step = lobby.step(before, event)
        said = [effect for effect in step.effects if isinstance(effect, Say | Refuse)]
        for effect in said:
            name = effect.prompt if isinstance(effect, Say) else f"refuse_{effect.reason}"
            assert set(lobby.PROMPTS[name]) == set(effect.slots)
        if any(isinstance(effect, Refuse) for effect in step.effects):
            assert step.state is before
        names = [named.text.casefold() for named in step.state.names]
        assert len(set(names)) == len(names) <= OPTIONS.max_players
        seated = lobby.players(step.state)
        assert not seated or OPTIONS.min_players <= len(seated) == len(names)
        assert lobby.view(step.state, TABLE)["phase"] in lobby.PHASES
        assert (seated is not None) == (not lobby.listening(step.state).intents)


@given(events=st.lists(_EVENTS, max_size=25))
@settings(deadline=None)
def test_every_lobby_can_still_be_brought_to_its_end(events: list[Event]) -> None:
    state = lobby.start(OPTIONS, Random(0)).state
    for event in events:
        state = lobby.step(state, event).state
    if lobby.players(state) is None:
        answers = [Intent("start_over"), Intent("player_count", {"number": "4"})]
        answers += [Intent("player_name", {"name": name}) for name in ("Amy", "Ben", "Cleo", "Dan")]
        for answer in [*answers, Intent("oldest", {"player": "Ben"}), Intent("start")]:
            state = lobby.step(state, answer).state
        assert lobby.players(state) == ("Ben", "Cleo", "Dan", "Amy")
