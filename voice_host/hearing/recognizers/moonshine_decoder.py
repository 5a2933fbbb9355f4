"""Moonshine's own network files, because its package gives one text without any probability.

Theory of operation: the encoder turns the clip into states once; the decoder then writes token by token. It can be asked
in two ways. *Beam search*: a handful of beginnings (the beam) grow side by side as one batch. *Candidates*: given texts are
laid together as a tree of tokens, so that a common beginning is weighed once, and walked level by level. In both,
texts that differ only in case or closing punctuation are one reading: their probabilities are added, so that "Anchor!",
"Anchor," and "anchor" do not crowd out the word that was really said.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime  # type: ignore[import-untyped,unused-ignore]
from numpy.typing import NDArray

from voice_host.hearing.recognizers.moonshine_tokens import BEGIN, END, Tokenizer, Tokens, reading_key
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples

_HEADS: Final = 8
_HEAD_SIZE: Final = 36
_TOKENS_PER_SECOND: Final = 6.5
"""The model's own bound against endless loops; fast speech has about five."""
_FEWEST_TOKENS: Final = 8
_HOPELESS: Final = 5.0
"""Natural log: a beginning this much less likely than a finished reading is given up."""
_CLOSING_MARKS: Final = ".!?,"
LEAST_SCORE: Final = -16.0
"""Natural log: a candidate that is known to be less likely is not weighed to its end."""
_MOST_ROWS: Final = 48
"""Beginnings weighed at once; more only takes memory."""

_Cache = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Reading:
    """One text for the clip and the natural log of its probability."""

    text: str
    log_probability: float


@dataclass(slots=True)
class _Beginning:
    """A text under construction, grown from row ``parent`` of the last batch."""

    tokens: Tokens
    log_probability: float
    parent: int


@dataclass(frozen=True, slots=True)
class _Node:
    """The beginning of some candidates."""

    score: float
    """Natural log of its probability."""
    follows: NDArray[np.float32]
    """[token]: natural log of the probability that it comes next."""
    row: int
    """Its row in the level's caches."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A clip after the encoder and the decoder's first step: what every text for it begins with."""

    seconds: float
    states: NDArray[np.float32]
    """1 x frames x features"""
    logits: NDArray[np.float32]
    """1 x vocabulary: the first token's"""
    cache: _Cache


