"""Whisper base through CTranslate2: Mandarin, Korean and English, when one word after another counts, not dictation.

Theory of operation: Whisper was made for 30 s of speech at a time; a guess lasts one or two. The encoder gets a window of
15 s instead, which halves the time and hears single words better. The decoder may not write punctuation or letters of other
languages, because "Fish.", "Fish!" and "Fish?" would fill the whole beam with one reading. What it writes in silence and
noise ("Thank you.", "謝謝觀看") are real words too, so they are not forbidden: an utterance is dropped when hardly any voice
was found in it, or when the decoder guessed its tokens.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from threading import Lock
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from voice_host.errors import MissingError
from voice_host.hearing.recognizers.chinese import simplified_writer, traditional_writer
from voice_host.hearing.recognizers.recognizer import Capabilities, Hypothesis, Recognition
from voice_host.hearing.recognizers.voice_gate import Voice, VoiceGate
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples
from voice_host.hearing.voice_activity import BLOCK_SAMPLES
from voice_host.models import read_catalog
from voice_host.models_install import prepare

_MODEL: Final = "whisper-base"
_INSTALL: Final = "pip install faster-whisper"
_REMEDY: Final = f"run: voice-host models install {_MODEL}"

_LANGUAGES: Final[Mapping[str, str]] = MappingProxyType({"en": "en", "zh-Hant": "zh", "ko": "ko"})
"""Language -> how Whisper calls it."""
_LETTERS: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        "en": re.compile(r"[A-Za-z0-9' -]*"),
        "zh-Hant": re.compile(r"[\u3400-\u9fff]*"),
        "ko": re.compile(r"[\uac00-\ud7a3 0-9]*"),
    }
)
"""Language -> what its readings may be spelled with."""
_WRITABLE: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        "en": re.compile(r"[A-Za-z0-9][A-Za-z0-9 '.-]*"),
        "zh-Hant": re.compile(r"[\u3400-\u9fff]+"),
        "ko": re.compile(r"[\uac00-\ud7a3][\uac00-\ud7a3 ]*"),
    }
)

_FRAMES: Final = 1500
_WINDOW: Final = 15 * SAMPLE_RATE
"""15 s: 30 s take twice the time, 10 s and less make the decoder loop."""
_HOP: Final = 160
_EARLIEST_CUT: Final = 10 * SAMPLE_RATE
"""Longer utterances are cut at their quietest place between 10 and 15 s."""

_BEAM: Final = 8
"""Readings followed at once: the right Mandarin word is among eight for 61 % of 80 recorded words, among five for 53 %."""
_NARROW_BEAM: Final = 4
_SHORT_SECONDS: Final = 5.0
"""Longer utterances are stories and table talk: their single words matter less than the time they take."""
_FEWEST_TOKENS: Final = 8
_TOKENS_PER_SECOND: Final = 12
"""Bounds the time that a decoder in a loop may take; fast Korean has about eight tokens a second."""
_LOOP: Final = re.compile(r"([^\d\s][^\d]{0,39}?)(?:\s*\1){2,}")
"""A phrase said three times or more in a row, as decoders in a loop do."""

_LONGEST_PROMPT: Final = 220
"""Tokens; the model was made for 223."""

_SAMPLES_PER_STATE: Final = 320
_SILENT_STATES: Final = 100
"""2 s of what the encoder made of the silence after the words: scoring attends to no more, which costs a sixth
and finds as many words."""
_BATCH: Final = 40
_STOP: Final = "."
"""Ends each candidate, because the scores leave out the end of the text: "car" would win whenever "carpet" was said."""
_LEAST_PROBABILITY: Final = 1e-12

_LEAST_TOKEN_PROBABILITY: Final = 0.22
_LEAST_DOUBTFUL_TOKEN_PROBABILITY: Final = 0.4
"""Geometric mean over the best reading's tokens and its end, the latter where the voice is doubtful. What the model makes
of a cough has less, what it makes of words has more. Measured on 85 recordings of noise, coughs and laughter, of which 53
have no voice: 23 of the other 32 are dropped in English, 22 in Mandarin, 21 in Korean; of 50 words in each language 0, 2, 2.
Most that is left is "ah", "hmm" and "haha".
Of 355 recorded Mandarin words the whole gate loses 6, of 263 Korean ones 12. No limit below 0.22 wins a right word on the half
of the recordings on which limits are chosen, and each lets coughs through, some right for a random word in Mandarin."""


class WhisperRecognizer:
    """Whisper base for one language; any thread may call it, one utterance is decoded at a time."""

    name: Final = "whisper"
    capabilities: Final = Capabilities(n_best=True, candidate_scoring=True, expectations=True)

    def __init__(self, language: str) -> None:
        """Load the model (0.7 s, 200 MB); raises `MissingError` when the package or its model is not there or damaged."""
        self.languages = (language,)
        self._language = language
        self._model, self._text, self._features = _load()
        self._to_traditional = traditional_writer() if language == "zh-Hant" else str
        self._to_simplified = simplified_writer() if language == "zh-Hant" else str
        tag = _LANGUAGES[language]
        names = ("<|startoftranscript|>", f"<|{tag}|>", "<|transcribe|>", "<|notimestamps|>")
        self._start: list[int] = [self._text.token_to_id(name) for name in names]
        self._before: int = self._text.token_to_id("<|startofprev|>")
        self._end: int = self._text.token_to_id("<|endoftext|>")
        self._suppressed = [-1, *self._foreign_tokens()]
        self._gate = VoiceGate()
        self._lock = Lock()
        self._last: tuple[int, Any] | None = None

    def recognize(self, samples: Samples) -> Recognition:
        """Return the n-best hypotheses for one utterance (mono, 16 kHz, any length)."""
        started = time.perf_counter()
        with self._lock:
            hypotheses = self._recognize(samples)
        return Recognition(hypotheses, time.perf_counter() - started)

    def recognize_expecting(self, samples: Samples, words: Sequence[str]) -> Recognition:
        """Return the hypotheses for an utterance (its first 15 s) in talk of such words; it may hold any other.

        The words are the prompt, as if they had been said before; so many of them as it holds.
        """
        started = time.perf_counter()
        between = "、" if self._language == "zh-Hant" else ", "
        prompt = self._text.encode(f" {between.join(words)}", add_special_tokens=False).ids[:_LONGEST_PROMPT]
        with self._lock:
            result = self._decode(samples[:_WINDOW], [self._before, *prompt, *self._start])
            hypotheses = self._hypotheses(result)
        return Recognition(hypotheses, time.perf_counter() - started)

    def score(self, samples: Samples, candidates: Sequence[str]) -> tuple[float, ...]:
        """Return the natural-log likelihood of each candidate as the whole text of the utterance (of its first 15 s)."""
        with self._lock:
            states = np.array(self._encode(samples[:_WINDOW]))
            heard = states[:, : math.ceil(len(samples) / _SAMPLES_PER_STATE) + _SILENT_STATES]
            # The model writes either script of Chinese as it likes: 農業 and 农业 share the likelihood of one word.
            spellings = list(dict.fromkeys(text for candidate in candidates for text in self._spellings(candidate)))
            scores: dict[str, float] = {}
            for start in range(0, len(spellings), _BATCH):
                batch = spellings[start : start + _BATCH]
                scores |= zip(batch, self._score(heard, batch), strict=True)
        return tuple(
            float(np.logaddexp.reduce([scores[text] for text in self._spellings(candidate)]))
            for candidate in candidates
        )

    def can_write(self, word: str) -> bool:
        """Tell whether the engine could ever write this word: it spells anything in the language's own letters."""
        return _WRITABLE[self._language].fullmatch(word) is not None

    def close(self) -> None:
        """Let the model go; its memory is freed with this object."""
        self._last = None

    def _recognize(self, samples: Samples) -> tuple[Hypothesis, ...]:
        """Return the hypotheses, none when nobody spoke."""
        self._gate.reset()
        self._gate.accept(samples)
        voice = self._gate.finish()
        if voice is Voice.NONE:
            return ()
        least = _LEAST_TOKEN_PROBABILITY if voice is Voice.SURE else _LEAST_DOUBTFUL_TOKEN_PROBABILITY
        pieces = list(_pieces(samples))
        if len(pieces) == 1:
            return self._hear(samples, least)
        readings = [self._hear(piece, least) for piece in pieces]
        best = [hypotheses[0] for hypotheses in readings if hypotheses]
        text = (" " if self._language != "zh-Hant" else "").join(hypothesis.text for hypothesis in best)
        confidence = math.prod(hypothesis.confidence or 0.0 for hypothesis in best)
        return (Hypothesis(text, confidence),) if text else ()

    def _hear(self, samples: Samples, least: float) -> tuple[Hypothesis, ...]:
        """Return the hypotheses for a piece that fits into the window; none if its tokens are less likely than ``least``."""
        result = self._decode(samples, self._start)
        if math.exp(result.scores[0] / (len(result.sequences_ids[0]) + 1)) < least:
            return ()
        return self._hypotheses(result)

    def _decode(self, samples: Samples, start: list[int]) -> Any:
        """Return the tokens and scores of the likeliest texts after the starting tokens."""
        states = self._encode(samples)
        width = _BEAM if len(samples) <= _SHORT_SECONDS * SAMPLE_RATE else _NARROW_BEAM
        longest = _FEWEST_TOKENS + int(len(samples) / SAMPLE_RATE * _TOKENS_PER_SECOND)
        (result,) = self._model.generate(
            states,
            [start],
            beam_size=width,
            num_hypotheses=width,
            length_penalty=0.0,  # so that scores are the logs of the texts' probabilities
            max_length=len(start) + longest,
            suppress_tokens=self._suppressed,
            return_scores=True,
        )
        return result

    def _hypotheses(self, result: Any) -> tuple[Hypothesis, ...]:
        """Return what was decoded as texts, the likeliest first, two spellings of one reading as one."""
        texts: dict[str, Hypothesis] = {}
        for tokens, score in zip(result.sequences_ids, result.scores, strict=True):
            text = self._written(tokens)
            key = text.casefold().replace(" ", "")
            before = texts.get(key, Hypothesis(text, 0.0))  # two spellings of one reading have both their probabilities
            texts[key] = Hypothesis(before.text, min(1.0, (before.confidence or 0.0) + math.exp(score)))
        texts.pop("", None)
        return tuple(sorted(texts.values(), key=lambda hypothesis: -(hypothesis.confidence or 0.0)))

    def _spellings(self, text: str) -> frozenset[str]:
        """Return the text in all the scripts in which the model may write it."""
        return frozenset({text, self._to_simplified(text), self._to_traditional(text)})

    def _score(self, states: NDArray[np.float32], candidates: Sequence[str]) -> Iterator[float]:
        """Yield the log-likelihoods of one batch of candidates."""
        import ctranslate2

        batch = ctranslate2.StorageView.from_array(np.repeat(states, len(candidates), axis=0))
        space = "" if self._language == "zh-Hant" else " "
        texts = [self._text.encode(f"{space}{text}{_STOP}", add_special_tokens=False).ids for text in candidates]
        for aligned in self._model.align(batch, self._start[:-1], texts, 2 * states.shape[1]):
            yield float(np.log(np.maximum(aligned.text_token_probs, _LEAST_PROBABILITY)).sum())

    def _encode(self, samples: Samples) -> Any:
        """Return the encoder's states; those of the last clip are kept, because a second look asks for them again."""
        import ctranslate2

        key = hash(samples.tobytes())
        if self._last is None or self._last[0] != key:
            padded = np.pad(samples, (0, max(0, _WINDOW - len(samples))))[:_WINDOW].astype(np.float32)
            features = self._features(padded, padding=0)[np.newaxis, :, :_FRAMES]
            view = ctranslate2.StorageView.from_array(np.ascontiguousarray(features))
            self._last = (key, self._model.encode(view))
        return self._last[1]

    def _written(self, tokens: Iterable[int]) -> str:
        """Return what the tokens spell, in the language's own script, with loops said once."""
        text = self._text.decode([token for token in tokens if token < self._end])
        return self._to_traditional(collapse_loops(text.replace("\ufffd", "").strip()))

    def _foreign_tokens(self) -> Iterator[int]:
        """Yield the tokens that hold anything but the language's letters; parts of letters are left."""
        letters = _LETTERS[self._language]
        for token, text in enumerate(self._text.decode_batch([[token] for token in range(self._end)])):
            if "\ufffd" not in text and letters.fullmatch(text) is None:
                yield token


