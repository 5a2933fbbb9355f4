"""Fit the calibration of the English judge on the tuning half of the recordings; print it as matching/calibration.py has it.

    python benchmarks/fit_english.py --audio ../shared/audio --heard heard.jsonl

A logistic regression on the evidence for the right word and against the others, on clean clips: fitted on noisy ones too, it
lost more clean words than it gained noisy ones. With a second engine it prints instead, for weights of both engines' likelihoods, what
the calibration as it is makes of the words; the weights in second_engine.py are those that miss least at `MOST_NEAREST`. For each condition it prints the least probability at which no more of the near and random words
are accepted than `MOST_NEAREST` and `MOST_RANDOM` say; `right` is chosen by the first and `right_in_doubt` by the second.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
from english_trials import Clip, Heard, Trials, make_trials
from judge_english import Listener
from numpy.typing import NDArray

from voice_host.decks import load_dreams
from voice_host.lexicon import english_measures
from voice_host.matching.calibration import Calibration, Evidence
from voice_host.matching.english import EnglishMeasures
from voice_host.matching.words import Verdict, Word
from voice_host.second_engine import NONE, POOLINGS, Weighed
from voice_host.second_look import HOPELESS, MOST, shares

CONDITIONS = ("clean", "cafe 10 dB")
MOST_NEAREST = 0.017
"""Below the aim of 2 %, for the other half is another one."""
MOST_RANDOM = 0.002
MOST_UNSURE = 0.12
WEIGHTS = {"right": 1.0, "random": 0.05, "nearest": 1.0, "common": 1.0}
SHARES = (0.2, 0.3, 0.4)
"""Of the first engine in both weights."""
SCALES = (1.0, 1.35, 1.7)
"""The sum of both weights."""
_RIDGE = 0.01
_ROUNDS = 50


def evidence(measures: EnglishMeasures, clips: list[Clip], trials: Trials) -> dict[str, list[Evidence]]:
    """Return kind of trial -> evidence, for the clips in which something was heard."""
    found: dict[str, list[Evidence]] = defaultdict(list)
    for clip in clips:
        if not clip.said or not clip.second.texts:
            continue
        lists = trials.of(clip)
        words = [Word(id=word, text=word) for kind in lists.values() for word in kind]
        weighed = iter(measures.evidence(clip.second.texts, words, clip.second.confidences))
        for kind, hidden in lists.items():
            found[kind] += [next(weighed) for _ in hidden]
    return found


def fit(found: dict[str, list[Evidence]]) -> Calibration:
    """Return the weights by Newton's method, thresholds left at 0."""
    table = np.array([one.features() for kind in found.values() for one in kind])
    said = np.array([kind == "right" for kind, some in found.items() for _ in some], dtype=float)
    weight = np.array([WEIGHTS[kind] for kind, some in found.items() for _ in some])
    middle, spread = table.mean(axis=0), table.std(axis=0)
    inputs = np.column_stack([(table - middle) / spread, np.ones(len(table))])
    ridge = _RIDGE * np.diag([*np.ones(table.shape[1]), 0.0])
    model = np.zeros(inputs.shape[1])
    for _ in range(_ROUNDS):
        guess = 1 / (1 + np.exp(-inputs @ model))
        slope = inputs.T @ (weight * (guess - said)) + ridge @ model
        curve = (inputs * (weight * guess * (1 - guess))[:, None]).T @ inputs + ridge
        model -= np.linalg.solve(curve, slope)
    weights = model[:-1] / spread
    first, second, third, fourth = (round(float(one), 3) for one in weights)
    intercept = round(float(model[-1] - weights @ middle), 3)
    return Calibration(intercept, (first, second, third, fourth), 0.0, 0.0, 0.0, 0.0)


def repooled(clip: Clip, first: float, second: float) -> Heard:
    """Return what is heard by both engines with other weights."""
    if not clip.weighed:
        return clip.second
    pooling = replace(POOLINGS["en", "moonshine", "whisper"], first=first, second=second)
    scores = shares({text: Weighed(one, other, pooling) for text, one, other in clip.weighed})
    likeliest = sorted(scores, key=lambda text: -scores[text])[:MOST]
    texts = [text for text in likeliest if scores[text] > scores[likeliest[0]] - HOPELESS]
    return Heard(tuple(texts), tuple(min(1.0, math.exp(scores[text])) for text in texts), 0.0)


def weigh_engines(measures: EnglishMeasures, clips: Sequence[Clip], trials: Trials) -> None:
    """Print what the calibration makes of the words for each pair of weights."""
    spoken = [clip for clip in clips if clip.said]
    for share, scale in product(SHARES, SCALES):
        first, second = share * scale, (1.0 - share) * scale
        right = {kind: [0, 0] for kind in WEIGHTS}
        for clip in spoken:
            heard = repooled(clip, first, second)
            for kind, hidden in trials.of(clip).items():
                judged = measures.judge_many(heard.texts, [Word(one, one) for one in hidden], heard.confidences)
                right[kind][0] += sum(judgement.verdict is Verdict.RIGHT for judgement in judged)
                right[kind][1] += len(hidden)
        shares = ", ".join(f"{kind} {100 * got / tried:.2f} %" for kind, (got, tried) in right.items())
        print(f"first {first:.3f}, second {second:.3f}: {shares}")


def least(values: NDArray[np.float64], share: float) -> float:
    """Return the least threshold above which no more than the share of the values lie."""
    ordered = np.sort(values)[::-1]
    return float(ordered[int(share * len(ordered))])


def main() -> int:
    """Print the calibration and what it gives on the tuning half."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--audio", type=Path, required=True, help="folder with index.tsv and the recordings")
    parser.add_argument("--heard", type=Path, help="keep what was heard in this file and use it the next time")
    parser.add_argument(
        "--second-engine", default=NONE, metavar="NAME", help="weigh this engine beside Moonshine: whisper"
    )
    arguments = parser.parse_args()
    if not (arguments.audio / "index.tsv").exists():
        print(f"skipped: there are no recordings in {arguments.audio}")
        return 0
    measures = english_measures([word for card in load_dreams("en") for word in card])
    trials = make_trials(measures, arguments.audio)
    listener = Listener(arguments.audio, arguments.heard, measures, arguments.second_engine)
    if arguments.second_engine != NONE:
        weigh_engines(measures, listener.listen(CONDITIONS[0], "tuning"), trials)
        return 0
    by_condition = {
        condition: evidence(measures, listener.listen(condition, "tuning"), trials) for condition in CONDITIONS
    }
    model = fit(by_condition[CONDITIONS[0]])
    print(f"intercept={model.intercept}, weights={model.weights}")
    for condition, found in by_condition.items():
        chances = {kind: np.array([model.probability(one) for one in some]) for kind, some in found.items()}
        near = np.concatenate([chances["nearest"], chances["common"]])
        right = max(least(near, MOST_NEAREST), least(chances["random"], MOST_RANDOM))
        shares = (f"{kind} {100 * float(np.mean(some >= right)):.2f} %" for kind, some in chances.items())
        print(
            f"{condition}: right from {right:.3f}, unsure from {least(near, MOST_UNSURE):.3f}; right are {', '.join(shares)}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
