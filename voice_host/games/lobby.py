"""The lobby: who plays, in which order they sit, and who is the oldest; a game of the same four functions.

Theory of operation
-------------------
    Counting --player_count--> Naming --the last name--> AskingOldest --oldest--> Starting --start, ready, yes--> Finished

Where nobody is asked for the oldest, `Naming` leads to `Starting`. ``no`` goes one step back, "no, Ben" replaces the last name, ``start_over`` goes back to `Counting`. A question is asked again
after a long silence, twice at most; the time begins when the question has been heard to its end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from random import Random
from typing import Any, Final

from voice_host.games.game import (
    NO_NAMES,
    Event,
    Intent,
    Listening,
    Paused,
    Played,
    Refuse,
    Resumed,
    Say,
    Seat,
    Slot,
    SlotValue,
    StartTimer,
    Step,
    StopTimer,
    TimerFinished,
)

PHASES: Final = ("counting", "naming", "asking_oldest", "starting", "finished", "called_off")
"""The names in ``view(...)["phase"]``; for each there is a help prompt ``help_<phase>``."""

PROMPTS: Final[Mapping[str, tuple[str, ...]]] = {
    "welcome": (),
    "ask_count": ("fewest", "most"),
    "ask_count_again": ("fewest", "most"),
    "count_heard": ("number",),
    "ask_name": ("position",),
    "ask_name_again": ("position",),
    "name_heard": ("player",),
    "names_heard": ("players",),
    "name_dropped": ("player",),
    "ask_oldest": (),
    "ask_oldest_again": (),
    "oldest_heard": ("player",),
    "ask_start": ("players",),
    "ask_start_again": ("players",),
    "lobby_over": (),
    "stopped": (),
    "turns_told": ("player",),
    "turns_told_all": (),
    "turns_not_told": ("player",),
    "turns_not_told_all": (),
    "refuse_too_few_players": ("number", "fewest"),
    "refuse_too_many_players": ("number", "most"),
    "refuse_odd_players": ("number",),
    "refuse_name_twice": ("player",),
    "refuse_names_missing": ("count",),
    "refuse_more_names_than_players": ("number",),
    "refuse_nothing_to_correct": (),
    "refuse_no_such_player": ("player",),
    "refuse_no_score_yet": (),
    "refuse_no_turn_yet": (),
    "refuse_not_now": (),
}
"""Prompt name to the slots it always has; players is a list, position, number, count, fewest and most are numbers."""

NO_INPUT: Final = "no_input"
"""The only timer: a silence that is worth one more question."""

_MOST_REPROMPTS: Final = 2
_NEAR: Final = 0.8


@dataclass(frozen=True, slots=True)
class Options:
    """How many may play, and which names are certain to be spelled right."""

    min_players: int = 4
    max_players: int = 10
    known_names: tuple[str, ...] = ()
    no_input_seconds: float = 20.0
    only_even: bool = False
    """True: the game is for an even number of players."""
    asks_oldest: bool = True
    """True: the oldest begins; False: the game itself finds out who does."""


@dataclass(frozen=True, slots=True)
class Named:
    """A player's name as it was understood."""

    text: str
    certain: bool
    """False: no name is spelled like it, so the host had better play the player's own voice."""
    utterance_number: int | None
    """Where that voice is found; None when the name was typed on a page."""


# ----------------------------------------------------------------------------------------------------------------- phases


@dataclass(frozen=True, slots=True)
class Counting:
    """The table is asked how many it is."""


@dataclass(frozen=True, slots=True)
class Naming:
    """Each says a name, clockwise."""

    count: int


@dataclass(frozen=True, slots=True)
class AskingOldest:
    """The table is asked who dreams first."""


@dataclass(frozen=True, slots=True)
class Starting:
    """All is known; somebody says that it may begin. The names are in order already, the oldest first."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The lobby is over; without players the evening was called off."""

    players: tuple[Seat, ...]


Phase = Counting | Naming | AskingOldest | Starting | Finished


@dataclass(frozen=True, slots=True)
class State:
    """All that is known of the table so far."""

    options: Options
    phase: Phase = field(default_factory=Counting)
    names: tuple[Named, ...] = ()
    """Clockwise in the order in which they were said; from `Starting` on the oldest first."""
    told: frozenset[str] = frozenset()
    """Names, in small letters, of who asked to be told each turn."""
    all_told: bool = False
    """True: somebody asked, and whose voice it was cannot be told, so everybody will be."""
    reprompts: int = 0
    """How often the present question was asked again."""


