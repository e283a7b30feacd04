"""Writes the corpus of `fuzz_answers.c`: answers of simulated cores, as words and on a serial line.

python -m tests.driver.fuzz.answers
"""

from collections.abc import Sequence
from pathlib import Path

from tests.rtl.serial_frames import frame, payload_of

from totient.catalog import Configuration, select
from totient.check.packets import exponentiate_request, load_key_request, operation_request
from totient.common.contract import Command
from totient.sim import open_model

FOLDER = Path(__file__).parent / "answers"

# Those of fuzz_answers.c, with the bytes that choose them.
_MODULUS, _EXPONENT, _BITS = 0xE301020304050647, 0x1103000000000000, 61
_PUBLIC = (0, load_key_request(_MODULUS, 65537, 17))
_KEY = (2, load_key_request(_MODULUS, _EXPONENT, _BITS))
_RAISE = (3, exponentiate_request([0], 64))
_CLEAR = (6, [int(Command.CLEAR)])
_SELF_TEST = (13, operation_request(Command.SELF_TEST, [], 0)[:1])

_Step = tuple[int, list[int]]


def _answers(core: Configuration, steps: Sequence[_Step]) -> list[tuple[int, list[int]]]:
    """Choices, and answers to the info request and to each step."""
    with open_model(core) as model:
        return [(0, model.exchange([int(Command.INFO)]))] + [
            (choice, model.exchange(request)) for choice, request in steps
        ]


def _piece(words: Sequence[int], ends: bool) -> bytes:
    return bytes([ends]) + b"".join(word.to_bytes(4, "little") for word in words)


def conversation(core: Configuration, steps: Sequence[_Step], line: bool) -> bytes:
    """A file of the corpus.

    Args:
        core: to ask.
        steps: choices with their requests.
        line: as bytes of a serial line, else as words.
    """
    data = bytes([line])
    for place, (choice, answer) in enumerate(_answers(core, steps)):
        if place:
            data += bytes([choice])
        if line:
            data += frame(payload_of(answer))
        else:
            data += _piece(answer[:1], len(answer) == 1)
            data += _piece(answer[1:], True) if len(answer) > 1 else b""
    return data


def main() -> None:
    """Write all files."""
    binary, engine = select("binary", width=64), select("engine", width=1024, elements=1)
    several = select("N8", width=64)
    for name, core, steps in (
        ("binary", binary, [_PUBLIC, _KEY, _RAISE, _CLEAR]),
        ("engine", engine, [_KEY, _RAISE, _SELF_TEST, _CLEAR]),
        ("digit_serial", several, [_KEY, _RAISE, _CLEAR, _RAISE]),
    ):
        for line in (False, True):
            path = FOLDER / (f"{name}_line" if line else name)
            path.write_bytes(conversation(core, steps, line))


if __name__ == "__main__":
    main()
