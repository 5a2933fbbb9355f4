"""A table that taps: shows an evening on the pages, each viewer's own part, and brings what is tapped to the host."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final

from voice_host.evening import BARGE_INS, Line, Outcome
from voice_host.games.game import TABLE, Intent, Listening, Seat
from voice_host.host import Host
from voice_host.journal import Tapped
from voice_host.page_texts import load_page_texts
from voice_host.program import LOBBY, Program
from voice_host.running import Kept
from voice_host.screens.audience import Sayable, caption_for
from voice_host.screens.feed import KEPT_CAPTIONS
from voice_host.screens.links import LINKS_SUFFIX, Links
from voice_host.screens.server import Screens, Wanted, open_screens, qr_rows
from voice_host.screens.taps import Tap

_MARK: Final = re.compile(r"_\d+$")
"""Ends the names of timers that only mark a moment of another one (``night_30``)."""


_ALL_NAMED: Final = frozenset({"asking_oldest", "starting"})
"""The phases of the lobby in which every seat has its name."""


class TappingTable:
    """Shows every line of a host's evening once all that belongs to it has happened; `watch` is one of the host's watchers."""

    def __init__(self, host: Host, screens: Screens, announce: Callable[[str], None]) -> None:
        self._host = host
        self._screens = screens
        self._announce = announce
        self._lines: deque[Line] = deque(maxlen=KEPT_CAPTIONS)
        """What a seat whose page is new may still read."""
        self._unshown: list[Line] = []
        self._score_history: list[Mapping[str, int]] = []
        self._asked_to_show = False
        self._announced: dict[str, str] = {}
        self._lobby_seats: tuple[Seat, ...] = ()
        screens.on_tap = self._tapped
        screens.on_links = self._show_soon
        self._announce_links((TABLE,))

    def watch(self, outcome: Outcome) -> None:
        """Take one line of the evening."""
        self._unshown.append(outcome.line)
        if outcome.line["type"] == "score" and outcome.line["scores"]:
            self._score_history.append(outcome.line["scores"])
        self._show_soon()

    def show(self) -> None:
        """Show all viewers what they may know now."""
        self._asked_to_show = False
        new, self._unshown = self._unshown, []
        evening = self._host.evening
        seats = self._seats()
        self._screens.let_talk(evening.view().get("dreamer"))
        listening = evening.listening()
        for seat in seats:
            lines = new if self._screens.knows(seat) else [*self._lines, *new]
            say = {} if evening.game == LOBBY else sayable(listening, seat)  # a lobby hears no seats, only voices
            self._show_to(seat, lines, say, {"microphone": self._screens.listens_to(seat)})
        self._announce_links((TABLE, *seats))
        self._show_to(TABLE, new, sayable(listening, None), self._links(seats))
        self._lines.extend(new)

    def _seats(self) -> tuple[Seat, ...]:
        """Return who has a page: in the lobby once all names are known; whose name was changed there loses the old one."""
        evening = self._host.evening
        view = evening.view()
        players = tuple(view["players"])
        if evening.game != LOBBY:
            self._lobby_seats = ()
            return players
        named = players if view["phase"] in _ALL_NAMED else tuple(name for name in players if name in self._lobby_seats)
        for gone in set(self._lobby_seats) - set(players):
            self._screens.forget(gone)
            self._announced.pop(gone, None)
        self._lobby_seats = named
        return named

    def _show_to(self, viewer: str, lines: list[Line], say: Sayable, more: Mapping[str, Any] | None = None) -> None:
        evening = self._host.evening
        view = evening.view(viewer)
        values = {
            "game": evening.game,
            "phase": view["phase"],
            "view": view,
            "paused": evening.paused,
            "timers": self._timers(),
            "say": say,
            "score_history": list(self._score_history),
            **(more or {}),
        }
        blindfolded = bool(view.get("blindfolded"))
        seen = (caption_for(line, viewer, blindfolded=blindfolded) for line in lines)
        captions = [caption for caption in seen if caption is not None]
        self._screens.change(viewer, values, captions)

    def _timers(self) -> list[Mapping[str, Any]]:
        timers = self._host.evening.timers
        return [
            {"name": timer.name, "seconds": timer.seconds, "ends": timer.deadline, "stands_at": timers.frozen_at}
            for timer in timers.running.values()
            if not _MARK.search(timer.name)
        ]

    def _links(self, seats: tuple[Seat, ...]) -> Mapping[str, Any]:
        urls = {viewer: self._screens.link(viewer) for viewer in (TABLE, *seats)}
        return {
            "links": [{"viewer": viewer, "url": url, "qr": qr_rows(url)} for viewer, url in urls.items()],
            "open_pages": [viewer for viewer in urls if self._screens.is_open(viewer)],
        }

    def _announce_links(self, viewers: tuple[str, ...]) -> None:
        """Print each link once, and a replaced one again."""
        for viewer in viewers:
            url = self._screens.link(viewer)
            if self._announced.get(viewer) != url:
                self._announced[viewer] = url
                page = (
                    "The table's page, for a screen that the dreamer cannot see"
                    if viewer == TABLE
                    else f"The page of {viewer}"
                )
                self._announce(f"{page}: {url}")

    def _tapped(self, viewer: str, tap: Tap) -> None:
        speaker = None if viewer == TABLE else viewer
        self._host.inbox.put_nowait(Tapped(Intent(tap.intent, tap.slots, speaker)))

    def _show_soon(self) -> None:
        """Show once the present moment is over: one fact has many lines, and some lead to the next fact at once."""
        if not self._asked_to_show:
            self._asked_to_show = True
            asyncio.get_running_loop().call_soon(self.show)


def sayable(listening: Listening, seat: Seat | None) -> Sayable:
    """Return what may be said from a seat's page (None: from the table's) now.

    What only cuts a prompt short is for voices: whoever taps has a button for it that is always there.
    An open slot lists no values: they are the whole deck, and a page that holds the deck holds the hidden word.
    """
    return {
        name: {
            slot: {"values": [] if slot_values.open else list(slot_values.values), "open": slot_values.open}
            for slot, slot_values in slots.items()
        }
        for name, slots in listening.intents.items()
        if name not in BARGE_INS and (seat is None or name not in listening.only_of or seat in listening.only_of[name])
    }


def open_pages(
    wanted: Wanted | None, program: Program, kept: Kept, host: Host, announce: Callable[[str], None]
) -> Screens | None:
    """Take the port of the pages and let them watch the host; their `Screens.serve` is to run beside the evening.

    Returns None when no pages are wanted; raises `UsageError` when the port is taken or the links cannot be kept.
    """
    if wanted is None:
        return None
    links = Links(kept.journal.path.with_suffix(LINKS_SUFFIX), announce)
    screens = open_screens(wanted, links, {"language": program.language}, host.now, load_page_texts())
    host.watch(TappingTable(host, screens, announce).watch)
    return screens
