"""Power and energy: all designs, the thesis' figures, and the errors of the estimate."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from totient.catalog import Configuration, find_subject
from totient.common.papers import published
from totient.compare.ciphers import cipher_table
from totient.compare.energy import ENGINES, growth_note, wanted
from totient.flow import find_target
from totient.measure.circuits import CHAIN_REGISTERS, kept_circuits
from totient.measure.clocks import stated_clock
from totient.measure.cycles import cycles_by_formula
from totient.measure.dsp_free import CHANGED, COMMIT, TARGET, kept_core
from totient.measure.engine import CRT
from totient.measure.power import KeptEnergy, OperationEnergy, kept_energy, operation_energy
from totient.power.by_activity import CycleEnergy, cycle_energy, told_apart
from totient.power.fabrics import WEIGHTS
from totient.power.static import static_watts
from totient.power.switching import Switching
from totient.report import Column, Report, Table, Value, columns
from totient.report.values import energy, grouped, percent, power, ratio, significant, text
from totient.report.words import factor, listed
from totient.reproduce.results import ROUTED, UTILISED
from totient.reproduce.thesis_power import (
    FITTED_SIZES,
    FORMS,
    HeldOut,
    fit,
    form_alone,
    held_out,
    points,
    power_table,
)

TABLES = ("energy", "thesis", "held-out", "boards", "published-core", "ciphers", "weights")

_WIDEST = 4096
_PICO = 1e-12
_LENGTHS = (1024, 2048)  # bits of the keys in the table of energy


@dataclass(frozen=True)
class _Design:
    """A design with an activity Record, and the energy of an RSA operation."""

    name: str
    bits: int
    target: str
    operation: OperationEnergy
    kept: KeptEnergy
    mhz: float | None

    @property
    def energy(self) -> CycleEnergy:
        """Dynamic energy of a cycle."""
        return self.kept.energy

    @property
    def cycle_pj(self) -> float:
        """Dynamic energy of a cycle in pJ."""
        return self.energy.total / _PICO

    @property
    def blocks(self) -> float:
        """Part of it inside multipliers and block memories."""
        return self.energy.blocks / self.energy.total

    @property
    def watts(self) -> float | None:
        """Dynamic power at the design's clock."""
        return None if self.mhz is None else self.energy.total * self.mhz * 1e6


def compare() -> Report:
    """The tables `TABLES`."""
    designs = [*_designs()]
    trials = held_out()
    return Report(
        title="Power and energy from the switching activity of netlists: estimates",
        command="totient compare-power",
        tables={
            "energy": _energy(designs),
            "thesis": power_table(),
            "held-out": _held_out(trials),
            "boards": _boards(),
            "published-core": _published_core(),
            "ciphers": cipher_table(),
            "weights": _weights(),
        },
        findings=(*_findings(trials), *_apart(designs)),
        provenance=(
            "activity: every transition of every net of the synthesised netlist in one operation, "
            "results/activity/ (totient bench). ECP5 and iCE40: wires and delays from nextpnr",
            "cycles: the catalog's formulas",
        ),
    )


def _designs() -> Iterator[_Design]:
    """The exponentiators with each of `_LENGTHS`, and the engines with keys of these lengths.

    A private operation of T1 takes as many cycles as its exponent says: it has no row.
    """
    shown = {(each.name, each.target.name): each for each in wanted(_WIDEST) if each.name != "T1"}
    for each in shown.values():
        static = static_watts(each.target)
        for bits in _LENGTHS:
            subject, kind = each.subject, f"{CRT}-{bits}"
            if not subject.key_slots:
                parameters = {**subject.parameters, "width": bits}
                subject, kind = subject.design.configure(parameters), "private"
            found = kept_energy(subject, each.target, each.dsp)
            if found is None:
                continue
            stated = stated_clock(subject, each.target.name) if each.dsp else None
            mhz = stated.mhz if stated else None
            cycles = cycles_by_formula(subject, kind).cycles.mean
            operation = operation_energy(kind, cycles, found.energy, static, mhz)
            yield _Design(each.name, bits, each.target.name, operation, found, mhz)


