"""OpenSSL's own timing of RSA on this machine."""

import platform
import re
import subprocess
from dataclasses import dataclass

from totient.common.errors import ToolError


@dataclass(frozen=True)
class Speed:
    """Speed of OpenSSL on one core of this machine.

    Attributes:
        version: of OpenSSL.
        machine: kind of machine.
        private_s, public_s: seconds of an operation; private ones are by CRT, blinded.
    """

    version: str
    machine: str
    private_s: float
    public_s: float


def measure_openssl(bits: int) -> Speed:
    """Time RSA operations, a second each.

    Args:
        bits: of the modulus, a length of `openssl speed`: 512, 1024, 2048, 3072, 4096.

    Raises:
        ToolError: openssl is missing, or its output is not as expected.
    """
    version = _openssl("version").split(" (")[0].rsplit(" ", 3)[0]
    text = _openssl("speed", "-seconds", "1", "-mr", f"rsa{bits}")
    found = re.search(rf"^\+F2:\d+:{bits}:([0-9.]+):([0-9.]+)$", text, re.MULTILINE)
    rates = [float(rate) for rate in found.groups()] if found else []
    if not rates or min(rates) <= 0:
        raise ToolError(f"openssl speed printed no rate for rsa{bits}")
    return Speed(version, platform.machine(), 1 / rates[0], 1 / rates[1])


def _openssl(*words: str) -> str:
    try:
        done = subprocess.run(["openssl", *words], capture_output=True, text=True, check=True)
    except OSError as error:
        raise ToolError(f"cannot start openssl: {error.strerror}") from error
    except subprocess.CalledProcessError as error:
        raise ToolError(f"openssl {words[0]} failed: status {error.returncode}") from error
    return done.stdout
