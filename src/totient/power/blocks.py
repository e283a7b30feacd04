"""Multipliers and memories of a netlist as nodes of the event-driven simulation."""

from collections.abc import Callable, Mapping, Sequence

from totient.common.errors import ToolError
from totient.power.nodes import Cell, Nodes, require, setting, whole

_PRODUCT, _PRODUCT_AND_C = [1, 0, 1, 0, 0, 0, 0], [1, 0, 1, 0, 1, 1, 0]  # OPMODE


def _multiplier(
    nodes: Nodes,
    a: list[int],
    b: list[int],
    added: list[int],
    product: list[int],
    signed: tuple[bool, bool],
    stages: Sequence[tuple[bool, int, int]],
) -> None:
    """Add a multiplier: a b + added. `stages`: register, enable and reset of a, b, a b, the sum."""
    for net in product:
        nodes.kinds[net] = "multiplier"
    delay = nodes.delay(0.1 if any(on for on, *_ in stages[2:]) else nodes.times.multiplier)
    nodes.add(
        "M", delay, *signed, *(word for stage in stages for word in stage), a, b, added, product
    )


def _dsp48e1(nodes: Nodes, cell: Cell) -> None:
    mode = nodes.inputs(cell, "OPMODE", 7)
    others = [*nodes.inputs(cell, "ALUMODE", 4), *nodes.inputs(cell, "INMODE", 5)]
    if mode not in (_PRODUCT, _PRODUCT_AND_C) or any([*others, nodes.pin(cell, "CARRYIN")]):
        raise ToolError("DSP48E1: no activity of anything but a product, or one and C")
    if mode == _PRODUCT_AND_C and whole(cell, "CREG", 1):
        raise ToolError("DSP48E1: no activity with a register of C")
    require(cell, "USE_DPORT", "FALSE", "FALSE")
    stages = []
    for name, enable in (("AREG", "CEA2"), ("BREG", "CEB2"), ("MREG", "CEM"), ("PREG", "CEP")):
        if (registers := whole(cell, name)) > 1:
            raise ToolError(f"DSP48E1: no activity with {name} = {registers}")
        stages.append((registers == 1, nodes.pin(cell, enable), nodes.pin(cell, f"RST{name[0]}")))
    a, b = nodes.inputs(cell, "A", 25), nodes.inputs(cell, "B", 18)
    added = nodes.inputs(cell, "C", 48) if mode == _PRODUCT_AND_C else []
    _multiplier(nodes, a, b, added, nodes.outputs(cell, "P", 48), (True, True), stages)


def _mult18x18d(nodes: Nodes, cell: Cell) -> None:
    if any(nodes.pin(cell, pin) for pin in ("SIGNEDA", "SIGNEDB", "SOURCEA", "SOURCEB")):
        raise ToolError("MULT18X18D: no activity of anything but a plain product")
    stages = []
    for name in ("INPUTA", "INPUTB", "PIPELINE", "OUTPUT"):
        clock = setting(cell, f"REG_{name}_CLK", "NONE")
        if clock == "NONE":
            stages.append((False, 1, 0))
            continue
        nodes.clocked(cell, clock)
        enable = nodes.pin(cell, setting(cell, f"REG_{name}_CE", "CE0"))
        stages.append((True, enable, nodes.pin(cell, setting(cell, f"REG_{name}_RST", "RST0"))))
    a, b = ([nodes.pin(cell, f"{pin}{i}") for i in range(18)] for pin in "AB")
    product = [nodes.outputs(cell, f"P{i}", 1)[0] for i in range(36)]
    _multiplier(nodes, a, b, [], product, (False, False), stages)


def _memory(
    nodes: Nodes,
    *,
    write: list[int],
    read: list[int],
    data: list[int],
    out: list[int],
    lanes: list[int],
    words: Sequence[str] = (),
    clocked: bool = False,
    registered: bool = False,
    enables: tuple[int, int] = (1, 1),
) -> None:
    """Add a memory. `words` are texts of bits; random bits follow where they end."""
    for net in out:
        nodes.kinds[net] = "block memory" if clocked else "memory"
    delay = nodes.delay(nodes.times.register if clocked else nodes.times.memory, out[0])
    nodes.add(
        *("R", delay, clocked, registered, *enables),
        *(write, read, data, out, lanes, *words),
    )


