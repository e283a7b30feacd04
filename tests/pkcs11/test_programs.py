"""Tools of OpenSC and GnuTLS use the token, in their own process and by the daemon."""

from contextlib import closing
from pathlib import Path

from tests.pkcs11.place import PIN, Both, Place, make
from tests.system.command import serving
from totient.device.transports import AddressTransport

CALLS = 4 * "GISLT0"
"""C_GetInfo, C_GetSlotList and C_GetTokenInfo, as OpenSC's tool names them."""


@Both
def test_opensc_finds_no_error(user: Place, way: str) -> None:
    done = user.tool("--test").good
    assert "all 4 signature functions seem to work" in done.text
    errors = [line.strip() for line in done.err.splitlines() if "ERR" in line]
    # p11-kit 0.24 does not pass on a request for no random bytes.
    empty = "ERR: C_GenerateRandom(buf1,0) failed: CKR_BUFFER_TOO_SMALL (0x150)"
    assert errors == ([] if way == "module" else [empty])


@Both
def test_opensc_in_threads(user: Place) -> None:
    """Threads initialise the module at once and describe the token, while another one tests it."""
    threads = [
        word for start in ("IL", "IL", "IN") for word in ("--test-threads", f"{start}{CALLS}")
    ]
    done = user.tool(*threads, "--test").good
    printed = done.text + done.err
    assert "Unknown test" not in printed
    for number in range(3):
        assert f"Test thread {number} returning rv = 0" in printed
        assert f"Test thread {number} l_p11_num_slots:1" in printed


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
