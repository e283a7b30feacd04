"""GnuPG uses a key of the token through gnupg-pkcs11-scd, in the place of its own card daemon."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

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


@Both
def test_gpg_signs_and_decrypts(certified: Place) -> None:
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
        assert user.run(*gpg, "-d", "encrypted", env=environment).good.out == message
        (user.work / "message").write_bytes(b"another")
        assert user.run(*verify, env=environment).status == 1
