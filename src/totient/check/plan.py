"""A check with all its settings, and the smaller check of a netlist, which is much slower."""

from collections.abc import Iterator
from dataclasses import dataclass

from totient.catalog import Configuration, IpConfiguration, command_words
from totient.check.engine import check_rsa
from totient.check.ips import check_ip
from totient.check.run import Outcome, check
from totient.check.subject import RTL, On

# Cases for a design by its width, and the longest exponent: together a few million cycles at
# most, as a netlist of ten thousand cells simulates a few thousand cycles a second.
_CASES = ((64, 20, None), (128, 10, None), (256, 5, None), (512, 5, 64), (4096, 3, 17))
# For an engine: lengths of RSA keys, and the cases with each.
_ENGINE_CASES = ((1024, 2), (2048, 1))
_IP_COUNT = 5


@dataclass(frozen=True)
class Check:
    """A check of a design or an IP, with everything that determines its random draws.

    Attributes:
        subject: to check.
        count: cases.
        seed: of the draws.
        private: for a design only private operations; for an engine RSA operations.
        bits: for an engine, with `private`: only keys with primes of this length.
        exponent_bits: for a design: the longest exponent.
    """

    subject: Configuration | IpConfiguration
    count: int
    seed: int = 1
    private: bool = False
    bits: int | None = None
    exponent_bits: int | None = None

    @property
    def arguments(self) -> str:
        """The arguments of `totient check` for it."""
        words = (
            "--private" if self.private else "",
            "" if self.bits is None else f"--bits {self.bits}",
            f"--count {self.count}",
            "" if self.seed == 1 else f"--seed {self.seed}",
            "" if self.exponent_bits is None else f"--exponent-bits {self.exponent_bits}",
        )
        return " ".join((command_words(self.subject), *filter(None, words)))

    def run(self, on: On = RTL) -> Outcome:
        """Run it. Errors as for `check`, `check_rsa` and `check_ip`."""
        subject, count, seed = self.subject, self.count, self.seed
        if isinstance(subject, IpConfiguration):
            return check_ip(subject, count, seed, on)
        if self.private and subject.name == "engine":
            return check_rsa(subject, count, seed, bits=self.bits, on=on)
        bits = self.exponent_bits
        return check(subject, count, seed, private=self.private, exponent_bits=bits, on=on)


def netlist_checks(subject: Configuration | IpConfiguration) -> Iterator[Check]:
    """The default checks of a netlist, which are also those of every Record."""
    if isinstance(subject, IpConfiguration):
        yield Check(subject, _IP_COUNT)
    elif subject.name == "engine":
        for bits, count in _ENGINE_CASES:
            if bits <= subject.width:
                yield Check(subject, count, private=True, bits=bits)
    else:
        count, longest = next((k, bits) for most, k, bits in _CASES if subject.width <= most)
        yield Check(subject, count, exponent_bits=longest)
