"""Engines that tests attack. The smaller one is slow, so that there are many cycles to attack."""

from totient.catalog import select

ENGINE = select("engine", width=1024, elements=8)

ENDS_EARLY = select("engine", width=1024, elements=21)
"""Primes of 256 bits leave its array before the end: the last element has a ring's results."""