def start(options: Options, _rng: Random) -> Step:
    """Welcome the table; nothing in a lobby is left to chance."""
    state = State(options)
    return Step(state, (Say("welcome"), _question(state)))


def players(state: State) -> tuple[Seat, ...] | None:
    """Return the players in the order of their seats, the oldest first; None while the lobby is open."""
    return state.phase.players if isinstance(state.phase, Finished) else None


def step(state: State, event: Event) -> Step:
    """Apply one fact; a forbidden intent returns the identical state and a `Refuse`."""
    if isinstance(state.phase, Finished):
        return Step(state, (Refuse("not_now"),) if isinstance(event, Intent) else ())
    match event:
        case Intent():
            return _meant(state, event)
        case TimerFinished(name) if name == NO_INPUT and state.reprompts < _MOST_REPROMPTS:
            return Step(replace(state, reprompts=state.reprompts + 1), (_question(state, again=True),))
        case Played(prompt) if prompt.removesuffix("_again") == _question(state).prompt:
            waits = state.reprompts < _MOST_REPROMPTS
            return Step(state, (StartTimer(NO_INPUT, state.options.no_input_seconds, waits_for_speech=True),) * waits)
        case TimerFinished() | Played() | Paused() | Resumed():
            return Step(state)


def listening(state: State) -> Listening:
    """Tell what may be said now."""
    names = tuple(named.text for named in state.names)
    player = {"player": Slot(names)}
    always: dict[str, Mapping[str, Slot]] = {"stop_game": {}, "score": {}, "whose_turn": {}}
    always |= {"tell_turns": player, "stop_telling_turns": player}
    name = {"name": Slot(state.options.known_names, open=True)}
    several = {"names": Slot(state.options.known_names, open=True)}
    number = {"number": Slot(tuple(map(str, range(state.options.min_players, state.options.max_players + 1))))}
    back: dict[str, Mapping[str, Slot]] = {"yes": {}, "no": {}, "start_over": {}}
    match state.phase:
        case Counting():
            return Listening(always | {"player_count": number})
        case Naming():
            counting: dict[str, Mapping[str, Slot]] = {} if names else {"player_count": number}
            renaming: dict[str, Mapping[str, Slot]] = {"correct_name": name} if names else {}
            return Listening(
                always | back | counting | renaming | {"player_name": name, "player_names": several, "start": {}},
                {None: "player_name"},
            )
        case AskingOldest():
            return Listening(
                always | back | {"oldest": {"player": Slot(names)}, "correct_name": name}, {None: "oldest"}
            )
        case Starting():
            oldest: dict[str, Mapping[str, Slot]] = {"oldest": player} if state.options.asks_oldest else {}
            return Listening(always | back | oldest | {"start": {}, "ready": {}})
        case Finished():
            return Listening({})


def view(state: State, _viewer: Seat) -> Mapping[str, Any]:
    """Tell what a screen may show; a lobby has no secrets."""
    return {
        "phase": _phase_name(state.phase),
        "count": state.phase.count if isinstance(state.phase, Naming) else len(state.names) or None,
        "players": [named.text for named in state.names],
        "uncertain": [named.text for named in state.names if not named.certain],
        "told": [named.text for named in state.names if state.all_told or named.text.casefold() in state.told],
    }


# ------------------------------------------------------------------------------------------------------------ transitions


def _meant(state: State, intent: Intent) -> Step:
    phase_name = _phase_name(state.phase)
    handler = _HANDLERS.get((phase_name, intent.name)) or _HANDLERS.get(("any", intent.name))
    if handler is None:
        return Step(state, (Refuse("not_now"),))
    return handler(state, intent)


def _goes_to(state: State, *said: Say) -> Step:
    """Enter a state with its question; the silence is counted anew."""
    return Step(replace(state, reprompts=0), (StopTimer(NO_INPUT), *said, _question(state)))


