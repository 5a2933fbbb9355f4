"""``voice-host demo``: a whole evening from recorded voices, through the real recogniser and the real synthesiser.

The recorded people get the same evening as people at a table: they hear the host and see the card. The host gets nothing but
sound. With other cards, or another seed, the people still say what they say, and the host scores what it hears.
"""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from voice_host.commands.play import PlayRequest, first_entry
from voice_host.errors import UsageError
from voice_host.hearing.sound_files import Samples, read_sound
from voice_host.journal import Journal
from voice_host.live import Session, open_loudspeaker
from voice_host.program import Program
from voice_host.resources import folder
from voice_host.running import Kept
from voice_host.tables.robot import Act, Line, RobotTable, parse_acts
from voice_host.tables.script import read_text

EVENING = "evening"
MANIFEST = "manifest.tsv"


@dataclass(frozen=True, slots=True)
class DemoRequest:
    """The words of the command line."""

    lang: str
    evening: Path | None = None
    """A folder of clips beside a script of the same name; None: the evening that comes with the program."""
    seed: int | None = None
    """None: the words that the recorded people talk about."""
    cards: Path | None = None
    engine: str | None = None
    speaker: str | None = None
    events: Path | None = None
    real_time: bool = False


def demo(request: DemoRequest) -> int:
    """Play the evening to its end; returns the exit code, raises `HostError` with one sentence."""
    program = Program(request.lang)
    acts, clips, cards = load_evening(request)
    play_request = PlayRequest(
        game="when-i-dream", lang=request.lang, seed=request.seed or 0, cards=cards, journal=None
    )
    # Real people listen at real speed, so what nobody listens to is not slowed down.
    loudspeaker = open_loudspeaker(request.speaker or "none", recorded=True)
    session = Session(request.lang, request.engine, loudspeaker)
    with tempfile.TemporaryDirectory() as scratch:
        journal = Journal.create(Path(scratch) / "demo.evening", sync=False)
        kept = Kept(journal, (), first_entry(play_request, deal="table"))
        try:
            return session.play(
                program,
                kept,
                lambda room: RobotTable(acts, clips, room),
                virtual=not request.real_time,
                events=request.events,
            )
        finally:
            journal.close()


def load_evening(request: DemoRequest) -> tuple[tuple[Act, ...], Mapping[Line, Samples], Path | None]:
    """Return what the recorded people do, their clips, and the list of the words that come up (None: the shuffled deck)."""
    clips_folder = request.evening or folder("voices") / request.lang / EVENING
    script = clips_folder.with_suffix(".txt")
    if not script.is_file() or not (clips_folder / MANIFEST).is_file():
        raise UsageError(
            f"There is no recorded evening at {clips_folder}; render one with: python tools/render_voices.py --evening {script}"
        )
    acts = parse_acts(read_text(script, "recorded evening"), str(script))
    clips = read_clips(clips_folder)
    for act in acts:
        if isinstance(act, Line) and act not in clips:
            raise UsageError(
                f"{act.person} never says {act.text!r} in {clips_folder}; render it with: python tools/render_voices.py --evening {script}"
            )
    cards = request.cards
    if cards is None and request.seed is None and (own := _cards_of(clips_folder)).is_file():
        cards = own
    return acts, clips, cards


def _cards_of(clips_folder: Path) -> Path:
    """Return the file of the words that come up in an evening: ``cards_of_six.txt`` beside ``evening_of_six``."""
    return clips_folder.with_name(f"{clips_folder.name.replace(EVENING, 'cards')}.txt")


def read_clips(clips_folder: Path) -> dict[Line, Samples]:
    """Return each clip of a rendered evening by who says what."""
    table = read_text(clips_folder / MANIFEST, "list of clips").splitlines()
    rows = csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)
    return {Line(row["person"], row["text"]): read_sound(clips_folder / row["file"]) for row in rows}
