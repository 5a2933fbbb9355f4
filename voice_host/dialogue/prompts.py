"""The words of the host: Fluent messages, filled, with the players' names as parts of their own.

A message is one prompt. Its attributes are other wordings of the same prompt; which one is said is chosen by a number that the
caller hands in, so that an evening told again says the same. Everything that could be wrong with a language's file is found
by `check` before the evening begins.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from babel.lists import format_list
from fluent.runtime import FluentBundle
from fluent.syntax import FluentParser
from fluent.syntax import ast as ftl

from voice_host.games.game import SlotValue

_LOG = logging.getLogger(__name__)

NAME_SLOTS: Final = frozenset({"player", "players", "dreamer", "first"})
"""The slots that hold players' names, or lists of them."""

# Marks around a name while a message is filled; private use, so that no language's text holds them.
_OPENS, _CLOSES = "\ue000", "\ue001"
_NAME: Final = re.compile(f"{_OPENS}([^{_CLOSES}]*){_CLOSES}")


class PromptError(ValueError):
    """A language's prompts cannot be used; the message names the prompt and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Text:
    """A part of a prompt that the host's own voice says."""

    text: str


@dataclass(frozen=True, slots=True)
class Name:
    """A part of a prompt that is a player's name, which may be played in the player's own voice."""

    player: str


Segment = Text | Name


class Prompts:
    """All prompts of one language; immutable after it is built."""

    def __init__(self, language: str, ftl_text: str) -> None:
        """Read a Fluent file; raises `PromptError` naming the line that is malformed."""
        self._language = language
        resource = FluentParser().parse(ftl_text)
        for entry in resource.body:
            if isinstance(entry, ftl.Junk):
                line = ftl_text[: entry.span.start if entry.span else 0].count("\n") + 1
                reason = entry.annotations[0].message if entry.annotations else "it is malformed"
                raise PromptError(f"The prompts of {language} are malformed in line {line}: {reason}.")
        self._messages = {entry.id.name: entry for entry in resource.body if isinstance(entry, ftl.Message)}
        self._bundle: Any = FluentBundle([language], use_isolating=False)
        self._bundle.add_resource(resource)

    @property
    def names(self) -> frozenset[str]:
        """Return the names of all prompts there are."""
        return frozenset(self._messages)

    def variants(self, prompt: str) -> int:
        """Return how many wordings a prompt has."""
        return 1 + len(self._messages[prompt].attributes)

    def text(self, prompt: str, slots: Mapping[str, SlotValue], variant: int = 0) -> str:
        """Return what the host says; raises `PromptError` for a prompt that the language does not have."""
        return "".join(
            part.text if isinstance(part, Text) else part.player for part in self.segments(prompt, slots, variant)
        )

    def segments(self, prompt: str, slots: Mapping[str, SlotValue], variant: int = 0) -> tuple[Segment, ...]:
        """Return what the host says in parts, so that each name can be played from the player's own recording."""
        if prompt not in self._messages:
            raise PromptError(f"The prompts of {self._language} have no message {prompt!r}.")
        message = self._bundle.get_message(prompt)
        wordings = [message.value, *message.attributes.values()]
        filled = {name: self._value(name, value) for name, value in slots.items()}
        said, errors = self._bundle.format_pattern(wordings[variant % len(wordings)], filled)
        for error in errors:  # found by `check` before the evening; Fluent says the rest of the sentence
            _LOG.error("prompt %s: %s", prompt, error)
        return tuple(_parts(" ".join(str(said).split())))

    def check(self, tables: Mapping[str, tuple[str, ...]]) -> None:
        """Verify that each prompt of a table has a message that takes none but its slots; raises `PromptError`."""
        for prompt, slots in tables.items():
            if prompt not in self._messages:
                raise PromptError(f"The prompts of {self._language} have no message {prompt!r}.")
            unknown = sorted(_variables(self._messages[prompt]) - set(slots))
            if unknown:
                raise PromptError(
                    f"The message {prompt!r} of {self._language} uses {', '.join(f'${name}' for name in unknown)},"
                    f" but the prompt has only: {', '.join(slots) or 'no slots'}."
                )

    def _value(self, name: str, value: SlotValue) -> str | int:
        if isinstance(value, int):
            return value
        values = (value,) if isinstance(value, str) else value
        if name in NAME_SLOTS:
            values = tuple(f"{_OPENS}{player}{_CLOSES}" for player in values)
        return str(format_list(list(values), locale=self._language.replace("-", "_")))


def _parts(text: str) -> Iterator[Segment]:
    for number, piece in enumerate(_NAME.split(text)):
        if piece:
            yield Name(piece) if number % 2 else Text(piece)


def _variables(message: ftl.Message) -> set[str]:
    found: set[str] = set()

    def visit(node: object) -> None:
        if isinstance(node, ftl.VariableReference):
            found.add(node.id.name)
        elif isinstance(node, ftl.BaseNode):
            for value in vars(node).values():
                visit(value)
        elif isinstance(node, list):
            for value in node:
                visit(value)

    visit(message)
    return found
