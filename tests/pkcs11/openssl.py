"""OpenSSL with a token, by our provider or by its engine for PKCS#11 modules."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.outcome import Outcome
from tests.pkcs11.packages import ENGINE
from tests.pkcs11.place import PIN, Place

KEY = "pkcs11:id=%01;type=private"
"""The URI of the imported key."""

VERSIONS = {"1.2": ("--tls-max", "1.2"), "1.3": ("--tlsv1.3",)}
"""Versions of TLS, with curl's options for each alone."""


@dataclass(frozen=True)
class Openssl:
    """How OpenSSL gets to a token.

    Attributes:
        options: of its commands, for a key that a URI names.
        curl: options of curl for the key of a client.
        nginx: how a key is named in nginx's configuration.
        configured: writes the configuration for a token, and gives its environment.
    """

    options: tuple[str, ...]
    curl: tuple[str, ...]
    nginx: str
    configured: Callable[[Place, Path], dict[str, str]]


def provider_configuration(place: Place) -> Path:
    """The file that the tool writes for our provider."""
    line = place.totient("openssl", "--module", place.module).text.strip()
    return Path(line.removeprefix("export OPENSSL_CONF="))


def _by_provider(place: Place, _folder: Path) -> dict[str, str]:
    """The environment of our provider, and `uri.pem` that holds the key's URI."""
    environment = {"OPENSSL_CONF": str(provider_configuration(place))}
    assert place.run("openssl", "pkey", "-in", KEY, "-out", "uri.pem", env=environment).good
    return environment


def _by_engine(place: Place, folder: Path) -> dict[str, str]:
    """The environment of OpenSSL's engine. The PIN is in the configuration."""
    path = folder / "openssl.cnf"
    path.write_text(
        "openssl_conf = start\n[start]\nengines = engines\n[engines]\npkcs11 = pkcs11\n"
        f"[pkcs11]\nengine_id = pkcs11\ndynamic_path = {ENGINE}\n"
        f"MODULE_PATH = {place.module}\nPIN = {PIN}\ninit = 1\n"
        "[req]\ndistinguished_name = name\n[name]\n"
    )
    return {"OPENSSL_CONF": str(path)}


WAYS = {
    "provider": Openssl((), ("--key", "uri.pem"), "uri.pem", _by_provider),
    "engine": Openssl(
        ("-engine", "pkcs11", "-keyform", "engine"),
        ("--engine", "pkcs11", "--key-type", "ENG", "--key", KEY),
        f"engine:pkcs11:{KEY}",
        _by_engine,
    ),
}

By = pytest.mark.parametrize("by", list(WAYS))
"""A test of each way of OpenSSL to a token."""


def certify(place: Place, folder: Path, by: str = "provider") -> dict[str, str]:
    """Make `certificate.pem` for localhost, signed by the imported key itself.

    Args:
        place: of the token.
        folder: for a configuration file.
        by: one of `WAYS`.

    Returns:
        The environment of programs.
    """
    environment = WAYS[by].configured(place, folder)
    assert place.run(
        *("openssl", "req", *WAYS[by].options, "-new", "-x509", "-key", KEY),
        *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
        *("-days", "2", "-out", "certificate.pem"),
        env=environment,
    ).good
    return environment


def curl(place: Place, port: int, *words: object, env: Mapping[str, str] | None = None) -> Outcome:
    """What curl gets from a server of localhost with `certificate.pem`."""
    trusted = ("--cacert", "certificate.pem")
    return place.run("curl", "-sS", *trusted, *words, f"https://localhost:{port}/", env=env)
