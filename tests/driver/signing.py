"""The example program `driver/examples/sign.c` with a key, and OpenSSL, which judges it."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from tests.system.command import openssl, openssl_verifies, public_pem

FORMATS = {
    "PKCS #1": serialization.PrivateFormat.TraditionalOpenSSL,
    "PKCS #8": serialization.PrivateFormat.PKCS8,
}


class Signer:
    """A key with a message, and the example to sign it."""

    def __init__(
        self,
        program: Path,
        folder: Path,
        bits: int,
        environment: Mapping[str, str] | None = None,
        form: str = "PKCS #8",
    ) -> None:
        self.program, self.folder, self.environment = program, folder, environment
        self.message = folder / "message"
        self.message.write_bytes(os.urandom(1000))
        private = rsa.generate_private_key(65537, bits)
        (folder / "public.pem").write_bytes(public_pem(private))
        der = serialization.Encoding.DER
        self.key = folder / "key.der"
        self.key.write_bytes(
            private.private_bytes(der, FORMATS[form], serialization.NoEncryption())
        )

    def run(self, address: object, redirection: str = "") -> subprocess.CompletedProcess[bytes]:
        """Run the example on a digest of the message, its output where the shell puts it."""
        digest = openssl("dgst", "-sha256", "-binary", self.message)
        return subprocess.run(
            [
                *("sh", "-c", f'exec "$@" {redirection}', "sh"),
                *(self.program, str(address), self.key),
            ],
            input=digest,
            capture_output=True,
            check=False,
            timeout=300,
            env=self.environment,
        )

    def signs(self, address: object) -> None:
        """OpenSSL accepts what the example signs."""
        done = self.run(address)
        assert done.returncode == 0, done.stderr
        signature = self.folder / "signature"
        signature.write_bytes(done.stdout)
        openssl_verifies(self.folder / "public.pem", signature, self.message)