def _counted(state: State, intent: Intent) -> Step:
    number = int(intent.slots.get("number", "0"))
    options = state.options
    if number < options.min_players:
        return _refused(state, "too_few_players", {"number": number, "fewest": options.min_players})
    if number > options.max_players:
        return _refused(state, "too_many_players", {"number": number, "most": options.max_players})
    if options.only_even and number % 2:
        return _refused(state, "odd_players", {"number": number})
    return _goes_to(replace(state, phase=Naming(number), names=()), Say("count_heard", {"number": number}))


def _named(state: State, intent: Intent) -> Step:
    named = _name(intent, state)
    if _is_taken(named.text, state):
        return _refused(state, "name_twice", {"player": named.text})
    names = (*state.names, named)
    full = isinstance(state.phase, Naming) and len(names) >= state.phase.count
    phase = _after_names(state) if full else state.phase
    return _goes_to(replace(state, names=names, phase=phase), Say("name_heard", {"player": named.text}))


def _several_named(state: State, intent: Intent) -> Step:
    """Take a list of names; whose voice is whose in it cannot be told."""
    said = tuple(filter(None, (name.strip() for name in intent.slots.get("names", "").split(","))))
    names = state.names
    for text in said:
        one = Intent("player_name", {"name": text}, utterance=intent.utterance)
        named = replace(_name(one, replace(state, names=names)), utterance_number=None)
        if any(_same(named.text, other.text) for other in names):
            return _refused(state, "name_twice", {"player": named.text})
        names = (*names, named)
    count = state.phase.count if isinstance(state.phase, Naming) else 0
    if not said or len(names) > count:
        return _refused(state, "more_names_than_players", {"number": count})
    phase = _after_names(state) if len(names) == count else state.phase
    players_heard = tuple(named.text for named in names[len(state.names) :])
    return _goes_to(replace(state, names=names, phase=phase), Say("names_heard", {"players": players_heard}))


def _renamed(state: State, intent: Intent) -> Step:
    if not state.names:
        return _refused(state, "nothing_to_correct", {})
    before = replace(state, names=state.names[:-1])
    named = _name(intent, before)
    if _is_taken(named.text, before):
        return _refused(state, "name_twice", {"player": named.text})
    return _goes_to(replace(state, names=(*before.names, named)), Say("name_heard", {"player": named.text}))


def _dropped(state: State, _intent: Intent) -> Step:
    if not state.names:
        return _goes_to(replace(state, phase=Counting()))
    count = state.phase.count if isinstance(state.phase, Naming) else len(state.names)
    return _goes_to(
        replace(state, names=state.names[:-1], phase=Naming(count)),
        Say("name_dropped", {"player": state.names[-1].text}),
    )


def _all_named(state: State, _intent: Intent) -> Step:
    missing = state.options.min_players - len(state.names)
    if missing > 0:
        return _refused(state, "names_missing", {"count": missing})
    if state.options.only_even and len(state.names) % 2:
        return _refused(state, "odd_players", {"number": len(state.names)})
    return _goes_to(replace(state, phase=_after_names(state)))


def _after_names(state: State) -> Phase:
    return AskingOldest() if state.options.asks_oldest else Starting()


def _oldest(state: State, intent: Intent) -> Step:
    oldest = intent.slots.get("player", "")
    if not state.options.asks_oldest:
        return _refused(state, "not_now", {})
    places = [place for place, named in enumerate(state.names) if _same(named.text, oldest)]
    if not places:
        return _refused(state, "no_such_player", {"player": oldest})
    turned = (*state.names[places[0] :], *state.names[: places[0]])
    said = Say("oldest_heard", {"player": turned[0].text})
    return _goes_to(replace(state, names=turned, phase=Starting()), said)


def _begun(state: State, _intent: Intent) -> Step:
    order = tuple(named.text for named in state.names)
    return Step(replace(state, phase=Finished(order)), (StopTimer(NO_INPUT), Say("lobby_over")))


def _called_off(state: State, _intent: Intent) -> Step:
    return Step(replace(state, phase=Finished(())), (StopTimer(NO_INPUT), Say("stopped")))


def _begun_anew(state: State, _intent: Intent) -> Step:
    return _goes_to(State(state.options))


def _asks_oldest_again(state: State, intent: Intent) -> Step:
    if not state.options.asks_oldest:
        return _dropped(state, intent)
    return _goes_to(replace(state, phase=AskingOldest()))


def _unchanged(state: State, _intent: Intent) -> Step:
    return Step(state)


