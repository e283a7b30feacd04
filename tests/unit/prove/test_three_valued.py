"""Models in which each bit is 0, 1 or unknown."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from totient.catalog import Face, SourceList, Top
from totient.common.errors import ToolError
from totient.prove.three_valued import ThreeValued, build_three_valued
from totient.prove.unknown_state import Bits, UnknownState
from totient.sim import Model

_PORTS = """
  input  logic aclk, aresetn,
  input  logic [31:0] s_axis_tdata,
  input  logic s_axis_tvalid, s_axis_tlast,
  output logic s_axis_tready,
  output logic [31:0] m_axis_tdata,
  output logic m_axis_tvalid, m_axis_tlast,
  input  logic m_axis_tready
"""
_STATE = """
  logic [7:0] free_q, cleared_q, same_q, masked_q, sum_q, difference_q, chosen_q;
  logic [15:0] product_q, nothing_q;
  logic [1:0] index_q;
  logic [7:0] words [4], other [4], perhaps [4];
  logic [7:0] read_q, other_q, table_q, entry_q, open_q, perhaps_q;
  logic [63:0][31:0] table_words;
  for (genvar i = 0; i < 64; i++) begin : gen_word
    assign table_words[i] = (i == 3) ? 'x : 32'(7 * i);
  end
  always_ff @(posedge aclk) begin
    free_q       <= free_q;
    cleared_q    <= aresetn ? cleared_q : 8'd5;
    same_q       <= cleared_q;
    masked_q     <= free_q & 8'h0f;
    sum_q        <= (free_q & 8'h10) + 8'h01;
    difference_q <= free_q - free_q;
    chosen_q     <= free_q[0] ? 8'd6 : 8'd4;
    product_q    <= 16'(free_q) * 16'(cleared_q);
    nothing_q    <= 16'(free_q) * 16'(same_q & 8'hf0);
    index_q      <= aresetn ? index_q + 2'd1 : '0;
    words[index_q] <= cleared_q;
    other[s_axis_tvalid ? free_q[1:0] : index_q] <= 8'd2;
    if (free_q[0] || !aresetn) perhaps[index_q] <= 8'd3;
    perhaps_q    <= perhaps[index_q];
    read_q       <= words[free_q[1:0]];
    other_q      <= other[index_q];
    table_q      <= table_words[free_q[5:0]][7:0];
    entry_q      <= table_words[{3'd0, cleared_q[2:0]}][7:0];
    open_q       <= table_words[{4'd0, 2'd3 & {2{cleared_q[0]}}}][7:0];
  end
  assign s_axis_tready = 1'b1;
  assign m_axis_tdata  = {16'd0, cleared_q, same_q};
  assign m_axis_tvalid = &other_q;
  assign m_axis_tlast  = ^{read_q, masked_q, sum_q, difference_q, chosen_q, product_q, nothing_q,
                           table_q, entry_q, open_q, perhaps_q};
"""


def build(folder: Path, state: str) -> ThreeValued:
    """The model of a module with this state."""
    file = folder / "sample.sv"
    file.write_text(f"module sample({_PORTS});\n{state}\nendmodule\n")
    top = Top("", "sample", {}, frozenset({Face.STREAM}), "sample")
    return build_three_valued(SourceList((file,), ()), top)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> ThreeValued:
    return build(tmp_path_factory.mktemp("sample"), _STATE)


@pytest.fixture
def model(built: ThreeValued) -> Iterator[tuple[Model, UnknownState]]:
    with Model(built.library) as model:
        model.reset()
        model.advance(8)
        yield model, UnknownState(model, built.registers)


def test_the_state_has_the_names_of_the_rtl(built: ThreeValued) -> None:
    found = {each.name: (each.bits, each.words) for each in built.registers}
    assert found["free_q"] == (8, 0)
    assert found["product_q"] == (16, 0)
    assert found["words"] == (8, 4)


def test_all_is_unknown_at_first_but_what_a_reset_sets(built: ThreeValued) -> None:
    with Model(built.library) as model:  # which resets it
        state = UnknownState(model, built.registers)
        found = {each.name: words for each, words in state.unknown()}
    assert found["free_q"] == {0: 0xFF}
    assert found["words"].keys() >= {1, 2, 3}
    assert "cleared_q" not in found


@pytest.mark.parametrize(
    ("name", "value", "unknown"),
    [
        ("free_q", 0, 0xFF),
        ("cleared_q", 5, 0),
        ("same_q", 5, 0),
        ("masked_q", 0, 0x0F),
        ("sum_q", 1, 0x10),
        ("difference_q", 0, 0xFF),
        ("chosen_q", 4, 0x02),
        ("product_q", 0, 0xFFFF),
        ("nothing_q", 0, 0),
        ("read_q", 0, 0xFF),
        ("other_q", 2, 0),
        ("table_q", 0, 0xFF),
        ("entry_q", 35, 0),
        ("open_q", 0, 0xFF),
        ("perhaps_q", 0, 0xFF),  # even where the same is written again
    ],
)
def test_what_is_known(
    model: tuple[Model, UnknownState], name: str, value: int, unknown: int
) -> None:
    assert model[1].read(name) == Bits(value, unknown)


def test_a_memory_is_known_by_words(model: tuple[Model, UnknownState]) -> None:
    _, state = model
    assert state.words("words") == [Bits(5, 0)] * 4


def test_a_write_at_an_unknown_address_makes_all_words_unknown(
    model: tuple[Model, UnknownState],
) -> None:
    clock, state = model
    clock.send([0])
    clock.advance(1)
    assert state.words("other").count(Bits(0, 0xFF)) >= 3
    clock.advance(8)
    assert state.words("other")[0] == Bits(2, 0)


def test_bits_become_known_and_unknown(model: tuple[Model, UnknownState]) -> None:
    clock, state = model
    state.write("free_q", Bits(0x31, 0x0C))
    assert state.read("free_q") == Bits(0x31, 0x0C)
    clock.advance(2)
    assert state.read("masked_q") == Bits(0x01, 0x0C)
    assert state.read("chosen_q") == Bits(6, 0)
    assert state.forget(lambda each: each.name in ("free_q", "words")) == 8 + 32
    assert state.read("free_q") == Bits(0, 0xFF)
    assert state.words("words")[3] == Bits(0, 0xFF)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("logic [7:0] a_q; always_ff @(negedge aclk) a_q <= s_axis_tdata[7:0];", "one clock"),
        (
            "logic [7:0] a_q; always_ff @(posedge aclk or negedge aresetn) "
            "if (!aresetn) a_q <= '0; else a_q <= s_axis_tdata[7:0];",
            "ff has no model",
        ),
        (
            "logic [7:0] a_q; logic signed [7:0] p; assign p = $signed(s_axis_tdata[7:0]) "
            "* $signed(s_axis_tdata[15:8]); always_ff @(posedge aclk) a_q <= p;",
            "sign",
        ),
    ],
)
def test_what_has_no_model(tmp_path: Path, state: str, words: str) -> None:
    rest = "assign m_axis_tdata = 32'(a_q); assign m_axis_tvalid = 0; assign m_axis_tlast = 0;"
    with pytest.raises(ToolError, match=words):
        build(tmp_path, f"{state}\n{rest}\nassign s_axis_tready = 1'b1;")
