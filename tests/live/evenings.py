"""Evenings of the robot table: what is said, its clips, the host that a user would start, and the same evening typed."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from voice_host.commands.demo import read_clips
from voice_host.commands.play import PlayRequest, play
from voice_host.hearing.sound_files import Samples
from voice_host.program import Program
from voice_host.resources import folder
from voice_host.tables.robot import Act, Bell, HostSpoke, Hush, Line, Until, parse_acts
from voice_host.tables.script import UTTERANCE_SECONDS

ANSWER_SECONDS: Final = 12.0
"""For so long people wait for an answer that they expect; a busy machine needs some of it."""

_FOREVER: Final = 100_000.0

Event = Mapping[str, Any]


@dataclass(frozen=True)
class LiveEvening:
    """An evening that a robot table plays."""

    acts: tuple[Act, ...]
    clips: Mapping[Line, Samples]
    cards: Path
    options: tuple[str, ...]
    """What the user adds to ``voice-host play when-i-dream``."""


def load_live_evening(script: Path, cards: Path, *options: str) -> LiveEvening:
    """Load a script whose clips are among those of the recorded evenings; raises `KeyError` for a line that has none."""
    clips: dict[Line, Samples] = {}
    for manifest in sorted((folder("voices") / "en").glob("*/manifest.tsv")):
        clips.update(read_clips(manifest.parent))
    acts = parse_acts(script.read_text(encoding="utf-8"), str(script))
    missing = [act for act in acts if isinstance(act, Line) and act not in clips]
    if missing:
        raise KeyError(f"nobody recorded {missing}")
    return LiveEvening(acts, clips, cards, options)


# ---------------------------------------------------------------------------------------------------- the same, typed


def typed_reference(evening: LiveEvening, program: Program) -> list[Event]:
    """Return the events of the same evening typed, each act taking the time it takes a typed table."""
    return play_typed(evening, typed_script(evening, program), program)


def typed_script(evening: LiveEvening, program: Program) -> list[str]:
    """Return the lines of the same evening as a script."""
    script: list[str] = []
    for act in evening.acts:
        match act:
            case Line(text=text):
                script.append(f"?: {text}")
            case Hush(seconds):
                script.append(f"@wait {seconds}")
            case Bell():
                script.append(f"@wait {_until(evening, script, program, _is_bell)}")
            case HostSpoke():
                script.append(f"@wait {_until(evening, script, program, _is_said)}")
            case Until():
                pass
    return script


def _until(evening: LiveEvening, script: Sequence[str], program: Program, wanted: Callable[[Event], bool]) -> float:
    """Return how long the table must be silent after the script so far until something happens, and a little more."""
    begins = sum(float(line.split()[1]) if line.startswith("@wait") else UTTERANCE_SECONDS for line in script)
    events = play_typed(evening, [*script, f"@wait {_FOREVER}"], program)
    due = [event["t"] for event in events if "t" in event and event["t"] > begins and wanted(event)]
    return round(due[0] - begins + 0.5, 3) if due else 0.5


def _is_bell(event: Event) -> bool:
    return bool(event["type"] == "timer" and event["name"] == "night" and event["event"] == "finished")


def _is_said(event: Event) -> bool:
    return bool(event["type"] == "said" and event["to"] == "room")


def play_typed(evening: LiveEvening, script: Sequence[str], program: Program) -> list[Event]:
    """Return the events of a script, played with the evening's cards and options."""
    with tempfile.TemporaryDirectory() as scratch:
        typed = Path(scratch) / "evening.txt"
        typed.write_text("\n".join(script) + "\n", encoding="utf-8")
        request = PlayRequest(
            "when-i-dream",
            "en",
            script=typed,
            events=Path(scratch) / "events.jsonl",
            journal=Path(scratch) / "journal",
            cards=evening.cards,
        )
        request = replace(request, **as_request(evening.options))
        nowhere = io.StringIO()  # the final table is no news
        with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
            play(request, program)
        return read_events(Path(scratch) / "events.jsonl")


def as_request(options: Sequence[str]) -> dict[str, Any]:
    """Return the fields of a request for the words of a command line; a typed table deals for itself as a spoken one does."""
    chosen: dict[str, Any] = {"settings": ["deal=table"]}
    pairs = list(zip(options[::2], options[1::2], strict=True))
    for flag, value in pairs:
        if flag == "--set":
            chosen["settings"].append(value)
        else:
            chosen[flag.removeprefix("--")] = int(value) if flag in {"--rounds", "--seed"} else value
    if "players" in chosen:
        chosen["settings"].append("already_dealt=yes")
    return chosen


