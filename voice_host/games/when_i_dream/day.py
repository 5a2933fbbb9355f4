"""The day: the dream is told, the judgements are read and may be overruled, the roles are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from voice_host.games.game import Earcon, Effect, Intent, Say, StartTimer, Step, StopTimer
from voice_host.games.seats import refuse, seat_named
from voice_host.games.when_i_dream.evening import score_night
from voice_host.games.when_i_dream.roles import Role, role_is_taken
from voice_host.games.when_i_dream.state import Appeal, Laid, Review, RoleReveal, State, Story
from voice_host.matching.words import Verdict


def story(state: State, phase: Story, intent: Intent) -> Step:
    """Turn the words that are mentioned, silently: the dreamer is still blindfolded and shall not learn which count."""
    if intent.speaker not in {None, state.round.dreamer}:
        return Step(state)
    words = tuple(laid.card.word for laid in phase.cards)
    told = phase.told.union(state.options.measures.mentioned(intent.slots.get("text", ""), words))
    return Step(replace(state, phase=replace(phase, told=told, correctable=False)))


def wake_up(state: State, phase: Story, intent: Intent) -> Step:
    """End the dream: the blindfold comes off and the judgements are read."""
    if intent.speaker not in {None, state.round.dreamer}:
        return refuse(state, "only_dreamer_wakes", dreamer=state.round.dreamer)
    said: list[Effect] = [Say("dream_told"), Earcon("day"), Say("day_breaks", {"dreamer": state.round.dreamer})]
    penalties = [penalty for penalty in state.penalties if penalty.round == state.round.number]
    if not phase.cards and not penalties:
        said.append(Say("review_nothing"))
    else:
        said.append(Say("review_begins", {"count": len(phase.cards)}))
        said += [_read(number, laid) for number, laid in enumerate(phase.cards, start=1)]
        said += [Say("review_penalty", {"player": lost.player, "word": lost.card.word.text}) for lost in penalties]
    if phase.cards and state.options.appeals:
        return Step(replace(state, phase=Review(phase.cards, phase.told)), (*said, Say("ask_objections")))
    return _show_roles(state, phase.cards, phase.told, tuple(said))


# ----------------------------------------------------------------------------------------------------------------- appeals


def appeal(state: State, phase: Review, intent: Intent) -> Step:
    """Open a vote on one guess; each judgement is voted on once, and a card that was given up was not judged."""
    if phase.appeal is not None:
        return refuse(state, "appeal_open", number=phase.appeal.number)
    text = intent.slots.get("card", "")
    number = int(text) if text.isdecimal() else 0
    if not 1 <= number <= len(phase.cards):
        return refuse(state, "no_such_card", number=text)
    laid = phase.cards[number - 1]
    if laid.heard is None:
        return refuse(state, "given_up_stays", number=number)
    if laid.appealed:
        return refuse(state, "already_appealed", number=number)
    votes = {} if intent.speaker is None else {intent.speaker: True}
    opened = replace(phase, appeal=Appeal(number, intent.speaker, votes))
    said = Say("appeal_opened", {"number": number})
    return Step(
        replace(state, phase=opened), (said, StartTimer("appeal", state.options.appeal_seconds, waits_for_speech=True))
    )


def agree(state: State, phase: Review, intent: Intent) -> Step:
    """Count a voice for overruling the judgement."""
    return _vote(state, phase, intent, agrees=True)


def disagree(state: State, phase: Review, intent: Intent) -> Step:
    """Count a voice for letting the judgement stand."""
    return _vote(state, phase, intent, agrees=False)


def _vote(state: State, phase: Review, intent: Intent, *, agrees: bool) -> Step:
    # Everybody has one voice, the dreamer too: by day all are at the table and each has something to win.
    open_appeal = phase.appeal
    if open_appeal is None:
        return refuse(state, "no_appeal_open")
    if intent.speaker is not None and open_appeal.votes.get(intent.speaker) is agrees:
        return Step(state)
    if intent.speaker is not None:
        voted = replace(open_appeal, votes={**open_appeal.votes, intent.speaker: agrees})
    elif agrees:
        voted = replace(open_appeal, agreed=open_appeal.agreed + 1)
    else:
        voted = replace(open_appeal, disagreed=open_appeal.disagreed + 1)
    return settle_if_decided(replace(state, phase=replace(phase, appeal=voted)))


def settle_if_decided(state: State) -> Step:
    """Close the open vote as soon as more than half of the players agree on it, or as many voices as players are heard."""
    if not isinstance(state.phase, Review) or state.phase.appeal is None:
        return Step(state)
    agreed, disagreed = _voices(state.phase.appeal)
    players = len(state.present)
    if agreed * 2 > players or disagreed * 2 > players or agreed + disagreed >= players:
        return settle(state, state.phase, (StopTimer("appeal"),))
    return Step(state)


def settle(state: State, phase: Review, effects: tuple[Effect, ...] = ()) -> Step:
    """Close the open vote by what was voted and ask for further objections."""
    after, said = _decided(phase)
    return Step(replace(state, phase=after), (*effects, *said, Say("ask_objections")))


def no_objections(state: State, phase: Review, _: Intent) -> Step:
    """End the review; a vote that is still open is closed by what was voted."""
    said: tuple[Effect, ...] = ()
    if phase.appeal is not None:
        phase, said = _decided(phase)
        said = (StopTimer("appeal"), *said)
    return _show_roles(state, phase.cards, phase.told, said)


def _decided(phase: Review) -> tuple[Review, tuple[Effect, ...]]:
    decided = phase.appeal
    if decided is None:
        return phase, ()
    agreed, disagreed = _voices(decided)
    # The one who appeals is not a majority: without any second voice the judgement stands.
    by_others = decided.agreed + sum(agrees for seat, agrees in decided.votes.items() if seat != decided.by)
    # An appeal of which nobody knows whose it is may be seconded by its own voice: that takes two.
    seconded = by_others >= (1 if decided.by is not None else 2)
    laid = phase.cards[decided.number - 1]
    said = Say("appeal_denied", {"number": decided.number})
    verdict = laid.verdict
    if agreed > disagreed and seconded:
        verdict = Verdict.WRONG if laid.yellow else Verdict.RIGHT
        said = Say("appeal_granted", {"number": decided.number, "verdict": verdict.value})
    cards = list(phase.cards)
    cards[decided.number - 1] = replace(laid, verdict=verdict, appealed=True)
    return Review(tuple(cards), phase.told), (said,)


def _voices(cast: Appeal) -> tuple[int, int]:
    agreed = sum(cast.votes.values())
    return agreed + cast.agreed, len(cast.votes) - agreed + cast.disagreed


def _read(number: int, laid: Laid) -> Say:
    word = laid.card.word.text
    if laid.heard is None:
        return Say("review_given_up", {"number": number, "word": word})
    return Say("review_guess", {"number": number, "word": word, "heard": laid.heard, "verdict": laid.verdict.value})


# ------------------------------------------------------------------------------------------------------------------- roles


def claim_role(state: State, phase: RoleReveal, intent: Intent) -> Step:
    """Hear which role card a giver holds; the claims must fit the set, one card of which lies face down."""
    name = intent.slots.get("player") or intent.speaker or ""
    seat = seat_named(state.seats, name)
    if seat == state.round.dreamer:
        return refuse(state, "dreamer_has_no_role", player=state.round.dreamer)
    if seat is None or seat not in state.round.givers:
        return refuse(state, "no_such_player", player=name)
    if intent.slots.get("role") not in {known.value for known in Role}:
        return refuse(state, "no_such_role")
    role = Role(intent.slots["role"])
    if phase.claims.get(seat) is role:
        return Step(state, (Say("role_heard", {"player": seat, "role": role.value}),))
    if role_is_taken(state.round.players, phase.claims, seat, role):
        holders = tuple(other for other, claimed in phase.claims.items() if claimed is role)
        return refuse(state, "role_all_taken", role=role.value, players=holders)
    claimed = replace(phase, claims={**phase.claims, seat: role})
    return score_if_all_claimed(state, claimed, (Say("role_heard", {"player": seat, "role": role.value}),))


def clear_claims(state: State, phase: RoleReveal, _: Intent) -> Step:
    """Forget all claims, so that a role which was misheard does not block the others."""
    if not phase.claims:
        return refuse(state, "nothing_to_withdraw")
    cleared = replace(state, phase=replace(phase, claims={}))
    return Step(cleared, (Say("roles_cleared", {"players": state.round.givers}),))


def score_if_all_claimed(state: State, phase: RoleReveal, effects: tuple[Effect, ...] = ()) -> Step:
    """Score the night when every giver who is still there has said a role."""
    if any(seat not in phase.claims for seat in state.round.givers):
        return Step(replace(state, phase=phase), effects)
    return score_night(state, phase.cards, phase.told, _in_order(state, phase.claims), effects)


def roles_missing(state: State, phase: RoleReveal, _: Intent) -> Step:
    """Tell whose role has not been said yet; the table that is ready too early shall know whom it waits for."""
    missing = tuple(seat for seat in state.round.givers if seat not in phase.claims)
    return Step(state, (Say("roles_missing", {"players": missing}),))


def _show_roles(state: State, cards: tuple[Laid, ...], told: frozenset[str], effects: tuple[Effect, ...] = ()) -> Step:
    if state.round.roles is None:
        asked = Say("ask_roles", {"players": state.round.givers})
        return Step(replace(state, phase=RoleReveal(cards, told)), (*effects, asked))
    roles = _in_order(state, state.round.roles)
    shown = tuple(Say("role_shown", {"player": seat, "role": role.value}) for seat, role in roles.items())
    return score_night(state, cards, told, roles, (*effects, *shown))


def _in_order(state: State, roles: Mapping[str, Role]) -> Mapping[str, Role]:
    return {seat: roles[seat] for seat in state.round.givers}
