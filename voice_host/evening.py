"""An evening as the fold of its journal: what happened goes in, what is to be heard and seen comes out.

Theory of operation
-------------------
`Evening.apply` takes one journal entry with its second and returns the *outcomes*: lines for the events file, some of which
(``said``, ``earcon``) are also to be heard in the room. It does no I/O and asks no clock, so resuming an evening is applying
its journal again, and undoing is folding the game's facts again without the last intent that changed anything.

What every game shares is answered here: pause, resume, undo, repeat, the time left, help. All else is the game's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol, assert_never

from voice_host.faults import BACK, FAULTS, FaultNews
from voice_host.games.game import (
    ASKED,
    ROOM,
    TABLE,
    Earcon,
    Effect,
    Event,
    Flag,
    Game,
    Intent,
    Listening,
    Paused,
    Played,
    Refuse,
    Resumed,
    Say,
    SlotValue,
    StartTimer,
    StopTimer,
    TimerFinished,
)
from voice_host.games.history import History, advanced, opened, undone
from voice_host.journal import Began, Entry, Heard, LineBegan, Tapped
from voice_host.timers import Timers

REPROMPT_SECONDS: Final = 60.0
"""The host asks again at most once in this time; a host that nags is worse than one that missed a word."""

VOICE_CHANGES: Final[Mapping[str, tuple[str, str, str]]] = {
    "speak_slower": ("rate", "voice_slower", "voice_slowest"),
    "speak_faster": ("rate", "voice_faster", "voice_fastest"),
    "speak_louder": ("volume", "voice_louder", "voice_loudest"),
    "speak_softer": ("volume", "voice_softer", "voice_softest"),
    "change_voice": ("voice", "voice_changed", "voice_only_one"),
}
"""Intent to the setting of the host's voice that it changes, to what is said then, and to what is said at the end of the range."""

AT_LIMIT: Final = "limit"
"""The value of the slot ``value`` of such an intent when the setting goes no further."""

HOST_INTENTS: Final = ("pause", "resume", "undo", "repeat", "time_left", "help", *VOICE_CHANGES)
BARGE_INS: Final = ("barge_in_stop", "barge_in_pause", "barge_in_time")
"""What may be said while the host speaks, so short that it would be a clue at another time."""
CUTTING: Final = frozenset({*BARGE_INS, "pause", "time_left"})
"""What is not to wait until the host has spoken."""
ALLOWED_IN_PAUSE: Final = frozenset({*HOST_INTENTS, *BARGE_INS, "score", "whose_turn", "stop_game"})

HOST_PROMPTS: Final[Mapping[str, tuple[str, ...]]] = {
    "pause_said": (),
    "resume_said": (),
    "not_paused": (),
    "refuse_paused": (),
    "undone": (),
    "nothing_to_undo": (),
    "repeat_nothing": (),
    "time_left": ("seconds",),
    "no_time": (),
    "reprompt_1": (),
    "reprompt_2": (),
    "recording_begins": (),
    **dict.fromkeys((*FAULTS, *BACK.values()), ()),
    **{prompt: () for _, *prompts in VOICE_CHANGES.values() for prompt in prompts},
}
"""What the host says in every game (beside ``help_<phase>``), with the slots; languages write their messages for it."""

Line = Mapping[str, Any]


class PromptBook(Protocol):
    """The words of one language."""

    def text(self, prompt: str, slots: Mapping[str, SlotValue], variant: int = 0) -> str:
        """Return what the host says; variants differ in wording only."""


@dataclass(frozen=True, slots=True)
class Adjust:
    """Please let the host sound like this from now on."""

    setting: str
    """``rate`` (words a minute), ``volume`` (percent) or ``voice``."""
    value: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """One line of the events file, and the request it came from where the room shall hear something."""

    line: Line
    effect: Say | Earcon | Adjust | None = None


@dataclass(slots=True)
class _Stage:
    """The lobby or the game that is being played, with the facts it was folded from."""

    name: str
    game: Game
    began_at: float
    history: History
    timers: Timers
    times: list[float]
    """The second of each fact of the history, by its place."""


