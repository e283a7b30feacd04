"""compare: processors, designs and published figures, in all its forms."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.unit.conftest import Ran, Run
from totient.catalog import Configuration, find_subject, select
from totient.compare import processor_tables, processors
from totient.compare.openssl_speed import Speed
from totient.flow import Utilisation, find_target
from totient.measure import NetlistRun, lookup
from totient.measure.activity import kept_activity
from totient.power.by_activity import cycle_energy
from totient.power.by_cells import dynamic_watts

RIGHT = NetlistRun(10, 2000, 2, 0)


def tables(run: Run, *words: str) -> dict[str, list[list[object]]]:
    printed = run("compare", "--json", *words).good.json
    assert ("--software" in printed["command"]) == ("--software" in words)
    for table in printed["tables"].values():
        assert all(len(row) == len(table["columns"]) for row in table["rows"])
    return {name: table["rows"] for name, table in printed["tables"].items()}


@pytest.mark.parametrize("operation", ["public", "private"])
@pytest.mark.parametrize("bits", [1024, 2048])
def test_for_programs(run: Run, ran: Ran, bits: int, operation: str) -> None:
    ran(RIGHT)
    found = tables(run, "--bits", str(bits), "--op", operation)
    assert set(found) == {*processor_tables.TABLES} - {processor_tables.HERE}
    chips = {row[0] for row in found["processors"]}
    assert {"AVR, ATmega328P", "ARM Cortex-M3", "ARM Cortex-M4", "RISC-V, VexRiscv"} <= chips
    assert {"MSP430, hardware multiplier", "Xtensa LX106, ESP8266"} <= chips
    for row in found["processors"]:
        cycles, instructions, least, most, joules = (row[3], row[4], row[5], row[6], row[7])
        if cycles is None and instructions is None:
            assert "ATmega328P" in str(row[0])
            assert least is joules is None
        else:
            assert (cycles is None) == (most is not None), "a range where instructions are counted"
            assert isinstance(least, float)
            assert isinstance(joules, float), "energy of every processor"
    names = {str(row[0]) for row in found["designs"]}
    assert {"engine-1", "engine-62"} <= names
    rows = {*(f"T{row}" for row in (1, 2, 3)), *(f"N{row}" for row in range(1, 9))}
    assert rows <= {name.split(",")[0] for name in names}
    assert all(row[2] for row in found["designs"]), "cycles of each, by the formula at least"
    for name, _, _, mhz, seconds, watts, joules, *_ in found["designs"]:
        # T1's private operation takes longer than any number can express.
        assert (seconds is None) == (mhz is None or (operation, str(name)[:2]) == ("private", "T1"))
        assert (watts is None) == (mhz is None)
        if isinstance(seconds, float) and isinstance(watts, float):
            assert joules == pytest.approx(seconds * watts), name
    if bits == 1024:
        assert all(row[3] for row in found["designs"]), "of each there is a Record"
        assert [row[1:3] for row in found["published"]][:3] == {
            "public": [[8.0, 0.21], [16.0, 0.1], [25.0, 0.047]],
            "private": [[8.0, 5.42], [16.0, 2.5], [25.0, 1.14]],
        }[operation]


@pytest.mark.parametrize(("dsp", "clock"), [(2, 225), (0, 250)])
def test_multipliers_limit_the_clock(
    run: Run, monkeypatch: pytest.MonkeyPatch, dsp: int, clock: int
) -> None:
    """Designs with multiplier blocks are timed at 225 MHz at most, others at the maximum clock."""
    use = SimpleNamespace(lut=1, ff=1, dsp=dsp, block_ram=0)
    record = SimpleNamespace(shown_mhz=250.0, unshown=None, utilisation=use, operations={})
    monkeypatch.setattr(processors, "lookup", lambda *_: record)
    for row in tables(run, "--table", "designs")["designs"]:
        name, _, cycles, mhz, seconds, *_ = row
        assert isinstance(cycles, int | float)
        assert mhz == 250
        assert seconds == pytest.approx(cycles / clock / 1e6), name


def test_power_of_what_stands_on_an_fpga(
    run: Run, monkeypatch: pytest.MonkeyPatch, ran: Ran
) -> None:
    """A design's is from activity; the soft CPU's from the cells of its system without the IP."""
    ran(RIGHT)
    rows = {row[0]: row for row in tables(run, "--table", "designs")["designs"]}
    target = find_target("ecp5-85f")
    record = lookup(select("N2", width=1024), target, True)
    assert record is not None
    assert record.fmax_mhz is not None
    # Its netlist was simulated with 256 bits. The clock's network is the same at each width.
    activity = kept_activity(select("N2", width=256), target, True)
    assert activity is not None
    cycle = cycle_energy(activity.switching, target)
    network = cycle.by_kind["clock network"]
    dynamic = (network + 4 * (cycle.total - network)) * record.fmax_mhz * 1e6
    row = rows["N2, digit_serial"]
    assert row[5] == pytest.approx(0.2982 + dynamic)
    seconds = row[4]
    assert isinstance(seconds, float)
    assert row[6:9] == pytest.approx(
        [seconds * (0.2982 + dynamic * factor) for factor in (1, 1 / cycle.error, cycle.error)]
    )

    # An engine has its own, and the limit of its multipliers.
    engine = find_subject("engine-16")
    assert isinstance(engine, Configuration)
    own = kept_activity(engine.suited(target.family), target, True)
    assert own is not None
    expected = 0.2982 + cycle_energy(own.switching, target).total * 225e6
    assert rows["engine-16"][5] == pytest.approx(expected)

    def record_of(design: str, lut: int) -> tuple[Path, SimpleNamespace]:
        use = Utilisation(lut=lut, ff=0, dsp=0, block_ram=0, carry=0, cells={})
        each = SimpleNamespace(
            design=design,
            subject=find_subject(design),
            target="artix7-100t",
            dsp=True,
            utilisation=use,
        )
        return Path(), each

    kept = [record_of("rsa_system", 5000), record_of("rsa_keygen", 2000)]
    monkeypatch.setattr(processors, "committed", lambda: kept)
    soft = [r for r in tables(run, "--table", "processors")["processors"] if "Vex" in str(r[0])]
    alone = Utilisation(lut=3000, ff=0, dsp=0, block_ram=0, carry=0, cells={})
    watts = 0.091 + dynamic_watts(alone, 100)
    assert soft
    assert all(row[7] == pytest.approx(float(str(row[5])) * watts) for row in soft)
    kept.pop()
    rows_without = tables(run, "--table", "processors")["processors"]
    assert all(row[7] is None for row in rows_without if "Vex" in str(row[0]))


def test_the_small_example_is_beside_the_papers_figures(
    run: Run,
) -> None:
    rows = {str(row[0]): row for row in tables(run, "--table", "tiny")["tiny"]}
    paper = {name: rows[name][6] for name in ("Raspberry Pi 4", "Arduino Uno", "ESP8266")}
    assert paper == {"Raspberry Pi 4": 2e-6, "Arduino Uno": 0.06, "ESP8266": 0.331}
    assert rows["FPGA, 100 MHz"][6] == 5.84e-6
    assert isinstance(rows["AVR, ATmega328P"][6], float)


def test_for_people_with_a_figure(tmp_path: Path, run: Run) -> None:
    figure = tmp_path / "software.svg"
    shown = run("compare", "--op", "private", "--plot", str(figure)).good
    assert f"figure written to {figure}" in shown.err
    assert figure.read_text().startswith("<?xml")
    for name in processor_tables.TABLES:
        assert (f"[{name}]" in shown.text) == (name != processor_tables.HERE)
    assert "Our C takes no more than BearSSL's on any processor" in shown.text


def test_this_machine(run: Run) -> None:
    rows = tables(run, "--software", "--table", "here")["here"]
    assert [str(row[0]).split()[0] for row in rows] == ["OpenSSL", "ours,"]
    assert all(isinstance(row[3], float) and 0 < row[3] < 1 for row in rows)


@pytest.mark.parametrize(("machine", "watts"), [("x86_64", 10), ("riscv64", None)])
def test_energy_on_this_machine(
    machine: str,
    watts: float | None,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By an estimate of a core's power, where there is one, and said to be so."""
    speed = Speed("OpenSSL 3.9.1", machine, public_s=1e-5, private_s=1e-3)
    monkeypatch.setattr(processor_tables, "measure_openssl", lambda bits: speed)
    monkeypatch.setattr(processor_tables, "measure_here", lambda bits, operation: 2e-3)
    words = ("--op", "private", "--software", "--table", "here")
    rows = tables(run, *words)["here"]
    assert [row[4] for row in rows] == [watts and seconds * watts for seconds in (1e-3, 2e-3)]
    shown = run("compare", *words).text
    assert ("10 W for the core, an estimate" in shown) == (watts is not None)
    assert ("no energy: we have no estimate" in shown) == (watts is None)
