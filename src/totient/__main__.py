"""`totient`, and `python -m totient`: what can be interrupted while the command line is loaded."""

import sys

from totient.common.errors import INTERRUPTED


def main() -> int:
    """Run the command line; its exit status."""
    try:
        from totient.cli import main as run
    except KeyboardInterrupt:
        print("totient: interrupted", file=sys.stderr)
        return INTERRUPTED
    return run()


if __name__ == "__main__":
    sys.exit(main())
