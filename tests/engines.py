"""Engines that tests attack. The smaller one is slow, so that there are many cycles to attack."""

from totient.catalog import select

ENGINE = select("engine", width=1024, elements=8)

ENDS_EARLY = select("engine", width=1024, elements=21)
"""The last element of its array is not used for primes of 256 bits."""
