"""Beam search over Moonshine's own network files, because its package gives one text without any probability.

Theory of operation: the encoder turns the clip into states once; the decoder then writes token by token. A handful of
beginnings (the beam) grow side by side as one batch. Beginnings that differ only in case or punctuation are one reading:
their probabilities are added, so that "Anchor!", "Anchor," and "anchor" do not crowd out the word that was really said.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime  # type: ignore[import-untyped,unused-ignore]
from numpy.typing import NDArray

from voice_host.hearing.sound_files import SAMPLE_RATE, Samples

_BEGIN: Final = 1
_END: Final = 2
_HEADS: Final = 8
_HEAD_SIZE: Final = 36
_TOKENS_PER_SECOND: Final = 6.5
"""The model's own bound against endless loops; fast speech has about five."""
_FEWEST_TOKENS: Final = 8
_HOPELESS: Final = 5.0
"""Natural log: a beginning this much less likely than a finished reading is given up."""

_Cache = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Reading:
    """One text for the clip and the natural log of its probability."""

    text: str
    log_probability: float


@dataclass(slots=True)
class _Beginning:
    """A text under construction, grown from row ``parent`` of the last batch."""

    tokens: tuple[int, ...]
    log_probability: float
    parent: int


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
        self._tokens = read_tokens((folder / "tokenizer.bin").read_bytes())
        self._caches = [entry.name for entry in self._decoder.get_inputs() if entry.name.startswith("past_key_values")]
        self._outputs = ["logits", *(name.replace("past_key_values", "present") for name in self._caches)]

    def decode(self, samples: Samples, width: int, most: int) -> tuple[Reading, ...]:
        """Return the ``most`` likeliest readings of a clip of at least 0.1 s, best first, from a beam of ``width``."""
        states = self._encode(samples)
        longest = max(_FEWEST_TOKENS, int(len(samples) / SAMPLE_RATE * _TOKENS_PER_SECOND))
        cache: _Cache = {name: np.zeros((1, _HEADS, 0, _HEAD_SIZE), np.float32) for name in self._caches}
        beam = [_Beginning((), 0.0, 0)]
        finished: dict[str, Reading] = {}
        for length in range(longest):
            logits, cache = self._step(beam, states, cache, first=length == 0)
            beam = self._grow(beam, logits, width, finished)
            if not beam:
                break
        for beginning in beam:  # cut off at the longest: better than nothing
            self._finish(beginning, finished)
        return tuple(sorted(finished.values(), key=lambda reading: -reading.log_probability)[:most])

    def _encode(self, samples: Samples) -> NDArray[np.float32]:
        """Return the encoder's states, shape 1 x frames x features."""
        inputs = {"input_values": samples[np.newaxis], "attention_mask": np.ones((1, len(samples)), np.int64)}
        states: NDArray[np.float32] = self._encoder.run(None, inputs)[0]
        return states

    def _step(
        self, beam: list[_Beginning], states: NDArray[np.float32], cache: _Cache, *, first: bool
    ) -> tuple[NDArray[np.float32], _Cache]:
        """Return the logits (beam x vocabulary) of the next token and the caches, one row per beginning."""
        rows = [beginning.parent for beginning in beam]
        past = {name: values[rows] for name, values in cache.items()}
        inputs: dict[str, Any] = {
            "input_ids": np.array([[b.tokens[-1] if b.tokens else _BEGIN] for b in beam], np.int64),
            "encoder_hidden_states": np.repeat(states, len(beam), axis=0),
            # The graph takes every 384th entry of a mask over samples; a single one stands for all frames.
            "encoder_attention_mask": np.ones((len(beam), 1), np.int64),
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
            if token == _END:
                self._finish(_Beginning(beam[row].tokens, log_probability, row), finished)
                continue
            tokens = (*beam[row].tokens, token)
            key = _key(self._text(tokens))
            if key in grown:
                grown[key].log_probability = _add(grown[key].log_probability, log_probability)
            elif len(grown) < width:
                grown[key] = _Beginning(tokens, log_probability, row)
        best = max((reading.log_probability for reading in finished.values()), default=-math.inf)
        return [beginning for beginning in grown.values() if beginning.log_probability > best - _HOPELESS]

    def _finish(self, beginning: _Beginning, finished: dict[str, Reading]) -> None:
        """Add a finished text to the readings, or its probability to the same reading in another spelling."""
        text = self._text(beginning.tokens).strip()
        key = _key(text)
        known = finished.get(key)
        if known is None:
            finished[key] = Reading(text, beginning.log_probability)
        else:
            finished[key] = Reading(known.text, _add(known.log_probability, beginning.log_probability))

    def _text(self, tokens: tuple[int, ...]) -> str:
        """Return what the tokens spell."""
        return b"".join(self._tokens[token] for token in tokens).decode("utf-8", "replace").replace("\u2581", " ")


def read_tokens(data: bytes) -> tuple[bytes, ...]:
    """Return the tokens of a tokenizer.bin: each is its length (one byte, from 128 on two) and its bytes."""
    tokens: list[bytes] = []
    at = 0
    while at < len(data):
        length = data[at]
        at += 1
        if length >= 128:
            length = data[at] * 128 + length - 128
            at += 1
        tokens.append(data[at : at + length])
        at += length
    return tuple(tokens)


def _key(text: str) -> str:
    """Return what tells readings apart: the words, without case and punctuation."""
    return " ".join(re.findall(r"[\w']+", text.lower()))


def _add(one: float, other: float) -> float:
    """Return the log of the sum of two probabilities given as logs."""
    return float(np.logaddexp(one, other))


def _log_softmax(logits: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return natural logs of probabilities along the last axis."""
    shifted = logits.astype(np.float64) - logits.max(axis=-1, keepdims=True)
    normalized: NDArray[np.float64] = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return normalized
