"""Power from activity: wires, weights, SAIF, and board measurements."""

import json
import re
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from totient.catalog import select
from totient.common.errors import InputError, ToolError
from totient.common.papers import published
from totient.flow import find_target, top_rtl
from totient.flow.synthesis import synthesised
from totient.measure.activity import (
    SCHEMA,
    ActivityRecord,
    committed_activity,
    measure_activity,
)
from totient.measure.circuits import CIRCUITS, kept_circuits
from totient.measure.power import estimate_power
from totient.measure.rtl import core_rtl, ip_rtl
from totient.measure.store import today
from totient.power import wires
from totient.power.activity_model import NetCounts, netlist_nodes
from totient.power.by_activity import cycle_energy, told_apart
from totient.power.circuits import circuit_switching
from totient.power.fabrics import weights_of
from totient.power.nodes import Delays, Nodes
from totient.power.saif import saif
from totient.power.switching import Switching, Transitions, switching
from totient.power.wires import Wires, wires_of_readers
from totient.reproduce.thesis_power import fit, held_out, points

ICE40, ECP5, ARTIX7 = map(find_target, ("ice40-up5k", "ecp5-85f", "artix7-100t"))

PICO = 1e-12
SUPPLY_VOLTS, CLOCK_HZ = 1.219, 12e6  # of the measured iCE40


def of_microamperes(current: float) -> float:
    """Energy of a cycle in pJ."""
    return current * 1e-6 * SUPPLY_VOLTS / CLOCK_HZ / PICO


def wire_energy(module: str, **parameters: int) -> float:
    """Energy of a cycle in pJ, without the clock's network."""
    energy = cycle_energy(circuit_switching(module, parameters, ICE40), ICE40)
    return (energy.total - energy.by_kind["clock network"]) / PICO


def test_the_measured_counters_set_the_ice40() -> None:
    """Eight counters in place of one: 641.3 in place of 613.5 µA."""
    counters = wire_energy("counters", Counters=8) - wire_energy("counters", Counters=1)
    assert counters == pytest.approx(of_microamperes(641.3 - 613.5), rel=0.1)


def test_the_measured_multiplier_is_predicted() -> None:
    """The product of two counters in logic: 996 in place of 645 µA. It set no weight."""
    product = wire_energy("multiplied_counters", Multiplied=1)
    without = wire_energy("multiplied_counters", Multiplied=0)
    ratio = (product - without) / of_microamperes(996 - 645)
    assert 1 / 1.5 < ratio < 1.5


def test_the_measured_chain_sets_the_ecp5() -> None:
    """0.251 pJ a register and cycle on an LFE5U-85F, all of it in wires."""
    found = circuit_switching("register_chain", {"Registers": 500}, ECP5)
    energy = cycle_energy(found, ECP5)
    each = (energy.total - energy.by_kind["clock network"]) / 500 / PICO
    assert each == pytest.approx(0.251, rel=0.1)
    # Each register changes in each cycle.
    assert found.transitions["register"].settled == pytest.approx(500 * found.cycles, rel=0.01)


def cell(kind: str, inputs: dict[str, Any], outputs: dict[str, Any]) -> dict[str, Any]:
    directions = {**dict.fromkeys(inputs, "input"), **dict.fromkeys(outputs, "output")}
    return {
        "type": kind,
        "parameters": {},
        "connections": {**inputs, **outputs},
        "port_directions": directions,
    }


def netlist() -> dict[str, Any]:
    """A table (net 5) whose register (6) and carry are in its slice, and a table (8) that is not.

    Nets 3 and 4 are inputs.
    """
    cells = {
        "t": cell("LUT2", {"I0": [3], "I1": [4]}, {"O": [5]}),
        "r": cell("FDRE", {"C": [2], "CE": ["1"], "D": [5], "R": [3]}, {"Q": [6]}),
        "c": cell(
            "CARRY4",
            {"CI": ["0"], "CYINIT": ["0"], "DI": [4, "0", "0", "0"], "S": [5, "0", "0", "0"]},
            {"O": [7, 9, 10, 11], "CO": [12, 13, 14, 15]},
        ),
        "u": cell("LUT2", {"I0": [5], "I1": [6]}, {"O": [8]}),
    }
    ports = {
        "aclk": {"direction": "input", "bits": [2]},
        "pins": {"direction": "input", "bits": [3, 4]},
        "out": {"direction": "output", "bits": [8]},
    }
    names = {
        "u_core.q": {"bits": [6]},
        "u_core.u_sum.s": {"bits": [7, 9], "offset": 4},
        "hidden": {"bits": [8], "hide_name": 1},
        "nowhere": {"bits": [99]},
        "aclk": {"bits": [2]},
    }
    module = {"attributes": {"top": "1"}, "cells": cells, "ports": ports, "netnames": names}
    return {"modules": {"bench": module}}


