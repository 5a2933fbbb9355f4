"""What was meant by an utterance: pure, over the n-best, restricted to what may be said now.

Theory of operation
-------------------
Every hypothesis is matched against every template: whole, whole without politeness and hesitation at its ends, sentence by
sentence, and, for a guess, from any word on. Each match has a cost; a lower hypothesis costs more, an open slot costs more than
literal words, an intent that is out of place now costs most. The cheapest wins. An out-of-place command counts only when it is the
whole of the best hypothesis, so that the game can refuse it in a sentence; what people say in talk as well is marked in the
grammar and then means nothing.

While clues are given, one word is a clue, not a command ("time!"), unless the design promises the command ("pass", "foul",
"score"). To give such a word as a clue, say "my clue is score".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from voice_host.dialogue import templates
from voice_host.dialogue.content import bare_content, is_guess, is_nothing, is_only_talk, open_content, several_names
from voice_host.dialogue.grammar import SPEAKER, SPEAKER_IF_KNOWN, Grammar, Template
from voice_host.dialogue.names import SameSound, nearest, spelled_alike
from voice_host.dialogue.spoken import Spoken, normal, spoken, without_edges
from voice_host.games.game import Intent, Listening, Seat, Slot, Utterance

_MOST_HYPOTHESES: Final = 8
_COST_OF_RANK: Final = 0.4
_COST_OF_STRIPPING: Final = 0.05
_COST_OF_WITHIN: Final = 0.1
_COST_OF_OPEN_SLOT: Final = 0.2
_COST_OF_SENTENCE: Final = 0.4
_COST_OUT_OF_PLACE: Final = 1.0
_COST_OF_DOUBT: Final = 2.0
_COST_OF_NAME: Final = 0.5
_LEAST_OF_COMMAND: Final = 0.5
_LEAST_OF_OPEN: Final = 0.02
"""How likely a lower hypothesis must be, as a part of the likeliest: for a command, and for a phrase with an open slot."""
_TALK_WORDS: Final = 12
"""A command may be one sentence among others only in an utterance of at most so many words."""
_DOUBT_WORDS: Final = 2
"""A phrase must have so many words of its own before a slot that cannot be filled is worth a question."""


@dataclass(frozen=True, slots=True)
class Unclear:
    """Something was meant, but a part of it was not understood; the host may ask once."""

    reason: str
    """The slot that could not be filled: ``word``, ``player``, ``card`` or ``number``; names a prompt ``unclear_<reason>``."""
    intent: str


Meaning = tuple[Intent, ...] | Unclear
"""The intents in order (a story and the end of it are two), none when nothing was meant, or what is unclear."""

NOTHING: Final[tuple[Intent, ...]] = ()


@dataclass(frozen=True, slots=True, order=True)
class _Reading:
    cost: float
    rank: int
    template: Template = field(compare=False)
    slots: Mapping[str, str] = field(compare=False)
    missing: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class _At:
    rank: int
    cost: float


@dataclass(frozen=True, slots=True)
class _Form:
    """A stretch of a hypothesis that is matched whole, with its text at hand."""

    words: Spoken
    text: str
    cost: float


@dataclass(frozen=True, slots=True)
class _Situation:
    """All that one utterance is read against."""

    speaker: Seat | None
    listening: Listening
    grammar: Grammar
    same_sound: SameSound

    @property
    def bare(self) -> str | None:
        return self.listening.bare_word.get(self.speaker)

    @property
    def clues_flow(self) -> bool:
        return "clue" in self.listening.bare_word.values()

    def counts(self, template: Template, *, best: bool) -> bool:
        if template.only_if_bare and (self.speaker is None or template.only_if_bare != self.bare):
            return False
        if template.beside and template.beside not in self.listening.intents:
            return False
        if template.intent in self.listening.intents:
            return not (template.loose and self.clues_flow)
        return best and not template.placed_only


def interpret(
    utterance: Utterance,
    speaker: Seat | None,
    listening: Listening,
    grammar: Grammar,
    same_sound: SameSound = spelled_alike,
) -> Meaning:
    """Return what was meant; never raises, whatever the text."""
    situation = _Situation(speaker, listening, grammar, same_sound)
    hypotheses = [spoken(text) for text in utterance.hypotheses[:_MOST_HYPOTHESES]]
    readings = sorted(
        reading
        for rank, hypothesis in enumerate(hypotheses)
        if hypothesis.tokens
        for reading in _readings(hypothesis, rank, situation)
        if _is_likely(reading, situation, utterance)
    )
    if listening.any_speech is not None:
        return _story(readings, hypotheses, situation, utterance)
    if not readings:
        return _bare(hypotheses, situation, utterance)
    best = readings[0]
    if best.missing is not None:
        return Unclear(best.missing, best.template.intent)
    return (_intent(best, readings, situation, utterance),)


def _is_likely(reading: _Reading, situation: _Situation, utterance: Utterance) -> bool:
    """Tell whether a lower hypothesis is likely enough to be taken for what was said: a clue "house" is no "pause" in disguise."""
    if reading.rank == 0 or not utterance.confidences or not situation.clues_flow:
        return True
    least = _LEAST_OF_OPEN if reading.template.open_slot else _LEAST_OF_COMMAND
    return utterance.confidences[reading.rank] >= least * max(utterance.confidences)


def _intent(best: _Reading, readings: Sequence[_Reading], situation: _Situation, utterance: Utterance) -> Intent:
    slot = best.template.open_slot
    found = [
        (reading.rank, reading.slots[slot])
        for reading in readings
        if slot is not None and reading.template.intent == best.template.intent and slot in reading.slots
    ]
    return Intent(best.template.intent, best.slots, situation.speaker, utterance, *_weighed(found, utterance))


def _weighed(found: Sequence[tuple[int, str]], utterance: Utterance) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Return the readings of a slot, each once, with the probabilities of the hypotheses (ranks) that gave it."""
    ranks: dict[str, set[int]] = {}
    for rank, reading in found:
        ranks.setdefault(reading, set()).add(rank)
    if not utterance.confidences:
        return tuple(ranks), ()
    return tuple(ranks), tuple(sum(utterance.confidences[rank] for rank in of) for of in ranks.values())


