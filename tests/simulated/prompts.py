"""All that the host may say, each wording filled with what is typical, and every earcon."""

from __future__ import annotations

from collections.abc import Mapping

from tests.dialogue.test_prompts import SLOTS
from tests.simulated.reciting import Prompt
from voice_host.evening import HOST_PROMPTS
from voice_host.games import lobby, when_i_dream
from voice_host.games.when_i_dream import prompts as dream
from voice_host.program import Program
from voice_host.speaking.earcons import EARCONS


def all_prompts(program: Program) -> list[Prompt | str]:
    """Return every prompt of the host, the lobby and the game in each of its wordings, roles in each of theirs, and the earcons."""
    helps = {f"help_{phase}": () for phase in (*when_i_dream.PHASES, *lobby.PHASES)}
    tables: tuple[Mapping[str, tuple[str, ...]], ...] = (HOST_PROMPTS, lobby.PROMPTS, when_i_dream.PROMPTS, helps)
    found: dict[str, None] = {}
    said: list[Prompt | str] = []
    for table in tables:
        for name, slots in table.items():
            for role in dream.ROLES if "role" in slots else ("",):
                for variant in range(program.prompts.variants(name)):
                    prompt = Prompt(name, {slot: role if slot == "role" else SLOTS[slot] for slot in slots}, variant)
                    text = program.prompts.text(name, prompt.slots, variant)
                    if text not in found:
                        found[text] = None
                        said.append(prompt)
    return [*said, *EARCONS]
