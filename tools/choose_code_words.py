"""Chooses the code words of a language's secret ballot: short words of the deck that sound as different as possible.

Run ``python tools/choose_code_words.py en``; it writes ``grammars/<language>/code_words.txt``, one word a line, and tells the two
that are nearest to each other. Twelve voters with twelve numbers need 144 words.
"""

from __future__ import annotations

import sys
from typing import Final

from voice_host.games.dixit_odyssey.ways import MOST_CARDS
from voice_host.matching.spread import nearest_pair, spread
from voice_host.program import CODE_WORDS, Program

LONGEST: Final = 8
"""Letters: a code word is said quickly."""


def main() -> None:
    """Choose and write the words of the languages that are named."""
    for language in sys.argv[1:]:
        program = Program(language)
        texts = [word.text for card in program.dreams for word in card]
        short = sorted(text for text in texts if text.isalpha() and len(text) <= LONGEST)
        chosen = spread(short, MOST_CARDS**2, program.measures.distance)
        cost, one, other = nearest_pair(chosen, program.measures.distance)
        (program.folder / CODE_WORDS).write_text("\n".join(sorted(chosen)) + "\n", encoding="utf-8")
        print(f"{language}: {len(chosen)} of {len(short)} words; the nearest two are {one} and {other} ({cost:.2f}).")


if __name__ == "__main__":
    main()