class Evening:
    """The state of one evening; ``build`` turns a `Began` into the game's module and its options."""

    def __init__(self, build: Callable[[Began], tuple[Game, Any]], prompts: PromptBook) -> None:
        self._build = build
        self._prompts = prompts
        self._stage: _Stage | None = None
        self._shown: dict[str, Any] = {}
        self._last_said: Say | None = None
        self._said_count = 0
        self._reprompted_at: float | None = None
        self._reprompts = 0
        self.now = 0.0
        self.utterances = 0
        self.paused: str | None = None
        """Why the evening stands still: `ASKED`, or one of `FAULTS`."""
        self._fault_news = FaultNews()
        self.unplayed: list[Outcome] = []
        """What was said to the room, and nobody has reported yet that it was heard to its end."""
        self.acts = 0
        self.kills = 0
        self.line_began_at: float | None = None
        """When the script's last line began, as long as nothing has been heard of it."""

    # ------------------------------------------------------------------------------------------------------ questions

    @property
    def timers(self) -> Timers:
        """The running timers of the game."""
        return self._current.timers

    @property
    def game(self) -> str:
        """The name of the game, or of the lobby, that is on."""
        return self._current.name

    @property
    def state(self) -> Any:
        """The state of the game that is on, for its own module's eyes."""
        return self._current.history.state

    @property
    def over(self) -> bool:
        """True when nothing can happen any more; a finished lobby has become a game before anybody asks."""
        return self.view()["phase"] in {"finished", "called_off"}

    def view(self, viewer: str = TABLE) -> Mapping[str, Any]:
        """Return what one viewer may see."""
        return self._current.game.view(self._current.history.state, viewer)

    def listening(self) -> Listening:
        """Return what may be said now, to the game and to the host."""
        of_game = self._current.game.listening(self._current.history.state)
        # "Go on" resumes a pause; without one it may mean something else.
        of_host = HOST_INTENTS if self.paused else tuple(name for name in HOST_INTENTS if name != "resume")
        # In a fault there is nothing to cut short but the host's own news, which it may hear itself say.
        over_prompt = BARGE_INS if self.unplayed and self.paused in {None, ASKED} else ()
        intents = {**of_game.intents, **{name: {} for name in (*of_host, *over_prompt)}}
        return replace(of_game, intents=intents, any_speech=None if self.paused else of_game.any_speech)

    def first_earcon(self, intents: tuple[Intent, ...]) -> str | None:
        """Return the earcon with which the game would answer first, if nothing happened meanwhile; None where it would not, and for the host's own intents."""
        if self.paused or len(intents) != 1 or intents[0].name in {*HOST_INTENTS, *BARGE_INS}:
            return None
        for effect in self._current.game.step(self.state, intents[0]).effects:
            if isinstance(effect, Earcon):
                return effect.name
            if isinstance(effect, Say | Refuse):
                return None
        return None

    def announcement(self, prompt: str) -> Outcome:
        """Return what is said beside the evening: it is no part of it, and is said anew after a resumption."""
        text = self._prompts.text(prompt, {})
        return Outcome(self._line("said", text=text, prompt=prompt, to=ROOM).line, Say(prompt))

    # ------------------------------------------------------------------------------------------------------------ fold

    def apply(self, t: float, entry: Entry) -> tuple[Outcome, ...]:
        """Apply one fact that happened at second ``t``; returns what is to be written, shown and heard."""
        self.now = t
        outcomes: list[Outcome] = []
        match entry:
            case Began():
                self._begin(entry, outcomes)
            case Heard():
                self._hear(entry, outcomes)
            case Tapped():
                self._take_tap(entry.intent, outcomes)
            case LineBegan():
                self.line_began_at = t if entry.acts > self.acts else self.line_began_at
                self.acts, self.kills = entry.acts, entry.kills
            case TimerFinished():
                if self.timers.stop(entry.name):
                    outcomes.append(self._line("timer", name=entry.name, event="finished"))
                self._step(entry, outcomes)
            case Played():
                self._take_played(entry)
                self._step(entry, outcomes)
            case Paused():
                self._pause(entry, outcomes)
            case Resumed():
                self._resume(entry, outcomes)
            case _:
                assert_never(entry)
        self._show(outcomes)
        return tuple(outcomes)

    @property
    def _current(self) -> _Stage:
        if self._stage is None:
            raise RuntimeError("the evening has not begun")
        return self._stage

    def _begin(self, began: Began, outcomes: list[Outcome]) -> None:
        game, options = self._build(began)
        history = opened(game, options, began.seed)
        self._stage = _Stage(began.game, game, self.now, history, Timers(), [])
        self._perform(history.first_effects, outcomes)

    def _hear(self, heard: Heard, outcomes: list[Outcome]) -> None:
        self.utterances = max(self.utterances, heard.utterance.number)
        self.line_began_at = None
        outcomes.append(
            self._line(
                "heard",
                utterance=heard.utterance.number,
                text=heard.utterance.hypotheses[0],
                hypotheses=list(heard.utterance.hypotheses),
                speaker=heard.speaker,
                intents=[{"name": intent.name, "slots": dict(intent.slots)} for intent in heard.intents],
                unclear=heard.unclear,
            )
        )
        for intent in heard.intents:
            self._mean(intent, outcomes)
        if heard.unclear is not None and not heard.intents and not self.paused:
            self._reprompt(heard.unclear, outcomes)

    def _take_tap(self, intent: Intent, outcomes: list[Outcome]) -> None:
        is_secret = intent.name in self._current.game.listening(self.state).secret
        meant = {"name": intent.name, "slots": {} if is_secret else dict(intent.slots)}
        outcomes.append(self._line("tapped", speaker=intent.speaker, intent=meant))
        prompt = self.listening().read_aloud.get(intent.name)
        if prompt is not None and not self.paused:
            self._perform((Say(prompt, dict(intent.slots)),), outcomes)
        self._mean(intent, outcomes)

    def _take_played(self, played: Played) -> None:
        heard = next((said for said in self.unplayed if said.line["prompt"] == played.prompt), None)
        if heard is not None:
            self.unplayed.remove(heard)

    def _mean(self, intent: Intent, outcomes: list[Outcome]) -> None:
        if self.paused and intent.name not in ALLOWED_IN_PAUSE:
            self._perform((Refuse("paused"),), outcomes)
            return
        match "" if self._is_the_games(intent) else intent.name:
            case "barge_in_stop":
                pass  # to be silent is all that was asked
            case "pause" | "barge_in_pause":
                self._pause(Paused(ASKED), outcomes)
            case "resume":
                self._resume(Resumed(), outcomes, asked=True)
            case "undo":
                self._undo(outcomes)
            case "repeat":
                again = self._last_said or Say("repeat_nothing")
                self._perform((again,), outcomes)
            case "time_left" | "barge_in_time":
                self._perform((self._time_left(),), outcomes)
            case "help":
                self._perform((Say(f"help_{self.view()['phase']}"),), outcomes)
            case name if name in VOICE_CHANGES:
                self._change_voice(intent, outcomes)
            case _:
                self._step(intent, outcomes)

    def _is_the_games(self, intent: Intent) -> bool:
        """Tell whether the game has taken one of the host's intents for itself, as "say it again" for the storyteller's words."""
        return not self.paused and intent.name in self._current.game.listening(self.state).intents

    def _step(self, event: Event, outcomes: list[Outcome]) -> None:
        stage = self._current
        stage.times.append(self.now)
        stage.history = advanced(stage.game, stage.history, event)
        self._perform(stage.history.applied[-1].effects, outcomes)

    # ----------------------------------------------------------------------------------------------- the host's answers

    def _pause(self, paused: Paused, outcomes: list[Outcome]) -> None:
        """Let everything stand still, or have one more reason for it; a player's pause outlasts all faults."""
        before, asked = self.paused, paused.reason == ASKED
        if before == ASKED and asked:
            self._perform((Refuse("paused"),), outcomes)
            return
        if before is None:
            self.timers.freeze(self.now)
        self.paused = before if before == ASKED else paused.reason
        if before is None or asked:
            self._step(paused, outcomes)
        if asked:
            self._perform((Earcon("pause"), Say("pause_said")), outcomes)
        elif self._fault_news.is_news(paused.reason, self.now):
            self._perform((*([Earcon("pause")] if before is None else []), Say(paused.reason)), outcomes)

    def _resume(self, resumed: Resumed, outcomes: list[Outcome], *, asked: bool = False) -> None:
        if self.paused is None:
            self._perform((Say("not_paused"),), outcomes)
            return
        said = "resume_said" if asked else BACK.get(self.paused, "resume_said")
        told = self._fault_news.end()
        self.paused = None
        self.timers.unfreeze(self.now)
        if asked or told:
            self._perform((Earcon("resume"), Say(said)), outcomes)
        self._step(resumed, outcomes)

    def _undo(self, outcomes: list[Outcome]) -> None:
        stage = self._current
        history = undone(stage.game, stage.history)
        if history is None:
            self._perform((Say("nothing_to_undo"),), outcomes)
            return
        stage.history = history
        stage.times.append(self.now)
        stage.timers = _timers_of(stage)
        if stage.timers.frozen_at is None:
            stage.timers.renew_overdue(self.now)
        self._perform((Say("undone"),), outcomes)
        if "whose_turn" in self.listening().intents:  # the table has to know where it stands now
            asked = stage.game.step(stage.history.state, Intent("whose_turn"))
            self._perform(asked.effects, outcomes)

    def _change_voice(self, intent: Intent, outcomes: list[Outcome]) -> None:
        """Change how the host sounds; how far that goes was told by the room before it was journaled, and without one it does."""
        setting, changed, at_limit = VOICE_CHANGES[intent.name]
        value = intent.slots.get("value")
        if value not in {None, AT_LIMIT}:
            line = self._line("flag", reason="voice", slots={setting: value}).line
            outcomes.append(Outcome(line, Adjust(setting, str(value))))
        self._perform((Say(at_limit if value == AT_LIMIT else changed),), outcomes)

    def _time_left(self) -> Say:
        seconds = self.timers.remaining(self.now)
        return Say("no_time") if seconds is None else Say("time_left", {"seconds": round(seconds)})

    def _reprompt(self, unclear: str, outcomes: list[Outcome]) -> None:
        if self._reprompted_at is not None and self.now - self._reprompted_at < REPROMPT_SECONDS:
            return
        self._reprompted_at = self.now
        self._reprompts += 1
        outcomes.append(self._line("flag", reason="unclear", slots={"what": unclear}))
        self._perform((Say("reprompt_1" if self._reprompts == 1 else "reprompt_2"),), outcomes)

    # -------------------------------------------------------------------------------------------------------- outcomes

    def _perform(self, effects: tuple[Effect, ...], outcomes: list[Outcome]) -> None:
        for effect in effects:
            match effect:
                case Say():
                    self._say(effect, outcomes)
                case Refuse(reason, slots, to):
                    self._say(Say(f"refuse_{reason}", slots, to), outcomes)
                case Earcon(name):
                    outcomes.append(Outcome(self._line("earcon", name=name).line, effect))
                case StartTimer(name, seconds):
                    self.timers.start(self.now, effect)
                    outcomes.append(self._line("timer", name=name, event="started", seconds=seconds))
                case StopTimer(name):
                    if self.timers.stop(name):
                        outcomes.append(self._line("timer", name=name, event="stopped"))
                case Flag(reason, slots):
                    outcomes.append(self._line("flag", reason=reason, slots=_plain(slots)))
                case _:
                    assert_never(effect)

    def _say(self, say: Say, outcomes: list[Outcome]) -> None:
        text = self._prompts.text(say.prompt, say.slots, self._said_count)
        self._said_count += 1
        outcome = Outcome(self._line("said", text=text, prompt=say.prompt, to=say.to).line, say)
        if say.to == ROOM:
            self._last_said = say
            self.unplayed.append(outcome)
        outcomes.append(outcome)

    def _show(self, outcomes: list[Outcome]) -> None:
        """Add what has changed on the screens: phase and scores once, and the view of each viewer."""
        table = {**self.view(), "paused": self.paused}
        for name in ("phase", "scores"):
            if table.get(name) != self._shown.get(name):
                self._shown[name] = table.get(name)
                line = {"phase": table["phase"]} if name == "phase" else {"scores": table.get("scores")}
                outcomes.append(self._line(name.removesuffix("s") if name == "scores" else name, **line))
        for viewer in (TABLE, *table.get("players", ())):
            view = table if viewer == TABLE else {**self.view(viewer), "paused": self.paused}
            key = f"view {viewer}"
            if view != self._shown.get(key):
                self._shown[key] = view
                outcomes.append(self._line("view", viewer=viewer, view=view))

    def _line(self, kind: str, **fields: Any) -> Outcome:
        return Outcome({"t": round(self.now, 3), "type": kind, **fields})


def _timers_of(stage: _Stage) -> Timers:
    """Run the timers of a history again, each started and stopped at the second of its fact."""
    timers = Timers()
    _set(timers, stage.began_at, stage.history.first_effects)
    for taken in stage.history.applied:
        t = stage.times[taken.place]
        match taken.event:
            case TimerFinished(name):
                timers.stop(name)
            case Paused():
                timers.freeze(t)
            case Resumed():
                timers.unfreeze(t)
            case _:
                pass
        _set(timers, t, taken.effects)
    return timers


def _set(timers: Timers, t: float, effects: tuple[Effect, ...]) -> None:
    for effect in effects:
        match effect:
            case StartTimer():
                timers.start(t, effect)
            case StopTimer(name):
                timers.stop(name)
            case _:
                pass


def _plain(slots: Mapping[str, SlotValue]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in slots.items()}
