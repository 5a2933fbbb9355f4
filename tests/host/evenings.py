"""Scripts of typed evenings that the tests play."""

from __future__ import annotations

from typing import Final

ONE_NIGHT: Final = """\
Ben: fire
Cleo: wings
Amy: I guess dragon
@wait 5.0
Cleo: rain
?: umbrella
Dan: foul on Ben
Cleo: never mind
Dan: wet
?: how much time
Amy: I give up
Ben: pass
?: pause
@wait 7.5
Amy: I guess castle
?: resume
Cleo: hm, what was that again
Amy: is it a house?
Ben: undo
Amy: my guess is bicycle
Amy: no, I said penguin
?: score
@wait 130
Amy: I saw a dragon under the stars, and it rode bicycles
?: whose turn
Amy: and then I wake up
Dan: appeal card two
Dan: appeal card three
Ben: agree
Cleo: agree
Amy: agree
?: no objections
"""

CARDS: Final = "dragon\numbrella\nlighthouse\nbicycle\npenguin\ncastle\n"
ROLES: Final = "Ben=fairy,Cleo=boogeyman,Dan=sandman"

SHORT_NIGHT: Final = """\
Ben: fire
Amy: I guess dragon
@wait 5.0
?: foul
?: never mind
?: pause
@wait 2.5
?: resume
Amy: is it a house?
?: undo
@wait 60
@wait 60
Amy: a dragon, and I wake up
?: appeal card one
@wait 21
?: no objections
"""
