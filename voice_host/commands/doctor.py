"""`voice-host doctor`: looks at everything an evening needs on this machine, and says what is missing with its remedy."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from voice_host.checks.finding import Finding
from voice_host.checks.machine import check_disk, check_python, check_settings
from voice_host.configured import Setting, configured
from voice_host.errors import MissingError, UsageError
from voice_host.settings import Settings, load_settings

_NAME_WIDTH: Final = 18
_INSTEAD: Final = (
    "Without them there is a typed evening (voice-host play when-i-dream --players Amy,Ben,Cleo,Dan --script FILE) "
    "and one from recorded voices (voice-host demo)."
)


@dataclass(frozen=True, slots=True)
class DoctorRequest:
    """The words of the command line; None where the settings decide."""

    lang: str | None = None
    mic: str | None = None
    speaker: str | None = None
    engine: str | None = None
    json: bool = False


def doctor(request: DoctorRequest, known: Mapping[str, Setting]) -> int:
    """Print a line for everything that was looked at; returns 0 when all that is needed is there, else 3."""
    findings: list[Finding] = []
    for finding in _findings(request, known):
        findings.append(finding)
        if not request.json:
            _print(finding)
    missing = [finding for finding in findings if finding.state == "missing"]
    if request.json:
        told = {"ready": not missing, "findings": [asdict(finding) for finding in findings]}
        print(json.dumps(told, ensure_ascii=False, indent=1))
    elif missing:
        one = len(missing) == 1
        print(f"\n{len(missing)} {'thing is' if one else 'things are'} missing. {_INSTEAD}")
    else:
        print("\nAll that is needed is there: voice-host play when-i-dream")
    return MissingError.exit_code if missing else 0


def _findings(request: DoctorRequest, known: Mapping[str, Setting]) -> Iterator[Finding]:
    """Look at one thing after the other, the quick ones first."""
    from voice_host.checks.sound import check_sound
    from voice_host.checks.speech import check_speech

    def notice(sentence: str) -> None:
        print(sentence, file=sys.stderr, flush=True)

    wishes = _wishes(request, known)
    yield from check_python()
    yield from check_settings(known)
    journal = wishes["journal"]
    yield from check_disk(journal if isinstance(journal, Path) else None)
    yield from check_sound(wishes["mic"], wishes["speaker"], notice)
    yield from check_speech(wishes["lang"] or "en", wishes["engine"])


def _wishes(request: DoctorRequest, known: Mapping[str, Setting]) -> dict[str, Any]:
    """Return what the flags, else the settings wish; a setting that cannot be read counts for nothing here."""
    try:
        file = load_settings()
    except UsageError:
        file = Settings(Path())
    wishes: dict[str, Any] = {}
    for name in ("lang", "mic", "speaker", "engine", "journal"):
        given = getattr(request, name, None)
        try:
            wishes[name] = given if given is not None else configured(known[name], file).value
        except UsageError:
            wishes[name] = known[name].default
    return wishes


def _print(finding: Finding) -> None:
    mark = {"ok": "ok", "note": "note", "missing": "MISSING"}[finding.state]
    said = finding.said.rstrip(".")
    remedy = f"\n{'':9}{'':{_NAME_WIDTH}}-> {finding.remedy}" if finding.remedy else ""
    print(f"{mark:<9}{finding.name:<{_NAME_WIDTH}}{said}{remedy}", flush=True)
