"""What a simulated table needs: a program, a voice, a recogniser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.dialogue.phases import LISTENING
from tests.simulated.reciting import Table
from voice_host.hearing.recognizers.moonshine import MoonshineRecognizer
from voice_host.program import Program
from voice_host.speaking.synthesizer import ChildSynthesizer


@pytest.fixture(scope="module")
def by_day(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """Return a table that looks at the night's cards; its voice has a thread, which others must not find."""
    synthesizer = ChildSynthesizer("en", cache_folder=tmp_path_factory.mktemp("speech"))
    recognizer = MoonshineRecognizer()
    yield Table(Program("en"), recognizer, synthesizer, LISTENING["review"], tmp_path_factory.mktemp("recitals"))
    synthesizer.close()
    recognizer.close()
