"""Everything that travels to the dreamer's page during a hundred random nights: no hidden word, no zone, no verdict.

Two nights of ten are played twice with the same events over another deck: to the dreamer both are the same, message for message's content.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.games.helpers import NAMES, deck, options
from tests.games.walks import any_event, words_heard
from tests.screens.evening_with_pages import EveningWithPages
from tests.screens.pages_client import Page, opened
from voice_host.games import when_i_dream
from voice_host.games.game import Event, Intent, Played
from voice_host.games.when_i_dream.state import Falling, LastGuess, Night, Story
from voice_host.host import Host
from voice_host.journal import Began, Tapped
from voice_host.program import Program

NIGHTS = 100
NIGHTS_A_TEST = 10
TWINS_OF_TEN = 2
EVENTS = 80
DREAMER = NAMES[0]
BLINDFOLDED = {"falling", "night", "last_guess", "story"}
TELLING = {"word", "yellow", "blue", "penalty_cards", "told", "cards", "roles", "points", "verdict"}
"""Names under which a view or a caption would tell what the dreamer may not know."""


class SmallDeck(Program):
    """The program with a deck whose words occur nowhere else, in an order of its own, and measures by spelling."""

    def __init__(self, english: Program, order: int, count: int) -> None:
        super().__init__("en")
        vars(self).update(
            {
                name: value
                for name, value in vars(english).items()
                if name in {"prompts", "grammar", "dreams", "measures"}
            }
        )
        self.players = NAMES[:count]
        self._order = order

    def build(self, began: Began) -> tuple[Any, Any]:  # noqa: ARG002  every evening is the same
        cards = list(deck(30))
        Random(self._order).shuffle(cards)
        # No timer ends by itself, however slow the machine is: the walk ends them.
        seconds = dict.fromkeys(("night_seconds", "clue_seconds", "last_guess_seconds", "appeal_seconds"), 3600.0)
        return when_i_dream, options(len(self.players), cards=tuple(cards), deal="host", **seconds)


def _walk(rng: Random, host: Host) -> list[Event]:
    """Let anything happen until the dreamer may see again; returns what happened."""
    happened: list[Event] = []
    while len(happened) < EVENTS and _is_dark(host):
        state = host.evening.state
        event = any_event(rng, state, words_heard(state))
        if isinstance(state.phase, Falling) and rng.random() < 0.7:
            event = Played("night_falls")
        happened.append(event)
        _happens(host, event)
    return happened


def _happens(host: Host, event: Event) -> None:
    host._record(host.now(), Tapped(event) if isinstance(event, Intent) else event)


def _is_dark(host: Host) -> bool:
    phase = host.evening.state.phase
    return isinstance(phase, Falling | Night | LastGuess | Story) and host.evening.state.round.dreamer == DREAMER


def _spoken(events: Sequence[Event]) -> set[str]:
    return {
        word
        for event in events
        if isinstance(event, Intent)
        for value in event.slots.values()
        for word in re.findall(r"\w+", value)
    }


async def _watched(
    program: SmallDeck, folder: Path, rng: Random, events: list[Event] | None
) -> tuple[Page, list[Event]]:
    """Play a night (the given one, or a random one) before the dreamer's page, and return what that page got."""
    with EveningWithPages(program, folder, players=program.players) as evening:
        happened: list[Event] = []

        async def play() -> None:
            if events is None:
                happened.extend(_walk(rng, evening.host))
            for event in events or ():
                if not _is_dark(evening.host):
                    break
                happened.append(event)
                _happens(evening.host, event)
                await asyncio.sleep(0)  # let the pages be shown each fact by itself

        async with opened(evening.address, evening.token(DREAMER)) as page:
            await page.next()
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(play(), evening._loop))
            last = await asyncio.to_thread(_shown, evening)
            await page.until(lambda state: state["n"] >= last)
            return page, happened


def _shown(evening: EveningWithPages) -> int:
    evening.settle()
    return evening.in_loop(lambda: evening.screens._feeds[DREAMER].number)


def _dark_messages(page: Page) -> list[dict[str, Any]]:
    """Return what travelled while the dreamer was blindfolded, without the constant texts."""
    messages: list[dict[str, Any]] = []
    phase = None
    for text in page.received:
        message = json.loads(text)
        phase = message.get("phase", phase)
        if phase not in BLINDFOLDED or message.get("view", {}).get("dreamer", DREAMER) != DREAMER:
            break
        message.pop("texts", None)
        messages.append(message)
    return messages


def _names(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(_names, value.values()))
    return set().union(*map(_names, value)) if isinstance(value, list) else set()


def _captions(page: Page) -> list[Any]:
    return [{**caption, "t": None} for message in _dark_messages(page) for caption in message.get("captions", [])]


@pytest.mark.parametrize("first", range(0, NIGHTS, NIGHTS_A_TEST))
def test_the_dreamers_page_is_never_sent_a_word_a_zone_or_a_verdict(
    english: Program, first: int, tmp_path: Path
) -> None:
    _ = english.dreams
    with ThreadPoolExecutor(5) as pool:  # most of a night is waiting
        list(pool.map(lambda seed: _check_night(english, seed, tmp_path), range(first, first + NIGHTS_A_TEST)))


def _check_night(english: Program, seed: int, folder: Path) -> None:
    count = Random(seed).randrange(4, 8)
    page, events = asyncio.run(_watched(SmallDeck(english, seed, count), folder / f"{seed}", Random(seed), None))
    _check_secrets(page, _spoken(events))
    if seed % 10 < TWINS_OF_TEN:
        other_deck = SmallDeck(english, -seed - 1, count)
        twin, again = asyncio.run(_watched(other_deck, folder / f"{seed}b", Random(seed), events))
        _check_secrets(twin, _spoken(events))
        assert events == again
        shorter = min(len(_captions(page)), len(_captions(twin)))
        assert _captions(page)[:shorter] == _captions(twin)[:shorter]


def _check_secrets(page: Page, spoken: set[str]) -> None:
    dark = _dark_messages(page)
    assert dark
    assert set(re.findall(r"q\d+[a-d]s?\b", json.dumps(dark))) <= spoken
    for message in dark:
        assert not TELLING & _names(message.get("view", {}))
        assert "links" not in message
        assert not [caption for caption in message.get("captions", []) if caption["kind"] == "flag"]
