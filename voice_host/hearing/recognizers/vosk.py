"""Vosk: any language for which one of its models is on this machine; nothing is ever fetched while playing.

Theory of operation: two decoders work on one model. The free one may write any of the model's words. The other follows a
grammar of phrases (the whole deck, decoys and commands, never the hidden word alone) and always finds one of them, even in a
cough; only beside the free one does its score mean something. Both scores are logs of likelihoods of the same sound, so
they go into one ranking: a phrase that was not said falls far behind what the free decoder wrote. Models that dither (the
Korean one) give slightly other scores each time the same clip is decoded.

Vosk's own traps, each of which ends or bloats the process: a grammar that is not a list of known words (segmentation
fault), a new decoder per utterance (memory grows; ours are made once), `Result` in the middle of an utterance (which cuts
it; only `FinalResult` is asked), a damaged model (`prepare` looks it through before native code sees it).
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterable, Sequence
from functools import partial
from threading import Lock
from typing import Any, Final

import numpy as np

from voice_host.errors import MissingError
from voice_host.hearing.recognizers.chinese import simplified_writer, traditional_writer
from voice_host.hearing.recognizers.recognizer import Capabilities, Hypothesis, Recognition
from voice_host.hearing.recognizers.voice_gate import Voice, VoiceGate
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples
from voice_host.models import best_for, install_command, locate, read_catalog
from voice_host.models_install import prepare

_ALTERNATIVES: Final = 10
_CANDIDATES: Final = 30
"""Alternatives among words that are all asked for."""
HOPELESS: Final = -30.0
"""Natural log of the likelihood of what was not said."""
_STEP: Final = SAMPLE_RATE // 5
"""Vosk decodes in steps of 0.2 s; blocks are collected to such steps, so that a stream gives exactly what a clip gives."""
_PHRASE_ADVANTAGE: Final = 4.0
"""Natural log: how much better a phrase of the grammar scores than the same words among half a million."""
_TEMPERATURE: Final = 5.0
"""Flattens the scores' differences into probabilities that come true: see benchmarks/engines.md."""
_WARM_UP: Final = SAMPLE_RATE
"""Samples of silence that are decoded at loading: the first decode reads the graph in, which takes a busy second."""
_LONGEST_PIECE: Final = 8
_SPEAKER_MODEL: Final = "vosk-model-spk-0.4"


