// SPDX-License-Identifier: Apache-2.0
// Frames on a serial line (docs/contracts.md): bytes between two ENDs. ESC replaces bytes equal to
// END or ESC (RFC 1055; packet_pkg has these bytes). The last four bytes are a CRC-32 (IEEE 802.3)
// of all before.
`default_nettype none

package serial_frame_pkg;

  /* verilator lint_off UNUSEDPARAM */  // no design uses all constants
  localparam logic [31:0] CrcStart = 32'hFFFF_FFFF;

  // The next state of the CRC, least significant bit first; the CRC itself is the complement.
  function automatic logic [31:0] crc_next(logic [31:0] crc, logic [7:0] data);
    logic [31:0] state;
    state = crc ^ {24'b0, data};
    for (int unsigned i = 0; i < 8; i++) begin
      state = (state >> 1) ^ (state[0] ? 32'hEDB8_8320 : 32'h0);
    end
    return state;
  endfunction
  /* verilator lint_on UNUSEDPARAM */

  // Words of the longest request of a core (rtl/ip/rsa_core.sv): a key, or as many bases as lanes.
  // For the engine a key with its primes, each up to 8 bits longer than half: n, e, and five
  // numbers modulo a prime.
  function automatic int unsigned request_words(
    bit is_engine, int unsigned width, int unsigned lanes
  );
    int unsigned number_words, half_words;
    number_words = (width + 31) / 32;
    half_words   = (width / 2 + 8 + 31) / 32;
    return is_engine ? 5 + 2 * number_words + 5 * half_words
                     : 3 + (lanes > 2 ? lanes : 2) * number_words;
  endfunction

endpackage

`default_nettype wire
