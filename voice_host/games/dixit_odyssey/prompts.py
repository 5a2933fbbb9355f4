"""Everything Dixit Odyssey may ask the host to say, show or play, with the slots of each; languages write their messages for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from voice_host.games.dixit_odyssey.asking import REMINDER, REVEAL

PHASES: Final = ("idea", "telling", "giving", "voting", "owners", "finished")
"""The names in ``view(...)["phase"]``; for each there is a help prompt ``help_<phase>``."""

EARCONS: Final = ("noted", "next_card")
"""The short sounds the game asks for."""

TIMERS: Final = (REMINDER, REVEAL)
"""The timers the game starts: a long wait for cards or votes, and the time in which votes can still be changed."""

_EVENING: Final[Mapping[str, tuple[str, ...]]] = {
    "odyssey_begins": ("players",),
    "team": ("players",),
    "deal_hands": ("count",),
    "hands_dealt": (),
    "your_card": ("number", "scene"),  # to one seat
    "ask_idea": (),
    "next_storyteller": ("player",),
    "draw_one": (),
    "draw_three": ("player",),  # the storyteller draws one, both others two
    "draw_givers": (),
    "fill_hands": ("count",),
    "pass_hands": (),
    "player_gone": ("player",),
    "team_gone": ("players",),
    "turn_void": (),
    "turn_void_box": (),
    "too_few_for_odyssey": (),
    "stopped": (),
    "odyssey_over": (),
    "final_total": ("player", "points"),
    "final_team_total": ("players", "points"),
    "winner": ("player", "points"),
    "winners": ("players", "points"),
    "winning_team": ("players", "points"),
}

_TURN: Final[Mapping[str, tuple[str, ...]]] = {
    "ask_words": ("player",),
    "words_heard": ("player", "words"),
    "sound_heard": ("player",),
    "ask_cards": ("count",),  # how many each of the others gives
    "ask_cards_down": ("count",),
    "card_given": ("player",),
    "card_taken_back": ("player",),
    "cards_missing": ("players",),
    "lay_cards": ("count",),
    "cards_lie": ("count",),
    "scene_lies": ("number", "scene"),
    "vote_one": (),
    "vote_secret": (),
    "your_code": ("number", "word"),  # to one seat
    "vote_one_or_two": (),
    "ask_vote": ("player",),
    "ask_red_vote": ("player",),
    "vote_heard": ("player", "numbers"),
    "vote_noted": ("player",),  # tapped in secret
    "vote_taken_back": ("player",),
    "red_vote_heard": ("number",),
    "red_vote_noted": (),
    "votes_missing": ("players",),
    "votes_in": (),
}

_REVEAL: Final[Mapping[str, tuple[str, ...]]] = {
    "votes_shown": (),
    "card_got": ("number", "players"),
    "red_lies": ("number",),
    "ask_story_card": ("player",),
    "ask_owner": ("number",),
    "owner_heard": ("number", "player"),
    "claims_cleared": (),
    "own_vote_void": ("player",),
    "own_red_void": ("player",),
    "story_card": ("number", "player"),
    "nobody_voted": (),
    "nobody_found": (),
    "everybody_found": (),
    "found_it": ("players",),
    "fooled": ("player", "players"),  # whose card it was, and who voted for it
    "card_gains": ("number", "player", "points"),
    "voters_gain": ("number", "players", "points"),
    "no_card_gains": (),
    "turn_points": ("player", "points", "total"),
    "team_points": ("players", "points", "total"),
}

_ON_REQUEST: Final[Mapping[str, tuple[str, ...]]] = {
    "cards_told": ("player",),
    "score_now": ("player", "points"),
    "team_score_now": ("players", "points"),
    "score_nothing": (),
}

_REFUSALS: Final[Mapping[str, tuple[str, ...]]] = {
    "refuse_not_now": (),
    "refuse_paused": (),
    "refuse_game_is_over": (),
    "refuse_no_such_player": ("player",),
    "refuse_who_has_idea": (),
    "refuse_not_yours": ("player",),
    "refuse_no_words": (),
    "refuse_no_words_yet": (),
    "refuse_words_are_said": (),
    "refuse_words_first": (),
    "refuse_words_before_cards": (),
    "refuse_cards_first": (),
    "refuse_cards_unseen": (),
    "refuse_no_cards_now": (),
    "refuse_no_cards_lie": (),
    "refuse_who_gives": (),
    "refuse_which_card": (),
    "refuse_has_given": ("player",),
    "refuse_team_has_given": ("player",),
    "refuse_too_many_cards": ("player", "count"),
    "refuse_not_in_hand": ("player", "number"),
    "refuse_cards_missing": ("players",),
    "refuse_nothing_given": ("player",),
    "refuse_nothing_to_take_back": (),
    "refuse_whose_cards": (),
    "refuse_who_votes": (),
    "refuse_no_votes_now": (),
    "refuse_has_voted": ("player",),
    "refuse_team_has_voted": ("player",),
    "refuse_storyteller_votes_not": ("player",),
    "refuse_partner_votes_not": ("player",),
    "refuse_giver_votes_not": ("player",),
    "refuse_votes_equal": ("player",),
    "refuse_one_vote_only": ("player",),
    "refuse_own_card": ("player", "number"),
    "refuse_no_such_card": ("number",),
    "refuse_no_red_vote": (),
    "refuse_no_codes": (),
    "refuse_no_such_code": (),
    "refuse_not_your_code": (),
    "refuse_vote_by_code": (),
    "refuse_nothing_voted": ("player",),
    "refuse_votes_missing": ("players",),
    "refuse_red_vote_missing": ("player",),
    "refuse_whose_card": (),
    "refuse_owns_another": ("player", "number"),
    "refuse_nothing_claimed": (),
    "refuse_no_owners_now": (),
    "refuse_no_joining": (),
    "refuse_nothing_waits": (),
}

PROMPTS: Final[Mapping[str, tuple[str, ...]]] = {**_EVENING, **_TURN, **_REVEAL, **_ON_REQUEST, **_REFUSALS}
"""Prompt name to the slots it always has; players and numbers are lists, count, number, points and total are numbers."""

FLAGS: Final[Mapping[str, tuple[str, ...]]] = {}
"""What only the table's screen may show; nothing in this game."""
