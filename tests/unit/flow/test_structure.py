"""Structure of elaborated RTL: equal for other words, different for any change of hardware."""

from pathlib import Path

import pytest

from totient.catalog import SourceList, sources
from totient.flow import Rtl, find_target
from totient.flow.structure import Elaborated, elaborated

pytestmark = pytest.mark.usefixtures("cache")

PLAIN = """
module gather (
  input  wire logic        clk_i, rst_ni, write_i,
  input  wire logic [3:0]  index_i,
  input  wire logic [7:0]  word_i,
  output logic      [7:0]  sum_o, least_o,
  output logic             busy_o
);
  logic [7:0] memory [16];
  logic [7:0] sum_q, least_q, read_q;
  logic [3:0] delay_q = 4'd9;
  typedef enum logic [1:0] {StIdle, StRead, StAdd} state_e;
  state_e state_q;
  always_ff @(posedge clk_i) begin
    if (write_i) memory[index_i] <= word_i;
    read_q  <= memory[index_i];
    delay_q <= {delay_q[2:0], write_i};
    if (!rst_ni) begin
      state_q <= StIdle;
      sum_q   <= 8'd5;
      least_q <= '1;
    end else begin
      unique case (state_q)
        StIdle:  if (delay_q[3]) state_q <= StRead;
        StRead:  state_q <= StAdd;
        default: begin
          state_q <= StIdle;
          sum_q   <= sum_q - read_q;
          if (read_q < least_q) least_q <= read_q;
        end
      endcase
    end
  end
  assign sum_o   = sum_q;
  assign least_o = least_q;
  assign busy_o  = state_q != StIdle;
endmodule
"""

REWRITTEN = """
package gather_pkg;
  typedef struct packed {
    logic       valid;
    logic [3:0] place;
    logic [7:0] value;
  } write_t;
  typedef enum logic [1:0] {Waiting, Fetching, Summing} step_e;
endpackage

// The words, and the one that was read.
module word_store import gather_pkg::*; (
  input wire logic clk, input wire write_t write, output logic [7:0] found
);
  logic [7:0] words [16];
  always_ff @(posedge clk) begin
    found <= words[write.place];
    if (write.valid) words[write.place] <= write.value;
  end
endmodule

module gather import gather_pkg::*; (
  input  wire logic        clk_i, rst_ni, write_i,
  input  wire logic [3:0]  index_i,
  input  wire logic [7:0]  word_i,
  output logic      [7:0]  sum_o, least_o,
  output logic             busy_o
);
  logic [7:0] found;
  write_t write;
  assign write = '{valid: write_i, place: index_i, value: word_i};
  word_store u_store (.clk(clk_i), .write, .found);

  logic [3:0] late = 4'd9;
  always_ff @(posedge clk_i) late <= {late[2:0], write.valid};

  step_e step;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) step <= Waiting;
    else unique case (step)
      Waiting:  if (late[3]) step <= Fetching;
      Fetching: step <= Summing;
      default:  step <= Waiting;
    endcase
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sum_o   <= 8'd5;
      least_o <= '1;
    end else unique case (step)
      Waiting:  ;
      Fetching: ;
      default: begin
        sum_o <= sum_o - found;
        if (found < least_o) least_o <= found;
      end
    endcase
  end
  assign busy_o = step != Waiting;
endmodule
"""


def found(text: str, folder: Path, top: str = "gather") -> str:
    path = folder / "gather.sv"
    path.write_text(text)
    digests = elaborated(Rtl(SourceList((path,), ()), top, {}), find_target("ecp5-85f"))
    assert digests.contents is None  # it instantiates no memory block
    return digests.structure


def test_other_words_are_the_same_structure(tmp_path: Path) -> None:
    assert found(REWRITTEN, tmp_path) == found(PLAIN, tmp_path)


def test_the_digest_is_the_one_that_records_have(tmp_path: Path) -> None:
    # With another way to it none of them could be kept: all would be measured anew.
    assert found(PLAIN, tmp_path) == "ef505a480821d460a1d102aa"


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("sum_q + read_q", "read_q + sum_q"),
        ("sum_q & read_q", "read_q & sum_q"),
        ("sum_q == read_q", "read_q == sum_q"),
    ],
)
def test_inputs_that_commute_may_be_exchanged(part: str, change: str, tmp_path: Path) -> None:
    before = PLAIN.replace("sum_q - read_q", f"8'({part})")
    assert found(before.replace(part, change), tmp_path) == found(before, tmp_path)


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("8'd5", "8'd4"),  # a reset value
        ("least_q <= '1", "least_q <= '0"),
        ("4'd9", "4'd8"),  # an initial value
        ("4'd9", "4'd3"),  # the same number of ones
        (" = 4'd9", ""),
        ("sum_q - read_q", "read_q - sum_q"),
        ("sum_q - read_q", "sum_q + read_q"),
        ("sum_q - read_q", "sum_q + {read_q[6:0], read_q[7]}"),
        ("sum_q - read_q", "8'(sum_q * read_q[3:0])"),
        ("read_q < least_q", "read_q <= least_q"),
        ("read_q < least_q", "$signed(read_q) < $signed(least_q)"),
        ("memory [16]", "memory [15]"),
        ("if (write_i) memory", "memory"),  # an enable
        ("sum_q - read_q", "sum_q - {read_q[6:0], read_q[7]}"),
        ("sum_q - read_q", "sum_q - read_q - word_i"),  # one input more at that cell
        ("memory[index_i] <= word_i", "memory[index_i] <= {word_i[7:1], word_i[7]}"),
        ("memory[index_i] <= word_i", "memory[index_i] <= {word_i[7:1], write_i}"),
        ("read_q  <= memory[index_i]", "read_q  <= memory[index_i ^ 4'd1]"),
        ("{delay_q[2:0], write_i}", "{write_i, delay_q[3:1]}"),
        ("delay_q[3]", "delay_q[2]"),
        ("sum_o   = sum_q", "sum_o   = least_q"),
        ("least_o = least_q", "least_o = {least_q[7:2], least_q[0], least_q[0]}"),
        ("least_o = least_q", "least_o = sum_q"),
        ("busy_o  = state_q", "busy_o  = !rst_ni || state_q"),
        ("!= StIdle;", "== StIdle;"),
        ("posedge clk_i)", "negedge clk_i)"),
        ("StRead:  state_q <= StAdd", "StRead:  state_q <= StIdle"),
        ("logic [7:0] sum_q", "(* keep *) logic [7:0] sum_q"),
        ("logic [7:0] memory", '(* ram_style = "block" *) logic [7:0] memory'),
    ],
)
def test_other_hardware_is_another_structure(part: str, change: str, tmp_path: Path) -> None:
    assert part in PLAIN
    assert found(PLAIN.replace(part, change), tmp_path) != found(PLAIN, tmp_path)


