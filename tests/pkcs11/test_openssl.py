"""OpenSSL's commands, and curl, use a key of the token by the engine."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.pkcs11.openssl import ENGINE_WORDS, KEY, VERSIONS, certify, configured, curl
from tests.pkcs11.place import Both, Place, free_port, started

MESSAGE = b"A message.\r\n"


@Both
@pytest.mark.parametrize("padding", ["pkcs1", "pss"])
def test_openssl_signs(user: Place, tmp_path: Path, padding: str) -> None:
    environment = configured(user, tmp_path)
    (user.work / "message").write_bytes(os.urandom(5000))
    (user.work / "public.pem").write_bytes(
        user.run("openssl", "pkey", "-in", "key.pem", "-pubout").good.out
    )
    options = ("-sha256", "-sigopt", f"rsa_padding_mode:{padding}")
    sign = ("openssl", "dgst", *ENGINE_WORDS, *options, "-sign", KEY)
    assert user.run(*sign, "-out", "signature", "message", env=environment).good
    verify = ("openssl", "dgst", *options, "-verify", "public.pem", "-signature", "signature")
    assert user.run(*verify, "message").text == "Verified OK\n"
    (user.work / "message").write_bytes(b"another")
    assert user.run(*verify, "message").status == 1


def test_openssl_makes_a_certificate(place: Place, tmp_path: Path) -> None:
    certify(place, configured(place, tmp_path))
    checked = place.run("openssl", "verify", "-CAfile", "certificate.pem", "certificate.pem")
    assert checked.text == "certificate.pem: OK\n"


@Both
@pytest.mark.parametrize("padding", ["pkcs1", "pss"])
def test_cms_signs(user: Place, tmp_path: Path, padding: str) -> None:
    environment = configured(user, tmp_path)
    certify(user, environment)
    (user.work / "message").write_bytes(MESSAGE)
    signed = user.run(
        *("openssl", "cms", "-sign", "-binary", "-nodetach", *ENGINE_WORDS, "-inkey", KEY),
        *("-signer", "certificate.pem", "-keyopt", f"rsa_padding_mode:{padding}"),
        *("-in", "message", "-outform", "DER"),
        env=environment,
    ).good.out
    verify = ("openssl", "cms", "-verify", "-binary", "-inform", "DER", "-purpose", "any")
    trusted = ("-CAfile", "certificate.pem")
    assert user.run(*verify, *trusted, stdin=signed).good.out == MESSAGE
    damaged = signed.replace(MESSAGE, MESSAGE.swapcase())
    assert user.run(*verify, *trusted, stdin=damaged).status != 0
    printed = user.run("openssl", "cms", "-cmsout", "-print", "-inform", "DER", stdin=signed)
    assert ("rsassaPss" in printed.text) == (padding == "pss")


@Both
@pytest.mark.parametrize("padding", ["pkcs1", "oaep"])
def test_cms_decrypts(user: Place, tmp_path: Path, padding: str) -> None:
    environment = configured(user, tmp_path)
    certify(user, environment)
    options = ["-keyopt", "rsa_padding_mode:oaep", "-keyopt", "rsa_oaep_md:sha256"]
    encrypted = user.run(
        *("openssl", "cms", "-encrypt", "-binary", "-aes256", "-outform", "DER"),
        *("-recip", "certificate.pem", *(options if padding == "oaep" else [])),
        stdin=MESSAGE,
    ).good.out
    decrypt = ("openssl", "cms", "-decrypt", "-inform", "DER", *ENGINE_WORDS, "-inkey", KEY)
    read = (*decrypt, "-recip", "certificate.pem")
    assert user.run(*read, stdin=encrypted, env=environment).good.out == MESSAGE
    damaged = encrypted[:-1] + bytes([encrypted[-1] ^ 1])
    assert user.run(*read, stdin=damaged, env=environment).out != MESSAGE


@contextmanager
def tls_server(place: Place, folder: Path, *words: str) -> Iterator[int]:
    """The port of `openssl s_server`, which answers with a page about the connection."""
    environment = configured(place, folder)
    certify(place, environment)
    port, printed = free_port(), folder / "printed"
    command = ("openssl", "s_server", *ENGINE_WORDS, "-key", KEY, "-cert", "certificate.pem")
    wanted = ("-accept", f"127.0.0.1:{port}", "-www", *words)

    def ready() -> bool:
        return "ACCEPT" in printed.read_text()

    with started(place, printed, *command, *wanted, ready=ready, env=environment):
        yield port


@Both
def test_curl_and_s_server_use_keys_of_the_token(user: Place, tmp_path: Path) -> None:
    """Both ends of a connection sign by the token: the server, and curl as a client."""
    with tls_server(user, tmp_path, "-Verify", "1", "-CAfile", "certificate.pem") as port:
        known = ("--engine", "pkcs11", "--key-type", "ENG", "--key", KEY)
        for version, options in VERSIONS.items():
            words = (*options, "--cert", "certificate.pem", *known)
            page = curl(user, port, *words, env=configured(user, tmp_path)).text
            assert f"Protocol  : TLSv{version}" in page
            assert "Subject: CN=localhost" in page, "the client's certificate"
        assert curl(user, port).status != 0, "a client without a certificate"


@Both
def test_s_client_verifies_s_server(user: Place, tmp_path: Path) -> None:
    with tls_server(user, tmp_path) as port:
        asked = ("openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-brief")
        trusted = ("-CAfile", "certificate.pem", "-verify_return_error")
        for version in ("-tls1_2", "-tls1_3"):
            done = user.run(*asked, *trusted, version)
            assert "Verification: OK" in done.good.err
            assert "Signature type: RSA-PSS" in done.err
        # For this exchange OpenSSL 3.0 asks its code for keys of engines for a padding that the
        # code does not have. No call reaches the module.
        refused = user.run(*asked, *trusted, "-tls1_2", "-cipher", "AES128-GCM-SHA256")
        assert "alert decrypt error" in refused.err
