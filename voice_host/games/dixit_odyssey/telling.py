"""The idea and the words: who is storyteller, and what the card is called."""

from __future__ import annotations

from dataclasses import replace

from voice_host.games.dixit_odyssey.asking import hand_told, reminder, said_words
from voice_host.games.dixit_odyssey.state import Giving, Idea, State, Telling
from voice_host.games.game import Intent, Say, Step
from voice_host.games.seats import refuse, seat_named


def have_idea(state: State, intent: Intent) -> Step:
    """Listen to whoever has an idea: in the first turn anybody, later the storyteller."""
    name = intent.slots.get("player") or intent.speaker
    teller = state.turn.storyteller
    if name is None and teller is None:
        return refuse(state, "who_has_idea")
    seat = teller if name is None else seat_named(state.players, name)
    if seat is None:
        return refuse(state, "no_such_player", player=name or "")
    if teller not in {None, seat}:
        return refuse(state, "not_yours", player=teller or "")
    after = replace(state, turn=replace(state.turn, storyteller=seat), phase=Telling())
    return Step(after, (Say("ask_words", {"player": seat}),))


def tell(state: State, intent: Intent) -> Step:
    """Take the storyteller's words; whoever else talks breaks no rule."""
    text = intent.slots.get("text", "").strip()
    if isinstance(state.phase, Idea):
        begun = have_idea(state, replace(intent, slots={}))
        if begun.state is state or not text:
            return begun
        return tell(begun.state, intent)
    if intent.speaker not in {None, state.turn.storyteller}:
        return Step(state)
    if not text:
        return refuse(state, "no_words")
    return _told(state, text)


def sound(state: State, intent: Intent) -> Step:
    """Take what no words are for: a melody, a noise, a gesture."""
    if intent.speaker not in {None, state.turn.storyteller}:
        return refuse(state, "not_yours", player=state.turn.storyteller or "")
    return _told(state, "")


def correct_words(state: State, intent: Intent) -> Step:
    """Let the storyteller say what was misheard, until the cards lie on the table."""
    text = intent.slots.get("text", "").strip()
    if intent.speaker not in {None, state.turn.storyteller}:
        return refuse(state, "not_yours", player=state.turn.storyteller or "")
    if not text:
        return refuse(state, "no_words")
    after = replace(state, turn=replace(state.turn, words=text))
    return Step(after, (said_words(after),))


def repeat(state: State, _: Intent) -> Step:
    """Say the storyteller's words again."""
    return Step(state, (said_words(state),))


def _told(state: State, words: str) -> Step:
    given = state.phase.given if isinstance(state.phase, Telling) else {}
    after = replace(state, turn=replace(state.turn, words=words), phase=Giving(given))
    hands = tuple(say for seat in state.players for say in hand_told(after, seat)) if state.way.hands_pass else ()
    count = state.way.given_by_others
    asked = Say("ask_cards_down" if state.boxed else "ask_cards", {"count": count})
    return Step(after, (said_words(after), *hands, asked, *reminder(state)))
