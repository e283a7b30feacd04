"""Rows of the thesis' three cores, of their evaluation and comparison, and of key generation."""

import re
from collections.abc import Mapping
from functools import partial
from itertools import product

from totient.catalog import select
from totient.check.openssl import read_key
from totient.common.files import project_root
from totient.common.papers import published
from totient.measure.kinds import PUBLIC_EXPONENT, RANDOM_KEYS
from totient.report.words import listed
from totient.reproduce.results import ROUTED
from totient.reproduce.row_checks import cycles_of, exponentiates, record_of
from totient.reproduce.rows import Row, Trial
from totient.reproduce.thesis_early import nearest_message
from totient.reproduce.thesis_power import DESIGNS, points
from totient.rsa.choices import KeyFormat
from totient.rsa.keys import generate
from totient.rsa.pem import parse, private_pem, public_pem

_NAME = "thesis"
_TWO = ("public", "private")
_KEYGEN = "totient keygen --bits 64 --insecure-toy --format pkcs1"
_WIDTHS = {"T1": 32, "T2": 1024, "T3": 1024}
_SYSTEMS = {
    "T1": "repeated modular multiplication",
    "T2": "binary exponentiation, left to right",
    "T3": "Montgomery exponentiation",
}


def _core(row: str, trial: Trial) -> None:
    paper, width = published(_NAME), _WIDTHS[row]
    cycles = exponentiates(trial, row, width, "public")
    theirs = paper["latency"][row]["cycles"][paper["bits"].index(width)]
    if row == "T1":
        products = round(theirs / (width + 1))
        trial.differs(
            products != PUBLIC_EXPONENT - 1,
            f"the document's exponent at {width} bits, not named there, makes {products:,} "
            f"products, ours {PUBLIC_EXPONENT - 1:,}",
        )
    else:
        trial.beside(f"{width} bits, 65537: cycles", cycles.get("public"), theirs)
    if row == "T2":
        near = nearest_message(width, theirs)
        trial.differs(
            near.cycles != cycles.get("public"),
            f"with early_end and a message of {near.bits} bits {near.cycles:,}, by formula",
        )
    renamed = ports(paper["ports"])
    trial.differs(
        row != "T3" and bool(renamed),
        f"ports of the multiplier: {listed(f'{a} is {b}' for a, b in renamed.items())}",
    )


def ports(names: Mapping[str, str]) -> Mapping[str, str]:
    """Ports of the thesis' multiplier that have another name in ours.

    Args:
        names: ours by the thesis' names, several separated by a space.

    Raises:
        LookupError: our multiplier has no port of that name.
    """
    text = (project_root() / "rtl" / "modmul" / "modmul_interleaved.sv").read_text()
    declared = set(re.findall(r"^\s*(?:input|output) .*?(\w+)(?:,|\s*$|\s*//)", text, re.M))
    for ours in names.values():
        if absent := set(ours.split()) - declared:
            raise LookupError(f"no port {listed(sorted(absent))} of the multiplier")
    return {theirs: ours for theirs, ours in names.items() if theirs != ours}


_KEYS = ("zeros", "ones", "random", "short-zeros", "short-ones", "short-random")


def _evaluation(trial: Trial) -> None:
    """The thesis' figures of every size, and those of its tables that ours has not."""
    for width in published(_NAME)["bits"]:
        for row in ("T1", "T2", "T3"):
            record = record_of(trial, select(row, width=width))
            if record is None or row == "T1":
                continue  # T1 with a large exponent never ends
            for kind in _KEYS:
                cycles_of(trial, record, kind)
            trial.expect("random keys", record.operations["random"].operations, RANDOM_KEYS)
    if trial.faults:
        return  # without its Records the report would be measured
    from totient.reproduce import find_paper

    titles = (table.title for table in find_paper(_NAME).reproduce().tables.values())
    shown = {number for title in titles for number in numbers(title)}
    absent = sorted(set(range(1, published(_NAME)["last_table"] + 1)) - shown)
    trial.differs(bool(absent), f"without the thesis' tables {listed(absent)}")
    _clocks_and_power(trial)


