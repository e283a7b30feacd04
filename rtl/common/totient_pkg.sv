// SPDX-License-Identifier: Apache-2.0
// Types and width functions of every core; docs/contracts.md explains them.
`default_nettype none

package totient_pkg;

  /* verilator lint_off UNUSEDPARAM */  // no design uses all constants

  // Forms of the word multipliers (rtl/prim/multiply_add.sv).
  localparam int unsigned MultiplyInferred = 0;
  localparam int unsigned MultiplyRows7    = 1;

  /* verilator lint_on UNUSEDPARAM */

  // Bits of an index into `depth` entries; at least 1.
  function automatic int unsigned index_bits(int unsigned depth);
    return (depth > 1) ? unsigned'($clog2(depth)) : 1;
  endfunction

  // Bits of a counter from 0 to `most` inclusive; at least 1.
  function automatic int unsigned count_bits(int unsigned most);
    return (most > 0) ? unsigned'($clog2(most + 1)) : 1;
  endfunction

  // Words of `word_bits` needed for `bits`.
  function automatic int unsigned words_of(int unsigned bits, int unsigned word_bits);
    return (bits + word_bits - 1) / word_bits;
  endfunction

  // Bits of the index of an operand's word of 32 bits.
  function automatic int unsigned operand_index_bits(int unsigned width);
    return index_bits(words_of(width, 32));
  endfunction

endpackage

`default_nettype wire
