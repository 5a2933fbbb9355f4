"""The frame around the nights: who dreams next, dealing roles, scoring a night, the end of the evening."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from random import Random
from typing import Final

from voice_host.games.game import Effect, Say, Seat, Step, StopTimer
from voice_host.games.seats import clockwise
from voice_host.games.when_i_dream import scores
from voice_host.games.when_i_dream.deck import shuffled
from voice_host.games.when_i_dream.options import CAN_BE_UNLIMITED, Options
from voice_host.games.when_i_dream.roles import Role, deal
from voice_host.games.when_i_dream.state import (
    Between,
    Falling,
    Finished,
    Laid,
    LastGuess,
    Night,
    NightResult,
    Review,
    Round,
    State,
    left_of,
)

_LIMITS: Final = {field.name: field.default for field in fields(Options) if field.name in CAN_BE_UNLIMITED}
"""The rules' own limits, which need not be said."""


def start(options: Options, rng: Random) -> Step:
    """Shuffle the deck, seat the players and let the first evening fall."""
    seed = rng.getrandbits(64)
    present = frozenset(options.players)
    state = State(
        options=options,
        seed=seed,
        seats=options.players,
        present=present,
        dreamt=frozenset(),
        deck=shuffled(options.cards, options.upcoming, rng),
        round=_round(options, seed, 1, options.players, options.players[0]),
        phase=Falling(dealt=True),
        wishes={seat: True for seat in options.players if seat in options.told},
    )
    falling = _evening_falls(replace(state, dreamt=frozenset(options.players[:1])))
    begins = Say("evening_begins", {"players": options.players})
    return Step(falling.state, (begins, *_limits(options), *falling.effects))


def next_dreamer(state: State) -> Seat | None:
    """Return who dreams in the next round, or None when the evening is over."""
    left = state.options.rounds
    if left is not None and state.round.number >= left:
        return None
    awake = () if left is not None else state.dreamt
    order = clockwise(state.seats, state.round.dreamer)
    return next((seat for seat in order if seat in state.present and seat not in awake), None)


def begin_round(state: State, dreamer: Seat) -> Step:
    """Pass blindfold and role cards on; who is away when the turn to dream comes is passed over for good."""
    order = clockwise(state.seats, state.round.dreamer)
    passed = order[: order.index(dreamer) + 1]
    number = state.round.number + 1
    return _evening_falls(
        replace(
            state,
            round=_round(state.options, state.seed, number, state.players, dreamer),
            dreamt=state.dreamt.union(passed),
        )
    )


def end_round(state: State, effects: tuple[Effect, ...]) -> Step:
    """Go on to the next round as soon as the table is ready, or end the evening when nobody is left to dream."""
    dreamer = next_dreamer(state)
    if dreamer is None:
        return finish(state, effects)
    totals = tuple(Say("totals", {"player": seat, "points": points}) for seat, points in state.totals.items())
    asked = Say("ask_ready", {"dreamer": dreamer})
    return Step(replace(state, phase=Between()), (*effects, *totals, asked))


def score_night(
    state: State,
    cards: tuple[Laid, ...],
    told: frozenset[str],
    roles: Mapping[Seat, Role],
    effects: tuple[Effect, ...] = (),
) -> Step:
    """Give everybody the points of the night and put its cards back under the deck."""
    yellow = [laid.card.word for laid in cards if laid.yellow]
    missed = tuple(word.text for word in yellow if word.id not in told)
    earned = not missed and (bool(yellow) or state.options.bonus_without_yellow)
    bonus = state.options.bonus if earned else 0
    dreamer = state.round.dreamer
    points = scores.night_points(dreamer, roles, len(yellow), len(cards) - len(yellow), bonus)
    said: list[Effect] = []
    if earned:
        said.append(Say("bonus_earned", {"dreamer": dreamer}))
    elif missed:
        said.append(Say("bonus_missed", {"dreamer": dreamer, "words": missed}))
    else:
        said.append(Say("no_bonus"))
    for seat, gained in points.items():
        prompt = "night_points_with_bonus" if bonus and seat == dreamer else "night_points"
        said.append(Say(prompt, {"player": seat, "points": gained}))
    result = NightResult(state.round, roles, cards, told, bonus, points)
    after = replace(state, nights=(*state.nights, result), deck=state.deck.put_under(laid.card for laid in cards))
    return end_round(after, (*effects, *said))


