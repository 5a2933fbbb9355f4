"""Typed evenings of Dixit Odyssey, played by the real program: the scores of the script, kills anywhere, and what is refused."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.host.odyssey.talking import NAMES, talk
from tests.host.odyssey.transcript import FOLDER, renewed
from tests.host.test_typed_evening import die_at
from voice_host.commands.play import PlayRequest, play
from voice_host.errors import UsageError
from voice_host.program import Program

WAYS = [
    *(("classic", count) for count in (3, 4, 6, 7, 8, 12)),
    *(("party", count) for count in (6, 12)),
    *(("teams", count) for count in (6, 8, 12)),
]


def _request(folder: Path, lines: list[str], count: int = 4, **chosen: Any) -> PlayRequest:
    folder.mkdir(exist_ok=True)
    (folder / "script.txt").write_text("\n".join(lines), encoding="utf-8")
    request = PlayRequest(
        game="dixit-odyssey",
        lang="en",
        players=",".join(NAMES[:count]),
        seed=7,
        script=folder / "script.txt",
        events=folder / "events.jsonl",
        journal=folder / "journal",
    )
    return replace(request, **chosen)


def _events(request: PlayRequest) -> list[Mapping[str, Any]]:
    assert request.events is not None
    return [json.loads(line) for line in request.events.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_the_evening_goes_as_written(path: Path) -> None:
    expected = path.read_text(encoding="utf-8")
    assert renewed(expected) == expected, "renew with: python -m tests.host.odyssey.transcript"


@pytest.mark.parametrize("cards", ["scenes", "box"])
@pytest.mark.parametrize(("mode", "count"), WAYS)
def test_a_talking_table_gets_the_scores_of_its_script(
    mode: str, count: int, cards: str, odyssey: Program, tmp_path: Path
) -> None:
    told = talk(count * 31, count, table=7, mode=mode, cards=cards)
    request = _request(tmp_path, told.lines, count, mode=mode, cards=Path(cards))
    assert play(request, odyssey) == 0
    *events, final = _events(request)
    assert final == {"type": "final", "scores": told.scores, "winners": told.winners}
    refused = [event["text"] for event in events if event.get("prompt", "").startswith("refuse_")]
    assert refused == []
    assert told.turns > 0


def test_votes_said_with_code_words_count_and_are_told_to_nobody(odyssey: Program, tmp_path: Path) -> None:
    opening = ["Amy: I have an idea", "Amy: far away", "?: everybody is ready"]
    chosen: dict[str, Any] = {"cards": Path("box"), "settings": ("ballot=secret",)}
    play(_request(tmp_path / "first", opening, **chosen), odyssey)
    told = [event for event in _events(_request(tmp_path / "first", opening, **chosen)) if event["type"] == "view"]
    codes = {event["viewer"]: event["view"].get("codes") for event in told}
    assert {viewer for viewer, words in codes.items() if words} == {"Ben", "Cleo", "Dan"}
    word = {seat: {code["number"]: code["word"] for code in words} for seat, words in codes.items() if words}
    lines = [
        *opening,
        "Ben: I vote two",
        f"?: {word['Ben'][2]}",
        f"Cleo: {word['Cleo'][3]}",
        f"?: my code word is {word['Dan'][3]}",
    ]
    lines += [f"Ben: {word['Cleo'][1]}", f"?: no, I said {word['Ben'][3]}", "?: show the votes", "?: three"]
    request = _request(tmp_path / "whole", lines, **chosen)
    assert play(request, odyssey) == 0
    *events, final = _events(request)
    assert final["scores"] == {"Amy": 0, "Ben": 2, "Cleo": 2, "Dan": 2}
    said = [event["prompt"] for event in events if event["type"] == "said" and event["to"] == "room"]
    assert [prompt for prompt in said if prompt.startswith("refuse")] == ["refuse_vote_by_code", "refuse_not_your_code"]
    assert said.count("vote_noted") == 4
    assert "vote_heard" not in said


def test_nobody_is_sent_another_hand_or_vote(odyssey: Program, tmp_path: Path) -> None:
    told = talk(5, 4, table=7, rounds=1)
    request = _request(tmp_path, told.lines, rounds=1)
    play(request, odyssey)
    hands: dict[str, set[str]] = {}
    lying: set[str] = set()
    seen = 0
    for event in _events(request):
        if event["type"] != "view":
            continue
        view = event["view"]
        lying |= {card["scene"] for card in view["cards"]}
        if event["viewer"] != "table":
            hands.setdefault(event["viewer"], set()).update(card["scene"] for card in view["hand"])
            sent = {scene for scene in odyssey_scenes(odyssey) if scene in json.dumps(view, ensure_ascii=False)}
            assert sent <= hands[event["viewer"]] | lying
            assert "votes" not in view
            seen += 1
    assert seen > 40
    assert all(len(hand) >= 6 for hand in hands.values())


def odyssey_scenes(program: Program) -> set[str]:
    return {scene.sentence for scene in program.scenes}


def test_a_kill_between_any_two_lines_changes_nothing(play_in_child: Callable[..., int], tmp_path: Path) -> None:
    told = talk(3, 3, table=7, cards="box", winning_points=4)
    lines = told.lines
    lines[2:2] = ["?: say it again", "?: undo", lines[1]]
    chosen: dict[str, Any] = {"cards": Path("box"), "settings": ("winning_points=4",)}
    whole = _request(tmp_path / "whole", lines, 3, **chosen)
    assert play_in_child(whole) == 0
    assert _events(whole)[-1] == {"type": "final", "scores": told.scores, "winners": told.winners}
    for number in range(len(lines)):
        killed = _request(tmp_path / f"killed-{number}", [*lines[:number], "@kill", *lines[number:]], 3, **chosen)
        assert play_in_child(killed) == -signal.SIGKILL
        assert play_in_child(replace(killed, resume="")) == 0
        assert _events(killed) == _events(whole), number


def test_a_kill_at_any_entry_of_the_journal_changes_nothing(play_in_child: Callable[..., int], tmp_path: Path) -> None:
    told = talk(4, 3, table=7, winning_points=2)
    chosen = {"settings": ("winning_points=2",)}
    whole = _request(tmp_path / "whole", told.lines, 3, **chosen)
    assert play_in_child(whole) == 0
    assert _events(whole)[-1] == {"type": "final", "scores": told.scores, "winners": told.winners}
    killed_at_all = 0
    for moment in range(400):
        killed = _request(tmp_path / f"killed-{moment}", told.lines, 3, **chosen)
        if play_in_child(killed, lambda moment=moment: die_at(moment)) == 0:
            break
        killed_at_all += 1
        assert play_in_child(replace(killed, resume="")) == 0
        assert _events(killed) == _events(whole), moment
    assert killed_at_all > 40


def test_an_undo_takes_the_last_vote_back(odyssey: Program, tmp_path: Path) -> None:
    lines = ["Amy: I have an idea", "Amy: far away", "?: everybody is ready", "Ben: two", "?: undo", "Ben: three"]
    lines += ["Cleo: three", "Dan: three", "?: show the votes", "?: two", "?: Dan"]
    request = _request(tmp_path, lines, cards=Path("box"))
    assert play(request, odyssey) == 0
    assert _events(request)[-1]["scores"] == {"Amy": 0, "Ben": 2, "Cleo": 2, "Dan": 2 + 2}


def test_a_lobby_counts_by_the_mode_and_asks_for_no_oldest(odyssey: Program, tmp_path: Path) -> None:
    lines = ["?: we are seven", "?: six", *(f"?: {name}" for name in NAMES[:6]), "?: start", "Cleo: I have an idea"]
    request = _request(tmp_path, lines, players=None, mode="teams")
    assert play(request, odyssey) == 0
    events = _events(request)
    prompts = [event["prompt"] for event in events if event["type"] == "said"]
    assert prompts.count("refuse_odd_players") == 1
    assert "ask_oldest" not in prompts
    assert prompts[-1] == "ask_words"
    table = [event["view"] for event in events if event["type"] == "view" and event["viewer"] == "table"][-1]
    assert table["teams"] == [["Amy", "Dan"], ["Ben", "Eve"], ["Cleo", "Fay"]]


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({"players": "Amy,Ben"}, "classic mode is for 3 to 12 players; 2 were named"),
        ({"mode": "party"}, "party mode is for 6 to 12 players; 4 were named"),
        ({"mode": "teams"}, "teams mode is for 6, 8, 10 or 12 players; 4 were named"),
        ({"mode": "solo"}, "no mode solo"),
        ({"cards": Path("words.txt")}, "--cards box"),
        ({"roles": ("Ben=fairy",)}, "leave --roles away"),
        ({"dreamer_mic": "page"}, "leave --dreamer-mic away"),
        ({"rounds": 0}, "1 to 20 times"),
        ({"settings": ("clue_seconds=3",)}, "no setting 'clue_seconds=3'"),
        ({"settings": ("party_scores=nobody",)}, "party_scores takes: owner, voters"),
        ({"game": "when-i-dream", "mode": "party"}, "leave --mode away"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_sentence(
    chosen: dict[str, Any], sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=re.escape(sentence)) as refused:
        play(_request(tmp_path, ["?: score"], **chosen))
    assert "\n" not in str(refused.value)


def test_an_evening_is_resumed_as_the_game_it_is(odyssey: Program, tmp_path: Path) -> None:
    request = _request(tmp_path, ["?: score"])
    play(request, odyssey)
    with pytest.raises(UsageError, match="go on with: voice-host play dixit-odyssey --resume"):
        play(replace(request, game="when-i-dream", resume=""))


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({}, "play Dixit Odyssey with your own box (--cards box)"),
        ({"cards": Path("scenes")}, "type it with --script FILE"),
        ({"cards": Path("box"), "mic": "none", "speaker": "none"}, "not drawn in the terminal yet"),
        ({"cards": Path("box"), "lan": True}, "no pages yet: leave --lan away"),
        ({"cards": Path("box"), "settings": ("ballot=secret",)}, "--private-speaker for each player"),
    ],
)
def test_what_there_are_no_pages_for_is_told(chosen: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=re.escape(sentence)):
        play(_request(tmp_path, [], **({"script": None} | chosen)))


def test_typed_scenes_are_not_gone_on_with_by_voice(odyssey: Program, tmp_path: Path) -> None:
    request = _request(tmp_path, ["?: score"])
    play(request, odyssey)
    with pytest.raises(UsageError, match="nobody could see a hand"):
        play(replace(request, script=None, resume="", mic="evening.wav", speaker="none"))
