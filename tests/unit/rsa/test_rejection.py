"""Implicit rejection: bad padding gives the message that OpenSSL gives, and never an error."""

import math
from collections.abc import Iterator
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from tests.unit.rsa.double import Workshop
from totient.common.errors import InputError
from totient.device import RsaKey
from totient.rsa import schemes
from totient.rsa.accelerator import Accelerator
from totient.rsa.choices import EncryptionScheme, HashName
from totient.rsa.keys import generate
from totient.rsa.pem import parse
from totient.rsa.rejection import synthetic_message

FAILED = "decryption failed: wrong key, scheme, hash or label, or a damaged ciphertext"

# A vector of OpenSSL's tests (evppkey_rsa_common.txt), "Corrupted ciphertext", with its key.
VECTOR_KEY = b"""-----BEGIN PRIVATE KEY-----
MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQDNAIHqeyrh6gbV
n3xz2f+5SglhXC5Lp8Y2zvCN01M+wxhVJbAVx2m5mnfWclv5w1Mqm25fZifV+4UW
B2jT3anL01l0URcX3D0wnS/EfuQfl+Mq23+d2GShxHZ6Zm7NcbwarPXnUX9LOFlP
6psF5C1a2pkSAIAT5FMWpNm7jtCGuI0odYusr5ItRqhotIXSOcm66w4rZFknEPQr
LR6gpLSALAvsqzKPimiwBzvbVG/uqYCdKEmRKzkMFTK8finHZY+BdfrkbzQzL/h7
yrPkBkm5hXeGnaDqcYNT8HInVIhpE2SHYNEivmduD8SD3SD/wxvalqMZZsmqLnWt
A95H4cRPAgMBAAECggEAYCl6x5kbFnoG1rJHWLjL4gi+ubLZ7Jc4vYD5Ci41AF3X
ziktnim6iFvTFv7x8gkTvArJDWsICLJBTYIQREHYYkozzgIzyPeApIs3Wv8C12cS
IopwJITbP56+zM+77hcJ26GCgA2Unp5CFuC/81WDiPi9kNo3Oh2CdD7D+90UJ/0W
glplejFpEuhpU2URfKL4RckJQF/KxV+JX8FdIDhsJu54yemQdQKaF4psHkzwwgDo
qc+yfp0Vb4bmwq3CKxqEoc1cpbJ5CHXXlAfISzUjlcuBzD/tW7BDtp7eDAcgRVAC
XO6MX0QBcLYSC7SOD3R7zY9SIRCFDfBDxCjf0YcFMQKBgQD2+WG0fLwDXTrt68fe
hQqVa2Xs25z2B2QGPxWqSFU8WNly/mZ1BW413f3De/O58vYi7icTNyVoScm+8hdv
6PfD+LuRujdN1TuvPeyBTSvewQwf3IjN0Wh28mse36PwlBl+301C/x+ylxEDuJjK
hZxCcocIaoQqtBC7ac8tNa9r4wKBgQDUfnJKf/QQSLJwwlJKQQGHi3MVm7c9PbwY
eyIOY1s1NPluJDoYTZP4YLa/u2txwe2aHh9FhYMCPDAelqaSwaCLU9DsnKkQEA2A
RR47fcagG6xK7O+N95iEa8I1oIy7os9MBoBMwRIZ6VYIxxTj8UMNSR+tu6MqV1Gg
T5d0WDTJpQKBgCHyRSu5uV39AoyRS/eZ8cp36JqV1Q08FtOE+EVfi9evnrPfo9WR
2YQt7yNfdjCo5IwIj/ZkLhAXlFNakz4el2+oUJ/HKLLaDEoaCNf883q6rh/zABrK
HcG7sF2d/7qhoJ9/se7zgjfZ68zHIrkzhDbd5xGREnmMJoCcGo3sQyBhAoGAH3UQ
qmLC2N5KPFMoJ4H0HgLQ6LQCrnhDLkScSBEBYaEUA/AtAYgKjcyTgVLXlyGkcRpg
esRHHr+WSBD5W+R6ReYEmeKfTJdzyDdzQE9gZjdyjC0DUbsDwybIu3OnIef6VEDq
IXK7oUZfzDDcsNn4mTDoFaoff5cpqFfgDgM43VkCgYBNHw11b+d+AQmaZS9QqIt7
aF3FvwCYHV0jdv0Mb+Kc1bY4c0R5MFpzrTwVmdOerjuuA1+9b+0Hwo3nBZM4eaBu
SOamA2hu2OJWCl9q8fLCT69KqWDjghhvFe7c6aJJGucwaA3Uz3eLcPqoaCarMiNH
fMkTd7GabVourqIZdgvu1Q==
-----END PRIVATE KEY-----
"""
VECTOR_CIPHERTEXT = bytes.fromhex(
    "550AF55A2904E7B9762352F8FB7FA235A9CB053AACB2D5FCB8CA48453CB2EE3619746C701ABF2D4CC67003471A18"
    "7900B05AA812BD25ED05C675DFC8C97A24A7BF49BD6214992CAD766D05A9A2B57B74F26A737E0237B8B76C45F1F2"
    "26A836D7CFBC75BA999BDBE48DBC09227AA46C88F21DCCBA7840141AD5A5D71FD122E6BD6AC3E564780DFE623FC1"
    "CA9B995A6037BF0BBD43B205A84AC5444F34202C05CE9113087176432476576DE6FFFF9A52EA57C08BE3EC2F4967"
    "6CB8E12F762AC71FA3C321E00AC988910C85FF52F93825666CE0D40FFAA0592078919D4493F46D95CCF76364C6D5"
    "7760DD0B64805F9AFC76A2365A5575CA301D5103F0EA76CB9A79"
)
VECTOR_MESSAGE = bytes.fromhex(
    "4cbb988d6a46228379132b0b5f8c249b3860043848c93632fb982c807c7c82fffc7a9ef83f4908f890373ac181ff"
    "ea6381e103bcaa27e65638b6ecebef38b59ed4226a9d12af675cfcb634d8c40e7a7aff"
)


