"""PINs: tries are counted, delayed and end; the security officer sets another one."""

import time

import pytest

from tests.pkcs11.place import PIN, SO_PIN, Place
from tests.pkcs11.session import in_session

WRONG = "000000"


def login(place: Place, pin: str) -> str:
    """How a login ends: the name of the error, or nothing."""
    done = place.tool("-O", pin=pin)
    return "" if done.status == 0 else done.err.split("rv = ")[1].split()[0]


def flags(place: Place) -> str:
    """The token's flags, in words."""
    listed = place.run("pkcs11-tool", "--module", place.module, "-L").text
    return next(line for line in listed.splitlines() if "token flags" in line)


def test_wrong_pins_are_counted_by_all_processes(own: Place) -> None:
    assert login(own, WRONG) == "CKR_PIN_INCORRECT"
    assert "user PIN count low" in flags(own)
    assert login(own, PIN) == ""
    assert "count low" not in flags(own)


def test_the_fourth_wrong_pin_is_delayed(own: Place) -> None:
    times = []
    for _ in range(4):
        began = time.monotonic()
        assert login(own, WRONG) == "CKR_PIN_INCORRECT"
        times.append(time.monotonic() - began)
    assert times[3] - min(times[:3]) > 0.9


@pytest.mark.slow
def test_ten_wrong_pins_lock_and_the_officer_unlocks(own: Place) -> None:
    for _ in range(10):
        assert login(own, WRONG) == "CKR_PIN_INCORRECT"
    assert "user PIN locked" in flags(own)
    assert login(own, PIN) == "CKR_PIN_LOCKED"
    assert own.totient("list").refused == "cannot log in: the PIN is locked after ten wrong tries"
    tool = ("pkcs11-tool", "--module", own.module, "--init-pin", "--so-pin", SO_PIN)
    assert own.run(*tool, "--pin", "newpin").good
    assert login(own, PIN) == "CKR_PIN_INCORRECT"
    assert login(own, "newpin") == ""
    assert "imported" in own.tool("-O", pin="newpin").text


def test_a_user_changes_the_pin(own: Place) -> None:
    assert own.tool("--change-pin", "--new-pin", "abcdef").good
    assert login(own, PIN) == "CKR_PIN_INCORRECT"
    assert login(own, "abcdef") == ""
    assert own.tool("--change-pin", "--new-pin", "abc", pin="abcdef").status != 0


def test_a_try_counts_although_its_process_is_killed(own: Place) -> None:
    """The counter is on the disk before the PIN is looked at."""
    before = (own.folder / "token").read_bytes()
    wrong = ("pkcs11-tool", "--module", own.module, "--login", "--pin", WRONG, "-O")
    for seconds in (0.12, *20 * (0.2,)):
        own.run("timeout", "-s", "KILL", seconds, *wrong)
        if (own.folder / "token").read_bytes() != before:
            break
    assert "user PIN count low" in flags(own)


def test_a_key_asks_for_the_pin_at_each_use(own: Place) -> None:
    """Two signatures in one session: each needs a login of its own."""
    words = ("--keypairgen", "--key-type", "rsa:1024", "--id", "07", "--always-auth")
    assert own.tool(*words, "--label", "guarded").good
    (own.work / "data").write_bytes(b"data")
    sign = ("-m", "SHA256-RSA-PKCS", "--id", "07", "--sign", "--input-file", "data")
    assert own.tool(*sign, "--output-file", "signature").good
    assert len((own.work / "signature").read_bytes()) == 128
    refused = in_session(
        own,
        """
key = private("guarded")
print(json.dumps(error(key.sign, b"data", mechanism=Mechanism.SHA256_RSA_PKCS)))
""",
    )
    assert refused == "UserNotLoggedIn"


def test_a_damaged_object_is_left_out(own: Place) -> None:
    """One bit of one file: its object is gone, all others are there."""
    for path in sorted((own.folder / "objects").iterdir()):
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
        break
    listed = own.tool("-O").text
    assert listed.count("Key Object") == 3


def test_an_object_is_not_taken_for_another(own: Place) -> None:
    """The name of a file is authenticated with its content."""
    first, second = sorted((own.folder / "objects").iterdir())[:2]
    data = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(data)
    assert own.tool("-O").text.count("Key Object") == 2


def test_a_damaged_token_is_refused(own: Place) -> None:
    data = bytearray((own.folder / "token").read_bytes())
    data[100] ^= 1
    (own.folder / "token").write_bytes(data)
    assert own.totient("list").status == 2
    assert own.tool("-O").status != 0
