"""Where PulseAudio (or PipeWire in its place) has put our stream, because it moves streams without a word.

When a microphone is unplugged, the server lets its streams go on with another source: with another microphone, which is fine,
or with what the loudspeaker plays, in which the host would hear nobody but itself. PortAudio cannot know; the server tells
whoever asks. Without libpulse, or with another sound system, nothing is known, and nothing is needed.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import logging
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from voice_host.devices import Kind

_LOG = logging.getLogger(__name__)

_CONTEXT_READY: Final = 4
_CONTEXT_FAILED: Final = 5
_NO_AUTOSPAWN: Final = 1
_EVENTS: Final = {"output": 0x0001 | 0x0004, "input": 0x0002 | 0x0008}
"""Changes of sinks and of what plays into them; of sources and of what listens to them."""

_CHANNELS_MAX: Final = 32


class _SampleSpec(ctypes.Structure):
    _fields_ = (("format", ctypes.c_int), ("rate", ctypes.c_uint32), ("channels", ctypes.c_uint8))


class _ChannelMap(ctypes.Structure):
    _fields_ = (("channels", ctypes.c_uint8), ("map", ctypes.c_int * _CHANNELS_MAX))


class _Volume(ctypes.Structure):
    _fields_ = (("channels", ctypes.c_uint8), ("values", ctypes.c_uint32 * _CHANNELS_MAX))


_STREAM: Final = (
    ("index", ctypes.c_uint32),
    ("name", ctypes.c_char_p),
    ("owner_module", ctypes.c_uint32),
    ("client", ctypes.c_uint32),
    ("device", ctypes.c_uint32),
    ("sample_spec", _SampleSpec),
    ("channel_map", _ChannelMap),
)
_DELAYS: Final = (
    ("buffer_usec", ctypes.c_uint64),
    ("device_usec", ctypes.c_uint64),
    ("resample_method", ctypes.c_char_p),
    ("driver", ctypes.c_char_p),
)


class _SinkInput(ctypes.Structure):
    """``pa_sink_input_info`` of pulse/introspect.h, as far as we read it."""

    _fields_ = (*_STREAM, ("volume", _Volume), *_DELAYS, ("mute", ctypes.c_int), ("proplist", ctypes.c_void_p))


class _SourceOutput(ctypes.Structure):
    """``pa_source_output_info`` of pulse/introspect.h, as far as we read it."""

    _fields_ = (*_STREAM, *_DELAYS, ("proplist", ctypes.c_void_p))


class _Device(ctypes.Structure):
    """``pa_sink_info`` and ``pa_source_info``, as far as we read them."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("index", ctypes.c_uint32),
        ("description", ctypes.c_char_p),
        ("sample_spec", _SampleSpec),
        ("channel_map", _ChannelMap),
        ("owner_module", ctypes.c_uint32),
        ("volume", _Volume),
        ("mute", ctypes.c_int),
    )


@dataclass(frozen=True, slots=True)
class Place:
    """Where a stream is."""

    name: str
    """The sink's or the source's name."""
    muted: bool
    """True when somebody has switched it off."""


_LISTED = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
_SUBSCRIBED = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32, ctypes.c_void_p)


