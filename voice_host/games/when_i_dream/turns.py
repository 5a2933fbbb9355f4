"""Whose turn it is, which card shows, and how a night begins and ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, assert_never

from voice_host.games.game import Earcon, Effect, Say, Seat, StartTimer, Step, StopTimer
from voice_host.games.when_i_dream.deck import Card
from voice_host.games.when_i_dream.evening import countdown_seconds, running_timers, tick_seconds
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
    timers = [StartTimer("night", seconds)] if seconds else []
    timers += [StartTimer(f"night_{left}", seconds - left) for left in countdown_seconds(state.options)]
    timers += [StartTimer(f"tick_{left}", seconds - left) for left in tick_seconds(state.options)]
    return Step(replace(opened, phase=night), (*timers, *_clue_timer(state)))


def go_on(state: State, night: Night, why: Why, effects: Sequence[Effect] = ()) -> Step:
    """Let the giver whose turn it is speak: announced if need be, with the full time to think."""
    said = [Say("turn", {"player": night.turn})] if _announced(state, night, why) else []
    hesitation = _hesitation(state, night, why)
    return Step(replace(state, phase=night), (*effects, *said, *_clue_timer(state), hesitation))


def remind(state: State, night: Night) -> Step:
    """Say whose turn it is to a table that hesitates."""
    return Step(state, (Say("turn_waits", {"player": night.turn}),))


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
    match _manner(state, night.turn):
        case "always":
            return True
        case "never":
            return False
        case "adaptive":
            return why != "clue" and not (why == "skip" and _is_silent(state, night))
        case other:
            assert_never(other)


def _manner(state: State, seat: Seat) -> Literal["adaptive", "always", "never"]:
    """Return how a seat is told its turns: as the seat asked, else as the table likes."""
    manner = state.options.announce_turns
    match state.wishes.get(seat):
        case None:
            return manner
        case True:
            return "always"
        case False:
            return "adaptive" if manner == "always" else manner
        case other:
            assert_never(other)


def _is_silent(state: State, night: Night) -> bool:
    """Tell whether a whole round of givers was skipped: such a table thinks or laughs, and a host must not nag."""
    return night.silent_skips >= len(state.round.givers)


def _hesitation(state: State, night: Night, why: Why) -> StartTimer | StopTimer:
    """Wait for a giver who was not announced, to be reminded once; nobody else needs it."""
    seconds = state.options.hesitation_seconds
    waits = why == "clue" and _manner(state, night.turn) == "adaptive" and _is_before_skip(state)
    return StartTimer("hesitation", seconds, waits_for_speech=True) if waits else StopTimer("hesitation")


def _is_before_skip(state: State) -> bool:
    return not state.options.clue_seconds or state.options.hesitation_seconds < state.options.clue_seconds


def _clue_timer(state: State) -> tuple[StartTimer, ...]:
    """Give the giver time to think; without a limit nobody is skipped."""
    seconds = state.options.clue_seconds
    return (StartTimer("clue", seconds, waits_for_speech=True),) if seconds else ()
