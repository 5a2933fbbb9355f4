"""What may be said in one language: templates per intent, and the little words that tell talk from commands.

The files are hassil's (``intents``, ``lists``, ``expansion_rules``, ``skip_words``), with three additions:

- ``metadata`` of a group of sentences: ``context`` (for the table of phrases), ``within: true`` (the phrase counts anywhere
  in an utterance and its open slot takes the rest), ``tail: true`` (counts at the end of a story), ``always: true`` (a phrase
  promised by the design: one word of it is a command even while one-word clues are expected), ``loose: true`` (said in talk as
  well: counts only where the intent is in place and no clues are being given), ``placed_only: true`` (counts only where the
  intent is in place), ``only_if_bare: INTENT`` (counts only from a seat whose bare words mean that intent), ``beside: INTENT``
  (counts only while that one may be meant, too);
- ``out_of_place: nothing`` beside an intent's ``data``: all its groups count only where the intent is in place;
- ``slots`` of a group with the value ``@speaker``: the seat that spoke (``@speaker?``: without it the slot stays away);
- ``words``: the little words that tell talk from commands; the comments in the file say what each list is for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import yaml
from hassil.expression import Sentence
from hassil.numbers import get_rbnf_engine

from voice_host.dialogue import templates
from voice_host.dialogue.spoken import normal


class GrammarError(ValueError):
    """A grammar file cannot be used; the message names the file, the intent and the template."""


SPEAKER: Final = "@speaker"
"""The value of a fixed slot that stands for the seat that spoke."""
SPEAKER_IF_KNOWN: Final = "@speaker?"
"""The same, where the slot may be missing when nobody knows who spoke."""

WORD_LISTS: Final = (
    "articles",
    "talk",
    "alone",
    "never_first",
    "homophones",
    "joins",
    "hesitations",
    "breaks",
    "questions",
    "unless_after",
    "nothing",
    "never_names",
)


@dataclass(frozen=True, slots=True)
class Template:
    """One line of grammar, ready to match."""

    intent: str
    text: str
    """As written in the file."""
    sentence: Sentence = field(repr=False, compare=False)
    pattern: re.Pattern[str] = field(repr=False)
    context: str = "any"
    fixed: Mapping[str, str] = field(default_factory=dict)
    """Slots that the phrase itself decides."""
    within: bool = False
    tail: bool = False
    always: bool = False
    loose: bool = False
    placed_only: bool = False
    """It means nothing where its intent is out of place (a ``yes`` at night)."""
    only_if_bare: str | None = None
    beside: str | None = None
    open_slot: str | None = None
    """The slot that takes any words, if the template has one."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a closed list with the ways to say it."""

    pattern: re.Pattern[str]
    value: str


