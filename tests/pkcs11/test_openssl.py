"""OpenSSL's commands, and curl, use a key of the token, by our provider and by the engine."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.pkcs11.openssl import KEY, VERSIONS, WAYS, By, certify, curl
from tests.pkcs11.place import Both, Place, free_port, started

MESSAGE = b"A message.\r\n"


@Both
@By
@pytest.mark.parametrize("padding", ["pkcs1", "pss"])
def test_openssl_signs(user: Place, tmp_path: Path, by: str, padding: str) -> None:
    environment = WAYS[by].configured(user, tmp_path)
    (user.work / "message").write_bytes(os.urandom(5000))
    (user.work / "public.pem").write_bytes(
        user.run("openssl", "pkey", "-in", "key.pem", "-pubout").good.out
    )
    options = ("-sha256", "-sigopt", f"rsa_padding_mode:{padding}")
    sign = ("openssl", "dgst", *WAYS[by].options, *options, "-sign", KEY)
    assert user.run(*sign, "-out", "signature", "message", env=environment).good
    verify = ("openssl", "dgst", *options, "-verify", "public.pem", "-signature", "signature")
    assert user.run(*verify, "message").text == "Verified OK\n"
    (user.work / "message").write_bytes(b"another")
    assert user.run(*verify, "message").status == 1


@By
def test_openssl_makes_a_certificate(place: Place, tmp_path: Path, by: str) -> None:
    certify(place, tmp_path, by)
    checked = place.run("openssl", "verify", "-CAfile", "certificate.pem", "certificate.pem")
    assert checked.text == "certificate.pem: OK\n"


@Both
@By
@pytest.mark.parametrize("padding", ["pkcs1", "pss"])
def test_cms_signs(user: Place, tmp_path: Path, by: str, padding: str) -> None:
    environment = certify(user, tmp_path, by)
    (user.work / "message").write_bytes(MESSAGE)
    signed = user.run(
        *("openssl", "cms", "-sign", "-binary", "-nodetach", *WAYS[by].options, "-inkey", KEY),
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
@By
@pytest.mark.parametrize("padding", ["pkcs1", "oaep"])
def test_cms_decrypts(user: Place, tmp_path: Path, by: str, padding: str) -> None:
    environment = certify(user, tmp_path, by)
    options = ["-keyopt", "rsa_padding_mode:oaep", "-keyopt", "rsa_oaep_md:sha256"]
    encrypted = user.run(
        *("openssl", "cms", "-encrypt", "-binary", "-aes256", "-outform", "DER"),
        *("-recip", "certificate.pem", *(options if padding == "oaep" else [])),
        stdin=MESSAGE,
    ).good.out
    decrypt = ("openssl", "cms", "-decrypt", "-inform", "DER", *WAYS[by].options, "-inkey", KEY)
    read = (*decrypt, "-recip", "certificate.pem")
    assert user.run(*read, stdin=encrypted, env=environment).good.out == MESSAGE
    damaged = encrypted[:-1] + bytes([encrypted[-1] ^ 1])
    assert user.run(*read, stdin=damaged, env=environment).out != MESSAGE


@contextmanager
def tls_server(place: Place, folder: Path, by: str, *words: str) -> Iterator[int]:
    """The port of `openssl s_server`, which answers with a page about the connection."""
    environment = certify(place, folder, by)
    port, printed = free_port(), folder / "printed"
    command = ("openssl", "s_server", *WAYS[by].options, "-key", KEY, "-cert", "certificate.pem")
    wanted = ("-accept", f"127.0.0.1:{port}", "-www", *words)

    def ready() -> bool:
        return "ACCEPT" in printed.read_text()

    with started(place, printed, *command, *wanted, ready=ready, env=environment):
        yield port


@Both
@By
def test_curl_and_s_server_use_keys_of_the_token(user: Place, tmp_path: Path, by: str) -> None:
    """Both ends of a connection sign by the token: the server, and curl as a client."""
    with tls_server(user, tmp_path, by, "-Verify", "1", "-CAfile", "certificate.pem") as port:
        environment = WAYS[by].configured(user, tmp_path)
        for version, options in VERSIONS.items():
            words = (*options, "--cert", "certificate.pem", *WAYS[by].curl)
            page = curl(user, port, *words, env=environment).text
            assert f"Protocol  : TLSv{version}" in page
            assert "Subject: CN=localhost" in page, "the client's certificate"
        assert curl(user, port).status != 0, "a client without a certificate"


@Both
@By
def test_s_client_verifies_s_server(user: Place, tmp_path: Path, by: str) -> None:
    """TLS 1.3, and TLS 1.2 with ECDHE and with RSA key exchange."""
    exchange = ("-tls1_2", "-cipher", "AES128-GCM-SHA256")
    with tls_server(user, tmp_path, by) as port:
        asked = ("openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-brief")
        trusted = ("-CAfile", "certificate.pem", "-verify_return_error")
        for version in ("-tls1_2", "-tls1_3"):
            done = user.run(*asked, *trusted, version)
            assert "Verification: OK" in done.good.err
            assert "Signature type: RSA-PSS" in done.err
        exchanged = user.run(*asked, *trusted, *exchange)
        if by == "provider":
            assert "Ciphersuite: AES128-GCM-SHA256" in exchanged.good.err
        else:
            # OpenSSL 3.0 asks its code for keys of engines for a padding that the code does not
            # have. No call reaches the module.
            assert "alert decrypt error" in exchanged.err
