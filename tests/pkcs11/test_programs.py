"""Unmodified programs use the token, in their own process and by the daemon."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.pkcs11.packages import ENGINE
from tests.pkcs11.place import PIN, Place, make
from tests.system.command import serving
from totient.device.transports import AddressTransport

Both = pytest.mark.parametrize("way", ["module", "daemon"])


@pytest.fixture
def user(way: str, request: pytest.FixtureRequest) -> Place:
    """The token, by its module or by the daemon."""
    if way == "module":
        found: Place = request.getfixturevalue("place")
    else:
        found = request.getfixturevalue("daemon")[0]
    return found


@Both
def test_opensc_finds_no_error(user: Place, way: str) -> None:
    done = user.tool("--test").good
    assert "all 4 signature functions seem to work" in done.text
    errors = [line.strip() for line in done.err.splitlines() if "ERR" in line]
    # p11-kit 0.24 does not pass on a request for no random bytes.
    empty = "ERR: C_GenerateRandom(buf1,0) failed: CKR_BUFFER_TOO_SMALL (0x150)"
    assert errors == ([] if way == "module" else [empty])


def test_opensc_in_a_forked_process(place: Place) -> None:
    assert "C_Initialize in forked child" in place.tool("--test-fork").text


@Both
def test_gnutls_signs(user: Place) -> None:
    words = ("p11tool", "--provider", user.module, "--login")
    listed = user.run(*words, "--list-all", env={"GNUTLS_PIN": PIN}).good
    assert "Label: imported" in listed.text
    assert "Flags: CKA_PRIVATE; CKA_NEVER_EXTRACTABLE; CKA_SENSITIVE;" in listed.text
    url = "pkcs11:object=imported;type=private"
    done = user.run(*words, "--test-sign", url, env={"GNUTLS_PIN": PIN})
    assert "ok" in done.err + done.text


@pytest.fixture
def configuration(tmp_path: Path) -> "Configuration":
    return Configuration(tmp_path)


class Configuration:
    """OpenSSL's configuration for its engine."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "openssl.cnf"

    def of(self, place: Place) -> dict[str, str]:
        """The environment of OpenSSL for a token."""
        self.path.write_text(
            "openssl_conf = start\n[start]\nengines = engines\n[engines]\npkcs11 = pkcs11\n"
            f"[pkcs11]\nengine_id = pkcs11\ndynamic_path = {ENGINE}\n"
            f"MODULE_PATH = {place.module}\nPIN = {PIN}\ninit = 1\n"
        )
        return {"OPENSSL_CONF": str(self.path)}


ENGINE_KEY = ("-engine", "pkcs11", "-keyform", "engine")


@Both
@pytest.mark.parametrize("padding", ["pkcs1", "pss"])
def test_openssl_signs(user: Place, configuration: Configuration, padding: str) -> None:
    environment = configuration.of(user)
    (user.work / "message").write_bytes(os.urandom(5000))
    (user.work / "public.pem").write_bytes(
        user.run("openssl", "pkey", "-in", "key.pem", "-pubout").good.out
    )
    options = ("-sha256", "-sigopt", f"rsa_padding_mode:{padding}")
    signature = user.run(
        *("openssl", "dgst", *ENGINE_KEY, *options, "-sign", "pkcs11:id=%01;type=private"),
        *("-out", "signature", "message"),
        env=environment,
    )
    assert signature.status == 0, signature.err
    verified = user.run(
        *("openssl", "dgst", *options, "-verify", "public.pem", "-signature", "signature"),
        "message",
    )
    assert verified.text == "Verified OK\n"
    (user.work / "message").write_bytes(b"another")
    assert (
        user.run(
            *("openssl", "dgst", *options, "-verify", "public.pem"),
            *("-signature", "signature", "message"),
        ).status
        == 1
    )


def test_openssl_makes_a_certificate(place: Place, configuration: Configuration) -> None:
    environment = configuration.of(place)
    done = place.run(
        *("openssl", "req", *ENGINE_KEY, "-new", "-x509", "-key", "pkcs11:id=%01;type=private"),
        *("-subj", "/CN=localhost", "-days", "2", "-out", "certificate.pem"),
        env=environment,
    )
    assert done.status == 0, done.err
    checked = place.run("openssl", "verify", "-CAfile", "certificate.pem", "certificate.pem")
    assert checked.text == "certificate.pem: OK\n"


