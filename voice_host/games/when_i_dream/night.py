"""The night: clues, passes, guesses, giving up, and correcting what was heard.

What the room hears here must not depend on the hidden word: each function decides from what was said alone what is heard,
and compares with the card only for the zones and for flags on the table's screen. The rulebook's one exception is a foul that
the host calls by itself (`Options.referee` is ``auto``).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from voice_host.games.game import Earcon, Effect, Flag, Intent, Say, Step
from voice_host.games.seats import refuse
from voice_host.games.when_i_dream.deck import Card
from voice_host.games.when_i_dream.fouls import call
from voice_host.games.when_i_dream.state import Laid, LastGuess, Night, State, Story, left_of
from voice_host.games.when_i_dream.turns import close, first_of_next_card, go_on, next_card
from voice_host.matching.words import Verdict

WORDS_OF_ECHO: Final = 4
LONGEST_ECHO: Final = 40
"""Letters; a longer echo would keep the ear shut, and no card holds so much."""


def clue(state: State, night: Night, intent: Intent) -> Step:
    """Take a clue; of an unknown speaker it counts as the clue of the giver whose turn it is."""
    word = intent.slots.get("word", "").strip()
    if not word:
        return refuse(state, "no_word")
    if intent.speaker == state.round.dreamer:
        return refuse(state, "dreamer_gives_no_clues")
    giver = intent.speaker or night.turn
    if giver not in state.round.givers:
        return refuse(state, "no_such_player", player=giver)
    flags: list[Effect] = []
    if giver != night.turn:
        flags.append(Flag("out_of_turn", {"player": giver, "turn": night.turn}))
    fault = None if state.options.referee == "off" else state.options.measures.clue_fault(word, night.card.word)
    if intent.speaker is None and _is_hidden(state, word, night.card):
        flags.append(Flag("hidden_word_heard", {"word": word}))
    elif fault is not None:
        flags.append(Flag("clue_fault", {"player": giver, "kind": fault.value, "clue": word}))
    given = replace(
        night, turn=left_of(state, giver), spoke=giver, clued=giver, silent_skips=0, correctable=False, foul=None
    )
    if fault is not None and state.options.referee == "auto" and intent.speaker is not None:
        return call(state, given, giver, fault, tuple(flags))
    return go_on(state, given, "clue", flags)


def pass_turn(state: State, night: Night, intent: Intent) -> Step:
    """Let the giver whose turn it is pass."""
    if intent.speaker == state.round.dreamer:
        return refuse(state, "dreamer_cannot_pass")
    if intent.speaker not in {None, night.turn}:
        return refuse(state, "not_your_turn", player=night.turn)
    passed = replace(night, turn=left_of(state, night.turn), spoke=night.turn, silent_skips=0)
    return go_on(state, passed, "pass")


def guess(state: State, night: Night, intent: Intent) -> Step:
    """Take the dreamer's one guess for the card: what was heard is repeated, nothing else is said."""
    if intent.speaker not in {None, state.round.dreamer}:
        return _giver_guesses(state, night, intent)
    word = _heard(state, intent)
    if not word:
        return refuse(state, "no_word")
    laid = Laid(night.card, word, _verdict(state, intent, word, night.card))
    return _lay(state, night, laid, Say("guess_noted", {"word": word}))


def _giver_guesses(state: State, night: Night, intent: Intent) -> Step:
    """Refuse, and let the referee look at what the giver said: it may have been the hidden word."""
    refused = refuse(state, "only_dreamer_guesses", dreamer=state.round.dreamer)
    giver, word = intent.speaker, _heard(state, intent)
    fault = None if state.options.referee == "off" else state.options.measures.clue_fault(word, night.card.word)
    if giver is None or fault is None:
        return refused
    flag = Flag("clue_fault", {"player": giver, "kind": fault.value, "clue": word})
    if state.options.referee == "auto" and isinstance(state.phase, Night) and giver in state.round.givers:
        return call(state, replace(night, spoke=giver, clued=giver, correctable=False), giver, fault, (flag,))
    return Step(state, (*refused.effects, flag))


def give_up(state: State, night: Night, intent: Intent) -> Step:
    """Take the card as given up: blue; after the bell it means no last guess, and the card stays without effect."""
    if intent.speaker not in {None, state.round.dreamer}:
        return refuse(state, "only_dreamer_gives_up", dreamer=state.round.dreamer)
    if isinstance(state.phase, LastGuess):
        return close(state, night.cards, night.card)
    return _lay(state, night, Laid(night.card, None, Verdict.WRONG), Say("card_given_up"))


def wake_up(state: State, night: Night, intent: Intent) -> Step:
    """End a night without a limit of time, when the dreamer wants; the card that shows stays without effect."""
    if intent.speaker not in {None, state.round.dreamer}:
        return refuse(state, "only_dreamer_wakes", dreamer=state.round.dreamer)
    return close(state, night.cards, night.card, correctable=night.correctable)


def correct_guess(state: State, phase: Night | Story, intent: Intent) -> Step:
    """Judge the last guess anew by what the dreamer says it was; possible until the next clue is spoken."""
    if intent.speaker not in {None, state.round.dreamer}:
        return refuse(state, "only_dreamer_corrects", dreamer=state.round.dreamer)
    if not phase.correctable:
        return refuse(state, "nothing_to_correct")
    word = _heard(state, intent)
    if not word:
        return refuse(state, "no_word")
    last = phase.cards[-1]
    corrected = replace(last, heard=word, verdict=_verdict(state, intent, word, last.card))
    after = replace(phase, cards=(*phase.cards[:-1], corrected))
    said = (Earcon("noted"), Say("guess_corrected", {"word": word}))
    if isinstance(after, Story):
        return Step(replace(state, phase=after), said)
    if isinstance(state.phase, LastGuess):
        return Step(replace(state, phase=LastGuess(after)), said)
    return go_on(state, after, "clue", said)


def _lay(state: State, night: Night, laid: Laid, said: Say) -> Step:
    correctable = laid.heard is not None and state.options.corrections
    settled = replace(night, cards=(*night.cards, laid), correctable=correctable, foul=None, silent_skips=0)
    effects = (Earcon("noted"), said)
    if isinstance(state.phase, LastGuess):
        return close(state, settled.cards, None, effects, correctable=correctable)
    return next_card(state, settled, first_of_next_card(state, night), effects)


def _heard(state: State, intent: Intent) -> str:
    """Return what is echoed: the guess as it was heard, found without a look at the hidden word."""
    heard = state.options.measures.spoken_guess(intent.readings or (intent.slots.get("word", ""),)).strip()
    return " ".join(heard[:LONGEST_ECHO].split()[:WORDS_OF_ECHO])


def _verdict(state: State, intent: Intent, word: str, card: Card) -> Verdict:
    return state.options.measures.judge(intent.readings or (word,), card.word, intent.confidences).verdict


def _is_hidden(state: State, heard: str, card: Card) -> bool:
    same_word = state.options.measures.same_word
    return any(same_word(heard, text) for text in (card.word.text, *card.word.forms))