def _no_score(state: State, _intent: Intent) -> Step:
    return _refused(state, "no_score_yet", {})


def _no_turn(state: State, _intent: Intent) -> Step:
    return _refused(state, "no_turn_yet", {})


def _tells_turns(state: State, intent: Intent) -> Step:
    """Remember who wants to be told each turn; the game begins with it."""
    tells = intent.name == "tell_turns"
    name = intent.slots.get("player")
    prompt = "turns_told" if tells else "turns_not_told"
    if name is None:
        return Step(replace(state, told=frozenset(), all_told=tells), (Say(f"{prompt}_all"),))
    if not any(_same(name, named.text) for named in state.names):
        return _refused(state, "no_such_player", {"player": name})
    everybody = frozenset(named.text.casefold() for named in state.names) if state.all_told else state.told
    told = everybody | {name.casefold()} if tells else everybody - {name.casefold()}
    return Step(replace(state, told=told, all_told=state.all_told and tells), (Say(prompt, {"player": name}),))


_HANDLERS: Final[Mapping[tuple[str, str], Callable[[State, Intent], Step]]] = {
    ("counting", "player_count"): _counted,
    ("naming", "player_count"): _counted,
    ("naming", "player_name"): _named,
    ("naming", "player_names"): _several_named,
    ("naming", "correct_name"): _renamed,
    ("naming", "no"): _dropped,
    ("naming", "yes"): _unchanged,
    ("naming", "start"): _all_named,
    ("asking_oldest", "oldest"): _oldest,
    ("asking_oldest", "correct_name"): _renamed,
    ("asking_oldest", "no"): _dropped,
    ("asking_oldest", "yes"): _unchanged,
    ("starting", "oldest"): _oldest,
    ("starting", "no"): _asks_oldest_again,
    ("starting", "yes"): _begun,
    ("starting", "start"): _begun,
    ("starting", "ready"): _begun,
    ("any", "start_over"): _begun_anew,
    ("any", "stop_game"): _called_off,
    ("any", "tell_turns"): _tells_turns,
    ("any", "stop_telling_turns"): _tells_turns,
    ("any", "score"): _no_score,
    ("any", "whose_turn"): _no_turn,
}
"""The transitions as data: phase (or any) and intent to what follows."""


def _refused(state: State, reason: str, slots: Mapping[str, SlotValue]) -> Step:
    return Step(state, (Refuse(reason, slots),))


def _question(state: State, *, again: bool = False) -> Say:
    suffix = "_again" if again else ""
    match state.phase:
        case Counting():
            limits = {"fewest": state.options.min_players, "most": state.options.max_players}
            return Say(f"ask_count{suffix}", limits)
        case Naming():
            return Say(f"ask_name{suffix}", {"position": len(state.names) + 1})
        case AskingOldest():
            return Say(f"ask_oldest{suffix}")
        case Starting() | Finished():
            return Say(f"ask_start{suffix}", {"players": tuple(named.text for named in state.names)})


def _phase_name(phase: Phase) -> str:
    match phase:
        case Counting():
            return "counting"
        case Naming():
            return "naming"
        case AskingOldest():
            return "asking_oldest"
        case Starting():
            return "starting"
        case Finished(order):
            return "finished" if order else "called_off"


# ------------------------------------------------------------------------------------------------------------------ names


def _name(intent: Intent, state: State) -> Named:
    """Choose the reading that is a name and not yet taken, else what was heard best."""
    readings = intent.readings or (intent.slots.get("name", ""),)
    known = {name.casefold(): name for name in state.options.known_names}
    taken = {named.text.casefold() for named in state.names}
    exact = [known[r.casefold()] for r in readings if r.casefold() in known and r.casefold() not in taken]
    utterance_number = None if intent.utterance is None else intent.utterance.number
    if exact:
        return Named(exact[0], certain=True, utterance_number=utterance_number)
    text = " ".join(word[:1].upper() + word[1:] for word in readings[0].replace(",", " ").split())
    near = get_close_matches(text.casefold(), known, n=1, cutoff=_NEAR)
    return Named(text, certain=bool(near) or utterance_number is None, utterance_number=utterance_number)


def _is_taken(name: str, state: State) -> bool:
    return name.casefold() in NO_NAMES or any(_same(name, other.text) for other in state.names)


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()
