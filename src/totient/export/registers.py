"""Register maps as tables."""

from collections.abc import Iterable, Iterator, Sequence

from totient.catalog import Register, registers


def register_rows(name: str) -> list[tuple[str, str, str, str, str]]:
    """Offset, name, words, access and meaning of every register of a map."""
    return [
        (f"0x{each.offset:03x}", register, str(each.words), each.access, register_text(each))
        for register, each in registers(name).items()
    ]


def register_text(register: Register) -> str:
    """The description of a register, with its fields if it has more than one."""
    fields = [
        f"{name} ({f'{high}:{low}' if high > low else low}){': ' if text else ''}{text.rstrip('.')}"
        for name, high, low, text in register.fields
        if len(register.fields) > 1 or text
    ]
    parts = [register.text.rstrip("."), "; ".join(fields)]
    return ". ".join(part for part in parts if part)


def register_table(name: str) -> str:
    """The table of a map, in Markdown."""
    columns = ("offset", "register", "words", "access", "what it is, fields (bits)")
    return "\n".join((*table(columns, register_rows(name), numbers=("words",)), ""))


def table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[str] = ()
) -> Iterator[str]:
    """Lines of a table in Markdown; columns of `numbers` are aligned to the right."""
    yield "| " + " | ".join(columns) + " |"
    yield "|" + "".join(" ---: |" if each in numbers else " --- |" for each in columns)
    for row in rows:
        yield "| " + " | ".join(each.replace("|", "\\|") for each in row) + " |"


def register_page(name: str) -> str:
    """A page with the table of a map."""
    return (
        f"# Registers: {name}\n"
        "Offsets in bytes from the base address. Words have 32 bits, the least significant one of "
        "a number comes first.\n"
        f"`{name}.h` has offsets and bits for C.\n\n{register_table(name)}"
    )
