"""Nothing that the host can say makes it act; the whole of it, in more rooms, is benchmarks/echo.py."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.dialogue.phases import LISTENING
from tests.simulated.prompts import all_prompts
from tests.simulated.reciting import Prompt, Table, recite
from tests.simulated.room import Acoustics, SimulatedRoom
from tests.simulated.working_time import run

COMMANDS = (
    "stop",
    "time",
    "pause",
    "resume",
    "again",
    "appeal",
    "agree",
    "objection",
    "ready",
    "wake up",
    "guess",
    "foul",
)
"""Words that mean something to the host, some of which every test's prompts must hold."""
ROOMS = (
    Acoustics("living room", 0.4, -6.0, seed=2),
    Acoustics("loud and rattling", 0.4, 0.0, overdrive=2.0, seed=4),
)
MOST_PROMPTS = 14


def with_commands(table: Table) -> list[Prompt | str]:
    """Return the prompts that hold the most words of command."""

    def commands(prompt: Prompt | str) -> int:
        if isinstance(prompt, str):
            return 0
        text = table.program.prompts.text(prompt.name, prompt.slots, prompt.variant).casefold()
        return sum(word in text for word in COMMANDS)

    ranked = sorted(all_prompts(table.program), key=commands, reverse=True)
    return [prompt for prompt in ranked if commands(prompt)][:MOST_PROMPTS]


def recited(table: Table, acoustics: Acoustics, prompts: list[Prompt | str]) -> list[str]:
    """Return what the host did of its own accord while it said these prompts: what it took for meant, and each time it fell silent."""
    room = SimulatedRoom(acoustics, 20.0 * len(prompts))
    recital = run(recite(table, room, prompts))
    assert len(recital.began) == len(prompts)
    return [line["text"] for line in recital.actions] + ["(silenced)"] * len(recital.cut)


@pytest.mark.parametrize("acoustics", ROOMS, ids=lambda room: room.name)
def test_prompts_full_of_commands_trigger_none(by_day: Table, acoustics: Acoustics) -> None:
    prompts = with_commands(by_day)
    assert len(prompts) == MOST_PROMPTS
    assert recited(by_day, acoustics, prompts) == []


def test_a_host_that_takes_nothing_out_would_act_on_its_own_words(
    by_day: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the tests above can fail: the same prompts, heard by an ear that believes it hears no loudspeaker."""
    from voice_host.hearing.echo import Cleared, EchoCanceller
    from voice_host.own_voice import OwnVoice

    monkeypatch.setattr(EchoCanceller, "hear", lambda _self, block, _start: Cleared(block, 0.0))
    monkeypatch.setattr(OwnVoice, "_is_host", lambda *_: False)
    assert recited(by_day, ROOMS[0], with_commands(by_day)[:4]) != []


@pytest.mark.full
@pytest.mark.parametrize("phase", ["night", "story", "review"])
def test_no_prompt_triggers_anything(by_day: Table, phase: str, tmp_path: Path) -> None:
    table = replace(by_day, listening=LISTENING[phase], scratch=tmp_path)
    assert recited(table, ROOMS[0], all_prompts(table.program)) == []
