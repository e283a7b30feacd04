"""Cocotb bench for every core that keeps the modexp contract, and the cases each has to pass."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.handle import ArrayObject, HierarchyArrayObject, HierarchyObject
from cocotb.triggers import ClockCycles, FallingEdge, ReadOnly, RisingEdge
from cocotb.utils import get_sim_time
from tests.rtl.clocked import Started, elapse, pulse
from tests.rtl.packed import Packed

from totient.catalog import Configuration, Operation, designs
from totient.common.contract import ErrorCode

PERIOD = 10  # ns
LONGEST_SIMULATED = 512
LOAD_KEY, EXPONENTIATE = 0, 1
MODULUS, EXPONENT, BASE = range(3)

# Bits of the fields of `modexp_request_t` and `modexp_response_t` (rtl/modexp/modexp_pkg.sv).
REQUEST = {
    "write": 1,
    "write_operand": 2,
    "write_lane": 8,
    "write_index": 7,
    "write_word": 32,
    "req_valid": 1,
    "req_op": 1,
    "exponent_bits": 13,
    "last_lane": 8,
    "rsp_ready": 1,
    "result_lane": 8,
    "result_index": 7,
}
LANE_FIELDS = ("write_lane", "last_lane", "result_lane")
RESPONSE = {"req_ready": 1, "rsp_valid": 1, "rsp_error": 4, "rsp_cycles": 64, "result_word": 32}


TESTS = __name__
"""What `run_cocotb` gets: the cocotb tests here are those of every core."""


def cases(chosen: Mapping[str, tuple[dict[str, int], Sequence[int]]]) -> list[Any]:
    """Parameters of a core: those with a name, at each of the widths that stand beside them."""
    return [
        pytest.param({"Width": width, **parameters}, id=f"{width}-{name}")
        for name, (parameters, widths) in chosen.items()
        for width in widths
    ]


@dataclass(frozen=True)
class Response:
    """What the core answered, a result for each lane, and the cycles that the bench counted."""

    error: int
    results: tuple[int, ...]
    cycles: int
    counted: int


@dataclass(frozen=True)
class Key:
    """Operands of a key load."""

    modulus: int
    exponent: int
    bits: int


class Bench(Started):
    """Drives a modexp core; `pause` is the chance of holding a handshake back in a cycle."""

    def __init__(self, dut: Any, pause: float = 0.0) -> None:
        self.dut = dut
        self.request = Packed(dut.request_i, REQUEST)
        self.response = Packed(dut.response_o, RESPONSE)
        self.pause = pause
        self.width = int(dut.Width.value)
        self.words = -(-self.width // 32)
        self.has_lanes = hasattr(dut, "Lanes")
        self.lanes = int(dut.Lanes.value) if self.has_lanes else 1
        self.configuration = configuration_of(dut)
        # Repeated multiplication takes as many products as the exponent's value; a wide core's
        # full-length exponents are left to `totient check`, which simulates much faster.
        self.is_wide = self.width > LONGEST_SIMULATED
        short = self.configuration.design.name == "repeated" or self.is_wide
        self.longest_exponent = 5 if short else self.width
        self.random = random.Random(self.width)
        self.key: Key | None = None

    async def start(self) -> None:
        """Start the clock and reset the core."""
        Clock(self.dut.clk_i, PERIOD, "ns").start()
        self.dut.clear_i.value = 0
        self.request.drive(**dict.fromkeys(REQUEST, 0))
        await self.reset()

    def lane_fields(self, write: int, last: int, result: int) -> None:
        """Drive the fields for lanes; to a core without them they must not matter."""
        lanes = [write, last, result]
        if not self.has_lanes:
            lanes = [self.random.getrandbits(self.request.bits("last_lane")) for _ in lanes]
        self.request.drive(**dict(zip(LANE_FIELDS, lanes, strict=True)))

    async def reset(self) -> None:
        """Reset for two cycles; the core forgets its key."""
        await FallingEdge(self.dut.clk_i)
        self.request.drive(req_valid=0)
        self.dut.rst_ni.value = 0
        await elapse(self.dut, 2)
        self.dut.rst_ni.value = 1
        self.key = None

    async def clear(self) -> None:
        """Pulse `clear_i`; a request that was offered is withdrawn."""
        await FallingEdge(self.dut.clk_i)
        self.request.drive(req_valid=0)
        await pulse(self.dut, "clear")
        self.key = None

    async def idle(self) -> None:
        """Wait until the core is ready, so that the bench can count from its request on."""
        while not self.response["req_ready"]:
            await FallingEdge(self.dut.clk_i)

    async def write(self, operand: int, value: int, lane: int = 0) -> None:
        """Write an operand into the core's memory, in any order of its words."""
        places = list(range(self.words))
        self.random.shuffle(places)
        self.lane_fields(lane, 0, 0)
        for place in places:
            word = value >> 32 * place & 0xFFFFFFFF
            self.request.drive(write=1, write_operand=operand, write_index=place, write_word=word)
            await FallingEdge(self.dut.clk_i)
            self.request.drive(write=0)
            while self.random.random() < self.pause:
                await FallingEdge(self.dut.clk_i)

    async def offer(
        self,
        op: int,
        modulus: int = 0,
        exponent: int = 0,
        bits: int = 0,
        bases: Sequence[int] = (0,),
    ) -> None:
        """Write the operands and offer a request, from the next falling edge on."""
        await FallingEdge(self.dut.clk_i)
        await self.idle()
        if op == LOAD_KEY:
            await self.write(MODULUS, modulus)
            await self.write(EXPONENT, exponent)
        else:
            for lane, base in enumerate(bases):
                await self.write(BASE, base, lane)
        self.lane_fields(0, len(bases) - 1, 0)
        self.request.drive(req_op=op, exponent_bits=bits, req_valid=1)

    async def finish(self) -> Response:
        """Take the handshake of the offered request and its response."""
        offered = get_sim_time("ns")
        await ReadOnly()
        assert self.response["req_ready"], "an idle core is not ready"
        await RisingEdge(self.dut.clk_i)
        await FallingEdge(self.dut.clk_i)
        # What other fields hold after the handshake must not matter.
        others = {
            name: self.random.getrandbits(self.request.bits(name))
            for name in ("write_word", "exponent_bits")
        }
        self.request.drive(req_valid=0, **others)
        await ReadOnly()
        if not self.response["rsp_valid"]:
            await RisingEdge(self.response.bit("rsp_valid"))
            await FallingEdge(self.dut.clk_i)
            await ReadOnly()
        counted = round((get_sim_time("ns") - offered) / PERIOD)
        response = await self._read(counted)
        while self.random.random() < self.pause:
            again = await self._read(counted)
            assert again == response, "the response changed before it was taken"
        self.request.drive(rsp_ready=1)
        await FallingEdge(self.dut.clk_i)
        self.request.drive(rsp_ready=0)
        await FallingEdge(self.dut.clk_i)
        assert self.response["result_word"] == 0, "a result is shown after its response"
        return response

    async def content(self) -> list[tuple[str, list[int]]]:
        """Every register and memory in the first cycle in which the core is ready again.

        With nothing on the ports, some of which registers follow.
        """
        self.request.drive(**dict.fromkeys(REQUEST, 0))
        await self.idle()
        return list(registers(self.dut))

    async def _read(self, counted: int) -> Response:
        """Read the response and the words of its results."""
        results = [0] * self.lanes
        for lane in range(self.lanes):
            for place in range(self.words):
                await FallingEdge(self.dut.clk_i)
                self.lane_fields(0, 0, lane)
                self.request.drive(result_index=place)
                await FallingEdge(self.dut.clk_i)
                results[lane] |= self.response["result_word"] << 32 * place
        return Response(
            self.response["rsp_error"], tuple(results), self.response["rsp_cycles"], counted
        )

    async def load_key(self, key: Key, error: int = ErrorCode.OK) -> None:
        """Load a key; check error code and cycles."""
        await self.offer(LOAD_KEY, modulus=key.modulus, exponent=key.exponent, bits=key.bits)
        response = await self.finish()
        assert response.error == error, f"{key}: error {response.error}, not {error}"
        assert response.cycles == response.counted
        assert not any(response.results), "a key load shows a result"
        self.key = None
        if error == ErrorCode.OK:
            self.key = key
            assert response.cycles == self.configuration.setup_cycles(key.modulus, key.bits), key

    async def exponentiate(self, *bases: int, error: int = ErrorCode.OK) -> None:
        """Exponentiate; check error code, results against Python's `pow`, and cycles."""
        await self.offer(EXPONENTIATE, bases=bases)
        response = await self.finish()
        assert response.error == error, f"bases {bases}: error {response.error}, not {error}"
        assert response.cycles == response.counted
        assert error == ErrorCode.OK or not any(response.results), "a refusal shows a result"
        if error == ErrorCode.OK:
            assert self.key is not None
            exponent = self.key.exponent & ((1 << self.key.bits) - 1)
            n = self.key.modulus
            for base, result in zip(bases, response.results, strict=False):
                assert result == pow(base, exponent, n), f"{base} ^ {exponent} mod {n}"
            assert response.cycles == self.configuration.operation_cycles(
                Operation(n, exponent, self.key.bits, bases[0], len(bases))
            ), f"{bases} ^ {exponent} mod {n}"