def decrypt(key: RsaKey, ciphertext: bytes, *, unsafe: bool = False) -> bytes:
    return schemes.decrypt(
        Accelerator("tty:montgomery"),
        key,
        ciphertext,
        EncryptionScheme.PKCS1V15,
        unsafe_padding_error=unsafe,
    )


def openssl_decrypts(key: RsaKey, ciphertext: bytes) -> bytes:
    """By the OpenSSL of the package `cryptography`, 3.2 or later."""
    primes = key.crt
    public = rsa.RSAPublicNumbers(key.exponent, key.modulus)
    numbers = rsa.RSAPrivateNumbers(
        primes.p, primes.q, key.d, primes.d_p, primes.d_q, primes.q_inverse, public
    )
    return numbers.private_key().decrypt(ciphertext, padding.PKCS1v15())


def ciphertext_of(key: RsaKey, block: bytes) -> bytes:
    """The ciphertext of a block that is as long as the modulus."""
    assert len(block) == key.octets
    return pow(int.from_bytes(block), key.exponent, key.modulus).to_bytes(key.octets)


def bad_blocks(key: RsaKey) -> Iterator[bytes]:
    """Each kind of bad padding that is below the modulus, in blocks as long as it."""
    octets = key.octets
    yield b"\0\2" + b"\xff" * (octets - 2)
    yield b"\0\2" + b"\xff" * 7 + b"\0" + b"x" * (octets - 10)
    yield b"\0\2\0" + b"\xff" * (octets - 3)
    yield b"\0\1" + b"\xff" * (octets - 10) + b"\0" + b"x" * 7
    yield b"\0\3" + b"\xff" * (octets - 10) + b"\0" + b"x" * 7
    yield b"\0\0" + b"\xff" * (octets - 10) + b"\0" + b"x" * 7
    yield b"\1\2" + b"\xff" * (octets - 10) + b"\0" + b"x" * 7
    yield bytes(octets - 1) + b"\1"


def good_blocks(key: RsaKey) -> Iterator[tuple[bytes, bytes]]:
    """Blocks with good padding, with the shortest and the longest message: block, message."""
    for length in (0, 1, 8, key.octets - 12, key.octets - 11):
        message = bytes(range(1, 256))[:length].ljust(length, b"m")
        yield b"\0\2" + b"\x5a" * (key.octets - 3 - length) + b"\0" + message, message


def test_the_vector_of_openssl(workshop: Workshop) -> None:
    key = parse(VECTOR_KEY)
    assert synthetic_message(key, VECTOR_CIPHERTEXT) == VECTOR_MESSAGE
    assert decrypt(key, VECTOR_CIPHERTEXT) == VECTOR_MESSAGE
    good = VECTOR_CIPHERTEXT[:-1] + b"\x78"
    assert decrypt(key, good) == b"Hello World"