def _energy(designs: Sequence[_Design]) -> Table:
    return Table.of(
        "Energy of a private RSA operation: an estimate",
        (
            *columns(text, ("design", "name"), ("device", "target")),
            Column("bits", text, "bits"),
            Column("operation", text, "operation.kind"),
            Column("cycles", grouped, "operation.cycles"),
            Column("pJ a cycle", significant, "cycle_pj"),
            Column("scaled from", grouped, "kept.scaled_from"),
            Column("in blocks", percent, "blocks"),
            Column("dynamic energy", energy, "operation.dynamic"),
            Column("clock, MHz", significant, "mhz"),
            Column("dynamic power", power, "watts"),
            Column("with static", energy, "operation.whole"),
            Column("off by up to", significant, "energy.error"),
        ),
        designs,
        "private: one exponentiation with a full-length exponent, without CRT and check. rsa-crt: "
        "the engine's whole private operation, blinded and checked",
        "clock: nextpnr's, at most the limit of the device's multipliers. With static: the whole "
        "device's static power during the operation. Artix-7: no clock",
        "energy of a cycle: of the operation that was simulated (results/activity/). An engine's "
        "has a key of 512 or 1024 bits. Another length keeps its multipliers less or more busy",
        _digits_note(designs),
        "scaled from: bits of the netlist that was simulated, if another. Its energy is "
        f"{growth_note()}",
        "T1 has no row: its private operation takes as many cycles as the exponent says. Of "
        "the papers' IPs, rsa_fixed and rsa_stream reach these lengths, with T3's core inside; no "
        "activity of them was counted",
        "in blocks: inside multipliers and block memories, for which the estimate is least certain",
        "off by up to: factor by which energy and dynamic power can be too large or too small",
    )


def _digits_note(designs: Sequence[_Design]) -> str:
    """Why the longest engine takes other numbers of cycles on the two devices."""
    name, bits, devices = ENGINES[-1], _LENGTHS[-1], (ROUTED, UTILISED)
    subject = find_subject(name)
    assert isinstance(subject, Configuration)
    ecp5, artix = (
        subject.suited(find_target(each).family).parameters["digit_bits"] for each in devices
    )
    cycles = {
        each.target: each.operation.cycles
        for each in designs
        if (each.name, each.bits) == (name, bits)
    }
    return (
        f"an engine's digits have {ecp5} bits on {ROUTED} and {artix} on {UTILISED}. A number with "
        f"more digits than the engine has elements takes a further pass: RSA-{bits} takes {name} "
        f"{factor(cycles[UTILISED], cycles[ROUTED])} cycles on {UTILISED}"
    )


def _held_out(trials: Sequence[HeldOut]) -> Table:
    rows: list[Sequence[Value]] = []
    for trial in trials:
        for point, times in trial.ratios:
            rows.append(
                (
                    *(trial.what, point.row, point.bits),
                    "sets the form" if point.chose_form else "check",
                    *(point.watts, times * point.watts, times),
                )
            )
    form, misfit = trials[0].fit.form, trials[0].fit.misfit
    fitted = [each for each in points() if each.chose_form]
    others = sorted(fit(fitted, each).misfit for each in FORMS if each != form)
    alone, mean = form_alone()
    return Table.of(
        "Errors of the estimate on figures that its weights were not fitted to",
        (
            *columns(text, "held out", "design"),
            Column("bits", str),
            Column("use", text),
            *columns(power, "Vivado", "predicted"),
            Column("ratio", significant),
        ),
        rows,
        *(
            f"{each.what} held out: mean {each.mean:.0%}, worst {each.worst:.0%}; "
            f"{each.fit.transition:.3g} pJ a transition, {each.fit.network:.3g} pJ a cycle"
            for each in trials
        ),
        "T3: ours without multiplier blocks, as the thesis has none",
        f"held out: these figures set no weight. Mean and worst are of those that set nothing. The "
        f"form of the estimate ({form.words}) is the one of {len(FORMS)} that fits the sizes "
        f"{', '.join(map(str, FITTED_SIZES))} best: sum of squares {misfit:.3g}, the next one "
        f"{others[0]:.3g}",
        f"T1 and T2 alone would choose another form ({alone.words}), with which T3 is {mean:.0%} "
        "off in the mean",
        "the rule that chooses the form was written after all figures were known, and so was the "
        "list of forms",
        "Vivado's figures are in whole milliwatts",
    )


