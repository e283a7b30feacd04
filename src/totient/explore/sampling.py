"""Measures configurations chosen at random: `python -m totient.explore.sampling COUNT SEED`.

Without an option they are added to the points behind the models. With `--check` they are written
beside what the models predict, which do not know them: these points show whether intervals hold
what they promise (`totient explore --table checked`). Those that are there, of the present
hardware, are not measured again. Others than the chosen ones are removed.
"""

import argparse
import random
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import chain, islice
from types import MappingProxyType

from totient.catalog import Configuration, designs
from totient.explore import renewal
from totient.explore.candidates import space_on
from totient.explore.checked import Checked, checked_points, keep_checked
from totient.explore.models import Models, committed_models
from totient.explore.points import keep_points, kept_points, training_points
from totient.explore.space import Space
from totient.flow import find_target
from totient.measure.job import Job
from totient.measure.record import Record
from totient.measure.renewal import renewed

TARGET = "ecp5-85f"
FAMILY = "Lattice ECP5"
SEEDS = (1,)
"""Of place and route."""

SHARES: Mapping[str, tuple[float, Sequence[int]]] = MappingProxyType(
    {
        "digit_serial": (0.5, (128, 256, 512, 1024)),
        "engine": (0.2, (1024, 2048, 3072, 4096)),
        "montgomery": (0.12, (256, 512, 1024)),
        "binary": (0.09, (256, 512, 1024)),
        "repeated": (0.09, (256, 512, 1024)),
    }
)
"""By design its share of the draws, and the widths: keys have them, or their halves."""

MOST = 11_000, 14_000
"""Predicted LUTs and flip-flops beyond which a configuration is drawn again: its route would take
more than some minutes."""


def drawn(seed: int, models: Models, known: set[str]) -> Iterator[Configuration]:
    """Configurations at random: a design, one of its widths, and one that is not too large.

    Args:
        seed: of the draws.
        models: for the sizes.
        known: labels to leave out; those that are drawn are added.
    """
    draw = random.Random(seed)
    spaces = {
        name: [space for width in widths if len(space := _space(name, width, models))]
        for name, (_, widths) in SHARES.items()
    }
    while True:
        name = draw.choices(list(SHARES), [share for share, _ in SHARES.values()])[0]
        space = draw.choice(spaces[name])
        found = space.at(draw.randrange(len(space)))
        if found.label not in known:
            known.add(found.label)
            yield found


def _space(name: str, width: int, models: Models) -> Space:
    """The configurations of a width that are not too large."""
    (design,) = (each for each in designs() if each.name == name)
    space = space_on(design, width, FAMILY)
    own = models.of(FAMILY, name)
    lut, ff = (own[figure].predict(space.parameters).middle for figure in ("lut", "ff"))
    return space.where((lut <= MOST[0]) & (ff <= MOST[1]))


def measured(chosen: Sequence[Configuration], address: str | None, jobs: int) -> Iterator[Record]:
    """Measure configurations; those that fail are told and left out.

    Args:
        chosen: the configurations.
        address: of a Dask scheduler; `None`: processes of this machine.
        jobs: number of these processes.
    """
    target = find_target(TARGET)
    tasks = [Job.of(each.suited(FAMILY), target, seeds=SEEDS) for each in chosen]
    yield from (point for _, point in renewal.measured(tasks, address, jobs) if point)


def _present(labels: Container[str]) -> Iterator[Record]:
    """The points of these labels that are there, of the present hardware."""
    for each in checked_points():
        if each.record.subject.label in labels and (record := renewed(each.record)):
            yield record


def main() -> None:
    """Measure, and keep each point as soon as it is there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, help="configurations")
    parser.add_argument("seed", type=int, help="of the draws")
    parser.add_argument("--check", action="store_true", help="keep them beside the predictions")
    parser.add_argument("--cluster", metavar="ADDRESS", help="of a Dask scheduler")
    parser.add_argument("--jobs", type=int, default=2, help="measurements at once on this machine")
    words = parser.parse_args()
    models = committed_models()
    known = {each.subject.label for each in training_points() if each.routes}
    chosen = [*islice(drawn(words.seed, models, known), words.count)]
    if not words.check:
        for point in measured(chosen, words.cluster, words.jobs):
            keep_points([*kept_points(), point])
        return
    found = [*_present({each.label for each in chosen})]
    present = {each.subject.label for each in found}
    missing = [each for each in chosen if each.label not in present]
    for fresh in chain([[]], ([each] for each in measured(missing, words.cluster, words.jobs))):
        found += fresh
        keep_checked(Checked.of(each, models) for each in found)


if __name__ == "__main__":
    main()
