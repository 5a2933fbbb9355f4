"""What an evening is made of: the language's words and measures, the game's module, its options from a journal's JSON."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from voice_host.decks import load_dreams
from voice_host.dialogue.grammar import Grammar, parse_grammar
from voice_host.dialogue.phrases import phrase_table
from voice_host.dialogue.prompts import Prompts
from voice_host.errors import HostError, UsageError
from voice_host.evening import HOST_PROMPTS, Evening
from voice_host.games import GAMES, dixit_odyssey, lobby, when_i_dream
from voice_host.games.dixit_odyssey.deck import Scene
from voice_host.games.dixit_odyssey.ways import MOST_CARDS, PLAYERS
from voice_host.games.game import Game
from voice_host.games.when_i_dream.deck import DreamCard
from voice_host.games.when_i_dream.options import Options
from voice_host.games.when_i_dream.roles import FEWEST_PLAYERS, MOST_PLAYERS, Role
from voice_host.house_rules import DREAM, ODYSSEY
from voice_host.journal import Began
from voice_host.lexicon import load_measures
from voice_host.matching.words import Measures, Word
from voice_host.resources import language_folder
from voice_host.scenes import load_scenes
from voice_host.tables.script import read_text

GRAMMARS: Final = {
    DREAM: ("common.yaml", "when_i_dream.yaml"),
    ODYSSEY: ("common.yaml", "dixit_odyssey.yaml"),
}
"""The files of ``grammars/<language>`` that say what players may say in each game."""

WORDS: Final = {
    DREAM: (when_i_dream.PROMPTS, when_i_dream.PHASES),
    ODYSSEY: (dixit_odyssey.PROMPTS, dixit_odyssey.PHASES),
}
"""What the host says in each game, and the phases there is help for."""

GUESS_PHRASES: Final = 3
"""With how many of the ways to begin a guess each word of the deck is listened for."""

CODE_WORDS: Final = "code_words.txt"
"""The file of a language with the words of secret ballots, one a line."""

LOBBY: Final = "lobby"


class Program:
    """Everything that one game needs in one language, loaded once and when it is first asked for."""

    def __init__(self, language: str, game: str = DREAM) -> None:
        """Name the language; raises `UsageError` when there is no such folder."""
        self.language = language
        self.game = game
        self.folder = language_folder(language)

    @cached_property
    def prompts(self) -> Prompts:
        """The words of the host, none missing; raises `UsageError` when the language's file is broken."""
        with self._reading():
            return self._prompts()

    def _prompts(self) -> Prompts:
        prompts = Prompts(self.language, (self.folder / "prompts.ftl").read_text(encoding="utf-8"))
        spoken, phases = WORDS[self.game]
        helps = (f"help_{phase}" for phase in (*phases, *lobby.PHASES))
        for table in (HOST_PROMPTS, spoken, lobby.PROMPTS, dict.fromkeys(helps, ())):
            prompts.check(table)
        return prompts

    @cached_property
    def grammar(self) -> Grammar:
        """What players may say; raises `UsageError` when the language's files are broken."""
        with self._reading():
            return parse_grammar(
                {name: (self.folder / name).read_text(encoding="utf-8") for name in GRAMMARS[self.game]}
            )

    @cached_property
    def dreams(self) -> tuple[tuple[Word, Word, Word, Word], ...]:
        """The deck of When I Dream."""
        return load_dreams(self.language)

    @cached_property
    def scenes(self) -> tuple[Scene, ...]:
        """The deck of Dixit Odyssey."""
        return load_scenes(self.language)

    @cached_property
    def code_words(self) -> tuple[str, ...]:
        """What secret votes are said with; raises `UsageError` when the language has none."""
        with self._reading():
            return tuple((self.folder / CODE_WORDS).read_text(encoding="utf-8").split())

    @cached_property
    def measures(self) -> Measures:
        """The judge, the referee and the story ticker of the language; raises `UsageError` when a file of theirs is broken."""
        with self._reading():
            return load_measures(self.language, [word for card in self.dreams for word in card])

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError) as error:
            raise UsageError(
                f"The language folder {self.folder} is broken ({error}); install voice-host anew."
            ) from error

    @cached_property
    def vocabulary(self) -> tuple[str, ...]:
        """What is likely to be said, for recognisers that can listen for phrases: the whole deck and all commands.

        The hidden word is among 440 others, whichever it is.
        """
        if self.game == ODYSSEY:
            return self._commands_with_numbers()
        words = [word.text for card in self.dreams for word in card]
        ways = [way for phrase in phrase_table(self.grammar) for way in phrase.ways]
        guesses = [way for way in ways if way.endswith("{word}")]
        carriers = [way.removesuffix("{word}") for way in guesses[:GUESS_PHRASES]]
        commands = [way for way in ways if "{" not in way]
        return tuple(dict.fromkeys([*words, *commands, *(carrier + word for carrier in carriers for word in words)]))

    def _commands_with_numbers(self) -> tuple[str, ...]:
        ways = [way for phrase in phrase_table(self.grammar) for way in phrase.ways]
        said: dict[int, str] = {}
        for text, number in self.grammar.numbers["card"].items():
            if number <= MOST_CARDS and not text.isdigit():
                said.setdefault(number, text)
        commands = [way for way in ways if "{" not in way]
        votes = [
            way.replace("{card}", one).replace("{second}", two)
            for way in ways
            for one in said.values()
            for two in (said.values() if "{second}" in way else ("",))
            if "{card}" in way
        ]
        return tuple(dict.fromkeys([*said.values(), *commands, *(vote for vote in votes if "{" not in vote)]))

    def build(self, began: Began) -> tuple[Game, Any]:
        """Turn what a journal says into the game's module and its options.

        Raises `UsageError` with one sentence when they cannot be played.
        """
        try:
            if began.game == LOBBY:
                return lobby, self._lobby_options(began.options)
            if began.game not in GAMES:
                raise UsageError(f"There is no game {began.game!r}; choose one of: {', '.join(GAMES)}.")
            if began.game == ODYSSEY:
                return GAMES[began.game], self._odyssey_options(began.options)
            return GAMES[began.game], self._dream_options(began.options)
        except (KeyError, TypeError) as error:
            raise HostError(f"The evening was written by another version ({error}); go on with that one.") from error
        except ValueError as error:
            raise UsageError(str(error)) from error

    def _lobby_options(self, chosen: Mapping[str, Any]) -> lobby.Options:
        names = (self.folder / "names.txt").read_text(encoding="utf-8").split("\n")
        known = tuple(filter(None, map(str.strip, names)))
        if chosen.get("game", DREAM) == ODYSSEY:
            counts = PLAYERS[chosen["mode"]]
            return lobby.Options(
                min_players=counts[0],
                max_players=counts[-1],
                only_even=all(count % 2 == 0 for count in counts),
                asks_oldest=False,
                known_names=known,
            )
        return lobby.Options(min_players=FEWEST_PLAYERS, max_players=MOST_PLAYERS, known_names=known)

    def _dream_options(self, chosen: Mapping[str, Any]) -> Options:
        known = {word.text.casefold(): word for card in self.dreams for word in card}
        upcoming = (known.get(text.casefold(), Word(text.casefold(), text)) for text in chosen["upcoming"])
        return Options(
            players=tuple(chosen["players"]),
            cards=tuple(DreamCard(words) for words in self.dreams),
            measures=self.measures,
            upcoming=tuple(upcoming),
            rigged_roles=tuple(chosen["roles"]),
            rounds=chosen["rounds"],
            told=tuple(chosen.get("told", ())),
            **_settings(chosen),
        )

    def _odyssey_options(self, chosen: Mapping[str, Any]) -> dixit_odyssey.Options:
        return dixit_odyssey.Options(
            players=tuple(chosen["players"]),
            mode=chosen["mode"],
            cards=chosen["cards"],
            scenes=self.scenes if chosen["cards"] == "scenes" else (),
            code_words=self.code_words if chosen["settings"].get("ballot") == "secret" else (),
            rounds=chosen["rounds"],
            **_settings(chosen),
        )


