"""From hassil's template language to regular expressions over normalised text.

Why not hassil's own matcher: it costs milliseconds an utterance, cannot find a phrase inside an utterance, and knows no
n-best. Its template language and its parser are kept; a template becomes one compiled expression that matches in
microseconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from hassil.expression import (
    Alternative,
    Expression,
    Group,
    ListReference,
    Permutation,
    RuleReference,
    Sentence,
    TextChunk,
)
from hassil.parse_expression import parse_sentence

# A blank of a template: already consumed (start of the text, or after a blank), or one blank. Normalised text ends in one.
_BLANK: Final = r"(?:(?<![^ ])| )"
_MAX_DEPTH: Final = 12

MISHEARD: Final = "misheard_"
"""How the names of rules begin that hold a recogniser's spellings, which nobody says."""

Rules = Mapping[str, Sentence]
Match = re.Match[str]


@dataclass(frozen=True, slots=True)
class Shape:
    """What a slot looks like to the expressions, before its value is resolved."""

    pattern: str
    """A regular expression without named groups."""


OPEN: Final = Shape(r"[^ ].*?")
FEW_WORDS: Final = Shape(r"[^ ]+(?: [^ ]+){0,2}?")


def parse(template: str) -> Sentence:
    """Parse one template; raises `ValueError` with hassil's reason."""
    try:
        return parse_sentence(template)
    except Exception as fault:
        raise ValueError(str(fault) or type(fault).__name__) from fault


def compiled(sentence: Sentence, rules: Rules, shapes: Mapping[str, Shape]) -> re.Pattern[str]:
    """Return the expression of a template; raises `ValueError` for unknown rules and slots."""
    numbers = iter(range(1000))
    return re.compile(_BLANK + _expression(sentence.expression, rules, shapes, numbers) + _BLANK)


def _expression(
    node: Expression, rules: Rules, shapes: Mapping[str, Shape], numbers: Iterator[int], depth: int = 0
) -> str:
    if depth > _MAX_DEPTH:
        raise ValueError("its rules refer to each other without end")

    def inner(child: Expression) -> str:
        return _expression(child, rules, shapes, numbers, depth + 1)

    match node:
        case TextChunk():
            return _text(node.text)
        case ListReference():
            return _slot(node, shapes, next(numbers))
        case RuleReference():
            if node.rule_name not in rules:
                raise ValueError(f"there is no rule <{node.rule_name}>")
            return f"(?:{inner(rules[node.rule_name].expression)})"
        case Permutation():
            orders = permutations(node.items)
            return "(?:" + "|".join(_BLANK.join(inner(item) for item in order) for order in orders) + ")"
        case Alternative():
            return "(?:" + "|".join(inner(item) for item in node.items) + ")"
        case Group():
            return "".join(inner(item) for item in node.items)
        case _:
            raise ValueError(f"its part {node!r} is not understood")


def _text(text: str) -> str:
    return _BLANK.join(re.escape(part) for part in re.split(r"\s+", text.casefold()))


def _slot(node: ListReference, shapes: Mapping[str, Shape], number: int) -> str:
    if node.list_name not in shapes:
        raise ValueError(f"there is no list {{{node.list_name}}}")
    # A group's name may stand once in an expression, a slot in every branch of an alternative.
    return f"(?P<{node.slot_name}__{number}>{shapes[node.list_name].pattern})"


def captured(match: re.Match[str]) -> dict[str, tuple[int, int]]:
    """Return where in the text each slot was found, by slot name."""
    return {name.split("__")[0]: match.span(name) for name, value in match.groupdict().items() if value is not None}


def slots(pattern: re.Pattern[str]) -> tuple[str, ...]:
    """Return the names of the slots of an expression."""
    return tuple(dict.fromkeys(name.split("__")[0] for name in pattern.groupindex))


def readable(sentence: Sentence, rules: Rules, most: int) -> tuple[str, ...]:
    """Return up to ``most`` ways to say a template, slots in braces, the plainest first, without misheard spellings."""
    ways = [
        " ".join(_way(sentence.expression, rules, number, fill=fill).split())
        for fill in (False, True)
        for number in range(2 * most)
    ]
    return tuple(dict.fromkeys(way for way in ways if way))[:most]


def _way(node: Expression, rules: Rules, number: int, *, fill: bool) -> str:
    """Return one way to say a part: the alternative of that number, options left out unless they are to be filled."""
    match node:
        case TextChunk():
            return node.text
        case ListReference():
            return f"{{{node.slot_name}}}"
        case RuleReference():
            return _way(rules[node.rule_name].expression, rules, number, fill=fill)
        case Alternative():
            skipped = node.is_optional and not fill
            items = [] if skipped else [item for item in node.items if not _misheard(item)]
            return _way(items[min(number, len(items) - 1)], rules, number, fill=fill) if items else ""
        case Group():
            return "".join(_way(item, rules, number, fill=fill) for item in node.items)
        case _:
            return ""


def _misheard(node: Expression) -> bool:
    if isinstance(node, RuleReference):
        return node.rule_name.startswith(MISHEARD)
    if isinstance(node, Alternative):
        return all(_misheard(item) for item in node.items)
    return isinstance(node, Group) and any(_misheard(item) for item in node.items)
