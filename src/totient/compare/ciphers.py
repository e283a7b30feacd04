"""Published cipher cores: their dynamic power, predicted before the published figures were read."""

from collections.abc import Sequence

from totient.measure.ciphers import (
    CLOCK_MHZ,
    COMMIT,
    REPOSITORY,
    TARGET,
    kept_ciphers,
    published_milliwatts,
)
from totient.report import Column, Table, Value, columns
from totient.report.values import grouped, power, ratio, significant, text

PREDICTED = ("2f9cf99dca16", "63071102e120")
"""Commits in which the predictions stand as they were made: those of 14 cores, then of the
other 7."""

_PICO = 1e-12


def cipher_table() -> Table:
    """Predicted and, if its file is there, published dynamic power of the cores."""
    published = published_milliwatts()
    rows: list[Sequence[Value]] = []
    for each in kept_ciphers():
        stated = published[each.name] * 1e-3 if each.name in published else None
        rows.append(
            (
                *(each.name, each.luts, each.registers, each.switching.cycles),
                *(each.energy.total / _PICO, each.watts, stated, ratio(each.watts, stated)),
            )
        )
    return Table.of(
        "Published cipher cores that are not ours: their dynamic power, predicted blind",
        (
            Column("design", text),
            *columns(grouped, "our LUT", "our FF", "window, cycles"),
            Column("pJ a cycle", significant),
            *columns(power, "predicted, dynamic", "published, dynamic"),
            Column("ratio", significant),
        ),
        rows,
        f"cores: {REPOSITORY}, revision {COMMIT[:12]}, their tops Testing_IP with key and "
        "plaintext as constants. They set no weight",
        "blind: predictions and this rule were committed before the published figures were read: "
        f"commits {' and '.join(PREDICTED)}",
        f"prediction: at {CLOCK_MHZ:g} MHz, with the weights of {TARGET.family}: wires alone, as "
        "these have no part for the clock's network and no core has a block. Without the pins. The "
        "mean of the test bench's window: reset, ten idle cycles, one encryption, a few cycles",
        "published: dynamic power of the core's supply by Vivado, from a simulation with delays, "
        "XC7Z010",
        "the serial cores, the last rows, are a group of their own: most of their registers are "
        "shift registers in LUTs, which no figure that sets a weight has. Energy inside them is "
        "not counted",
        "activity: results/activity/circuits/ciphers.json (python -m totient.measure.ciphers makes "
        "it from a checkout of that repository)",
    )
