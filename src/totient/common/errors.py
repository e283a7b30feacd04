"""Errors for users: one line with the value and the allowed values."""

INTERRUPTED = 130
"""Exit status after Ctrl-C."""


class TotientError(Exception):
    """Base of all expected errors; the command line prints the message and exits with status 2."""


class InputError(TotientError):
    """Something given by the user is out of range, unknown, damaged or missing."""


class ToolError(TotientError):
    """A program that the tool depends on is missing or failed."""


class MissingExtraError(ToolError, ImportError):
    """Python packages of an optional part are not installed."""


class Stopped(KeyboardInterrupt):
    """A terminating signal other than Ctrl-C's has arrived."""


class DeviceError(TotientError):
    """A core refused a request.

    Attributes:
        code: the error code of the stream contract (`docs/contracts.md`).
    """

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code