def registers(handle: Any) -> Iterator[tuple[str, list[int]]]:
    """Path and words of every register and memory below a module."""
    for child in handle:
        if isinstance(child, HierarchyObject | HierarchyArrayObject):
            yield from registers(child)
        elif child._name.endswith("_q") or child._name == "memory":
            words = child if isinstance(child, ArrayObject) else [child]
            yield child._path, [int(word.value) for word in words]


def configuration_of(dut: Any) -> Configuration:
    """The catalog's configuration of the core under test."""
    design = next(d for d in designs() if d.module == dut._name)
    return design.configure({p.name: int(getattr(dut, p.rtl).value) for p in design.parameters})


def random_odd(source: random.Random, bits: int) -> int:
    """An odd number of exactly `bits` bits, at least 2."""
    return source.getrandbits(bits) | 1 | 1 << (bits - 1)


def moduli(bench: Bench) -> Iterator[int]:
    """Corner moduli: the smallest, the largest, around powers of two, and random ones."""
    width, source = bench.width, bench.random
    yield 3
    yield (1 << width) - 1
    yield (1 << (width - 1)) + 1
    yield (1 << (width - 1)) - 1
    yield (1 << (width // 2)) + 1
    yield random_odd(source, width)
    yield random_odd(source, max(2, width // 2))


def bases(bench: Bench, n: int) -> list[int]:
    """Corner bases below `n` and a random one."""
    return sorted({0, 1, 2 % n, n - 2, n - 1, n // 2, bench.random.randrange(n)})


def keys(bench: Bench, n: int) -> Iterator[Key]:
    """Corner exponents and lengths for a modulus."""
    limit = bench.longest_exponent
    yield Key(n, 0, 1)
    yield Key(n, 1, 1)
    yield Key(n, 0, limit)
    yield Key(n, 1, limit)
    yield Key(n, (1 << limit) - 1, limit)
    yield Key(n, 1 << (limit - 1), limit)
    # Bits above the stated length must not count.
    yield Key(n, (1 << bench.width) - 1, min(3, bench.width))
    bits = bench.random.randint(1, limit)
    yield Key(n, bench.random.getrandbits(bits), bits)


@cocotb.test()
async def corner_cases(dut: Any) -> None:
    """Corner moduli, exponents and bases, on one core without a reset between them.

    Of a wide core every modulus has a third of the exponents, every exponent two moduli or more.
    """
    bench = await Bench.started(dut)
    for number, n in enumerate(moduli(bench)):
        for key in list(keys(bench, n))[number % 3 :: 3] if bench.is_wide else keys(bench, n):
            await bench.load_key(key)
            for base in bench.random.sample(bases(bench, n), 1 if bench.is_wide else 2):
                await bench.exponentiate(base)


@cocotb.test()
async def random_cases(dut: Any) -> None:
    """Random operands with random pauses on both sides; several bases a key."""
    bench = await Bench.started(dut, pause=0.4)
    for _ in range(3 if bench.is_wide else 8):
        n = random_odd(bench.random, bench.random.randint(2, bench.width))
        bits = bench.random.randint(1, bench.longest_exponent)
        await bench.load_key(Key(n, bench.random.getrandbits(bits), bits))
        for base in (bench.random.randrange(n), bench.random.randrange(n)):
            await bench.exponentiate(base)


@cocotb.test()
async def refusals(dut: Any) -> None:
    """Every error code, and the core's readiness after each."""
    bench = await Bench.started(dut)
    good = Key(random_odd(bench.random, bench.width), 5, 3)
    await bench.exponentiate(0, error=ErrorCode.NO_KEY)
    largest = (1 << bench.width) - 1
    for bad, error in (
        (Key(good.modulus, 5, 0), ErrorCode.EXPONENT_EMPTY),
        (Key(0, 5, 3), ErrorCode.MODULUS_SMALL),
        (Key(1, 5, 3), ErrorCode.MODULUS_SMALL),
        (Key(2, 5, 3), ErrorCode.MODULUS_EVEN),
        (Key(largest - 1, 5, 3), ErrorCode.MODULUS_EVEN),
        (Key(1 << (bench.width - 1), 5, 3), ErrorCode.MODULUS_EVEN),
        (Key(0, 5, 0), ErrorCode.EXPONENT_EMPTY),
    ):
        await bench.load_key(bad, error)
        await bench.exponentiate(1, error=ErrorCode.NO_KEY)
        await bench.load_key(good)
        await bench.exponentiate(2)
    if bench.width & (bench.width + 1):  # otherwise the core's length has no such bit
        await bench.load_key(Key(good.modulus, 5, bench.width + 1), ErrorCode.LENGTH)
        await bench.load_key(good)
    for base in {good.modulus, largest}:
        await bench.exponentiate(base, error=ErrorCode.BASE_NOT_BELOW)
        await bench.exponentiate(good.modulus - 1)


@cocotb.test()
async def interruptions(dut: Any) -> None:
    """Reset and clear at many moments; what follows is right, and nothing of the key is left."""
    bench = await Bench.started(dut)
    new = dict(await bench.content())  # without a key
    n = random_odd(bench.random, bench.width)
    key = Key(n, 0b1011, 4)
    longest = bench.configuration.setup_cycles(n, key.bits) + bench.configuration.operation_cycles(
        Operation(n, key.exponent, key.bits, n - 1)
    )
    for stop in (bench.reset, bench.clear):
        for _ in range(12):
            await bench.load_key(key)
            await bench.offer(
                *bench.random.choice(
                    [(LOAD_KEY,), (EXPONENTIATE,)],
                ),
                modulus=n,
                exponent=key.exponent,
                bits=key.bits,
                bases=(n - 1,),
            )
            await ClockCycles(dut.clk_i, bench.random.randrange(1, longest))
            await stop()
            left = {path for path, words in await bench.content() if words != new[path]}
            assert not left, f"something of a key is left in {sorted(left)}"
            await bench.exponentiate(1, error=ErrorCode.NO_KEY)
            await bench.load_key(key)
            await bench.exponentiate(n - 2)


@cocotb.test()
async def several_bases(dut: Any) -> None:
    """Requests of one to all lanes' bases, one of them bad, and what is left of the others."""
    bench = Bench(dut, pause=0.2)
    if not bench.has_lanes:
        return
    await bench.start()
    for _ in range(3):
        n = random_odd(bench.random, bench.random.choice([bench.width, bench.width // 2]))
        bits = bench.random.randint(1, min(40, bench.width))
        await bench.load_key(Key(n, bench.random.getrandbits(bits), bits))
        for count in {1, min(2, bench.lanes), bench.lanes}:
            drawn = [bench.random.choice([0, 1, n - 1, *range(2, 6)]) % n for _ in range(count)]
            drawn[-1] = bench.random.randrange(n)
            await bench.exponentiate(*drawn)
            if n < 1 << bench.width:
                drawn[bench.random.randrange(count)] = bench.random.choice([n, n + 1])
                await bench.exponentiate(*drawn, error=ErrorCode.BASE_NOT_BELOW)
