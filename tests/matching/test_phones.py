"""Phones cost what they sound like."""

from __future__ import annotations

import numpy as np
import pytest

from voice_host.matching.phones import INDEX, PHONES, class_costs, parse, spell

COSTS = class_costs()


def cost(heard: str, meant: str) -> float:
    return float(COSTS.substitute[INDEX[heard], INDEX[meant]])


def test_a_phone_is_itself_at_no_cost_and_no_other_is() -> None:
    assert np.all(np.diag(COSTS.substitute) == 0)
    assert np.all(COSTS.substitute[~np.eye(len(PHONES), dtype=bool)] > 0)


def test_substitution_costs_the_same_in_both_directions() -> None:
    assert np.array_equal(COSTS.substitute, COSTS.substitute.T)


@pytest.mark.parametrize(
    ("near", "far"),
    [
        (("P", "B"), ("P", "Z")),
        (("M", "N"), ("M", "S")),
        (("TH", "F"), ("TH", "G")),
        (("IH", "IY"), ("IH", "AO")),
        (("EH", "AE"), ("EH", "UW")),
        (("S", "SH"), ("S", "M")),
        (("AX", "AH"), ("AX", "OY")),
        (("ER", "R"), ("ER", "T")),
    ],
)
def test_phones_of_one_class_are_nearer_than_others(near: tuple[str, str], far: tuple[str, str]) -> None:
    assert cost(*near) < cost(*far)


def test_a_final_stop_is_lost_more_cheaply_than_a_first_one() -> None:
    assert COSTS.drop_last[INDEX["T"]] < COSTS.drop[INDEX["T"]]


def test_stress_is_dropped_but_the_reduced_vowel_kept() -> None:
    assert spell(parse(("K", "AE1", "M", "AH0", "L"))) == "K AE M AX L"
    assert spell(parse(("B", "AH1", "T", "ER0"))) == "B AH T ER"


def test_the_vowel_of_store_is_not_that_of_star() -> None:
    assert spell(parse(("S", "T", "AO1", "R"))) == "S T OW R"


def test_an_unknown_phone_is_an_error() -> None:
    with pytest.raises(KeyError):
        parse(["QX1"])
