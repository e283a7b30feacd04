"""The small example of row B4 on our two IPs of row B1."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from totient.catalog import Work, cycle_formulas, private_bits, select_ip
from totient.golden.keygen import euclid_divisions, tried_exponents


def tiny_ips(example: Mapping[str, Any]) -> Iterator[tuple[str, str, list[int]]]:
    """Cycles of the example's three steps, the key made from primes, by formula.

    Args:
        example: of `results/published/becannon.toml`.

    Yields:
        Whose, the IP, and cycles of making the key, encryption and decryption.
    """
    p, q = example["p"], example["q"]
    totient = (p - 1) * (q - 1)
    tried = tried_exponents(totient)
    e, d = tried[-1], pow(tried[-1], -1, totient)
    lengths = p.bit_length(), q.bit_length()
    divisions = euclid_divisions(totient, tried)
    public = Work(p * q, e.bit_length(), *lengths, tuple(tried), divisions=divisions)
    for name in ("rsa_keygen", "rsa_restoring"):
        ip = select_ip(name)
        formulas = cycle_formulas(ip.ip)
        private = replace(public, exponent_bits=private_bits(ip.ip, d, sum(lengths)))
        steps = (("key", public), ("message", public), ("message", private))
        yield "ours", name, [formulas[part].cycles(ip, work) for part, work in steps]
