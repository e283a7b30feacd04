"""Java uses a key of the token: its key store, jarsigner, and a server."""

import zipfile
from pathlib import Path

import pytest

from tests.outcome import Outcome
from tests.pkcs11.openssl import VERSIONS, curl
from tests.pkcs11.packages import JAVA
from tests.pkcs11.place import PIN, Both, Place, free_port, started

PROGRAM = Path(__file__).with_name("Token.java")


@pytest.fixture
def store(certified: Place) -> Place:
    """The token with `java.cfg`, the configuration of Java's provider for it."""
    (certified.work / "java.cfg").write_text(f"name = totient\nlibrary = {certified.module}\n")
    return certified


def with_store(place: Place, program: str, *words: object) -> Outcome:
    """Run a program of the JDK on the token as its key store."""
    return place.run(
        *(JAVA / program, "-keystore", "NONE", "-storetype", "PKCS11", "-storepass", PIN),
        *("-providerClass", "sun.security.pkcs11.SunPKCS11", "-providerArg", "java.cfg"),
        *words,
    )


@Both
def test_jarsigner_signs(store: Place) -> None:
    assert "web, PrivateKeyEntry" in with_store(store, "keytool", "-list").text
    with zipfile.ZipFile(store.work / "program.jar", "w") as archive:
        archive.writestr("message", "A message.\n")
    signed = with_store(store, "jarsigner", "-signedjar", "signed.jar", "program.jar", "web")
    assert "jar signed" in signed.text
    trusted = ("-keystore", "trusted", "-storepass", "secret")
    taken = ("-importcert", "-noprompt", "-file", "certificate.pem", "-alias", "web")
    assert store.run(JAVA / "keytool", *taken, *trusted).good
    verify = (JAVA / "jarsigner", "-verify", "-strict", *trusted)
    assert "jar verified" in store.run(*verify, "signed.jar").text
    with zipfile.ZipFile(store.work / "signed.jar") as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(store.work / "damaged.jar", "w") as archive:
        for name, content in files.items():
            archive.writestr(name, b"Another.\n" if name == "message" else content)
    assert store.run(*verify, "damaged.jar").status != 0


@Both
def test_java_signs_and_decrypts(store: Place) -> None:
    done = store.run(JAVA / "java", PROGRAM, "java.cfg", PIN, "keys")
    assert done.text == "SHA256withRSA true\nRSASSA-PSS true\ndecrypted true\n"


@Both
def test_java_serves_tls(store: Place, tmp_path: Path) -> None:
    port, printed = free_port(), tmp_path / "printed"
    words = (JAVA / "java", PROGRAM, "java.cfg", PIN, "serve", port)
    with started(store, printed, *words, ready=lambda: "serves" in printed.read_text()):
        for version, options in VERSIONS.items():
            assert curl(store, port, *options).text == f"TLSv{version}", printed.read_text()
