"""What people say in each phase, and what the interpreter makes of it."""

from __future__ import annotations

import re
import statistics
import time
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.dialogue.phases import LISTENING, Ask
from voice_host.dialogue.grammar import Grammar
from voice_host.dialogue.interpreter import NOTHING, Meaning, Unclear, interpret
from voice_host.dialogue.names import alike_by
from voice_host.dialogue.spoken import normal
from voice_host.games.game import Listening, Slot, Utterance

HERE: Final = Path(__file__).parent
LINE: Final = re.compile(r"(?P<phase>\w+) (?P<speaker>\?|\w+): (?P<said>.+) -> (?P<intent>\w+)(?: (?P<slots>.+))?")


def _lines(name: str) -> list[str]:
    text = (HERE / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


SENTENCES: Final = _lines("sentences.txt")
TABLE_TALK: Final = [line.removeprefix("~") for line in _lines("table_talk.txt")]
DREAMERS_TALK: Final = [line for line in _lines("table_talk.txt") if not line.startswith("~")]


def _short(meaning: Meaning) -> list[tuple[str, dict[str, str]]] | str:
    if isinstance(meaning, Unclear):
        return f"unclear {meaning.reason}"
    return [(intent.name, dict(intent.slots)) for intent in meaning]


@pytest.mark.parametrize("line", SENTENCES)
def test_a_sentence_means_its_intent(line: str, ask: Ask) -> None:
    expected = LINE.fullmatch(line)
    assert expected is not None, "phase speaker: sentence -> intent slot=value; slot=value"
    slots = dict(pair.split("=", 1) for pair in (expected["slots"] or "").split("; ") if pair)
    speaker = None if expected["speaker"] == "?" else expected["speaker"]
    assert _short(ask(expected["phase"], speaker, expected["said"])) == [(expected["intent"], slots)]


def test_every_line_of_grammar_has_a_sentence(grammar: Grammar) -> None:
    said: dict[str, list[str]] = {}
    for line in SENTENCES:
        parts = LINE.fullmatch(line)
        assert parts is not None
        said.setdefault(parts["intent"], []).append(normal(parts["said"]) + " ")
    untried = [
        f"{template.intent}: {template.text}"
        for template in grammar.templates
        if not any(template.pattern.fullmatch(sentence) for sentence in said.get(template.intent, ()))
    ]
    assert untried == []


@pytest.mark.parametrize(
    ("intent", "fewest"), [("guess", 12), ("give_up", 12), ("pass", 12), ("foul", 12), ("wake_up", 12), ("withdraw", 8)]
)
def test_what_matters_can_be_said_in_many_ways(intent: str, fewest: int, grammar: Grammar) -> None:
    assert sum(template.intent == intent for template in grammar.templates) >= fewest


# ------------------------------------------------------------------------------------------- the phrases that always work

CONTRACT: Final = [
    ("night", "I guess dragon", "guess", {"word": "dragon"}),
    ("night", "is it dragon", "guess", {"word": "dragon"}),
    ("night", "I give up", "give_up", {}),
    ("night", "pass", "pass", {}),
    ("night", "foul", "foul", {}),
    ("night", "foul on Ben", "foul", {"player": "Ben"}),
    ("night", "never mind", "withdraw", {}),
    ("story", "I wake up", "wake_up", {}),
    ("review", "appeal card two", "appeal", {"card": "2"}),
    ("review", "appeal card 2", "appeal", {"card": "2"}),
    ("review", "agree", "agree", {}),
    ("review", "disagree", "disagree", {}),
    ("review", "no objections", "no_objections", {}),
    ("between", "ready", "ready", {}),
    *[
        (phase, said, intent, {})
        for phase in LISTENING
        for said, intent in [
            ("pause", "pause"),
            ("resume", "resume"),
            ("undo", "undo"),
            ("score", "score"),
            ("how much time", "time_left"),
            ("whose turn", "whose_turn"),
            ("repeat", "repeat"),
            ("help", "help"),
            ("stop the game", "stop_game"),
        ]
    ],
]


@pytest.mark.parametrize("form", ["{}", "{}.", "{}?", "{}!", " {} "])
@pytest.mark.parametrize(("phase", "said", "intent", "slots"), CONTRACT)
def test_a_promised_phrase_works_as_recognisers_write_it(
    *, phase: str, said: str, intent: str, slots: dict[str, str], form: str, ask: Ask
) -> None:
    for text in (said, said.capitalize(), said.upper() if "word" not in slots else said):
        assert _short(ask(phase, None, form.format(text))) == [(intent, slots)]


@pytest.mark.parametrize("speaker", ["Amy", "Ben"])
@pytest.mark.parametrize(("said", "intent"), [(c[1], c[2]) for c in CONTRACT if c[0] == "night"])
def test_a_promised_phrase_works_for_every_seat_at_night(speaker: str, said: str, intent: str, ask: Ask) -> None:
    meaning = ask("night", speaker, said)
    assert not isinstance(meaning, Unclear)
    assert [i.name for i in meaning] == [intent]


@pytest.mark.parametrize(
    ("phase", "said", "intent"),
    [
        ("review", "I guess dragon", "guess"),
        ("night", "I wake up", "wake_up"),
        ("between", "foul on Ben", "foul"),
        ("night", "appeal card two", "appeal"),
        ("review", "I give up", "give_up"),
        ("review", "pass", "pass"),
    ],
)
def test_a_command_out_of_place_is_still_understood_so_that_it_can_be_refused(
    phase: str, said: str, intent: str, ask: Ask
) -> None:
    meaning = ask(phase, "Amy", said)
    assert not isinstance(meaning, Unclear)
    assert [i.name for i in meaning] == [intent]


# ----------------------------------------------------------------------------------------------------------- table talk


@pytest.mark.parametrize("said", TABLE_TALK)
def test_table_talk_means_nothing_by_day(said: str, ask: Ask) -> None:
    assert _short(ask("between", None, said)) == []


@pytest.mark.parametrize("said", TABLE_TALK)
def test_table_talk_at_night_is_at_most_a_clue(said: str, ask: Ask) -> None:
    meaning = ask("night", None, said)
    assert not isinstance(meaning, Unclear)
    assert {intent.name for intent in meaning} <= {"clue"}


@pytest.mark.parametrize("said", DREAMERS_TALK)
def test_table_talk_of_a_dreamer_is_no_guess(said: str, ask: Ask) -> None:
    meaning = ask("night", "Amy", said)
    assert not isinstance(meaning, Unclear)
    assert all(intent.name != "guess" for intent in meaning)


@pytest.mark.parametrize(
    "said", ["the", "you", "huh", "Thank you.", "Ha ha ha.", "Ha ha ha ha ha ha", "[Music]", "Oh my god", "", "..."]
)
@pytest.mark.parametrize("speaker", [None, "Amy", "Ben"])
def test_laughter_and_ghosts_of_silence_are_nothing(said: str, speaker: str | None, ask: Ask) -> None:
    for phase in LISTENING:
        assert ask(phase, speaker, said) == NOTHING


# ------------------------------------------------------------------------------------------------------ guesses and clues


def test_a_bare_word_is_a_guess_only_from_the_dreamers_own_seat(ask: Ask) -> None:
    assert _short(ask("night", "Amy", "A dragon.")) == [("guess", {"word": "dragon"})]
    assert _short(ask("night", "Ben", "Dragon.")) == [("clue", {"word": "Dragon"})]
    assert _short(ask("night", None, "Dragon.")) == [("clue", {"word": "Dragon"})]


@pytest.mark.parametrize(
    "said",
    [
        "Hmm, maybe something with water.",
        "I don't know.",
        "it flies, so a bird or a plane",
        "Oh, it could be anything.",
        "let me think",
        "something with wings",
        "water, maybe",
    ],
)
def test_a_dreamer_who_thinks_aloud_at_an_own_microphone_neither_guesses_nor_gives_up(said: str, ask: Ask) -> None:
    assert _short(ask("night", "Amy", said)) == []


@given(word=st.from_regex(r"[a-z]{1,12}( [a-z]{1,12}){0,2}", fullmatch=True))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_no_bare_words_of_a_giver_are_a_guess(word: str, ask: Ask) -> None:
    meaning = ask("night", "Ben", word)
    signs = re.search(r"guess|guest|answer|is it|dream", word)
    assert isinstance(meaning, Unclear) or signs or all(intent.name != "guess" for intent in meaning)


@pytest.mark.parametrize("word", ["time", "man", "well", "music", "funny", "cold", "timer", "next", "skip"])
def test_one_word_is_a_clue_even_where_it_could_be_a_command(word: str, ask: Ask) -> None:
    assert _short(ask("night", "Ben", word)) == [("clue", {"word": word})]


def test_a_promised_command_word_is_given_as_a_clue_with_a_phrase(ask: Ask) -> None:
    assert _short(ask("night", "Ben", "score")) == [("score", {})]
    assert _short(ask("night", "Ben", "My clue is score.")) == [("clue", {"word": "score"})]


def test_all_readings_of_a_guess_are_kept_best_first(ask: Ask) -> None:
    meaning = ask("night", None, "my guess is wagon", "my guess is dragon", "my cousin dragon", "I guess dragon")
    assert not isinstance(meaning, Unclear)
    assert meaning[0].readings == ("wagon", "dragon")
    assert meaning[0].slots == {"word": "wagon"}


def test_a_lower_hypothesis_counts_where_the_best_one_means_nothing(ask: Ask) -> None:
    assert _short(ask("review", None, "a pill carved who", "appeal card two")) == [("appeal", {"card": "2"})]


def test_a_command_that_is_out_of_place_is_never_taken_from_a_lower_hypothesis(ask: Ask) -> None:
    assert _short(ask("between", None, "I gave you a cup", "I give up")) == []


def test_several_words_after_a_guess_phrase_are_kept_for_the_judge(ask: Ask) -> None:
    said = "I guess dragon castle moon river bridge boat tower"
    assert _short(ask("night", "Amy", said)) == [("guess", {"word": "dragon castle moon river bridge boat tower"})]


def test_a_guess_phrase_without_a_word_is_unclear(ask: Ask) -> None:
    assert ask("night", None, "My guess is...") == Unclear("word", "guess")


def test_a_foul_on_somebody_who_does_not_play_is_unclear(ask: Ask) -> None:
    assert ask("night", None, "foul on Zorblax") == Unclear("player", "foul")


def test_who_speaks_of_himself_must_be_known(ask: Ask) -> None:
    assert ask("reveal", None, "I was the fairy") == Unclear("player", "claim_role")


# ---------------------------------------------------------------------------------------------------------------- stories


def test_a_story_takes_everything_that_is_no_command_said_alone(ask: Ask) -> None:
    for said in ["I flew over a castle and had to pause.", "I give up", "pass the gate", "A dragon."]:
        assert _short(ask("story", "Amy", said)) == [("story", {"text": said.rstrip(".")})]
    assert _short(ask("story", "Amy", "Pause.")) == [("pause", {})]


@pytest.mark.parametrize("ending", ["and then I woke up.", "I wake up", "That was my dream.", "The end."])
def test_the_end_of_a_story_is_told_apart_from_the_story(ending: str, ask: Ask) -> None:
    expected = [("story", {"text": "A dragon ate the moon"}), ("wake_up", {})]
    assert _short(ask("story", "Amy", f"A dragon ate the moon. {ending.capitalize()}")) == expected
    assert _short(ask("story", "Amy", ending)) == [("wake_up", {})]


@pytest.mark.parametrize(
    "said", ["When I woke up there was a dragon", "I flew until I woke up", "Then I woke up in a castle"]
)
def test_waking_in_the_middle_of_a_story_does_not_end_it(said: str, ask: Ask) -> None:
    assert _short(ask("story", "Amy", said)) == [("story", {"text": said})]


# ------------------------------------------------------------------------------------------------------------------ names


def test_names_are_matched_by_the_sound_that_the_caller_hands_in(grammar: Grammar) -> None:
    def same_sound(heard: str, name: str) -> float:
        return 0.9 if (heard, name) == ("shavonne", "Siobhan") else 0.1

    listening = Listening({"foul": {"player": Slot(("Siobhan", "Ben"))}})
    utterance = Utterance(1, ("Foul on Shavonne.",), 0.0, 1.0)
    meaning = interpret(utterance, None, listening, grammar, same_sound)
    assert _short(meaning) == [("foul", {"player": "Siobhan"})]


def test_a_name_about_equally_near_to_two_players_is_unclear(grammar: Grammar) -> None:
    listening = Listening({"foul": {"player": Slot(("Jan", "Jen"))}})
    assert interpret(Utterance(1, ("foul on Jin",), 0.0, 1.0), None, listening, grammar) == Unclear("player", "foul")


def test_a_known_name_is_a_name_although_it_is_a_little_word_too(grammar: Grammar) -> None:
    listening = Listening({"player_name": {"name": Slot(("May",), open=True)}}, {None: "player_name"})
    assert _short(interpret(Utterance(1, ("May.",), 0.0, 1.0), None, listening, grammar)) == [
        ("player_name", {"name": "May"})
    ]


# ------------------------------------------------------------------------------------------------------------- robustness


@given(texts=st.lists(st.text(max_size=80), max_size=4), phase=st.sampled_from(sorted(LISTENING)))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
def test_any_text_whatever_is_interpreted(texts: list[str], phase: str, ask: Ask) -> None:
    assert ask(phase, None, *texts) is not None


@given(
    words=st.lists(
        st.sampled_from(
            [
                "i",
                "guess",
                "is",
                "it",
                "my",
                "foul",
                "on",
                "ben",
                "the",
                "a",
                "dragon",
                "no",
                "said",
                "up",
                "give",
                "wake",
                "card",
                "two",
                "not",
            ]
        ),
        max_size=9,
    )
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_order_of_words_of_the_grammar_is_interpreted(words: list[str], ask: Ask) -> None:
    for speaker in (None, "Amy", "Ben"):
        assert ask("night", speaker, " ".join(words)) is not None


def test_an_utterance_is_understood_in_a_few_milliseconds(ask: Ask) -> None:
    took = []
    for said in [line.split(": ", 1)[1].split(" ->")[0] for line in SENTENCES[:60]] + TABLE_TALK[:40]:
        began = time.perf_counter()
        ask("night", None, said)
        took.append(time.perf_counter() - began)
    assert statistics.median(took) < 0.005


def test_phones_tell_names_apart_that_letters_confuse(grammar: Grammar) -> None:
    phones = {"then": {"Dan": 0.6, "Ben": 0.62}, "bin": {"Dan": 0.82, "Ben": 0.3}, "aimee": {"Dan": 1.97, "Ben": 2.02}}
    listening = Listening({"foul": {"player": Slot(("Ben", "Dan"))}})

    def fouled(heard: str) -> Meaning:
        utterance = Utterance(1, (f"Foul on {heard}.",), 0.0, 1.0)
        return interpret(utterance, None, listening, grammar, alike_by(lambda one, other: phones[one][other]))

    assert _short(fouled("bin")) == [("foul", {"player": "Ben"})]
    assert fouled("then") == fouled("aimee") == Unclear("player", "foul")