class MoonshineDecoder:
    """The encoder, decoder and tokens of one model folder; one thread at a time."""

    def __init__(self, folder: Path) -> None:
        """Load the three files; raises what onnxruntime raises when they are damaged."""
        options = onnxruntime.SessionOptions()
        # One thread: a word takes 50 ms of it; a second one saves nothing, and its spinning costs a busy machine 90 ms.
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        providers = ["CPUExecutionProvider"]
        self._encoder = onnxruntime.InferenceSession(str(folder / "encoder_model.ort"), options, providers=providers)
        self._decoder = onnxruntime.InferenceSession(
            str(folder / "decoder_model_merged.ort"), options, providers=providers
        )
        self._tokenizer = Tokenizer((folder / "tokenizer.bin").read_bytes())
        self._endings = [END, *(self._tokenizer.encode("x" + mark)[-1] for mark in _CLOSING_MARKS)]
        self._caches = [entry.name for entry in self._decoder.get_inputs() if entry.name.startswith("past_key_values")]
        self._outputs = ["logits", *(name.replace("past_key_values", "present") for name in self._caches)]

    def open(self, samples: Samples) -> Opening:
        """Run the encoder over a clip of at least 0.1 s, and the decoder's first step."""
        inputs = {"input_values": samples[np.newaxis], "attention_mask": np.ones((1, len(samples)), np.int64)}
        states: NDArray[np.float32] = self._encoder.run(None, inputs)[0]
        empty = {name: np.zeros((1, _HEADS, 0, _HEAD_SIZE), np.float32) for name in self._caches}
        logits, cache = self._step([BEGIN], [0], states, empty, first=True)
        return Opening(len(samples) / SAMPLE_RATE, states, logits, cache)

    def decode(self, opening: Opening, width: int, most: int) -> tuple[Reading, ...]:
        """Return the ``most`` likeliest readings, best first, from a beam of ``width``."""
        longest = max(_FEWEST_TOKENS, int(opening.seconds * _TOKENS_PER_SECOND))
        logits, cache = opening.logits, opening.cache
        finished: dict[str, Reading] = {}
        beam = self._grow([_Beginning((), 0.0, 0)], logits, width, finished)
        for _ in range(longest - 1):
            if not beam:
                break
            tokens, parents = [one.tokens[-1] for one in beam], [one.parent for one in beam]
            logits, cache = self._step(tokens, parents, opening.states, cache, first=False)
            beam = self._grow(beam, logits, width, finished)
        for beginning in beam:  # cut off at the longest: better than nothing
            self._finish(beginning, finished)
        return tuple(sorted(finished.values(), key=lambda reading: -reading.log_probability)[:most])

    def score(self, opening: Opening, texts: Sequence[str]) -> tuple[float, ...]:
        """Return the natural log of each text's probability, with any closing mark; at least `LEAST_SCORE`.

        A text is weighed as it is written, and with one way to cut it into tokens: other ways hardly add to it. The
        network's whole numbers make it depend a little (up to about 0.5) on what is weighed beside it.
        """
        spelled = [self._tokenizer.encode(text) for text in texts]
        scores = dict.fromkeys(spelled, LEAST_SCORE)
        level: dict[Tokens, _Node] = {(): _Node(0.0, _log_softmax(opening.logits)[0], 0)}
        cache = opening.cache
        for length in range(1, max(map(len, spelled), default=0) + 1):
            begun: dict[Tokens, float] = {}
            for tokens in sorted({tokens[:length] for tokens in spelled if len(tokens) >= length}):
                before = level.get(tokens[:-1])
                if before is not None and before.score + before.follows[tokens[-1]] > LEAST_SCORE:
                    begun[tokens] = before.score + float(before.follows[tokens[-1]])
            if not begun:
                break
            level, cache = self._follow(begun, [level[tokens[:-1]].row for tokens in begun], opening.states, cache)
            for tokens in begun.keys() & scores.keys():
                ended = level[tokens].score + float(np.logaddexp.reduce(level[tokens].follows[self._endings]))
                scores[tokens] = max(LEAST_SCORE, ended)
        return tuple(scores[tokens] for tokens in spelled)

    def _follow(
        self, begun: Mapping[Tokens, float], parents: Sequence[int], states: NDArray[np.float32], cache: _Cache
    ) -> tuple[dict[Tokens, _Node], _Cache]:
        """Return the nodes of one level of the tree, in which each begun text has a row, and their caches."""
        nodes: dict[Tokens, _Node] = {}
        caches = []
        for start in range(0, len(parents), _MOST_ROWS):
            some = list(begun)[start : start + _MOST_ROWS]
            last = [tokens[-1] for tokens in some]
            logits, new = self._step(last, parents[start : start + _MOST_ROWS], states, cache, first=False)
            follows = _log_softmax(logits)
            nodes |= {tokens: _Node(begun[tokens], follows[row], start + row) for row, tokens in enumerate(some)}
            caches.append(new)
        return nodes, {name: np.concatenate([one[name] for one in caches]) for name in self._caches}

    def _step(
        self, tokens: Sequence[int], rows: Sequence[int], states: NDArray[np.float32], cache: _Cache, *, first: bool
    ) -> tuple[NDArray[np.float32], _Cache]:
        """Return the logits (tokens x vocabulary) after each token, which follows a row of the caches, and new caches."""
        past = {name: values[rows] for name, values in cache.items()}
        inputs: dict[str, Any] = {
            "input_ids": np.array([[token] for token in tokens], np.int64),
            "encoder_hidden_states": np.repeat(states, len(tokens), axis=0),
            # The graph takes every 384th entry of a mask over samples; a single one stands for all frames.
            "encoder_attention_mask": np.ones((len(tokens), 1), np.int64),
            "use_cache_branch": np.array([not first]),
            **past,
        }
        logits, *present = self._decoder.run(self._outputs, inputs)
        new = dict(zip(self._caches, present, strict=True))
        if not first:  # the encoder's keys do not change, and the cached branch leaves them out
            new |= {name: past[name] for name in self._caches if ".encoder." in name}
        return logits[:, -1], new

    def _grow(
        self, beam: list[_Beginning], logits: NDArray[np.float32], width: int, finished: dict[str, Reading]
    ) -> list[_Beginning]:
        """Return the likeliest continuations as the next beam; those that end go to ``finished``."""
        totals = _log_softmax(logits) + np.array([[b.log_probability] for b in beam])
        count = 4 * width  # leaves enough after spellings of one reading are merged
        likeliest = np.argpartition(-totals, count, axis=None)[:count]
        grown: dict[str, _Beginning] = {}
        for index in likeliest[np.argsort(-totals.flat[likeliest])]:
            row, token = divmod(int(index), totals.shape[1])
            log_probability = float(totals.flat[index])
            if token == END:
                self._finish(_Beginning(beam[row].tokens, log_probability, row), finished)
                continue
            tokens = (*beam[row].tokens, token)
            key = reading_key(self._tokenizer.decode(tokens))
            if key in grown:
                grown[key].log_probability = _add(grown[key].log_probability, log_probability)
            elif len(grown) < width:
                grown[key] = _Beginning(tokens, log_probability, row)
        best = max((reading.log_probability for reading in finished.values()), default=-math.inf)
        return [beginning for beginning in grown.values() if beginning.log_probability > best - _HOPELESS]

    def _finish(self, beginning: _Beginning, finished: dict[str, Reading]) -> None:
        """Add a finished text to the readings, or its probability to the same reading in another spelling."""
        text = self._tokenizer.decode(beginning.tokens).strip()
        key = reading_key(text)
        known = finished.get(key)
        if known is None:
            finished[key] = Reading(text, beginning.log_probability)
        else:
            finished[key] = Reading(known.text, _add(known.log_probability, beginning.log_probability))


def _add(one: float, other: float) -> float:
    """Return the log of the sum of two probabilities given as logs."""
    return float(np.logaddexp(one, other))


def _log_softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return natural logs of probabilities along the last axis."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    normalized: NDArray[np.float32] = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return normalized
