"""VHDL to Verilog: forms that GHDL 2.0 does not take, and what it writes."""

import shutil
from pathlib import Path

import pytest

from totient.common.errors import ToolError
from totient.flow import vhdl
from totient.flow.vhdl import verilog

# What the published cores have: a text of bits compared by its order, a selection with others, an
# initial value, a constant of more than 64 bits, an enumeration, and names that Verilog keeps.
DESIGN = """
library ieee; use ieee.std_logic_1164.all;
entity toy is port (
    clk : in std_logic; input : in std_logic_vector(1 downto 0); output : out std_logic); -- input
end toy;
architecture one of toy is
    type states is (a, b, c);
    signal state : states := b;
    signal wide : std_logic_vector(71 downto 0) := X"8000000000000000FF";
    signal chosen, low : std_logic;
begin
    process (clk) begin
        if rising_edge(clk) then
            case state is
                when a => state <= b;
                when b => state <= c;
                when c => state <= a;
            end case;
        end if;
    end process;
    process (input) begin
        if input <= b"01" then low <= '1'; else low <= '0'; end if;
    end process;
    with input select chosen <= wide(71) when b"00", wide(70) when b"01", low when others;
    output <= chosen when state = b else low;
end one;
"""


def test_a_selection_becomes_a_condition() -> None:
    text = vhdl._adapted("WITH s SELECT y <= a WHEN '0', b WHEN \"10\", d WHEN OTHERS; -- or")
    assert " ".join(text.split()) == "y <= a WHEN s = '0' ELSE b WHEN s = \"10\" ELSE d ;"
    with pytest.raises(ToolError, match="others"):
        vhdl._adapted("case s is when a => y <= b; when others => y <= c; end case;")


def test_a_missing_ghdl_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(ToolError, match=r"not installed: apt-get install ghdl$"):
        verilog({"a.vhd": DESIGN}, "reg")


def test_what_ghdl_writes_is_what_yosys_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOTIENT_CACHE", str(tmp_path))
    made = verilog({"a.vhd": DESIGN, "other.vhd": "no entity ("}, "toy").read_text()
    assert "module toy" in made
    assert "output_of_vhdl" in made
    assert "72'b1000" in made
    assert "<= 2'b" not in made.partition("initial")[2].partition(";")[0]
    assert made.count("case") == 2 * made.count("default: ") > 0
    with pytest.raises(ToolError, match=r"ghdl -m failed: .*\w"):
        verilog({"a.vhd": "entity x is end y;"}, "toy")
