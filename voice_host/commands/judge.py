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
from typing import IO, Final, Protocol, Self, runtime_checkable

from voice_host.decks import dreams_path, load_dreams
from voice_host.errors import HostError, UsageError
from voice_host.hearing.recognizers import ENGINES, Recognizer, load_recognizer
from voice_host.hearing.recognizers.recognizer import PhraseRecognizer
from voice_host.hearing.sound_files import read_sound
from voice_host.lexicon import common_things, load_measures
from voice_host.matching import english
from voice_host.matching.judging import Explanation
from voice_host.matching.words import Judgement, Measures, Word
from voice_host.resources import languages
from voice_host.second_engine import AUTO, NONE, load_second_engine
from voice_host.second_look import Look, SecondLook

QUIET_SECONDS: Final = 2.0
"""Nothing is said about progress before the work has taken so long."""
_REFRESH_SECONDS: Final = 0.2
_LINE_SECONDS: Final = 10.0
"""Where stderr is no terminal, in a file nobody can overwrite a line: there are few."""
MOST_WORKERS: Final = 2
"""Each has its own recogniser in memory."""
DECOYS: Final = 440
"""As many as the words of a deck."""
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
    """Give a file that takes the place of `out` only when all of it is written.

    Raises `UsageError` at once where nothing can be written, `HostError` where that turns out later (a full disk).
    """
    if out.is_dir():
        raise UsageError(f"{out} is a folder; name a file with --out.")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        file = NamedTemporaryFile("w", encoding="utf-8", dir=out.parent, prefix=f".{out.name}.", delete=False)  # noqa: SIM115
    except OSError as error:
        raise UsageError(f"{out} cannot be written ({error.strerror}); choose another place with --out.") from error
    temporary = Path(file.name)
    try:
        with file:
            yield file
        temporary.chmod(0o644)
        temporary.replace(out)
    except OSError as error:
        raise HostError(f"{out} cannot be written ({error.strerror}); choose another place with --out.") from error
    finally:
        temporary.unlink(missing_ok=True)


