"""The few errors a start-up may end in; each is one sentence that names the thing and the remedy."""

from __future__ import annotations


class HostError(Exception):
    """The run failed; the message is the one sentence that the user reads (exit code 1)."""

    exit_code = 1


class UsageError(HostError):
    """What the user wrote or named cannot be used as it stands (exit code 2)."""

    exit_code = 2


class MissingError(HostError):
    """Something must be installed first; the message names it and the command that installs it (exit code 3)."""

    exit_code = 3