def _load() -> tuple[Any, Any, Any]:
    """Return the network, the tokenizer and the function that makes features of samples; raises `MissingError`."""
    try:
        from faster_whisper import WhisperModel
    except (ImportError, OSError) as error:
        raise MissingError(f"Whisper is not installed; run: {_INSTALL}") from error
    folder = prepare(next(model for model in read_catalog() if model.name == _MODEL))
    try:
        # One thread: a second one saves nothing of a word's time, and its spinning costs a busy machine a lot.
        whole = WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=1, num_workers=1)
    except Exception as error:  # CTranslate2 raises nothing more special
        raise MissingError(f"Whisper's model cannot be loaded ({str(error).splitlines()[0]}); {_REMEDY}") from error
    return whole.model, whole.hf_tokenizer, whole.feature_extractor


def collapse_loops(text: str) -> str:
    """Return the text with what is said three times or more in a row, as decoders in a loop do, said once."""
    return _LOOP.sub(r"\1", text)


def _pieces(samples: Samples) -> Iterator[Samples]:
    """Yield the utterance in pieces that fit into the window, cut where it is quietest."""
    while len(samples) > _WINDOW:
        late = samples[_EARLIEST_CUT:_WINDOW]
        loudness = np.square(late[: len(late) // BLOCK_SAMPLES * BLOCK_SAMPLES]).reshape(-1, BLOCK_SAMPLES).sum(axis=1)
        cut = _EARLIEST_CUT + int(loudness.argmin()) * BLOCK_SAMPLES + BLOCK_SAMPLES // 2
        yield samples[:cut]
        samples = samples[cut:]
    yield samples
