"""The table of what can be said, made from the grammar itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from voice_host.dialogue import templates
from voice_host.dialogue.grammar import Grammar

_WAYS_PER_TEMPLATE: Final = 3


@dataclass(frozen=True, slots=True)
class Phrase:
    """One row: what one line of grammar lets people say."""

    context: str
    """When it may be said."""
    intent: str
    ways: tuple[str, ...]
    """A few readable forms of it, the plainest first; what varies stands in braces, as in ``foul on {player}``."""


def phrase_table(grammar: Grammar) -> tuple[Phrase, ...]:
    """Return a row for each line of the grammar, grouped by context and intent in the order of the files."""
    rows = list(_rows(grammar))
    contexts = list(dict.fromkeys(row.context for row in rows))
    intents = list(grammar.intents)
    return tuple(sorted(rows, key=lambda row: (contexts.index(row.context), intents.index(row.intent))))


def _rows(grammar: Grammar) -> Iterator[Phrase]:
    for template in grammar.templates:
        ways = templates.readable(template.sentence, grammar.rules, _WAYS_PER_TEMPLATE)
        yield Phrase(template.context, template.intent, ways)


def as_text(rows: Sequence[Phrase]) -> str:
    """Return the table as lines to read: a heading for each context, then intent and ways."""
    width = max((len(row.intent) for row in rows), default=0)
    lines: list[str] = []
    context = intent = ""
    for row in rows:
        if row.context != context:
            lines += ["", f"{row.context[:1].upper()}{row.context[1:]}"]
            context, intent = row.context, ""
        lines.append(f"  {row.intent if row.intent != intent else '':<{width}}  {' · '.join(row.ways)}")
        intent = row.intent
    return "\n".join(lines[1:]) + "\n"
