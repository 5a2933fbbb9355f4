"""`voice-host judge`: hear recorded guesses and judge each against the word that was hidden."""

from __future__ import annotations

import csv
import json
import os
import sys
import time
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from tempfile import NamedTemporaryFile
from typing import IO, Final, Self

from voice_host.decks import load_dreams
from voice_host.errors import HostError, UsageError
from voice_host.hearing.recognizers import Recognition, Recognizer, load_recognizer
from voice_host.hearing.sound_files import read_sound
from voice_host.lexicon import english_measures
from voice_host.matching.english import EnglishMeasures
from voice_host.matching.words import Word
from voice_host.second_look import SecondLook

QUIET_SECONDS: Final = 2.0
"""Nothing is said about progress before the work has taken so long."""
_REFRESH_SECONDS: Final = 0.2
MOST_WORKERS: Final = 2
"""Each has its own recogniser in memory."""
WORTH_A_SECOND: Final = 8
"""The number of clips from which a second recogniser saves more time than its loading takes."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table of clips."""

    number: int
    """As an editor counts the lines of the file; the header is line 1."""
    audio: str
    hidden: str


def read_rows(clips: Path) -> tuple[Row, ...]:
    """Read the columns audio and hidden; raises `UsageError` naming the file, the line and what is wrong with it."""
    try:
        text = clips.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"The table of clips {clips} cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"The table of clips {clips} is not UTF-8 text; save it as UTF-8.") from error
    lines = list(csv.reader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
    header = [name.strip() for name in lines[0]] if lines else []
    if "audio" not in header or "hidden" not in header:
        raise UsageError(f"{clips} must begin with a line that names the columns audio and hidden, separated by a tab.")
    audio, hidden = header.index("audio"), header.index("hidden")
    rows = []
    for number, cells in enumerate(lines[1:], start=2):
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) <= max(audio, hidden) or not cells[audio].strip() or not cells[hidden].strip():
            raise UsageError(f"Line {number} of {clips} needs an audio file and a hidden word, separated by a tab.")
        rows.append(Row(number, cells[audio].strip(), cells[hidden].strip()))
    return tuple(rows)


def find_audio(clips: Path, rows: Sequence[Row]) -> dict[str, Path]:
    """Find each clip beside the table or in the working folder and try it, so that no fault comes up after minutes of work.

    Raises `UsageError` naming the line of a clip that is nowhere or cannot be read.
    """
    found: dict[str, Path] = {}
    for row in rows:
        if row.audio in found:
            continue
        beside = clips.parent / row.audio
        found[row.audio] = beside if beside.is_file() else Path(row.audio)
        try:
            read_sound(found[row.audio])
        except UsageError as error:
            raise UsageError(f"Line {row.number} of {clips}: {error}") from error
    return found


@contextmanager
def _written_whole(out: Path) -> Iterator[IO[str]]:
    """Give a file that takes the place of `out` only when all of it is written; raises `HostError` where that is impossible."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile("w", encoding="utf-8", dir=out.parent, prefix=f".{out.name}.", delete=False) as file:
            temporary = Path(file.name)
            try:
                yield file
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
        temporary.chmod(0o644)
        temporary.replace(out)
    except OSError as error:
        raise HostError(f"{out} cannot be written ({error.strerror}); choose another place with --out.") from error


class _Progress:
    """One line on stderr, for whatever takes longer than `QUIET_SECONDS`."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._started = self._shown = time.monotonic()

    def show(self, done: int) -> None:
        now = time.monotonic()
        if now - self._started < QUIET_SECONDS or now - self._shown < _REFRESH_SECONDS:
            return
        self._shown = now
        sys.stderr.write(f"\r{done} of {self._total} rows judged")
        sys.stderr.flush()

    def end(self) -> None:
        if self._shown > self._started:
            sys.stderr.write(f"\r{self._total} of {self._total} rows judged\n")


class _Hearing:
    """Hears clips on as many cores as are worth it, each clip once; a context, left with all its threads ended."""

    def __init__(self, language: str, engine: str | None, files: Collection[Path], measures: object) -> None:
        workers = min(MOST_WORKERS, os.cpu_count() or 1) if len(files) >= WORTH_A_SECOND else 1
        self._free: SimpleQueue[tuple[Recognizer, SecondLook]] = SimpleQueue()
        for _ in range(workers):
            recognizer = load_recognizer(language, engine)
            self._free.put((recognizer, SecondLook(recognizer, measures)))
        self._pool = ThreadPoolExecutor(workers)
        self._heard = {file: self._pool.submit(self._hear, file) for file in files}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)
        while not self._free.empty():
            self._free.get()[0].close()

    def recognition(self, file: Path) -> Recognition:
        """Return what is heard in a clip; waits for it."""
        return self._heard[file].result()

    def _hear(self, file: Path) -> Recognition:
        recognizer, second_look = self._free.get()
        try:
            samples = read_sound(file)
            return second_look(samples, recognizer.recognize(samples))
        finally:
            self._free.put((recognizer, second_look))


def _line(row: Row, recognition: Recognition, measures: EnglishMeasures, *, explain: bool) -> dict[str, object]:
    readings = [hypothesis.text for hypothesis in recognition.hypotheses]
    confidences = [hypothesis.confidence or 0.0 for hypothesis in recognition.hypotheses]
    confidences = confidences if any(confidences) else []  # an engine may have none
    hidden = Word(id=row.hidden, text=row.hidden)
    judgement = measures.judge(readings, hidden, confidences)
    line: dict[str, object] = {
        "audio": row.audio,
        "hidden": row.hidden,
        "heard": readings,
        "verdict": judgement.verdict.value,
        "cost": judgement.cost,
        "margin": judgement.margin,
        "decode_seconds": round(recognition.decode_seconds, 4),
    }
    if explain:
        found = measures.explain(readings, hidden, confidences)
        line["explanation"] = {
            "nearest_other": judgement.nearest,
            "heard_phones": [{"phones": phones, "paid": round(paid, 3)} for phones, paid in found.heard],
            "meant_phones": list(found.meant),
            "nearest": [
                {"word": word, "cost": round(cost, 3), "prior": round(prior, 3)} for word, cost, prior in found.nearest
            ],
        }
    return line


def run_judge(clips: Path, language: str, engine: str | None, out: Path, *, explain: bool = False) -> int:
    """Judge every row and write one JSON object a line, in the rows' order; return the exit code.

    Raises `UsageError` for a table, clip, language or engine that cannot be used, naming the line; then nothing is written.
    """
    if language != "en":
        raise UsageError(f"There are no measures by sound for {language!r} yet; choose --lang en.")
    rows = read_rows(clips)
    files = find_audio(clips, rows)
    measures = english_measures([word for card in load_dreams(language) for word in card])
    progress = _Progress(len(rows))
    with (
        _Hearing(language, engine, dict.fromkeys(files.values()), measures) as hearing,
        _written_whole(out) as file,
    ):
        for done, row in enumerate(rows, start=1):
            line = _line(row, hearing.recognition(files[row.audio]), measures, explain=explain)
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
            progress.show(done)
    progress.end()
    return 0
