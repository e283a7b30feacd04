"""Runs of the routed netlists behind a Record's clock."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from totient.report.values import NOT_RUN, WRONG

if TYPE_CHECKING:
    from totient.measure.board_record import RoutedRecord


@dataclass(frozen=True)
class NetlistRun:
    """Runs of one routed netlist.

    Attributes:
        operations: exponentiations and RSA operations, each with its result and cycles compared.
        cycles: clock cycles of all runs.
        starts: number of runs of all operations, each with different unknowns.
        faults: number of wrong results, cycle counts or error codes; 0: the netlist computes.
        netlist: digest of the Verilog that was simulated.
        checker: digest of the code that ran it (`totient.flow.netlist_check_digest`). Both are
            `None` in runs made before they were kept.
        contents: digest of the contents of memory blocks (`Provenance.contents`); `None` without
            such a block, or in runs made before it was kept.
    """

    operations: int
    cycles: int
    starts: int
    faults: int
    netlist: str | None = None
    checker: str | None = None
    contents: str | None = None


@dataclass(frozen=True)
class NetlistRuns:
    """Runs of the netlists of a Record's routes.

    Attributes:
        command: that makes the runs.
        by_seed: each, by the seed of its route.
    """

    command: str
    by_seed: Mapping[int, NetlistRun]

    def of_contents(self, contents: str | None) -> "NetlistRuns":
        """The runs, those without a digest of contents with this one."""
        by_seed = {
            seed: replace(run, contents=run.contents or contents)
            for seed, run in self.by_seed.items()
        }
        return replace(self, by_seed=by_seed)

    def earlier(self, contents: str | None) -> list[int]:
        """Seeds whose netlists were run with other contents than these."""
        return [seed for seed, run in self.by_seed.items() if run.contents not in (None, contents)]

    def to_json(self) -> dict[str, Any]:
        """The runs as JSON."""
        by_seed = {
            str(seed): {name: value for name, value in vars(run).items() if value is not None}
            for seed, run in self.by_seed.items()
        }
        return {"command": self.command, "by_seed": by_seed}

    @classmethod
    def from_json(cls, data: Any) -> "NetlistRuns | None":
        """Parse the JSON of `to_json`, if there is any."""
        if not data:
            return None
        by_seed = {int(seed): NetlistRun(**run) for seed, run in data["by_seed"].items()}
        return cls(data["command"], by_seed)


def computing(runs: NetlistRuns | None, seeds: Iterable[int]) -> bool | None:
    """Whether the netlists of all routes, by these seeds, compute; `None` unless all were run."""
    required = set(seeds)
    if runs is None or not required or required - set(runs.by_seed):
        return None
    return not any(run.faults for run in runs.by_seed.values())


def netlist_verdict(record: "RoutedRecord") -> str:
    """Verdict on the netlists of a Record's routes, in words."""
    if record.netlist is None:
        return NOT_RUN
    runs = record.netlist.by_seed
    if wrong := [seed for seed, run in runs.items() if run.faults]:
        return f"{WRONG}, by {_seeds(wrong)}"
    operations = sum(run.operations for run in runs.values())
    right = f"right in all of {operations:,} operations, by {_seeds(runs)}"
    missing = [seed for seed in record.routes if seed not in runs]
    if earlier := record.netlist.earlier(record.provenance.contents):
        right += f", with an earlier program by {_seeds(earlier)}"
    return f"{NOT_RUN} by {_seeds(missing)}, {right}" if missing else right


def _seeds(seeds: Collection[int]) -> str:
    return f"seed{'s' if len(seeds) > 1 else ''} {', '.join(map(str, seeds))}"
