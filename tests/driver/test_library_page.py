"""The page docs/libtotient.md: its tables, and the little that the library needs."""

import re
from pathlib import Path

import pytest
from docs import library
from docs.headers import variables
from tests.programs import DRIVER, INCLUDE, gcc, output

TEXT = library.DOCUMENT.read_text()
FREE = ("totient", "packet", "registers", "serial", "engine", "der", "keygen", "modmul")
"""Files that a system without POSIX compiles, but `random`, which looks for the system's source."""


def test_every_function_is_in_the_table() -> None:
    assert library.table_in(TEXT, "functions") == library.functions_table()
    for name in variables():
        assert f"`{name}`" in TEXT


@pytest.mark.parametrize("target", library.targets(), ids=lambda each: each.name)
def test_sizes_are_measured_again(target: library.Target) -> None:
    """Exactly with the same compiler, nearly with another one."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in library.table_in(TEXT, "sizes").splitlines()
    ]
    column = rows[0].index(target.name)
    kept = {row[0]: row[column] for row in rows[2:]}
    again = {
        row[0]: row[1]
        for row in (
            [cell.strip() for cell in line.strip("|").split("|")]
            for line in library.sizes_table([target]).splitlines()[2:]
        )
    }
    assert kept.keys() == again.keys()
    if kept.pop("compiler") == again.pop("compiler"):
        assert kept == again
    for part, cell in kept.items():
        if cell != "-":
            text, data, bss = (int(each.replace(",", "")) for each in cell.split(" / "))
            found, _, other = (int(each.replace(",", "")) for each in again[part].split(" / "))
            assert abs(found / text - 1) < 0.25, part
            assert bss == other == 0
            assert data == 0 or target.hosted


@pytest.mark.parametrize("name", FREE)
def test_it_needs_memcpy_and_memset_alone(name: str, tmp_path: Path) -> None:
    options = ("-std=c99", "-ffreestanding", "-Os", "-fno-stack-protector", INCLUDE)
    gcc(*options, "-c", DRIVER / f"src/{name}.c", "-o", tmp_path / "x.o")
    needed = set(re.findall(r"\bU (\w+)", output(["nm", "-u", tmp_path / "x.o"])))
    others = {each for each in needed if not each.startswith("totient_")}
    assert others <= {"memcpy", "memset", "_GLOBAL_OFFSET_TABLE_"}


DEEPEST = (
    *("totient_engine_private", "totient_engine_private_unchecked", "operate"),
    *("totient_give_random", "totient_ask", "totient_receive_header", "receive", "begin"),
    *("next_word", "next_byte"),
)
"""The calls that need most: a checked, blinded private operation on a serial line."""


def test_the_stack_that_is_stated(tmp_path: Path) -> None:
    """By the compiler's own account of each function."""
    (stated,) = re.findall(r"needs up to (\d+) KB of stack", TEXT)
    frames: dict[str, int] = {}
    for name in ("engine", "random", "packet", "serial"):
        made = tmp_path / f"{name}.o"
        gcc("-std=c99", "-Os", INCLUDE, "-fstack-usage", "-c", DRIVER / f"src/{name}.c", "-o", made)
        for line in made.with_suffix(".su").read_text().splitlines():
            place, size, kind = line.split("\t")
            assert kind in ("static", "dynamic,bounded"), line
            function = place.rpartition(":")[2]
            frames[function] = max(int(size), frames.get(function, 0))
    deepest = sum(frames.get(name, 0) for name in DEEPEST)
    assert (int(stated) - 1) * 1024 < deepest < int(stated) * 1024


_FRAME = """
void page(const uint8_t *der, size_t der_length, uint8_t *n, uint8_t *e, uint8_t *d, uint8_t *p,
          uint8_t *q, uint8_t *d_p, uint8_t *d_q, uint8_t *q_inverse, uint8_t *message,
          uint8_t *signature, void *base, struct totient core_, struct totient *core_p);
void page(const uint8_t *der, size_t der_length, uint8_t *n, uint8_t *e, uint8_t *d, uint8_t *p,
          uint8_t *q, uint8_t *d_p, uint8_t *d_q, uint8_t *q_inverse, uint8_t *message,
          uint8_t *signature, void *base, struct totient core_, struct totient *core_p)
{{
    (void)der, (void)der_length, (void)n, (void)e, (void)d, (void)p, (void)q, (void)d_p, (void)d_q;
    (void)q_inverse, (void)message, (void)signature, (void)base, (void)core_, (void)core_p;
{body}
    (void)result;
}}
"""
PAGES = ("libtotient.md", "driver.md")


@pytest.mark.parametrize("page", PAGES)
def test_the_programs_of_a_page_compile(page: str, tmp_path: Path) -> None:
    blocks = re.findall(
        r"^```c\n(.*?)^```", (library.DOCUMENT.parent / page).read_text(), re.S | re.M
    )
    assert blocks
    for number, block in enumerate(blocks):
        lines = block.splitlines()
        heads = [line for line in lines if line.startswith("#")]
        body = "\n".join(line for line in lines if not line.startswith("#"))
        if "&core," in body and "*core" not in body:
            body = f"struct totient core = core_;\n{body}"
        if "totient_modmul" in body:
            body = f"const uint64_t a = 1, b = 2;\n{body}".replace(
                "multiplier, n)", "multiplier, 3)"
            )
        if "fprintf" in body:
            heads.insert(0, "#include <stdio.h>")
        source = tmp_path / f"{number}.c"
        source.write_text("\n".join([*heads, _FRAME.format(body=body)]))
        warnings = ("-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror")
        gcc("-std=c99", *warnings, INCLUDE, "-fsyntax-only", source)
