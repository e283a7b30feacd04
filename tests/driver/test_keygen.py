"""Key generation by libtotient: the C tests over mocks and over the RTL of both IPs."""

from pathlib import Path
from random import Random

from Crypto.Util.number import getPrime
from tests.driver.test_libtotient import passes, program

from totient.catalog import Operation, find_ip, select
from totient.golden.keygen import key_cycles, tried_exponents
from totient.sim import build_model

P, Q = 4294967291, 4294967279  # KEY_P and KEY_Q of bench.h
LONG = 256  # bits of a prime


def model(row: str, **parameters: int) -> Path:
    ip = find_ip(row)
    assert ip is not None
    return build_model(ip.top(**parameters), checked=True)


def test_over_mocked_ips(tmp_path: Path) -> None:
    passes(program("test_keygen", tmp_path, "key_operations"))


def test_over_the_rtl(tmp_path: Path) -> None:
    """The same tests, with the cycles of a key and of a message."""
    built = program("test_keygen_simulated", tmp_path, "key_operations")
    tried = tried_exponents((P - 1) * (Q - 1))
    key = key_cycles(32, 32, tried)
    message = Operation(P * Q, tried[-1], tried[-1].bit_length(), 2)
    binary = select("binary", width=64, bits_per_cycle=2, fixed_time=1)
    raised = binary.setup_cycles(P * Q) + binary.operation_cycles(message)
    passes(built, "registers", model("B1"), key + 3, raised + 11)
    raised = select("montgomery", width=64).operation_cycles(message)
    passes(built, "stream", model("E3"), key + 4, raised + 5)


def test_long_primes(tmp_path: Path) -> None:
    draw = Random(8)
    p, q = (getPrime(LONG, draw.randbytes) for _ in "pq")
    n, e = p * q, 65537
    d, message = pow(e, -1, (p - 1) * (q - 1)), draw.randrange(n)
    numbers = [*((prime, LONG // 8) for prime in (p, q)), (e, 4)]
    numbers += [(number, 2 * LONG // 8) for number in (n, d, message, pow(message, e, n))]
    built = program("test_keygen_simulated", tmp_path, "key_operations")
    words = [number.to_bytes(length).hex() for number, length in numbers]
    passes(built, "long", model("E3", prime_bits=LONG), *words)
