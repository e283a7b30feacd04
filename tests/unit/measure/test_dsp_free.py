"""The published core: the kept activity, its comparison, and how it is counted."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from totient.common.errors import InputError, ToolError
from totient.compare.power import compare
from totient.measure import dsp_free
from totient.measure.dsp_free import CoreActivity, core_activity, kept_core, save_core
from totient.measure.store import results_folder

# Another core with the same ports: a product of a bit in 8 cycles, one product for each unit of the
# exponent, a latch, and registers with an asynchronous reset.
STAND_IN = """
module my_sarme_top #(parameter N = 512, CNT_WIDTH = 64) (
    input clk, reset, start, input [N-1:0] base, exponent, modulus,
    output [N-1:0] result, output [CNT_WIDTH-1:0] cycles, output done
);
    reg [N-1:0] held, power, count, sum;
    reg [$clog2(N):0] bits;
    reg [2:0] slow;
    reg busy, end_q;
    wire [N:0] doubled = {sum, 1'b0};
    wire [N:0] added = (doubled < modulus ? doubled : doubled - modulus) + (power[N-1] ? base : 0);
    always @(posedge clk or posedge reset)
        if (reset) begin
            {power, count, sum, bits, slow, busy, end_q} <= 0;
        end else begin
            slow <= slow + 1;
            end_q <= 0;
            if (start) begin
                power <= FIRST; count <= exponent; sum <= 0; bits <= 0; busy <= 1;
            end else if (busy && slow == 7) begin
                if (bits == N) begin
                    power <= sum; sum <= 0; bits <= 0; count <= count - 1;
                    if (count == 1) {busy, end_q} <= 2'b01;
                end else begin
                    sum <= added < modulus ? added : added - modulus;
                    power <= power << 1; bits <= bits + 1;
                end
            end
        end
    always @(*) if (end_q) held = power;
    assign result = held;
    assign done = end_q;
    assign cycles = 0;
endmodule
"""


def stand_in(folder: Path, first: int = 1) -> Path:
    for name in ("modulus.v", "cycle_counter.v", "my_sarme4.v"):
        (folder / name).write_text("")
    (folder / "my_sarme_top.v").write_text(STAND_IN.replace("FIRST", str(first)))
    return folder


def test_a_core_with_latches_and_asynchronous_resets_is_counted(tmp_path: Path) -> None:
    found = core_activity(stand_in(tmp_path), 32)
    assert found.cells["FDCE"] > 3 * 32
    assert found.cells["LDCE"] == 32
    # Five products of 33 steps in 8 cycles each, without the first 16 cycles a bit.
    assert found.switching.cycles == pytest.approx(5 * 33 * 8 - 16 * 32, abs=20)
    assert found.switching.total.timed_wires > found.switching.cycles


def test_a_wrong_result_and_a_short_operation_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ToolError, match="netlist of 32 bits gave a wrong result"):
        core_activity(stand_in(tmp_path, first=3), 32)
    monkeypatch.setattr(dsp_free, "_SKIPPED", 5 * 33 * 8 // 32)
    with pytest.raises(ToolError, match="answered in the cycles that are not counted"):
        core_activity(stand_in(tmp_path), 32)


def test_what_is_kept_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = kept_core()
    monkeypatch.setattr(dsp_free, "results_folder", lambda: tmp_path)
    path = save_core(kept)
    assert [*kept_core()] == [*kept]
    assert path.read_text() == (results_folder() / path.relative_to(tmp_path)).read_text()
    path.write_text(path.read_text().replace('"schema": 1', '"schema": 2'))
    with pytest.raises(InputError, match="published core of schema 2"):
        kept_core()


def luts(each: CoreActivity) -> int:
    return sum(n for kind, n in each.cells.items() if kind.startswith("LUT") or kind == "INV")


def test_the_prediction_follows_from_the_data() -> None:
    """From the file, the stated energy of a wire, the clock of the RTL and the thesis' 91 mW."""
    path = results_folder() / "activity" / "circuits" / "dsp_free.json"
    kept = json.loads(path.read_text())["widths"]
    table = compare().tables["published-core"]
    assert len(table.rows) == len(kept) >= 3
    for row, each, core in zip(table.rows, kept, kept_core(), strict=True):
        kinds = each["switching"]["transitions"].values()
        wires = sum(kind["timed_wires"] for kind in kinds) / each["switching"]["cycles"]
        cell = dict(zip((column.heading for column in table.columns), row, strict=True))
        assert (cell["bits"], cell["our LUT"]) == (each["bits"], luts(core))
        dynamic = wires * 0.43e-12 * 50e6
        assert cell["predicted, dynamic"] == pytest.approx(dynamic)
        assert cell["with static"] == pytest.approx(dynamic + 0.091)
        if each["bits"] != 1024:
            assert cell["published, total"] is cell["ratio"] is cell["ratio of dynamic"] is None
            continue
        assert cell["published, total"] == 0.23
        assert cell["ratio"] == pytest.approx((dynamic + 0.091) / 0.23)
        assert cell["published, less static"] == pytest.approx(0.23 - 0.091)
        assert cell["ratio of dynamic"] == pytest.approx(dynamic / (0.23 - 0.091))
        # It is within what the estimate states of itself, which this core did not set.
        assert 1 / 1.5 < dynamic / (0.23 - 0.091) < 1.5
    assert any("sets no weight" in note for note in table.notes)


def test_power_grows_with_the_width() -> None:
    """Twice the bits, about twice the energy of a cycle: nothing of the count is of one width."""
    each = [
        (core.bits, core.switching.total.timed_wires / core.switching.cycles)
        for core in kept_core()
    ]
    for (bits, wires), (more_bits, more_wires) in pairwise(each):
        assert more_wires / wires == pytest.approx(more_bits / bits, rel=0.2)
