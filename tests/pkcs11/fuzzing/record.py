"""What programs send to the daemon, as inputs that fuzzing begins with.

python -m tests.pkcs11.fuzzing.record [FOLDER] writes a file for each program, by default to
`socket/` beside this file.
"""

import socket
import sys
import tempfile
import threading
from pathlib import Path

from tests.pkcs11.place import PIN, Place, make, served

PROGRAMS = {
    "slots": ("-L", "-M", "-I"),
    "objects": ("--login", "--pin", PIN, "-O"),
    "generate": (
        *("--login", "--pin", PIN, "--keypairgen", "--key-type", "rsa:1024"),
        *("--id", "03", "--label", "new"),
    ),
    "sign": (
        *("--login", "--pin", PIN, "--sign", "--mechanism", "SHA256-RSA-PKCS-PSS"),
        *("--id", "02", "-i", "text", "-o", "signature"),
    ),
    "decrypt": (
        *("--login", "--pin", PIN, "--decrypt", "--mechanism", "RSA-PKCS"),
        *("--id", "02", "-i", "block", "-o", "decrypted"),
    ),
    "data": (
        *("--login", "--pin", PIN, "--write-object", "text", "--type", "data"),
        *("--label", "note", "--application-id", "1.2.3"),
    ),
    "hash": ("--hash", "--mechanism", "SHA256", "-i", "text", "-o", "hashed"),
}
"""Arguments of pkcs11-tool."""


def _copy(source: socket.socket, target: socket.socket, kept: bytearray | None) -> None:
    while data := source.recv(65536):
        if kept is not None:
            kept += data
        target.sendall(data)
    target.shutdown(socket.SHUT_WR)


def _relay(listening: socket.socket, daemon: str, kept: bytearray) -> None:
    """Pass one client on to the daemon, and keep what it sends."""
    client, _ = listening.accept()
    with client, socket.socket(socket.AF_UNIX) as server:
        server.connect(daemon)
        other = threading.Thread(target=_copy, args=(server, client, None))
        other.start()
        _copy(client, server, kept)
        other.join()


def record(place: Place, daemon: str, arguments: tuple[str, ...]) -> bytes:
    """What pkcs11-tool sends in one run."""
    path, kept = place.work / "relay", bytearray()
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()
        thread = threading.Thread(target=_relay, args=(listening, daemon, kept))
        thread.start()
        environment = {"P11_KIT_SERVER_ADDRESS": f"unix:path={path}"}
        place.run("pkcs11-tool", "--module", place.module, *arguments, env=environment)
        thread.join()
    return bytes(kept)


def main() -> None:
    """Entry point."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "socket"
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        own = make(Path(temporary))
        assert own.totient("generate", "--bits", 1024, "--label", "born", "--id", "02").good
        (own.work / "text").write_bytes(b"A text.\n")
        (own.work / "block").write_bytes(bytes(127) + b"\2")
        with served(own) as (place, _):
            daemon = place.environment["P11_KIT_SERVER_ADDRESS"].removeprefix("unix:path=")
            for name, arguments in PROGRAMS.items():
                (folder / name).write_bytes(record(place, daemon, arguments))


if __name__ == "__main__":
    main()