@dataclass(frozen=True, slots=True)
class Grammar:
    """All that may be said in one language; immutable."""

    language: str
    templates: tuple[Template, ...]
    rules: Mapping[str, Sentence] = field(repr=False)
    choices: Mapping[str, tuple[Choice, ...]] = field(repr=False)
    """Closed lists (roles, kinds of fouls) by slot name."""
    numbers: Mapping[str, Mapping[str, int]] = field(repr=False)
    """Lists of numbers by slot name: normalised words to the number."""
    skip_words: tuple[tuple[str, ...], ...] = ()
    """Hesitations and politeness, in words, longest first."""
    words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The additions under ``words``."""

    @property
    def intents(self) -> tuple[str, ...]:
        """Return the names of all intents, in the order of the files."""
        return tuple(dict.fromkeys(template.intent for template in self.templates))


def parse_grammar(sources: Mapping[str, str]) -> Grammar:
    """Read grammar files (name to YAML text); raises `GrammarError` naming file, intent and template."""
    files = {name: _mapping(name, text) for name, text in sources.items()}
    language = next((str(content["language"]) for content in files.values() if "language" in content), "")
    if not language:
        raise GrammarError(f"None of the grammar files {', '.join(files)} names its language.")
    rules = dict(_rules(files))
    choices = dict(_choices(files, rules))
    numbers = dict(_numbers(files, language))
    opened = {
        slot for content in files.values() for slot, list_ in content.get("lists", {}).items() if list_.get("wildcard")
    }
    shapes = (
        dict.fromkeys(opened, templates.OPEN)
        | dict.fromkeys(numbers, templates.FEW_WORDS)
        | {slot: templates.Shape("|".join(c.pattern.pattern for c in found)) for slot, found in choices.items()}
        | dict.fromkeys(_closed_by_the_game(files), templates.FEW_WORDS)
    )
    return Grammar(
        language,
        tuple(_templates(files, rules, shapes, frozenset(opened))),
        rules,
        choices,
        numbers,
        tuple(sorted((tuple(normal(w).split()) for f in files.values() for w in f.get("skip_words", ())), key=len))[
            ::-1
        ],
        {name: frozenset(_words(files, name)) for name in WORD_LISTS},
    )


def _words(files: Mapping[str, Mapping[str, Any]], name: str) -> Iterator[str]:
    for file, content in files.items():
        for entry in content.get("words", {}).get(name, ()):
            for word in entry if isinstance(entry, list) else [entry]:
                if not isinstance(word, str):  # YAML reads a bare no, yes, on, off and true as something else
                    raise GrammarError(f"{file}, words {name}: {word!r} is no text; write it in quotes.")
                yield normal(word)


def _mapping(name: str, text: str) -> dict[str, Any]:
    try:
        content = yaml.safe_load(text)
    except yaml.YAMLError as fault:
        raise GrammarError(f"{name} is not YAML: {' '.join(str(fault).split())}") from fault
    if not isinstance(content, dict) or not isinstance(content.get("intents", {}), dict):
        raise GrammarError(f"{name} is no grammar: it has no mapping of intents.")
    return content


def _parsed(where: str, text: object) -> Sentence:
    try:
        return templates.parse(str(text))
    except ValueError as fault:
        raise GrammarError(f"{where}: the template {text!r} is malformed: {fault}.") from fault


def _rules(files: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, Sentence]]:
    for name, content in files.items():
        for rule, text in content.get("expansion_rules", {}).items():
            yield rule, _parsed(f"{name}, rule <{rule}>", text)


def _choices(
    files: Mapping[str, Mapping[str, Any]], rules: Mapping[str, Sentence]
) -> Iterator[tuple[str, tuple[Choice, ...]]]:
    for name, content in files.items():
        for slot, list_ in content.get("lists", {}).items():
            if "values" not in list_:
                continue
            found = []
            for value in list_["values"]:
                said, meant = (value["in"], str(value["out"])) if isinstance(value, dict) else (value, str(value))
                where = f"{name}, list {{{slot}}}"
                try:
                    found.append(Choice(templates.compiled(_parsed(where, said), rules, {}), meant))
                except ValueError as fault:
                    raise GrammarError(f"{where}: the value {said!r} is malformed: {fault}.") from fault
            yield slot, tuple(found)


def _numbers(files: Mapping[str, Mapping[str, Any]], language: str) -> Iterator[tuple[str, Mapping[str, int]]]:
    for content in files.values():
        for slot, list_ in content.get("lists", {}).items():
            if "range" not in list_:
                continue
            engine = get_rbnf_engine(language)
            said: dict[str, int] = {}
            for number in range(int(list_["range"]["from"]), int(list_["range"]["to"]) + 1):
                said[str(number)] = number
                for form in engine.format_number(number).text_by_ruleset.values():
                    said.setdefault(normal(form), number)
            # How recognisers write the small numbers; the true words come first.
            for number, heard in list_.get("heard_as", {}).items():
                said |= {normal(str(text)): int(number) for text in heard}
            yield slot, said


def _closed_by_the_game(files: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    for content in files.values():
        yield from (slot for slot, list_ in content.get("lists", {}).items() if list_.get("from_game"))


def _templates(
    files: Mapping[str, Mapping[str, Any]],
    rules: Mapping[str, Sentence],
    shapes: Mapping[str, templates.Shape],
    opened: frozenset[str],
) -> Iterator[Template]:
    for file, content in files.items():
        for intent, body in content.get("intents", {}).items():
            if not isinstance(intent, str):
                raise GrammarError(f"{file}, intent {intent!r}: its name is no text; write it in quotes.")
            for group in body.get("data", ()):
                placed_only = body.get("out_of_place") == "nothing"
                for template in _group(f"{file}, intent {intent}", group, rules, shapes):
                    opens = next((slot for slot in templates.slots(template.pattern) if slot in opened), None)
                    yield replace(
                        template,
                        intent=intent,
                        placed_only=placed_only or template.placed_only or template.loose,
                        open_slot=opens,
                    )


def _group(
    where: str, group: Mapping[str, Any], rules: Mapping[str, Sentence], shapes: Mapping[str, templates.Shape]
) -> Iterator[Template]:
    metadata = group.get("metadata", {})
    sentences: Sequence[object] = group.get("sentences", ())
    if not sentences:
        raise GrammarError(f"{where}: a group has no sentences.")
    for text in sentences:
        sentence = _parsed(where, text)
        try:
            pattern = templates.compiled(sentence, rules, shapes)
        except ValueError as fault:
            raise GrammarError(f"{where}: the template {text!r} is malformed: {fault}.") from fault
        yield Template(
            "",
            str(text),
            sentence,
            pattern,
            str(metadata.get("context", "any time")),
            {name: str(value) for name, value in group.get("slots", {}).items()},
            within=bool(metadata.get("within")),
            tail=bool(metadata.get("tail")),
            always=bool(metadata.get("always")),
            loose=bool(metadata.get("loose")),
            placed_only=bool(metadata.get("placed_only")),
            only_if_bare=metadata.get("only_if_bare"),
            beside=metadata.get("beside"),
        )
