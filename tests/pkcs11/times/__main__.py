"""`python -m tests.pkcs11.times`."""

import sys

from tests.pkcs11.times import main

sys.exit(main())
