"""A server of model archives on this machine that can be as bad as real ones, and small archives to serve."""

from __future__ import annotations

import hashlib
import io
import random
import re
import threading
import time
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

NAME = "vosk-model-small-en-us-0.15"


def model_files(seed: int = 1, size: int = 300_000) -> dict[str, bytes]:
    """Return files that look like a Vosk model's, with ``size`` random bytes in the graph."""
    noise = random.Random(seed).randbytes(size)
    binary = {
        "am/final.mdl": b"\0B<TransitionModel> name=ivector <Nnet3> </Nnet3> <LeftContext> <Priors> ",
        "graph/HCLr.fst": b"\xd6\xfd\xb2\x7e" + noise,
        "graph/Gr.fst": b"\xd6\xfd\xb2\x7e" + noise[:1000],
        "ivector/final.dubm": b"\0B<DiagGMM> </DiagGMM> ",
        "ivector/final.ie": b"\0B<IvectorExtractor> </IvectorExtractor> ",
        "ivector/final.mat": b"\0BFM ",
    }
    texts = ("conf/mfcc.conf", "conf/model.conf", "ivector/global_cmvn.stats", "ivector/online_cmvn.conf")
    return {**binary, **dict.fromkeys((*texts, "ivector/splice.conf", "README"), b"a line\n")}


def zipped(files: Mapping[str, bytes], top: str = f"{NAME}/") -> bytes:
    """Return a zip archive of the files below one folder."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"{top}{name}", content)
    return buffer.getvalue()


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def write_model(folder: Path, files: Mapping[str, bytes] | None = None) -> Path:
    """Write a model's files into a folder."""
    for name, content in (files or model_files()).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


@dataclass
class ModelServer:
    """What is served, how badly, and what was asked for."""

    content: bytes
    url: str = ""
    status: int = 200
    etag: str | None = '"one"'
    ranges: bool = True
    break_after: list[int] = field(default_factory=list)
    "bytes after which the coming responses break off, one for each; then they are whole"
    bytes_per_second: float | None = None
    lied_length: int | None = None
    stall_seconds: float = 0.0
    asked: list[str] = field(default_factory=list)
    "the Range headers, or nothing for a request without one"
    sent: int = 0


@contextmanager
def serve(server: ModelServer) -> Iterator[ModelServer]:
    """Run the server on a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            _answer(server, self)

        def log_message(self, *_: object) -> None:
            """Be quiet."""

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listening.daemon_threads = True
    thread = threading.Thread(target=listening.serve_forever, args=(0.02,))
    thread.start()
    server.url = f"http://127.0.0.1:{listening.server_address[1]}/models"
    try:
        yield server
    finally:
        listening.shutdown()
        listening.server_close()
        thread.join()


def _answer(server: ModelServer, request: BaseHTTPRequestHandler) -> None:
    asked = request.headers.get("Range", "")
    server.asked.append(asked)
    if server.status != 200:
        request.send_error(server.status)
        return
    begin = 0
    match = re.fullmatch(r"bytes=(\d+)-", asked)
    same = request.headers.get("If-Range") in (None, server.etag)
    if match and server.ranges and same:
        begin = int(match[1])
        if begin >= len(server.content):
            request.send_response(416)
            request.send_header("Content-Range", f"bytes */{len(server.content)}")
            request.send_header("Content-Length", "0")
            request.end_headers()
            return
        request.send_response(206)
        request.send_header("Content-Range", f"bytes {begin}-{len(server.content) - 1}/{len(server.content)}")
    else:
        request.send_response(200)
    if server.etag:
        request.send_header("ETag", server.etag)
    request.send_header("Content-Length", str(server.lied_length or len(server.content) - begin))
    request.end_headers()
    _send(server, request, server.content[begin:])


def _send(server: ModelServer, request: BaseHTTPRequestHandler, content: bytes) -> None:
    if server.break_after:
        content = content[: server.break_after.pop(0)]
    try:
        for at in range(0, len(content), 8192):
            request.wfile.write(content[at : at + 8192])
            server.sent += len(content[at : at + 8192])
            if server.bytes_per_second:
                time.sleep(8192 / server.bytes_per_second)
        request.wfile.flush()
        time.sleep(server.stall_seconds)
    except (BrokenPipeError, ConnectionResetError):
        pass  # the one who asked was killed
    request.close_connection = True
