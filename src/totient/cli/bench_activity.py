"""The part of `totient bench` that computes the activity Records, or renews them."""

from collections.abc import Iterator

from totient.cli.report import say


def activity(widest: int, only: str | None) -> None:
    """Compute the activity Records of designs up to a width, and those of the boards' circuits.

    Args:
        widest: width in bits.
        only: a design's name in the catalog; `None`: all, and the circuits.
    """
    from totient.compare.energy import wanted
    from totient.measure.activity import measure_activity, save_activity
    from totient.measure.circuits import measure_circuits, save_circuits

    for each in wanted(widest):
        if only in (None, each.subject.name):
            record = measure_activity(each.subject, each.target, dsp=each.dsp, use_results=False)
            total, cycles = record.switching.total, record.switching.cycles
            say(f"activity/{save_activity(record).name}: {total.timed / cycles:,.0f} transitions")
    if only is None:
        path = save_circuits(measure_circuits())
        say(f"activity/{path.parent.name}/{path.name}: the circuits measured on boards")


def renewed_activity(widest: int, only: str | None) -> Iterator[bool]:
    """Keep stale activity Records whose RTL is the same hardware. Yields whether each is."""
    from totient.measure.activity import activity_renewals

    for record, path in activity_renewals():
        if only in (None, record.design) and record.subject.width <= widest:
            verdict = "the same hardware" if path else "requires a new measurement"
            say(f"activity of {record.subject.label} on {record.target}: {verdict}")
            yield path is not None
