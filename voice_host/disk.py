"""Care for files that must be right: their digests, their way onto the disk, and the space for them."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
from pathlib import Path
from typing import Final

from voice_host.errors import HostError

_CHUNK: Final = 1 << 20
_MARGIN_BYTES: Final = 20_000_000
"""Nothing of ours fills a disk to its last byte."""


def sha256_of(*pieces: Path) -> str:
    """Return the digest, in hexadecimal, of a file, or of what its pieces one after the other make."""
    digest = hashlib.sha256()
    for piece in pieces:
        with piece.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
    return digest.hexdigest()


def flush(path: Path) -> None:
    """Bring a file or a folder onto the disk before it is relied upon, against a power cut."""
    if os.name != "posix":
        return  # elsewhere a folder cannot be opened for this
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def demand_space(folder: Path, size: int) -> None:
    """Raise `HostError` when so many bytes more do not fit where the folder is."""
    free = shutil.disk_usage(folder).free
    if free < size + _MARGIN_BYTES:
        raise HostError(
            f"{folder.parent} has {free / 1e6:.0f} MB free and {(size + _MARGIN_BYTES) / 1e6:.0f} MB are needed; "
            "free some, or name another folder with VOICE_HOST_MODELS."
        )


def disk_sentence(path: Path, error: OSError) -> str:
    """Return the one sentence for a file that cannot be written, with the remedy."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"There is no space left in {path.parent}; free some, or name another folder with VOICE_HOST_MODELS."
    return f"{path} cannot be written ({error.strerror or error}); name another folder with VOICE_HOST_MODELS."
