"""What the host says: complete, filled, short at night, never the same twice in a row."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from voice_host.dialogue.prompts import Name, PromptError, Prompts, Text
from voice_host.evening import HOST_PROMPTS, VOICE_CHANGES
from voice_host.games import lobby
from voice_host.games.dixit_odyssey import prompts as odyssey
from voice_host.games.game import SlotValue
from voice_host.games.when_i_dream import prompts as dream
from voice_host.speaking.synthesizer import ChildSynthesizer, VoiceLost

HELP: Final[Mapping[str, tuple[str, ...]]] = {
    f"help_{phase}": () for phase in (*dream.PHASES, *odyssey.PHASES, *lobby.PHASES)
}
TABLES: Final = {
    "host": HOST_PROMPTS,
    "help": HELP,
    "lobby": lobby.PROMPTS,
    "when_i_dream": dream.PROMPTS,
    "dixit_odyssey": odyssey.PROMPTS,
}
AT_NIGHT: Final = (
    *dream.NIGHT_PROMPTS,
    *("time_left", "whose_turn", "no_time", "reprompt_1", "reprompt_2", "undone", "nothing_to_undo", "resume_said"),
    *("not_paused", "repeat_nothing", "score_nothing", "score_now", "help_night", "help_last_guess"),
    *("refuse_night_not_over", "refuse_only_in_review", "refuse_roles_later", "refuse_join_between_rounds"),
    *("refuse_only_dreamer_guesses", "refuse_only_dreamer_gives_up", "refuse_only_dreamer_corrects"),
    *("refuse_dreamer_gives_no_clues", "refuse_dreamer_cannot_pass", "refuse_dreamer_calls_no_foul"),
    *("refuse_dreamer_makes_no_foul", "refuse_not_your_turn", "refuse_no_word", "refuse_nobody_spoke"),
    *("refuse_foul_already_called", "refuse_nothing_to_withdraw", "refuse_nothing_to_correct", "refuse_time_is_over"),
    *("refuse_no_such_player", "turns_told", "turns_told_all", "turns_not_told", "turns_not_told_all"),
    *(prompt for _, *prompts in VOICE_CHANGES.values() for prompt in prompts),
)
NIGHT_SECONDS: Final = 1.25

SLOTS: Final[Mapping[str, SlotValue]] = {
    "player": "Ben",
    "dreamer": "Amy",
    "first": "Ben",
    "players": ("Amy", "Ben", "Cleo"),
    "words": ("moon", "pie"),
    "word": "dragon",
    "heard": "wagon",
    "verdict": "right",
    "role": "fairy",
    "number": 2,
    "count": 3,
    "points": 5,
    "seconds": 30,
    "position": 2,
    "fewest": 4,
    "most": 10,
    "scene": "A fox reads the news to a snail.",
    "numbers": ("2", "5"),
    "total": 12,
}


@pytest.mark.parametrize("table", TABLES)
def test_every_prompt_has_a_message_that_takes_none_but_its_slots(table: str, prompts: Prompts) -> None:
    prompts.check(TABLES[table])


def test_every_message_is_somebodys_prompt(prompts: Prompts) -> None:
    assert sorted(prompts.names - {name for table in TABLES.values() for name in table}) == []


@pytest.mark.parametrize("table", TABLES)
def test_every_wording_is_filled_for_every_value(
    table: str, prompts: Prompts, caplog: pytest.LogCaptureFixture
) -> None:
    values: dict[str, tuple[SlotValue, ...]] = {
        "role": dream.ROLES,
        "verdict": dream.VERDICTS,
        **dict.fromkeys(("points", "count", "number", "seconds", "position", "total"), (0, 1, 2, 11)),
    }
    for prompt, names in TABLES[table].items():
        for name in names or ("",):
            for value in values.get(name, (SLOTS.get(name, ""),)):
                slots = {each: SLOTS[each] for each in names} | ({name: value} if name else {})
                for variant in range(prompts.variants(prompt)):
                    text = prompts.text(prompt, slots, variant)
                    assert text == text.strip() != ""
                    assert not set("{}$\ue000\ue001") & set(text)
    assert caplog.records == []


@pytest.mark.parametrize("prompt", [name for table in TABLES.values() for name in table if name.startswith("refuse_")])
def test_a_refusal_is_one_sentence(prompt: str, prompts: Prompts) -> None:
    text = prompts.text(prompt, SLOTS)
    assert text[-1] in ".?"
    assert sum(text.count(mark) for mark in ".?!") == 1


def test_lists_are_joined_and_names_are_parts_of_their_own(prompts: Prompts) -> None:
    slots: dict[str, SlotValue] = {"players": ("Amy", "Ben", "Cleo")}
    assert prompts.text("roles_missing", slots) == "I still need the role of Amy, Ben, and Cleo."
    assert prompts.segments("roles_missing", slots) == (
        Text("I still need the role of "),
        Name("Amy"),
        Text(", "),
        Name("Ben"),
        Text(", and "),
        Name("Cleo"),
        Text("."),
    )


def test_numbers_take_their_plural(prompts: Prompts) -> None:
    said = [prompts.text("night_points", {"player": "Ben", "points": points}) for points in (0, 1, 2)]
    assert said == ["Ben: 0 points.", "Ben: one point.", "Ben: 2 points."]


def test_the_number_handed_in_chooses_the_wording_again_and_again_the_same(prompts: Prompts) -> None:
    said = [prompts.text("dream_told", {}, number) for number in range(6)]
    assert len(set(said)) == prompts.variants("dream_told") == 3
    assert said[:3] == said[3:]


@pytest.mark.parametrize(
    "prompt", ["welcome", "night_falls", "night_over", "day_breaks", "ask_objections", "role_shown", "winner"]
)
def test_what_is_often_said_by_day_has_several_wordings(prompt: str, prompts: Prompts) -> None:
    assert prompts.variants(prompt) >= 2


def test_a_reprompt_gets_shorter(prompts: Prompts) -> None:
    assert len(prompts.text("reprompt_2", {})) < len(prompts.text("reprompt_1", {}))


def test_a_missing_message_is_found_before_the_evening(prompts: Prompts) -> None:
    with pytest.raises(PromptError, match="no message 'not_there'"):
        prompts.check({"not_there": ()})
    with pytest.raises(PromptError, match="no message 'not_there'"):
        prompts.text("not_there", {})


def test_an_undeclared_slot_is_found_before_the_evening(prompts: Prompts) -> None:
    with pytest.raises(PromptError, match=r"'turn'.*\$player"):
        prompts.check({"turn": ("word",)})


def test_a_malformed_file_is_refused_with_its_line() -> None:
    with pytest.raises(PromptError, match="line 2"):
        Prompts("en", "good = Good.\nbad = { $open\n")


def test_what_is_said_at_night_takes_about_a_second(prompts: Prompts, tmp_path: Path) -> None:
    async def too_long() -> list[str]:
        synthesizer = ChildSynthesizer("en", cache_folder=tmp_path)
        try:
            found = []
            for prompt in AT_NIGHT:
                for variant in range(prompts.variants(prompt)):
                    text = prompts.text(prompt, SLOTS, variant)
                    clip = await synthesizer.synthesize(text)
                    if clip.seconds > NIGHT_SECONDS:
                        found.append(f"{prompt}: {text!r} takes {clip.seconds:.2f} s")
            return found
        finally:
            synthesizer.close()

    try:
        assert asyncio.run(too_long()) == []
    except VoiceLost as reason:
        pytest.skip(f"no synthesiser here: {reason}")
