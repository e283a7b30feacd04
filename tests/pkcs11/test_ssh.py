"""ssh: a host's key, a user's key, a certification authority and signed files, by the token."""

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.debian import tool
from tests.pkcs11.place import PIN, Both, Place

HOST = "localhost"


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
        yield {"SSH_AUTH_SOCK": str(socket), **asking(place)}
    finally:
        process.terminate()
        process.communicate()
        socket.unlink(missing_ok=True)


def asking(place: Place) -> dict[str, str]:
    """The environment in which programs of ssh get the PIN without a terminal."""
    ask = place.work / "ask"
    ask.write_text(f"#!/bin/sh\necho {PIN}\n")
    ask.chmod(0o700)
    return {"SSH_ASKPASS": str(ask), "SSH_ASKPASS_REQUIRE": "force", "DISPLAY": "none"}


def public_key(place: Place) -> str:
    """The imported key's line, which is written to `key.pub` too."""
    listed = place.run("ssh-keygen", "-D", place.module).text.splitlines()
    key = next(line for line in listed if line.startswith("ssh-rsa") and "imported" in line)
    (place.work / "key.pub").write_text(f"{key}\n")
    return key


def sshd(place: Place, *lines: str) -> str:
    """A command that serves one connection on its standard input and output."""
    if os.getuid() == 0:
        # Where Debian's sshd runs the part that has no rights.
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    written = place.work / "sshd.conf"
    usual = ("PidFile none", "StrictModes no", "UsePAM no", "PermitRootLogin yes")
    others = ("PasswordAuthentication no", "KbdInteractiveAuthentication no")
    written.write_text("\n".join((*usual, *others, *lines, "")))
    shutil.copy(place.work / "key.pub", place.work / "host.pub")
    (place.work / "host.pub").chmod(0o600)
    return shlex.join([tool("/usr/sbin/sshd", "programs"), "-i", "-e", "-f", str(written)])


def ssh(place: Place, server: str, *words: object) -> tuple[object, ...]:
    """A client whose connection is a command, with no other file or key than those named."""
    return (
        *("ssh", "-F", "none", "-o", f"UserKnownHostsFile={place.work / 'known'}"),
        *("-o", "StrictHostKeyChecking=yes", "-o", "IdentityAgent=none"),
        *("-o", f"ProxyCommand={server}", *words, HOST, "echo", "hello"),
    )


def test_ssh_signs_a_file_by_its_agent(own: Place) -> None:
    key = public_key(own)
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


@Both
def test_a_host_and_its_user_have_keys_of_the_token(user: Place) -> None:
    """The server signs by the agent (HostKeyAgent), ssh loads the module itself."""
    key = public_key(user)
    (user.work / "authorized").write_text(f"{key}\n")
    (user.work / "known").write_text(f"{HOST} {key}\n")
    with agent(user) as environment:
        assert user.run("ssh-add", "-s", user.module, env=environment).good
        server = sshd(
            *(user, f"HostKey {user.work / 'host.pub'}", f"HostKeyAgent {user.work / 'agent'}"),
            f"AuthorizedKeysFile {user.work / 'authorized'}",
        )
        words = ssh(user, server, "-o", f"PKCS11Provider={user.module}")
        assert user.run(*words, env=asking(user)).text == "hello\n"
        # The key of another host is refused.
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "rsa", "-N", "", "-f", user.work / "other"], check=True
        )
        other = (user.work / "other.pub").read_text()
        (user.work / "known").write_text(f"{HOST} {other}")
        refused = user.run(*words, env=asking(user))
        assert refused.status == 255
        assert "Host key verification failed" in refused.err


@Both
def test_an_authority_signs_for_hosts_and_users(user: Place, tmp_path: Path) -> None:
    """A user's certificate by the module, a host's by the agent. Each end accepts the other's."""
    key = public_key(user)
    made = tmp_path / "user"
    keygen = ("ssh-keygen", "-q")
    assert user.run(*keygen, "-t", "ed25519", "-N", "", "-f", made).good
    who = os.environ.get("USER") or user.run("id", "-un").text.strip()
    signed = ("-s", "key.pub", "-I", "somebody", "-V", "+1h")
    environment = asking(user)
    by_module = (*keygen, *signed, "-D", user.module, "-n", who, f"{made}.pub")
    assert user.run(*by_module, env=environment).good
    with agent(user) as environment:
        assert user.run("ssh-add", "-s", user.module, env=environment).good
        server = sshd(
            *(user, f"HostKey {user.work / 'host.pub'}", f"HostKeyAgent {user.work / 'agent'}"),
            *(f"HostCertificate {user.work / 'host-cert.pub'}", "AuthorizedKeysFile none"),
            f"TrustedUserCAKeys {user.work / 'key.pub'}",
        )
        by_agent = (*keygen, *signed, "-U", "-h", "-n", HOST, "host.pub")
        assert user.run(*by_agent, env=environment).good
        (user.work / "known").write_text(f"@cert-authority {HOST} {key}\n")
        assert user.run(*ssh(user, server, "-i", made)).text == "hello\n"
        made.with_name("user-cert.pub").unlink()
        refused = user.run(*ssh(user, server, "-i", made))
        assert "Permission denied (publickey" in refused.err, "a key without a certificate"
