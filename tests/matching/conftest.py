"""One set of English measures for all tests of the room, and where recorded speech may be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from voice_host.decks import load_dreams
from voice_host.lexicon import english_measures
from voice_host.matching.english import EnglishMeasures


@pytest.fixture(scope="session")
def measures() -> EnglishMeasures:
    """Return the measures of an evening: the whole lexicon, our own deck."""
    return english_measures([word for card in load_dreams("en") for word in card])


@pytest.fixture(scope="session")
def recordings() -> Path:
    """Return the folder with recorded words; skips where it is absent."""
    beside = Path(__file__).resolve().parents[3] / "shared" / "audio"
    folder = Path(os.environ.get("VOICE_HOST_TEST_AUDIO", beside))
    if not (folder / "index.tsv").is_file():
        pytest.skip(f"no recorded words in {folder}; VOICE_HOST_TEST_AUDIO may name another folder")
    return folder
