"""A token that the tests share."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.debian import is_there
from tests.pkcs11.openssl import certify
from tests.pkcs11.packages import PACKAGES
from tests.pkcs11.place import Place, copy_of, make, served
from tests.system.command import private_pem


@pytest.fixture(scope="session")
def private() -> rsa.RSAPrivateKey:
    """The key with the ID 01."""
    return rsa.generate_private_key(65537, 2048)


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory, private: rsa.RSAPrivateKey) -> Place:
    """A token with an imported key (ID 01) and a generated one (ID 02)."""
    missing = [package for package, known in PACKAGES.items() if not is_there(known)]
    assert not missing, f"missing: make programs ({' '.join(missing)})"
    made = make(tmp_path_factory.mktemp("shared"))
    (made.work / "key.pem").write_bytes(private_pem(private))
    assert made.totient("import", "--key", made.work / "key.pem", "--label", "imported").good
    assert made.totient("generate", "--bits", 1024, "--label", "born", "--id", "02").good
    return made


@pytest.fixture
def own(place: Place, tmp_path: Path) -> Place:
    """A copy of the token for one test."""
    return copy_of(place, tmp_path)


@pytest.fixture
def daemon(own: Place) -> Iterator[tuple[Place, "subprocess.Popen[bytes]"]]:
    """A place whose programs use a daemon, and the daemon."""
    with served(own) as found:
        yield found


@pytest.fixture
def user(way: str, request: pytest.FixtureRequest) -> Place:
    """The token, by its module or by the daemon."""
    if way == "module":
        found: Place = request.getfixturevalue("place")
    else:
        found = request.getfixturevalue("daemon")[0]
    return found


@pytest.fixture
def certified(way: str, request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """A copy of the token, by either way, with a certificate of the imported key, "web"."""
    user: Place = request.getfixturevalue("own")
    if way == "daemon":
        user = request.getfixturevalue("daemon")[0]
    certify(user, tmp_path)
    der = ("openssl", "x509", "-in", "certificate.pem", "-outform", "DER", "-out", "certificate")
    assert user.run(*der).good
    wanted = ("--write-object", "certificate", "--type", "cert", "--id", "01", "--label", "web")
    assert user.tool(*wanted).good
    return user
