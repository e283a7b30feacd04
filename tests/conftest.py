"""What all tests start from."""

import signal

from hypothesis import settings

# How long an example takes is the machine's matter: a busy one is no fault.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")

# Ctrl-C is ignored in what a shell starts in the background, and in its children. The tests of
# interrupts send it: here and in the programs that they start it counts.
signal.signal(signal.SIGINT, signal.default_int_handler)
