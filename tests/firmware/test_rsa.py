"""RSA in C on this machine, under sanitizers: Python's pow and the `cryptography` package judge."""

import random
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from Crypto.Util.number import getPrime, isPrime
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.programs import SANITIZERS, WARNINGS, gcc, output
from totient.common.files import project_root

FOLDER = project_root() / "firmware" / "rsa"
SOURCES = sorted(FOLDER.glob("*.c"))
HERE = Path(__file__).parent
OK, NULL, LENGTH, EVEN, RANGE, WORKSPACE = range(6)
WINDOWS = (1, 2, 3, 4, 5)

Request = Callable[..., tuple[int, int]]


@pytest.fixture(scope="module", params=(8, 16, 32, 64), ids=lambda bits: f"word{bits}")
def request_(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Request]:
    """Ask the program for operations; words of every width."""
    program = tmp_path_factory.mktemp("rsa") / "rsa_host"
    warnings = WARNINGS if request.param >= 32 else WARNINGS[:3]
    options = ("-std=c99", "-O1", "-g", *warnings, *SANITIZERS, f"-I{FOLDER}")
    words = f"-DRSA_WORD_BITS={request.param}"
    gcc(*options, words, *SOURCES, HERE / "rsa_host.c", "-o", program)
    with subprocess.Popen([str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        to, back = process.stdin, process.stdout

        def ask(
            operation: str, *numbers: bytes | None, workspace: int = -4, stated: int = 0
        ) -> tuple[int, int]:
            words = ["-" if each is None else each.hex() or "." for each in numbers]
            to.write(f"{operation} {' '.join(words)} {workspace} {stated}\n".encode())
            to.flush()
            answer = back.readline().decode()
            assert answer, "the program ended: a sanitizer has found something"
            code, _, operand = answer.rstrip("\n").partition(" ")
            return int(code), int(operand or "0", 16)

        yield ask
        to.close()
    assert process.returncode == 0


def number(value: int, length: int | None = None) -> bytes:
    return value.to_bytes(length or (value.bit_length() + 7) // 8 or 1, "big")


def key_parts(p: int, q: int, e: int) -> tuple[int, tuple[bytes, ...]]:
    """d, and the parts as the C library takes them."""
    d = pow(e, -1, (p - 1) * (q - 1))
    of_p, of_q = len(number(p)), len(number(q))
    return d, (
        *(number(p * q), number(p), number(q)),
        *(number(d % (p - 1), of_p), number(d % (q - 1), of_q), number(pow(q, -1, p), of_p)),
    )


def corners(n: int, *factors: int) -> list[int]:
    ones = (1 << n.bit_length() - 1) - 1
    return [0, 1, 2, n - 1, n - 2, ones, *factors, *(n - each for each in factors)]


def primes(p_bits: int, q_bits: int, e: int) -> tuple[int, int]:
    while True:
        p, q = getPrime(p_bits), getPrime(q_bits)
        if p != q and (p - 1) % e and (q - 1) % e and (p * q).bit_length() >= 512:
            return p, q


@pytest.mark.parametrize("e", [3, 65537])
@pytest.mark.parametrize(
    ("p_bits", "q_bits"),
    [(256, 256), (264, 248), (248, 264), (257, 259), (300, 213), (512, 512), (331, 700)],
)
def test_private_and_public(request_: Request, p_bits: int, q_bits: int, e: int) -> None:
    """Both operations, keys with p < q and p > q, lengths that are no whole bytes or words."""
    p, q = primes(p_bits, q_bits, e)
    for window, (one, other) in zip(WINDOWS, ((p, q), (q, p)) * 3, strict=False):
        n = p * q
        d, parts = key_parts(one, other, e)
        size = len(number(n))
        values = [*random.sample(corners(n, p, q), 2), random.randrange(n)]
        for value in values:
            asked = request_("private", number(value, size), *parts, workspace=-window)
            assert asked == (OK, pow(value, d, n)), (n, value)
            asked = request_("public", number(value, size), number(n), number(e))
            assert asked == (OK, pow(value, e, n)), (n, value)


def test_corner_operands(request_: Request) -> None:
    p, q = primes(256, 256, 65537)
    n = p * q
    d, parts = key_parts(p, q, 65537)
    for value in corners(n, p, q):
        operand = number(value, 64)
        assert request_("private", operand, *parts) == (OK, pow(value, d, n)), value
        assert request_("power", operand, number(n), number(d)) == (OK, pow(value, d, n)), value
        for e in (0, 1, 2, 3, 6, 0x10000, 65537, 2**64 - 1):
            exponent = number(e)
            expected = (OK, pow(value, e, n))
            assert request_("public", operand, number(n), exponent) == expected, (value, e)
            assert request_("power", operand, number(n), exponent) == expected, (value, e)


@pytest.mark.parametrize("bits", [512, 513, 520, 527, 760, 1024, 1031, 2048])
def test_any_odd_modulus(request_: Request, bits: int) -> None:
    """Moduli of every form, of ones and with a single bit among them; windows of every width."""
    size = (bits + 7) // 8
    moduli = [2**bits - 1, 2 ** (bits - 1) + 1, random.getrandbits(bits) | 1 << bits - 1 | 1]
    for window in WINDOWS:
        for n in moduli:
            base, exponent = random.randrange(n), random.getrandbits(67)
            for value in (base, n - 1):
                asked = request_(
                    "power", number(value, size), number(n), number(exponent), workspace=-window
                )
                assert asked == (OK, pow(value, exponent, n)), (n, value, exponent)
    value = random.randrange(moduli[2])
    asked = request_("public", number(value, size), number(moduli[2]), number(65537))
    assert asked == (OK, pow(value, 65537, moduli[2]))


def test_equal_top_halves(request_: Request) -> None:
    """Primes that differ in their lower halves only."""
    p = next(each for each in iter(lambda: getPrime(264), None) if each % 3 != 1)
    q = p
    while q == p or q % 3 == 1 or not isPrime(q):
        q = p >> 132 << 132 | random.getrandbits(132) | 1
    d, parts = key_parts(p, q, 3)
    for value in (1, p * q - 1, random.randrange(p * q)):
        expected = (OK, pow(value, d, p * q))
        assert request_("private", number(value, len(parts[0])), *parts) == expected


@pytest.mark.parametrize("bits", [1024, 2048])
def test_keys_of_the_cryptography_package(request_: Request, bits: int) -> None:
    key = rsa.generate_private_key(65537, bits)
    secret = key.private_numbers()
    n, e, half = secret.public_numbers.n, secret.public_numbers.e, bits // 16
    parts = (
        *(number(n), number(secret.p), number(secret.q)),
        *(number(each, half) for each in (secret.dmp1, secret.dmq1, secret.iqmp)),
    )
    value = random.randrange(n)
    code, result = request_("private", number(value, bits // 8), *parts)
    assert (code, result) == (OK, pow(value, secret.d, n))
    assert request_("public", number(result, bits // 8), number(n), number(e)) == (OK, value)


def test_the_document_s_example(tmp_path: Path) -> None:
    """The C in docs/software.md, with a key behind it, compiles and does what it says."""
    text = (project_root() / "docs" / "software.md").read_text()
    (example,) = re.findall(r"^```c\n(.*?)^```", text, re.S | re.M)
    key = rsa.generate_private_key(65537, 2048).private_numbers()
    n = key.public_numbers.n
    operand = random.Random(1).randrange(n)
    values = {
        "n": n,
        "p": key.p,
        "q": key.q,
        "d_p": key.dmp1,
        "d_q": key.dmq1,
        "q_inverse": key.iqmp,
    }
    arrays = "".join(
        f"static uint8_t {name}[] = {{{','.join(map(str, number(value, length)))}}};\n"
        for name, value, length in (
            ("operand", operand, 256),
            *((name, value, 256 if name == "n" else 128) for name, value in values.items()),
        )
    )
    main = (
        "#include <stdio.h>\n"
        f"{arrays}int main(void)\n{{\n"
        f"    int result = private_operation(operand, {', '.join(values)});\n"
        '    for (int i = 0; i < BYTES; i++) printf("%02x", operand[i]);\n'
        "    return result;\n}\n"
    )
    source, program = tmp_path / "example.c", tmp_path / "example"
    source.write_text(example + main)
    options = ("-std=c99", *WARNINGS, *SANITIZERS, f"-I{FOLDER}")
    gcc(*options, *SOURCES, source, "-o", program)
    assert int(output([program]), 16) == pow(operand, key.d, n)


def test_bad_input(request_: Request) -> None:
    """Each has its code, and leaves the operand as it was."""
    p, q = primes(256, 256, 65537)
    n = p * q
    _, parts = key_parts(p, q, 65537)
    value = random.randrange(n)
    operand = number(value, 64)
    for operation in ("public", "power"):
        for missing in range(3):
            given: list[bytes | None] = [operand, number(n), number(3)]
            given[missing] = None
            assert request_(operation, *given, stated=64)[0] == NULL, (operation, missing)
        good = (number(n), number(3))
        assert request_(operation, operand, *good, workspace=0) == (NULL, value)
        assert request_(operation, operand, *good, workspace=80) == (WORKSPACE, value)
        assert request_(operation, operand, number(n - 1), number(3)) == (EVEN, value)
        for over in (n, n + 1, 2**512 - 1):
            assert request_(operation, number(over, 64), *good) == (RANGE, over)
        short, long = 2**511 - 1, 2**2056 - 1
        assert request_(operation, operand, number(short, 64), number(3)) == (LENGTH, value)
        assert request_(operation, operand, b"\0" + number(n), number(3), stated=65)[0] == LENGTH
        assert request_(operation, operand, number(short)[1:], number(3)) == (LENGTH, value)
        assert request_(operation, number(1, 257), number(long), number(3)) == (LENGTH, 1)
        assert request_(operation, operand, number(n), number(2**2049)) == (LENGTH, value)
        assert request_(operation, operand, number(n), b"") == (LENGTH, value)
    for missing in range(7):
        all_parts: list[bytes | None] = [operand, *parts]
        all_parts[missing] = None
        assert request_("private", *all_parts, workspace=4096, stated=64)[0] == NULL, missing
    assert request_("private", operand, *parts, workspace=0) == (NULL, value)
    assert request_("private", operand, *parts, workspace=80) == (WORKSPACE, value)
    assert request_("private", number(n, 64), *parts) == (RANGE, n)

    def with_part(place: int, content: bytes) -> tuple[int, int]:
        changed = [*parts]
        changed[place] = content
        return request_("private", operand, *changed)

    assert with_part(0, number(n - 1)) == (EVEN, value)
    assert with_part(1, number(p - 1)) == (EVEN, value)
    assert with_part(2, number(q - 1)) == (EVEN, value)
    assert with_part(1, number(p >> 9)) == (LENGTH, value)
    assert with_part(2, b"\0" + number(q)) == (LENGTH, value)
    assert with_part(2, number(q << 8 | 1)) == (LENGTH, value)
    assert with_part(3, number(p)) == (RANGE, value)
    assert with_part(4, number(q)) == (RANGE, value)
    assert with_part(5, number(p)) == (RANGE, value)


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_compiles_cleanly_as_c99(source: Path, tmp_path: Path) -> None:
    options = ("-std=c99", *WARNINGS, "-O2", "-fanalyzer", f"-I{FOLDER}")
    gcc(*options, "-c", source, "-o", tmp_path / "x.o")
