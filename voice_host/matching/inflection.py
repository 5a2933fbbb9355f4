"""The spellings that count as one English word: plural and singular, possessive, diminutive; and what is derived from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

_IRREGULAR: Final = (
    "man men|woman women|child children|foot feet|tooth teeth|mouse mice|goose geese|ox oxen|leaf leaves|knife knives|"
    "wolf wolves|half halves|loaf loaves|shelf shelves|scarf scarves|thief thieves|calf calves|elf elves|hoof hooves|"
    "wife wives|life lives|person people|die dice|cactus cacti|dwarf dwarves|louse lice|octopus octopi|sheaf sheaves|"
    "fireman firemen|snowman snowmen|policeman policemen|penny pence|potato potatoes|tomato tomatoes|hero heroes|scissor scissors"
)
_DIMINUTIVES: Final = (
    "dog doggy doggie|bird birdie|pig piggy piggie piglet|horse horsey horsie|duck ducky duckie duckling|frog froggy|"
    "fish fishy fishie|lamb lambkin|mouse mousie mousey|bear bearie|boot bootie|cat catty|toe toesie|blanket blankie|"
    "hand handie|chick chickie|boat boatie|egg eggy|train trainy|goose gosling|cat kitty|owl owlet|star starlet"
)

# Endings that make a word of the same root of any noun; "er" does not ("corn", "corner"), a table says where it does.
_STEM_ENDINGS: Final = ("y", "ie", "ish", "ful", "less", "like", "ly", "let", "ling", "hood", "ship")


def _pairs(table: str) -> dict[str, frozenset[str]]:
    groups = [frozenset(group.split()) for group in table.split("|")]
    return {
        word: frozenset().union(*(group for group in groups if word in group)) for group in groups for word in group
    }


IRREGULAR: Final = _pairs(_IRREGULAR)
DIMINUTIVES: Final = {group.split()[0]: frozenset(group.split()[1:]) for group in _DIMINUTIVES.split("|")}


def plurals(word: str) -> frozenset[str]:
    """Return the spellings of the plurals and possessives that a noun may have."""
    made = {word + "s", word + "'s", word + "s'"}
    if word.endswith(("s", "x", "z", "ch", "sh", "o")):
        made.add(word + "es")
    if word.endswith("y") and word[-2:-1] not in tuple("aeiou"):
        made.add(word[:-1] + "ies")
    return frozenset(made)


def singulars(word: str, is_noun: Callable[[str], bool]) -> frozenset[str]:
    """Return the singulars that a spelling may be the plural of; `is_noun` keeps "bus" from becoming a "bu"."""
    made = set()
    if word.endswith(("'s", "s'")):
        made.add(word[:-2])
    elif word.endswith("ies") and len(word) > 4:
        made |= {word[:-3] + "y", word[:-1]}
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        made.add(word[:-1])
        if word.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
            made.add(word[:-2])
    return frozenset(one for one in made if is_noun(one))


def same_noun(word: str, is_noun: Callable[[str], bool]) -> frozenset[str]:
    """Return the spellings of a noun that count as the same word in a guess."""
    bases = {word} | singulars(word, is_noun) | IRREGULAR.get(word, frozenset())
    forms = set(bases)
    for base in bases:
        forms |= plurals(base) | DIMINUTIVES.get(base, frozenset())
        forms |= {base for base, small in DIMINUTIVES.items() if word in small}
    return frozenset(forms)


def with_ending(stem: str, ending: str) -> frozenset[str]:
    """Return the spellings of a stem with an ending: doubled consonant, dropped e, y turned to i."""
    made = {stem + ending}
    if ending[0] in "aeiouy":
        made.add(stem + stem[-1] + ending)
        if stem.endswith("e") and not stem.endswith("ee"):
            made.add(stem[:-1] + ending)
    if stem.endswith("y"):
        made.add(stem[:-1] + "i" + ending)
    return frozenset(made)


def inflected(word: str) -> frozenset[str]:
    """Return the spellings of a word as a verb ("fishing", "fished"), which mention it in a story."""
    return with_ending(word, "ing") | with_ending(word, "ed") | with_ending(word, "s")


def derived(word: str) -> frozenset[str]:
    """Return the spellings that English endings make of a word; most of them are no words."""
    made: frozenset[str] = frozenset()
    for ending in _STEM_ENDINGS:
        made |= with_ending(word, ending)
    return made
