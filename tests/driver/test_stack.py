"""What libtotient leaves of secrets on its stack (`stack.c`): nothing."""

import subprocess
from pathlib import Path
from random import Random

import pytest
from tests.driver.test_libtotient import HERE, SOURCES
from tests.programs import DRIVER, INCLUDE, gcc
from tests.rtl.serial_frames import frame, payload_of

from totient.check.packets import number_words
from totient.common.contract import VERSION, Command, TimingClass

BYTES = 256
BITS = 8 * BYTES
WAYS = ("words", "serial", "keygen", "engine")
"""In the order of `stack.c`."""
NUMBERS = ("modulus", "exponent", "message", "result", "primes", "chance")


def drawn() -> dict[str, bytes]:
    """The numbers: modulus and primes of full length, the others below the modulus."""
    draw = Random(1)
    numbers = {name: bytearray(draw.randbytes(BYTES)) for name in NUMBERS}
    numbers["modulus"][0] = numbers["primes"][0] = numbers["primes"][BYTES // 2] = 0xFF
    for name in ("exponent", "message", "result"):
        numbers[name][0] = 0x7F
    return {name: bytes(number) for name, number in numbers.items()}


def packets(way: str, numbers: dict[str, bytes]) -> list[list[int]]:
    """What a core answers to what `stack.c` asks."""
    result, message = (
        number_words(int.from_bytes(numbers[name]), BITS) for name in ("result", "message")
    )
    cycles = [9, 0]
    design = [*number_words(int.from_bytes(b"core", "little"), 128), VERSION, BITS]
    info = [*design, TimingClass.EXPONENT_LENGTH, 1]
    if way == "keygen":
        return [[0] * len(result), result]
    if way == "engine":
        half = len(result) // 2
        bodies = [
            (Command.INFO, [*info, 1]),
            (Command.LOAD_RSA_KEY, cycles),
            (Command.RANDOM_WORDS, [0, 512]),
            (Command.RANDOM_WORDS, [0, 512]),
            (Command.RANDOM_WORDS, [400, 112]),
            (Command.PRIVATE, [*cycles, *result]),
            (Command.PUBLIC, [*cycles, *message]),
            (Command.LOAD_PAIR, cycles),
            # The first result's words come first.
            (Command.EXPONENTIATE, [*cycles, *result[half:], *result[:half]]),
        ]
    else:
        bodies = [
            (Command.INFO, info),
            (Command.LOAD_KEY, cycles),
            (Command.EXPONENTIATE, [*cycles, *result]),
            (Command.LOAD_KEY, cycles),
            (Command.EXPONENTIATE, [*cycles, *message]),
        ]
    if way == "serial":
        bodies.insert(0, (Command.CLEAR, []))
    return [[command | len(body) << 16, *body] for command, body in bodies]


def encoded(way: str, numbers: dict[str, bytes]) -> bytes:
    """The same as `stack.c` reads it."""
    answers = packets(way, numbers)
    if way == "serial":
        return b"".join(frame(payload_of(answer)) for answer in answers)
    ends = [
        part
        for answer in answers
        for place, word in enumerate(answer)
        for part in (word, int(place == len(answer) - 1))
    ]
    return payload_of(ends)


@pytest.fixture(scope="module", params=["-O0", "-O2"])
def programs(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> list[Path]:
    """`stack.c` with the driver, and with one that does not wipe."""
    folder = tmp_path_factory.mktemp("stack")
    careless = folder / "totient.c"
    text = (DRIVER / "src" / "totient.c").read_text()
    assert text.count("*byte++ = 0;") == 1
    careless.write_text(text.replace("*byte++ = 0;", "byte++;"))
    others = [path for path in SOURCES if path.stem != "totient"]
    built: list[Path] = []
    for core in (DRIVER / "src" / "totient.c", careless):
        built.append(folder / f"stack{len(built)}")
        sources = (HERE / "stack.c", core, *others)
        include = (INCLUDE, f"-I{DRIVER / 'src'}")
        # A function that is looked up at its first call has registers saved on the stack.
        options = ("-std=gnu99", request.param, "-Wall", *include, "-Wl,-z,now")
        gcc(*options, *sources, "-o", built[-1], "-ldl", "-pthread")
    return built


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_left_on_the_stack(programs: list[Path], way: str) -> None:
    """Nor is it by chance: without the driver's wiping there is something."""
    numbers = drawn()
    for program, wipes in zip(programs, (True, False), strict=True):
        outcome = subprocess.run(
            [program, str(WAYS.index(way))],
            input=b"".join(numbers[name] for name in NUMBERS) + encoded(way, numbers),
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert (outcome.returncode == 0) == wipes, outcome.stderr
        assert wipes or b"holds(stack" in outcome.stderr
