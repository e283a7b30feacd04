"""`totient token`: what it makes, and what it refuses."""

import re
import stat
import subprocess
from pathlib import Path
from unittest.mock import MagicMock

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.pkcs11.place import SO_PIN, Place
from tests.pkcs11.session import in_session
from tests.system.command import private_pem, totient
from totient.cli.token import init, serve
from totient.token import folder
from totient.token.folder import register


def test_the_list_names_each_key(place: Place) -> None:
    found = place.totient("list", "--json").json["keys"]
    assert [(k["label"], k["id"], k["bits"], k["origin"], k["may_leave"]) for k in found] == [
        ("imported", "01", 2048, "imported", "no"),
        ("born", "02", 1024, "generated here", "no"),
    ]
    assert found[0]["uri"] == "pkcs11:id=%01;type=private"
    assert "pkcs11:id=%02;type=private" in place.totient("list").text


def test_files_are_the_owners_alone(place: Place) -> None:
    for path in (place.folder, place.folder / "objects"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    secret = [*(place.folder / "objects").iterdir(), place.folder / "token"]
    assert len(secret) == 5
    for path in secret:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_no_secret_is_on_the_disk(place: Place, private: rsa.RSAPrivateKey) -> None:
    numbers = private.private_numbers()
    secrets = [n.to_bytes(128) for n in (numbers.p, numbers.q, numbers.dmp1, numbers.iqmp)]
    secrets += [numbers.d.to_bytes(256), b"imported", b"123456"]
    for path in place.folder.rglob("*"):
        data = path.read_bytes() if path.is_file() and path.suffix != ".so" else b""
        for secret in secrets:
            assert secret not in data, path
            assert secret[::-1] not in data, path


def test_a_taken_id_is_refused(place: Place) -> None:
    done = place.totient("generate", "--bits", 1024, "--id", "01")
    assert done.refused == "--id is 01, a key of the token has it"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (
            ("generate", "--bits", "1000"),
            "--bits is 1000, allowed are 1024 to 4096, a multiple of 16",
        ),
        (("generate", "--id", "0"), "--id is '0', allowed are up to 64 bytes in hexadecimal"),
    ],
)
def test_bad_options_are_refused(place: Place, words: tuple[str, ...], reason: str) -> None:
    assert place.totient(*words).refused == reason


def test_a_wrong_pin_is_refused(own: Place) -> None:
    (own.work / "pin").write_text("999999\n")
    assert own.totient("list").refused == "cannot log in: the PIN is wrong"
    (own.work / "pin").write_text("99")
    assert own.totient("list").refused == "the User PIN has 2 bytes, allowed are 4 to 255"


def test_a_token_is_not_lost_by_a_second_init(own: Place) -> None:
    words = ("--pin-file", own.work / "pin", "--so-pin-file", own.work / "so-pin")
    done = totient("token", "init", "--folder", own.folder, *words)
    assert done.refused.startswith(f"{own.folder} has a token, --force initialises it again")
    assert len(own.totient("list", "--json").json["keys"]) == 2
    assert totient("token", "init", "--folder", own.folder, "--force", *words).good
    assert own.totient("list", "--json").json["keys"] == []


def test_a_token_that_is_initialised_again_keeps_its_serial_number(own: Place) -> None:
    """Programs find a token by it. The keys are gone."""
    words = ("pkcs11-tool", "--module", own.module)
    before = own.run(*words, "-L").text
    again = (*words, "--init-token", "--label", "again", "--so-pin", SO_PIN)
    assert own.run(*again).good
    after = own.run(*words, "-L").text
    line = next(line for line in before.splitlines() if "serial num" in line)
    assert len(line.split(":")[1].strip()) == 16
    assert line in after.splitlines()
    assert re.search(r"token label *: again\n", after)
    assert own.run(*words, "-O").text == ""


def test_what_a_killed_writer_has_left_is_removed(own: Place) -> None:
    """When the token is opened, and with an object that is destroyed."""
    names = ("token", "generation", f"objects/{'0f' * 8}")
    left = [own.folder / f"{name}.new" for name in names]
    others = [own.folder / "objects" / name for name in ("a.new", f"{'0g' * 8}.new")]
    for each in (*left, *others):
        each.write_bytes(b"unfinished")
    assert own.tool("-O").good
    assert not any(each.exists() for each in left)
    assert all(each.exists() for each in others)
    remains = in_session(
        own,
        """
import pathlib
folder, key = pathlib.Path(given["folder"]) / "objects", private("born")
before = set(folder.iterdir())
for each in before:
    each.with_name(each.name + ".new").write_bytes(b"unfinished")
key.destroy()
gone = before - set(folder.iterdir())
print(json.dumps([each.name for each in gone
                  if each.with_name(each.name + ".new").exists()] if gone else ["nothing"]))
""",
        folder=str(own.folder),
    )
    assert remains == []


