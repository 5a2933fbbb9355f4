"""Korean text as recognisers write it: its eojeols, numbers and letters, and the part of it that is the guess."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import product
from types import MappingProxyType
from typing import Final

from voice_host.matching.judging import Guess
from voice_host.matching.korean_pronounce import split

_TOKEN: Final = re.compile(r"[가-힣]+|[A-Za-z]+|\d+")
_BREAK: Final = re.compile(r"[,，.。;!！?？…~～]+")
_SINO_DIGITS: Final = "영일이삼사오육칠팔구"
_NATIVE_ONES: Final = ("", "하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉")
_NATIVE_COUNTING: Final = ("", "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉")
_NATIVE_TENS: Final = ("", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")
_LARGEST_NUMBER: Final = 99_999_999
_LETTERS: Final[Mapping[str, str]] = MappingProxyType(
    dict(
        zip(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
            [
                "에이",
                "비",
                "시",
                "디",
                "이",
                "에프",
                "지",
                "에이치",
                "아이",
                "제이",
                "케이",
                "엘",
                "엠",
                "엔",
                "오",
                "피",
                "큐",
                "아르",
                "에스",
                "티",
                "유",
                "브이",
                "더블유",
                "엑스",
                "와이",
                "제트",
            ],
            strict=True,
        )
    )
)
_LONGEST_ABBREVIATION: Final = 4
"""More letters in a row are a foreign word, whose sound is not known."""
MAX_VARIANTS: Final = 4

_OPENING: Final = re.compile(
    r"(?:정답|답|제답|제정답|내답)(?:은|이|는)?|(?:제|내|저의|나의)?생각(?:에는|에|엔|은|으로는)|(?:제|내)가(?:볼때는|볼땐|보기에는|보기엔|생각하기에는)"
    r"|혹시|아마|아마도|설마|분명|분명히|왠지|그럼|그러면|그래서|그냥|글쎄|글쎄요|잠깐|잠깐만|저는|나는|전|난|저요|저|그|그거|그건|그게|이거|이건|이게"
    r"|음+|어+|아+|흠+|에+|응|네|예|뭐|뭐지|뭐더라|한|이런|그런"
)
_ENDING: Final = re.compile(
    r"(?:이?라고(?:생각해요|생각합니다|생각해|봐요|봅니다)|(?:인것|인거|일것|인 것|것|거)?같(?:아요|은데요|은데|습니다|아|네요)|인듯(?:해요|합니다|한데요)?"
    r"|(?:이|가)?아닐까요?|(?:이|가)?아닌가요?|(?:이|가)?맞나요?|(?:이|가)?맞(?:아요|죠|지요|습니까)|인가요?|인가여|인지요?|일까요?|일까여|입니다|입니까|이에요|이예요|예요|에요"
    r"|이야|이죠|이지요?|이네요?|이다|이요|인데요?|죠|지요|네요|요)$"
)
_SHORT_ENDING: Final = re.compile(r"(?:야|다|네|지|여)$")
_AFTER_CODA: Final = ("은", "이", "을", "과", "으로", "이랑", "이나", "이라고", "이라는", "이란", "이라", "아")
_AFTER_VOWEL: Final = ("는", "가", "를", "와", "로", "랑", "나", "라고", "라는", "란", "라")
_AFTER_ANY: Final = (
    "도", "만", "의", "에", "에서", "에서는", "에는", "에도", "에게", "한테", "께서", "하고", "부터", "까지", "처럼", "보다", "마다", "조차", "밖에", "이라도", "들",
)  # fmt: skip
_PARTICLES: Final = sorted((*_AFTER_CODA, *_AFTER_VOWEL, *_AFTER_ANY), key=lambda particle: -len(particle))
_NEXT_GUESS: Final = frozenset(("아니면", "또는", "혹은", "아니", "아니다", "아니요", "아냐"))

_KEPT_WHOLE: Final = 0.2
"""What it costs to take as part of the word what looks like words around it."""
_PARTICLE_COST: Final = 0.04
_SHORT_ENDING_COST: Final = 0.12
_SECOND_PIECE: Final = 0.3


def tokens(text: str) -> tuple[str, ...]:
    """Return the eojeols, numbers and abbreviations of a text, without punctuation."""
    return tuple(_TOKEN.findall(unicodedata.normalize("NFKC", text)))


def plain(text: str) -> str:
    """Return a text without spaces and punctuation."""
    return "".join(tokens(text))


def sino_korean(number: int) -> str:
    """Say a number from 0 to 99,999,999 as 일, 이, 삼 do."""
    if number < 10:
        return _SINO_DIGITS[number]
    for size, unit in ((10_000, "만"), (1000, "천"), (100, "백"), (10, "십")):
        if number >= size:
            head, rest = divmod(number, size)
            return ("" if head == 1 else sino_korean(head)) + unit + (sino_korean(rest) if rest else "")
    raise AssertionError("unreachable")


def native_korean(number: int) -> tuple[str, ...]:
    """Say a number from 1 to 99 as 하나, 둘, 셋 do, alone and before what is counted; nothing for other numbers."""
    if not 0 < number < 100:
        return ()
    tens, ones = divmod(number, 10)
    alone = _NATIVE_TENS[tens] + _NATIVE_ONES[ones]
    before = "스무" if number == 20 else _NATIVE_TENS[tens] + _NATIVE_COUNTING[ones]
    return tuple(dict.fromkeys((alone, before)))


def _numbers_said(digits: str) -> tuple[str, ...]:
    one_by_one = "".join(_SINO_DIGITS[int(digit)] for digit in digits)
    if int(digits) > _LARGEST_NUMBER or (digits[0] == "0" and len(digits) > 1):
        return (one_by_one, one_by_one.replace("영", "공"))
    return (sino_korean(int(digits)), *native_korean(int(digits)))


def hangul(text: str) -> tuple[str, ...]:
    """Return the ways to write a text in hangul alone, without spaces; none where a foreign word is in it."""
    pieces: list[tuple[str, ...]] = []
    for token in tokens(text):
        if token.isdigit():
            pieces.append(_numbers_said(token))
        elif not token.isascii():
            pieces.append((token,))
        elif len(token) <= _LONGEST_ABBREVIATION:
            pieces.append(("".join(_LETTERS[letter] for letter in token.upper()),))
        else:
            return ()
    ways = ("".join(way) for way in product(*pieces) if way)
    return tuple(dict.fromkeys(way for way, _ in zip(ways, range(MAX_VARIANTS), strict=False)))


def without_particle(text: str) -> str | None:
    """Return a noun without the particle at its end (호랑이는 -> 호랑이), or None where there is none that fits its sound."""
    for particle in _PARTICLES:
        if len(text) > len(particle) and text.endswith(particle):
            noun = text[: -len(particle)]
            last = split(noun[-1])
            if not last:
                return noun
            coda = last[0].coda
            fits = (
                particle in _AFTER_ANY or bool(coda) == (particle in _AFTER_CODA) or (particle == "로" and coda == "ㄹ")
            )
            if fits:
                return noun
    return None


def only_particles(rest: str) -> bool:
    """Tell whether what follows a noun in an eojeol is nothing but particles and the verb "to be"."""
    return (
        not rest
        or any(rest in (one, one + two) for one in _PARTICLES for two in ("", "은", "는", "도", "만"))
        or bool(
            _ENDING.fullmatch(rest)
            or _SHORT_ENDING.fullmatch(rest)
            or re.fullmatch(r"들(?:이|은|을|도|의|과|에게)?|였다|이었다|였어요?|이었어요?|같은|같이", rest)
        )
    )


def _endings(text: str) -> Iterator[tuple[str, float]]:
    """Yield a text and what remains of it without its ending and its particle, with what that costs.

    Where an ending can be cut off in two places (호랑이예요, 우산이에요) both remain.
    """
    bare = [(text, 0.0)]
    for start in range(1, len(text)):
        if _ENDING.fullmatch(text, start):
            bare.append((text[:start], 0.0 if len(text) - start > 1 else _PARTICLE_COST))
        elif _SHORT_ENDING.fullmatch(text, start):
            bare.append((text[:start], _SHORT_ENDING_COST))
    for remains, cost in bare:
        yield remains, cost
        noun = without_particle(remains)
        if noun is not None:
            yield noun, cost + _PARTICLE_COST
            if noun.endswith("들") and len(noun) > 1:
                yield noun[:-1], cost + 2 * _PARTICLE_COST


def guesses(reading: str) -> tuple[Guess, ...]:
    """Return the ways to read the guess out of what was heard after a guess phrase; none when it is empty or hesitation."""
    pieces = [piece for piece in (tokens(part) for part in _BREAK.split(reading)) if piece]
    said = tuple(token for piece in pieces for token in piece)
    found: dict[str, float] = {}

    def offer(text: str, cost: float) -> None:
        for bare, paid in _endings(text) if text else ():
            found[bare] = min(cost + paid, found.get(bare, cost + paid))

    bare = _without_opening(said)
    if not bare:
        return ()
    cut = next((index for index, token in enumerate(bare) if index and token in _NEXT_GUESS), len(bare))
    offer("".join(bare[:cut]), 0.0)
    if len(bare) < len(said):
        offer("".join(said), _KEPT_WHOLE)
    first = next((one for one in map(_without_opening, pieces) if one), ())
    if len(first) < len(bare[:cut]):
        offer("".join(first), _SECOND_PIECE)
    for text, cost in tuple(found.items()):
        half = len(text) // 2
        if half and len(text) % 2 == 0 and text[:half] == text[half:]:
            offer(text[:half], cost)
    return tuple(Guess(text, cost) for text, cost in sorted(found.items(), key=lambda item: item[1]))


def _without_opening(said: tuple[str, ...]) -> tuple[str, ...]:
    """Take away what is said before a guess; only whole eojeols, so that 음료수 keeps its 음."""
    start = 0
    while start < len(said):
        end = next(
            (
                end
                for end in range(min(len(said), start + 4), start, -1)
                if _OPENING.fullmatch("".join(said[start:end]))
            ),
            0,
        )
        if not end:
            break
        start = end
    return said[start:]
