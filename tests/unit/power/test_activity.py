"""Event-driven simulation of netlists: results, and counts of transitions.

Settled transitions are compared with a waveform of Verilator, which simulates the same netlist with
other models of the cells. Timed ones are worked out by hand for circuits of a few cells.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

from totient.catalog import Configuration, Face, SourceList, Top, select
from totient.check.packets import exponentiate_request, load_key_request
from totient.common.errors import ToolError
from totient.device import Device
from totient.device.transports import SimulationTransport
from totient.flow import find_target, top_rtl
from totient.flow.netlist_verilog import synthesised_verilog
from totient.flow.synthesis import synthesised
from totient.power.activity_model import ActivityModel, build_activity_model, netlist_nodes
from totient.power.nodes import Delays
from totient.power.wires import Wires
from totient.sim import Model, build_listing

DELAYS = Delays(0.1, 0.1, 0.05, 0.3, 2, 0.5, 0, 0, "for tests: a wire takes no time")
NO_WIRES = Wires({}, {}, routed=False)
MODULUS, BASE, EXPONENT = 0xF1234567, 0x89ABCDEF, 65537


def activity(chosen: Configuration, target: str, dsp: bool = True) -> ActivityModel:
    top = chosen.suited(find_target(target).family).top()
    folder = synthesised(top_rtl(top), find_target(target), dsp)
    netlist = json.loads((folder / "netlist.json").read_text())
    return build_activity_model(netlist_nodes(netlist, DELAYS, NO_WIRES, top.clock), top)


@pytest.mark.parametrize(
    ("row", "target", "dsp"),
    [
        ("T1", "artix7-100t", True),
        ("T2", "ecp5-85f", True),
        ("T3", "artix7-100t", True),
        ("T3", "ecp5-85f", True),
        ("T3", "ecp5-85f", False),
        ("N6", "artix7-100t", True),
        ("N1", "ecp5-85f", True),
    ],
)
def test_a_netlist_computes(row: str, target: str, dsp: bool) -> None:
    chosen = select(row, width=32)
    exponent = 5 if row == "T1" else EXPONENT
    model = activity(chosen, target, dsp)
    with Device(SimulationTransport(model.library)) as core:
        core.load_key(MODULUS, exponent)
        counted = []
        for base in (BASE, BASE, 1):
            model.count(True)
            assert core.exponentiate(base).result == pow(base, exponent, MODULUS)
            model.count(False)
            cycles, settled, timed, high = model.counts()
            assert cycles >= core.exponentiate(base).cycles
            assert (settled <= timed).all()
            assert (settled <= cycles).all()
            assert (high <= cycles).all()
            assert high[1] == cycles
            assert settled[:2].sum() == timed[:2].sum() == 0  # constants
            counted.append((int(settled.sum()), int(timed.sum())))
        # The same operation again makes about the same transitions. An easy one makes fewer.
        assert counted[1][0] == pytest.approx(counted[0][0], rel=0.1)
        assert counted[2][0] < counted[0][0]
        assert counted[0][1] > 1.02 * counted[0][0]  # hazards


def _settled_by_waveform(text: str) -> Counter[str]:
    """Of each net of the top: clock cycles at whose end it has another value than before."""
    names: dict[str, str] = {}
    found: Counter[str] = Counter()
    before: dict[str, str] = {}
    moment = -1
    for line in map(str.strip, text.splitlines()):
        words = line.split()
        if line.startswith("$var") and words[4].startswith("n") and words[4][1:].isdigit():
            names.setdefault(words[3], words[4])
        elif line.startswith("#"):
            moment = int(line[1:])
        elif line[:1] in ("0", "1") and line[1:] in names:
            key = line[1:]
            if moment > 0 and before.get(key, line[0]) != line[0]:
                found[names[key]] += 1
            before[key] = line[0]
    return found


@pytest.mark.parametrize(("row", "target"), [("T2", "ecp5-85f"), ("N6", "artix7-100t")])
def test_settled_transitions_are_those_of_another_simulator(row: str, target: str) -> None:
    chosen = select(row, width=16).suited(find_target(target).family)
    top = chosen.top()
    files = synthesised_verilog(top_rtl(top), find_target(target))
    library = build_listing(SourceList(tuple(files), ()), top, netlist=True, visible=True)
    key = load_key_request(0xF123, 0x10001 % 0xFFFF | 0x101, 16)
    request = exponentiate_request([0x4567])
    with Model(library) as other:
        # Twice: memories and registers that begin with unknown contents are written by then.
        for packet in (key, request, key, request):
            other.exchange(packet)
        other.advance(8)
        other.record()
        other.advance(1)
        answer = other.exchange(request)
        other.advance(9)  # a cycle is recorded before the edge that ends it
        theirs = _settled_by_waveform(other.recorded())
    model = activity(select(row, width=16), target)
    with Model(model.library) as ours:
        for packet in (key, request, key, request):
            ours.exchange(packet)
        ours.advance(8)
        model.count(True)
        ours.advance(1)
        assert ours.exchange(request) == answer
        ours.advance(8)
        model.count(False)
        settled = model.counts().settled
    counts = {f"n{net}": int(count) for net, count in enumerate(settled)}
    compared = [name for name in theirs if name in counts]
    assert len(compared) > 200
    assert sum(theirs.values()) > 5000
    different = {
        name: (theirs[name], counts[name]) for name in compared if theirs[name] != counts[name]
    }
    assert not different


def circuit(cells: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any]]], inputs: int) -> Any:
    """A netlist of some cells with ports `aclk` (net 2), `aresetn` (3), `pins` (4 up), `out`."""
    nets = [bit for _, _, pins in cells for bits in pins.values() for bit in bits]
    last = max(bit for bit in nets if isinstance(bit, int))
    module = {
        "attributes": {"top": "1"},
        "ports": {
            "aclk": {"direction": "input", "bits": [2]},
            "aresetn": {"direction": "input", "bits": [3]},
            "pins": {"direction": "input", "bits": [*range(4, 4 + inputs)]},
            "out": {"direction": "output", "bits": [last]},
        },
        "cells": {
            f"c{place}": {"type": kind, "parameters": settings, "connections": pins}
            for place, (kind, settings, pins) in enumerate(cells)
        },
    }
    return {"modules": {"bench": module}}


def lut(out: int, inputs: Sequence[int], init: str) -> tuple[str, Any, Any]:
    pins = {f"I{place}": [net] for place, net in enumerate(inputs)}
    return f"LUT{len(inputs)}", {"INIT": init}, {**pins, "O": [out]}


def toggle(q: int, d: int) -> tuple[str, Any, Any]:
    return "FDRE", {"INIT": "0"}, {"C": [2], "CE": ["1"], "D": [d], "Q": [q], "R": ["0"]}


def run(cells: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any]]], cycles: int) -> Any:
    top = Top("", "bench", {}, frozenset(), "cells", clock="aclk", reset="aresetn")
    model = build_activity_model(netlist_nodes(circuit(cells, 1), DELAYS, NO_WIRES, "aclk"), top)
    with Model(model.library) as core:
        core.advance(4)
        model.count(True)
        core.advance(cycles)
        model.count(False)
        return model.counts()


def test_a_hazard_is_counted() -> None:
    """Q toggles; q and its complement, a table later, meet: one pulse a rising edge of q."""
    wide = [toggle(5, 6), lut(6, [5], "01"), lut(7, [6], "10"), lut(8, [7], "10")]
    cycles, settled, timed, high = run([*wide, lut(9, [5, 8], "1000")], 100)
    assert cycles == 100
    assert [int(settled[net]) for net in (5, 6, 7, 8)] == [100] * 4
    assert [int(timed[net]) for net in (5, 6, 7, 8)] == [100] * 4
    # The complement arrives 0.3 ns after q, longer than the table's 0.1 ns.
    assert int(settled[9]) == 0
    assert int(timed[9]) == 100
    # After every second cycle q is 1; its conjunction with its complement never is.
    assert [int(high[net]) for net in (5, 6, 8, 9)] == [50, 50, 50, 0]


def test_a_short_pulse_does_not_pass() -> None:
    """The complement arrives 0.1 ns after q: as long as the table's delay, no pulse comes out."""
    cycles, settled, timed, _ = run([toggle(5, 6), lut(6, [5], "01"), lut(7, [5, 6], "1000")], 100)
    assert (int(settled[7]), int(timed[7])) == (0, 0)
    assert (cycles, int(settled[5])) == (100, 100)


