// SPDX-License-Identifier: Apache-2.0
// A digest of 16 bits, from words that come in and from words that are read from the memory:
//
//   digest = XOR over the words of (low half XOR rotate(high half))
//
// A number that has come in and is read again gives 0. So does a number that is read, and read
// again when it is sent. The digest of the words that come in is taken at the stream, not from the
// register that the digits come from.
`default_nettype none

module engine_packet_digest
  import engine_packet_pkg::*;
(
  input  logic        clk_i,
  input  logic        clear_i,
  input  logic        s_axis_tready,
  input  logic [31:0] s_axis_tdata,
  input  logic        took_i,      // a word of a number was taken a cycle ago
  input  logic        read_i,      // a word that was read, as it goes to the packet
  input  half_t       low_i,
  input  half_t       high_i,
  output logic        nonzero_o    // three cycles later
);
  function automatic half_t rotate(half_t half);
    return {half[HalfBits-2:0], half[HalfBits-1]};
  endfunction
  half_t      came_q, read_q, digest_q;
  logic [3:0] nonzero_q;  // by parts
  always_ff @(posedge clk_i) begin
    if (s_axis_tready) came_q <= s_axis_tdata[15:0] ^ rotate(s_axis_tdata[31:16]);
    read_q   <= read_i ? low_i ^ rotate(high_i) : '0;
    digest_q <= digest_q ^ (came_q & {HalfBits{took_i}}) ^ read_q;
    for (int unsigned i = 0; i < 4; i++) nonzero_q[i] <= digest_q[4*i+:4] != '0;
    if (clear_i) begin
      digest_q <= '0;
      read_q   <= '0;
    end
  end
  assign nonzero_o = nonzero_q != '0;
endmodule

`default_nettype wire
