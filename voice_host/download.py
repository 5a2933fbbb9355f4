"""One file over HTTP, taken up again where an earlier try or an earlier process was cut off."""

from __future__ import annotations

import json
import logging
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import requests
from tqdm import tqdm

from voice_host.disk import disk_sentence
from voice_host.errors import HostError

_LOG = logging.getLogger(__name__)

_CONNECT_SECONDS: Final = 10.0
_SILENCE_SECONDS: Final = 30.0
"""A server that sends nothing for so long is left and asked again."""
_BARREN_TRIES: Final = 4
"""Tries in a row that brought not one byte, after which we give up; a try that brought some starts the count anew."""
_FIRST_WAIT_SECONDS: Final = 0.5
_CHUNK: Final = 1 << 13
"""Small, because what has come of an unfinished chunk is lost when the transfer breaks off."""
_TOO_MANY_REQUESTS: Final = 429
_OTHER_WAYS: Final = "choose another server with --url, or fetch the archive elsewhere and pass it with --from"


class _BrokenError(Exception):
    """The transfer stopped; it may be taken up again."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What an earlier response said of the file, kept beside the part."""

    url: str
    validator: str
    "its ETag or Last-Modified, or nothing"

    def save(self, path: Path) -> None:
        path.write_text(json.dumps({"url": self.url, "validator": self.validator}), encoding="utf-8")


def download(url: str, part: Path, *, size: int | None = None) -> None:
    """Fetch ``url`` into ``part``, of which some bytes may be there already; it is whole on return.

    ``size`` is what it must come to, in bytes. Raises `HostError` in one sentence with the remedy; what has come so far
    stays in ``part``.
    """
    known = _read_known(part, url)
    if known is None:
        part.unlink(missing_ok=True)
    barren = 0
    with tqdm(total=size, unit="B", unit_scale=True, desc=Path(urlsplit(url).path).name, disable=None) as bar:
        while True:
            before = _length(part)
            if before == size:
                return
            try:
                _transfer(url, part, size, bar)
            except _BrokenError as broken:
                barren = 0 if _length(part) > before else barren + 1
                _LOG.info("%s stopped at byte %d: %s", url, _length(part), broken)
                if barren >= _BARREN_TRIES:
                    raise HostError(_sentence(url, str(broken))) from broken
                time.sleep(_FIRST_WAIT_SECONDS * 2**barren)
            else:
                return


def forget(part: Path) -> None:
    """Remove a part and what was known of it."""
    part.unlink(missing_ok=True)
    _beside(part).unlink(missing_ok=True)


def _transfer(url: str, part: Path, size: int | None, bar: Any) -> None:
    """Fetch what is missing in one request; raises `_BrokenError` when it stopped and `HostError` when it is of no use."""
    offset, known = _length(part), _read_known(part, url)
    headers = {"Accept-Encoding": "identity"}
    if offset:
        headers["Range"] = f"bytes={offset}-"
        if known is not None and known.validator:
            headers["If-Range"] = known.validator  # another file than before is sent whole
    try:
        with requests.get(url, headers=headers, stream=True, timeout=(_CONNECT_SECONDS, _SILENCE_SECONDS)) as response:
            if response.status_code == requests.codes.requested_range_not_satisfiable:
                _meet_the_end(response, part)
            else:
                _receive(response, _Known(url, _validator(response)), part, size, bar)
    except requests.exceptions.SSLError as error:
        raise HostError(f"The certificate of {urlsplit(url).hostname} is not trusted; {_OTHER_WAYS}.") from error
    except (
        requests.exceptions.InvalidSchema,
        requests.exceptions.InvalidURL,
        requests.exceptions.MissingSchema,
    ) as error:
        raise HostError(f"{url} is no address of a server; it must begin with https:// or http://.") from error
    except (requests.exceptions.RequestException, ConnectionError, TimeoutError) as error:
        raise _BrokenError(_reason(error)) from error
    except OSError as error:
        raise HostError(disk_sentence(part, error)) from error


def _meet_the_end(response: requests.Response, part: Path) -> None:
    """Take the answer that there is nothing beyond the part: it is whole, or it is of another file and of no use."""
    match = re.fullmatch(r"bytes \*/(\d+)", response.headers.get("Content-Range", ""))
    if match is None or int(match[1]) != _length(part):
        forget(part)
        raise _BrokenError("it has another file now")


def _validator(response: requests.Response) -> str:
    """Return what tells whether the file is still the same; a weak ETag does not, the digest will in the end."""
    validator = response.headers.get("ETag", "") or response.headers.get("Last-Modified", "")
    return "" if validator.startswith("W/") else validator


def _receive(response: requests.Response, known: _Known, part: Path, size: int | None, bar: Any) -> None:
    """Write a response to the part; raises `_BrokenError` or `HostError`."""
    begin, total = _span(response, _length(part))
    if total is not None and size is not None and total != size:
        forget(part)
        raise HostError(
            f"{response.url} has {total} bytes where the catalogue says {size}: it is another archive; {_OTHER_WAYS}."
        )
    known.save(_beside(part))
    bar.total, bar.n = total or size, begin
    bar.refresh()
    with part.open("r+b" if begin else "wb") as file:
        file.seek(begin)
        file.truncate()
        for chunk in response.iter_content(_CHUNK):
            file.write(chunk)
            bar.update(len(chunk))
            if size is not None and file.tell() > size:
                break
    if total is not None and _length(part) != total:
        raise _BrokenError("the transfer ended too early")


def _span(response: requests.Response, offset: int) -> tuple[int, int | None]:
    """Return the first byte of the response's content in the file and the file's size, where the server tells it."""
    status, whole = response.status_code, response.headers.get("Content-Length", "")
    if status == requests.codes.partial_content:
        match = re.fullmatch(r"bytes (\d+)-\d+/(\d+|\*)", response.headers.get("Content-Range", ""))
        if match and int(match[1]) == offset:
            return offset, int(match[2]) if match[2] != "*" else None
        raise HostError(f"{urlsplit(response.url).hostname} sends other bytes than it was asked for; {_OTHER_WAYS}.")
    if status >= requests.codes.internal_server_error or status == _TOO_MANY_REQUESTS:
        raise _BrokenError(f"it answers {status}")
    if status != requests.codes.ok:
        raise HostError(f"{response.url} cannot be had: the server answers {status} {response.reason}; {_OTHER_WAYS}.")
    return 0, int(whole) if whole.isdigit() else None


def _sentence(url: str, reason: str) -> str:
    return f"{urlsplit(url).hostname} cannot be reached or stops sending ({reason}); try again later, {_OTHER_WAYS}."


def _reason(error: Exception) -> str:
    """Return a short reason for a failed request; the library's own texts hold addresses of objects."""
    if isinstance(error, (requests.exceptions.Timeout, TimeoutError)) or "timed out" in str(error):
        return "no answer in time"
    if "resolve" in str(error) or "Name or service" in str(error):
        return "its name is not known here: is there a network?"
    if "refused" in str(error):
        return "it refuses the connection"
    return "the connection broke off"


def _length(part: Path) -> int:
    return part.stat().st_size if part.exists() else 0


def _beside(part: Path) -> Path:
    return part.with_name(f"{part.name}.json")


def _read_known(part: Path, url: str) -> _Known | None:
    """Return what is known of the part, or None when it is of another address."""
    try:
        known = _Known(**json.loads(_beside(part).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return known if known.url == url else None
