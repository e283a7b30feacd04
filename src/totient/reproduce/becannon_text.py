"""What the document states in words beside its figures: shares of time, and its registers."""

from collections.abc import Mapping, Sequence
from typing import Any

from totient.catalog import Register, select_ip
from totient.report import Column, Table, Value, columns
from totient.report.values import grouped, text
from totient.report.words import listed
from totient.reproduce.becannon_algorithm import NAMES, STEPS, Counts

_BUS_BITS = 32


def _share(value: Value) -> str:
    return f"{value:.2f} %" if isinstance(value, float) else text(value)


def _percent(parts: Mapping[str, float], step: str) -> float:
    return 100 * parts[step] / sum(parts.values())


def shares_table(
    examples: Sequence[Mapping[str, Any]], stated: Mapping[str, Any], ours: Sequence[Counts]
) -> Table:
    """Each step's share of the whole time: as printed, by the printed times, and ours."""
    rows: list[Sequence[Value]] = []
    for paper, texts, counts in zip(examples, stated["shares"], ours, strict=True):
        for step in STEPS:
            by_times = _percent(paper["microseconds"], step)
            name = f"p = {paper['p']}, q = {paper['q']}"
            here = _percent(counts.made, step)
            rows.append((name, NAMES[step], float(texts[step]), by_times, here))
    return Table.of(
        "Shares of the whole time (section V.B)",
        (
            *columns(text, "primes", "step"),
            *columns(_share, "paper, printed", "by its times (derived)", "ours"),
        ),
        rows,
    )


def shares(
    examples: Sequence[Mapping[str, Any]], stated: Mapping[str, Any]
) -> Mapping[str, object]:
    """Values on shares that are printed wrong, and on the printed increase."""
    wrong = [
        f"{NAMES[step]} {texts[step]:.2f} % printed, {by_times:.2f} % by its times"
        for paper, texts in zip(examples, stated["shares"], strict=True)
        for step in STEPS
        if abs((by_times := _percent(paper["microseconds"], step)) - texts[step]) > 0.01
    ]
    longer, shorter = (sum(each["microseconds"].values()) for each in examples)
    return {
        "wrong_shares": listed(wrong) if wrong else None,
        "increase": {
            "printed": stated["increase"],
            "ratio": 100 * shorter / longer,
            "right": 100 * (longer / shorter - 1),
        },
    }


def of_exponents(examples: Sequence[Mapping[str, Any]], ours: Sequence[int]) -> Mapping[str, str]:
    """Values on the time by the length of the exponents.

    Args:
        examples: of the document, the longer primes first.
        ours: our cycles of their decryptions.
    """
    (long, short), encryptions = (
        [each["cycles"][step] for each in examples] for step in ("decrypt", "encrypt")
    )
    exponents = [each["e"] for each in examples]
    same = len(set(exponents)) == 1
    return {
        "longer": "So it does" if long > short and ours[0] > ours[1] else "WRONG, it does not",
        "same_encryption": "the same" if len(set(encryptions)) == 1 else "DIFFERENT times",
        "es": f"{exponents[0]} in both" if same else " and ".join(map(str, exponents)),
    }


def registers_table(paper: Mapping[str, Any]) -> Table:
    """The document's register map (figure 10) beside ours, by offset."""
    registers = select_ip("B1").ip.registers
    known = {field for side in ("written", "read") for each in paper[side] for field in each}
    rows: list[Sequence[Value]] = []
    for place, (written, read) in enumerate(zip(paper["written"], paper["read"], strict=True)):
        for way, theirs, access in (("written", written, "w"), ("read", read, "r")):
            found = [
                (name, register)
                for name, register in registers.items()
                if register.offset == 8 * place and register.access == access
            ]
            more = sorted(
                field
                for name, register in found
                for field in _fields(register)
                if field not in known and not (name.lower() in theirs and _is_whole(register))
            )
            names = listed(name for name, _ in found)
            rows.append((8 * place, way, ", ".join(theirs) or None, names, ", ".join(more) or None))
    bits = paper["bus_bits"]
    return Table.of(
        "Registers (figure 10)",
        (Column("offset", grouped), *columns(text, "way", "paper", "ours", "fields of ours alone")),
        rows,
        f"the paper's bus has {bits} bits, ours {_BUS_BITS}: each register of {bits} bits takes "
        f"{bits // _BUS_BITS} accesses, the low half first, at the paper's offsets",
    )


def _fields(register: Register) -> list[str]:
    return [name for name, *_ in register.fields]


def _is_whole(register: Register) -> bool:
    """Whether it holds one number, perhaps in two halves."""
    return len(register.fields) == 1 or _fields(register) == ["low", "high"]
