"""`python -m totient` is `totient`."""

import sys

from totient.cli import main

sys.exit(main())
