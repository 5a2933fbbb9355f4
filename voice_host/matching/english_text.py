"""English text as recognisers write it: its words, its numbers, and the phrase in it that is the guess."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_WORD: Final = re.compile(r"[a-z]+(?:'[a-z]+)*|\d+")
_PIECE: Final = re.compile(r"[,.;:!?…]+")
_APOSTROPHES: Final = str.maketrans("’‘`´", "''''")


def _list(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ONES: Final = _list(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_TENS: Final = _list("twenty thirty forty fifty sixty seventy eighty ninety")
_ABBREVIATIONS: Final = {
    "mr": "mister",
    "mrs": "missus",
    "dr": "doctor",
    "st": "saint",
    "tv": "t v",
    "ok": "okay",
}

HESITATIONS: Final = _set("um uh er erm eh ah oh hmm hm mm mhm huh ehm uhm well like so yeah ha")
ARTICLES: Final = _set("a an the some my your his her their this that these those one")  # "Our glass" tells the time.
# "Little dragon" is a diminutive and "big dragon" still the dragon.
SIZES: Final = _set("little small tiny big large huge old")
ATTRIBUTES: Final = SIZES | _set(
    "black white red green blue yellow brown grey gray pink purple golden young new cute beautiful pretty nice funny scary "
    "wild long short tall fat thin round real very"
)
"""What is said of a thing that is still the thing, unless both together name another one ("blackbird")."""
OPENINGS: Final = _set(
    "it it's its is was i i'd i'm say think guess maybe perhaps probably possibly could would be there's kind sort of "
    "and or okay just"
)
# What recognisers write before a word when a clip begins with breath or silence.
GHOSTS: Final = _set("you he she they we to in at")
COURTESIES: Final = _set("please thanks thank you yes yeah right okay then maybe perhaps or i think guess")
# After one of these another guess begins, and only the first one counts.
BREAKS: Final = _set(
    "or maybe perhaps wait actually sorry because but then please thanks no not probably possibly um uh erm i it's it is"
)

PLACES: Final = (("over", "there"), ("right", "there"), ("up", "there"), ("down", "there"), ("there",), ("again",))

_SECOND_PIECE_COST: Final = 0.3
_KEPT_ARTICLE_COST: Final = 0.25
_GHOST_COST: Final = 0.2
ATTRIBUTE_COST: Final = 0.05


@dataclass(frozen=True, slots=True)
class Phrase:
    """One way to read the guess out of a reading."""

    words: tuple[str, ...]
    cost: float
    """What is paid for reading it in this way."""


def number_words(number: int) -> tuple[str, ...]:
    """Say a number from 0 to 9999; a larger one digit by digit."""
    if number < 20:
        return (_ONES[number],)
    if number < 100:
        tens = (_TENS[number // 10 - 2],)
        return tens if number % 10 == 0 else (*tens, _ONES[number % 10])
    for unit, name in ((1000, "thousand"), (100, "hundred")):
        if unit <= number < 10 * unit:
            head = (_ONES[number // unit], name)
            return head if number % unit == 0 else (*head, *number_words(number % unit))
    return tuple(_ONES[int(digit)] for digit in str(number))


def _pieces(text: str) -> list[list[str]]:
    plain = unicodedata.normalize("NFKD", text).translate(_APOSTROPHES).lower()
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    pieces = []
    for piece in _PIECE.split(plain):
        found: list[str] = []
        for word in _WORD.findall(piece):
            found.extend(number_words(int(word)) if word.isdigit() else _ABBREVIATIONS.get(word, word).split())
        if found:
            pieces.append(found)
    return pieces


def words(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case, numbers spelled out, punctuation dropped, hyphens as gaps."""
    return tuple(word for piece in _pieces(text) for word in piece)


def _once(found: list[str]) -> list[str]:
    """Drop the repetitions of "dog, dog, dog" and "fire engine fire engine"."""
    for size in range(1, len(found) // 2 + 1):
        unit = found[:size]
        whole, rest = divmod(len(found), size)
        if unit * whole + unit[:rest] == found:
            return unit
    return found


def _without_opening(found: list[str]) -> list[str]:
    start = 0
    while start < len(found) and found[start] in HESITATIONS | ARTICLES | OPENINGS:
        start += 1
    return found[start:]


def _without_courtesy(found: list[str]) -> list[str]:
    end = len(found)
    while end > 1 and found[end - 1] in COURTESIES | HESITATIONS:
        end -= 1
    return found[:end]


def _without_place(found: list[str]) -> list[str]:
    """Drop "over there" and the like after a thing."""
    for ending in PLACES:
        if len(found) > len(ending) and tuple(found[-len(ending) :]) == ending:
            return found[: -len(ending)]
    return found


def _first_guess(found: list[str]) -> list[str]:
    for position in range(1, len(found) - 1):
        if found[position] in BREAKS:
            return found[:position]
    return found


def is_only_hesitation(text: str) -> bool:
    """Tell that nothing but "um, well, the" was heard."""
    return all(word in HESITATIONS | ARTICLES - {"one"} for word in words(text))


def phrases(reading: str) -> tuple[Phrase, ...]:
    """Return the ways to read the guess out of what was heard after a guess phrase; none when it is empty or hesitation."""
    if is_only_hesitation(reading):
        return ()
    pieces = _pieces(reading)
    while len(pieces) > 1 and not _without_opening(pieces[0]):
        pieces = pieces[1:]
    spoken = [word for piece in pieces for word in piece]
    whole = _once(spoken)
    found: dict[tuple[str, ...], float] = {}

    def offer(candidate: list[str], cost: float) -> None:
        key = tuple(candidate)
        if key:
            found[key] = min(cost, found.get(key, cost))

    bare = _without_place(_without_courtesy(_first_guess(_without_opening(whole))))
    opened = len(bare) < len(_without_courtesy(whole))
    offer(bare, 0.0)
    # "Or" may begin "orange", and "a corn" may be an acorn.
    if not opened or not bare or len(whole) == 2:
        offer(_without_courtesy(whole), _KEPT_ARTICLE_COST if bare and opened else 0.0)
    twice = _without_opening(spoken)
    if whole != spoken and _once(twice[:2]) * 2 == twice[:2]:
        offer(twice[:2], 0.0)  # "yo-yo" says its one part twice
    first = _without_courtesy(_first_guess(_without_opening(pieces[0])))
    if len(pieces) > 1 and len(first) < len(bare):
        offer(first, _SECOND_PIECE_COST)
    if len(bare) > 1 and bare[0] in GHOSTS:
        offer(bare[1:], _GHOST_COST)
    return tuple(Phrase(key, cost) for key, cost in found.items())


def around_guess(reading: str) -> tuple[str, str]:
    """Return what a reading has before and after its guess, as written: ("My guess is a ", " please."); all before if none."""
    guess = spoken_guess([reading]).split()
    written = [(words(match.group()), match) for match in re.finditer(r"\S+", reading)]
    for first in range(len(written)):
        found: list[str] = []
        for said, match in written[first:]:
            found += said
            if found == guess:
                return reading[: written[first][1].start()], reading[match.end() :]
            if found != guess[: len(found)]:
                break
    return reading, ""


def spoken_guess(readings: Sequence[str]) -> str:
    """Return the guess as it was heard, for the echo: the first noun phrase of the best reading that has one, or ""."""
    for reading in readings:
        heard = phrases(reading)
        if heard:
            best = min(heard, key=lambda phrase: phrase.cost)
            return " ".join(best.words)
    return ""