def _dpr16x4(nodes: Nodes, cell: Cell) -> None:
    nodes.clocked(cell, "WCK")
    require(cell, "WCKMUX", "WCK", "WCK")
    require(cell, "WREMUX", "WRE", "WRE")
    _memory(
        nodes,
        write=nodes.inputs(cell, "WAD", 4),
        read=nodes.inputs(cell, "RAD", 4),
        data=nodes.inputs(cell, "DI", 4),
        out=nodes.outputs(cell, "DO", 4),
        lanes=[nodes.pin(cell, "WRE")],
    )


def _four_ports(address: int, bits: int) -> Callable[[Nodes, Cell], None]:
    """RAM32M or RAM64M: four memories with the write address of the last one."""

    def make(nodes: Nodes, cell: Cell) -> None:
        nodes.clocked(cell, "WCLK")
        for part in "ABCD":
            if f"DO{part}" in cell["connections"]:
                _memory(
                    nodes,
                    write=nodes.inputs(cell, "ADDRD", address),
                    read=nodes.inputs(cell, f"ADDR{part}", address),
                    data=nodes.inputs(cell, f"DI{part}", bits),
                    out=nodes.outputs(cell, f"DO{part}", bits),
                    lanes=[nodes.pin(cell, "WE")],
                )

    return make


def _shift_register(nodes: Nodes, cell: Cell) -> None:
    nodes.clocked(cell, "CLK")
    if cell["type"] == "SRL16E":
        address = [nodes.pin(cell, f"A{place}") for place in range(4)]
    else:
        address = nodes.inputs(cell, "A", 5)
    (out,), last = nodes.outputs(cell, "Q", 1), nodes.pin(cell, "Q31")
    for net in (out, last):
        nodes.kinds[net] = "memory"
    delay = nodes.delay(nodes.times.memory, out)
    data, enable = nodes.pin(cell, "D"), nodes.pin(cell, "CE", 1)
    nodes.add("S", delay, out, last, data, enable, setting(cell, "INIT", "x"), address)


def _ramb18e1(nodes: Nodes, cell: Cell) -> None:
    """Port A reads, port B writes; or port A alone reads."""
    require(cell, "RAM_MODE", "TDP", "TDP")
    width = whole(cell, "READ_WIDTH_A")
    if whole(cell, "READ_WIDTH_B") or whole(cell, "WRITE_WIDTH_B") not in (0, width):
        raise ToolError("RAMB18E1: no activity of anything but words of one width from port A")
    bits, ninths = _split("RAMB18E1", width)
    low = bits.bit_length() - 1
    nodes.clocked(cell, "CLKARDCLK")
    out = _bytes(nodes.outputs(cell, "DOADO", bits), nodes.outputs(cell, "DOPADOP", ninths))
    lanes: list[int] = []
    enable = nodes.pin(cell, "ENBWREN")
    if whole(cell, "WRITE_WIDTH_B") and enable:
        nodes.clocked(cell, "CLKBWRCLK")
        writes = nodes.inputs(cell, "WEBWE", max(1, ninths))
        lanes = [nodes.both([enable, each]) for each in writes]
    _memory(
        nodes,
        write=nodes.inputs(cell, "ADDRBWRADDR", 14)[low:],
        read=nodes.inputs(cell, "ADDRARDADDR", 14)[low:],
        data=_bytes(nodes.inputs(cell, "DIBDI", bits), nodes.inputs(cell, "DIPBDIP", ninths)),
        out=out,
        lanes=lanes,
        words=_series7_words(cell, width),
        clocked=True,
        registered=whole(cell, "DOA_REG") == 1,
        enables=(nodes.pin(cell, "ENARDEN"), nodes.pin(cell, "REGCEAREGCE")),
    )


def _split(kind: str, width: int) -> tuple[int, int]:
    """Bits of a word without ninth bits, and their number: 1, 2 and 4 bits have none."""
    if width not in (1, 2, 4, 9, 18):
        raise ToolError(f"{kind}: no activity of words of {width} bits")
    ninths = width // 9
    return width - ninths, ninths


