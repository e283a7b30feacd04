"""The ring of elements: passes of Montgomery steps one after another, against integers."""

import json
import os
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from tests.rtl.clocked import elapse

from totient.sim.fast import ARRAY

_WORDS = "ARRAY_WORDS"
"""Variable with the file for what comes out."""

_DELAY = 5
_INPUTS = ("ring", "start", "a", "b", "x", "t")


@dataclass(frozen=True)
class Ring:
    """The elements that a job goes through, and the registers between them."""

    bits: int
    steps: int
    links: int

    @property
    def first(self) -> int:
        """Cycles from a job's start to the first word of its result."""
        return 2 * self.steps + 6 + self.links


def rings(dut: Any) -> dict[int, Ring]:
    """The whole ring, and the shorter ones, which have a longer way out."""
    bits, elements, taps = (
        int(parameter.value) for parameter in (dut.Bits, dut.Elements, dut.Taps)
    )
    far = [i for i in range(elements) if int(dut.FarLinks.value) >> i & 1]
    found = {0: Ring(bits, elements, len(far))}
    for number in range(1, 16):
        if steps := taps >> 8 * (number - 1) & 255:
            found[number] = Ring(bits, steps, sum(i <= steps for i in far) + 2)
    return found


def passed(ring: Ring, a: int, b: int, x: int, t: int) -> int:
    """(T + A B + q M) / r^steps for M = X r^5 - 1, step by step."""
    radix = 1 << ring.bits
    for step in range(ring.steps):
        total = t + (a >> ring.bits * step) % radix * b
        t = (total >> ring.bits) + (total % radix * x << ring.bits * (_DELAY - 1))
    return t


def drawn(draw: random.Random, bits: int) -> int:
    """A number with long runs of ones and zeros now and then, where carries go far."""
    return draw.choice(
        (draw.getrandbits(bits), (1 << bits) - 1, 0, (1 << bits) - 1 ^ 1 << bits // 2)
    )


@cocotb.test()
async def passes(dut: Any) -> None:
    """Jobs as near to each other as they may be, and further; nothing else comes out."""
    Clock(dut.clk_i, 10, "ns").start()
    draw = random.Random(int(dut.Elements.value))
    for chosen, ring in rings(dut).items():
        digit = (1 << ring.bits) - 1
        given: dict[int, dict[str, int]] = {}
        expected: dict[int, int] = {}
        done: set[int] = set()
        at = 1
        for _ in range(24):
            words = max(_DELAY + 2, ring.steps) + draw.choice((0, 1, 2, 9))
            length = ring.bits * (words - 1) - 2
            a = drawn(draw, ring.bits * ring.steps)
            b, t = drawn(draw, length), drawn(draw, length)
            x = draw.choice((0, drawn(draw, length - ring.bits * _DELAY)))
            result = passed(ring, a, b, x, t)
            for name, number, first, count in (
                ("a", a, 0, ring.steps),
                ("b", b, 0, words),
                ("x", x, 6, words - _DELAY),
                ("t", t, 5, words),
            ):
                for i in range(count):
                    given.setdefault(at + first + i, {})[name] = number >> ring.bits * i & digit
            given[at]["start"] = 1
            done.add(at + ring.first - 5)
            for i in range(words - 1):
                expected[at + ring.first + i] = result >> ring.bits * i & digit
            assert result >> ring.bits * (words - 1) == 0
            at += words + draw.choice((0, 0, 1, 5))
        last = max(expected) + 2
        for name in _INPUTS:
            getattr(dut, f"{name}_i").value = 0
        dut.ring_i.value = chosen
        await elapse(dut, 3 * int(dut.Elements.value) + 20)
        for cycle in range(last):
            now = given.get(cycle, {})
            for name in _INPUTS[1:]:
                # Digits of A that no element waits for do no harm.
                none = draw.getrandbits(ring.bits) if name == "a" else 0
                getattr(dut, f"{name}_i").value = now.get(name, none)
            await FallingEdge(dut.clk_i)
            # After the cycle's edge: what is there in the next one.
            assert int(dut.done_o.value) == int(cycle + 1 in done), cycle
            if cycle + 1 in expected:
                assert int(dut.t_o.value) == expected[cycle + 1], (chosen, cycle)


@cocotb.test()
async def anything(dut: Any) -> None:
    """Any inputs at all, in no order; what comes out is kept in a file."""
    Clock(dut.clk_i, 10, "ns").start()
    draw = random.Random(int(dut.Elements.value))
    bits = int(dut.Bits.value)
    words = []
    for cycle in range(2_000):
        often = cycle // 300 % 3
        dut.ring_i.value = often if draw.random() < 0.9 else draw.randrange(16)
        dut.start_i.value = draw.random() < (0.05, 0.5)[cycle // 200 % 2]
        for name in ("a", "b", "x", "t"):
            getattr(dut, f"{name}_i").value = drawn(draw, bits)
        await FallingEdge(dut.clk_i)
        words.append((int(dut.done_o.value), int(dut.t_o.value)))
    assert {done for done, _ in words} == {0, 1}
    Path(os.environ[_WORDS]).write_text(json.dumps(words))


ARRAYS = [
    (1, (), 18, 0, 0),
    (3, (), 17, 2, 0),
    (5, (), 18, 1, 0b10010),
    (7, (4,), 17, 0, 0),
    (8, (2, 6), 18, 0, 0b11001),
    (9, (1, 8), 18, 1, 0b100000010),
    (33, (5, 12, 20, 31), 18, 0, 1 << 31 | 1 << 20 | 1 << 5),
    (18, tuple(range(3, 18)), 18, 0, 1 << 7),
]


@pytest.mark.parametrize(("elements", "taps", "bits", "form", "links"), ARRAYS)
def test_engine_array(
    run_cocotb: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    elements: int,
    taps: tuple[int, ...],
    bits: int,
    form: int,
    links: int,
) -> None:
    """The RTL, and the program that simulations have in its place, which gives the same words."""
    parameters: dict[str, int | str] = {
        "Elements": elements,
        "Bits": bits,
        "Form": form,
    }
    parameters["FarLinks"] = f"128'h{links:x}"
    parameters["Taps"] = f"120'h{int.from_bytes(bytes(taps), 'little'):x}"
    found: list[Any] = []
    for extra in ((), (ARRAY,)):
        kept = tmp_path / f"words{len(found)}"
        monkeypatch.setenv(_WORDS, str(kept))
        run_cocotb("totient:engine:engine_datapath", parameters, top="engine_array", extra=extra)
        found.append(json.loads(kept.read_text()))
    assert found[0] == found[1]