# --------------------------------------------------------------------------------------------------- matches of templates


def _readings(hypothesis: Spoken, rank: int, situation: _Situation) -> Iterator[_Reading]:
    stripped = without_edges(hypothesis, situation.grammar.skip_words)
    wholes = [_Form(hypothesis, hypothesis.text, 0.0)]
    if 0 < len(stripped.tokens) < len(hypothesis.tokens):
        wholes.append(_Form(stripped, stripped.text, _COST_OF_STRIPPING))
    forms = [*wholes, *_sentences(hypothesis, situation)]
    for template in situation.grammar.templates:
        if not situation.counts(template, best=rank == 0):
            continue
        placed = template.intent in situation.listening.intents
        base = rank * _COST_OF_RANK + (0.0 if placed else _COST_OUT_OF_PLACE)
        for form in forms if placed else wholes:
            meant_now = template.always or (placed and template.placed_only)
            if len(form.words.tokens) == 1 and situation.clues_flow and not meant_now:
                continue
            match = template.pattern.fullmatch(form.text)
            if match is not None:
                reading = _read(template, match, form.words, _At(rank, base + form.cost), situation)
                if reading is not None:
                    yield reading
                    break
        else:
            if template.within and placed:
                yield from _within(template, wholes, _At(rank, base), situation)


def _sentences(hypothesis: Spoken, situation: _Situation) -> list[_Form]:
    if len(hypothesis.tokens) > _TALK_WORDS or situation.listening.any_speech is not None:
        return []
    sentences = hypothesis.sentences()
    if len(sentences) == 1:
        return []
    stripped = (without_edges(sentence, situation.grammar.skip_words) for sentence in sentences)
    return [_Form(sentence, sentence.text, _COST_OF_SENTENCE) for sentence in stripped if len(sentence.tokens) > 1]


def _within(template: Template, wholes: Sequence[_Form], at: _At, situation: _Situation) -> Iterator[_Reading]:
    hypothesis, text, offset = wholes[0].words, wholes[0].text, 0
    for number, token in enumerate(hypothesis.tokens):
        asked = number > 0 and hypothesis.tokens[number - 1].word in situation.grammar.words["questions"]
        match = None if asked else template.pattern.fullmatch(text, offset)
        if match is not None:
            reading = _read(template, match, hypothesis, _At(at.rank, at.cost + _COST_OF_WITHIN), situation)
            if reading is not None and reading.missing is None:
                yield reading
                return
        offset += len(token.word) + 1
    # The phrase without anything after it: the recogniser lost the word, or the dreamer still looks for it.
    last = wholes[-1]
    broken_off = len(last.words.tokens) > _DOUBT_WORDS and last.words.tokens[-1] is hypothesis.tokens[-1]
    match = template.pattern.fullmatch(last.text + "… ") if broken_off else None
    if match is not None and (len(last.text), len(last.text) + 1) in templates.captured(match).values():
        yield _Reading(at.cost + _COST_OF_DOUBT, at.rank, template, {}, template.open_slot)


