"""``voice-host play``: sets up one evening from the command line's words, runs it, and prints how it ended."""

from __future__ import annotations

import contextlib
import datetime as dt
import secrets
import sys
from collections.abc import Coroutine, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from voice_host.errors import HostError, MissingError, UsageError
from voice_host.host import Host, Watcher
from voice_host.house_rules import DREAM, ODYSSEY, parse_settings, settings_help
from voice_host.journal import SUFFIX, Began, Journal, by_id, evenings_folder, newest, read_entries
from voice_host.outputs import Captions, EventsFile
from voice_host.program import LOBBY, Program, parse_players, parse_roles, read_cards
from voice_host.running import Kept, begin, conclude, heartbeat, make_host, run_evening
from voice_host.screens.server import Wanted
from voice_host.settings import save_setting
from voice_host.tables.script import read_script
from voice_host.tables.tapping import open_pages
from voice_host.tables.typed import type_script
from voice_host.terminal.table import can_show, open_table
from voice_host.virtual_time import run

BOX: Final = "box"
SCENES: Final = "scenes"
CARDS: Final = (BOX, SCENES)
"""What Dixit Odyssey is played with."""

ON_PAGE: Final = "page"
"""As the name of the dreamer's microphone: the one of the dreamer's own page."""


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
    dreamer_mic: str | None = None
    record: bool = False
    speaker: str | None = None
    private_speaker: Sequence[str] = ()
    engine: str | None = None
    second_engine: str = "auto"
    fast: bool = False
    script: Path | None = None
    events: Path | None = None
    cards: Path | None = None
    mode: str | None = None
    roles: Sequence[str] = ()
    journal: Path | None = None
    resume: str | None = None
    screens: bool = False
    no_screens: bool = False
    captions: bool = False
    lan: bool = False
    port: int | None = None
    rate: int = 175
    volume: int = 100
    voice: str | None = None


def play(request: PlayRequest, program: Program | None = None) -> int:
    """Host one evening; returns the exit code, raises `HostError` with one sentence.

    A program that is loaded already saves its second of loading.
    """
    if "help" in request.settings:
        print("\n".join(f"{name}={default}" for name, default in settings_help(request.game)))
        return 0
    if request.script is not None and (unused := _unused_by_a_script(request)):
        raise UsageError(f"A typed evening has no sound: leave {', '.join(unused)} away, or --script.")
    _check_screens(request)
    _check_game(request)
    if request.resume is not None:
        _check_resumed(request)
    if program is None or program.game != request.game:
        program = Program(request.lang, request.game)
    if request.script is not None:
        return _play_typed(request, program, request.script)
    return _play_by_typing(request, program) if request.mic == "none" else _play_live(request, program)


def _dealer(request: PlayRequest) -> str:
    """Return who deals the roles: the host where it can tell each seat its own, else the table with its own cards."""
    pages = _pages(request) is not None
    return "host" if pages and (request.lan or request.private_speaker) else "table"


def _unused_by_a_script(request: PlayRequest) -> list[str]:
    given = {
        "--mic": request.mic,
        "--dreamer-mic": request.dreamer_mic,
        "--speaker": request.speaker,
        "--private-speaker": request.private_speaker,
        "--fast": request.fast,
        "--record": request.record,
    }
    return [flag for flag, value in given.items() if value and value != "none"]


def _check_screens(request: PlayRequest) -> None:
    """Refuse what makes no sense of the pages' flags; raises `UsageError`."""
    given = {"--screens": request.screens, "--lan": request.lan, "--port": request.port is not None}
    flags = " and ".join(flag for flag, value in given.items() if value)
    if flags and request.no_screens:
        raise UsageError(f"{flags} and --no-screens exclude each other; leave one of them away.")
    if flags and request.fast:
        raise UsageError(f"--fast leaves no time to look at pages; leave {flags} away, or --fast.")
    if request.dreamer_mic == ON_PAGE and (request.no_screens or request.fast):
        raise UsageError("--dreamer-mic page needs the pages; leave --no-screens and --fast away.")
    if flags and request.script is not None and not request.screens:
        raise UsageError(f"A typed evening has pages only with --screens; add it to {flags}.")


def _check_game(request: PlayRequest) -> None:
    """Refuse flags that belong to the other game; raises `UsageError`."""
    if request.game != ODYSSEY:
        if request.mode is not None:
            raise UsageError("When I Dream has one mode; leave --mode away.")
        return
    given = {"--roles": request.roles, "--dreamer-mic": request.dreamer_mic}
    if unused := [flag for flag, value in given.items() if value]:
        raise UsageError(f"Nobody dreams in Dixit Odyssey: leave {' and '.join(unused)} away.")
    pages = {"--screens": request.screens, "--lan": request.lan, "--port": request.port is not None}
    if unused := [flag for flag, value in pages.items() if value]:
        raise UsageError(f"Dixit Odyssey has no pages yet: leave {' and '.join(unused)} away.")
    if request.cards is not None and str(request.cards) not in CARDS:
        raise UsageError(
            f"Dixit Odyssey is played with --cards box (your own) or --cards scenes (read aloud), not {request.cards}."
        )
    if request.script is None and request.resume is None:
        _check_hands(str(request.cards or SCENES))
        _check_ballot(request)
    if request.mic == "none" and request.script is None:
        raise UsageError("Dixit Odyssey is not drawn in the terminal yet: name a --script, or a microphone.")


