"""Keys in DER: the numbers of right ones, an error code for each wrong one."""

from collections.abc import Iterator
from math import gcd
from random import Random

import pytest
from Crypto.Util.asn1 import DerOctetString, DerSequence
from Crypto.Util.number import getPrime
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import dsa, ec, rsa
from tests.driver.bench import NULL, call, contents, ffi, lib, new, octets, refuses_nulls
from tests.driver.der import (
    ALGORITHM,
    Numbers,
    element,
    integer,
    made,
    number,
    pkcs1,
    pkcs1_public,
    pkcs8,
    sequence,
    spki,
)

from totient.common.contract import MAX_RSA_BITS

FIELDS = ("modulus", "public_exponent", "private_exponent", "p", "q", "d_p", "d_q", "q_inverse")
DER, NO_SECRET = serialization.Encoding.DER, serialization.NoEncryption()
PRIVATE = (serialization.PrivateFormat.TraditionalOpenSSL, serialization.PrivateFormat.PKCS8)
PUBLIC = (serialization.PublicFormat.PKCS1, serialization.PublicFormat.SubjectPublicKeyInfo)

HALF = MAX_RSA_BITS // 2

draw = Random(7)
SMALL = made(512, 17)


def read(data: bytes) -> tuple[str, dict[str, int]]:
    """The result, and the numbers of the key. On an error there are none."""
    key = new("struct totient_rsa_key *")
    given = octets(int.from_bytes(data), len(data))
    result = call(lib.totient_rsa_key_from_der, key, given, len(data))
    found = {}
    for name in FIELDS:
        each = getattr(key, name)
        if each.bytes != NULL:
            value = bytes(ffi.buffer(each.bytes, each.length))
            assert each.bytes >= given
            assert each.bytes + each.length <= given + len(data)
            assert value[0] != 0
            found[name] = int.from_bytes(value)
    if result != "OK":
        assert contents(key) == bytes(len(contents(key)))
    return result, found


def numbers_of(private: rsa.RSAPrivateKey) -> dict[str, int]:
    """What `cryptography` has of a key."""
    own = private.private_numbers()
    values = (own.public_numbers.n, own.public_numbers.e, own.d, own.p, own.q, own.dmp1, own.dmq1)
    return dict(zip(FIELDS, (*values, own.iqmp), strict=True))


@pytest.mark.parametrize(("bits", "exponent"), [(1024, 3), (1031, 65537), (2048, 65537), (4096, 3)])
def test_keys_of_another_library(bits: int, exponent: int) -> None:
    private = rsa.generate_private_key(exponent, bits)
    numbers = numbers_of(private)
    for form in PRIVATE:
        assert read(private.private_bytes(DER, form, NO_SECRET)) == ("OK", numbers)
    public = {name: numbers[name] for name in FIELDS[:2]}
    for kind in PUBLIC:
        assert read(private.public_key().public_bytes(DER, kind)) == ("OK", public)


def test_primes_of_different_lengths_in_either_order() -> None:
    p, q = getPrime(301), getPrime(213)
    for first, second in ((p, q), (q, p)):
        key = Numbers.of(first, second, 65537)
        assert read(pkcs1(key)) == ("OK", dict(zip(FIELDS, key, strict=True)))


def test_keys_of_other_kinds() -> None:
    secret = serialization.BestAvailableEncryption(b"secret")
    private = rsa.generate_private_key(65537, 1024)
    kind = serialization.PrivateFormat.PKCS8
    assert read(private.private_bytes(DER, kind, secret)) == ("KEY_KIND", {})
    for other in (ec.generate_private_key(ec.SECP256R1()), dsa.generate_private_key(1024)):
        assert read(other.private_bytes(DER, kind, NO_SECRET)) == ("KEY_KIND", {})
        x509 = serialization.PublicFormat.SubjectPublicKeyInfo
        assert read(other.public_key().public_bytes(DER, x509)) == ("KEY_KIND", {})
    # RSASSA-PSS, and three primes.
    pss = sequence(bytes.fromhex("06092a864886f70d01010a"))
    assert read(pkcs8(pkcs1(SMALL), algorithm=pss)) == ("KEY_KIND", {})
    more = sequence(*map(integer, (1, *SMALL)), sequence(sequence(*map(integer, (3, 5, 7)))))
    assert read(more) == ("KEY_KIND", {})
    assert read(pkcs8(more)) == ("KEY_KIND", {})