def test_wires_of_readers() -> None:
    found = wires_of_readers(netlist(), 2.0)
    assert not found.routed
    # Net 5 reaches its register and its carry inside the slice. Net 4 goes to a table and a carry.
    assert found.count == {2: 2, 3: 4, 4: 4, 5: 2, 6: 2, 8: 2}


def test_wires_and_delays_of_a_route() -> None:
    """By the names of nets: bit 2 of `a` has a span and an input, `b` an input of iCE40."""
    module = {
        "netnames": {
            "a[2]": {
                "bits": [7],
                "attributes": {"ROUTING": "X1/Y2/F3;;1;X1/Y2/H02E0101;p;1;X2/Y2/A3;p;1;F3_SLICE;p"},
            },
            "b": {"bits": [8], "attributes": {"ROUTING": "X1/Y2/local_g0_4;p;1;X1/Y2/lutff;p;1"}},
            "c": {"bits": [9], "attributes": {}},
        },
        "cells": {r"u$x[1]": {"connections": {"F": [7], "Q": [8]}}},
    }
    assert dict(wires._routing_wires(module)) == {"a[2]": 2, "b": 1, "c": 0}
    sdf = r"""
        (INTERCONNECT u\$x\[1\]/F v/A (1:100:200) (1:2:3))
        (INTERCONNECT u\$x\[1\]/F v/B (1:300:400) (1:2:3))
        (INTERCONNECT u\$x\[1\]/Q v/C (1:50.5:60) (1:2:3))
        (INTERCONNECT w/Q v/C (1:9:9) (1:2:3))
    """
    assert dict(wires._delays(module, sdf)) == {"a[2]": [100, 300], "b": [50.5]}
    named = {"netnames": {"a": {"bits": [3, "x", 4], "offset": 2}, "b": {"bits": [5]}}}
    assert dict(wires._numbers(named)) == {"a[2]": 3, "a[4]": 4, "b": 5}


