"""Traditional and Simplified characters: the players read the former, most engines write and know the latter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from voice_host.errors import MissingError

_INSTALL: Final = "pip install opencc-python-reimplemented"


def traditional_writer() -> Callable[[str], str]:
    """Return a function that writes any Chinese as Taiwan does (0.3 s to load); raises `MissingError`."""
    return _converter("s2tw")


def simplified_writer() -> Callable[[str], str]:
    """Return a function that writes any Chinese in Simplified characters; raises `MissingError`."""
    return _converter("t2s")


def _converter(name: str) -> Callable[[str], str]:
    try:
        from opencc import OpenCC
    except ImportError as error:
        raise MissingError(f"The converter of Chinese characters is not installed; run: {_INSTALL}") from error
    converter = OpenCC(name)
    return lambda text: str(converter.convert(text))
