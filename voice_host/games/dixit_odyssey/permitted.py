"""What may be said in each phase, and why not what may not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from voice_host.games.dixit_odyssey.ballots import all_in, missing_voters, voters, wants_red
from voice_host.games.dixit_odyssey.codes import all_codes
from voice_host.games.dixit_odyssey.giving import missing_givers
from voice_host.games.dixit_odyssey.reveal import wanted
from voice_host.games.dixit_odyssey.state import Finished, Giving, Idea, Owners, Phase, State, Telling, Voting
from voice_host.games.game import Listening, Seat, Slot

_ALWAYS: Final = ("score", "stop_game")
_VOTES: Final = ("vote", "change_vote", "red_vote", "code_vote", "red_code")
_IN_PLAY: Final = (*_ALWAYS, "leave", "whose_turn", "my_cards")

SURE: Final = 0.75
"""How alike what was heard must be to a code word: the words are far apart, and talk is none."""

_PLACES: Final[Mapping[type[Phase], tuple[str, ...]]] = {
    Idea: (*_IN_PLAY, "have_idea", "tell", "ready"),
    Telling: (*_IN_PLAY, "tell", "sound", "give", "take_back"),
    Giving: (*_IN_PLAY, "correct_words", "repeat", "give", "take_back", "put_down", "all_down"),
    Voting: (*_IN_PLAY, "repeat", "read_cards", *_VOTES, "take_back", "show_votes", "ready"),
    Owners: (*_IN_PLAY, "repeat", "claim_card", "take_back"),
    Finished: ("score",),
}

_REASONS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("have_idea", "tell", "sound", "correct_words"), "words_are_said"),
    **dict.fromkeys(("give", "put_down", "all_down"), "no_cards_now"),
    **dict.fromkeys((*_VOTES, "show_votes"), "no_votes_now"),
    "claim_card": "no_owners_now",
    "join": "no_joining",
    "ready": "nothing_waits",
    "take_back": "nothing_to_take_back",
    "repeat": "no_words_yet",
    "read_cards": "no_cards_lie",
}

_BEFORE_WORDS: Final = dict.fromkeys(("give", "put_down", "all_down", "vote", "correct_words"), "words_first")
_TOO_EARLY: Final[Mapping[type[Phase], Mapping[str, str]]] = {
    Idea: _BEFORE_WORDS,
    Telling: _BEFORE_WORDS,
    Giving: dict.fromkeys((*_VOTES, "show_votes"), "cards_first"),
    Voting: {"red_vote": "no_red_vote", "red_code": "no_red_vote", "code_vote": "no_codes"},
}


def permitted(state: State) -> tuple[str, ...]:
    """Return the names of the intents that have a place now."""
    names = _PLACES[type(state.phase)]
    if state.paused is not None:
        return tuple(name for name in names if name in _ALWAYS)
    barred = set(_out_of_place(state))
    return tuple(name for name in names if name not in barred)


def why_not(state: State, intent: str) -> str:
    """Return the reason for refusing an intent that has no place now."""
    if isinstance(state.phase, Finished):
        return "game_is_over"
    if state.paused is not None:
        return "paused"
    early = _TOO_EARLY.get(type(state.phase), {})
    if intent in early:
        return early[intent]
    if intent == "my_cards" or (intent in {"give", "read_cards"} and state.boxed):
        return "cards_unseen"
    return _REASONS.get(intent, "not_now")


def listening(state: State) -> Listening:
    """Tell what may be said now; a short number means whatever the host has just asked for."""
    names = permitted(state)
    slots = _slots(state)
    intents = {name: slots.get(name, {}) for name in names}
    return Listening(
        intents,
        _bare(state) if state.paused is None else {},
        any_speech="tell" if isinstance(state.phase, Telling) and "tell" in names else None,
        only_of=only_of(state),
        secret=frozenset({"give", "vote", "change_vote", "red_vote"}),
    )


def _out_of_place(state: State) -> Iterator[str]:
    if state.boxed:
        yield from ("my_cards", "read_cards", "give")
    else:
        yield "put_down"
    match state.phase:
        case Telling(given):
            if state.options.mode == "party":
                yield "give"
            if not given:
                yield "take_back"
        case Voting():
            if not state.way.red_vote:
                yield from ("red_vote", "red_code")
            if state.options.ballot != "secret":
                yield from ("code_vote", "red_code")
        case _:
            pass


def only_of(state: State) -> Mapping[str, tuple[Seat, ...]]:
    """Tell whose an intent is, where the rules would refuse it to everybody else."""
    teller = state.turn.storyteller
    if teller is None:
        return {}
    only: dict[str, tuple[Seat, ...]] = dict.fromkeys(
        ("have_idea", "tell", "sound", "correct_words", "red_vote", "red_code"), (teller,)
    )
    match state.phase:
        case Telling():
            only["give"] = (teller,)
        case Giving(given):
            only |= dict.fromkeys(("give", "put_down"), missing_givers(state, given))
        case Voting() as voting:
            only |= {"vote": missing_voters(state, voting), "change_vote": tuple(voting.votes)}
        case _:
            pass
    return only


def _bare(state: State) -> Mapping[Seat | None, str]:
    match state.phase:
        case Giving(given) if not state.boxed:
            missing = missing_givers(state, given)
            return {**dict.fromkeys(missing, "give"), **({None: "give"} if len(missing) == 1 else {})}
        case Voting() as voting if state.options.ballot == "secret":
            return {None: "code_vote", **dict.fromkeys(voters(state, voting), "code_vote")}
        case Voting() as voting if not all_in(state, voting):
            asked = "vote" if missing_voters(state, voting) else "red_vote"
            said: dict[Seat | None, str] = dict.fromkeys(voters(state, voting), "vote")
            if wants_red(state, voting) and state.turn.storyteller in voting.votes:
                said[state.turn.storyteller] = "red_vote"
            return {**said, None: asked}
        case Owners():
            return {None: "claim_card", **dict.fromkeys(state.players, "claim_card")}
        case _:
            return {}


def _slots(state: State) -> Mapping[str, Mapping[str, Slot]]:
    players = Slot(state.players)
    laid = len(state.phase.laid) if isinstance(state.phase, Voting | Owners) else 0
    held = max((len(hand) for hand in state.hands.values()), default=0)
    card, in_hand = Slot(_numbers(laid)), Slot(_numbers(held))
    asks_for_card = isinstance(state.phase, Owners) and wanted(state, state.phase) == 0
    code = Slot(_codes(state), least_likeness=SURE)
    # What is asked for stands first: a short answer fills it.
    claim = {"card": card, "player": players} if asks_for_card else {"player": players, "card": card}
    return {
        "have_idea": {"player": players},
        "tell": {"text": Slot(open=True)},
        "correct_words": {"text": Slot(open=True)},
        "give": {"card": in_hand, "second": in_hand, "player": players},
        "put_down": {"player": players},
        "take_back": {"player": players},
        "vote": {"card": card, "second": card, "player": players},
        "change_vote": {"card": card, "second": card, "player": players},
        "red_vote": {"card": card},
        "code_vote": {"code": code, "second_code": code},
        "red_code": {"code": code},
        "claim_card": claim,
        "leave": {"player": players},
        "my_cards": {"player": players},
    }


def _codes(state: State) -> tuple[str, ...]:
    """Return all code words that may be said now, in an order that tells nothing."""
    if not isinstance(state.phase, Voting) or state.options.ballot != "secret":
        return ()
    return tuple(sorted(all_codes(state, state.phase, voters(state, state.phase))))


def _numbers(count: int) -> tuple[str, ...]:
    return tuple(str(number) for number in range(1, count + 1))
