"""`totient`, and `python -m totient`: what can be interrupted while the command line is loaded."""

import gc
import sys

from totient.common.errors import INTERRUPTED

_OBJECTS = 50_000
"""About as many as all imports of a short command leave."""


def main() -> int:
    """Run the command line; its exit status.

    Cycles of objects are searched for less often than Python does: that was 7 % of the time of
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
