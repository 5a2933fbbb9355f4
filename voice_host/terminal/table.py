"""The table's view in the terminal, refreshed as the evening goes on; what is typed there is said at the table."""

from __future__ import annotations

import asyncio
import os
import sys
from collections import deque
from collections.abc import Mapping
from typing import Any, Final

from rich.console import Console
from rich.live import Live

from voice_host.evening import Outcome
from voice_host.games.game import TABLE
from voice_host.host import Host, SpeechBegan, SpeechRecognized
from voice_host.page_texts import load_page_texts
from voice_host.screens.audience import caption_for
from voice_host.terminal.keyboard import LineEditor, keys
from voice_host.terminal.layout import Shown, layout
from voice_host.terminal.surroundings import ended_by_signals, noticed

_REFRESH_SECONDS: Final = 0.25
_FLAG_SECONDS: Final = 20.0
_MOST_NOTICES: Final = 13
"""The links of a full table and its own, and two faults."""


def can_show() -> bool:
    """Tell whether the output is a terminal on which a table can be drawn."""
    return sys.stdout.isatty() and os.environ.get("TERM", "") not in {"", "dumb"}


def open_table(host: Host, language: str) -> TerminalTable:
    """Return the table of a host's evening, in the words of its language, that watches from now on."""
    texts = load_page_texts()
    table = TerminalTable(host, {**texts["en"], **texts.get(language, {})}, Console(file=sys.stdout))
    host.watch(table.watch)
    return table


class TerminalTable:
    """Shows a host's evening; `watch` is one of its watchers, `run` a task beside it."""

    def __init__(self, host: Host, texts: Mapping[str, str], console: Console) -> None:
        self._host = host
        self._texts = texts
        self._console = console
        self._captions: deque[Mapping[str, Any]] = deque(maxlen=20)
        self._flag: tuple[float, str | None, Mapping[str, Any]] | None = None
        """Until when a flag is shown, and of which hidden word it tells: with the next one it is out of date."""
        self._editor = LineEditor(self._say)
        self._notices: deque[str] = deque(maxlen=_MOST_NOTICES)

    def watch(self, outcome: Outcome) -> None:
        """Take one line of the evening."""
        caption = caption_for(outcome.line, TABLE)
        if caption is None:
            return
        self._captions.append(caption)
        if caption["kind"] == "flag" and f"flag_{caption['reason']}" in self._texts:
            self._flag = (self._host.now() + _FLAG_SECONDS, self._host.evening.view().get("word"), caption)

    def notice(self, sentence: str) -> None:
        """Show a sentence of the program itself (a link, a fault) under the table."""
        about, link, _ = sentence.rpartition(": http")
        if link:  # an address that was replaced opens nothing any more
            stale = [one for one in self._notices if one.startswith(about + link)]
            for one in stale:
                self._notices.remove(one)
        self._notices.append(sentence)

    async def run(self) -> None:
        """Show until cancelled; the terminal is then as it was."""
        shown = Live(
            console=self._console, screen=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
        )
        with shown as live, keys(self._editor.type), noticed(self.notice), ended_by_signals():
            while True:
                live.update(layout(self._shown(), self.text), refresh=True)
                await asyncio.sleep(_REFRESH_SECONDS)

    def text(self, name: str, **slots: Any) -> str:
        """Return a text of the pages, its slots filled in."""
        written = {slot: ", ".join(value) if isinstance(value, list) else value for slot, value in slots.items()}
        return self._texts.get(name, name).format_map(written)

    def _shown(self) -> Shown:
        evening, now = self._host.evening, self._host.now()
        timers = evening.timers
        at = now if timers.frozen_at is None else timers.frozen_at
        left = {timer.name: (max(0.0, timer.deadline - at), timer.seconds) for timer in timers.running.values()}
        view = evening.view()
        flag = None
        if self._flag is not None:
            until, word, caption = self._flag
            flag = caption if until > now and word == view.get("word") else None
        return Shown(view, evening.paused, left, tuple(self._captions), self._editor.text, flag, tuple(self._notices))

    def _say(self, line: str) -> None:
        """Let what was typed be said: ``Amy: my guess is dragon``, or without a name by somebody."""
        name, colon, words = line.partition(":")
        players = {player.casefold(): player for player in self._host.evening.view().get("players", ())}
        speaker = players.get(name.strip().casefold()) if colon else None
        text = words.strip() if speaker is not None else line.removeprefix("?:").strip()
        if text:
            now = self._host.now()
            self._host.inbox.put_nowait(SpeechBegan(now))
            self._host.inbox.put_nowait(SpeechRecognized((text,), now, now, speaker))