def _check_hands(cards: str) -> None:
    """Refuse a spoken evening in which nobody could see a hand; raises `UsageError`."""
    if cards != BOX:
        raise UsageError(
            "Without pages nobody could see a hand of scenes yet: play Dixit Odyssey with your own box (--cards box),"
            " or type it with --script FILE."
        )


def _check_ballot(request: PlayRequest) -> None:
    """Refuse a spoken secret ballot in which somebody could not be told the code words; raises `UsageError`."""
    if parse_settings(request.settings, ODYSSEY).get("ballot") != "secret":
        return
    players = () if request.players is None else parse_players(request.players)
    if not players or len(request.private_speaker) < len(players):
        raise UsageError(
            "A secret ballot tells each player its code words alone: without pages it takes --players and a"
            " --private-speaker for each player; or leave ballot=secret away."
        )


def _check_resumed(request: PlayRequest) -> None:
    """Refuse to go on with an evening of the other game, or in a way it cannot be played; raises `UsageError`."""
    first = read_entries(_resumed_path(request))[0][1]
    if not isinstance(first, Began):
        return  # told where it is opened
    game = str(first.options.get("game", first.game))
    if game != request.game:
        raise UsageError(f"That evening is one of {game}; go on with: voice-host play {game} --resume.")
    if game == ODYSSEY and request.script is None:
        _check_hands(first.options["cards"])


def _pages(request: PlayRequest) -> Wanted | None:
    """Return what is wanted of the pages: typed and hurried evenings have them only when asked."""
    off = (
        request.game == ODYSSEY
        or request.no_screens
        or request.fast
        or (request.script is not None and not request.screens)
    )
    return None if off else Wanted(request.lan, request.port)


def first_entry(request: PlayRequest, *, deal: str) -> Began:
    """Return what a new evening begins with: the game, or the lobby when nobody was named."""
    seed = secrets.randbelow(2**31) if request.seed is None else request.seed
    if request.game == ODYSSEY:
        return _began(request, _odyssey_choice(request), seed)
    chosen = {
        "language": request.lang,
        "upcoming": [] if request.cards is None else read_cards(request.cards),
        "roles": parse_roles(request.roles),
        "rounds": request.rounds,
        "settings": {
            "deal": deal,
            # Who names the players here has them at the table, roles in hand: play begins at once.
            "already_dealt": deal == "table" and request.players is not None,
            **parse_settings(request.settings, DREAM),
        },
    }
    return _began(request, chosen, seed)


def _odyssey_choice(request: PlayRequest) -> dict[str, Any]:
    return {
        "language": request.lang,
        "mode": request.mode or "classic",
        "cards": str(request.cards or SCENES),
        "rounds": request.rounds,
        "settings": parse_settings(request.settings, ODYSSEY),
    }


def _began(request: PlayRequest, chosen: dict[str, Any], seed: int) -> Began:
    if request.players is None:
        return Began(LOBBY, {**chosen, "game": request.game}, seed)
    return Began(request.game, {**chosen, "players": list(parse_players(request.players))}, seed)


def _play_typed(request: PlayRequest, program: Program, script: Path) -> int:
    """Play a script in virtual time, or, where pages are to be looked at, in real time."""
    first = _checked(request, program, deal="host")
    lines = read_script(script, None if request.players is None else parse_players(request.players))
    events = None if request.events is None else EventsFile(request.events)
    drawn = request.screens and _draws(request)
    captions: list[Watcher] = [Captions(sys.stdout)] if events is None and not drawn else []
    with _kept(request, first, live=False) as kept:
        host = make_host(program, kept, None, [*captions, *([] if events is None else [events])])

        async def evening() -> None:
            shown = _shown(request, program, kept, host, drawn=drawn)
            begin(host, kept)
            await run_evening(host, kept, type_script(lines, host), *shown)

        run(evening(), virtual=not request.screens)
        return conclude(host.evening, events)


def _play_by_typing(request: PlayRequest, program: Program) -> int:
    """Play without any sound: what is said is typed below the table, prompts are read; the clock is the real one."""
    if request.speaker != "none":
        raise UsageError("Without a microphone nothing is spoken either: add --speaker none to --mic none.")
    if unused := [name for name in ("dreamer_mic", "private_speaker", "record", "fast") if getattr(request, name)]:
        flags = ", ".join(f"--{name.replace('_', '-')}" for name in unused)
        raise UsageError(f"A typed evening has no sound: leave {flags} away, or --mic none.")
    if not (_draws(request) and sys.stdin.isatty()):
        raise UsageError(
            "With --mic none the evening is typed, which takes a terminal (and no --captions); elsewhere name a --script."
        )
    first = _checked(request, program, deal=_dealer(request))
    events = None if request.events is None else EventsFile(request.events)
    with _kept(request, first, live=True) as kept:
        host = make_host(program, kept, None, [] if events is None else [events])

        async def evening() -> None:
            shown = _shown(request, program, kept, host, drawn=True)
            begin(host, kept)
            await run_evening(host, kept, heartbeat(host, kept), *shown)

        run(evening(), virtual=False)
        return conclude(host.evening, events)


