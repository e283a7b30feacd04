"""`totient`, and `python -m totient`: what can be interrupted while the command line is loaded."""

import gc
import sys

from totient.common.errors import INTERRUPTED

_OBJECTS = 50_000
"""More than a command's imports leave, to which all objects of a short command belong."""


def main() -> int:
    """Run the command line; its exit status.

    Cycles of objects are searched for less often than Python does: that was a tenth of the time of
    `totient sign`.
    """
    gc.set_threshold(_OBJECTS)
    try:
        from totient.cli import main as run
    except KeyboardInterrupt:
        print("totient: interrupted", file=sys.stderr)
        return INTERRUPTED
    status = run()
    gc.freeze()  # The end of the process frees the rest.
    return status


if __name__ == "__main__":
    sys.exit(main())
