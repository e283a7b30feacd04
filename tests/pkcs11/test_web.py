"""Web servers with a key of the token."""

import signal
import socket
import ssl
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.pkcs11.openssl import KEY, VERSIONS, WAYS, By, certify, curl
from tests.pkcs11.place import PIN, Both, Place, free_port, started, until

WORKERS, CLIENTS, HANDSHAKES, RELOADS = 2, 4, 1000, 3

NGINX = """
env OPENSSL_CONF; env P11_KIT_SERVER_ADDRESS;
daemon off; worker_processes 2; pid nginx.pid; error_log stderr; user root;
events {{}}
http {{
  access_log off; client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3;
  uwsgi_temp_path t4; scgi_temp_path t5;
  server {{
    listen unix:{socket} ssl; ssl_certificate certificate.pem;
    ssl_certificate_key "{key}"; ssl_session_cache off;
    ssl_session_tickets off; ssl_protocols TLSv1.2 TLSv1.3;
    location / {{ return 200 hello; }}
  }}
}}
"""


@contextmanager
def nginx(place: Place, folder: Path, by: str) -> Iterator[tuple[Path, "subprocess.Popen[bytes]"]]:
    """The socket of a server with two workers, and its first process."""
    environment = certify(place, folder, by)
    path = place.work / "tls"
    path.unlink(missing_ok=True)
    (place.work / "nginx.conf").write_text(NGINX.format(socket=path, key=WAYS[by].nginx))
    words = ("nginx", "-p", place.work, "-c", place.work / "nginx.conf")
    with started(place, folder / "errors", *words, ready=path.exists, env=environment) as process:
        yield path, process


@Both
@By
def test_nginx_serves_tls(user: Place, tmp_path: Path, by: str) -> None:
    """Two workers: each is a forked process with a session of its own."""
    with nginx(user, tmp_path, by) as (path, _):
        for version in ("-tls1_3", "-tls1_2", "-tls1_3", "-tls1_2"):
            client = user.run(
                *("openssl", "s_client", "-unix", path, "-CAfile", "certificate.pem", version),
                *("-verify_return_error", "-ign_eof"),
                stdin=b"GET / HTTP/1.0\r\n\r\n",
            )
            assert b"hello" in client.out, client.err
            assert b"Verify return code: 0 (ok)" in client.out


STUNNEL = """
foreground = yes
pid =
syslog = no
engine = pkcs11
engineCtrl = MODULE_PATH:{module}
engineCtrl = PIN:{pin}
engineCtrl = INIT
[web]
accept = 127.0.0.1:{port}
connect = {socket}
protocol = proxy
engineNum = 1
cert = {work}/certificate.pem
key = {key}
"""

_HAPROXY = """
defaults
  mode http
  timeout client 60s
  timeout server 60s
  timeout connect 60s
frontend web
"""
HAPROXY = f"""{_HAPROXY}  bind unix@{{socket}} accept-proxy
  http-request return status 200 content-type text/plain lf-string "hello %[src]"
"""


@Both
def test_haproxy_serves_behind_stunnel(user: Place, tmp_path: Path) -> None:
    """Debian's haproxy 2.6 has no engines: stunnel ends TLS, and passes on the client's address."""
    assert " -ENGINE " in user.run("haproxy", "-vv").text
    certify(user, tmp_path, "engine")
    port, path = free_port(), user.work / "plain"
    names = {"module": user.module, "pin": PIN, "key": KEY, "work": user.work, "port": port}
    for name, text in (("stunnel.conf", STUNNEL), ("haproxy.conf", HAPROXY)):
        (user.work / name).write_text(text.format(socket=path, **names))
    printed = tmp_path / "errors"
    haproxy = started(user, printed, "haproxy", "-f", "haproxy.conf", ready=path.exists)
    stunnel = started(
        *(user, printed, "stunnel4", "stunnel.conf"),
        ready=lambda: "Configuration successful" in printed.read_text(),
    )
    with haproxy, stunnel:
        for options in VERSIONS.values():
            answer = curl(user, port, *options, "--retry-connrefused", "--retry", "5")
            assert answer.text == "hello 127.0.0.1"


HAPROXY_TLS = f"""{_HAPROXY}  bind 127.0.0.1:{{port}} ssl crt both.pem
  http-request return status 200 content-type text/plain lf-string "hello %[ssl_fc_cipher]"
"""


@Both
def test_haproxy_serves_tls_by_the_provider(user: Place, tmp_path: Path) -> None:
    """Its one file holds the certificate and the key's URI."""
    environment = certify(user, tmp_path)
    port = free_port()
    (user.work / "haproxy.conf").write_text(HAPROXY_TLS.format(port=port))
    parts = [(user.work / name).read_text() for name in ("certificate.pem", "uri.pem")]
    (user.work / "both.pem").write_text("".join(parts))
    with started(user, tmp_path / "errors", "haproxy", "-f", "haproxy.conf", env=environment):
        retried = ("--retry-connrefused", "--retry", "5")
        for options in VERSIONS.values():
            assert curl(user, port, *options, *retried).text.startswith("hello ")
        exchange = ("--tls-max", "1.2", "--ciphers", "AES256-GCM-SHA384")
        assert curl(user, port, *exchange).text == "hello AES256-GCM-SHA384"


def workers(process: "subprocess.Popen[bytes]") -> set[int]:
    """The children of a server."""
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    return {int(number) for number in listed.split()}


def reloaded(process: "subprocess.Popen[bytes]") -> set[int]:
    """The workers that have taken the place of others, which end when they have answered."""
    before = workers(process)
    process.send_signal(signal.SIGHUP)
    assert until(lambda: len(workers(process)) == WORKERS and not before & workers(process))
    return workers(process)


@pytest.mark.slow
@Both
@By
def test_nginx_keeps_serving_while_it_is_reloaded(user: Place, tmp_path: Path, by: str) -> None:
    """1,000 handshakes by four clients, none fails. SIGHUP replaces the workers three times."""
    with nginx(user, tmp_path, by) as (path, process):
        trusted = ssl.create_default_context(cafile=str(user.work / "certificate.pem"))

        def ask(_: int) -> bytes:
            with socket.socket(socket.AF_UNIX) as line:
                line.settimeout(120)
                line.connect(str(path))
                with trusted.wrap_socket(line, server_hostname="localhost") as secured:
                    secured.sendall(b"GET / HTTP/1.0\r\n\r\n")
                    return b"".join(iter(lambda: secured.recv(4096), b""))

        seen = workers(process)
        assert len(seen) == WORKERS
        with ThreadPoolExecutor(CLIENTS) as pool:
            answers = pool.map(ask, range(HANDSHAKES))
            for number, answer in enumerate(answers, 1):
                assert answer.endswith(b"hello"), answer
                if number % (HANDSHAKES // (RELOADS + 1)) == 0 and number < HANDSHAKES:
                    seen |= reloaded(process)
        assert len(seen) == WORKERS * (RELOADS + 1)
        assert workers(process) <= seen
    errors = (tmp_path / "errors").read_text()
    assert not [line for line in errors.splitlines() if "notice" not in line]