def _settings(chosen: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in chosen["settings"].items()}


def follow_up(evening: Evening, game: str, chosen: Mapping[str, Any], seed: int) -> Began | None:
    """Return the game that follows a finished lobby, with the players that took their seats there."""
    if evening.game != LOBBY or evening.view()["phase"] != "finished":
        return None
    table = evening.view()
    return Began(game, {**chosen, "players": list(table["players"]), "told": list(table["told"])}, seed)


# ----------------------------------------------------------------------------------------- from the command line's words


def parse_players(text: str) -> tuple[str, ...]:
    """Read ``Amy,Ben,Cleo,Dan``; raises `UsageError` for an empty name."""
    players = tuple(name.strip() for name in text.split(","))
    if not all(players) or any(mark in name for name in players for mark in ":?@#"):
        raise UsageError(f"{text!r} does not name the players; write them as Amy,Ben,Cleo,Dan, without : ? @ and #.")
    return players


def parse_roles(texts: Sequence[str]) -> list[dict[str, str]]:
    """Read ``Ben=fairy,Cleo=boogeyman``, once a round."""
    rounds = []
    for text in texts:
        pairs = [pair.partition("=") for pair in text.split(",")]
        if not all(name.strip() and sign and role.strip() for name, sign, role in pairs):
            raise UsageError(f"{text!r} does not give roles; write them as Ben=fairy,Cleo=boogeyman,Dan=sandman.")
        roles = {name.strip(): role.strip().casefold() for name, _, role in pairs}
        unknown = sorted(set(roles.values()) - {role.value for role in Role})
        if unknown:
            raise UsageError(f"There is no role {unknown[0]!r}; the roles are {', '.join(Role)}.")
        rounds.append(roles)
    return rounds


def read_cards(path: Path) -> list[str]:
    """Read the words that come up, one a line; raises `UsageError` when there are none."""
    lines = (line.strip() for line in read_text(path, "list of cards").splitlines())
    words = [line for line in lines if line and not line.startswith("#")]
    if not words:
        raise UsageError(f"The list of cards {path} is empty; write the words in the order they come up, one a line.")
    return words
