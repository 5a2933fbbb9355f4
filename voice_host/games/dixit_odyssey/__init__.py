"""Dixit Odyssey: one says a word for a card, all others give cards that fit, and everybody guesses which was the first.

Where what lies: `ways` holds the numbers of the four ways to play, `options` and `state` the values; `rules` sends each fact to
its phase; `evening` frames the turns, `telling`, `giving`, `ballots` (with `codes` for secret ones) and `reveal` play one, `leaving` lets players go; `deck`
and `scores` count; `permitted` tells what may be said, `views` what may be seen, `prompts` what the host may be asked to say.
"""

from __future__ import annotations

from voice_host.games.dixit_odyssey.deck import Scene
from voice_host.games.dixit_odyssey.evening import start
from voice_host.games.dixit_odyssey.options import Options
from voice_host.games.dixit_odyssey.permitted import listening
from voice_host.games.dixit_odyssey.prompts import FLAGS, PHASES, PROMPTS
from voice_host.games.dixit_odyssey.rules import step
from voice_host.games.dixit_odyssey.state import State
from voice_host.games.dixit_odyssey.views import view

__all__ = ["FLAGS", "PHASES", "PROMPTS", "Options", "Scene", "State", "listening", "start", "step", "view"]
