"""Products and powers of 64 bits in C on this machine, under sanitizers: Python's pow judges."""

import subprocess
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest

from tests.programs import INCLUDE, SANITIZERS, gcc, output
from totient.common.files import project_root
from totient.reproduce.diemert_programs import expected, moduli

FOLDER = project_root() / "firmware" / "montgomery"
SOURCES = sorted(FOLDER.glob("*.c"))
WARNINGS = ("-Wall", "-Wextra", "-Wshadow", "-Werror")
OPTIONS = ("-std=gnu99", "-O1", *SANITIZERS, f"-I{FOLDER}", INCLUDE)
OK, EVEN, NOT_BELOW, LENGTH, ARGUMENT = 0, 6, 8, 4, 64
FORMS = (
    *(("multiply", form) for form in ("plain", "optimised", "words")),
    *(("raise", form) for form in ("table", "remainder", "remainder-short")),
    *(("raise_montgomery", form) for form in ("plain", "optimised", "words")),
)

Request = tuple[str, str, int, int, str]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built with every warning an error."""
    built = tmp_path_factory.mktemp("montgomery") / "montgomery_host"
    host = Path(__file__).with_name("montgomery_host.c")
    gcc("-g", *WARNINGS, *OPTIONS, *SOURCES, host, "-o", built)
    return built


def ask(program: Path, requests: Iterable[Request]) -> list[tuple[int, int]]:
    """Codes and results."""
    text = "".join(f"{f} {form} {a:x} {b:x} {n}\n" for f, form, a, b, n in requests)
    answers = [line.split() for line in output([program], text).splitlines()]
    return [(int(code), int(result, 16)) for code, result in answers]


@pytest.mark.parametrize(("function", "form"), FORMS)
def test_right_for_every_length(program: Path, function: str, form: str) -> None:
    draw = Random(form)
    lengths = range(1, 33) if form == "remainder-short" else range(1, 65)
    operands = [each for bits in lengths for each in draw.sample(moduli(bits, 9), 9)]
    if function != "multiply":
        operands = [(a, draw.choice((0, 1, 2, 65537, b, 2**64 - 1)), n) for a, b, n in operands]
    asked = [(function, form, a, b, f"{n:x}") for a, b, n in operands]
    kind = form if function == "multiply" else f"power-{form}"
    for given, answer in zip(operands, ask(program, asked), strict=True):
        assert answer == (OK, expected(kind, *given)), given


@pytest.mark.parametrize(("function", "form"), FORMS)
def test_bad_operands_have_their_codes(program: Path, function: str, form: str) -> None:
    cases: list[tuple[str, int, int, str, int, int]] = [
        (form, 9, 9, "0", EVEN, 0),
        (form, 9, 9, "8e", EVEN, 0),
        (form, 9, 9, f"{2**64 - 2:x}", EVEN, 0),
        (form, 143, 9, "8f", NOT_BELOW, 0),
        (form, 2**64 - 1, 9, "8f", NOT_BELOW, 0),
        (form, 1, 0, "1", NOT_BELOW, 0),
        ("-", 9, 9, "8f", ARGUMENT, 0),
        (form, 9, 9, "!8f", ARGUMENT, 5),
    ]
    if function == "multiply":
        cases += [(form, 9, 143, "8f", NOT_BELOW, 0)]
    if form == "remainder-short":
        cases += [(form, 9, 9, f"{2**32 + 1:x}", LENGTH, 0)]
    answers = ask(program, [(function, *case[:4]) for case in cases])
    for case, answer in zip(cases, answers, strict=True):
        assert answer == case[4:], case


def test_a_table_serves_many_exponents(program: Path) -> None:
    """It is made once; the powers that follow do not get base and modulus again."""
    draw = Random("tables")
    asked: list[Request] = []
    answers = []
    for bits in (1, 2, 8, 31, 32, 33, 63, 64):
        a, _, n = draw.choice(moduli(bits, 9))
        asked.append(("make", "table", a, 0, f"{n:x}"))
        answers.append((OK, 5))
        for b in (0, 1, 2, 65537, 1 << 63, 2**64 - 1, draw.getrandbits(64)):
            asked.append(("look_up", "table", 0, b, "0"))
            answers.append((OK, pow(a, b, n)))
    assert ask(program, asked) == answers


def test_without_a_table_there_is_no_power(program: Path) -> None:
    look_up: Request = ("look_up", "table", 0, 3, "0")
    made: Request = ("make", "table", 9, 0, "8f")
    cases = [
        (look_up, EVEN, 0),  # none was made
        (made, OK, 5),
        (look_up, OK, 9**3 % 143),
        (("look_up", "-", 0, 3, "0"), ARGUMENT, 0),
        (("look_up", "table", 0, 3, "!0"), ARGUMENT, 5),
        (("make", "-", 9, 0, "8f"), ARGUMENT, 5),
        (look_up, OK, 9**3 % 143),  # the table has stayed
        (("make", "table", 9, 0, "8e"), EVEN, 5),
        (look_up, EVEN, 0),
        (made, OK, 5),
        (("make", "table", 143, 0, "8f"), NOT_BELOW, 5),
        (look_up, EVEN, 0),
    ]
    assert ask(program, [case[0] for case in cases]) == [case[1:] for case in cases]


def test_operands_out_of_bounds_end(program: Path) -> None:
    """The forms themselves do not look; none hangs or does what C leaves undefined."""
    source = program.with_name("loose.c")
    names = ("montgomery_plain", "montgomery_optimised", "montgomery_words", "power_remainder")
    calls = "".join(
        f"for (int i = 0; i < 5; i++) for (int j = 0; j < 5; j++) for (int k = 0; k < 5; k++) "
        f"sum += {name}(x[i], x[j], x[k]);"
        for name in names
    )
    source.write_text(
        '#include "montgomery.h"\nint main(void) {\n'
        "static const uint64_t x[] = {0, 1, 142, 143, UINT64_MAX}; uint64_t sum = 0;\n"
        f"{calls}\nreturn sum == 1;\n}}\n"
    )
    built = program.with_name("loose")
    gcc(*OPTIONS, *SOURCES, source, "-o", built)
    assert subprocess.run([built], capture_output=True, timeout=60, check=False).returncode == 0
