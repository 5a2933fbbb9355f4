"""Telling a guess, a clue or a name from table talk that merely looks like one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from voice_host.dialogue.grammar import Grammar
from voice_host.dialogue.spoken import Spoken, normal, without_edges

_BARE_WORDS: Final = 3
_GUESS_WORDS: Final = 6
_ANNOTATION: Final = re.compile(r"\s*[\[(*♪].*[\])*♪]\s*\.?\s*")


def is_nothing(hypothesis: Spoken, grammar: Grammar) -> bool:
    """Tell whether an utterance is laughter, a ghost of silence, an annotation such as ``[Music]``, or an interjection."""
    words = hypothesis.words
    if not words or _ANNOTATION.fullmatch(hypothesis.written):
        return True
    text = " ".join(words)
    if text in grammar.words["nothing"]:
        return True
    # Laughter of any length, and interjections said twice.
    return len(words) > 1 and all(word in grammar.words["nothing"] for word in words)


def open_content(rest: Spoken, grammar: Grammar) -> Spoken:
    """Return what stands after a phrase, to the end of its sentence, without the hesitation before it."""
    hesitations = grammar.words["hesitations"]
    first = 0
    while first + 1 < len(rest.tokens) and rest.tokens[first].word in hesitations:
        first += 1
    for number, token in enumerate(rest.tokens[first:], first):
        if token.closes and token.word not in grammar.words["articles"]:
            return rest.part(first, number + 1)
    return rest.part(first)


def noun_phrase(content: Spoken, grammar: Grammar) -> tuple[str, ...]:
    """Return the words of the first noun phrase, without articles."""
    articles, breaks = grammar.words["articles"], grammar.words["breaks"]
    found: list[str] = []
    for token in content.tokens:
        if found and token.word in breaks:
            break
        if found or token.word not in articles:
            found.append(token.word)
        if found and (token.pauses or token.closes):
            break
    return tuple(found)


def is_guess(content: Spoken, grammar: Grammar, known: Sequence[str], *, from_its_own_seat: bool) -> bool:
    """Tell whether what stands after a guess phrase names a thing; talk ("I guess we should ...") does not.

    Known words name a thing whatever they look like; so does one word after an article ("is it a which?": a witch).
    """
    phrase = noun_phrase(content, grammar)
    said = " ".join(phrase)
    if said in grammar.words["homophones"] or any(word.casefold() == said for word in known):
        return True
    if not phrase or phrase[0] in grammar.words["never_first"]:
        return False
    if len(phrase) == 1 and content.words[0] in grammar.words["articles"] and said not in grammar.words["nothing"]:
        return True
    if _is_talk(phrase, grammar):
        return False
    return from_its_own_seat or len(phrase) <= _GUESS_WORDS


def bare_content(hypothesis: Spoken, grammar: Grammar, known: Sequence[str] = ()) -> Spoken | None:
    """Return the short noun phrase that an utterance consists of, or None when it is anything else; a known word always is."""
    content = without_edges(hypothesis, grammar.skip_words)
    if content.tokens and any(" ".join(content.words) == normal(word) for word in known):
        return content
    if not content.tokens:  # a clue may be "man": a word that is dropped beside others
        content = hypothesis if len(hypothesis.tokens) == 1 else content
    first = 0
    while first + 1 < len(content.tokens) and content.tokens[first].word in grammar.words["articles"]:
        first += 1
    content = content.part(first)
    words = content.words
    if not 0 < len(words) <= _BARE_WORDS or any(word in grammar.words["talk"] for word in words):
        return None
    if len(set(words)) == 1 and len(words) == _BARE_WORDS and words[0] in grammar.words["nothing"]:
        return None
    return None if normal(content.original()) in grammar.words["nothing"] else content


def several_names(content: Spoken, grammar: Grammar, known: Sequence[str]) -> tuple[str, ...]:
    """Return the names of an utterance that lists several ("Amy, Ben and Cleo"), or none when it does not.

    Two parts need an "and" between them ("Mary, Ann" is one name), and half of the parts must be known names: talk has commas.
    """
    joins = grammar.words["joins"]
    parts: list[Spoken] = []
    first = 0
    for number, token in enumerate(content.tokens, 1):
        ends = token.pauses or token.closes or number == len(content.tokens)
        if token.word in joins or ends:
            parts.append(content.part(first, number - 1 if token.word in joins else number))
            first = number
    parts = [without_edges(part, grammar.skip_words) for part in parts]
    names = [part.original() for part in parts if part.tokens]
    sure = {normal(name) for name in known}
    sounds_like_names = all(
        len(part.tokens) < _BARE_WORDS and bare_content(part, grammar, known) is not None
        for part in parts
        if part.tokens
    )
    enough = len(names) > 1 + (not joins & set(content.words))
    is_list = enough and sounds_like_names and sum(normal(name) in sure for name in names) * 2 >= len(names)
    return tuple(names) if is_list else ()


def is_only_talk(content: Spoken, grammar: Grammar) -> bool:
    """Tell whether a noun phrase is one of the adjectives and adverbs that talk consists of ("funny", "over")."""
    return _is_talk(content.words, grammar)


def _is_talk(words: tuple[str, ...], grammar: Grammar) -> bool:
    return any(word in grammar.words["talk"] for word in words) or " ".join(words) in (
        grammar.words["alone"] | grammar.words["nothing"]
    )
