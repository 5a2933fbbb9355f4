"""Typed evenings, played by the real program: the contract's lines, kills at every moment, and what is refused."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.host.evenings import CARDS, ONE_NIGHT, ROLES, SHORT_NIGHT
from voice_host.commands.play import PlayRequest, play
from voice_host.errors import HostError, UsageError
from voice_host.journal import Journal
from voice_host.program import Program


def _request(folder: Path, typed: str, **chosen: Any) -> PlayRequest:
    folder.mkdir(exist_ok=True)
    (folder / "script.txt").write_text(typed, encoding="utf-8")
    (folder / "cards.txt").write_text(CARDS, encoding="utf-8")
    request = PlayRequest(
        game="when-i-dream",
        lang="en",
        players="Amy,Ben,Cleo,Dan",
        seed=7,
        rounds=1,
        script=folder / "script.txt",
        events=folder / "events.jsonl",
        cards=folder / "cards.txt",
        roles=(ROLES,),
        journal=folder / "journal",
    )
    return replace(request, **chosen)


def _events(request: PlayRequest) -> list[Mapping[str, Any]]:
    assert request.events is not None
    return [json.loads(line) for line in request.events.read_text(encoding="utf-8").splitlines()]


def test_a_night_ends_with_the_scores_of_the_rules(english: Program, tmp_path: Path) -> None:
    request = _request(tmp_path, ONE_NIGHT)
    assert play(request, english) == 0
    events = _events(request)
    assert events[-1] == {
        "type": "final",
        "scores": {"Amy": 4, "Ben": 2, "Cleo": 1, "Dan": 2},
        "winners": ["Amy"],
    }
    assert {event["type"] for event in events} == {
        "heard",
        "said",
        "earcon",
        "timer",
        "phase",
        "score",
        "flag",
        "view",
        "final",
    }
    assert [event["t"] for event in events[:-1]] == sorted(event["t"] for event in events[:-1])


def test_private_words_go_to_their_seat_only(english: Program, tmp_path: Path) -> None:
    request = _request(tmp_path, ONE_NIGHT)
    play(request, english)
    roles = [(event["to"], event["text"]) for event in _events(request) if event.get("prompt") == "your_role"]
    assert [seat for seat, _ in roles] == ["Ben", "Cleo", "Dan"]


def test_the_dreamer_never_sees_a_word_at_night(english: Program, tmp_path: Path) -> None:
    request = _request(tmp_path, ONE_NIGHT)
    play(request, english)
    for event in _events(request):
        if (
            event["type"] == "view"
            and event["viewer"] == "Amy"
            and event["view"]["phase"] in {"falling", "night", "last_guess", "story"}
        ):
            seen = json.dumps(event["view"])
            assert not any(word in seen for word in CARDS.split())


def test_a_kill_between_any_two_lines_changes_nothing(play_in_child: Callable[..., int], tmp_path: Path) -> None:
    whole = _request(tmp_path / "whole", ONE_NIGHT)
    assert play_in_child(whole) == 0
    lines = ONE_NIGHT.splitlines()
    for number in range(len(lines)):
        killed = _request(tmp_path / f"killed-{number}", "\n".join([*lines[:number], "@kill", *lines[number:]]))
        assert play_in_child(killed) == -signal.SIGKILL
        assert play_in_child(replace(killed, resume="")) == 0
        assert _events(killed) == _events(whole), number


def test_a_kill_at_any_entry_of_the_journal_changes_nothing(play_in_child: Callable[..., int], tmp_path: Path) -> None:
    whole = _request(tmp_path / "whole", SHORT_NIGHT)
    assert play_in_child(whole) == 0
    killed_at_all = 0
    for moment in range(400):
        killed = _request(tmp_path / f"killed-{moment}", SHORT_NIGHT)
        if play_in_child(killed, lambda moment=moment: die_at(moment)) == 0:
            break
        killed_at_all += 1
        assert play_in_child(replace(killed, resume="")) == 0
        assert _events(killed) == _events(whole), moment
    assert killed_at_all > 60


def die_at(moment: int) -> None:
    """Let the process die after that many entries: on disk, but not applied."""
    append, count = Journal.append, [0]

    def append_and_die(journal: Journal, t: float, entry: Any) -> None:
        append(journal, t, entry)
        if count[0] == moment:
            os.kill(os.getpid(), signal.SIGKILL)
        count[0] += 1

    setattr(Journal, "append", append_and_die)  # noqa: B010  the type checker rightly forbids it elsewhere


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({"players": "Amy,Ben,Cleo"}, "4 to 10 players"),
        ({"players": "Amy,Ben,amy,Dan"}, "named amy"),
        ({"players": "Amy,,Cleo,Dan"}, "does not name the players"),
        ({"lang": "xx"}, "no language 'xx'"),
        ({"roles": ("Ben=fairie",)}, "no role 'fairie'"),
        ({"roles": ("Ben",)}, "does not give roles"),
        ({"roles": ("Zoe=fairy",)}, "Zoe"),
        ({"rounds": 0}, "at least one round"),
        ({"settings": ("referee=maybe",)}, "referee takes"),
        ({"settings": ("clue_seconds=nan",)}, "clue_seconds takes"),
        ({"settings": ("clue_seconds=-1",)}, "must be between"),
        ({"settings": ("speed=9",)}, "no setting"),
        ({"cards": Path("nowhere.txt")}, "cannot be read"),
        ({"script": Path("nowhere.txt")}, "cannot be read"),
        ({"events": Path("nowhere/events.jsonl")}, "cannot be written"),
        ({"resume": "no-such-evening"}, "no evening"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_sentence(
    tmp_path: Path, chosen: dict[str, Any], sentence: str
) -> None:
    request = _request(tmp_path, ONE_NIGHT, **chosen)
    with pytest.raises(UsageError) as refused:
        play(request)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_damaged_journal_is_refused_and_left_untouched(english: Program, tmp_path: Path) -> None:
    request = _request(tmp_path, ONE_NIGHT)
    play(request, english)
    (path,) = (tmp_path / "journal").iterdir()
    path.write_bytes(b"Dear diary")
    with pytest.raises(HostError, match="left untouched") as refused:
        play(replace(request, resume=""), english)
    assert refused.value.exit_code == 1
    assert path.read_bytes() == b"Dear diary"
