"""Keys of a token: imported, generated, listed."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from urllib.parse import quote

from totient.common.errors import InputError
from totient.device.rsa_key import RsaKey
from totient.token import cryptoki as ck
from totient.token.cryptoki import Token, Value

LoggedIn = AbstractContextManager[Token]


@dataclass(frozen=True)
class Listed:
    """A private key of a token.

    Attributes:
        label, id: its name, and its ID in hexadecimal.
        bits: of its modulus.
        origin: where it was made.
        may_leave: whether it can be wrapped by another key.
        uri: that other programs name it by (RFC 7512).
    """

    label: str
    id: str
    bits: int
    origin: str
    may_leave: str
    uri: str


@contextmanager
def logged_in(module: Path, pin: bytes) -> Iterator[Token]:
    """A token with its user logged in."""
    with ck.open_token(module) as token:
        token.login(pin)
        yield token


def import_key(
    token: Token, key: RsaKey, label: str, key_id: bytes, *, extractable: bool = False
) -> bytes:
    """Store a key; its ID.

    Raises:
        InputError: the ID is taken, or the token does not accept the key.
    """
    used = _free_id(token, key_id)
    public, private = _templates(label, used, extractable)
    numbers: dict[int, Value] = {
        ck.KEY_TYPE: ck.RSA,
        ck.MODULUS: _octets(key.modulus),
        ck.PUBLIC_EXPONENT: _octets(key.exponent),
    }
    secret: dict[int, Value] = {}
    if key.primes is not None:
        values = (key.d, *astuple(key.primes))
        secret = dict(zip(ck.PRIVATE_NUMBERS, map(_octets, values), strict=True))
    else:
        secret[ck.PRIVATE_NUMBERS[0]] = _octets(key.d)
    token.create({ck.CLASS: ck.PRIVATE_KEY, **numbers, **private, **secret})
    token.create({ck.CLASS: ck.PUBLIC_KEY, **numbers, **public})
    return used


def generate(
    token: Token, bits: int, label: str, key_id: bytes, *, extractable: bool = False
) -> bytes:
    """Generate a key; its ID. Errors as `import_key`."""
    used = _free_id(token, key_id)
    public, private = _templates(label, used, extractable)
    token.generate({**public, ck.MODULUS_BITS: bits, ck.PUBLIC_EXPONENT: b"\1\0\1"}, private)
    return used


def listing(token: Token) -> list[Listed]:
    """The private keys."""
    found = []
    for handle in token.find({ck.CLASS: ck.PRIVATE_KEY}):
        kinds = (ck.LABEL, ck.VALUE_ID, ck.MODULUS, ck.LOCAL, ck.EXTRACTABLE)
        label, key_id, modulus, local, extractable = token.read(handle, kinds)
        name = label.decode(errors="replace")
        uri = f"pkcs11:id={quote(key_id) if key_id.isalnum() else _percent(key_id)};type=private"
        found.append(
            Listed(
                *(name, key_id.hex(), int.from_bytes(modulus).bit_length()),
                "generated here" if local == b"\1" else "imported",
                "yes" if extractable == b"\1" else "no",
                uri,
            )
        )
    return sorted(found, key=lambda each: each.id)


def _percent(data: bytes) -> str:
    return "".join(f"%{byte:02x}" for byte in data)


def _templates(
    label: str, key_id: bytes, extractable: bool
) -> tuple[Mapping[int, Value], Mapping[int, Value]]:
    """What the public and the private half have in common with all keys of the command line."""
    both: dict[int, Value] = {ck.TOKEN: True, ck.LABEL: label.encode(), ck.VALUE_ID: key_id}
    public = {**both, ck.PRIVATE: False, ck.VERIFY: True, ck.ENCRYPT: True}
    private = {**both, ck.PRIVATE: True, ck.SENSITIVE: True, ck.EXTRACTABLE: extractable}
    return public, {**private, ck.SIGN: True, ck.DECRYPT: True}


def _free_id(token: Token, wanted: bytes) -> bytes:
    """The ID that was asked for, or the first free one."""
    for number in range(1, 1 << 16):
        chosen = wanted or _octets(number)
        if not token.find({ck.CLASS: ck.PRIVATE_KEY, ck.VALUE_ID: chosen}):
            return chosen
        if wanted:
            raise InputError(f"--id is {wanted.hex()}, a key of the token has it")
    raise InputError("the token has no free ID of two bytes: --id")


def _octets(number: int) -> bytes:
    return number.to_bytes((number.bit_length() + 7) // 8)
