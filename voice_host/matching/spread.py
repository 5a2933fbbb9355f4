"""Choosing words that are far apart in sound, so that none is taken for another."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence


def spread(texts: Sequence[str], count: int, distance: Callable[[str, str], float]) -> tuple[str, ...]:
    """Return ``count`` of the texts (all, if they are fewer), each as far as possible from those chosen before it.

    The first text is chosen first; among equally far ones the earlier. Each text is measured ``count`` times at most.
    """
    nearest = dict.fromkeys(texts, math.inf)
    chosen: list[str] = []
    while nearest and len(chosen) < count:
        best = max(nearest, key=nearest.__getitem__)
        del nearest[best]
        chosen.append(best)
        nearest = {text: min(known, distance(text, best)) for text, known in nearest.items()}
    return tuple(chosen)


def nearest_pair(texts: Sequence[str], distance: Callable[[str, str], float]) -> tuple[float, str, str]:
    """Return the distance of the two texts that are nearest to each other, and both; takes at least two texts."""
    pairs = ((one, other) for at, one in enumerate(texts) for other in texts[:at])
    return min((distance(one, other), one, other) for one, other in pairs)
