"""OpenSSL with its engine for PKCS#11 modules: configuration, keys and certificates."""

from collections.abc import Mapping
from pathlib import Path

from tests.outcome import Outcome
from tests.pkcs11.packages import ENGINE
from tests.pkcs11.place import PIN, Place

KEY = "pkcs11:id=%01;type=private"
"""The URI of the imported key."""

ENGINE_WORDS = ("-engine", "pkcs11", "-keyform", "engine")
"""Options of OpenSSL's commands for a key of the engine."""

VERSIONS = {"1.2": ("--tls-max", "1.2"), "1.3": ("--tlsv1.3",)}
"""Versions of TLS, with curl's options for each alone."""


def configured(place: Place, folder: Path | None = None) -> dict[str, str]:
    """The environment of OpenSSL's engine for a token.

    Args:
        place: of the token. The PIN is in the configuration.
        folder: for the configuration file, `place.work` without one.
    """
    path = (folder or place.work) / "openssl.cnf"
    path.write_text(
        "openssl_conf = start\n[start]\nengines = engines\n[engines]\npkcs11 = pkcs11\n"
        f"[pkcs11]\nengine_id = pkcs11\ndynamic_path = {ENGINE}\n"
        f"MODULE_PATH = {place.module}\nPIN = {PIN}\ninit = 1\n"
        "[req]\ndistinguished_name = name\n[name]\n"
    )
    return {"OPENSSL_CONF": str(path)}


def certify(place: Place, environment: Mapping[str, str]) -> Outcome:
    """Make `certificate.pem` for localhost, signed by the imported key itself."""
    return place.run(
        *("openssl", "req", *ENGINE_WORDS, "-new", "-x509", "-key", KEY),
        *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
        *("-days", "2", "-out", "certificate.pem"),
        env=environment,
    ).good


def curl(place: Place, port: int, *words: object, env: Mapping[str, str] | None = None) -> Outcome:
    """What curl gets from a server of localhost with `certificate.pem`."""
    trusted = ("--cacert", "certificate.pem")
    return place.run("curl", "-sS", *trusted, *words, f"https://localhost:{port}/", env=env)