def _read(
    template: Template, match: templates.Match, stretch: Spoken, at: _At, situation: _Situation
) -> _Reading | None:
    slots: dict[str, str] = {}
    cost = at.cost
    spans = templates.captured(match)
    literal = len(stretch.tokens)
    for name, (start, end) in spans.items():
        piece = stretch.part(stretch.index_at(start), stretch.index_at(end))
        literal -= len(piece.tokens)
        if name == template.open_slot:
            content = piece if name == "text" else open_content(piece, situation.grammar)
            if not _acceptable(template, content, situation):
                return None
            listed = several_names(piece, situation.grammar, _likely(template.intent, name, situation))
            slots[name] = ", ".join(listed) if name == "names" else content.original()
            cost += _COST_OF_OPEN_SLOT
            continue
        value, doubt = _closed(template.intent, name, piece, situation)
        if value is None:
            if literal < _DOUBT_WORDS or template.placed_only:
                return None
            return _Reading(cost + _COST_OF_DOUBT, at.rank, template, {}, name)
        slots[name] = value
        cost += doubt * _COST_OF_NAME + _COST_OF_OPEN_SLOT / 2
    for name, fixed in template.fixed.items():
        if fixed == SPEAKER and situation.speaker is None:
            return _Reading(cost + _COST_OF_DOUBT, at.rank, template, {}, name)
        value = situation.speaker if fixed in {SPEAKER, SPEAKER_IF_KNOWN} else fixed
        if value is not None:
            slots[name] = value
    return _Reading(cost, at.rank, template, slots)


def _acceptable(template: Template, content: Spoken, situation: _Situation) -> bool:
    if template.open_slot == "word":
        known = _likely(template.intent, "word", situation)
        return is_guess(content, situation.grammar, known, from_its_own_seat=situation.speaker is not None)
    if template.open_slot == "text":
        return not (len(content.tokens) == 1 and is_only_talk(content, situation.grammar))  # "no, I said that"
    if template.open_slot == "names":
        return bool(several_names(content, situation.grammar, _likely(template.intent, "names", situation)))
    bare = bare_content(content, situation.grammar)
    return bare is not None and not is_only_talk(bare, situation.grammar)


def _likely(intent: str, slot: str, situation: _Situation) -> tuple[str, ...]:
    return situation.listening.intents.get(intent, {}).get(slot, Slot()).values


def _closed(intent: str, name: str, piece: Spoken, situation: _Situation) -> tuple[str | None, float]:
    """Return the value of a closed slot and how doubtful it is (0..1)."""
    grammar, said = situation.grammar, " ".join(piece.words)
    if name in grammar.numbers:
        number = grammar.numbers[name].get(said)
        return (None if number is None else str(number)), 0.0
    if name in grammar.choices:
        meant = (choice.value for choice in grammar.choices[name] if choice.pattern.fullmatch(said + " "))
        return next(meant, None), 0.0
    slot = situation.listening.intents.get(intent, {}).get(name, Slot())
    names = slot.values or _all_names(name, situation.listening)
    found = nearest(said, names, situation.same_sound, grammar.words["never_names"])
    if found is not None and found[1] >= slot.least_likeness:
        return found[0], 1.0 - found[1]
    is_name = slot.open and bare_content(piece, grammar) is not None and said not in grammar.words["never_names"]
    return (piece.original() if is_name else None), 1.0


def _all_names(name: str, listening: Listening) -> tuple[str, ...]:
    values = (value for slots in listening.intents.values() if name in slots for value in slots[name].values)
    return tuple(dict.fromkeys(values))


# ----------------------------------------------------------------------------------------------- bare words and stories