@contextmanager
def agent(place: Place) -> Iterator[dict[str, str]]:
    """An ssh-agent that may load the module."""
    socket = place.work / "agent"
    command = ["ssh-agent", "-D", "-a", str(socket), "-P", "/*"]
    environment = {**os.environ, **place.environment}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        ask = place.work / "ask"
        ask.write_text(f"#!/bin/sh\necho {PIN}\n")
        ask.chmod(0o700)
        yield {
            "SSH_AUTH_SOCK": str(socket),
            "SSH_ASKPASS": str(ask),
            "SSH_ASKPASS_REQUIRE": "force",
            "DISPLAY": "none",
        }
    finally:
        process.terminate()
        process.communicate()


def test_ssh_signs_by_its_agent(own: Place) -> None:
    listed = own.run("ssh-keygen", "-D", own.module).text.splitlines()
    key = next(line for line in listed if line.startswith("ssh-rsa") and "imported" in line)
    (own.work / "key.pub").write_text(f"{key}\n")
    (own.work / "message").write_text("A message.\n")
    (own.work / "allowed").write_text(f"somebody {key}\n")
    with agent(own) as environment:
        assert own.run("ssh-add", "-s", own.module, env=environment).good
        words = ("ssh-keygen", "-Y", "sign", "-n", "file", "-f", "key.pub", "message")
        assert own.run(*words, env=environment).good
    verify = ("ssh-keygen", "-Y", "verify", "-n", "file", "-f", "allowed", "-I", "somebody", "-s")
    done = own.run(*verify, "message.sig", stdin=b"A message.\n")
    assert done.text.startswith('Good "file" signature for somebody')
    assert own.run(*verify, "message.sig", stdin=b"Another.\n").status != 0


NGINX = """
env OPENSSL_CONF; env P11_KIT_SERVER_ADDRESS;
daemon off; worker_processes 2; pid nginx.pid; error_log stderr; user root;
events {{}}
http {{
  access_log off; client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3;
  uwsgi_temp_path t4; scgi_temp_path t5;
  server {{
    listen unix:{socket} ssl; ssl_certificate certificate.pem;
    ssl_certificate_key "engine:pkcs11:pkcs11:id=%01;type=private"; ssl_session_cache off;
    ssl_protocols TLSv1.2 TLSv1.3;
    location / {{ return 200 hello; }}
  }}
}}
"""


@Both
def test_nginx_serves_tls(user: Place, configuration: Configuration) -> None:
    """Two workers: each is a forked process with a session of its own."""
    environment = configuration.of(user)
    request = ("openssl", "req", *ENGINE_KEY, "-new", "-x509", "-key", "pkcs11:id=%01;type=private")
    assert user.run(
        *request, "-subj", "/CN=localhost", "-out", "certificate.pem", env=environment
    ).good
    socket = user.work / "tls"
    socket.unlink(missing_ok=True)
    (user.work / "nginx.conf").write_text(NGINX.format(socket=socket))
    command = ["nginx", "-p", str(user.work), "-c", str(user.work / "nginx.conf")]
    running = {**os.environ, **user.environment, **environment}
    process = subprocess.Popen(command, env=running, cwd=user.work, stderr=subprocess.PIPE)
    try:
        for _ in range(200):
            if socket.exists() or process.poll() is not None:
                break
            subprocess.run(["sleep", "0.05"], check=True)
        assert process.poll() is None, process.stderr and process.stderr.read()
        for version in ("-tls1_3", "-tls1_2", "-tls1_3", "-tls1_2"):
            client = user.run(
                *("openssl", "s_client", "-unix", socket, "-CAfile", "certificate.pem", version),
                *("-verify_return_error", "-ign_eof"),
                stdin=b"GET / HTTP/1.0\r\n\r\n",
            )
            assert b"hello" in client.out, client.err
            assert b"Verify return code: 0 (ok)" in client.out
    finally:
        process.terminate()
        process.communicate()


def test_a_token_on_a_serial_line(tmp_path: Path) -> None:
    """As on a board: one process at a time, the others are told that the device does not answer."""
    with serving(tmp_path / "line", "engine-8", "--width", 1024) as line:
        place = make(tmp_path, f"tty:{line}")
        assert place.totient("generate", "--bits", 1024).good
        (tmp_path / "message").write_bytes(b"A message.")
        sign = ("--sign", "-m", "SHA256-RSA-PKCS", "--id", "01", "--input-file", "message")
        assert place.tool(*sign, "--output-file", "signature").good
        public = ("--read-object", "--type", "pubkey", "--id", "01", "--output-file", "public")
        assert place.tool(*public).good
        verify = ("openssl", "dgst", "-sha256", "-keyform", "DER", "-verify", "public")
        assert place.run(*verify, "-signature", "signature", "message").text == "Verified OK\n"
        with closing(AddressTransport(f"tty:{line}")):
            assert "CKR_DEVICE_ERROR" in place.tool(*sign, "--output-file", "signature").err