# OpenSSL's module loads no key below 1024 bits.
@pytest.mark.parametrize("bits", [1024, 1025, 1031, 1272, 2048, 2049])
def test_every_message_is_openssl_s(workshop: Workshop, bits: int) -> None:
    key = generate(bits)
    lengths = set()
    for block in bad_blocks(key):
        if int.from_bytes(block) >= key.modulus:
            continue
        cipher = ciphertext_of(key, block)
        message = decrypt(key, cipher)
        assert message == openssl_decrypts(key, cipher)
        assert message == decrypt(key, cipher), "another message the second time is an oracle"
        lengths.add(len(message))
    assert len(lengths) > 1
    for block, message in good_blocks(key):
        cipher = ciphertext_of(key, block)
        assert decrypt(key, cipher) == openssl_decrypts(key, cipher) == message


def test_all_lengths_are_openssl_s(workshop: Workshop, key: RsaKey) -> None:
    """Random ciphertexts: lengths from the shortest to the longest one of a key of 1024 bits."""
    lengths = set()
    for number in range(2, 402):
        cipher = pow(number, 65537, key.modulus).to_bytes(key.octets)
        message = synthetic_message(key, cipher)
        lengths.add(len(message))
        if number < 52:
            assert message == openssl_decrypts(key, cipher)
    assert max(lengths) <= key.octets - 11
    assert len(lengths) > 90, "each of 118 lengths is as likely as another"


def test_it_depends_on_key_and_ciphertext(workshop: Workshop, key: RsaKey) -> None:
    cipher = ciphertext_of(key, b"\0\1" + bytes(126))
    messages = {synthetic_message(each, cipher) for each in (key, generate(1024), generate(1024))}
    messages.add(synthetic_message(key, cipher[:-1] + bytes([cipher[-1] ^ 1])))
    assert len(messages) == 4


def test_a_key_without_its_exponent_or_primes(workshop: Workshop, key: RsaKey) -> None:
    """The exponent follows from the primes."""
    cipher = ciphertext_of(key, b"\0\1" + bytes(126))
    expected = openssl_decrypts(key, cipher)
    assert key.d == pow(key.exponent, -1, math.lcm(key.crt.p - 1, key.crt.q - 1))
    assert decrypt(replace(key, private_exponent=None), cipher) == expected
    assert decrypt(replace(key, primes=None), cipher) == expected
    with pytest.raises(InputError, match="holds no private exponent"):
        synthetic_message(key.public, cipher)


def test_the_default_is_no_oracle(workshop: Workshop, key: RsaKey) -> None:
    """Who does not ask for the error gets no error."""
    cipher = ciphertext_of(key, b"\0\1" + bytes(126))
    accelerator = Accelerator("tty:montgomery")
    plain = schemes.decrypt(accelerator, key, cipher, EncryptionScheme.PKCS1V15)
    assert plain == openssl_decrypts(key, cipher)


def test_lengths_and_ranges_are_public(workshop: Workshop, key: RsaKey) -> None:
    for cipher in (b"", bytes(127), bytes(129), key.modulus.to_bytes(128), b"\xff" * 128):
        with pytest.raises(InputError) as caught:
            decrypt(key, cipher)
        assert str(caught.value) == FAILED
    assert not workshop.opened


def test_the_unsafe_error(workshop: Workshop, key: RsaKey) -> None:
    for block in bad_blocks(key):
        if int.from_bytes(block) < key.modulus:
            with pytest.raises(InputError) as caught:
                decrypt(key, ciphertext_of(key, block), unsafe=True)
            assert str(caught.value) == FAILED
    for block, message in good_blocks(key):
        assert decrypt(key, ciphertext_of(key, block), unsafe=True) == message


def test_the_shortest_key(workshop: Workshop) -> None:
    """Of 12 octets: room for a padding, and for a message of a byte."""
    key, short = generate(89, toy=True), generate(88, toy=True)
    assert decrypt(key, ciphertext_of(key, b"\0\2" + b"\xff" * 8 + b"\0m")) == b"m"
    cipher = ciphertext_of(key, b"\0\1" + b"\xff" * 8 + b"\0m")
    assert decrypt(key, cipher) == synthetic_message(key, cipher)
    for call in (
        lambda: decrypt(short, bytes(11)),
        lambda: schemes.max_message(short, EncryptionScheme.PKCS1V15, HashName.SHA256),
    ):
        with pytest.raises(InputError) as caught:
            call()
        assert str(caught.value) == "the key has 88 bits, pkcs1v15 needs at least 89"
