"""Typed evenings as golden transcripts: what was typed, and below each line what the host answered.

``>`` lines are typed and written by people; ``|`` lines are the host's and are written anew by
``python -m tests.host.odyssey.transcript``, which renews all files; read the difference before you keep it.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from voice_host.commands.play import PlayRequest, play

FOLDER = Path(__file__).parent / "transcripts"
SPOKEN_SECONDS = 1.0
"""How long a typed line takes."""


def request_of(head: str, script: Path, events: Path, journal: Path) -> PlayRequest:
    """Read the first line: ``$ play dixit-odyssey --players ... --mode ... --seed ...``."""
    _, _, game, *flags = shlex.split(head)
    given = dict(zip(flags[::2], flags[1::2], strict=True))
    return PlayRequest(
        game=game,
        lang="en",
        players=given["--players"],
        mode=given.get("--mode"),
        seed=int(given["--seed"]),
        rounds=int(given["--rounds"]) if "--rounds" in given else None,
        cards=Path(given.get("--cards", "scenes")),
        settings=tuple(given[flag] for flag in ("--set",) if flag in given),
        script=script,
        events=events,
        journal=journal,
    )


def renewed(text: str) -> str:
    """Return the transcript with the host's lines written anew."""
    kept = [line for line in text.splitlines() if not line.startswith("|")]
    head = next(line for line in kept if line.startswith("$"))
    with TemporaryDirectory() as folder:
        script, events = Path(folder, "script.txt"), Path(folder, "events.jsonl")
        script.write_text("\n".join(line[2:] for line in kept if line.startswith("> ")), encoding="utf-8")
        assert play(request_of(head, script, events, Path(folder, "journal"))) == 0
        answers = [json.loads(line) for line in events.read_text(encoding="utf-8").splitlines()]
    return "\n".join(_woven(kept, answers)) + "\n"


def _woven(kept: list[str], answers: list[Mapping[str, Any]]) -> Iterator[str]:
    now = 0.0
    waiting = [answer for answer in answers if answer["type"] in {"said", "final"}]
    for line in kept:
        yield line
        if line.startswith("> @wait"):
            now += float(line.split()[-1])
        elif line.startswith("> "):
            now += SPOKEN_SECONDS
        elif not line.startswith("$"):
            continue
        while waiting and waiting[0].get("t", float("inf")) <= now + 1e-6:
            yield _answer(waiting.pop(0))
    yield from map(_answer, waiting)


def _answer(answer: Mapping[str, Any]) -> str:
    if answer["type"] == "final":
        scores = ", ".join(f"{name} {points}" for name, points in answer["scores"].items())
        return f"| final: {scores}; won by {' and '.join(answer['winners'])}"
    to = "" if answer["to"] == "room" else f" (to {answer['to']})"
    return f"|{to} {answer['text']}"


def main() -> None:
    """Renew every transcript."""
    for path in sorted(FOLDER.glob("*.txt")):
        path.write_text(renewed(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
