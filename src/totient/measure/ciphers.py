"""Activity of published cipher cores whose RTL is not here, for a blind test of the estimate.

Their dynamic power by Vivado is published. The predictions were committed before anybody here
looked at it. It sets no weight. The activity is kept as data; with a checkout of the repository,
this counts it again, and keeps it:

    python -m totient.measure.ciphers FOLDER [NAME ...]

Needs GHDL, as the RTL is VHDL.
"""

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from totient.catalog import SourceList, Top
from totient.common.cache import digest
from totient.common.errors import InputError, ToolError
from totient.common.papers import published
from totient.flow import Rtl, find_target, tool_version
from totient.flow.vhdl import ghdl_version, verilog
from totient.measure.kept import parsing, read_kept, write_kept
from totient.measure.store import results_folder
from totient.power.by_activity import CycleEnergy, cycle_energy
from totient.power.circuits import CircuitNetlist, cells_cost, circuit_netlist
from totient.power.switching import Switching
from totient.sim import Model

_SCHEMA = 1

TARGET = find_target("artix7-100t")
"""The XC7Z010 of the repository has the same fabric."""

CLOCK_MHZ = 125.0
"""Of the test benches: a period of 8 ns."""

REPOSITORY = "github.com/Castel44/FPGA-based-platform-for-Lightweight-Cryptographic-Algorithms"
COMMIT = "d3357d545c45d7635b7d19bc52595e2216a89543"
"""The revision whose activity is kept."""

_TOP = "Testing_IP"
_LED = "led_out"


@dataclass(frozen=True)
class Vector:
    """A published test vector of a cipher.

    Attributes:
        key, plaintext, ciphertext: hexadecimal.
    """

    key: str
    plaintext: str
    ciphertext: str


_SIMON = {
    "32_64": Vector("1918111009080100", "65656877", "c69be9bb"),
    "48_96": Vector("1a19181211100a0908020100", "72696320646e", "6e06a5acf156"),
    "64_128": Vector("1b1a1918131211100b0a090803020100", "656b696c20646e75", "44c8fc20b9dfa07a"),
    "128_128": Vector(
        "0f0e0d0c0b0a09080706050403020100",
        "63736564207372656c6c657661727420",
        "49681b1e1e54fe3f65aa832af84e0bbc",
    ),
}
_SIMECK = {
    "32_64": Vector("1918111009080100", "65656877", "770d2c76"),
    "48_96": Vector("1a19181211100a0908020100", "72696320646e", "f3cf25e33b36"),
    "64_128": Vector("1b1a1918131211100b0a090803020100", "656b696c20646e75", "45ce69025f7ab7ed"),
}
_SKINNY = {
    "64_64": Vector("f5269826fc681238", "06034f957724d19d", "bb39dfb2429b8ac7"),
    "64_128": Vector("9eb93640d088da6376a39d1c8bea71e1", "cf16cfe8fd0f98aa", "6ceda1f43de92b9e"),
    "128_128": Vector(
        "4f55cfb0520cac52fd92c15f37073e93",
        "f20adb0eb08b648a3b2eeed1f0adda14",
        "22ff30d498ea62d7e45b476e33675b74",
    ),
}
_SKINNY["128_64"] = _SKINNY["64_128"]  # the parallel core's folder has the sizes the other way

DESIGNS: Mapping[str, Vector] = {
    "AES_standard": Vector(
        "5468617473206d79204b756e67204675",
        "54776f204f6e65204e696e652054776f",
        "29c3505f571420f6402299b31a02d73a",
    ),
    **{f"Simeck_{size}_parallel": vector for size, vector in _SIMECK.items()},
    **{f"Simon_{size}_parallel": vector for size, vector in _SIMON.items()},
    **{f"Skinny_{s}_parallel": _SKINNY[s] for s in ("64_64", "128_64", "128_128")},
    **{f"Simeck_{size}_serial": vector for size, vector in _SIMECK.items()},
    **{f"Simon_{size}_serial": vector for size, vector in _SIMON.items()},
    **{f"Skinny_{s}_serial": _SKINNY[s] for s in ("64_64", "64_128", "128_128")},
}
"""The designs by the name of their folder, and what their test benches encrypt: the vectors of the
ciphers' papers (eprint 2013/404, 2015/612, 2016/660), for AES one of our own check. The serial ones
come last: they are made of shift registers."""

