"""What the terminal shows of an evening: values in, Rich's renderables out; pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from rich import box
from rich.align import Align
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from voice_host.terminal.fitting import Fitted, Part

Texts = Callable[..., str]
"""Name of a text of the pages, and its slots, to the text in the table's language."""

_MARKS: Final = {"right": "✓", "wrong": "✗", "unsure": "?"}
_AT_NIGHT: Final = frozenset({"falling", "night", "last_guess"})
_IN_LOBBY: Final = frozenset({"counting", "naming", "asking_oldest", "starting"})
_MAIN_TIMERS: Final = ("night", "last_guess", "clue", "appeal")


@dataclass(frozen=True, slots=True)
class Shown:
    """Everything that the terminal shows at one moment."""

    view: Mapping[str, Any]
    paused: str | None
    timers: Mapping[str, tuple[float, float]]
    """Timer's name to the seconds it has left and the seconds it was started with."""
    captions: Sequence[Mapping[str, Any]]
    typed: str = ""
    """What is being typed."""
    flag: Mapping[str, Any] | None = None
    links: Sequence[str] = field(default_factory=tuple)


def layout(shown: Shown, text: Texts) -> RenderableType:
    """Return the whole screen, which leaves out the less important parts where a window is low."""
    view = shown.view
    phase = view["phase"]
    parts = [Part(_head(view, text), 80)]
    if shown.paused:
        parts.append(Part(Panel(_pause_reason(shown.paused, text), title=text("paused"), box=box.DOUBLE), 92))
    covered = shown.paused is not None and phase in {*_AT_NIGHT, "story"}
    if shown.flag is not None and not covered:
        parts.append(Part(Panel(_flag(shown.flag, text), title="⚑", box=box.HEAVY), 85))
    if phase in _IN_LOBBY:
        parts.append(Part(Text(text(f"hint_{phase}"), style="bold"), 90))
    if phase in _AT_NIGHT:
        parts += [Part(_word(shown, text), 95), Part(_clock(shown, text), 94)]
    if view.get("winners"):
        parts.append(Part(Align.center(Text(text("winners", players=view["winners"]), style="bold")), 90))
    if view.get("cards"):
        parts.append(Part(_review(view, text), 75))
    if ("yellow" in view or "blue" in view) and not covered:
        parts.append(Part(_zones(view, text), 82 if phase in {*_AT_NIGHT, "story"} else 55))
    roles = view.get("roles") or view.get("claims")
    parts += [
        Part(table, 72)
        for table in (
            *_by_name("roles", roles, lambda role: text(f"role_{role}"), text),
            *_by_name("night_points", view.get("points"), str, text),
        )
    ]
    parts.append(Part(_players(view, text), 70))
    captions = [line for caption in shown.captions if (line := caption_line(caption, text)) is not None]
    links = [Part(Text(link, style="dim", overflow="fold"), 40) for link in shown.links]
    typed = Part(Text(f"> {shown.typed}▏", style="bold"), 100)
    return Fitted(parts, captions, text("captions"), [*links, typed])


def _head(view: Mapping[str, Any], text: Texts) -> RenderableType:
    title = Text(text(f"phase_{view['phase']}"), style="bold")
    if view.get("round"):
        title.append(f"   {text('round', number=view['round'], dreamer=view['dreamer'])}", style="dim")
    return title


def _pause_reason(reason: str, text: Texts) -> str:
    named = text(f"paused_{reason}")
    return text("paused_fault") if named == f"paused_{reason}" else named


def _word(shown: Shown, text: Texts) -> RenderableType:
    word = None if shown.paused else shown.view.get("word")
    if word is None:
        hidden = "night_is_falling" if shown.view["phase"] == "falling" else "word_is_hidden"
        return Panel(Align.center(Text(text(hidden), style="dim")), box=box.ROUNDED)
    turn = shown.view.get("turn")
    lines = [Text(" ".join(word.upper()) if word.isascii() else word, style="bold reverse")]
    lines += [Text(text("turn_of", player=turn))] if turn else []
    return Panel(Align.center(Group(*map(Align.center, lines))), box=box.HEAVY)