def _bare(hypotheses: Sequence[Spoken], situation: _Situation, utterance: Utterance) -> tuple[Intent, ...]:
    intent = situation.bare
    if intent is None or not hypotheses or is_nothing(hypotheses[0], situation.grammar):
        return NOTHING
    if intent == "clue" and _is_promised(hypotheses[0], situation):
        return NOTHING  # "ready" or "agree", said too late, is no clue either
    if "player_names" in situation.listening.intents and intent == "player_name":
        names = several_names(hypotheses[0], situation.grammar, _likely("player_names", "names", situation))
        if names:
            return (Intent("player_names", {"names": ", ".join(names)}, situation.speaker, utterance),)
    slots = situation.listening.intents.get(intent, {})
    name = next(iter(slots), "word")
    if name in slots and name in situation.grammar.numbers:
        return _bare_number(hypotheses[0], intent, name, situation, utterance)
    return _bare_words(hypotheses, intent, name, situation, utterance)


def _bare_words(
    hypotheses: Sequence[Spoken], intent: str, name: str, situation: _Situation, utterance: Utterance
) -> tuple[Intent, ...]:
    slots = situation.listening.intents.get(intent, {})
    known = slots[name].values if name in slots else ()
    contents = [bare_content(hypothesis, situation.grammar, known) for hypothesis in hypotheses]
    is_known = contents[0] is not None and normal(contents[0].original()) in map(normal, known)
    if contents[0] is None or (intent != "clue" and not is_known and is_only_talk(contents[0], situation.grammar)):
        return NOTHING
    if name in slots and not slots[name].open:
        value, _ = _closed(intent, name, contents[0], situation)
        return NOTHING if value is None else (Intent(intent, {name: value}, situation.speaker, utterance),)
    found = [(rank, content.original()) for rank, content in enumerate(contents) if content is not None]
    return (Intent(intent, {name: found[0][1]}, situation.speaker, utterance, *_weighed(found, utterance)),)


def _bare_number(
    hypothesis: Spoken, intent: str, name: str, situation: _Situation, utterance: Utterance
) -> tuple[Intent, ...]:
    """Read an utterance that is a number and nothing else; "one" is a number, though it is talk as a noun."""
    number, _ = _closed(intent, name, without_edges(hypothesis, situation.grammar.skip_words), situation)
    return NOTHING if number is None else (Intent(intent, {name: number}, situation.speaker, utterance),)


def _is_promised(hypothesis: Spoken, situation: _Situation) -> bool:
    return any(
        template.always and template.pattern.fullmatch(hypothesis.text) for template in situation.grammar.templates
    )


def _story(
    readings: Sequence[_Reading], hypotheses: Sequence[Spoken], situation: _Situation, utterance: Utterance
) -> Meaning:
    listening = situation.listening
    placed = [r for r in readings if r.template.intent in listening.intents and r.missing is None]
    if placed:
        return (_intent(placed[0], placed, situation, utterance),)
    told = [hypothesis for hypothesis in hypotheses if _tells(hypothesis, situation.grammar)]
    if not told or told[0] is not hypotheses[0] or listening.any_speech is None:
        return NOTHING
    endings = [_ending(hypothesis, situation) for hypothesis in told]
    if endings[0] is not None:
        told = [hypothesis.part(0, end[0]) for hypothesis, end in zip(told, endings, strict=True) if end is not None]
    texts = tuple(dict.fromkeys(hypothesis.original() for hypothesis in told if hypothesis.tokens))
    story = Intent(listening.any_speech, {"text": texts[0]}, situation.speaker, utterance, texts)
    if endings[0] is None:
        return (story,)
    return (story, Intent(endings[0][1], {}, situation.speaker, utterance))


def _tells(hypothesis: Spoken, grammar: Grammar) -> bool:
    """Tell whether there is anything in an utterance beside laughter and hesitation."""
    return not is_nothing(hypothesis, grammar) and bool(without_edges(hypothesis, grammar.skip_words).tokens)


def _ending(hypothesis: Spoken, situation: _Situation) -> tuple[int, str] | None:
    """Return where a phrase begins that ends the story, and its intent."""
    text, offset = hypothesis.text, 0
    tails = [t for t in situation.grammar.templates if t.tail and t.intent in situation.listening.intents]
    for number, token in enumerate(hypothesis.tokens):
        before = hypothesis.tokens[number - 1].word if number else ""
        if number and before not in situation.grammar.words["unless_after"]:
            for template in tails:
                if template.pattern.fullmatch(text, offset):
                    return number, template.intent
        offset += len(token.word) + 1
    return None
