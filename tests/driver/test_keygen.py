"""Key generation by libtotient: the C tests over mocks and over the RTL of both IPs."""

from pathlib import Path
from random import Random

from Crypto.Util.number import getPrime
from tests.driver.test_libtotient import passes, program

from totient.catalog import Work, cycle_formulas, select_ip
from totient.golden.keygen import tried_exponents
from totient.sim import build_model

P, Q = 4294967291, 4294967279  # KEY_P and KEY_Q of bench.h
LONG = 256  # bits of a prime


def test_over_mocked_ips(tmp_path: Path) -> None:
    passes(program("test_keygen", tmp_path, "key_operations"))


def test_over_the_rtl(tmp_path: Path) -> None:
    """The same tests, with the cycles of a key and of a message."""
    built = program("test_keygen_simulated", tmp_path, "key_operations")
    tried = tuple(tried_exponents((P - 1) * (Q - 1)))
    work = Work(P * Q, tried[-1].bit_length(), 32, 32, tried)
    for way, row in (("registers", "B1"), ("stream", "E3")):
        ip = select_ip(row)
        formulas = cycle_formulas(ip.ip)
        cycles = (formulas[part].cycles(ip, work) for part in ("key", "message"))
        passes(built, way, build_model(ip.top(), checked=True), *cycles)


def test_long_primes(tmp_path: Path) -> None:
    draw = Random(8)
    p, q = (getPrime(LONG, draw.randbytes) for _ in "pq")
    n, e = p * q, 65537
    d, message = pow(e, -1, (p - 1) * (q - 1)), draw.randrange(n)
    numbers = [*((prime, LONG // 8) for prime in (p, q)), (e, 4)]
    numbers += [(number, 2 * LONG // 8) for number in (n, d, message, pow(message, e, n))]
    built = program("test_keygen_simulated", tmp_path, "key_operations")
    words = [number.to_bytes(length).hex() for number, length in numbers]
    long = select_ip("E3", prime_bits=LONG)
    passes(built, "long", build_model(long.top(), checked=True), *words)
