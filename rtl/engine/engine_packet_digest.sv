// SPDX-License-Identifier: Apache-2.0
// A digest of 16 bits of words that come in, or of words that are read from the memory: a cyclic
// redundancy check with x^16 + x^12 + x^5 + 1, one step a word,
//
//   digest <- x digest + low half + x (high half) mod (x^16 - 1)    as polynomials over GF(2)
//
// No word comes in while one is read.
//
// With `keep_i` it becomes the reference, and begins again from 0. A number that has come in has
// the digest of the number that is read again, and so has the result when it is sent. The digest of
// words that come in is taken at the stream, not from the register that the digits come from.
`default_nettype none

module engine_packet_digest
  import engine_packet_pkg::*;
(
  input  logic        clk_i,
  input  logic        clear_i,     // begin again from 0
  input  logic        keep_i,
  input  logic        s_axis_tready,
  input  logic [31:0] s_axis_tdata,
  input  logic        took_i,      // a word of a number was taken a cycle ago
  input  logic        read_i,      // a word that was read, as it goes to the packet
  input  half_t       low_i,
  input  half_t       high_i,
  output logic        differs_o    // from the reference, four cycles after the last word
);
  localparam half_t Polynomial = 16'h1021;
  function automatic half_t times_x(half_t half);
    return {half[HalfBits-2:0], 1'b0} ^ (half[HalfBits-1] ? Polynomial : '0);
  endfunction
  function automatic half_t fold(half_t low, half_t high);
    return low ^ {high[HalfBits-2:0], high[HalfBits-1]};
  endfunction
  half_t      came_q, read_q, digest_q, reference_q;
  logic       reads_q;
  logic [3:0] differs_q;  // by parts
  always_ff @(posedge clk_i) begin
    if (s_axis_tready) came_q <= fold(s_axis_tdata[15:0], s_axis_tdata[31:16]);
    read_q  <= fold(low_i, high_i);
    reads_q <= read_i;
    if (took_i || reads_q) begin
      digest_q <= times_x(digest_q) ^ (took_i ? came_q : read_q);
    end
    if (keep_i) reference_q <= digest_q;
    if (clear_i || keep_i) digest_q <= '0;
    if (clear_i) begin
      reference_q <= '0;
      read_q      <= '0;
      reads_q     <= 1'b0;
    end
    differs_o <= differs_q != '0;
    for (int unsigned i = 0; i < 4; i++) begin
      differs_q[i] <= digest_q[4*i+:4] != reference_q[4*i+:4];
    end
  end
endmodule

`default_nettype wire