def test_what_may_follow_a_key_of_pkcs8() -> None:
    attributes, public = element(0xA0, b"\x30\x00"), element(0x81, b"\x00\x01")
    for version, more, result in (
        (0, attributes, "OK"),
        (1, attributes, "OK"),
        (1, public, "OK"),
        (1, attributes + public, "OK"),
        (0, public, "NOT_A_KEY"),
        (1, public + attributes, "NOT_A_KEY"),
        (0, b"\x05\x00", "NOT_A_KEY"),
        (2, b"", "NOT_A_KEY"),
        (0, attributes[:-1], "NOT_A_KEY"),
    ):
        found = read(pkcs8(pkcs1(SMALL), version, more))[0]
        assert found == result, (version, more)


def wrong_numbers() -> Iterator[tuple[str, Numbers]]:
    """Keys with a wrong number, and the results."""
    n, e, d, p, q, *_ = SMALL
    a, b = getPrime(255), getPrime(256)
    yield "LENGTH", Numbers.of(a, getPrime(250), 65537)
    yield "MODULUS_EVEN", SMALL._replace(n=n + 1)
    for wrong in (0, 1, 2, e + 1, n, n + 2):
        yield "PUBLIC_EXPONENT", SMALL._replace(e=wrong)
    for wrong in (0, 1, 2, p + 2, p - 1, q, p << 8, b):
        yield "PRIME", SMALL._replace(p=wrong)
    yield "PRIME", SMALL._replace(q=p)
    yield "PRIME", SMALL._replace(p=n, q=1)
    yield "PRIME", SMALL._replace(p=1, q=n)
    yield "PRIME", SMALL._replace(n=n + 2)
    yield "PRIME", SMALL._replace(n=n ^ 1 << 300)
    yield "PRIME", SMALL._replace(p=p + (1 << 256))  # the same below the product's length
    yield "PRIME", SMALL._replace(p=p + (1 << MAX_RSA_BITS))
    for wrong in (0, d + 1, n, n + 2, d << 600 | 1):
        yield "NOT_A_KEY", SMALL._replace(d=wrong)
    for wrong in (0, p, p + 1, p << 9):
        yield "NOT_A_KEY", SMALL._replace(d_p=wrong)
        yield "NOT_A_KEY", SMALL._replace(q_inverse=wrong)
    for wrong in (0, q, q + 1, q << 9):
        yield "NOT_A_KEY", SMALL._replace(d_q=wrong)


@pytest.mark.parametrize(("result", "key"), list(wrong_numbers()))
def test_wrong_numbers(result: str, key: Numbers) -> None:
    assert read(pkcs1(key)) == (result, {})
    assert read(pkcs8(pkcs1(key))) == (result, {})


def test_a_product_above_the_longest_modulus() -> None:
    """It is the modulus but for its highest byte, which the longest modulus has no place for."""
    while True:
        # Whether they are primes is not tested, and primes of this length take minutes to find.
        p, q = (draw.getrandbits(bits) | 1 << bits - 1 | 1 for bits in (HALF + 2, HALF))
        fits = gcd(p, q) == gcd(65537, (p - 1) * (q - 1)) == 1
        if fits and p * q >> MAX_RSA_BITS - 1 & 1:
            break
    whole = Numbers.of(p, q, 65537)
    n = p * q % (1 << MAX_RSA_BITS)
    assert p * q != n
    cut = whole._replace(n=n, d=whole.d % n | 1)
    assert read(pkcs1(cut)) == ("PRIME", {})
    # Primes that together have a byte more than their product.
    p, q = getPrime(1025), getPrime(1031)
    assert read(pkcs1(Numbers.of(p, q, 65537)))[0] == "OK"


def test_the_longest_and_the_shortest_modulus() -> None:
    """Public ones; private keys of up to 4096 bits are above."""
    longest = MAX_RSA_BITS
    for bits, result in ((511, "LENGTH"), (512, "OK"), (longest, "OK"), (longest + 1, "LENGTH")):
        n = 1 << bits - 1 | 1
        for data in (pkcs1_public(n, 3), spki(pkcs1_public(n, 3))):
            assert read(data)[0] == result, bits


