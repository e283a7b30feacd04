"""Cycles of the papers' examples on the IPs: simulated, right, and of the kinds that an IP has."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from totient.catalog import (
    SYSTEM,
    IpConfiguration,
    Work,
    cycle_formulas,
    find_subject,
    find_system,
    select,
    select_ip,
)
from totient.common.errors import InputError, ToolError
from totient.common.papers import published
from totient.device.rsa_keygen import RsaKeygen
from totient.flow import find_target
from totient.flow.utilisation import count
from totient.golden.keygen import tried_exponents
from totient.measure import Record, examples, kinds_of, measure, measurement
from totient.measure import cycles as counting
from totient.measure.cycles import count_cycles
from totient.measure.examples import DECRYPTION, ENCRYPTION, KEY_GENERATION, example_figures
from totient.measure.rtl import core_rtl, ip_rtl
from totient.measure.store import file_name

ARTIX7 = find_target("artix7-100t")


def test_what_a_name_means() -> None:
    assert find_subject("t2", width=64) == select("T2", width=64)
    assert find_subject("B1") == find_subject("rsa_keygen") == select_ip("b2")
    assert find_subject("B3") is find_system("rsa_system") is SYSTEM
    with pytest.raises(InputError, match="rsa_system takes no parameters, given is 'width'"):
        find_subject("B3", width=64)
    with pytest.raises(InputError, match="IP rsa_keygen takes no parameters, given is 'width'"):
        find_subject("B1", width=64)
    with pytest.raises(InputError, match="B3 is the system rsa_system: commands that know it"):
        select("B3")
    with pytest.raises(InputError, match="unknown IP 'T2', known are rsa_keygen"):
        select_ip("T2")
    assert (select_ip("B1").width, select_ip("E2").width, select_ip("E3", prime_bits=40).width) == (
        64,
        32,
        80,
    )


def test_names_of_records() -> None:
    assert file_name(select_ip("B1"), ARTIX7, True) == "rsa_keygen-artix7-100t.json"
    assert file_name(select_ip("E3", prime_bits=64), ARTIX7, False) == (
        "rsa_stream-prime_bits64-artix7-100t-nodsp.json"
    )
    widest = {"width": 4096, "exponent": 2**4095 + 1}
    names = {
        file_name(select_ip("E2", modulus=2**4095 + n, **widest), ARTIX7, True) for n in (1, 3)
    }
    assert len(names) == 2
    assert max(map(len, names)) < 150
    assert file_name(SYSTEM, ARTIX7, True) == "rsa_system-artix7-100t.json"


def test_the_rtl_of_an_ip_is_all_of_it() -> None:
    for row in ("B1", "E2", "E3", "D6"):
        assert core_rtl(select_ip(row)).digest == ip_rtl(select_ip(row)).digest
    assert ip_rtl(select_ip("E2", width=33)).parameters["Modulus"] == f"33'h{6103297:x}"


@pytest.mark.parametrize(("width", "steps"), [(64, 1), (31, 2)])
def test_the_examples_of_products(width: int, steps: int) -> None:
    """The shortest modulus and the longest one."""
    figures = example_figures(select_ip("D6", width=width, bits_per_cycle=steps))
    assert tuple(figures) == kinds_of(select_ip("D6"))
    assert [each.cycles.mean for each in figures.values()] == [7, -(-width // steps) + 6]
    assert [each.modulus_bits for each in figures.values()] == [1, width]


def test_the_example_of_key_generation() -> None:
    """The key's cycles by the formula, with three of handing primes on; less than the paper's."""
    example = published("becannon")["examples"][0]
    p, q = example["p"], example["q"]
    figures = example_figures(select_ip("B1"))
    assert tuple(figures) == kinds_of(select_ip("B1")) == (KEY_GENERATION, ENCRYPTION, DECRYPTION)
    tried = tuple(tried_exponents((p - 1) * (q - 1)))
    work = Work(p * q, 0, p.bit_length(), q.bit_length(), tried)
    chosen = select_ip("B1")
    made = cycle_formulas(chosen.ip)["key"].cycles(chosen, work)
    assert figures[KEY_GENERATION].cycles.mean == made
    assert figures[KEY_GENERATION].setup_cycles.mean == 0
    for kind, step, bits in ((ENCRYPTION, "encrypt", 3), (DECRYPTION, "decrypt", 29)):
        assert figures[kind].setup_cycles.mean == made
        assert figures[kind].exponent_bits == bits
        assert figures[kind].modulus_bits == 30
        assert 0 < figures[kind].cycles.mean < example["cycles"][step]


def test_the_examples_of_the_stream_ips() -> None:
    fixed = example_figures(select_ip("E2"))
    assert tuple(fixed) == kinds_of(select_ip("E2")) == (ENCRYPTION,)
    made = example_figures(select_ip("E3"))
    assert tuple(made) == kinds_of(select_ip("E3"))
    assert made[KEY_GENERATION].cycles.mean == made[DECRYPTION].setup_cycles.mean > 0
    # The exponents have 17 and 22 bits; the loop takes as long for each of them.
    assert made[ENCRYPTION].exponent_bits == 17 == fixed[ENCRYPTION].exponent_bits
    assert made[DECRYPTION].exponent_bits == 22
    assert made[DECRYPTION].cycles.mean > made[ENCRYPTION].cycles.mean


def test_a_wrong_result_is_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong(RsaKeygen):
        def run(self, mode: Any, **operands: int) -> Any:
            return replace(super().run(mode, **operands), result=1)

    monkeypatch.setattr(examples, "RsaKeygen", Wrong)
    with pytest.raises(ToolError, match="the RTL gave a wrong result for the paper's example"):
        example_figures(select_ip("B1"))


@pytest.mark.parametrize(
    ("row", "part", "kind"),
    [("B1", "key", KEY_GENERATION), ("E2", "packet", ENCRYPTION), ("E3", "message", ENCRYPTION)],
)
def test_cycles_that_are_not_the_formulas_are_no_figures(
    row: str, part: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = select_ip(row)
    formulas = cycle_formulas(chosen.ip)
    right = formulas[part].formula
    wrong = replace(formulas[part], formula=replace(right, expression=f"{right.expression} + 1"))
    monkeypatch.setattr(examples, "cycle_formulas", lambda ip: {**formulas, part: wrong})
    with pytest.raises(ToolError, match=rf"{kind}: the RTL took \d+ cycles, the catalog's formula"):
        example_figures(chosen)


def test_kinds_and_parameters_that_do_not_go() -> None:
    for subject, kind, words in (
        (
            select_ip("B1"),
            "public",
            "unknown operation kind 'public' of rsa_keygen, known are key-gen",
        ),
        (select_ip("E2"), KEY_GENERATION, "of rsa_fixed, known are encryption"),
        (SYSTEM, ENCRYPTION, "rsa_system has no operation kinds, given is 'encryption'"),
        (select("T2"), ENCRYPTION, "unknown operation kind 'encryption', known are public"),
        (select_ip("E2", modulus=15), ENCRYPTION, "modulus is 15, the example's message is 72"),
        (
            select_ip("E3", prime_bits=11),
            ENCRYPTION,
            "prime_bits is 11, the example's primes have up to",
        ),
    ):
        with pytest.raises(InputError, match=words):
            measure(subject, ARTIX7, [kind])


def test_a_record_of_an_ip(record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures are computed once, go to JSON and back, and the command names what was measured."""
    monkeypatch.setenv("TOTIENT_CACHE", str(tmp_path))
    utilisation = count({"LUT6": 100, "FDRE": 70}, ARTIX7)
    monkeypatch.setattr(measurement, "synthesise", lambda *_: utilisation)
    runs: list[str] = []

    def figures(configuration: IpConfiguration) -> object:
        runs.append(configuration.label)
        return dict.fromkeys(kinds_of(configuration), record.operations["public"])

    monkeypatch.setattr(counting, "example_figures", figures)
    subject = select_ip("E3", prime_bits=64)
    measured = measure(subject, ARTIX7, kinds_of(subject), use_results=False)
    assert runs == ["rsa_stream?prime_bits=64"]
    assert Record.from_text(measured.to_text()) == measured
    assert measured.operations == dict.fromkeys(kinds_of(subject), record.operations["public"])
    assert measured.provenance.command == (
        "totient measure rsa_stream --set prime_bits=64 --target artix7-100t "
        "--op key-generation --op encryption --op decryption"
    )
    assert count_cycles(subject, ENCRYPTION, ip_rtl(subject)) == record.operations["public"]
    assert runs == ["rsa_stream?prime_bits=64"]
