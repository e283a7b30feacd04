"""Row B3 with its paper's dialogue: `totient run B3` with piped input."""

import os
import re
import subprocess
from collections.abc import Iterator

import pytest

from tests.system.command import TOTIENT, totient
from totient.catalog import Work, cycle_formulas, select_ip
from totient.common.errors import InputError
from totient.litex.dialogue import PROMPT, converse, open_dialogue
from totient.sim import Model


@pytest.fixture(scope="module")
def system() -> Iterator[Model]:
    """One system for all sessions; each ends at the question for a mode."""
    with open_dialogue() as model:
        yield model


def session(model: Model, *pieces: bytes) -> str:
    """Output of a session."""
    shown: list[bytes] = []
    converse(model, pieces, shown.append)
    return b"".join(shown).decode()


def microseconds(part: str, work: Work) -> str:
    """A time by the IP's formula, as the program prints it."""
    ip = select_ip("B1")
    return f"{cycle_formulas(ip.ip)[part].cycles(ip, work) / 100:.3f} us"


def test_message_only(system: Model) -> None:
    """The document's figure 11. White space is ignored, and so are a mode's `!` and line ends."""
    shown = session(system, b"1!\r\n47829", b"69 !\n800143763!", b"457173463!")
    assert "-> input: 4782969\n" in shown
    assert "-> Output message: 9\n" in shown
    given = microseconds("all", Work(800143763, (457173463).bit_length()))
    assert f"-> Operation took: {given}\n" in shown
    assert given == "18.880 us"
    assert shown.endswith(PROMPT.decode())


def test_keys_and_message(system: Model) -> None:
    shown = session(system, b"0 9! 9973! 80231! 0", b"0 4782969! 9973! 80231! 1")
    first, second = re.findall(r"Finished\.\n(.*?)\n0 key", shown, re.DOTALL)
    key = "-> Encryption key, e: 7\n-> Decryption key, d: 457173463\n-> Modulus, n: 800143763\n"
    assert first.startswith(f"-> Output message: 4782969\n{key}")
    assert second.startswith(f"-> Output message: 9\n{key}")
    lengths = (9973).bit_length(), (80231).bit_length()
    for text, bits in ((first, 3), (second, sum(lengths))):
        work = Work(800143763, bits, *lengths, (3, 5, 7))
        assert text.endswith(f"-> Operation took: {microseconds('all', work)}")


def test_bad_input_is_told_and_asked_again(system: Model) -> None:
    shown = session(system, b"2", b"1 x! 18446744073709551616! ! 0x9! 91\b! 143! 7!")
    assert "Allowed are 0 and 1." in shown
    assert shown.count("That is no whole number from 0 to 18446744073709551615.") == 4
    assert f"-> Output message: {pow(9, 7, 143)}\n" in shown
    assert "Refused: the modulus is even." in session(system, b"1 9! 142! 7!")
    assert "Refused: the message is not below the modulus." in session(system, b"1 143! 143! 7!")


def test_an_end_within_an_operation_is_an_error(system: Model) -> None:
    with pytest.raises(InputError, match=r"before the end of an operation, at 'Modulus, n \(dig"):
        session(system, b"1 9!")
    assert "Output message" in session(system, b"143! 7! \x04 1 9!")


def test_the_command() -> None:
    """With piped input, as in a script."""
    assert (
        f"-> Output message: {pow(9, 7, 143)}\n"
        in totient("run", "B3", stdin=b"1 9! 143! 7!\n").text
    )
    cut = totient("run", "B3", stdin=b"1 9!")
    assert cut.status == 2
    assert cut.err.startswith("totient: the input ended before the end of an operation")


def test_on_a_terminal() -> None:
    """The program shows what is typed, once; Ctrl-D ends it."""
    ours, theirs = os.openpty()
    command = [str(TOTIENT), "run", "rsa_system"]
    with subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE) as process:
        assert process.stdout
        shown = b""
        for question, answer in (
            (PROMPT, b"1"),
            (b"(digits, then !)? ", b"9!"),
            (b"!)? ", b"\x04"),
        ):
            while not shown.endswith(question):
                shown += os.read(process.stdout.fileno(), 4096)
            os.write(ours, answer)
            if answer == b"9!":
                while b"input: 9" not in shown:
                    shown += os.read(process.stdout.fileno(), 4096)
        process.stdout.read()
    assert process.returncode == 2  # within an operation
    assert shown.count(b"9!") == 1
    for each in (ours, theirs):
        os.close(each)


@pytest.mark.parametrize("name", ["B1", "T2", "nothing"])
def test_other_names(name: str) -> None:
    assert totient("run", name).refused == (f"unknown system '{name}', known is rsa_system (B3)")
