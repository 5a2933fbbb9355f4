"""Whose turn it is, which card shows, and how a night begins and ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, assert_never

from voice_host.games.game import Earcon, Effect, Say, Seat, StartTimer, Step
from voice_host.games.when_i_dream.deck import Card
from voice_host.games.when_i_dream.evening import countdown_seconds, running_timers
from voice_host.games.when_i_dream.state import Laid, LastGuess, Night, State, Story, left_of

Why = Literal["clue", "card", "pass", "skip"]
"""What moved the turn: an ordinary clue, a new (or replaced) card, a pass, a silence."""


def begin(state: State) -> Step:
    """Open the night: the top card goes under the deck, the next one shows, the time runs."""
    card, deck = state.deck.opened()
    opened = replace(state, deck=deck)
    if card is None:
        return close(opened, (), None)
    night = Night(card, turn=left_of(state, state.round.dreamer))
    seconds = state.options.night_seconds
    timers = [StartTimer("night", seconds)]
    timers += [StartTimer(f"night_{left}", seconds - left) for left in countdown_seconds(state.options)]
    return Step(replace(opened, phase=night), (*timers, _clue_timer(state)))


def go_on(state: State, night: Night, why: Why, effects: Sequence[Effect] = ()) -> Step:
    """Let the giver whose turn it is speak: announced if need be, with the full time to think."""
    said = [Say("turn", {"player": night.turn})] if _announced(state, night, why) else []
    return Step(replace(state, phase=night), (*effects, *said, _clue_timer(state)))


def next_card(state: State, night: Night, turn: Seat, effects: Sequence[Effect] = ()) -> Step:
    """Show the next card, on which that giver begins; the night ends when the deck has none."""
    card, deck = state.deck.drawn()
    drawn = replace(state, deck=deck)
    if card is None:
        return close(drawn, night.cards, None, effects, correctable=night.correctable)
    return go_on(drawn, replace(night, card=card, turn=turn, clued=None), "card", effects)


def first_of_next_card(state: State, night: Night) -> Seat:
    """Return the giver at the left of the one who spoke last; while nobody has spoken the turn stays."""
    return night.turn if night.spoke is None else left_of(state, night.spoke)


def skip(state: State, night: Night) -> Step:
    """Skip a giver who thought too long."""
    skipped = replace(night, turn=left_of(state, night.turn), silent_skips=night.silent_skips + 1)
    return go_on(state, skipped, "skip")


def ring(state: State, night: Night) -> Step:
    """Ring the bell: the time is over, one last guess is waited for."""
    waits = StartTimer(
        "last_guess", state.options.last_guess_seconds, waits_for_speech=state.options.late_speech_counts
    )
    stopped = running_timers(state)
    return Step(replace(state, phase=LastGuess(night)), (*stopped, Earcon("bell"), Say("last_guess"), waits))


def close(
    state: State,
    cards: tuple[Laid, ...],
    shown: Card | None,
    effects: Sequence[Effect] = (),
    *,
    correctable: bool = False,
) -> Step:
    """End the night; a card that shows and was not guessed stays on top of the deck, without effect."""
    after = replace(state, deck=replace(state.deck, shown=shown), phase=Story(cards, correctable=correctable))
    over = Say("night_over", {"dreamer": state.round.dreamer})
    return Step(after, (*running_timers(state), *effects, over))


def _announced(state: State, night: Night, why: Why) -> bool:
    match state.options.announce_turns:
        case "always":
            return True
        case "never":
            return False
        case "adaptive":
            # A table that has been silent for a whole round is thinking or laughing; a host must not nag.
            return why != "clue" and not (why == "skip" and night.silent_skips >= len(state.round.givers))
        case other:
            assert_never(other)


def _clue_timer(state: State) -> StartTimer:
    return StartTimer("clue", state.options.clue_seconds, waits_for_speech=True)