def _boards() -> Table:
    ice40, chain = published("power")["ice40"], published("power")["chain"]
    current, volts = ice40["microamperes"], ice40["volts"]
    rows: list[Sequence[Value]] = []

    def ice40_row(what: str, use: str, more: str, less: str, ours: float) -> None:
        measured = (current[more] - current[less]) * volts / ice40["clock_mhz"]
        rows.append((what, "iCE40 UP5K", use, measured, ours, ours / measured))

    found = {
        (each.module, *each.parameters.values(), each.target): each.switching
        for each in kept_circuits()
    }

    def wires(*key: str | int) -> float:
        return _without_network(found[key], str(key[-1]))

    for number in (2, 4, 8):
        ours = wires("counters", number, "ice40-up5k") - wires("counters", 1, "ice40-up5k")
        use = "sets the weight" if number == 8 else "check"
        ice40_row(f"{number} counters, not 1", use, f"counters_{number}", "counters_1", ours)
    product = [wires("multiplied_counters", each, "ice40-up5k") for each in (1, 0)]
    ice40_row(
        "8 x 8 product in logic", "check", "product_in_logic", "counter_24", product[0] - product[1]
    )
    for name, microwatts in chain["microwatts"].items():
        target = name if name.startswith("ecp5") else UTILISED  # one fabric of the 7-series
        ours = wires("register_chain", CHAIN_REGISTERS, target) / CHAIN_REGISTERS
        measured = microwatts / chain["clock_mhz"]
        use = "sets the weight" if name == "ecp5-85f" else "check"
        rows.append(("register of a chain", name, use, measured, ours, ours / measured))
    return Table.of(
        "The estimate and power measured on boards, without the clock's network",
        (
            *columns(text, "circuit", "device", "use"),
            *columns(significant, "measured, pJ a cycle", "estimated, pJ a cycle", "ratio"),
        ),
        rows,
        f"iCE40: {ice40['source']}",
        f"chains: {chain['source']}. {chain['note']}",
        "stated error of logic: "
        + listed(f"{each.error:g} on {family}" for family, each in WEIGHTS.items()),
    )


def _published_core() -> Table:
    core, static = published("power")["dsp_free"], static_watts(TARGET)
    assert static is not None
    rows: list[Sequence[Value]] = []
    for each in kept_core():
        energy = cycle_energy(each.switching, TARGET).total
        dynamic = energy * core["clock_mhz"] * 1e6
        stated = core["watts"] if each.bits == core["bits"] else None
        without = None if stated is None else stated - static
        rows.append(
            (
                *(each.bits, each.luts, each.switching.cycles, energy / _PICO),
                *(dynamic, dynamic + static, stated),
                *(ratio(dynamic + static, stated), without, ratio(dynamic, without)),
            )
        )
    return Table.of(
        "A published core that is not ours: its power, predicted, and as its author states it",
        (
            Column("bits", str),
            *columns(grouped, "our LUT", "cycles counted"),
            Column("pJ a cycle", significant),
            *columns(power, "predicted, dynamic", "with static", "published, total"),
            Column("ratio", significant),
            Column("published, less static", power),
            Column("ratio of dynamic", significant),
        ),
        rows,
        f"core: {core['core']}. Published: {core['source']}. It sets no weight",
        f"prediction: at {core['clock_mhz']} MHz, the clock of the published RTL, without the pins "
        f"and the clock's network, with the weights of {TARGET.family}. Activity: of the products "
        "of random operands, results/activity/circuits/dsp_free.json (python -m "
        "totient.measure.dsp_free makes it from a folder of that RTL)",
        f"static: {static * 1e3:.0f} mW, Vivado's for the XC7A100T of the thesis. The XC7A35T is "
        "smaller and takes less: both ratios are then less",
        f"{CHANGED}. Revision {COMMIT[:12]}",
    )


def _without_network(switching: Switching, target: str) -> float:
    """Energy of a cycle in pJ, without that of the clock's network."""
    found = cycle_energy(switching, find_target(target))
    return (found.total - found.by_kind["clock network"]) / _PICO


def _weights() -> Table:
    rows: list[Sequence[Value]] = []
    for family, each in WEIGHTS.items():
        parts = (
            "a cycle, clock network",
            "a transition of a routing wire",
            "a transition at a block's output, inside it",
        )
        for what, joules, source in zip(
            parts, (each.network, each.transition, each.block), each.sources, strict=True
        ):
            rows.append((family, what, joules / _PICO, source))
    return Table.of(
        "Weights of the estimate of power",
        (*columns(text, "fabric", "of"), Column("pJ", significant), Column("source", text)),
        rows,
    )


def _findings(trials: Sequence[HeldOut]) -> Iterator[str]:
    for each in trials:
        yield (
            f"Against Vivado's figures for the thesis' designs, {each.what} held out: mean error "
            f"{each.mean:.0%}, worst {each.worst:.0%}"
        )


def _apart(designs: Sequence[_Design]) -> Iterator[str]:
    """For each device and length, the designs that the least energy is not told apart from."""
    groups: dict[tuple[str, int], list[_Design]] = {}
    for each in designs:
        groups.setdefault((each.target, each.bits), []).append(each)
    for (target, bits), members in groups.items():
        if len(members) < 2:
            continue
        least = min(members, key=lambda each: each.operation.dynamic)
        close = [
            each.name
            for each in members
            if each is not least
            and not told_apart(
                each.operation.dynamic,
                least.operation.dynamic,
                max(each.energy.error, least.energy.error),
            )
        ]
        what = f"not told apart from {listed(close)}" if close else "told apart from all others"
        yield f"RSA-{bits} on {target}: {least.name} takes the least dynamic energy, {what}"