class PulseWatch:
    """Asks the sound server, in a thread of its own, on which device this process's stream is, now and after each change."""

    def __init__(self, kind: Kind, moved: Callable[[Place], None]) -> None:
        """Begin to ask; ``moved`` is called in our thread, first and whenever something about it has changed."""
        self.known = threading.Event()
        """Set when it was called first, or when nobody can be asked."""
        self._kind: Kind = kind
        self._moved = moved
        self._place: Place | None = None
        self._places: dict[int, Place] = {}
        # ctypes keeps no reference to what is called back.
        self._on_change = _SUBSCRIBED(lambda *_: self._ask())
        self._on_device = _LISTED(self._take_device)
        self._on_stream = _LISTED(self._take_stream)
        threading.Thread(target=self._run, name="asking the sound server", daemon=True).start()

    def _run(self) -> None:
        try:
            self._follow()
        finally:
            self.known.set()

    def _follow(self) -> None:
        """Follow the server until it is gone; the stream tells of that by itself."""
        name = ctypes.util.find_library("pulse")
        if name is None:
            return
        self._pulse = pulse = _typed(ctypes.CDLL(name))
        loop = pulse.pa_mainloop_new()
        self._context = context = pulse.pa_context_new(pulse.pa_mainloop_get_api(loop), b"voice_host")
        if pulse.pa_context_connect(context, None, _NO_AUTOSPAWN, None) < 0:
            return
        ready = False
        while pulse.pa_mainloop_iterate(loop, 1, None) >= 0:
            state = pulse.pa_context_get_state(context)
            if state >= _CONTEXT_FAILED:
                _LOG.debug("there is no sound server to be asked")
                return
            if state == _CONTEXT_READY and not ready:
                ready = True
                pulse.pa_context_set_subscribe_callback(context, self._on_change, None)
                pulse.pa_operation_unref(pulse.pa_context_subscribe(context, _EVENTS[self._kind], None, None))
                self._ask()

    def _ask(self) -> None:
        """Have all devices listed, then all streams: the answers come in that order."""
        listed = ("sink", "sink_input") if self._kind == "output" else ("source", "source_output")
        for what, answer in zip(listed, (self._on_device, self._on_stream), strict=True):
            ask: Any = getattr(self._pulse, f"pa_context_get_{what}_info_list")
            self._pulse.pa_operation_unref(ask(self._context, answer, None))

    def _take_device(self, _context: int, info: int, end: int, _data: int) -> None:
        if not end:
            device = ctypes.cast(info, ctypes.POINTER(_Device)).contents
            self._places[device.index] = Place(device.name.decode("utf-8", "replace"), bool(device.mute))

    def _take_stream(self, _context: int, info: int, end: int, _data: int) -> None:
        if end:
            return
        layout = _SinkInput if self._kind == "output" else _SourceOutput
        stream = ctypes.cast(info, ctypes.POINTER(layout)).contents
        owner = self._pulse.pa_proplist_gets(stream.proplist, b"application.process.id")
        place = self._places.get(stream.device)
        if owner == str(os.getpid()).encode() and place is not None and place != self._place:
            self._place = place
            self._moved(place)
            self.known.set()


def _typed(pulse: ctypes.CDLL) -> ctypes.CDLL:
    """Tell ctypes what the functions take and return: pointers would be cut to 32 bits."""
    pointer = ctypes.c_void_p
    pulse.pa_mainloop_new.restype = pointer
    pulse.pa_mainloop_get_api.restype = pointer
    pulse.pa_mainloop_get_api.argtypes = [pointer]
    pulse.pa_mainloop_iterate.argtypes = [pointer, ctypes.c_int, pointer]
    pulse.pa_context_new.restype = pointer
    pulse.pa_context_new.argtypes = [pointer, ctypes.c_char_p]
    pulse.pa_context_connect.argtypes = [pointer, ctypes.c_char_p, ctypes.c_int, pointer]
    pulse.pa_context_get_state.argtypes = [pointer]
    pulse.pa_context_set_subscribe_callback.argtypes = [pointer, _SUBSCRIBED, pointer]
    pulse.pa_context_subscribe.argtypes = [pointer, ctypes.c_int, pointer, pointer]
    pulse.pa_context_subscribe.restype = pointer
    for what in ("sink", "sink_input", "source", "source_output"):
        ask = getattr(pulse, f"pa_context_get_{what}_info_list")
        ask.argtypes = [pointer, _LISTED, pointer]
        ask.restype = pointer
    pulse.pa_operation_unref.argtypes = [pointer]
    pulse.pa_proplist_gets.argtypes = [pointer, ctypes.c_char_p]
    pulse.pa_proplist_gets.restype = ctypes.c_char_p
    return pulse
