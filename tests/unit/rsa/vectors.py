"""Readers of the published test vectors that come with the package `cryptography_vectors`."""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from totient.device import RsaKey
from totient.rsa import keys

Vector = dict[str, str]

_FOLDER = files("cryptography_vectors") / "asymmetric"


def data(name: str) -> bytes:
    """Content of a file of the package, below `asymmetric/`."""
    return _FOLDER.joinpath(name).read_bytes()


def headed(name: str, last: str) -> Iterator[Vector]:
    """Vectors of a file with a heading line above each hexadecimal value.

    Args:
        name: file below `asymmetric/RSA/`.
        last: heading of a vector's last value. Values above stay valid for the vectors below.
    """
    state: Vector = {}
    heading = ""
    for line in [*data(f"RSA/{name}").decode("ascii", errors="replace").splitlines(), "# end:"]:
        text = line.strip()
        if text.startswith("#"):
            if heading == last and state.get(last):
                yield dict(state)
            heading = text.strip("# :").lower()
            state[heading] = ""
        elif re.fullmatch(r"[0-9A-Fa-f ]+", text):
            state[heading] = state.get(heading, "") + text.replace(" ", "")


def assigned(name: str, last: str) -> Iterator[Vector]:
    """Vectors of a file with lines `name = value`; values above stay valid below."""
    state: Vector = {}
    for line in data(f"RSA/{name}").decode().splitlines():
        left, equals, right = line.partition("=")
        if equals:
            state[left.strip()] = right.strip()
            if left.strip() == last:
                yield dict(state)


@cache
def private_key(modulus: str, public: str, private: str, p: str, q: str) -> RsaKey:
    """A key from hexadecimal values."""
    n, e, d = (int(value, 16) for value in (modulus, public, private))
    return keys.private_key(keys.public_key(n, e), d, (int(p, 16), int(q, 16)))


def headed_key(vector: Vector) -> RsaKey:
    """The key of a vector from `headed`."""
    return private_key(
        vector["modulus"],
        vector["public exponent"],
        vector["exponent"],
        vector["prime 1"],
        vector["prime 2"],
    )
