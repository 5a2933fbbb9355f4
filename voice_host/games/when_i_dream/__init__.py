"""When I Dream: one dreams blindfolded, the others lead or mislead with clues of one word; the module that `GAMES` names.

Where what lies: `options` and `state` hold the values; `rules` sends each fact to its phase; `evening` frames the rounds,
`turns`, `night` and `fouls` play the night, `day` the day, `leaving` lets players go and come; `deck`, `roles` and `scores` count;
`permitted` tells what may be said, `views` what may be seen, `prompts` what the host may be asked to say.
"""

from __future__ import annotations

from voice_host.games.when_i_dream.deck import DreamCard
from voice_host.games.when_i_dream.evening import start
from voice_host.games.when_i_dream.options import Options
from voice_host.games.when_i_dream.permitted import listening
from voice_host.games.when_i_dream.prompts import FLAGS, PHASES, PROMPTS
from voice_host.games.when_i_dream.rules import step
from voice_host.games.when_i_dream.state import State
from voice_host.games.when_i_dream.views import view

__all__ = ["FLAGS", "PHASES", "PROMPTS", "DreamCard", "Options", "State", "listening", "start", "step", "view"]
