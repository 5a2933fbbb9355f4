"""What may be said in each phase, as the games tell it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from voice_host.dialogue.interpreter import Meaning
from voice_host.games.game import Listening, Slot

PLAYERS: Final = ("Amy", "Ben", "Cleo", "Dan")
_WORD: Final = {"word": Slot(("dragon", "castle"), open=True)}
_PLAYER: Final = Slot(PLAYERS)
_GIVERS: Final[Mapping[str | None, str]] = dict.fromkeys(("Ben", "Cleo", "Dan"), "clue")
_HOST: Final[Mapping[str, Mapping[str, Slot]]] = {
    name: {}
    for name in (
        *("pause", "resume", "undo", "repeat", "time_left", "help", "score", "whose_turn", "stop_game"),
        *("speak_slower", "speak_faster", "speak_louder", "speak_softer", "change_voice"),
    )
} | {name: {"player": Slot(PLAYERS)} for name in ("tell_turns", "stop_telling_turns")}
_FOUL: Final = {"player": _PLAYER, "kind": Slot(("contains", "derived", "sounds_like", "translates", "far_fetched"))}

LISTENING: Final = {
    "counting": Listening({**_HOST, "player_count": {"number": Slot(("4", "5"))}}),
    "naming": Listening(
        {**_HOST, "player_name": {"name": Slot((), open=True)}, "correct_name": {"name": Slot((), open=True)}}
        | {"player_names": {"names": Slot(("Amy", "Ben", "Cleo", "Dan"), open=True)}}
        | {"yes": {}, "no": {}, "start": {}, "start_over": {}},
        {None: "player_name"},
    ),
    "asking_oldest": Listening({**_HOST, "oldest": {"player": _PLAYER}, "no": {}, "start_over": {}}, {None: "oldest"}),
    "starting": Listening({**_HOST, "start": {}, "start_over": {}, "ready": {}, "yes": {}, "no": {}}),
    "between": Listening(
        {**_HOST, "ready": {}, "join": {"player": Slot(("Eve",), open=True)}, "leave": {"player": _PLAYER}}
    ),
    "night": Listening(
        {**_HOST, "clue": _WORD, "guess": _WORD, "correct_guess": _WORD, "give_up": {}, "pass": {}, "foul": _FOUL}
        | {"withdraw": {}, "leave": {"player": _PLAYER}},
        {"Amy": "guess", None: "clue", **_GIVERS},
    ),
    "over_prompt": Listening(
        {**_HOST, "clue": _WORD, "barge_in_stop": {}, "barge_in_pause": {}, "barge_in_time": {}}, {None: "clue"}
    ),
    "story": Listening({**_HOST, "story": {"text": Slot(open=True)}, "wake_up": {}}, any_speech="story"),
    "review": Listening(
        {**_HOST, "appeal": {"card": Slot(("1", "2", "3"))}, "agree": {}, "disagree": {}, "no_objections": {}}
    ),
    "reveal": Listening({**_HOST, "claim_role": {"player": _PLAYER, "role": Slot(("fairy", "boogeyman", "sandman"))}}),
}
"""Phase to what may be said in it."""

Ask = Callable[..., Meaning]
"""Phase, speaker (None: unknown) and hypotheses to what was meant."""