def test_delays_of_a_route_are_in_nanoseconds() -> None:
    """A net of an ECP5 takes some hundred picoseconds."""
    chosen = select("T1", width=32).suited(ECP5.family)
    found = wires.routed_wires(synthesised(top_rtl(chosen.top()), ECP5), ECP5)
    delays = sorted(found.delay_ns.values())
    assert 0.1 < delays[len(delays) // 2] < 2
    assert delays[-1] < 10


def counted(highest: int) -> NetCounts:
    settled, timed, high = (np.zeros(highest + 1, np.uint64) for _ in range(3))
    settled[6], timed[6], high[6] = 4, 6, 3
    timed[7], high[9] = 2, 10
    return NetCounts(10, settled, timed, high)


def nodes() -> Nodes:
    found = Nodes(
        netlist(),
        Delays(0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, ""),
        Wires({6: 2.5}, {}, True),
        "aclk",
    )
    found.kinds.update({5: "table", 6: "register", 7: "carry"})
    return found


def test_switching_by_hand() -> None:
    found = switching(nodes(), counted(15))
    assert found == Switching(
        10, 1, {"register": Transitions(4, 6, 10, 15), "carry": Transitions(0, 2, 0, 0)}, True
    )
    assert found.total == Transitions(4, 8, 10, 15)
    assert Switching.from_json(json.loads(json.dumps(found.to_json()))) == found


def test_saif_by_hand() -> None:
    text = saif(nodes(), "bench", counted(15), 100)
    assert text.count("(") == text.count(")")
    assert "(DURATION 100000)" in text
    assert re.findall(r"\(INSTANCE (\S+)", text) == ["bench", "u_core", "u_sum"]
    nets = re.findall(r"^\((\S+) \(T0 (\d+)\) \(T1 (\d+)\) \(TX 0\) \(TC (\d+)\)", text, re.M)
    assert nets == [
        ("aclk", "50000", "50000", "20"),
        ("q", "70000", "30000", "6"),
        (r"s\[4\]", "100000", "0", "2"),
        (r"s\[5\]", "0", "100000", "0"),
    ]


@pytest.mark.parametrize("target", [ICE40, ECP5, ARTIX7], ids=lambda target: target.name)
def test_energy_by_hand(target: Any) -> None:
    weights = weights_of(target)
    found = Switching(
        10,
        1,
        {"register": Transitions(4, 6, 10, 15), "multiplier": Transitions(5, 7, 20, 30)},
        True,
    )
    energy = cycle_energy(found, target)
    # In pJ: pytest's absolute tolerance is 1e-12.
    assert {kind: joules / PICO for kind, joules in energy.by_kind.items()} == pytest.approx(
        {
            "clock network": weights.network / PICO,
            "registers": 15 * weights.transition / 10 / PICO,
            "multipliers": (30 * weights.transition + 5 * weights.block) / 10 / PICO,
        }
    )
    assert energy.blocks / PICO == pytest.approx(5 * weights.block / 10 / PICO)
    # Between the error of wires and that of blocks, by their shares.
    share = energy.blocks / energy.total
    assert energy.error == pytest.approx(weights.error + (3 - weights.error) * share)


def test_what_is_not_told_apart() -> None:
    assert not told_apart(1.0, 1.4, 1.5)
    assert told_apart(1.6, 1.0, 1.5)


def test_a_target_without_weights() -> None:
    with pytest.raises(InputError, match="no activity of netlists for target gowin-gw1nr9"):
        estimate_power(select("T1", width=32), find_target("gowin-gw1nr9"), ("public",))


def test_a_design_is_estimated() -> None:
    """Power at a clock, energy of operations, and a Record that can be read again."""
    chosen = select("T2", width=32)
    half, whole = (
        estimate_power(chosen, ARTIX7, ("public", "private"), clock_mhz=mhz) for mhz in (50, 100)
    )
    assert whole.dynamic_total == pytest.approx(2 * half.dynamic_total)
    public, private = whole.operations
    assert private.dynamic / public.dynamic == pytest.approx(private.cycles / public.cycles)
    assert half.static is not None
    assert half.operations[0].whole == pytest.approx(
        public.dynamic + half.static * public.cycles / 50e6
    )
    record = measure_activity(chosen, ARTIX7, use_results=False)
    assert ActivityRecord.from_json(record.to_json()) == record
    with pytest.raises(InputError, match=f"of schema {SCHEMA + 1}"):
        ActivityRecord.from_json(record.to_json().replace('"schema": 1', f'"schema": {SCHEMA + 1}'))


def test_every_wire_of_a_route_is_of_one_net() -> None:
    """The wires that nextpnr states of a routed design are found by the names of its nets."""
    found = measure_activity(select("T1", width=32), ECP5, use_results=False).switching
    assert found.routed
    of_registers = found.transitions["register"]
    # A register's net leaves its slice: at least one wire, and not twenty.
    assert 1 < of_registers.timed_wires / of_registers.timed < 20
    assert {*found.transitions} == {"table", "carry", "register", "memory", "port"}


def test_no_committed_activity_is_stale() -> None:
    for path, record in committed_activity():
        subject, target = record.subject, find_target(record.target)
        now = today(subject, target, core_rtl(subject), ip_rtl(subject))
        assert record.provenance.is_of(now), path.name


def test_the_kept_circuits_are_those_of_today() -> None:
    kept = kept_circuits()
    assert [(each.module, each.parameters, each.target) for each in kept] == [*CIRCUITS]
    for each in kept[::4]:
        found = circuit_switching(each.module, each.parameters, find_target(each.target))
        assert found == each.switching


def lines(kind: str, pins: dict[str, list[Any]], **settings: str) -> list[list[str]]:
    """The nodes of one cell, each as its kind and its words without the delay."""
    ports = {"aclk": {"direction": "input", "bits": [2]}}
    cells = {"c": {"type": kind, "parameters": settings, "connections": pins}}
    module = {"attributes": {"top": "1"}, "cells": cells, "ports": ports, "netnames": {}}
    delays = Delays(0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, "")
    made = netlist_nodes({"modules": {"bench": module}}, delays, Wires({}, {}, False), "aclk")
    return [[line.split()[0], *line.split()[2:]] for line in made.lines]


def test_functions_of_cells() -> None:
    """Truth tables, lowest input first, by the vendors' functions."""
    majority = sum(1 << value for value in range(8) if value.bit_count() >= 2)
    carry = lines("SB_CARRY", {"I0": [3], "I1": [4], "CI": [5], "CO": [6]})
    assert carry == [["T", "6", "3", "3", "4", "5", f"{majority:x}"]]
    second = sum(1 << v for v in range(8) if v >> (1 if v & 4 else 0) & 1)
    mux = lines("MUXF7", {"I0": [3], "I1": [4], "S": [5], "O": [6]})
    assert mux == [["T", "6", "3", "3", "4", "5", f"{second:x}"]]
    assert lines("PFUMX", {"BLUT": [3], "ALUT": [4], "C0": [5], "Z": [6]}) == mux


def test_a_reset_of_an_ice40_waits_for_the_enable() -> None:
    pins = {"C": [2], "D": [3], "Q": [4], "E": [5], "R": [6]}
    both, register = lines("SB_DFFESR", pins)
    assert both == ["T", "7", "2", "5", "6", "8"]
    assert register == ["F", "4", "3", "5", "7", "0", "0"]


def test_registers_and_latches_of_the_7_series() -> None:
    """FDCE and FDPE take their value from the reset; a latch is a table that reads itself."""
    pins = {"C": [2], "CE": [5], "D": [3], "Q": [4]}
    assert lines("FDCE", {**pins, "CLR": ["0"]}) == [["F", "4", "3", "5", "0", "0", "x"]]
    assert lines("FDPE", {**pins, "PRE": [2]}) == [["F", "4", "3", "5", "2", "1", "x"]]
    assert lines("FDRE", {**pins, "R": [6]}) == [["F", "4", "3", "5", "6", "0", "x"]]
    assert lines("FDSE", {**pins, "S": [6]}) == [["F", "4", "3", "5", "6", "1", "x"]]
    # A clear that logic makes may begin and end between two edges.
    assert lines("FDCE", {**pins, "CLR": [6]}) == [["A", "4", "3", "5", "6", "0", "x"]]
    assert lines("FDPE", {**pins, "PRE": [6]}) == [["A", "4", "3", "5", "6", "1", "x"]]
    with pytest.raises(ToolError, match="FDPE: no activity with IS_PRE_INVERTED = 1"):
        lines("FDPE", {**pins, "PRE": [2]}, IS_PRE_INVERTED="1")
    (latch,) = lines("LDCE", {"D": [3], "Q": [4], "G": [5], "GE": [6], "CLR": [7]})
    kind, out, number, *inputs, truth = latch
    assert (kind, out, number, inputs) == ("T", "4", "5", ["3", "4", "5", "6", "7"])
    for value in range(32):
        d, q, g, ge, clr = (value >> place & 1 for place in range(5))
        assert int(truth, 16) >> value & 1 == (0 if clr else d if g and ge else q)
    with pytest.raises(ToolError, match="LDCE: no activity with IS_G_INVERTED = 1"):
        lines("LDCE", {"D": [3], "Q": [4], "G": [5], "CLR": ["0"]}, IS_G_INVERTED="1")


@pytest.mark.parametrize("kind", ["FDRE", "FDSE", "FDCE", "FDPE", "LDCE"])
def test_a_table_in_front_of_a_register_has_no_wire(kind: str) -> None:
    """The table (net 5) is read by the register in its slice, and by two cells outside."""
    made = netlist()
    made["modules"]["bench"]["cells"]["r"]["type"] = kind
    count = wires_of_readers(made).count
    made["modules"]["bench"]["cells"]["r"]["type"] = "RAM32M"
    assert wires_of_readers(made).count[5] == count[5] + 1


def test_each_trial_is_fitted_to_what_it_does_not_hold_out() -> None:
    for trial in held_out():
        out = [point for point, _ in trial.ratios]
        assert trial.fit == fit(point for point in points() if point not in out)


def test_a_delay_that_is_too_long_is_refused() -> None:
    made = nodes()
    assert made.delay(40.95) == 4095
    with pytest.raises(ToolError, match=r"a delay of 41[.]0 ns, the simulation of activity"):
        made.delay(41.0)


def test_the_energy_of_a_clock_network_is_the_measured_one() -> None:
    """Counter and clock against a halted clock. The ECP5 has no measurement, and the same value."""
    ice40 = published("power")["ice40"]
    current = ice40["microamperes"]["counters_1"] - ice40["microamperes"]["halted_clock"]
    measured = current * ice40["volts"] / ice40["clock_mhz"]
    network = weights_of(ICE40).network / PICO
    assert network == pytest.approx(measured, rel=0.01)
    assert weights_of(ECP5).network / PICO == network


def test_the_energy_inside_a_block_is_at_most_the_measured_one() -> None:
    """A multiplier of the iCE40 with its counters and wires, for each change of the product."""
    values = [(3 * i % 256) * (5 * i % 256) for i in range(1 << 16)]
    changes = sum((a ^ b).bit_count() for a, b in pairwise(values)) / len(values)
    ice40 = published("power")["ice40"]
    current = ice40["microamperes"]["product_in_block"] - ice40["microamperes"]["counter_24"]
    measured = current * ice40["volts"] / ice40["clock_mhz"] / changes
    for target in (ICE40, ECP5, ARTIX7):
        assert 0.8 * measured < weights_of(target).block / PICO < measured
