"""Moonshine's tokens: pieces of words, of which the decoder writes one at a time and candidates are made up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

Tokens = tuple[int, ...]

BEGIN: Final = 1
END: Final = 2
_GAP: Final = "\u2581"
"""Stands for the blank before a word."""


class Tokenizer:
    """Turns texts into tokens as the model was taught to (byte-pair encoding; lower tokens were merged first) and back."""

    def __init__(self, data: bytes) -> None:
        """Read the bytes of a tokenizer.bin."""
        self._pieces = read_tokens(data)
        # The first 256 pieces are single bytes, for letters that no later piece has.
        self._tokens = {piece: token for token, piece in enumerate(self._pieces)}

    def encode(self, text: str) -> Tokens:
        """Return the tokens of a text without its begin and end; letters that the model does not know are their bytes."""
        pieces = [letter.encode() for letter in _GAP + text.replace(" ", _GAP)]
        while True:
            pairs = [self._tokens.get(one + other, -1) for one, other in pairwise(pieces)]
            known = [token for token in pairs if token >= 0]
            if not known:
                break
            at = pairs.index(min(known))
            pieces[at : at + 2] = [pieces[at] + pieces[at + 1]]
        return tuple(token for piece in pieces for token in self._known(piece))

    def decode(self, tokens: Sequence[int]) -> str:
        """Return what the tokens spell."""
        return b"".join(self._pieces[token] for token in tokens).decode("utf-8", "replace").replace(_GAP, " ")

    def _known(self, piece: bytes) -> Tokens:
        token = self._tokens.get(piece)
        return (token,) if token is not None else tuple(self._tokens[bytes((byte,))] for byte in piece)


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


def reading_key(text: str) -> str:
    """Return what tells readings apart: the words, without case and punctuation."""
    return " ".join(re.findall(r"[\w']+", text.lower()))