def _clocks_and_power(trial: Trial) -> None:
    """Figures of T4 that the thesis has from its vendor's tool, and ours from elsewhere."""
    paper, unshown = published(_NAME), []
    for row, width in product(DESIGNS, paper["bits"]):
        record = record_of(trial, select(row, width=width), ROUTED)
        if record and record.unshown:
            unshown.append(f"{row}, {width} bits")
    device = paper["device"].split()[1]
    trial.differs(ROUTED not in device, f"clocks on {ROUTED}, in the document on {device}")
    trial.differs(bool(unshown), f"no clock of {listed(unshown)}, whose netlist has not been run")
    powers = {(each.row, each.bits): each for each in points()}
    for row, width in product(DESIGNS, paper["bits"]):
        trial.expect(f"power of {row}, {width} bits", (row, width) in powers)
    ratios = [each.our_watts / each.watts for each in powers.values()]
    if ratios:
        trial.differs(
            not min(ratios) == max(ratios) == 1,
            "dynamic power estimated from activity, "
            f"{min(ratios):.2f} to {max(ratios):.2f} times the document's",
        )


def numbers(title: str) -> set[int]:
    """Numbers of the thesis' tables in a table's title: `Tables 11 to 13: ...`."""
    found = set()
    for first, last in re.findall(r"\bTables? (\d+)(?: to (\d+))?", title):
        found |= set(range(int(first), int(last or first) + 1))
    return found


def _comparison(trial: Trial) -> None:
    """With the MSP430, at the same clock, and the ten published designs of the thesis."""
    paper = published(_NAME)
    trial.expect("designs", len({(e["name"], e["method"]) for e in paper["designs"]}), 10)
    msp430, clock_hz = paper["msp430"], paper["clock_mhz"] * 1e6
    record = record_of(trial, select("T3", width=paper["bits"][-1]))
    chip = {kind: msp430[f"{kind}_seconds"][-1] for kind in _TWO}
    for kind, seconds in chip.items():
        cycles = cycles_of(trial, record, kind)
        if cycles is None:
            continue
        ours = seconds * clock_hz / cycles
        trial.expect(f"T3 at 10 MHz faster than the MSP430, {kind}", ours > 1)
        if kind == "public":  # the thesis has no factor of private operations
            theirs = seconds / paper["latency"]["T3"]["seconds"][-1]
            trial.beside("times faster than the MSP430:", round(ours), round(theirs))


def _keys(trial: Trial) -> None:
    for bits in published(_NAME)["bits"]:
        key = generate(bits, toy=True)
        trial.expect("bits of the modulus", key.bits, bits)
        for form in (KeyFormat.PKCS1, KeyFormat.PKCS8):
            back = parse(private_pem(key, form), toy=True)
            trial.expect(f"{bits} bits, read back from {form}", back == key)
            read = read_key(private_pem(key, form)).private_numbers()
            trial.expect(f"{bits} bits, read by OpenSSL from {form}", read.d == key.d)
            public = parse(public_pem(key, form), toy=True)
            trial.expect(f"{bits} bits, public half from {form}", public == key.public)
        message = key.modulus // 3
        cipher = pow(message, key.exponent, key.modulus)
        trial.expect(f"{bits} bits, decrypted", pow(cipher, key.d, key.modulus) == message)


ROWS_OF_PAPER = (
    *(
        Row(row, system, f"totient check {row} --width 32 --count 20", partial(_core, row))
        for row, system in _SYSTEMS.items()
    ),
    Row("T4", "evaluation at six sizes", "totient reproduce thesis", _evaluation),
    Row("T5", "comparison with the MSP430 and designs", "totient reproduce thesis", _comparison),
    Row("T6", "keys as PKCS#1 PEM, read back", _KEYGEN, _keys),
)