STRUCTS = """
package gather_pkg;
  typedef struct packed {
    logic        rest;
    logic [63:0] word;
    logic        valid;
    logic [7:0]  index;
  } write_t;
  typedef struct packed {
    logic       busy;
    logic [7:0] least, sum;
  } found_t;
endpackage

module gather_all import gather_pkg::*; (
  input wire logic clk_i, rst_ni, input wire write_t write_i, output found_t found_o
);
  gather u_gather (
    .clk_i, .rst_ni, .write_i(write_i.valid), .index_i(write_i.index[3:0]),
    .word_i(write_i.word[7:0]), .sum_o(found_o.sum), .least_o(found_o.least), .busy_o(found_o.busy)
  );
endmodule
"""


def test_ports_may_be_structs_with_fields_that_nothing_reads(tmp_path: Path) -> None:
    assert found(PLAIN + STRUCTS, tmp_path, "gather_all") == found(PLAIN, tmp_path)


@pytest.mark.parametrize(
    ("part", "change"),
    [
        (".write_i(write_i.valid)", ".write_i(write_i.rest)"),  # another input in its place
        ("write_i.word[7:0]", "{write_i.word[0], write_i.word[7:1]}"),
        (
            ".sum_o(found_o.sum), .least_o(found_o.least)",
            ".sum_o(found_o.least), .least_o(found_o.sum)",
        ),
    ],
)
def test_ports_may_be_exchanged(part: str, change: str, tmp_path: Path) -> None:
    assert part in STRUCTS
    changed = PLAIN + STRUCTS.replace(part, change)
    assert found(changed, tmp_path, "gather_all") == found(PLAIN, tmp_path)


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("write_i.word[7:0]", "{write_i.word[7:1], write_i.valid}"),  # an input for two
        ("write_i.index[3:0]", "{write_i.index[3:1], 1'b0}"),
        (".busy_o(found_o.busy)", ".busy_o()"),
        ("logic       busy;", "logic       busy, idle;"),  # an output more
    ],
)
def test_other_connections_of_ports_are_another_structure(
    part: str, change: str, tmp_path: Path
) -> None:
    assert part in STRUCTS
    changed = PLAIN + STRUCTS.replace(part, change)
    assert found(changed, tmp_path, "gather_all") != found(PLAIN, tmp_path)


SHARED = """
module gather (
  input wire logic clk_i, input wire logic [3:0] in_i, output logic [1:0] out_o
);
  assign out_o = {in_i[3] & in_i[2], in_i[1] & in_i[0]};
endmodule
"""


def test_inputs_that_two_cells_share_are_another_structure(tmp_path: Path) -> None:
    shared = SHARED.replace("in_i[1] & in_i[0]", "in_i[2] & in_i[0]")
    assert found(shared, tmp_path) != found(SHARED, tmp_path)


ROM = """
module stored #(parameter int unsigned Form = 1) (
  input  logic        clk_i,
  input  logic [9:0]  index_i,
  output logic [35:0] data_o
);
  localparam logic [999:0][35:0] Content = {36'h4_0000_0005, {998{36'h3}}, 36'h2_0002_0001};
  rom_registered #(.Bits(36), .Depth(1000), .Form(Form), .Content(Content)) u_rom (
    .clk_i, .index_i(index_i), .data_o
  );
endmodule
"""


@pytest.mark.parametrize(("form", "target"), [(1, "ecp5-85f"), (2, "artix7-100t")])
def test_contents_of_memory_blocks_have_a_digest_of_their_own(
    tmp_path: Path, form: int, target: str
) -> None:
    listing = sources("totient:prim:rom_registered")

    def of(text: str) -> Elaborated:
        path = tmp_path / "stored.sv"
        path.write_text(text)
        files = SourceList((*listing.files, path), listing.headers)
        return elaborated(Rtl(files, "stored", {"Form": form}), find_target(target))

    before = of(ROM)
    assert before.contents
    assert of(ROM.replace("u_rom", "u_program")) == before
    for part, change in (
        ("0001}", "0003}"),  # the lowest bits of the first word
        ("36'h2_", "36'h6_"),  # its highest block
        ("36'h3}", "36'h7}"),
        ("36'h4_", "36'hC_"),  # the last word
        ("{998{36'h3}}", "{36'h7, {997{36'h3}}}"),
    ):
        assert part in ROM
        changed = of(ROM.replace(part, change))
        assert changed.structure == before.structure
        assert changed.contents != before.contents
    twice = of(ROM.replace("(index_i)", "({index_i[9:1], index_i[1]})"))
    assert twice.structure != before.structure
    assert twice.contents == before.contents
    assert of(ROM.replace("9:0]  index", "8:0]  index")).structure != before.structure