def _clock(shown: Shown, text: Texts) -> RenderableType:
    for name in _MAIN_TIMERS:
        if name in shown.timers:
            left, whole = shown.timers[name]
            seconds = max(0, round(left))
            grid = Table.grid(padding=(0, 1))
            bar = ProgressBar(total=max(whole, 0.001), completed=left, width=40)
            grid.add_row(Text(f"{seconds // 60}:{seconds % 60:02d}", style="bold"), bar, Text(text(f"timer_{name}")))
            return grid
    return Text("")


def _zones(view: Mapping[str, Any], text: Texts) -> RenderableType:
    told = set(view.get("told") or ())
    telling = view["phase"] == "story"

    def zone(name: str, mark: str) -> RenderableType:
        words = view.get(name) or ()
        rows = [f"{('☑' if word in told else '☐') + ' ' if telling else ''}{word}" for word in words]
        title = f"{mark} {text(f'zone_{name}', count=len(words))}"
        return Panel(Text(" · ".join(rows) or "–"), title=title)

    grid = Table.grid(expand=True)
    grid.add_column(ratio=1)
    grid.add_column(ratio=1)
    grid.add_row(zone("yellow", "✓"), zone("blue", "✗"))
    return grid


def _review(view: Mapping[str, Any], text: Texts) -> RenderableType:
    table = Table(title=text("review"), box=box.SIMPLE)
    for column in ("card", "word", "heard", "verdict"):
        table.add_column(text(f"column_{column}"))
    for card in view["cards"]:
        verdict = f"{_MARKS[card['verdict']]} {text('verdict_' + card['verdict'])}"
        table.add_row(str(card["number"]), card["word"], card["heard"] or text("given_up"), verdict)
    appeal = view.get("appeal")
    if appeal is None:
        return table
    votes = {name: appeal[name] for name in ("number", "agreed", "disagreed")}
    return Group(table, Text(text("appeal_votes", **votes), style="bold"))


def _by_name(
    title: str, values: Mapping[str, Any] | None, written: Callable[[Any], str], text: Texts
) -> list[RenderableType]:
    if not values:
        return []
    table = Table(title=text(title), box=box.SIMPLE, show_header=False)
    for name, value in values.items():
        table.add_row(name, written(value))
    return [table]


def _players(view: Mapping[str, Any], text: Texts) -> RenderableType:
    cells = []
    for name in view.get("players", ()):
        line = Text(f"▶ {name}" if name == view.get("turn") else name, style="bold" if name == view.get("turn") else "")
        notes = [text("dreamer")] if name == view.get("dreamer") else []
        if name in view.get("scores", {}):
            notes.append(text("points", count=view["scores"][name]))
        if view.get("penalties", {}).get(name):
            notes.append(text("penalty_cards", count=view["penalties"][name]))
        if notes:
            line.append(f" ({', '.join(notes)})", style="dim")
        cells.append(line)
    return Columns(cells, padding=(0, 3))


def caption_line(caption: Mapping[str, Any], text: Texts) -> Text | None:
    """Return one caption as a line, or None for a sound."""
    match caption["kind"]:
        case "heard":
            return Text.assemble((f"{caption['speaker'] or text('somebody')}: ", "bold"), caption["text"])
        case "tapped":
            what = text("tapped", what=text(f"say_{caption['intent']}"), value=" ".join(caption["slots"].values()))
            return Text.assemble((f"{caption['speaker'] or text('somebody')} ", "bold"), what)
        case "said" if caption["text"] is None:
            return Text.assemble((f"{text('host')}: ", "bold"), text("said_in_private", player=caption["to"]))
        case "said":
            return Text.assemble((f"{text('host')}: ", "bold"), caption["text"])
        case "flag" if (written := _flag(caption, text)) != f"flag_{caption['reason']}":
            return Text(f"⚑ {written}", style="bold")
        case _:
            return None


def _flag(caption: Mapping[str, Any], text: Texts) -> str:
    slots = dict(caption["slots"])
    if slots.get("kind"):
        slots["kind"] = text(f"kind_{slots['kind']}")
    return text(f"flag_{caption['reason']}", **slots)
