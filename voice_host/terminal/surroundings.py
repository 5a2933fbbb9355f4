"""What would disturb a drawn screen: lines on stderr, which become notices, and signals, which would leave it half drawn."""

from __future__ import annotations

import asyncio
import contextlib
import io
import logging
import signal
from collections.abc import Callable, Iterator
from typing import Final

_SIGNALS: Final = ("SIGTERM", "SIGHUP")


class _Notices(io.TextIOBase):
    """A stream whose lines are notices."""

    def __init__(self, notice: Callable[[str], None]) -> None:
        self._notice = notice
        self._begun = ""

    def write(self, text: str, /) -> int:
        *lines, self._begun = (self._begun + text).split("\n")
        for line in filter(None, map(str.strip, lines)):
            self._notice(line)
        return len(text)


@contextlib.contextmanager
def noticed(notice: Callable[[str], None]) -> Iterator[None]:
    """Let what the program writes to stderr, and logs there, be noticed in the view instead."""
    stream = _Notices(notice)
    handlers = [one for one in logging.getLogger().handlers if type(one) is logging.StreamHandler]
    before = [(handler, handler.setStream(stream)) for handler in handlers]
    try:
        with contextlib.redirect_stderr(stream):
            yield
    finally:
        for handler, old in before:
            if old is not None:
                handler.setStream(old)


def _interrupt() -> None:
    """Do what Ctrl+C does; a program that a shell has started in the background was told to ignore that key, not to live for ever."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.raise_signal(signal.SIGINT)


@contextlib.contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let a request to end, or a closed line, end the evening as Ctrl+C does: with the terminal as it was."""
    loop = asyncio.get_running_loop()
    known = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
    set_up = []
    for number in known:
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, _interrupt)
            set_up.append(number)
    try:
        yield
    finally:
        for number in set_up:
            loop.remove_signal_handler(number)
