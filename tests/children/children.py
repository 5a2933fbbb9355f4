"""What the children of the tests do."""

from __future__ import annotations

import ctypes
import os
import time

from voice_host.child_process import Parent


def echo(parent: Parent, greeting: str) -> None:
    """Greet, print what would break a protocol, and send everything back; die or hang when told to."""
    print("a library says something on stdout")  # noqa: T201
    parent.send({"greeting": greeting})
    while True:
        values, data = parent.receive()
        match values.get("do"):
            case "crash":
                ctypes.string_at(0)
            case "leave":
                return
            case "raise":
                raise RuntimeError("a mistake")
            case "hold":
                hold_the_interpreter()
            case "die":
                os._exit(7)
            case _:
                parent.send({**values, "size": len(data)}, data)


def hold_the_interpreter() -> None:
    """Hang in native code that lets no thread of ours run."""
    ctypes.PyDLL(None).sleep(1000)


def slow_to_load(parent: Parent) -> None:
    """Block all threads for longer than the tests' silence, as a library does that is loaded from a slow disk."""
    ctypes.PyDLL(None).usleep(1_200_000)
    parent.send({"loaded": True})
    time.sleep(60)
