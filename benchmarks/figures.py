"""What all benchmarks print and draw: shares with their intervals, tables, curves of misses over false accepts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import NormalDist

import numpy as np


def share(count: int, total: int) -> str:
    """Return a share in percent with its 95 % Wilson interval and the count."""
    if not total:
        return "–"
    z = NormalDist().inv_cdf(0.975)
    middle = (count + z * z / 2) / (total + z * z)
    half = z / (total + z * z) * (count * (total - count) / total + z * z / 4) ** 0.5
    low, high = (100 * max(0.0, middle - half), 100 * min(1.0, middle + half))
    return f"{100 * count / total:.1f} % [{low:.1f}–{high:.1f}] ({count}/{total})"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def det_curve(path: Path, by_condition: dict[str, dict[str, list[float]]]) -> None:
    """Draw misses over false accepts on near words, for every threshold, as an SVG with logarithmic axes."""
    colours = ("#1b6ca8", "#d1495b", "#66a182", "#8d6a9f", "#edae49", "#444444")
    left, top, size, least = 60, 20, 400, 0.001

    def place(value: float) -> float:
        return math.log(max(least, value) / least) / math.log(1 / least) * size

    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 480" font-family="sans-serif" font-size="12">',
        '<rect width="640" height="480" fill="white"/>',
        f'<text x="{left}" y="470">false accepts, 5 nearest words</text><text x="{left + 4}" y="{top + 12}">misses</text>',
    ]
    for tick in (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0):
        x, y = left + place(tick), top + size - place(tick)
        parts.append(
            f'<path d="M{x:.1f} {top}V{top + size}M{left} {y:.1f}H{left + size}" stroke="#ddd"/>'
            f'<text x="{x - 12:.1f}" y="{top + size + 16}">{tick:.1%}</text><text x="4" y="{y + 4:.1f}">{tick:.1%}</text>'
        )
    for colour, (condition, found) in zip(colours, by_condition.items(), strict=False):
        right, other = np.array(found["right"]), np.array(found["nearest"])
        line = [
            (place(float((other >= t).mean())), place(float((right < t).mean())))
            for t in np.linspace(0.005, 0.995, 200)
        ]
        path_data = "L".join(f"{left + x:.1f} {top + size - y:.1f}" for x, y in line)
        legend = top + 20 + 18 * list(by_condition).index(condition)
        parts.append(
            f'<path d="M{path_data}" fill="none" stroke="{colour}" stroke-width="2"/>'
            f'<text x="475" y="{legend}" fill="{colour}">{condition}</text>'
        )
    path.write_text("".join(parts) + "</svg>\n", encoding="utf-8")
