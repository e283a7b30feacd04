"""Engine checks of `totient bench`: many operations, attacks, and kept campaigns."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from totient.cli.campaigns import continue_endurance, continue_exhaustive, continue_flips

if TYPE_CHECKING:
    from totient.catalog import Configuration
    from totient.check import Campaign, Outcome

# Engines by elements, width, bits of a digit and key slots, with case counts.
OPERATIONS = (
    *(((1, 1024, 18, 1), 200), ((4, 1024, 18, 1), 300), ((8, 1024, 17, 3), 500)),
    *(((16, 1024, 18, 2), 300), ((32, 1024, 18, 1), 300), ((62, 1024, 18, 1), 300)),
    *(((1, 2048, 18, 1), 40), ((4, 2048, 17, 1), 60), ((16, 2048, 18, 1), 200)),
    *(((32, 2048, 17, 1), 250), ((62, 2048, 18, 1), 300)),
    *(((8, 3072, 18, 1), 60), ((32, 3072, 18, 1), 150), ((62, 3072, 18, 1), 200)),
    *(((4, 4096, 18, 1), 20), ((32, 4096, 17, 1), 150), ((62, 4096, 18, 1), 300)),
    ((128, 4096, 18, 1), 120),
)
# The same with bits of the modulus: keys, flipped bits, moments of a wipe. Then packets.
TIMING = (
    *(((1, 1024, 18, 1), 512, 60), ((8, 1024, 18, 1), 512, 200), ((16, 1024, 17, 1), 512, 200)),
    *(((8, 1024, 18, 1), 1024, 200), ((62, 1024, 18, 1), 1024, 200)),
    ((62, 2048, 18, 1), 2048, 200),
    *(((62, 4096, 18, 1), 3072, 200), ((62, 4096, 18, 1), 4096, 200)),
)
FAULTS = (
    *(((8, 1024, 18, 1), 512, 600), ((4, 1024, 18, 1), 512, 300), ((32, 1024, 18, 1), 512, 300)),
    *(((62, 2048, 18, 1), 1024, 300), ((8, 1024, 17, 1), 1024, 300), ((1, 1024, 18, 1), 512, 100)),
)
WIPES = (((8, 1024, 18, 1), 512, 300), ((62, 2048, 17, 1), 1024, 100))
FUZZ = (((8, 1024, 18, 2), 8000), ((62, 1024, 17, 1), 2000))
FLIPS = ((1, 100_000), (2, 20_000))  # flipped bits in an operation, operations
CYCLES = 10**10  # of the endurance run


def flips() -> Iterator[bool]:
    """Continue the kept campaigns of flipped bits. Yields whether no promise was violated."""
    from totient.campaigns.flips import kept_flips

    for number, count in FLIPS:
        continue_flips(number, count)
        found = kept_flips(number)
        yield found is not None and not found.faults


def endurance() -> Iterator[bool]:
    """Continue the kept endurance run. Yields whether there was no fault."""
    from totient.campaigns.endurance import kept_endurance
    from totient.campaigns.sums import faults_of

    continue_endurance(CYCLES)
    yield not faults_of(kept_endurance())


def exhaustive() -> Iterator[bool]:
    """Run every operand of 8 bits on each exponentiator. Yields whether there was no fault."""
    from totient.campaigns.exhaustive import kept_exhaustive
    from totient.campaigns.sums import faults_of

    continue_exhaustive()
    yield not faults_of(kept_exhaustive())


def engine_attacks(widest: int) -> Iterator[tuple[str, Callable[[], "Outcome | Campaign"]]]:
    """Names and functions of the checks of engines up to this width."""
    from totient.catalog import select
    from totient.check import check_faults, check_fuzz, check_rsa, check_timing, check_wipe

    def engine(elements: int, width: int, digit_bits: int, key_slots: int) -> "Configuration":
        return select(
            "engine", width=width, elements=elements, digit_bits=digit_bits, key_slots=key_slots
        )

    for chosen, count in OPERATIONS:
        if chosen[1] <= widest:
            subject = engine(*chosen)
            yield f"{subject.label}, operations", partial(check_rsa, subject, count, 1)
    for what, check, attacks in (
        ("timing", check_timing, TIMING),
        ("flipped bits", check_faults, FAULTS),
        ("wiping", check_wipe, WIPES),
    ):
        for chosen, bits, count in attacks:
            if chosen[1] <= widest:
                subject = engine(*chosen)
                label = f"{subject.label}, {what} at {bits} bits"
                yield label, partial(check, subject, bits, count, 1)
    for chosen, count in FUZZ:
        if chosen[1] <= widest:
            subject = engine(*chosen)
            yield f"{subject.label}, malformed packets", partial(check_fuzz, subject, count, 1)
