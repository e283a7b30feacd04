"""Row B4's table: our IPs beside the paper's derived cycles, and a processor that runs often."""

import pytest

from totient.cli.boards import on_board
from totient.common.errors import InputError
from totient.common.papers import published
from totient.compare.processor_tables import compare
from totient.compare.tiny_ips import tiny_ips
from totient.measure.software import software_record
from totient.measure.software_programs import TINY, measure_work
from totient.processor import Pace, find_processor


def test_the_ips_stand_beside_the_papers_cycles() -> None:
    """Cycles by hand: a step of 80 in rsa_restoring; those of rsa_keygen as its own table has."""
    example = published("becannon")["examples"][0]
    assert list(tiny_ips(example)) == [
        ("ours", "rsa_keygen", [189, 164, 2012]),
        ("ours", "rsa_restoring", [6 * 80 + 17, 3 * 80 + 1, 29 * 80 + 1]),
    ]
    table = compare().tables["tiny"]
    whose = {str(row[0]): row[1] for row in table.rows}
    assert whose["the IP, 100 MHz"] == "paper, derived"
    assert whose["rsa_restoring, 100 MHz"] == "ours"
    assert any("mean of 1,000 runs" in note for note in table.notes)


def test_the_mean_is_of_all_runs() -> None:
    """Instructions are those of one run, as every run executes the same."""
    processor = find_processor("cortex-a72")
    record = software_record(processor)
    assert record
    assert processor.runs == 1000
    assert [work.operation for work in record.figures] == list(TINY)
    work, kept = next(iter(record.figures.items()))
    assert abs((measure_work(processor, work).count or 0) / (kept.count or 1) - 1) < 0.25


def test_several_instructions_begin_in_a_cycle() -> None:
    pace = Pace((("mul", 1, 5), (".*", 1, 2)), "a manual", issue=3)
    assert pace.range({"mul": 2, "add": 5}) == (3, 20)


def test_the_published_algorithm_is_on_no_board() -> None:
    with pytest.raises(InputError, match="rsa_restoring is not in the boards' top module"):
        on_board("ulx3s", None, "rsa_restoring", None, None)
