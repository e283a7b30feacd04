// SPDX-License-Identifier: Apache-2.0
// The assertion macros of rtl/common/totient_assert.svh for proofs, which must prove every
// assertion in the RTL: as immediate assertions, the only ones that Yosys supports. A property over
// two cycles (`|=>`) is not supported; modules with one are read with SYNTHESIS, without
// assertions.
`ifndef TOTIENT_ASSERT_SVH
`define TOTIENT_ASSERT_SVH

`define TOTIENT_REQUIRE(Name, Rule, Text) \
  if (!(Rule)) begin : gen_refused_``Name \
    $fatal(1, Text); \
  end

`ifdef SYNTHESIS
`define TOTIENT_ASSERT(Name, Property, Text)
`define TOTIENT_ASSERT_STABLE(Name, Valid, Ready, Payload)
`define TOTIENT_ASSERT_STABLE_UNLESS(Name, Valid, Ready, Payload, Drop)
`else

`define TOTIENT_ASSERT(Name, Property, Text) \
  always_ff @(posedge clk_i) begin \
    if (rst_ni) Name : assert (Property); \
  end

`define TOTIENT_ASSERT_STABLE_UNLESS(Name, Valid, Ready, Payload, Drop) \
  logic waited_``Name = 1'b0; \
  always_ff @(posedge clk_i) begin \
    waited_``Name <= rst_ni && (Valid) && !(Ready) && !(Drop); \
    if (rst_ni && waited_``Name && !(Drop)) \
      Name : assert ((Valid) && (Payload) == $past(Payload)); \
  end

`define TOTIENT_ASSERT_STABLE(Name, Valid, Ready, Payload) \
  `TOTIENT_ASSERT_STABLE_UNLESS(Name, Valid, Ready, Payload, 1'b0)

`endif
`endif