def test_a_model_is_in_the_tokens_folder(own: Place) -> None:
    """A name with a slash is none, even of the same file."""
    config = own.folder / "config"
    text = config.read_text()
    assert "model:" in text
    (own.work / "message").write_bytes(b"A message.")
    sign = ("--sign", "-m", "SHA256-RSA-PKCS", "--id", "01", "--input-file", "message")
    assert own.tool(*sign, "--output-file", "signature").good
    config.write_text(text.replace("model:", f"model:../{own.folder.name}/"))
    assert "CKR_DEVICE_ERROR" in own.tool(*sign, "--output-file", "signature").err


def test_devices_that_a_token_has_not(tmp_path: Path) -> None:
    (tmp_path / "pin").write_text("1234")
    pins = ("--pin-file", tmp_path / "pin", "--so-pin-file", tmp_path / "pin")
    for device in ("sim-serial:T3", "tty:/dev/null?speed=9", "uio:", "nothing"):
        done = totient("token", "init", "--folder", tmp_path / "t", "--device", device, *pins)
        assert device in done.refused
    assert not (tmp_path / "t").exists()


def test_a_folder_without_a_token(tmp_path: Path) -> None:
    (tmp_path / "pin").write_text("1234")
    for words in (("list", "--pin-file", tmp_path / "pin"), ("serve",)):
        done = totient("token", *words, "--folder", tmp_path)
        assert done.refused == f"{tmp_path} has no token: totient token init"


def test_a_damaged_key_is_refused(own: Place) -> None:
    """Primes that do not belong to the modulus: the PEM reader finds them first."""
    key, other = (rsa.generate_private_key(65537, 1024) for _ in range(2))
    pem = private_pem(key).decode().splitlines()
    pem[5] = private_pem(other).decode().splitlines()[5]
    (own.work / "bad.pem").write_text("\n".join(pem))
    assert own.totient("import", "--key", own.work / "bad.pem").status == 2


def test_a_key_of_the_type_rsassa_pss_is_refused(own: Place) -> None:
    """The token has no such keys: it would sign with other paddings, too."""
    key = own.work / "pss.pem"
    made = ("openssl", "genpkey", "-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:1024")
    subprocess.run([*made, "-out", key], check=True, capture_output=True)
    assert "an RSASSA-PSS key, which signs by PSS" in own.totient("import", "--key", key).refused


def test_a_device_that_does_not_answer(own: Place) -> None:
    (own.folder / "config").write_text("device = tty:/dev/null\n")
    done = own.totient("generate", "--bits", 1024)
    assert done.refused.startswith("cannot generate the key: the device does not answer")


def test_the_file_of_p11_kit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A user's own is in the folder of the user's settings."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    path = register("remote: unix:path=/run/totient")
    assert path == tmp_path / "pkcs11" / "modules" / "totient.module"
    assert path.read_text() == "remote: unix:path=/run/totient\n"


@pytest.mark.parametrize(("user", "mode"), [(0, "600"), (0, "666"), (1000, "600")])
def test_a_file_for_all_users_of_a_socket_for_root(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    user: int,
    mode: str,
) -> None:
    (tmp_path / "token").touch()
    monkeypatch.setenv("TOTIENT_TOKEN", str(tmp_path))
    monkeypatch.setattr("os.geteuid", lambda: user)
    monkeypatch.setattr("os.execv", lambda *_: None)
    monkeypatch.setattr("totient.token.build.daemon", lambda: Path("totientd"))
    monkeypatch.setattr(folder, "register", lambda _: Path("totient.module"))
    monkeypatch.setattr(folder, "closed_above", lambda *_: None)
    serve(mode=mode, register=True)
    warning = "warning: that file is for all users, but --mode 600 lets root alone connect\n"
    assert (warning in capsys.readouterr().err) == ((user, mode) == (0, "600"))


@pytest.mark.parametrize("user", [0, 1000])
def test_a_file_for_all_users_of_a_token_of_root(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str], user: int
) -> None:
    pin = tmp_path / "pin"
    pin.write_text("12345678\n")
    pin.chmod(0o600)
    monkeypatch.setenv("TOTIENT_TOKEN", str(tmp_path / "token"))
    monkeypatch.setattr("os.geteuid", lambda: user)
    monkeypatch.setattr(folder, "prepare", lambda *_: None)
    monkeypatch.setattr(folder, "install_module", lambda _: Path("module.so"))
    monkeypatch.setattr(folder, "register", lambda _: Path("totient.module"))
    monkeypatch.setattr("totient.token.cryptoki.open_token", lambda _: MagicMock())
    init(pin_file=pin, so_pin_file=pin, register=True)
    warning = "warning: that file is for all users, but the token is root's: totient token serve\n"
    assert (warning in capsys.readouterr().err) == (user == 0)


def test_the_module_finds_its_token(own: Place) -> None:
    """A program that clears its environment, as nginx does, needs no setting."""
    done = own.run("env", "-i", "PATH=/usr/bin:/bin", "pkcs11-tool", "--module", own.module, "-O")
    assert "imported" in done.text