def _draws(request: PlayRequest) -> bool:
    """Tell whether the table is drawn in the terminal instead of captions."""
    return request.game != ODYSSEY and not request.captions and can_show()


def _shown(
    request: PlayRequest, program: Program, kept: Kept, host: Host, *, drawn: bool
) -> list[Coroutine[Any, Any, None]]:
    """Let the pages and the terminal watch the host; returns what is to run beside the evening."""
    table = open_table(host, program.language) if drawn else None
    pages = open_pages(_pages(request), program, kept, host, table.notice if table else print)
    return [*([] if pages is None else [pages.serve()]), *([] if table is None else [table.run()])]


def _play_live(request: PlayRequest, program: Program) -> int:
    """Play with a microphone or a recording; everything is opened before anything is kept."""
    from voice_host.live import Session, is_sound_file, open_loudspeaker, open_microphone
    from voice_host.manner import Chosen
    from voice_host.private_ear import PrivateSpeakers, parse_private_speakers
    from voice_host.speaking.synthesizer import ChildSynthesizer

    first = _checked(request, program, deal=_dealer(request))
    players = None if first is None else first.options.get("players")
    private = parse_private_speakers(request.private_speaker, players, request.speaker)
    sound = Chosen(request.rate, request.volume, request.voice)
    recorded = request.mic is not None and is_sound_file(request.mic)
    if request.fast and not recorded:
        raise UsageError("--fast needs a recording; name one with --mic FILE.wav.")
    on_page = request.dreamer_mic == ON_PAGE
    try:
        microphone = open_microphone(request.mic)
        dreamers = None if request.dreamer_mic is None or on_page else open_microphone(request.dreamer_mic)
        loudspeaker = open_loudspeaker(request.speaker, recorded=recorded)
        speakers = {seat: open_loudspeaker(device, recorded=False) for seat, device in private.items()}
    except MissingError as error:
        raise MissingError(f"{error} Without any sound, play by typing: add --mic none --speaker none.") from error
    session = Session(
        request.lang,
        request.engine,
        loudspeaker,
        second_engine=request.second_engine,
        sound=sound,
        remember=_remember,
    )
    if speakers:
        session.private = PrivateSpeakers(speakers, ChildSynthesizer(request.lang), request.lang)
    session.microphone_is_device = not recorded
    session.dreamer_on_page = on_page
    if dreamers is not None and request.dreamer_mic is not None:
        session.dreamers = (dreamers, not is_sound_file(request.dreamer_mic))
    with _kept(request, first, live=True) as kept:
        return session.play(
            program,
            kept,
            lambda _room: microphone,
            virtual=request.fast,
            events=request.events,
            screens=_pages(request),
            record=request.record,
            drawn=_draws(request) and not request.fast,
        )


def _remember(setting: str, value: int | str) -> None:
    """Let later evenings begin with what the table has asked for; an evening does not fail for it."""
    try:
        save_setting(setting, value)
    except HostError as error:
        print(error, file=sys.stderr, flush=True)


def _checked(request: PlayRequest, program: Program, *, deal: str) -> Began | None:
    """Return what a new evening begins with, known to be playable; None for one that is resumed."""
    if request.resume is not None:
        return None
    first = first_entry(request, deal=deal)
    program.build(first)
    _ = program.grammar, program.prompts
    return first


@contextlib.contextmanager
def _kept(request: PlayRequest, first: Began | None, *, live: bool) -> Iterator[Kept]:
    """Hold the evening's journal: a new one, made after all else was checked, or the resumed one."""
    folder = evenings_folder(request.journal)
    if first is not None:
        kept = Kept(Journal.create(_new_path(folder, request.game), sync=live), (), first)
    else:
        kept = _resumed(_resumed_path(request), live=live)
    try:
        yield kept
    finally:
        kept.journal.close()


def _resumed_path(request: PlayRequest) -> Path:
    folder = evenings_folder(request.journal)
    return by_id(folder, request.resume) if request.resume else newest(folder)


def _resumed(path: Path, *, live: bool) -> Kept:
    journal, entries = Journal.reopen(path, sync=live)
    first = entries[0][1]
    if not isinstance(first, Began):
        raise HostError(f"The journal {path} does not begin with a game; start a new evening without --resume.")
    return Kept(journal, entries, first)


def _new_path(folder: Path, game: str) -> Path:
    """Return where a new evening is kept; its id says when it began and what was played."""
    stem = f"{dt.datetime.now(tz=dt.UTC).astimezone():%Y-%m-%d-%H%M%S}-{game}"
    names = (stem, *(f"{stem}-{number}" for number in range(2, 10_000)))
    return next(path for name in names if not (path := folder / f"{name}{SUFFIX}").exists())