def _bytes(data: list[int], ninths: list[int]) -> list[int]:
    """Bits of a word, the ninth bit of each byte behind it; a narrow word has none."""
    if not ninths:
        return data
    return [
        net
        for place, ninth in enumerate(ninths)
        for net in (*data[8 * place : 8 * place + 8], ninth)
    ]


def _series7_words(cell: Cell, width: int) -> list[str]:
    """Content of a RAMB18E1; empty if it is open."""
    if "INIT_00" not in cell["parameters"]:
        return []
    if width < 9:
        if any("1" in str(v) for name, v in cell["parameters"].items() if name.startswith("INIT_")):
            raise ToolError(f"RAMB18E1: no activity of words of {width} bits with a content")
        return []
    data = "".join(str(cell["parameters"][f"INIT_{i:02X}"]) for i in reversed(range(64)))[::-1]
    ninths = "".join(str(cell["parameters"][f"INITP_{i:02X}"]) for i in reversed(range(8)))[::-1]
    each = [data[8 * i : 8 * i + 8] + ninths[i] for i in range(2048)]
    return _joined(each, width)


def _joined(each: Sequence[str], width: int) -> list[str]:
    """Words of some bytes of nine bits each, lowest bit first, as texts with it last."""
    step = width // 9
    return ["".join(each[i : i + step])[::-1] for i in range(0, len(each), step)]


def _dp16kd(nodes: Nodes, cell: Cell) -> None:
    """Port A writes, port B reads."""
    width = whole(cell, "DATA_WIDTH_B")
    if whole(cell, "DATA_WIDTH_A") != width:
        raise ToolError("DP16KD: no activity with two widths of words")
    bits, ninths = _split("DP16KD", width)
    nodes.clocked(cell, "CLKB")
    chosen = [nodes.pin(cell, f"CS{port}{i}") for port in "AB" for i in range(3)]
    if any(chosen) or nodes.pin(cell, "WEB") or nodes.pin(cell, "RSTA") or nodes.pin(cell, "RSTB"):
        raise ToolError("DP16KD: no activity with a chip select, a reset, or writes at port B")
    low = bits.bit_length() - 1
    address = {port: [nodes.pin(cell, f"AD{port}{i}") for i in range(14)] for port in "AB"}
    lanes: list[int] = []
    if (enable := nodes.both([nodes.pin(cell, "CEA", 1), nodes.pin(cell, "WEA")])) != 0:
        nodes.clocked(cell, "CLKA")
        lanes = [nodes.both([enable, each]) for each in address["A"][:2]]
        lanes = lanes if width > 9 else [enable]
    content = [name for name in cell["parameters"] if name.startswith("INITVAL_")]
    text = "".join(str(cell["parameters"][name]) for name in sorted(content, reverse=True))[::-1]
    if "1" in text and not ninths:
        raise ToolError(f"DP16KD: no activity of words of {width} bits with a content")
    each = [text[20 * i + 9 * j : 20 * i + 9 * j + 9] for i in range(1024) for j in (0, 1)]
    _memory(
        nodes,
        write=address["A"][low:],
        read=address["B"][low:],
        data=[nodes.pin(cell, f"DIA{i}") for i in range(width)],
        out=[nodes.outputs(cell, f"DOB{i}", 1)[0] for i in range(width)],
        lanes=lanes,
        words=_joined(each, width) if "1" in text else (),
        clocked=True,
        registered=setting(cell, "REGMODE_B", "NOREG") == "OUTREG",
        enables=(nodes.pin(cell, "CEB", 1), nodes.pin(cell, "OCEB", 1)),
    )


BLOCKS: Mapping[str, Callable[[Nodes, Cell], None]] = {
    "DSP48E1": _dsp48e1,
    "MULT18X18D": _mult18x18d,
    "TRELLIS_DPR16X4": _dpr16x4,
    "RAM32M": _four_ports(5, 2),
    "RAM64M": _four_ports(6, 1),
    "SRL16E": _shift_register,
    "SRLC32E": _shift_register,
    "RAMB18E1": _ramb18e1,
    "DP16KD": _dp16kd,
}
"""Multipliers and memories, by type of cell."""
