"""Fuzz targets in Python: each takes any bytes. A reader may only raise InputError."""

import base64
import unicodedata

from totient.catalog import select
from totient.catalog.parameters import parse_named
from totient.common.errors import InputError
from totient.device.address import Address
from totient.rsa.choices import KeyFormat
from totient.rsa.pem import parse, private_pem, public_pem

LABELS = (b"RSA PRIVATE KEY", b"PRIVATE KEY", b"RSA PUBLIC KEY", b"PUBLIC KEY")


def check_message(error: InputError) -> None:
    """A message is one line without control characters, and can be encoded."""
    kinds = {unicodedata.category(each) for each in str(error)}
    assert not kinds & {"Cc", "Cs", "Zl", "Zp"}, repr(str(error))


def pem(data: bytes) -> None:
    """A key as PEM. A first byte below 4 makes the rest the content of a block with a label."""
    text = data[1:]
    if data[:1] < bytes([len(LABELS)]) and data:
        label = LABELS[data[0]]
        body = base64.encodebytes(text)
        text = b"-----BEGIN " + label + b"-----\n" + body + b"-----END " + label + b"-----\n"
    try:
        key = parse(text, toy=True)
    except InputError as error:
        check_message(error)
        return
    for form in KeyFormat:
        if key.primes is not None:
            assert parse(private_pem(key, form), toy=True) == key
        assert parse(public_pem(key.public, form), toy=True) == key.public


def device(data: bytes) -> None:
    """An address, or a design with its parameters if the first byte is not 0."""
    text = data[1:].decode(errors="surrogateescape")
    try:
        if data[:1] in (b"", b"\0"):
            address = Address.of(text)
            assert Address.of(str(address)) == address
            if not address.is_simulated:
                return
            name, given, configuration = address.name, address.given, address.configuration
        else:
            name, found = parse_named(text, "design")
            given, configuration = found, select(name, **found)
    except InputError as error:
        check_message(error)
        return
    assert configuration.parameters.items() >= given.items()
    assert select(name, **given) == configuration


TARGETS = {"pem": pem, "device": device}
