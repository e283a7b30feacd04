"""What all tests start from."""

import signal

# Ctrl-C is ignored in what a shell starts in the background, and in its children. The tests of
# interrupts send it: here and in the programs that they start it counts.
signal.signal(signal.SIGINT, signal.default_int_handler)
