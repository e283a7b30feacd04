"""Records: figures with units, to JSON and back."""

import json
from dataclasses import replace

import pytest

from totient.cli import main
from totient.common.errors import InputError
from totient.flow import CriticalPath, Routing
from totient.measure import Record, Spread


def test_round_trip_is_exact(record: Record) -> None:
    text = record.to_text()
    assert Record.from_text(text) == record
    assert Record.from_text(text).to_text() == text
    assert Record.from_text(text).provenance.commit == record.provenance.commit


@pytest.mark.parametrize("routing", [None, Routing({}, "does not fit: 3 of 2 DP16KD")])
def test_round_trip_without_a_frequency(record: Record, routing: Routing | None) -> None:
    record = replace(record, routing=routing)
    assert Record.from_text(record.to_text()) == record
    data = record.to_report()
    assert "at_fmax" not in data["operations"]["public"]
    assert data["misfit"] == (routing and routing.misfit)


def test_cycles_beyond_floating_point(record: Record) -> None:
    ages = record.operations["public"]
    ages = replace(ages, simulated=0, cycles=Spread.of([1 << 4096]))
    record = replace(record, operations={"ones": ages})
    data = record.to_report(10)["operations"]["ones"]
    assert data["cycles"]["mean"] == 1 << 4096
    assert data["at_stated_clock"]["mean_s"] is None
    assert data["at_stated_clock"]["throughput_bit_per_s"] == 0
    assert Record.from_text(record.to_text()) == record


def test_figures_follow_from_cycles_and_clock(record: Record) -> None:
    assert record.fmax_mhz == 100.5
    data = record.to_report(10)["operations"]
    assert "at_stated_clock" not in record.to_report()["operations"]["public"]
    stated = data["public"]["at_stated_clock"]
    assert stated["clock_mhz"] == 10
    assert stated["mean_s"] == pytest.approx(60e-6)
    assert stated["setup_s"] == pytest.approx(5e-6)
    assert stated["throughput_bit_per_s"] == pytest.approx(32 / 60e-6)
    twice = replace(record.operations["public"], bases=2)
    both = replace(record, operations={"public": twice}).at("public", 10)
    assert both.mean_s == pytest.approx(60e-6)
    assert both.throughput_bit_per_s == pytest.approx(2 * 32 / 60e-6)
    fast = data["random"]["at_fmax"]
    assert fast["clock_mhz"] == 100.5
    assert fast["minimum_s"] == pytest.approx(900 / 100.5e6)
    assert fast["maximum_s"] == pytest.approx(1003 / 100.5e6)


def test_the_mean_is_rounded_half_up() -> None:
    assert Spread.of([900, 1003]) == Spread(900, 952, 1003)
    assert Spread.of([1, 1, 2]) == Spread(1, 1, 2)
    huge = 10**400
    assert Spread.of([huge, huge + 2]).mean == huge + 1


def test_the_commit_is_not_part_of_the_identity(record: Record) -> None:
    other = replace(record, provenance=replace(record.provenance, commit=None))
    assert other == record
    assert replace(record, provenance=replace(record.provenance, sources="0")) != record


def test_what_nextpnr_has_placed_is_kept_beside(record: Record) -> None:
    noted = replace(record, placed=123)
    assert Record.from_text(noted.to_text()).placed == 123
    assert noted == record
    assert "placed" not in record.to_json()


def test_another_schema_is_refused(record: Record) -> None:
    with pytest.raises(InputError, match="Record of schema 99, allowed is 3"):
        Record.from_text(json.dumps({**record.to_json(), "schema": 99}))
    with pytest.raises(InputError, match="schema None"):
        Record.from_text("[]")


def test_damage_is_refused(record: Record) -> None:
    text = record.to_text()
    with pytest.raises(InputError, match="damaged Record: "):
        Record.from_text(text[: len(text) // 2])
    data = json.loads(text)
    data["cells"]["LUT9"] = 1
    with pytest.raises(InputError, match="damaged Record: "):
        Record.from_text(json.dumps(data))


def test_figures_changed_by_hand_are_refused(record: Record) -> None:
    data = json.loads(record.to_text())
    data["operations"]["public"]["cycles"]["mean"] = 1
    with pytest.raises(InputError, match="a mean of 1, from 600 to 600"):
        Record.from_text(json.dumps(data))


def test_a_record_holds_what_was_measured_and_nothing_else(record: Record) -> None:
    data = record.to_json()
    kept = {*data, *data["operations"]["public"], *data["routing"]}
    assert not kept & {"at_fmax", "at_stated_clock", "fmax_mhz", "clock_mhz", "utilisation"}
    with pytest.raises(InputError, match="it has more than a Record has"):
        Record.from_text(json.dumps({**data, "fmax_mhz": record.fmax_mhz}))
    assert record.to_report()["fmax_mhz"] == 100.5
    assert record.to_report()["utilisation"]["lut"] == record.utilisation.lut


def test_a_core_too_large_for_the_device_is_said(record: Record) -> None:
    large = replace(record.utilisation, lut=100_000)
    record = replace(record, utilisation=large, routing=None)
    assert record.misfit == "does not fit: 100000 of 83640 LUT4"


@pytest.mark.parametrize(("mhz", "dsp", "said"), [(226, 1, True), (225, 1, False), (300, 0, False)])
def test_a_clock_beyond_the_multipliers_is_said(
    record: Record,
    mhz: float,
    dsp: int,
    said: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A clock that the ECP5's multipliers do not allow is not left uncommented."""
    routing = Routing({1: mhz}, critical={1: CriticalPath("a", "b", 1, 1)})
    record = replace(record, utilisation=replace(record.utilisation, dsp=dsp), routing=routing)
    monkeypatch.setattr("totient.measure.measure", lambda *_, **__: record)
    assert main(["measure", "T2", "--width", "32"]) == 0
    assert (
        "above the 225 MHz that the device's multipliers allow" in capsys.readouterr().out
    ) == said
