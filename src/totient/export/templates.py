"""Texts of exported files; `$name` and the like are put in."""

from string import Template

WRAPPER = Template("""\
// SPDX-License-Identifier: Apache-2.0
// $label, its parameters fixed for $target: written by totient $version.
`default_nettype none

module $name (
$ports);
  $module #(
$parameters  ) u_ip (
    .*
  );
endmodule

`default_nettype wire
""")

EXAMPLE = Template("""\
// SPDX-License-Identifier: Apache-2.0
// An example of a top around $name: a reset that comes at any time, and goes with the
// clock. Written by totient $version.
`default_nettype none

module $example (
$ports);
  logic [1:0] reset_nq;
  always_ff @(posedge clk or negedge reset_n) begin
    if (!reset_n) reset_nq <= '0;
    else          reset_nq <= {reset_nq[0], 1'b1};
  end

  $name u_core (
    .aclk(clk), .aresetn(reset_nq[1]),
$connected
  );
endmodule

`default_nettype wire
""")

CORE = Template("""\
CAPI=2:
name: totient:export:$name:$version
description: "$label for $target"
filesets:
  rtl:
    file_type: systemVerilogSource
    files:
$files  example:
    file_type: systemVerilogSource
    files: [$example.sv]
targets:
  default:
    filesets: [rtl]
    toplevel: $name
  lint:
    default_tool: verilator
    filesets: [rtl, example]
    toplevel: $example
    tools:
      verilator:
        mode: lint-only
        verilator_options: [-Wall]
""")

MAKEFILE = Template("""\
# `make` runs the test bench, `make lint` Verilator's lint. Both want Verilator 5 and a C++ compiler.
VERILATOR ?= verilator
CXX ?= g++

run: obj_dir/testbench
	./obj_dir/testbench

obj_dir/testbench: files.f $name.sv $example.sv testbench.sv $$(wildcard rtl/*/*)
	$$(VERILATOR) --binary -Wno-fatal -Wno-lint -j 0 -CFLAGS -std=c++20 --Mdir obj_dir -o testbench -F files.f \\
	  $example.sv testbench.sv --top-module testbench -MAKEFLAGS "CXX=$$(CXX) LINK=$$(CXX)"

lint:
	$$(VERILATOR) --lint-only -Wall -F files.f $example.sv --top-module $example

clean:
	rm -rf obj_dir

.PHONY: run lint clean
""")

README = Template("""\
# $name
$label for $device, exported by totient $version. This folder needs nothing else of Totient.

| file | what |
| --- | --- |
| `$name.md` | datasheet: ports, parameters, registers, cycles, resources |
| `files.f` | all sources in the order of compilation; the paths are relative to this folder |
| `$name.core` | the same for FuseSoC: `fusesoc --cores-root . run --target lint totient:export:$name` |
| `$name.sv` | the IP with its parameters fixed: instantiate this one |
| `$example.sv` | an example of a top, with constraints of its clock ($clock MHz) beside it |
| `testbench.sv`, `steps.hex` | what is sent and what has to come: `make` |
| `rtl/` | the sources |

`make` builds and runs the test bench with Verilator 5 and a C++ compiler; it ends with `PASS`. The expected results are
Python's, the expected cycles those of the formulas. Yosys reads the sources with `read_slang -F files.f`
(`read_verilog` does not know all of their SystemVerilog).
$random""")