class Progress:
    """What stderr tells of work longer than `QUIET_SECONDS`: on a terminal one line, else a line every ten seconds."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._started = self._shown = time.monotonic()
        self._terminal = sys.stderr.isatty()

    def show(self, done: int) -> None:
        """Tell how many rows are done, if it is time to."""
        now = time.monotonic()
        refresh = _REFRESH_SECONDS if self._terminal else _LINE_SECONDS
        if now - self._started >= QUIET_SECONDS and now - self._shown >= refresh:
            self._shown = now
            self._write(done, "" if self._terminal else "\n")

    def end(self) -> None:
        """Tell that all are done, if anything was told before."""
        if self._shown > self._started:
            self._write(self._total, "\n")

    def _write(self, done: int, end: str) -> None:
        start = "\r" if self._terminal else ""
        sys.stderr.write(f"{start}{done} of {self._total} rows judged{end}")
        sys.stderr.flush()


@runtime_checkable
class _Explaining(Protocol):
    """Measures that show what led to a judgement."""

    def judge(self, readings: Sequence[str], hidden: Word, confidences: Sequence[float] = ()) -> Judgement:
        """Judge a guess by its readings."""
        ...

    def explain(
        self, readings: Sequence[str], hidden: Word, confidences: Sequence[float] = ()
    ) -> Explanation | english.Explanation:
        """Judge a guess and show its phones and the nearest words."""
        ...


class _Hearing:
    """Hears clips on as many cores as are worth it, each clip once; a context, left with all its threads ended."""

    def __init__(
        self,
        language: str,
        engines: tuple[str | None, str],
        files: Collection[Path],
        measures: object,
        vocabulary: Sequence[str],
    ) -> None:
        engine, second_engine = engines
        workers = min(MOST_WORKERS, os.cpu_count() or 1) if len(files) >= WORTH_A_SECOND else 1
        self._free: SimpleQueue[tuple[Recognizer, SecondLook]] = SimpleQueue()
        for _ in range(workers):
            recognizer = load_recognizer(language, engine)
            if recognizer.capabilities.grammar and isinstance(recognizer, PhraseRecognizer):
                recognizer.listen_for(vocabulary)
            other = load_second_engine(language, recognizer.name, second_engine, load_recognizer, _notice)
            second_engine = NONE if other is None else other.name  # one trial tells for all
            self._free.put((recognizer, SecondLook(recognizer, measures, other=other)))
        self._pool = ThreadPoolExecutor(workers)
        self._heard = {file: self._pool.submit(self._hear, file) for file in files}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)
        while not self._free.empty():
            self._free.get()[0].close()

    def heard(self, file: Path) -> Look:
        """Return what is heard in a clip; waits for it."""
        return self._heard[file].result()

    def _hear(self, file: Path) -> Look:
        recognizer, second_look = self._free.get()
        try:
            samples = read_sound(file)
            return second_look.look(samples, recognizer.recognize(samples))
        finally:
            self._free.put((recognizer, second_look))


def _notice(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def _line(row: Row, look: Look, measures: Measures, *, explain: bool) -> dict[str, object]:
    recognition = look.recognition
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
    if explain and isinstance(measures, _Explaining):
        found = measures.explain(readings, hidden, confidences)
        line["explanation"] = {
            "nearest_other": judgement.nearest,
            "heard_phones": [{"phones": phones, "paid": round(paid, 3)} for phones, paid in found.heard],
            "meant_phones": list(found.meant),
            "nearest": [
                {"word": word, "cost": round(cost, 3), "prior": round(prior, 3)} for word, cost, prior in found.nearest
            ],
            **_two_engines(look),
        }
    return line


def _two_engines(look: Look) -> dict[str, object]:
    """Return what a second engine wrote and what both make of each word, likeliest first; nothing where there was one."""
    if look.second is None:
        return {}
    weighed = sorted(look.weighed.items(), key=lambda item: -item[1].together)
    return {
        "second_engine_heard": [hypothesis.text for hypothesis in look.second.hypotheses],
        "log_likelihoods": [
            {"text": text, "first": round(one.first, 2), "second": round(one.second, 2)} for text, one in weighed
        ],
    }


def _deck(language: str) -> list[Word]:
    """Return the words of a language's cards; none where it has no deck yet."""
    has_deck = language in languages() and dreams_path(language).is_file()
    return [word for card in load_dreams(language) for word in card] if has_deck else []


def _decoys(language: str) -> tuple[str, ...]:
    """Return what engines that follow a grammar are told to expect beside the table's own words: the deck, or common things."""
    return tuple(word.text for word in _deck(language)) or common_things(language, DECOYS)


def run_judge(
    clips: Path,
    language: str,
    engine: str | None,
    out: Path,
    second_engine: str | None = None,
    *,
    explain: bool = False,
) -> int:
    """Judge every row and write one JSON object a line, in the rows' order; return the exit code.

    Without a second engine named, one that is installed listens beside the best engine, and none beside one that was named.
    Raises `UsageError` for a table, clip, language, engine or place that cannot be used, before anything is heard.
    """
    if language not in ENGINES:
        raise UsageError(f"No recogniser understands language {language!r}; choose one of: {', '.join(ENGINES)}.")
    rows = read_rows(clips)
    files = find_audio(clips, rows)
    with _written_whole(out) as file:
        measures = load_measures(language, _deck(language))
        progress = Progress(len(rows))
        second_engine = second_engine or (AUTO if engine is None else NONE)
        vocabulary = (*dict.fromkeys(row.hidden for row in rows), *_decoys(language))
        with _Hearing(
            language, (engine, second_engine), dict.fromkeys(files.values()), measures, vocabulary
        ) as hearing:
            for done, row in enumerate(rows, start=1):
                line = _line(row, hearing.heard(files[row.audio]), measures, explain=explain)
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
                progress.show(done)
    progress.end()
    return 0
