"""``voice-host phrases``: prints what can be said to the host, made from the grammar itself."""

from __future__ import annotations