def finish(state: State, effects: tuple[Effect, ...] = ()) -> Step:
    """End the evening with the scores as they are: penalty cards are taken off, the winners are named."""
    penalties = state.penalty_counts
    final = {seat: points - penalties[seat] for seat, points in state.totals.items()}
    best = scores.winners(final, penalties)
    said: list[Effect] = [Say("evening_over")]
    said += [Say("penalty_points", {"player": seat, "count": count}) for seat, count in penalties.items() if count]
    said += [Say("final_total", {"player": seat, "points": points}) for seat, points in final.items()]
    if len(best) == 1:
        said.append(Say("winner", {"player": best[0], "points": final[best[0]]}))
    else:
        said.append(Say("winners", {"players": best, "points": final[best[0]]}))
    stopped = running_timers(state)
    return Step(replace(state, phase=Finished(final, best)), (*stopped, *effects, *said))


def running_timers(state: State) -> tuple[StopTimer, ...]:
    """Stop whatever may be running in the phase."""
    match state.phase:
        case Night():
            countdown = (f"night_{left}" for left in countdown_seconds(state.options))
            ticks = (f"tick_{left}" for left in tick_seconds(state.options))
            return tuple(StopTimer(name) for name in ("night", *countdown, *ticks, "clue", "hesitation"))
        case LastGuess():
            return (StopTimer("last_guess"),)
        case Review(appeal=appeal) if appeal is not None:
            return (StopTimer("appeal"),)
        case _:
            return ()


def countdown_seconds(options: Options) -> tuple[int, ...]:
    """Return the times left that are said, in seconds, as far as the night is longer."""
    return tuple(left for left in options.countdown_seconds if left < options.night_seconds)


def tick_seconds(options: Options) -> tuple[int, ...]:
    """Return the times left at which a second ticks, as far as the night is longer."""
    return tuple(left for left in range(options.tick_seconds, 0, -1) if left < options.night_seconds)


def night_falls(state: State) -> Say:
    """Tell who closes the eyes and who gives the first clue; the night begins when it has been heard."""
    dreamer = state.round.dreamer
    return Say("night_falls", {"dreamer": dreamer, "first": left_of(state, dreamer)})


def _limits(options: Options) -> tuple[Say, ...]:
    """Tell the limits of time that are not the rules': nobody shall wait for a bell that does not come."""
    said = []
    for name, default in _LIMITS.items():
        seconds, prompt = getattr(options, name), name.removesuffix("_seconds")
        if seconds == 0:
            said.append(Say(f"{prompt}_unlimited"))
        elif seconds != default:
            said.append(
                Say(f"{prompt}_lasts", {"seconds": round(seconds) if seconds == round(seconds) else round(seconds, 1)})
            )
    return tuple(said)


def _evening_falls(state: State) -> Step:
    if state.round.roles is None and state.options.already_dealt and state.round.number == 1:
        return Step(replace(state, phase=Falling(dealt=True)), (night_falls(state),))
    if state.round.roles is None:
        asked = Say("deal_roles", {"dreamer": state.round.dreamer})
        return Step(replace(state, phase=Falling(dealt=False)), (asked,))
    told = tuple(Say("your_role", {"role": role.value}, seat) for seat, role in state.round.roles.items())
    return Step(replace(state, phase=Falling(dealt=True)), (Say("roles_dealt"), *told, night_falls(state)))


def _round(options: Options, seed: int, number: int, players: tuple[Seat, ...], dreamer: Seat) -> Round:
    givers = clockwise(players, dreamer)[:-1]
    rigged = options.rigged_roles[number - 1] if number <= len(options.rigged_roles) else None
    roles = None
    if options.deal == "host" or rigged:
        roles = deal(len(players), givers, rigged or {}, Random(f"{seed} round {number}"))
    return Round(number, dreamer, givers, len(players), roles)
