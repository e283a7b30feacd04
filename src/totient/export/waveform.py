"""A transaction on an IP's face as a waveform, recorded from a simulation of its RTL."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from totient.catalog import Configuration, Face, IpConfiguration, Register, registers, sources
from totient.catalog.modules import register_map
from totient.report.figure import plots
from totient.sim import Model, build_listing

_TOP_ONLY = ("--trace-depth", "1")  # only its ports are used
_MESSAGE = 5  # to an IP with messages instead of packets
_INFO = 1  # request of a packet (docs/contracts.md) that every design answers, without a key
_REST = 3  # idle cycles before and after the transaction
_STILL = 6  # maximum number of drawn cycles without a change

_TICK = 5  # cycles from number to number

_CYCLE, _DIGIT = 0.26, 0.05  # inches of a cycle and of a digit

Values = Mapping[str, Sequence[int]]


@dataclass(frozen=True)
class Recording:
    """A transaction.

    Attributes:
        title: of the transaction.
        values: of each port of its face in each cycle, at the rising edge of the clock.
        bits: of each of these ports.
    """

    title: str
    values: Values
    bits: Mapping[str, int]

    @property
    def cycles(self) -> int:
        """The number of cycles."""
        return len(next(iter(self.values.values())))


def transaction(subject: Configuration | IpConfiguration, face: Face) -> Recording | None:
    """Simulate a short transaction and record it.

    It writes and reads a register if there are registers, else it exchanges a packet.

    Args:
        subject: a design or an IP.
        face: of a design.

    Returns:
        The recording; `None` for a serial line alone, where a bit takes hundreds of cycles.

    Raises:
        ToolError: the model cannot be built.
    """
    top = subject.top(face)
    if not top.faces & {Face.REGISTERS, Face.STREAM}:
        return None
    listing = sources(top.core, tool="verilator")
    library = build_listing(listing, top, visible=True, further=_TOP_ONLY)
    with Model(library) as model:
        registered = Face.REGISTERS in top.faces
        if registered:
            name, offset = _kept(model, registers(register_map(top.module)))
            model.reset()
        model.record()
        begin = model.cycles
        model.advance(_REST)
        if registered:
            model.write(offset, 1)
            model.read(offset)
            title = f"{name} is written, and read"
        else:
            is_design = isinstance(subject, Configuration)
            model.exchange([_INFO] if is_design else [_MESSAGE] + [0] * (subject.width // 32 - 1))
            what = "The info packet" if is_design else f"The message {_MESSAGE}"
            title = f"{what} and its answer"
        model.advance(_REST)
        prefixes = ("s_axil_",) if registered else ("s_axis_", "m_axis_")
        return Recording(title, *_parsed(model.recorded(), prefixes, range(begin, model.cycles)))


def _kept(model: Model, found: Mapping[str, Register]) -> tuple[str, int]:
    """Name and offset of a register that keeps a written value: the first one found by trials."""
    for name, each in found.items():
        if each.access == "rw":
            model.write(each.offset, 1)
            if model.read(each.offset) == 1:
                return name, each.offset
    return next((name, each.offset) for name, each in found.items() if "w" in each.access)


def _parsed(
    text: str, prefixes: tuple[str, ...], cycles: range
) -> tuple[dict[str, list[int]], dict[str, int]]:
    """Values of a waveform's top ports, by name and cycle, and their bits.

    Args:
        text: the waveform; it may leave out cycles without a change.
        prefixes: of the selected ports.
        cycles: number of all cycles.
    """
    head, _, body = text.partition("$enddefinitions")
    names: dict[str, str] = {}
    bits: dict[str, int] = {}
    for line in head.splitlines():
        match line.split():
            case ["$var", _, count, code, name, *_] if name.startswith(prefixes):
                names[code] = name
                bits[name] = int(count)
    changes: dict[int, dict[str, int]] = {}
    time = cycles.start
    for line in body.splitlines()[1:]:
        if line.startswith("#"):
            time = int(line[1:])
        elif line:
            value, code = line[1:].split() if line[0] == "b" else (line[0], line[1:])
            if code in names:
                changes.setdefault(time, {})[names[code]] = int(value, 2)
    now = dict.fromkeys(bits, 0)
    found: dict[str, list[int]] = {name: [] for name in bits}
    for cycle in cycles:
        now |= changes.get(cycle, {})
        for name in found:
            found[name].append(now[name])
    return found, bits


def drawn_cycles(values: Values) -> list[int]:
    """Cycles to draw: of a stretch without a change, its beginning and its end."""
    lists = list(values.values())
    count = len(lists[0])
    changes = [0, *(c for c in range(1, count) if any(v[c] != v[c - 1] for v in lists)), count]
    kept = []
    for begin, end in pairwise(changes):
        stretch = range(begin, end)
        if len(stretch) > _STILL:
            kept += [*stretch[: _STILL // 2], *stretch[-(_STILL // 2) :]]
        else:
            kept += stretch
    return kept


def draw(recording: Recording, path: Path) -> None:
    """Draw a recording.

    Args:
        recording: of a transaction.
        path: destination; see `totient.report.figure.plots` for formats and errors.
    """
    values, bits = recording.values, recording.bits
    kept = drawn_cycles(values)
    width = max(6.0, _CYCLE * len(kept) + 1.5)
    with plots(path, 1, (width, 0.32 * len(values) + 0.9)) as (axes,):
        for place, name in enumerate(values):
            base = -place
            shown = [values[name][cycle] for cycle in kept]
            if bits[name] == 1:
                x, y = _steps(shown)
                axes.plot(x, [base + 0.6 * each for each in y], "-", color="tab:blue", linewidth=1)
                continue
            for begin, end, value in _runs(shown):
                box = ([begin, end], [base, base], [base + 0.6, base + 0.6])
                axes.fill_between(*box, facecolor="none", edgecolor="tab:red", linewidth=1)
                text = f"{value:x}"
                if _DIGIT * len(text) <= _CYCLE * (end - begin):
                    middle = (begin + end) / 2
                    axes.text(middle, base + 0.3, text, fontsize=5, ha="center", va="center")
        for place in range(1, len(kept)):
            if (left := kept[place] - kept[place - 1] - 1) > 0:
                axes.axvline(place, color="tab:gray", linestyle=":")
                axes.text(place, 0.8, f"{left:,} cycles", fontsize=6, ha="center")
        axes.set_yticks([0.3 - place for place in range(len(values))], list(values), fontsize=7)
        ticks = [place for place, cycle in enumerate(kept) if cycle % _TICK == 0]
        axes.set_xticks(ticks, [str(kept[place]) for place in ticks], fontsize=6)
        axes.set_ylim(0.6 - len(values), 1.2)
        axes.set(title=recording.title, xlabel="clock cycle (aclk); values in hexadecimal")
        axes.title.set_fontsize(9)


def _steps(shown: Sequence[int]) -> tuple[list[int], list[int]]:
    """Corners of a signal of one bit."""
    x = [at for place in range(len(shown)) for at in (place, place + 1)]
    return x, [value for value in shown for _ in range(2)]


def _runs(shown: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Beginning, end and text of each value."""
    begin = 0
    for place in range(1, len(shown) + 1):
        if place == len(shown) or shown[place] != shown[begin]:
            yield begin, place, shown[begin]
            begin = place
