"""The deck of every language is fit to play with, and lint names what is wrong with one that is not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from voice_host import decks
from voice_host.commands.lint import EnglishSounds, lint_rows, run_lint
from voice_host.decks import COLUMNS, load_dreams, parse_dreams, parse_rows
from voice_host.errors import UsageError
from voice_host.lexicon import english_measures

SOURCE = "dreams.tsv"
HEADER = "\t".join(COLUMNS)

GOOD = (
    ("dragon", "1", "character", "dragon", "dragons"),
    ("castle", "1", "place", "castle", "castles"),
    ("banana", "1", "food", "banana", "bananas"),
    ("umbrella", "1", "clothes", "umbrella", "umbrellas"),
)


def table(*rows: tuple[str, ...]) -> str:
    return "\n".join((HEADER, *("\t".join(row) for row in rows))) + "\n"


def with_last(*cells: str) -> str:
    """Return one card whose last word, on line 5, is another."""
    return table(*GOOD[:3], cells)


@pytest.fixture(scope="module")
def sounds() -> EnglishSounds:
    return EnglishSounds(english_measures(()))


@dataclass(frozen=True, slots=True)
class FewLetters:
    """A recogniser that has no z."""

    name: str = "few-letters"

    def can_write(self, word: str) -> bool:
        return "z" not in word


def sentences(text: str, sounds: EnglishSounds, cards: int = 1) -> list[str]:
    return [str(finding) for finding in lint_rows(parse_rows(text, SOURCE), sounds, FewLetters(), cards)]


# ------------------------------------------------------------------------------------------------------------- the deck


def test_the_english_deck_has_110_cards_of_four_words() -> None:
    cards = load_dreams("en")
    assert [len(card) for card in cards] == [4] * 110
    assert len({word.id for card in cards for word in card}) == 440


def test_the_english_deck_passes_lint(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_lint("en") == 0
    assert "440 words on 110 cards" in capsys.readouterr().out


def test_lint_of_a_bad_deck_prints_file_line_and_remedy_and_ends_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "dreams.tsv"
    path.write_text(with_last("castle_two", "1", "home", "castle", ""), encoding="utf-8")
    monkeypatch.setattr(decks, "language_folder", lambda _language: tmp_path)
    assert run_lint("en") == 1
    assert f"{path}, line 5: castle / castle: " in capsys.readouterr().out


# ------------------------------------------------------------------------------------------------------------- findings


def test_a_good_card_has_no_findings(sounds: EnglishSounds) -> None:
    assert sentences(table(*GOOD), sounds) == []


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (("castle_two", "1", "home", "castle", ""), "castle / castle: the word is in the deck already, on line 3"),
        (("fort", "1", "home", "fort", "castle"), "'castle' is also accepted for line 3"),
        (("melon", "1", "food", "melon", ""), "both on card 1 are of the kind food"),
        (("tower", "1", "home", "Tower", ""), "write 'tower' (small letters, NFC)"),
        (("cafe", "1", "home", "cafe\u0301", ""), "write 'caf\u00e9' (small letters, NFC)"),
        (("tower", "1", "home", "tower ", ""), "this is not normal spelling"),
        (("tower", "1", "home", "tower", "towers|towers"), "lists this spelling twice"),
        (("tower", "1", "home", "tower", "towers||turret"), "an accepted form is empty"),
        (("zebra", "1", "animal", "zebra", ""), "the recogniser few-letters can never write this"),
        (("blorf", "1", "animal", "qxblorf", ""), "the lexicon does not know this word"),
        (("fly", "1", "animal", "dragonfly", ""), "'dragon' of line 2 is a part of 'dragonfly'"),
        (("tower", "2", "home", "tower", ""), "card 1 has 3 words; give every card exactly 4"),
        (("tower", "7", "home", "tower", ""), "there is a card 7; number the cards from 1 to 1"),
    ],
)
def test_lint_names_a_planted_fault(cells: tuple[str, ...], expected: str, sounds: EnglishSounds) -> None:
    found = sentences(with_last(*cells), sounds)
    assert [sentence for sentence in found if expected in sentence], found


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("bear", "bare", "it sounds the same as line 2"),
        ("knight", "night", "it sounds the same as line 2"),
        ("bear", "pear", "it sounds so much like line 2"),
        ("king", "coin", "both on card 1 sound alike"),
    ],
)
def test_lint_names_words_that_sound_alike(one: str, other: str, expected: str, sounds: EnglishSounds) -> None:
    text = table(("one", "1", "animal", one, ""), *GOOD[1:3], ("other", "1", "food2", other, ""))
    found = sentences(text, sounds)
    assert [sentence for sentence in found if f"line 5: {one} / {other}: {expected}" in sentence], found


def test_lint_names_a_form_that_sounds_like_another_word(sounds: EnglishSounds) -> None:
    text = table(("boar", "1", "animal", "pig", "boar"), *GOOD[1:3], ("bore", "1", "tool", "bore", ""))
    assert "line 5: pig / bore: 'bore' sounds the same as 'boar' of line 2" in sentences(text, sounds)[0]


def test_lint_counts_the_cards_that_are_missing(sounds: EnglishSounds) -> None:
    expected = "line 5: 2 of 3 cards are missing (2, 3); add 4 words for each."
    assert sentences(table(*GOOD), sounds, cards=3) == [expected]


# --------------------------------------------------------------------------------------------------------------- tables


def test_forms_may_be_left_out_with_their_tab() -> None:
    (card,) = parse_dreams(table(*GOOD).replace("\tdragons", ""), SOURCE)
    assert [word.forms for word in card][:2] == [(), ("castles",)]


def test_cards_may_stand_in_any_order() -> None:
    second = tuple((f"{id_}_b", "2", kind, f"{text}b", "") for id_, _, kind, text, _ in GOOD)
    cards = parse_dreams(table(*second, *GOOD), SOURCE)
    assert [card[0].text for card in cards] == ["dragon", "dragonb"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "dreams.tsv, line 1: the header must name"),
        ("id\ttext\n", "dreams.tsv, line 1: the header must name"),
        (HEADER, "dreams.tsv, line 1: there is no word in this deck"),
        (with_last("tower", "1", "home"), "dreams.tsv, line 5: 3 cells instead of 5"),
        (
            with_last("T\u00fcrme", "1", "home", "tower", ""),
            "dreams.tsv, line 5: the id 'T\u00fcrme' must be small ASCII",
        ),
        (with_last("tower", "one", "home", "tower", ""), "dreams.tsv, line 5: the card 'one' must be a number"),
        (with_last("tower", "0", "home", "tower", ""), "dreams.tsv, line 5: the card '0' must be a number"),
        (with_last("tower", "1", "home", " ", ""), "dreams.tsv, line 5: the column text is empty"),
        (with_last("dragon", "1", "home", "tower", ""), "dreams.tsv, line 5: the id 'dragon' is taken by line 2"),
        (table(*GOOD[:3]), "dreams.tsv, line 4: card 1 has 3 words; give it exactly 4."),
    ],
)
def test_a_bad_table_is_refused_with_its_line(text: str, expected: str) -> None:
    with pytest.raises(UsageError, match=r"^dreams\.tsv, line \d+: ") as refused:
        parse_dreams(text, SOURCE)
    assert str(refused.value).startswith(expected)


def test_a_missing_deck_is_named_with_its_remedy(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"dreams\.tsv cannot be read .*; put a table"):
        decks.read_table(tmp_path / "dreams.tsv")


def test_a_deck_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "dreams.tsv"
    path.write_bytes(b"caf\xe9")
    with pytest.raises(UsageError, match="is not UTF-8 at byte 3; save it as UTF-8"):
        decks.read_table(path)