class VoskRecognizer:
    """One Vosk model; any thread may call it, one utterance is decoded at a time."""

    name: Final = "vosk"

    def __init__(self, language: str) -> None:
        """Load the model (4 s, 640 MB) and decode once, so that the first utterance is as quick as the others.

        Raises `MissingError` when the package or a sound model is not there.
        """
        try:
            import vosk
        except (ImportError, OSError) as error:
            raise MissingError("Vosk is not installed; run: pip install 'vosk>=0.3.44'") from error
        self.languages = (language,)
        found = best_for(language, "vosk")
        if found is None:
            raise MissingError(f"There is no Vosk model for language {language!r} here; {_remedy(language)}")
        chinese = language == "zh-Hant"
        self._to_model = simplified_writer() if chinese else str.lower
        self._to_reader = traditional_writer() if chinese else str
        folder = prepare(found.model)
        vosk.SetLogLevel(-1)
        try:
            self._model: Any = vosk.Model(str(folder))
            self._new_decoder = partial(vosk.KaldiRecognizer, self._model, float(SAMPLE_RATE))
            self._free = _Decoder(self._new_decoder())
        except Exception as error:  # Vosk raises nothing more special
            raise MissingError(f"The Vosk model in {folder} is damaged; {_remedy(language)}") from error
        # Big models come with a graph of one piece, which takes no grammar.
        takes_grammar = (folder / "graph" / "HCLr.fst").is_file()
        self.capabilities = Capabilities(
            streaming=True, n_best=True, grammar=takes_grammar, candidate_scoring=takes_grammar
        )
        self._phrases: _Decoder | None = None
        self._candidates: _Decoder | None = None
        self._free_best = 0.0
        self._listening = False
        self._speakers = _SpeakerVectors(self._new_decoder)
        self._gate = VoiceGate()
        self._lock = Lock()
        self.recognize(np.zeros(_WARM_UP, np.float32))

    def listen_for(self, phrases: Iterable[str]) -> tuple[str, ...]:
        """Follow a grammar of these phrases beside the free decoder from the next utterance on; none ends it.

        Returns the phrases that the model has no words for; they are left out of the grammar. A word that the model lacks
        is put together from smaller words where it has them. Raises `ValueError` for a model that takes no grammar.
        """
        pieces = {phrase: self.pieces(phrase) for phrase in phrases}
        known = sorted({words for words in pieces.values() if words})
        if known and not self.capabilities.grammar:
            raise ValueError("this model takes no grammar")
        with self._lock:
            self._listening = bool(known)
            if known and self._phrases is None:
                self._phrases = _Decoder(self._new_decoder())
            if known and self._phrases is not None:
                self._phrases.follow(known)
        return tuple(phrase for phrase, words in pieces.items() if not words)

    def recognize(self, samples: Samples) -> Recognition:
        """Return the n-best hypotheses for one utterance (mono, 16 kHz, any length)."""
        started = time.perf_counter()
        with self._lock:
            self._gate.reset()
            for decoder in self._decoders():
                decoder.reset()
            self._accept(samples)
            hypotheses = self._finish()
        return Recognition(hypotheses, time.perf_counter() - started)

    def score(self, samples: Samples, candidates: Sequence[str]) -> tuple[float, ...]:
        """Return the natural log of each candidate's likelihood beside what was freely heard in the last utterance.

        All candidates make one grammar and stand on one footing, where the free decoder prefers frequent words. Those that
        the model has no words for, or that are far from the sound, get `HOPELESS`. Raises `ValueError` for a model that takes no grammar.
        """
        if not self.capabilities.grammar:
            raise ValueError("this model takes no grammar")
        words = {candidate: self.pieces(candidate) for candidate in candidates}
        known = sorted({one for one in words.values() if one})
        if not known:
            return (HOPELESS,) * len(candidates)
        with self._lock:
            if self._candidates is None:
                self._candidates = _Decoder(self._new_decoder(), _CANDIDATES)
            self._candidates.follow(known)
            self._candidates.accept(samples)
            scores = self._candidates.finish()
        usual = self._free_best + _PHRASE_ADVANTAGE
        found = {text: max(HOPELESS, (score - usual) / _TEMPERATURE) for text, score in scores.items()}
        return tuple(found.get(words[candidate], HOPELESS) for candidate in candidates)

    def accept(self, block: Samples) -> None:
        """Take the next block of the utterance that is being spoken."""
        with self._lock:
            self._accept(block)

    def finish(self) -> Recognition:
        """Return the hypotheses for the blocks since the last utterance; most of the work is done by then."""
        started = time.perf_counter()
        with self._lock:
            hypotheses = self._finish()
        return Recognition(hypotheses, time.perf_counter() - started)

    def speaker_vector(self, samples: Samples) -> tuple[float, ...] | None:
        """Return 128 numbers that are alike for one voice; None without a speaker model or with too little speech."""
        with self._lock:
            return self._speakers.vector(samples)

    def can_write(self, word: str) -> bool:
        """Tell whether every part of the word is in the model's dictionary."""
        parts = self._to_model(word).split()
        return bool(parts) and all(self._knows(part) for part in parts)

    def close(self) -> None:
        """Let the model go; its memory is freed with this object."""

    def _decoders(self) -> tuple[_Decoder, ...]:
        """Return the decoders that listen."""
        return (self._free, self._phrases) if self._listening and self._phrases is not None else (self._free,)

    def _accept(self, samples: Samples) -> None:
        """Let all that listen hear the samples."""
        self._gate.accept(samples)
        for decoder in self._decoders():
            decoder.accept(samples)

    def _finish(self) -> tuple[Hypothesis, ...]:
        """Return the ranked readings of all decoders that listen."""
        scores = self._free.finish()
        self._free_best = max(scores.values(), default=0.0)
        if self._listening and self._phrases is not None:
            phrases = self._phrases.finish()
            if scores:  # where free words hear nothing, a phrase was only forced
                for text, score in phrases.items():
                    scores[text] = max(scores.get(text, -math.inf), score - _PHRASE_ADVANTAGE)
        if self._gate.finish() is Voice.NONE:
            return ()
        return tuple(Hypothesis(self._to_reader(text), share) for text, share in _shares(scores))

    def _knows(self, word: str) -> bool:
        return int(self._model.vosk_model_find_word(word)) >= 0

    def pieces(self, phrase: str) -> str:
        """Return the phrase in the model's words, an unknown word as the fewest known pieces; "" where it has none."""
        words = [self._split(part) for part in self._to_model(phrase).split()]
        return " ".join(words) if all(words) else ""

    def _split(self, word: str) -> str:
        """Return one word as the fewest words of the model that spell it, or ""."""
        best: list[tuple[str, ...] | None] = [(), *[None] * len(word)]
        for end in range(1, len(word) + 1):
            for start in range(max(0, end - _LONGEST_PIECE), end):
                before, kept = best[start], best[end]
                if (
                    before is not None
                    and (kept is None or len(before) + 1 < len(kept))
                    and self._knows(word[start:end])
                ):
                    best[end] = (*before, word[start:end])
        return word if self._knows(word) else " ".join(best[-1] or ())