def test_forms_that_are_not_der() -> None:
    """Each is refused, in all formats of keys."""
    inner = [*map(integer, (0, *SMALL))]
    whole = sequence(*inner)
    long_zero = b"\x02\x82\x00\x01\x00"
    for wrong in (
        b"",
        b"\x30",
        b"\x30\x80" + b"".join(inner) + b"\x00\x00",  # without a length
        whole + b"\x00",
        b"\x31" + whole[1:],
        b"\x30\x83\x00" + whole[2:],  # a length with a leading zero
        b"\x30\x84\x00\x00" + whole[2:],
        b"\x30\xff" + whole[2:],
        sequence(long_zero, *inner[1:]),
        sequence(b"\x02\x81\x01\x00", *inner[1:]),
        sequence(b"\x02\x00", *inner[1:]),
        sequence(b"\x02\x02\x00\x00", *inner[1:]),
        sequence(integer(2), *inner[1:]),
        sequence(integer(256), *inner[1:]),
        sequence(*inner, integer(1)),
        sequence(*inner[:-1]),
        sequence(inner[0], number(b"\x00" + inner[1][2:]), *inner[2:]),  # a second zero
        sequence(inner[0], number(inner[1][3:]), *inner[2:]),  # negative
        sequence(inner[0], b"\x03" + inner[1][1:], *inner[2:]),
        sequence(*inner[:4], b"\x02\x84\xff\xff\xff\xff"),
    ):
        assert read(wrong) == ("NOT_A_KEY", {}), wrong[:20].hex()
        assert read(pkcs8(wrong)) == ("NOT_A_KEY", {}), wrong[:20].hex()


def test_wrong_wrappers() -> None:
    key, public = pkcs1(SMALL), pkcs1_public(SMALL.n, SMALL.e)
    without_null = sequence(ALGORITHM[2:-2])
    for wrong in (
        pkcs8(key, algorithm=without_null),
        pkcs8(key, algorithm=sequence(ALGORITHM[2:-2], b"\x05\x01\x00")),
        pkcs8(key, algorithm=sequence(ALGORITHM[2:], b"\x05\x00")),
        pkcs8(key, algorithm=sequence()),
        pkcs8(public),
        pkcs8(b""),
        sequence(integer(0), ALGORITHM, element(0x03, key)),
        sequence(ALGORITHM, element(0x03, b"")),
        sequence(ALGORITHM, element(0x03, b"\x01" + public)),
        sequence(ALGORITHM, element(0x03, b"\x00" + key)),
        sequence(ALGORITHM, element(0x03, b"\x00" + public), b"\x05\x00"),
        sequence(ALGORITHM),
        sequence(b"\x30\x05\x06"),
        spki(public, algorithm=without_null),
    ):
        assert read(wrong) == ("NOT_A_KEY", {}), wrong[:24].hex()


def test_each_cut_is_refused() -> None:
    for whole in (pkcs1(SMALL), pkcs8(pkcs1(SMALL)), spki(pkcs1_public(SMALL.n, SMALL.e))):
        for length in range(len(whole)):
            assert read(whole[:length]) == ("NOT_A_KEY", {}), length


def test_nothing_is_accepted_that_another_library_reads_otherwise() -> None:
    """Every byte of keys is changed: the other library finds the same, or we refuse."""
    accepted = 0
    key = made(1024, 65537)
    for whole in (pkcs1(key), pkcs8(pkcs1(key))):
        for place in range(len(whole)):
            for change in (1, 0x80, 0xFF, draw.randrange(2, 0x80)):
                damaged = bytearray(whole)
                damaged[place] ^= change
                result, found = read(bytes(damaged))
                if result == "OK":
                    accepted += 1
                    other = DerSequence().decode(bytes(damaged), strict=True)
                    if len(other) == 3:
                        inner = DerOctetString().decode(other[2], strict=True).payload
                        other = DerSequence().decode(inner, strict=True)
                    assert found == dict(zip(FIELDS, other[1:], strict=True))
    assert accepted > 100  # exponents that are not checked


def test_null_pointers() -> None:
    data = pkcs1(SMALL)
    key = new("struct totient_rsa_key *")
    given = octets(int.from_bytes(data), len(data))
    refuses_nulls(lib.totient_rsa_key_from_der, key, given, len(data))
    assert contents(key) == bytes(len(contents(key)))
