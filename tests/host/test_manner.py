"""How the host sounds: changed by voice, within its range, remembered, and the same again when the evening is resumed."""

from __future__ import annotations

from typing import Any

import pytest

from voice_host.errors import UsageError
from voice_host.evening import AT_LIMIT
from voice_host.manner import RATES, VOLUMES, Chosen, Manner


class _Speaker:
    """A scripted synthesiser with two voices."""

    voices: tuple[str, ...] = ("one", "two")

    def __init__(self) -> None:
        self.rate = 0
        self.voice: str | None = None


class _Table:
    def __init__(self, chosen: Chosen) -> None:
        self.speaker = _Speaker()
        self.gains: list[float] = []
        self.kept: dict[str, int | str] = {}
        self.manner = Manner(chosen, self.speaker, self.gains.append, self.kept.__setitem__)

    def asks(self, change: str, setting: str) -> str:
        value = self.manner.value_after(change)
        if value != AT_LIMIT:
            self.manner.adjust(setting, value)
        return value


def test_the_host_sounds_as_it_was_chosen() -> None:
    table = _Table(Chosen(rate=200, volume=50, voice="two"))
    assert (table.speaker.rate, table.speaker.voice, table.gains) == (200, "two", [0.5])


@pytest.mark.parametrize(
    ("change", "setting", "last"),
    [
        ("speak_slower", "rate", RATES[0]),
        ("speak_faster", "rate", RATES[-1]),
        ("speak_softer", "volume", VOLUMES[0]),
        ("speak_louder", "volume", VOLUMES[-1]),
    ],
)
def test_each_wish_is_a_step_until_the_end_of_the_range(change: str, setting: str, last: int) -> None:
    table = _Table(Chosen(rate=163, volume=90))
    answers = [table.asks(change, setting) for _ in range(9)]
    steps = [int(answer) for answer in answers if answer != AT_LIMIT]
    assert steps == sorted(set(steps), reverse=change in {"speak_slower", "speak_softer"})
    assert (steps[-1], answers[-1], table.kept) == (last, AT_LIMIT, {setting: last})


def test_another_voice_comes_round_to_the_first() -> None:
    table = _Table(Chosen())
    assert [table.asks("change_voice", "voice") for _ in range(3)] == ["two", "one", "two"]
    assert table.kept == {"voice": "two"}


def test_with_one_voice_there_is_no_other() -> None:
    table = _Table(Chosen())
    table.speaker.voices = ()
    assert table.asks("change_voice", "voice") == AT_LIMIT


@pytest.mark.parametrize("chosen", [{"rate": 20}, {"rate": 999}, {"volume": 0}, {"volume": 900}])
def test_what_nobody_could_listen_to_is_refused(chosen: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=r"out of range; choose a number from \d+ to \d+"):
        Chosen(**chosen)
