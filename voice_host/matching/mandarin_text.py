"""Chinese text as recognisers write it: its characters, numbers and letters, and the part of it that is the guess.

Text is never converted from one script to the other here: every rule knows both.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from voice_host.matching.judging import Guess

_HAN: Final = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff〇"
_KEPT: Final = re.compile(rf"[{_HAN}]|[A-Za-z]+|\d+")
_BREAK: Final = re.compile(r"[,，、。.;；:：!！?？…~～]+")
_DIGITS: Final = "零一二三四五六七八九"
_LARGEST_NUMBER: Final = 99_999_999


def _any(*parts: str) -> str:
    return "(?:" + "|".join(sorted(parts, key=lambda part: -len(part))) + ")"


_HESITATION: Final = "[嗯呃唔啊哦喔噢欸誒诶哎唉哈嘿]"
_CLASSIFIERS: Final = "隻只個个把張张條条輛辆顆颗棵朵頭头匹台臺部座本支枝根片塊块件雙双對对位名艘架粒杯瓶碗盤盘間间棟栋串包袋盒面幅道首場场"
_OPENING: Final = re.compile(
    _any(
        f"{_HESITATION}+", "那個", "那个", "這個", "这个", "那麼", "那么", "那", "就", "這", "这",
        "我覺得", "我觉得", "我猜", "我想", "我認為", "我认为", "我說", "我说", "我要猜", "猜", "答案", "謎底", "谜底",
        "我的答案", "我看到的", "可能", "應該", "应该", "也許", "也许", "大概", "好像", "或許", "或许", "一定", "不會", "不会",
        "會不會", "会不会", "是不是", "難道", "难道", "有點像", "有点像", "像", "指的", "在說", "在说", "它", "他", "她", "這種", "一種", "这种", "一种", "是",
        f"(?:一|這|这|那|兩|两|某|幾|几)[{_CLASSIFIERS}]", "一些", "這些", "这些", "那些", "一點", "一点",
    )
)  # fmt: skip
_CLOSING: Final = re.compile(
    _any(
        "[嗎吗嘛吧呢啊呀哦喔啦耶咧囉啰哇欸]", "對不對", "对不对", "對吧", "对吧", "是不是", "是嗎", "是吗", "好嗎", "好吗", "對嗎", "对吗", "沒錯", "没错",
        "之類的", "之类的", "這樣", "这样", "謝謝", "谢谢", "了",
    )
    + "$"
)  # fmt: skip
_NEXT_GUESS: Final = re.compile(r"(?:或者|或是|還是|还是|不然|要不|不對|不对|不是|也可能|也有可能|等一下)")
_KEPT_WHOLE: Final = 0.25
"""What it costs to take as part of the word what looks like a particle or a measure word."""
_SECOND_PIECE: Final = 0.3
_DOUBLED: Final = 0.1


def plain(text: str) -> str:
    """Return the characters, letters and digits of a text, without spaces and punctuation; letters are upper case."""
    return "".join(_KEPT.findall(unicodedata.normalize("NFKC", text))).upper()


def number_words(number: int) -> str:
    """Say a number from 0 to 99,999,999 in characters."""
    if number < 10:
        return _DIGITS[number]
    for size, unit in ((10_000, "萬"), (1000, "千"), (100, "百"), (10, "十")):
        if number >= size:
            head, rest = divmod(number, size)
            said = "" if unit == "十" and head == 1 else number_words(head)
            if not rest:
                return said + unit
            return said + unit + ("零" if rest < size // 10 else "") + number_words(rest)
    raise AssertionError("unreachable")


def numbers_said(digits: str) -> tuple[str, ...]:
    """Return how digits may be said: as a number, and one by one."""
    one_by_one = "".join(_DIGITS[int(digit)] for digit in digits)
    if int(digits) > _LARGEST_NUMBER or (digits[0] == "0" and len(digits) > 1):
        return (one_by_one,)
    said = number_words(int(digits))
    if len(digits) > 1 and said.startswith("十") and digits[0] != "1":
        said = _DIGITS[int(digits[0])] + said
    return tuple(dict.fromkeys((said, one_by_one)))


def _bare(text: str) -> str:
    """Take away what is said around a guess, at both ends; may leave nothing."""
    while text and (match := _OPENING.match(text)):
        text = text[match.end() :]
    while text and (match := _CLOSING.search(text)):
        text = text[: match.start()]
    return text


def _is_only_hesitation(text: str) -> bool:
    return re.fullmatch(f"{_HESITATION}*", text) is not None


def guesses(reading: str) -> tuple[Guess, ...]:
    """Return the ways to read the guess out of what was heard after a guess phrase; none when it is empty or hesitation."""
    pieces = [piece for piece in (plain(part) for part in _BREAK.split(reading)) if piece]
    whole = "".join(pieces)
    if not whole or _is_only_hesitation(whole):
        return ()
    found: dict[str, float] = {}

    def offer(text: str, cost: float) -> None:
        if text:
            found[text] = min(cost, found.get(text, cost))

    first = next((piece for piece in pieces if _bare(piece)), whole)
    if cut := _NEXT_GUESS.search(whole, 1):
        offer(_bare(whole[: cut.start()]), 0.0)
    bare = _bare(whole)
    offer(bare, 0.0)
    # "那" may begin a name, and "一個" be all that was understood.
    offer(whole, _KEPT_WHOLE if bare else 0.0)
    if first != whole:
        offer(_bare(first), _SECOND_PIECE)
    for text, cost in tuple(found.items()):
        half = len(text) // 2
        if half and len(text) % 2 == 0 and text[:half] == text[half:]:
            # "狗狗" is a dog; "火車火車" was said twice.
            offer(text[:half], cost + (_DOUBLED if half == 1 else 0.0))
    return tuple(Guess(text, cost) for text, cost in sorted(found.items(), key=lambda item: item[1]))