def test_a_clear_that_logic_makes_does_not_wait_for_the_edge() -> None:
    """Set at every second edge, and cleared 0.4 ns later: at no cycle's end is it 1."""
    pins = {"C": [2], "CE": ["1"], "D": ["1"], "Q": [7], "CLR": [6]}
    cells = [toggle(5, 6), lut(6, [5], "01"), ("FDCE", {"INIT": "0"}, pins)]
    _, settled, timed, high = run(cells, 100)
    assert (int(settled[7]), int(timed[7]), int(high[7])) == (0, 100, 0)


def test_a_register_can_be_the_clock_of_another_one() -> None:
    """Q toggles; the other toggles at its rising edges."""
    kind, settings, pins = toggle(7, 8)
    follower = kind, settings, {**pins, "C": [5]}
    _, settled, timed, _ = run([toggle(5, 6), lut(6, [5], "01"), follower, lut(8, [7], "01")], 100)
    assert (int(settled[5]), int(settled[7]), int(timed[7])) == (100, 50, 50)


@pytest.mark.parametrize(("width", "lowest"), [(9, 3), (18, 4)])
@pytest.mark.parametrize("place", range(3))
def test_every_address_bit_of_a_block_ram_selects(width: int, lowest: int, place: int) -> None:
    """A word is its own number: the address bit that toggles is the data bit that toggles.

    UG473: the lowest bits of an address are those within a word, 3 of 9 bits and 4 of 18.
    """
    bits = width - width // 9
    words = "".join(f"{number % 8:0{bits}b}" for number in reversed(range(16384 // bits)))
    rows = [words[256 * row : 256 * row + 256] for row in reversed(range(64))]
    settings = {
        **{f"INIT_{row:02X}": text for row, text in enumerate(rows)},
        **{f"INITP_{row:02X}": "0" * 256 for row in range(8)},
        "RAM_MODE": "TDP",
        "DOA_REG": "0",
        "READ_WIDTH_A": f"{width:b}",
        "READ_WIDTH_B": "0",
        "WRITE_WIDTH_B": "0",
    }
    address: list[int | str] = ["0"] * 14
    address[lowest + place] = 5
    pins = {
        "CLKARDCLK": [2],
        "ENARDEN": ["1"],
        "ADDRARDADDR": address,
        "DOADO": [*range(10, 10 + bits)],
        "DOPADOP": [*range(30, 30 + width // 9)],
    }
    cells = [toggle(5, 6), lut(6, [5], "01"), ("RAMB18E1", settings, pins)]
    cycles, settled, *_ = run(cells, 100)
    expected = [cycles if bit == place else 0 for bit in range(bits)]
    assert [int(settled[10 + bit]) for bit in range(bits)] == expected


def test_what_has_no_activity_is_refused() -> None:
    top = {"aclk": {"direction": "input", "bits": [2]}}
    netlist: Any = {"modules": {"m": {"attributes": {"top": "1"}, "ports": top, "cells": {}}}}
    cells = netlist["modules"]["m"]["cells"]
    cells["c"] = {"type": "LUT7", "parameters": {}, "connections": {}}
    with pytest.raises(ToolError, match="no activity of the cell LUT7"):
        netlist_nodes(netlist, DELAYS, NO_WIRES, "aclk")
    cells["c"] = toggle(3, 4)
    cells["c"] = dict(zip(("type", "parameters", "connections"), cells["c"], strict=True))
    cells["c"]["connections"]["C"] = [4]
    with pytest.raises(ToolError, match="another clock"):
        netlist_nodes(netlist, DELAYS, NO_WIRES, "aclk")


def test_wide_ports_are_driven() -> None:
    """Random operands through the stream: every word of every port is in its place."""
    draw = Random(1)
    model = activity(select("T2", width=64), "ecp5-85f")
    with Device(SimulationTransport(model.library, Face.STREAM)) as core:
        for _ in range(3):
            modulus = draw.getrandbits(64) | 1
            core.load_key(modulus, 3)
            base = draw.randrange(modulus)
            assert core.exponentiate(base).result == pow(base, 3, modulus)
