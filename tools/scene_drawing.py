"""Draws a recipe: skies, grounds and lights of our own, and pieces that are placed, turned, mirrored and tinted."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from tools.scene_pieces import FOOT, SIDE, Pieces
from tools.scene_recipe import Instruction
from voice_host.errors import UsageError

WIDTH: Final = 300
HEIGHT: Final = 400


def draw(recipe: Sequence[Instruction], pieces: Pieces, notice: str) -> str:
    """Return the SVG of a recipe; `notice` stands in it as a comment. Raises `UsageError` naming the line that cannot be drawn."""
    drawing = Drawing(pieces, _repeated(recipe))
    for instruction in recipe:
        drawing.add(instruction)
    return drawing.finish(notice)


def _repeated(recipe: Sequence[Instruction]) -> frozenset[tuple[str, str | None]]:
    """Return the pieces, with their tints, that are drawn more than once."""
    counts: Counter[tuple[str, str | None]] = Counter()
    for instruction in recipe:
        several = instruction.word in {"row", "scatter"}
        name = instruction.text(0) if several else instruction.word
        counts[name, instruction.options.get("tint")] += 2 if several else 1
    return frozenset(piece for piece, count in counts.items() if count > 1)


def _short(number: float) -> str:
    """Return a number with at most one digit after the point."""
    return f"{number:.1f}".removesuffix(".0")


class Drawing:
    """A picture that is being drawn."""

    def __init__(self, pieces: Pieces, repeated: frozenset[tuple[str, str | None]]) -> None:
        """Begin with an empty picture; the `repeated` pieces are defined once and used."""
        self._pieces = pieces
        self._repeated = repeated
        self._definitions: dict[str, str] = {}
        self._elements: list[str] = []
        self._open_clips = 0
        self._shapes: dict[str, Callable[[Instruction], None]] = {
            "sky": self._sky, "stars": self._stars, "dots": self._dots, "rain": self._rain, "glow": self._glow,
            "land": self._land, "mist": self._mist, "shadow": self._shadow, "path": self._path, "line": self._line,
            "disc": self._disc, "oval": self._oval, "box": self._box, "clip": self._clip, "end": self._end,
            "row": self._row, "scatter": self._scatter,
        }  # fmt: skip

    def add(self, instruction: Instruction) -> None:
        """Draw one instruction above all others."""
        self._shapes.get(instruction.word, self._piece)(instruction)

    def finish(self, notice: str) -> str:
        """Return the SVG."""
        if self._open_clips:
            raise UsageError("A clip is not ended; write a line 'end' below what is to be seen through it.")
        definitions = f"<defs>{''.join(self._definitions.values())}</defs>" if self._definitions else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">\n<!-- {notice} -->\n'
            f"{definitions}\n" + "\n".join(self._elements) + "\n</svg>\n"
        )

    def _define(self, key: str, element: str) -> str:
        """Return the id of a definition; `element` has {id} where the id belongs."""
        if key not in self._definitions:
            self._definitions[key] = element.replace("{id}", f"d{len(self._definitions)}")
        return f"d{list(self._definitions).index(key)}"

    def _gradient(self, kind: str, stops: Sequence[tuple[float, str, float]]) -> str:
        """Return the paint of a gradient of (offset, colour, opacity)."""
        turn = ' x2="0" y2="1"' if kind == "linear" else ""
        inner = "".join(
            f'<stop offset="{_short(offset * 100)}%" stop-color="{colour}"'
            + (f' stop-opacity="{opacity:g}"' if opacity < 1 else "") + "/>"
            for offset, colour, opacity in stops
        )  # fmt: skip
        element = f'<{kind}Gradient id="{{id}}"{turn}>{inner}</{kind}Gradient>'
        return f"url(#{self._define(element, element)})"

    def _put(self, element: str, instruction: Instruction) -> None:
        """Append an element (without its end) with the opacity of its instruction."""
        opacity = instruction.options.get("opacity")
        turn = instruction.options.get("turn")
        middle = instruction.options.get("about", f"{WIDTH / 2:g},{HEIGHT / 2:g}").replace(",", " ")
        self._elements.append(
            element
            + (f' opacity="{opacity}"' if opacity else "")
            + (f' transform="rotate({turn} {middle})"' if turn else "")
            + "/>"
        )

    # ------------------------------------------------------------------------------------------------------ grounds

    def _sky(self, said: Instruction) -> None:
        """`sky COLOUR ...`: the whole picture, from top to bottom."""
        last = max(1, len(said.values) - 1)
        paint = self._gradient("linear", [(number / last, colour, 1) for number, colour in enumerate(said.values)])
        self._put(f'<path fill="{paint}" d="M0 0H{WIDTH}V{HEIGHT}H0z"', said)

    def _land(self, said: Instruction) -> None:
        """`land Y COLOUR amp=12 waves=1.5 phase=0 to=400`: ground or water, with a wavy edge."""
        (top,) = said.numbers(1)
        amp, waves, phase = said.number("amp", 12), said.number("waves", 1.5), said.number("phase", 0)
        bottom = said.number("to", HEIGHT)
        steps = max(6, round(waves * 6))
        points = [
            f"{_short(WIDTH * step / steps)} {_short(top - amp * math.sin(2 * math.pi * (waves * step / steps + phase)))}"
            for step in range(steps + 1)
        ]
        curve = _smooth(points)
        self._put(f'<path fill="{said.text(1)}" d="{curve}V{_short(bottom)}H0z"', said)

    def _mist(self, said: Instruction) -> None:
        """`mist Y HEIGHT COLOUR opacity=.7`: a bank that fades above and below."""
        top, height = said.numbers(2)
        colour = said.text(2)
        paint = self._gradient("linear", [(0, colour, 0), (0.5, colour, 1), (1, colour, 0)])
        self._put(f'<path fill="{paint}" d="M0 {_short(top)}h{WIDTH}v{_short(height)}H0z"', said)

    # ------------------------------------------------------------------------------------------- lights and weather

    def _glow(self, said: Instruction) -> None:
        """`glow X Y RADIUS COLOUR opacity=1`: light that fades outwards."""
        x, y, radius = said.numbers(3)
        colour = said.text(3)
        paint = self._gradient("radial", [(0, colour, 1), (1, colour, 0)])
        self._put(f'<circle cx="{_short(x)}" cy="{_short(y)}" r="{_short(radius)}" fill="{paint}"', said)

    def _stars(self, said: Instruction) -> None:
        """`stars COUNT SEED below=230`: white points in the upper part."""
        self._sprinkle(said, "#fff", (0.5, 1.5), (0, 0, WIDTH, said.number("below", 230)))

    def _dots(self, said: Instruction) -> None:
        """`dots COUNT SEED COLOUR SMALLEST LARGEST [X Y X2 Y2]`: snow, sand, petals, crumbs."""
        smallest, largest = said.numbers(2, 3)
        area = said.numbers(4, 5) if len(said.values) > 5 else (0.0, 0.0, float(WIDTH), float(HEIGHT))
        self._sprinkle(said, said.text(2), (smallest, largest), area)

    def _sprinkle(self, said: Instruction, colour: str, radii: tuple[float, float], area: Sequence[float]) -> None:
        """Draw as many small discs as the first value says, by the second one's chance, as one path."""
        count, seed = said.numbers(2)
        chance = Random(seed)
        left, top, right, bottom = area
        dots = []
        for _ in range(int(count)):
            x, y, radius = chance.uniform(left, right), chance.uniform(top, bottom), chance.uniform(*radii)
            r, d = f"{radius:.1f}", f"{2 * radius:.1f}"
            dots.append(f"M{_short(x)} {_short(y)}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0-{d} 0")
        self._put(f'<path fill="{colour}" d="{"".join(dots)}"', said)

    def _rain(self, said: Instruction) -> None:
        """`rain COUNT SEED COLOUR [X Y X2 Y2] slant=-4 length=14`: streaks."""
        count, seed = said.numbers(2)
        area = said.numbers(4, 3) if len(said.values) > 3 else (0.0, 0.0, float(WIDTH), float(HEIGHT))
        chance = Random(seed)
        streak = f"l{_short(said.number('slant', -4))} {_short(said.number('length', 14))}"
        drops = "".join(
            f"M{_short(chance.uniform(area[0], area[2]))} {_short(chance.uniform(area[1], area[3]))}{streak}"
            for _ in range(int(count))
        )
        width = said.options.get("width", "1.5")
        self._put(f'<path fill="none" stroke="{said.text(2)}" stroke-width="{width}" d="{drops}"', said)

    def _shadow(self, said: Instruction) -> None:
        """`shadow X Y WIDTH`: what stands there darkens the ground."""
        x, y, width = said.numbers(3)
        self._put(
            f'<ellipse cx="{_short(x)}" cy="{_short(y)}" rx="{_short(width / 2)}" ry="{_short(width / 9)}"'
            ' fill="#000" fill-opacity=".2"', said,
        )  # fmt: skip

    # ------------------------------------------------------------------------------------------------------- shapes

    def _path(self, said: Instruction) -> None:
        """`path COLOUR D...`: any filled shape; with stroke=COLOUR width=N it has an outline."""
        self._put(f'<path fill="{said.text(0)}"{_outline(said)} d="{" ".join(said.values[1:])}"', said)

    def _line(self, said: Instruction) -> None:
        """`line COLOUR WIDTH D...`: a stroke with round ends."""
        self._put(
            f'<path fill="none" stroke="{said.text(0)}" stroke-width="{said.text(1)}" stroke-linecap="round"'
            f' stroke-linejoin="round" d="{" ".join(said.values[2:])}"', said,
        )  # fmt: skip

    def _disc(self, said: Instruction) -> None:
        """`disc X Y RADIUS COLOUR`."""
        x, y, radius = said.numbers(3)
        self._put(
            f'<circle cx="{_short(x)}" cy="{_short(y)}" r="{_short(radius)}" fill="{said.text(3)}"{_outline(said)}',
            said,
        )

    def _oval(self, said: Instruction) -> None:
        """`oval X Y RADIUS_X RADIUS_Y COLOUR`."""
        x, y, wide, high = (_short(number) for number in said.numbers(4))
        self._put(f'<ellipse cx="{x}" cy="{y}" rx="{wide}" ry="{high}" fill="{said.text(4)}"{_outline(said)}', said)

    def _box(self, said: Instruction) -> None:
        """`box X Y WIDTH HEIGHT COLOUR round=0`."""
        x, y, wide, high = (_short(number) for number in said.numbers(4))
        corner = f' rx="{said.options["round"]}"' if "round" in said.options else ""
        self._put(
            f'<rect x="{x}" y="{y}" width="{wide}" height="{high}"{corner} fill="{said.text(4)}"{_outline(said)}', said
        )

    def _clip(self, said: Instruction) -> None:
        """`clip D...`: what follows, up to `end`, is seen only inside of this shape."""
        shape = " ".join(said.values)
        element = f'<clipPath id="{{id}}"><path d="{shape}"/></clipPath>'
        self._elements.append(f'<g clip-path="url(#{self._define(element, element)})">')
        self._open_clips += 1

    def _end(self, said: Instruction) -> None:
        """`end`: of the last clip."""
        if not self._open_clips:
            raise UsageError(f"{said.where}: no clip is open here; delete this line.")
        self._open_clips -= 1
        self._elements.append("</g>")

    # ------------------------------------------------------------------------------------------------------- pieces

    def _piece(self, said: Instruction) -> None:
        """`NAME X Y SIZE turn=0 opacity=1 tint=COLOUR [flip] [foot]`: a piece; with `foot`, y is where it stands."""
        x, y, size = said.numbers(3)
        self._place(said, said.word, (x, y), size, said.number("turn", 0))

    def _row(self, said: Instruction) -> None:
        """`row NAME COUNT X Y X2 Y2 SIZE [SIZE2]`: pieces at even distances, growing from one size to the other."""
        count, x, y, x2, y2, size = said.numbers(6, 1)
        last = said.numbers(1, 7)[0] if len(said.values) > 7 else size
        for number in range(int(count)):
            part = number / max(1, count - 1)
            place = (x + part * (x2 - x), y + part * (y2 - y))
            self._place(said, said.text(0), place, size + part * (last - size), said.number("turn", 0))

    def _scatter(self, said: Instruction) -> None:
        """`scatter NAME COUNT SEED X Y X2 Y2 SMALLEST LARGEST turn=0`: pieces by chance, the upper ones first; turned at most so far."""
        count, seed, left, top, right, bottom, smallest, largest = said.numbers(8, 1)
        chance = Random(seed)
        places = _apart(int(count), (left, top, right, bottom), chance)
        turn = said.number("turn", 0)
        for place in sorted(places, key=lambda one: one[1]):
            self._place(said, said.text(0), place, chance.uniform(smallest, largest), chance.uniform(-turn, turn))

    def _place(self, said: Instruction, name: str, place: tuple[float, float], size: float, turn: float) -> None:
        """Draw one piece."""
        x, y = place
        tint = said.options.get("tint")
        try:
            body = self._pieces.body(name, tint)
        except KeyError as error:
            raise UsageError(
                f"{said.where}: there is no shape and no piece {name!r}; look its name up in the set."
            ) from error
        scale = size / SIDE
        if "foot" in said.flags:
            y -= FOOT * scale
        flipped = "-" if "flip" in said.flags else ""
        rotated = f"rotate({_short(turn)})" if turn else ""
        moved = f"translate({_short(x)} {_short(y)}){rotated}scale({flipped}{scale:.3g} {scale:.3g})"
        opacity = f' opacity="{said.options["opacity"]}"' if "opacity" in said.options else ""
        middle = f"translate(-{SIDE // 2} -{SIDE // 2})"
        if (name, tint) in self._repeated:
            known = self._define(f"{name} {tint}", f'<g id="{{id}}">{body}</g>')
            self._elements.append(f'<use href="#{known}" transform="{moved}{middle}"{opacity}/>')
        else:
            self._elements.append(f'<g transform="{moved}{middle}"{opacity}>{body}</g>')


def _outline(said: Instruction) -> str:
    """Return the attributes of a shape's outline, if it has one."""
    stroke = said.options.get("stroke")
    return f' stroke="{stroke}" stroke-width="{said.options.get("width", "2")}"' if stroke else ""


def _smooth(points: Sequence[str]) -> str:
    """Return a path through points (a Catmull-Rom spline as Bezier curves)."""
    pairs = [tuple(float(number) for number in point.split()) for point in points]
    padded = [pairs[0], *pairs, pairs[-1]]
    curve = [f"M{points[0]}"]
    for before, start, end, after in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        first = (start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6)
        second = (end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6)
        curve.append("C" + " ".join(_short(number) for pair in (first, second, end) for number in pair))
    return "".join(curve)


def _apart(count: int, area: tuple[float, float, float, float], chance: Random) -> list[tuple[float, float]]:
    """Return places by chance that keep away from one another: for each, the farthest of some candidates."""
    left, top, right, bottom = area
    places: list[tuple[float, float]] = []
    for _ in range(count):
        candidates = [(chance.uniform(left, right), chance.uniform(top, bottom)) for _ in range(12)]
        places.append(max(candidates, key=lambda one: min((math.dist(one, other) for other in places), default=0.0)))
    return places