RESET_CYCLE, START_CYCLE = 1, 12
"""Cycles of a test bench in which `rst` and `start` are 1, counted from 0: all 21 are alike. One
cycle, a reset, ten idle cycles, a start; until the LED is on, then one cycle more."""

_AFTER = 3  # cycles behind that of the edge that turns the LED on
_LONGEST = 20_000
_WRONG_KEY = 4  # times the cycles until the LED is on, without it with another key


@dataclass(frozen=True)
class CipherActivity:
    """Activity of a core in the window of its test bench.

    Attributes:
        name: of `DESIGNS`.
        lit: the cycle, from 0, whose edge turns the LED on: the ciphertext is right.
        cells: of the netlist, by type.
        vhdl: digest of the VHDL files.
        sources: digest of the Verilog made of them, without comments.
        tools: versions.
        switching: from the first cycle of the window to the last.
    """

    name: str
    lit: int
    cells: Mapping[str, int]
    vhdl: str
    sources: str
    tools: Mapping[str, str]
    switching: Switching = field(repr=False)

    @property
    def luts(self) -> int:
        """Look-up tables, shift registers made of them included."""
        return cells_cost(self.cells, TARGET).lut

    @property
    def registers(self) -> int:
        """Flip-flops."""
        return cells_cost(self.cells, TARGET).ff

    @property
    def energy(self) -> CycleEnergy:
        """Predicted dynamic energy of a cycle."""
        return cycle_energy(self.switching, TARGET)

    @property
    def watts(self) -> float:
        """Predicted dynamic power at `CLOCK_MHZ`, the mean of the window."""
        return self.energy.total * CLOCK_MHZ * 1e6

    def to_json(self) -> dict[str, Any]:
        """The activity as JSON."""
        return {**vars(self), "switching": self.switching.to_json()}


def window(lit: int) -> int:
    """Cycles of a test bench.

    One cycle, as the LED's pin is late: from a clock's pin to an output's it takes more than 4 ns
    on this device, and the test bench looks 4 ns behind the edge, then 8 ns later. One cycle that
    it waits then. One more, as the process of the clock does not see at once that it is to stop.

    Args:
        lit: the cycle whose edge turns the LED on.
    """
    return lit + 1 + _AFTER


def _path() -> Path:
    return results_folder() / "activity" / "circuits" / "ciphers.json"


def kept_ciphers() -> Sequence[CipherActivity]:
    """The committed activity, in the order of `DESIGNS`.

    Raises:
        InputError: the file is damaged or of another schema.
    """
    return read_kept(_path(), _parse)


def _parse(text: str) -> Sequence[CipherActivity]:
    with parsing(text, _SCHEMA, "activity of cipher cores") as data:
        return tuple(
            CipherActivity(**{**each, "switching": Switching.from_json(each["switching"])})
            for each in data["designs"]
        )


def save_ciphers(found: Iterable[CipherActivity]) -> Path:
    """Write the activity, a line a design, and return the file."""
    head = {"schema": _SCHEMA, "repository": REPOSITORY, "commit": COMMIT}
    lines = ",\n".join(json.dumps(each.to_json()) for each in found)
    start = json.dumps(head, indent=1).removesuffix("\n}")
    return write_kept(_path(), f'{start},\n "designs": [\n{lines}\n ]\n}}\n')


@dataclass(frozen=True)
class PublishedActivity:
    """What Vivado states for a core.

    Attributes:
        clock, logic, signals: parts of the dynamic power of the core's supply, in mW.
        register_transitions: of the outputs of flip-flops, a clock cycle.
    """

    clock: float
    logic: float
    signals: float
    register_transitions: float

    @property
    def watts(self) -> float:
        """Dynamic power of the core's supply without the pins' part."""
        return (self.clock + self.logic + self.signals) * 1e-3


def published_activity(name: str = "ciphers") -> Mapping[str, PublishedActivity]:
    """Published dynamic power and activity by design.

    Args:
        name: of the file in `results/published`, without its ending.

    Raises:
        ToolError: the file is missing or damaged, a design is unknown, or has other parts.
    """
    designs = published(name).get("designs", {})
    parts = {each.name for each in fields(PublishedActivity)}
    for design, found in designs.items():
        if design not in DESIGNS or set(found) != parts:
            raise ToolError(f"{name}.toml: unknown design or parts of {design}")
    return {design: PublishedActivity(**found) for design, found in designs.items()}


