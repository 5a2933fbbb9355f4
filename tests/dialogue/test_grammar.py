"""A grammar file that cannot be used is refused with the place of its fault; the table of phrases is made from it."""

from __future__ import annotations

import re

import pytest

from voice_host.dialogue.grammar import Grammar, GrammarError, parse_grammar
from voice_host.dialogue.phrases import as_text, phrase_table

_GOOD = """
language: en
intents:
  guess:
    data:
      - sentences: ["<lead> {word}"]
expansion_rules: {lead: "(my guess is|is it|<misheard_lead>)", misheard_lead: "(my guest is)"}
lists: {word: {wildcard: true}}
"""


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (_GOOD.replace("<lead> {word}", "<lead {word}"), ["x.yaml", "guess", "<lead {word}"]),
        (_GOOD.replace("<lead> {word}", "(my guess"), ["x.yaml", "guess", "(my guess"]),
        (_GOOD.replace("<lead> {word}", "<led> {word}"), ["x.yaml", "guess", "<led>"]),
        (_GOOD.replace("<lead> {word}", "<lead> {wrod}"), ["x.yaml", "guess", "{wrod}"]),
        (_GOOD.replace('["<lead> {word}"]', "[]"), ["x.yaml", "guess", "no sentences"]),
        (_GOOD.replace("my guest is)", "my guest is"), ["x.yaml", "<misheard_lead>"]),
        (_GOOD.replace('"(my guest is)"', '"<lead>"'), ["x.yaml", "guess", "without end"]),
        (_GOOD.replace("  guess:", "  no:"), ["x.yaml", "False", "quotes"]),
        (_GOOD + "words: {talk: [yes]}", ["x.yaml", "True", "quotes"]),
        (_GOOD.replace("language: en", ""), ["x.yaml", "language"]),
        ("intents: [", ["x.yaml", "YAML"]),
        ("- nothing", ["x.yaml", "no grammar"]),
    ],
)
def test_a_malformed_grammar_names_file_intent_and_template(text: str, named: list[str]) -> None:
    with pytest.raises(GrammarError, match=r"x\.yaml") as refused:
        parse_grammar({"x.yaml": text})
    assert [part for part in named if part not in str(refused.value)] == []


def test_a_small_grammar_is_read() -> None:
    grammar = parse_grammar({"x.yaml": _GOOD})
    assert grammar.intents == ("guess",)
    assert [template.open_slot for template in grammar.templates] == ["word"]


def test_misheard_spellings_are_understood_but_not_listed() -> None:
    grammar = parse_grammar({"x.yaml": _GOOD})
    assert grammar.templates[0].pattern.fullmatch("my guest is dragon ")
    assert [phrase.ways for phrase in phrase_table(grammar)] == [("my guess is {word}", "is it {word}")]


def test_the_table_of_phrases_has_every_line_once_and_is_readable(grammar: Grammar) -> None:
    rows = phrase_table(grammar)
    assert len(rows) == len(grammar.templates)
    ways = [way for row in rows for way in row.ways]
    assert all(row.ways for row in rows)
    assert [way for way in ways if re.search(r"[<>()|\[\]]|  ", way)] == []


def test_the_table_of_phrases_goes_by_context_and_intent(grammar: Grammar) -> None:
    keys = [(row.context, row.intent) for row in phrase_table(grammar)]
    assert len(set(keys)) == sum(1 for number, key in enumerate(keys) if number == 0 or keys[number - 1] != key)


def test_every_listed_way_without_slots_is_understood_as_its_line(grammar: Grammar) -> None:
    lines: dict[tuple[str, str], list[re.Pattern[str]]] = {}
    for template in grammar.templates:
        lines.setdefault((template.context, template.intent), []).append(template.pattern)
    for row in phrase_table(grammar):
        for way in row.ways:
            if "{" not in way:
                assert any(pattern.fullmatch(way.casefold() + " ") for pattern in lines[row.context, row.intent]), way


def test_numbers_are_words_digits_and_what_they_are_heard_as(grammar: Grammar) -> None:
    cards = grammar.numbers["card"]
    assert [cards[said] for said in ("two", "2", "to", "second", "twenty two", "110")] == [2, 2, 2, 2, 22, 110]


def test_the_table_of_phrases_reads_as_headings_and_rows(grammar: Grammar) -> None:
    lines = as_text(phrase_table(grammar)).splitlines()
    assert lines[0] == "Any time"
    assert lines[1].split("  ")[1:2] == ["pause"]
    assert any(line.endswith("foul on {player}") for line in lines)
    assert [line for line in lines if len(line) > 160] == []
