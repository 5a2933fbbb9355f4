"""What the readings of a guess say as words, and what speaks for one word: the same in every language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from voice_host.matching.calibration import FARTHEST, Evidence
from voice_host.matching.phones import Pronunciation


@dataclass(frozen=True, slots=True)
class Sounds:
    """How a word may be written (in the language's plain form, its other forms included) and how it may sound."""

    spellings: frozenset[str]
    pronunciations: tuple[Pronunciation, ...]

    def shared(self, other: Sounds) -> bool:
        """Tell whether two words have a spelling or a pronunciation in common."""
        return not (
            self.spellings.isdisjoint(other.spellings)
            and frozenset(self.pronunciations).isdisjoint(other.pronunciations)
        )


@dataclass(frozen=True, slots=True)
class Text:
    """A reading as what it says, whatever it sounds like."""

    behind: float
    """How much less likely it is than the likeliest (natural log)."""
    spellings: frozenset[str]
    pronunciations: frozenset[Pronunciation]
    is_word: bool

    def says(self, meant: Sounds) -> bool:
        """Tell whether it is this word, in one of its forms or as a homophone."""
        return not (self.spellings.isdisjoint(meant.spellings) and self.pronunciations.isdisjoint(meant.pronunciations))


def evidence(texts: Sequence[Text], meant: Sounds, cost: float, margin: float) -> Evidence:
    """Return what speaks for a word with these sounds, of this cost and margin by sound."""
    own = min((text.behind for text in texts if text.says(meant)), default=FARTHEST)
    other = min((text.behind for text in texts if text.is_word and not text.says(meant)), default=FARTHEST)
    return Evidence(own, min(other, FARTHEST) - min(own, FARTHEST), cost, margin)