def cipher_activity(folder: Path, name: str) -> CipherActivity:
    """Synthesise a core for the Artix-7 and count the transitions in its test bench's window.

    The LED is on if the ciphertext is the one that the RTL states, which must be that of the
    published vector. With another key it must stay off.

    Args:
        folder: a checkout of the repository.
        name: of `DESIGNS`.

    Raises:
        InputError: the design is unknown, or not in the folder.
        ToolError: a tool failed, or the netlist gave a wrong result.
    """
    if name not in DESIGNS:
        raise InputError(f"no design {name}, allowed are {', '.join(DESIGNS)}")
    texts = _vhdl(folder, name)
    rtl = _rtl(texts)
    made = _netlist(rtl)
    lit, counted = _run(made, _LONGEST)
    if lit is None:
        raise ToolError(f"{name}: the netlist gave a wrong ciphertext or none")
    if counted.cycles != window(lit):
        raise ToolError(f"{name}: counted {counted.cycles} cycles in place of {window(lit)}")
    other = _netlist(_rtl(_with_another_key(texts, name)))
    if _run(other, _WRONG_KEY * lit)[0] is not None:
        raise ToolError(f"{name}: the netlist says that the ciphertext of another key is right")
    return CipherActivity(
        name,
        lit,
        made.cells,
        digest(json.dumps(texts, sort_keys=True)),
        rtl.digest,
        {"ghdl": ghdl_version(), "pyosys": tool_version("pyosys")},
        counted,
    )


def _vhdl(folder: Path, name: str) -> dict[str, str]:
    """Texts of a design's VHDL files; its constants must be those of the vector."""
    sources = sorted(folder.glob(f"*/{name}/*.srcs/sources_1"))
    if len(sources) != 1:
        raise InputError(f"no folder {name}/*.srcs/sources_1 in a folder of {folder}")
    texts = {
        str(path.relative_to(sources[0])): path.read_text(encoding="latin-1")
        for path in sources[0].rglob("*.vhd")
        if not path.stem.endswith("_TB")
    }
    constants = re.findall(r'X"([0-9a-f]+)"', _top_of(texts)[1], re.IGNORECASE)
    stated = [each.lower() for each in constants if set(each) != {"0"}]
    vector = DESIGNS[name]
    if stated != [vector.key, vector.plaintext, vector.ciphertext]:
        raise ToolError(f"{name}: the constants are not those of the published test vector")
    return texts


def _top_of(texts: Mapping[str, str]) -> tuple[str, str]:
    """Name and text of the file of the top."""
    found = [(name, text) for name, text in texts.items() if Path(name).stem == _TOP]
    if len(found) != 1:
        raise InputError(f"{len(found)} files {_TOP}.vhd, expected one")
    return found[0]


def _with_another_key(texts: Mapping[str, str], name: str) -> dict[str, str]:
    file, text = _top_of(texts)
    key = DESIGNS[name].key
    other = f"{int(key[0], 16) ^ 1:x}{key[1:]}"
    changed = re.sub(f'X"{key}"', f'X"{other}"', text, flags=re.IGNORECASE)
    return {**texts, file: changed}


def _rtl(texts: Mapping[str, str]) -> Rtl:
    return Rtl(SourceList((verilog(texts, _TOP),), ()), _TOP, {})


def _netlist(rtl: Rtl) -> CircuitNetlist:
    top = Top("", _TOP, {}, frozenset(), _TOP, clock="clk", reset="rst", reset_level=1)
    return circuit_netlist(rtl, TARGET, top)


def _run(made: CircuitNetlist, longest: int) -> tuple[int | None, Switching]:
    """The cycle that turns the LED on, if any does, and the activity in the test bench's window."""
    model, lit = made.model, None
    with Model(model.library) as core:
        model.configure()
        model.count(True)
        for cycle in range(longest):
            model.drive("rst", cycle == RESET_CYCLE)
            model.drive("start", cycle == START_CYCLE)
            core.advance(1)
            if model.read(_LED):
                lit = cycle
                core.advance(window(cycle) - cycle - 1)
                break
        model.count(False)
        return lit, made.switching()


if __name__ == "__main__":
    again = {each.name: each for each in kept_ciphers()} if _path().exists() else {}
    for each in sys.argv[2:] or DESIGNS:
        again[each] = cipher_activity(Path(sys.argv[1]), each)
        save_ciphers(again[each] for each in DESIGNS if each in again)
