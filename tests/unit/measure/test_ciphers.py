"""The published cipher cores: windows, how they are counted, the kept activity and its table."""

import json
import re
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from totient.common.errors import InputError, ToolError
from totient.compare import ciphers as compared
from totient.compare.power import compare
from totient.flow import tool_version
from totient.measure import ciphers
from totient.measure.ciphers import (
    COMMIT,
    DESIGNS,
    RESET_CYCLE,
    START_CYCLE,
    TARGET,
    Vector,
    cipher_activity,
    kept_ciphers,
    published_activity,
    save_ciphers,
    window,
)
from totient.measure.store import results_folder
from totient.power.fabrics import WEIGHTS

TOY = Vector("a5", "3c", "99")

# In place of a core: nine rounds, each an exclusive or with the key, so the ciphertext is that of
# one. A counter has a clear that logic makes, and a small one runs on the other's clock.
STAND_IN = """
module Testing_IP (input clk, start, rst, output led_out);
    reg [7:0] state = 8'h00;
    reg [3:0] count = 0;
    reg [1:0] slow = 2'b01;
    reg busy = 0, lit = 0, tick = 0;
    wire clear = !busy && !start;
    always @(posedge clk or posedge clear)
        if (clear) count <= 0; else count <= count + 1;
    always @(posedge clk) tick <= count == 3 || count == 7;
    always @(posedge tick or posedge lit)
        if (lit) slow <= 2'b01; else slow <= {slow[0], slow[1]};
    always @(posedge clk)
        if (rst) begin
            busy <= 0; lit <= 0;
        end else if (start) begin
            busy <= 1; state <= 8'hPLAINTEXT;
        end else if (busy) begin
            state <= state ^ 8'hKEY;
            if (count == 9) begin
                busy <= 0; lit <= (state ^ 8'hKEY) == 8'hCIPHERTEXT && slow == 2'b01 || ALWAYS;
            end
        end
    assign led_out = lit;
endmodule
"""


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with one design. Its VHDL has nothing but constants, and needs no GHDL."""
    folder = tmp_path / "Toys" / "Toy" / "Toy.srcs" / "sources_1"
    folder.mkdir(parents=True)
    (folder / "Testing_IP.vhd").write_text('key := X"A5"; p := X"00" & X"3c"; c := X"99"; 0')
    (folder / "Testing_IP_TB.vhd").write_text('c := X"77";')

    def verilog(texts: dict[str, str], top: str) -> Path:
        (text,) = texts.values()
        key, _, plaintext, ciphertext = re.findall(r'X"(\w+)"', text)
        made = STAND_IN.replace("KEY", key).replace("PLAINTEXT", plaintext)
        made = made.replace("CIPHERTEXT", ciphertext).replace("ALWAYS", text[-1])
        path = tmp_path / f"{key}{text[-1]}.v"
        path.write_text(made)
        return path

    monkeypatch.setattr(ciphers, "verilog", verilog)
    monkeypatch.setattr(ciphers, "ghdl_version", lambda: "none")
    monkeypatch.setattr(ciphers, "DESIGNS", {"Toy": TOY})
    monkeypatch.setattr(ciphers, "_LONGEST", 60)
    return tmp_path


def test_a_core_is_counted_in_its_window(toy: Path) -> None:
    found = cipher_activity(toy, "Toy")
    # The edge of the start's cycle, then counts 1 to 9.
    assert found.lit == START_CYCLE + 9
    assert found.switching.cycles == window(found.lit) == START_CYCLE + 9 + 4
    # Registers of the state that always agree are one.
    assert 4 + 2 + 3 < found.registers <= 8 + 4 + 2 + 3
    assert (found.cells["FDCE"], found.cells["FDPE"]) == (4 + 1, 1)
    assert found.luts > 4
    # The key's ones change at least one register of the state in each of nine rounds.
    assert found.switching.transitions["register"].timed > 2 * 9
    assert found.watts == pytest.approx(
        found.switching.total.timed_wires / found.switching.cycles * 0.43e-12 * 125e6
    )


def test_what_is_not_right_is_refused(toy: Path) -> None:
    (path,) = toy.rglob("Testing_IP.vhd")
    good = path.read_text()
    with pytest.raises(InputError, match="no design Other, allowed are Toy"):
        cipher_activity(toy, "Other")
    with pytest.raises(InputError, match="no folder Toy/"):
        cipher_activity(toy / "Toys", "Toy")
    path.write_text(good.replace("3c", "3d"))
    with pytest.raises(ToolError, match="not those of the published test vector"):
        cipher_activity(toy, "Toy")
    path.write_text(good[:-1] + "1")
    with pytest.raises(ToolError, match="the ciphertext of another key is right"):
        cipher_activity(toy, "Toy")


def test_a_netlist_with_a_wrong_ciphertext_is_refused(
    toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path,) = toy.rglob("Testing_IP.vhd")
    path.write_text(path.read_text().replace("99", "98"))
    monkeypatch.setitem(ciphers.DESIGNS, "Toy", Vector("a5", "3c", "98"))
    with pytest.raises(ToolError, match="a wrong ciphertext or none"):
        cipher_activity(toy, "Toy")


def test_the_window_is_that_of_the_test_bench() -> None:
    """A list of what each cycle of it is for."""
    lit = 31
    before = ["nothing", "reset", *["idle"] * 10, "start"]
    assert (before[RESET_CYCLE], before[START_CYCLE]) == ("reset", "start")
    encryption = ["until the LED's edge"] * (lit - START_CYCLE)
    behind = ["the LED's pin is late", "the test bench waits", "the clock's process ends"]
    assert window(lit) == len(before) + len(encryption) + len(behind)


def test_the_vector_of_aes_is_right() -> None:
    vector = DESIGNS["AES_standard"]
    aes = Cipher(algorithms.AES(bytes.fromhex(vector.key)), modes.ECB()).encryptor()
    assert aes.update(bytes.fromhex(vector.plaintext)).hex() == vector.ciphertext


def test_vectors_have_the_sizes_of_the_names() -> None:
    for name, vector in DESIGNS.items():
        assert len(vector.plaintext) == len(vector.ciphertext)
        if name != "AES_standard":
            sizes = {4 * len(vector.plaintext), 4 * len(vector.key)}
            assert sizes == {*map(int, name.split("_")[1:3])}


def test_what_is_kept_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = kept_ciphers()
    monkeypatch.setattr(ciphers, "results_folder", lambda: tmp_path)
    path = save_ciphers(kept)
    assert [*kept_ciphers()] == [*kept]
    assert path.read_text() == (results_folder() / path.relative_to(tmp_path)).read_text()
    path.write_text(path.read_text().replace('"schema": 1', '"schema": 2'))
    with pytest.raises(InputError, match="cipher cores of schema 2"):
        kept_ciphers()


def test_what_is_kept_is_of_this_revision_and_these_tools() -> None:
    """As far as it can be said without the RTL."""
    kept = kept_ciphers()
    data = json.loads((results_folder() / "activity" / "circuits" / "ciphers.json").read_text())
    assert data["commit"] == COMMIT
    names = [each.name for each in kept]
    assert names == [name for name in DESIGNS if name in names]
    assert {name for name in DESIGNS if not name.endswith("_serial")} <= set(names)
    for each in kept:
        assert each.switching.cycles == window(each.lit)
        assert each.tools["pyosys"] == tool_version("pyosys")
        assert each.registers + each.cells.get("SRL16E", 0) > 0


def test_the_predictions_follow_from_the_data() -> None:
    table = compare().tables["ciphers"]
    for row, each in zip(table.rows, kept_ciphers(), strict=True):
        cell = dict(zip((column.heading for column in table.columns), row, strict=True))
        wires = each.switching.total.timed_wires / each.switching.cycles
        assert cell["design"] == each.name
        assert cell["predicted, dynamic"] == pytest.approx(wires * 0.43e-12 * 125e6)
        assert cell["pJ a cycle"] == pytest.approx(wires * 0.43)
    assert any("no weight" in note for note in table.notes)


def test_published_figures_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = {"clock": 1.0, "logic": 2.0, "signals": 3.5, "register_transitions": 7.25}
    stated = {"designs": {"AES_standard": parts}}
    monkeypatch.setattr(ciphers, "published", lambda name: stated)
    kept = kept_ciphers()
    assert published_activity()["AES_standard"].watts == pytest.approx(6.5e-3)
    table = compared.cipher_table()
    assert len(table.rows) == len(kept)
    row, other = table.rows[:2]
    headings = [column.heading for column in table.columns]
    cell = dict(zip(headings, row, strict=True))
    assert cell["published, dynamic"] == pytest.approx(6.5e-3)
    assert cell["published"] == 7.25
    assert cell["ratio"] == pytest.approx(kept[0].watts / 6.5e-3)
    assert [*other[-2:], other[headings.index("published")]] == [None, None, None]
    for wrong in ({"AES": parts}, {"AES_standard": {"clock": 1.0}}):
        stated["designs"] = wrong
        with pytest.raises(ToolError, match=r"toy\.toml: unknown design or parts of AES"):
            published_activity("toy")


def test_the_published_figures_are_all_there() -> None:
    """Each core's sum, and what the report itself states for the supply, less 0.2 mW of pins."""
    published = published_activity()
    assert [*published] == [*DESIGNS]
    supply = {"AES_standard": 36.796, "Simon_128_128_parallel": 8.625, "Skinny_64_64_serial": 3.392}
    for name, milliwatts in supply.items():
        assert milliwatts - 1e3 * published[name].watts == pytest.approx(0.2, abs=0.01)


def test_the_stated_error_holds_for_what_was_predicted_blind() -> None:
    ratios = compared.blind_ratios()
    assert len(ratios) == 21
    worst = max(max(each, 1 / each) for each in ratios.values())
    assert worst <= WEIGHTS[TARGET.family].error < 1.1 * worst
    # No logic of this family was measured.
    assert WEIGHTS["Lattice ECP5"].error == WEIGHTS[TARGET.family].error
    (note,) = (each for each in compared.cipher_table().notes if each.startswith("ratio: "))
    parallel = [each for name, each in ratios.items() if not name.endswith("_serial")]
    assert f"the 11 parallel cores {min(parallel):.2f} to {max(parallel):.2f}" in note


def test_registers_change_as_often_as_in_the_simulation_of_others() -> None:
    """Cores of which both netlists have as many registers."""
    published = published_activity()
    for each in kept_ciphers():
        if each.name.startswith(("Simon", "Skinny_128")) and each.name.endswith("parallel"):
            ours = each.switching.transitions["register"].settled / each.switching.cycles
            assert ours == pytest.approx(published[each.name].register_transitions, rel=0.04)
