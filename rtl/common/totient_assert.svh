// SPDX-License-Identifier: Apache-2.0
// Assertion macros. Each expects `clk_i` and `rst_ni` in scope and is empty under synthesis.
`ifndef TOTIENT_ASSERT_SVH
`define TOTIENT_ASSERT_SVH

// A parameter rule, checked at elaboration: "`Rule` must hold".
`define TOTIENT_REQUIRE(Name, Rule, Text) \
  if (!(Rule)) begin : gen_refused_``Name \
    $fatal(1, Text); \
  end

`ifdef SYNTHESIS
`define TOTIENT_ASSERT(Name, Property, Text)
`define TOTIENT_ASSERT_STABLE(Name, Valid, Ready, Payload)
`define TOTIENT_ASSERT_STABLE_UNLESS(Name, Valid, Ready, Payload, Drop)
`else

// `Property` holds at every clock edge out of reset.
`define TOTIENT_ASSERT(Name, Property, Text) \
  Name : assert property (@(posedge clk_i) disable iff (!rst_ni) (Property)) \
    else $error("%m: %s", Text);

// A stream keeps `valid` and its payload until the handshake, or until `Drop`.
`define TOTIENT_ASSERT_STABLE_UNLESS(Name, Valid, Ready, Payload, Drop) \
  Name : assert property (@(posedge clk_i) disable iff (!rst_ni) \
    ((Valid) && !(Ready) && !(Drop)) |=> ((Drop) || ((Valid) && $stable(Payload)))) \
    else $error("%m: valid or payload changed before the handshake");

// A stream keeps `valid` and its payload until the handshake.
`define TOTIENT_ASSERT_STABLE(Name, Valid, Ready, Payload) \
  `TOTIENT_ASSERT_STABLE_UNLESS(Name, Valid, Ready, Payload, 1'b0)

`endif
`endif
