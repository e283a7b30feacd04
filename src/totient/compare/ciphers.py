"""Published cipher cores: their dynamic power, predicted before the published figures were read."""

from collections.abc import Mapping, Sequence
from statistics import geometric_mean

from totient.measure.ciphers import (
    CLOCK_MHZ,
    COMMIT,
    REPOSITORY,
    TARGET,
    kept_ciphers,
    published_activity,
)
from totient.report import Column, Table, Value, columns
from totient.report.values import grouped, power, significant, text

PREDICTED = ("2f9cf99dca16", "63071102e120")
"""Commits in which the predictions stand as they were made: those of 14 cores, then of the
other 7."""

_PICO = 1e-12


def blind_ratios() -> Mapping[str, float]:
    """Predicted over published dynamic power by design, where it is published."""
    published = published_activity()
    return {
        each.name: each.watts / published[each.name].watts
        for each in kept_ciphers()
        if each.name in published
    }


def cipher_table() -> Table:
    """Predicted and published dynamic power and register transitions of the cores."""
    published, ratios = published_activity(), blind_ratios()
    rows: list[Sequence[Value]] = []
    for each in kept_ciphers():
        switching, stated = each.switching, published.get(each.name)
        rows.append(
            (
                *(each.name, each.luts, each.registers, switching.cycles),
                switching.transitions["register"].settled / switching.cycles,
                stated.register_transitions if stated else None,
                *(each.energy.total / _PICO, each.watts),
                *(stated.watts if stated else None, ratios.get(each.name)),
            )
        )
    return Table.of(
        "Published cipher cores that are not ours: their dynamic power, predicted blind",
        (
            Column("design", text),
            *columns(grouped, "our LUT", "our FF", "window, cycles"),
            *columns(significant, "our FF transitions a cycle", "published", "pJ a cycle"),
            *columns(power, "predicted, dynamic", "published, dynamic"),
            Column("ratio", significant),
        ),
        rows,
        f"cores: {REPOSITORY}, revision {COMMIT[:12]}, their tops Testing_IP with key and "
        "plaintext as constants. They set no weight",
        _found(ratios),
        "blind: predictions and the rule of what is compared were committed before the published "
        f"figures were read: commits {' and '.join(PREDICTED)}",
        f"prediction: at {CLOCK_MHZ:g} MHz, with the weights of {TARGET.family}: wires alone, as "
        "these have no part for the clock's network and no core has a block. Without the pins. The "
        "mean of the test bench's window: reset, ten idle cycles, one encryption, a few cycles",
        "published: dynamic power of the core's supply by Vivado 2018.1 without the pins' part, "
        "from a simulation with delays, XC7Z010. FF transitions: those of its simulation",
        "the serial cores, the last rows, are a group of their own: most of their registers are "
        "shift registers in LUTs, which no figure that sets a weight has. Energy inside them is "
        "not counted",
        "activity: results/activity/circuits/ciphers.json (python -m totient.measure.ciphers makes "
        "it from a checkout of that repository). Published: results/published/ciphers.toml",
    )


def _found(ratios: Mapping[str, float]) -> str:
    """Mean and range of the ratios of the parallel and of the serial cores."""
    groups: dict[str, list[float]] = {"parallel": [], "serial": []}
    for name, found in ratios.items():
        groups["serial" if name.endswith("_serial") else "parallel"].append(found)
    return "ratio: " + "; ".join(
        f"the {len(found)} {kind} cores {min(found):.2f} to {max(found):.2f}, geometric mean "
        f"{geometric_mean(found):.2f}"
        for kind, found in groups.items()
        if found
    )