class _Decoder:
    """One of Vosk's decoders, fed in its own steps."""

    def __init__(self, native: Any, alternatives: int = _ALTERNATIVES) -> None:
        self._native = native
        self._native.SetMaxAlternatives(alternatives)
        self._waiting = np.zeros(0, np.float32)

    def follow(self, phrases: Sequence[str]) -> None:
        """Allow only these phrases, of which there is at least one and whose words are all known."""
        self.reset()  # a grammar that comes amid an utterance ends the process
        self._native.SetGrammar(json.dumps(phrases, ensure_ascii=False))

    def reset(self) -> None:
        """Forget an utterance that was begun."""
        self._waiting = self._waiting[:0]
        self._native.Reset()

    def accept(self, samples: Samples) -> None:
        """Decode as many whole steps as there are."""
        self._waiting = np.concatenate([self._waiting, samples])
        whole = len(self._waiting) // _STEP * _STEP
        if whole:
            self._native.AcceptWaveform(_bytes(self._waiting[:whole]))
            self._waiting = self._waiting[whole:]

    def finish(self) -> dict[str, float]:
        """End the utterance; return the readings with words in them and the logs of their likelihoods."""
        if len(self._waiting):
            self._native.AcceptWaveform(_bytes(self._waiting))
            self._waiting = self._waiting[:0]
        scores: dict[str, float] = {}
        for alternative in json.loads(self._native.FinalResult()).get("alternatives", ()):
            text = " ".join(word for word in alternative["text"].split() if not word.startswith(("<", "[")))
            if text:
                scores[text] = max(scores.get(text, -math.inf), float(alternative["confidence"]))
        return scores


class _SpeakerVectors:
    """Vosk's vectors of voices, where its speaker model is installed; the decoder for them is made when first asked."""

    def __init__(self, new_decoder: Any) -> None:
        self._new_decoder = new_decoder
        model = next((model for model in read_catalog() if model.name == _SPEAKER_MODEL), None)
        self._folder = prepare(model) if model is not None and locate(model) is not None else None
        self._native: Any = None

    def vector(self, samples: Samples) -> tuple[float, ...] | None:
        """Return the vector of the voice in the clip, or None."""
        if self._folder is None:
            return None
        if self._native is None:
            import vosk

            self._native = self._new_decoder()
            self._native.SetSpkModel(vosk.SpkModel(str(self._folder)))
        self._native.Reset()
        self._native.AcceptWaveform(_bytes(samples))
        vector = json.loads(self._native.FinalResult()).get("spk")
        return tuple(float(value) for value in vector) if vector else None


def _shares(scores: dict[str, float]) -> list[tuple[str, float]]:
    """Return each text with its share of the probability, the likeliest first."""
    best = max(scores.values(), default=0.0)
    weights = {text: math.exp((score - best) / _TEMPERATURE) for text, score in scores.items()}
    total = sum(weights.values())
    return sorted(((text, weight / total) for text, weight in weights.items()), key=lambda item: -item[1])


def _bytes(samples: Samples) -> bytes:
    """Return samples as Vosk takes them: 16 bit, little endian."""
    return (np.clip(samples, -1.0, 1.0) * 32767).astype("<i2").tobytes()


def _remedy(language: str) -> str:
    """Return what to run to get a model for the language."""
    return f"run: {install_command(language, 'vosk')}"
