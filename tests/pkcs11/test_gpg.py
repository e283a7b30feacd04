"""GnuPG uses a key of the token through gnupg-pkcs11-scd, in the place of its own card daemon."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

from cryptography.hazmat.primitives.asymmetric import rsa

from tests.pkcs11.ciphertexts import encrypted_within, padded
from tests.pkcs11.place import PIN, Both, Place

SOMEBODY = "somebody@example.org"


@contextmanager
def gnupg(place: Place) -> Iterator[dict[str, str]]:
    """The environment of GnuPG with the token as its card."""
    home = place.work / "gnupg"
    home.mkdir(0o700)
    (home / "gpg-agent.conf").write_text("scdaemon-program /usr/bin/gnupg-pkcs11-scd\n")
    (home / "gnupg-pkcs11-scd.conf").write_text(
        f"providers totient\nprovider-totient-library {place.module}\n"
    )
    environment = {"GNUPGHOME": str(home)}
    try:
        yield environment
    finally:
        place.run("gpgconf", "--kill", "all", env=environment)


def with_short_ciphertext(
    message: bytes, session_key: re.Match[str], private: rsa.RSAPrivateKey
) -> bytes:
    """An OpenPGP message with its session key encrypted anew, until GnuPG passes on a byte less.

    It puts a zero before a number whose first bit is set.
    """
    version, algorithm, size = 3, 1, private.key_size // 8
    head = message[:13]
    assert (message[0], head[3], head[12]) == (0x85, version, algorithm)
    rest = message[3 + int.from_bytes(message[1:3]) :]
    key = bytes.fromhex(session_key[2])
    data = bytes([int(session_key[1]), *key]) + (sum(key) % 65536).to_bytes(2)
    found = encrypted_within(private, lambda: padded(data, size), private.key_size - 9)
    body = head[3:] + int.from_bytes(found).bit_length().to_bytes(2) + found
    return head[:1] + len(body).to_bytes(2) + body + rest


@Both
def test_gpg_signs_and_decrypts(certified: Place, private: rsa.RSAPrivateKey) -> None:
    """GnuPG's daemon finds a key by its certificate."""
    user = certified
    message = os.urandom(5000)
    (user.work / "message").write_bytes(message)
    with gnupg(user) as environment:
        learned = user.run("gpg-connect-agent", "SCD LEARN", "LEARN", "/bye", env=environment).text
        grip = next(line.split()[2] for line in learned.splitlines() if "KEYPAIRINFO" in line)
        (user.work / "wanted").write_text(
            f"Key-Type: RSA\nKey-Grip: {grip}\nKey-Usage: sign encrypt\n"
            f"Name-Email: {SOMEBODY}\nExpire-Date: 1d\n"
        )
        gpg = ("gpg", "--batch", "--yes", "--pinentry-mode", "loopback", "--passphrase", PIN)
        assert user.run(*gpg, "--full-generate-key", "wanted", env=environment).good
        assert user.run(*gpg, "-o", "signed", "-b", "message", env=environment).good
        verify = ("gpg", "--verify", "signed", "message")
        assert f'Good signature from "{SOMEBODY}"' in user.run(*verify, env=environment).good.err
        encrypt = ("--trust-model", "always", "-r", SOMEBODY, "-e", "message")
        assert user.run(*gpg, "-o", "encrypted", *encrypt, env=environment).good
        opened = user.run(*gpg, "--show-session-key", "-d", "encrypted", env=environment)
        assert opened.good.out == message
        # Of such a ciphertext, the module is given 255 bytes of 256.
        session_key = re.search(r"session key: '(\d+):([0-9A-F]+)'", opened.err)
        assert session_key is not None
        short = with_short_ciphertext((user.work / "encrypted").read_bytes(), session_key, private)
        (user.work / "short").write_bytes(short)
        assert user.run(*gpg, "-d", "short", env=environment).good.out == message
        (user.work / "message").write_bytes(b"another")
        assert user.run(*verify, env=environment).status == 1