def read_events(path: Path) -> list[Event]:
    """Return the lines of an events file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def with_answers(acts: Sequence[Act], reference: Sequence[Event]) -> tuple[Act, ...]:
    """Let people wait for the host after whatever it answers aloud in the reference."""
    answered: list[bool] = []
    heard_at = -1.0
    for event in reference:
        if event["type"] == "heard":
            answered.append(False)
            heard_at = event["t"]
        elif answered and event.get("t") == heard_at and (event["type"] == "earcon" or event.get("to") == "room"):
            answered[-1] = True
    waiting: list[Act] = [HostSpoke()]
    aloud = iter(answered)
    for act in acts:
        waiting.append(act)
        if isinstance(act, Line) and next(aloud, False):
            waiting.append(HostSpoke(ANSWER_SECONDS))
    return tuple(waiting)


# ------------------------------------------------------------------------------------------------------ what must agree


_ALWAYS: Final = ("phase", "round", "dreamer", "turn", "scores", "penalty_cards", "yellow", "blue", "roles", "points")
_OF_TIME: Final = frozenset({"turn", "turn_waits", "countdown"})
_BY_DAY: Final = (*_ALWAYS, "told", "claims", "appeal", "bonus", "winners")


def outline(events: Sequence[Event]) -> list[Mapping[str, Any]]:
    """Return every state of the table that differs from the one before: turns, zones, fouls, stories, votes, scores.

    What was told counts when the dream is over: the same story may be heard in more or fewer pieces. A guess that the dreamer puts
    right counts as it is then. Pauses are no part, nor is whose turns a table lets pass while it waits for the bell: that
    depends on how long it has to wait.
    """
    states: list[Mapping[str, Any]] = []
    heard_at, spoken, corrected = -1.0, 0, False
    for event in events:
        if event["type"] == "heard":
            heard_at = event["t"]
            corrected = any(intent["name"] == "correct_guess" for intent in event["intents"])
        if event["type"] != "view" or event["viewer"] != "table":
            continue
        view = event["view"]
        if view["phase"] == "last_guess" and states and states[-1]["phase"] == "night":
            del states[spoken:]
        shown = _ALWAYS if view["phase"] in {"falling", "night", "last_guess", "story"} else _BY_DAY
        state = {name: view[name] for name in shown if name in view}
        if corrected and event["t"] == heard_at:
            del states[-1:]
        if not states or states[-1] != state:
            states.append(state)
        if event["t"] == heard_at:
            spoken = len(states)
    return states


def meanings(events: Sequence[Event]) -> list[str]:
    """Return what was meant by those who spoke, stories as one."""
    names: list[str] = []
    for event in events:
        for intent in event.get("intents", ()) if event["type"] == "heard" else ():
            if intent["name"] != "story" or names[-1:] != ["story"]:
                names.append(intent["name"])
    return names


def said(events: Sequence[Event]) -> list[str]:
    """Return the prompts that the room was to hear, but for those that only tell of time passing: turns and countdowns."""
    aloud = (event for event in events if event["type"] == "said" and event["to"] == "room")
    return [event["prompt"] for event in aloud if event["prompt"] not in _OF_TIME]


# ------------------------------------------------------------------------------------------------------- the real host


def start_host(
    evening: LiveEvening, environment: Mapping[str, str], scratch: Path, more: Sequence[str] = ()
) -> subprocess.Popen[bytes]:
    """Start ``voice-host play`` as a user does; it leaves ``events.jsonl``, ``captions`` and ``journal`` in the folder."""
    command = [sys.executable, "-m", "voice_host", "play", "when-i-dream", "--cards", str(evening.cards)]
    command += ["--mic", "pulse", "--speaker", "pulse", "--events", str(scratch / "events.jsonl")]
    command += ["--second-engine", "none"]  # several evenings at once share the machine
    command += ["--journal", str(scratch / "journal"), "--no-screens", *evening.options, *more]
    with (scratch / "captions").open("wb") as captions, (scratch / "notices").open("wb") as notices:
        return subprocess.Popen(
            command,
            env={**os.environ, "VOICE_HOST_CONFIG": str(scratch / "settings.toml"), **environment},
            stdin=subprocess.DEVNULL,
            stdout=captions,
            stderr=notices,
        )
