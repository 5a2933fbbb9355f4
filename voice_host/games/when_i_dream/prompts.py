"""Everything When I Dream may ask the host to say, show or play, with the slots of each; languages write their messages for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PHASES: Final = ("falling", "night", "last_guess", "story", "review", "role_reveal", "between", "finished")
"""The names in ``view(...)["phase"]``; for each there is a help prompt ``help_<phase>``."""

ROLES: Final = ("fairy", "boogeyman", "sandman")
"""The values of every slot ``role``."""

FOUL_KINDS: Final = ("contains", "derived", "sounds_like", "translates", "far_fetched")
"""The values of every slot ``kind``."""

VERDICTS: Final = ("right", "wrong", "unsure")
"""The values of every slot ``verdict``."""

EARCONS: Final = ("noted", "next_card", "tick", "bell", "day")
"""The short sounds the game asks for; the night's are the same whatever the hidden word is."""

TIMERS: Final = (
    *("night", "night_60", "night_30", "night_10", "tick_5", "tick_4", "tick_3", "tick_2", "tick_1"),
    *("clue", "hesitation", "last_guess", "appeal"),
)
"""The timers the game starts; ``night_<n>`` and ``tick_<n>`` end n seconds before ``night``."""

_EVENING: Final[Mapping[str, tuple[str, ...]]] = {
    "evening_begins": ("players",),
    "night_lasts": ("seconds",),  # said where the limits are not the rules'
    "night_unlimited": (),
    "clue_lasts": ("seconds",),
    "clue_unlimited": (),
    "deal_roles": ("dreamer",),  # the table deals its own cards and then says "ready"
    "roles_dealt": (),
    "your_role": ("role",),  # to one seat
    "night_falls": ("dreamer", "first"),  # the night's time begins when this has been heard
    "ask_ready": ("dreamer",),
    "round_skipped": ("dreamer",),  # the dreamer left: the night does not count
    "player_left": ("player",),
    "player_joined": ("player",),
    "too_few_left": (),
    "stopped": (),
    "evening_over": (),
    "penalty_points": ("player", "count"),
    "final_total": ("player", "points"),
    "winner": ("player", "points"),
    "winners": ("players", "points"),
}

_NIGHT: Final[Mapping[str, tuple[str, ...]]] = {
    "turn": ("player",),
    "clue_tapped": ("word",),  # given by a finger: the dreamer is to hear it, too
    "turn_waits": ("player",),  # nobody has spoken for a while
    "guess_noted": ("word",),  # the word as it was heard
    "guess_corrected": ("word",),
    "card_given_up": (),
    "foul_called": ("player",),  # also tells that the card is replaced
    "foul_withdrawn": (),
    "countdown": ("seconds",),
    "last_guess": (),
    "night_over": ("dreamer",),  # still blindfolded, the dreamer shall tell the dream
}

_DAY: Final[Mapping[str, tuple[str, ...]]] = {
    "dream_told": (),
    "day_breaks": ("dreamer",),
    "review_begins": ("count",),
    "review_guess": ("number", "word", "heard", "verdict"),
    "review_given_up": ("number", "word"),
    "review_penalty": ("player", "word"),
    "review_nothing": (),
    "ask_objections": (),
    "appeal_opened": ("number",),
    "appeal_granted": ("number", "verdict"),
    "appeal_denied": ("number",),
    "ask_roles": ("players",),
    "role_heard": ("player", "role"),
    "roles_missing": ("players",),
    "roles_cleared": ("players",),  # the claims are forgotten; all say theirs again
    "role_shown": ("player", "role"),
    "bonus_earned": ("dreamer",),
    "bonus_missed": ("dreamer", "words"),
    "no_bonus": (),  # without a yellow word there is none
    "night_points": ("player", "points"),
    "night_points_with_bonus": ("player", "points"),
    "totals": ("player", "points"),
}

_ON_REQUEST: Final[Mapping[str, tuple[str, ...]]] = {
    "whose_turn": ("player",),
    "score_now": ("player", "points"),
    "score_nothing": (),  # no round is finished yet
    "turns_told": ("player",),  # that player is told each turn from now on
    "turns_told_all": (),
    "turns_not_told": ("player",),
    "turns_not_told_all": (),
}

_REFUSALS: Final[Mapping[str, tuple[str, ...]]] = {
    "refuse_not_now": (),
    "refuse_paused": (),
    "refuse_evening_is_over": (),
    "refuse_only_at_night": (),  # a guess, clue, pass, give-up, foul by day
    "refuse_time_is_over": (),  # a clue or a pass after the bell
    "refuse_night_not_over": (),  # "I wake up" at night
    "refuse_no_dream_to_tell": (),  # "I wake up" by day
    "refuse_only_in_review": (),
    "refuse_roles_later": (),
    "refuse_not_waiting": (),  # "ready", but nobody is waited for
    "refuse_join_between_rounds": (),
    "refuse_only_dreamer_guesses": ("dreamer",),
    "refuse_only_dreamer_gives_up": ("dreamer",),
    "refuse_only_dreamer_corrects": ("dreamer",),
    "refuse_only_dreamer_wakes": ("dreamer",),
    "refuse_dreamer_gives_no_clues": (),
    "refuse_dreamer_cannot_pass": (),
    "refuse_dreamer_calls_no_foul": (),
    "refuse_dreamer_makes_no_foul": ("player",),
    "refuse_not_your_turn": ("player",),  # who is to speak
    "refuse_no_word": (),
    "refuse_nobody_spoke": (),  # a foul without a name and without a clue on this card
    "refuse_foul_already_called": ("player",),
    "refuse_nothing_to_withdraw": (),
    "refuse_nothing_to_correct": (),
    "refuse_no_such_player": ("player",),
    "refuse_no_such_card": ("number",),
    "refuse_given_up_stays": ("number",),
    "refuse_already_appealed": ("number",),
    "refuse_appeal_open": ("number",),
    "refuse_no_appeal_open": (),
    "refuse_no_such_role": (),
    "refuse_dreamer_has_no_role": ("player",),
    "refuse_role_all_taken": ("role", "players"),  # who said before to have it
    "refuse_nobodys_turn": (),
    "refuse_already_here": ("player",),
    "refuse_table_full": (),
}

PROMPTS: Final[Mapping[str, tuple[str, ...]]] = {**_EVENING, **_NIGHT, **_DAY, **_ON_REQUEST, **_REFUSALS}
"""Prompt name to the slots it always has; players, words are lists, count, number, points, seconds are numbers."""

NIGHT_PROMPTS: Final = tuple(name for name in _NIGHT if name != "night_over")
"""What is said while clues are given: each takes about a second at most."""

FLAGS: Final[Mapping[str, tuple[str, ...]]] = {
    "clue_fault": ("player", "kind", "clue"),
    "hidden_word_heard": ("word",),
    "out_of_turn": ("player", "turn"),
}
"""What only the table's screen may show, with its slots."""
