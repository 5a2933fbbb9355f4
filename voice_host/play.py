"""``voice-host play``: sets up one evening from the command line's words, runs it, and prints how it ended."""

from __future__ import annotations

import asyncio
import datetime as dt
import secrets
import sys
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import platformdirs

from voice_host.errors import HostError, UsageError
from voice_host.evening import Evening
from voice_host.host import Host, Room, Watcher
from voice_host.journal import SUFFIX, Began, Entry, Journal, by_id, newest
from voice_host.outputs import Captions, EventsFile, final_table
from voice_host.program import (
    LOBBY,
    Program,
    follow_up,
    parse_players,
    parse_roles,
    parse_settings,
    read_cards,
    settings_help,
)
from voice_host.script import ScriptLine, read_script
from voice_host.typed_table import type_script
from voice_host.understanding import Understander
from voice_host.virtual_time import run

HEARTBEAT_SECONDS: Final = 1.0
"""How often a live evening's clock is put on disk, so that a resumed one goes on at the same second."""


@dataclass(frozen=True, slots=True)
class PlayRequest:
    """The words of the command line."""

    game: str
    lang: str
    players: str | None = None
    seed: int | None = None
    rounds: int | None = None
    settings: Sequence[str] = ()
    mic: str | None = None
    speaker: str | None = None
    engine: str | None = None
    fast: bool = False
    script: Path | None = None
    events: Path | None = None
    cards: Path | None = None
    roles: Sequence[str] = ()
    journal: Path | None = None
    resume: str | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """Where an evening is kept, and what it holds already."""

    journal: Journal
    entries: tuple[tuple[float, Entry], ...]
    first: Began
    """What a new evening begins with, or what the resumed one began with."""


def play(request: PlayRequest, program: Program | None = None) -> int:
    """Host one evening; returns the exit code, raises `HostError` with one sentence.

    A program that is loaded already saves its second of loading.
    """
    if "help" in {setting.partition("=")[2] for setting in request.settings}:
        print("\n".join(f"{name}={default}" for name, default in settings_help()))
        return 0
    program = program or Program(request.lang)
    kept = _kept(request, program)
    try:
        if request.script is not None:
            return _play_typed(request, program, kept)
        from voice_host.live import play_live

        return play_live(request, program, kept)
    finally:
        kept.journal.close()


def first_entry(request: PlayRequest, *, deal: str) -> Began:
    """Return what a new evening begins with: the game, or the lobby when nobody was named."""
    seed = secrets.randbelow(2**31) if request.seed is None else request.seed
    chosen = {
        "language": request.lang,
        "upcoming": [] if request.cards is None else read_cards(request.cards),
        "roles": parse_roles(request.roles),
        "rounds": request.rounds,
        "settings": {"deal": deal, **parse_settings(request.settings)},
    }
    if request.players is None:
        return Began(LOBBY, {**chosen, "game": request.game}, seed)
    return Began(request.game, {**chosen, "players": list(parse_players(request.players))}, seed)


async def run_evening(
    host: Host, kept: Kept, source: Coroutine[Any, Any, None], *others: Coroutine[Any, Any, None]
) -> None:
    """Run the host beside its source (a script, an ear) and other tasks, until the evening is over."""
    async with asyncio.TaskGroup() as tasks:
        started = [tasks.create_task(task) for task in (source, *others)]
        await host.run()
        for task in started:
            task.cancel()
    if host.evening.over:
        kept.journal.mark("finished", 1)


def conclude(evening: Evening, events: EventsFile | None, *, must_be_over: bool = False) -> int:
    """Write the final line, print the final table; raises `HostError` when the evening had to come to its end and did not."""
    table = evening.view()
    scores, winners = dict(table.get("scores", {})), tuple(table.get("winners", ()))
    if events is not None:
        events.write({"type": "final", "scores": scores, "winners": list(winners)})
        events.close()
    print(final_table(scores, winners))
    if not evening.over and must_be_over:
        raise HostError("The recording ended before the evening did; go on with --resume and another recording.")
    return 0


def make_host(program: Program, kept: Kept, room: Room | None, watchers: Sequence[Watcher]) -> Host:
    """Join an evening's parts."""
    chosen = {name: value for name, value in kept.first.options.items() if name not in {"game", "players"}}
    game = kept.first.options.get("game", kept.first.game)
    return Host(
        evening=Evening(program.build, program.prompts),
        journal=kept.journal,
        understand=Understander(program),
        room=room,
        watchers=watchers,
        follow_up=lambda evening: follow_up(evening, game, chosen, kept.first.seed),
    )


def _play_typed(request: PlayRequest, program: Program, kept: Kept) -> int:
    events = None if request.events is None else EventsFile(request.events)
    watchers: list[Watcher] = [Captions(sys.stdout)] if events is None else [events]
    host = make_host(program, kept, None, watchers)
    lines = _script(request, kept)

    async def evening() -> None:
        begin(host, kept)
        await run_evening(host, kept, type_script(lines, host))

    run(evening(), virtual=True)
    return conclude(host.evening, events)


def begin(host: Host, kept: Kept) -> None:
    """Begin a new evening, or go on with a kept one."""
    if kept.entries:
        host.resume(kept.entries, kept.journal.marked("clock"))
    else:
        host.begin(kept.first)


def _script(request: PlayRequest, kept: Kept) -> tuple[ScriptLine, ...]:
    if request.script is None:
        raise UsageError("There is no script; name one with --script FILE.")
    return read_script(request.script, kept.first.options.get("players"))


def _kept(request: PlayRequest, program: Program) -> Kept:
    """Open the journal of the evening, having checked everything that can be checked before it exists."""
    folder = request.journal or Path(platformdirs.user_state_dir("voice-host")) / "evenings"
    live = request.script is None
    if request.resume is not None:
        path = by_id(folder, request.resume) if request.resume else newest(folder)
        journal, entries = Journal.reopen(path, sync=live)
        if entries:
            first = entries[0][1]
            if not isinstance(first, Began):
                raise UsageError(
                    f"The journal {path} does not begin with a game; start a new evening without --resume."
                )
            return Kept(journal, entries, first)
        return Kept(journal, (), first_entry(request, deal="table" if live else "host"))
    first = first_entry(request, deal="table" if live else "host")
    program.build(first)
    if request.script is not None:
        read_script(request.script, first.options.get("players"))
    return Kept(Journal.create(_new_path(folder, request.game), sync=live), (), first)


def _new_path(folder: Path, game: str) -> Path:
    """Return where a new evening is kept; its id says when it began and what was played."""
    stem = f"{dt.datetime.now(tz=dt.UTC).astimezone():%Y-%m-%d-%H%M%S}-{game}"
    names = (stem, *(f"{stem}-{number}" for number in range(2, 10_000)))
    return next(path for name in names if not (path := folder / f"{name}{SUFFIX}").exists())
