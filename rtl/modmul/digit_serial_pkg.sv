// SPDX-License-Identifier: Apache-2.0
// The schedule of the digit-serial Montgomery multipliers: the time of each part of an array, as
// cycles behind column 0 of row 0. All latencies of the arrays are derived from here.
//
// An array has a column for each bit of the parallel operand and a row for each bit of a digit of
// the serial one. `slots` operations share it, one cycle each in turn. A step is `slots` cycles, in
// which each operation advances by a digit. The plain form has its `slots` registers between the
// last row and the first, and none on a digit's path along a row: a broadcast line. Retiming moves
// registers (C. E. Leiserson and J. B. Saxe, 1991): a row works row_lag cycles behind the first
// one, a column column_lag cycles behind column 0. A register enters the digit's path after every
// `links` columns, and leaves the return path of the sums.
`default_nettype none

package digit_serial_pkg;

  // Rules of the parameters, each for values that keep the rules before it.
  function automatic bit digit_fits(int unsigned digit_bits);
    return digit_bits >= 1 && digit_bits <= 16;
  endfunction
  function automatic bit slots_fit(int unsigned slots, int unsigned digit_bits);
    return slots >= 1 && slots <= 3 * digit_bits;
  endfunction
  function automatic bit links_fit(int unsigned links, int unsigned slots,
                                   int unsigned digit_bits);
    return links == 0 || (links <= 16 && slots >= ((links == 1) ? digit_bits + 1 : digit_bits));
  endfunction
  function automatic bit multipliers_fit(int unsigned multipliers, int unsigned slots);
    return multipliers == 2 || (multipliers == 1 && slots >= 2);
  endfunction
  function automatic bit lanes_fit(int unsigned lanes, int unsigned slots,
                                   int unsigned multipliers);
    return lanes >= 1 && lanes * (3 - multipliers) <= slots;
  endfunction
  // The conventional bit-serial multiplier, without separated multiplications.
  function automatic bit conventional_fits(int unsigned digit_bits, int unsigned slots,
                                           int unsigned links);
    return digit_bits == 1 && slots == 1 && links == 0;
  endfunction

  // Delay of a row behind row 0 in cycles: as evenly spread as the slots allow, at most two from
  // one row to the next (one register on a sum's path, two on a carry's).
  function automatic int unsigned row_lag(int unsigned row, int unsigned digit_bits,
                                          int unsigned slots);
    int unsigned even = row * slots / digit_bits;
    return (2 * row < even) ? 2 * row : even;
  endfunction

  // Registers from row `row` to the next one; from the last one to row 0 of the next step.
  function automatic int unsigned row_ways(int unsigned row, int unsigned digit_bits,
                                           int unsigned slots);
    return (row == digit_bits - 1)
      ? slots - row_lag(row, digit_bits, slots)
      : row_lag(row + 1, digit_bits, slots) - row_lag(row, digit_bits, slots);
  endfunction

  // Whether a sum passes at least one register from each row to the next, so that one of them can
  // move to the digit's path.
  function automatic bit movable(int unsigned digit_bits, int unsigned slots);
    return slots >= digit_bits;
  endfunction

  // Registers on the digit's path from column 0 to column 1. The quotient goes through one if
  // possible, even if it is broadcast after it.
  function automatic int unsigned first_link(int unsigned digit_bits, int unsigned slots);
    return movable(digit_bits, slots) ? 1 : 0;
  endfunction

  // Delay of a column behind column 0 in cycles. `links` = 0: broadcast, all columns but 0 at once.
  function automatic int unsigned column_lag(int unsigned column, int unsigned links,
                                             int unsigned digit_bits, int unsigned slots);
    if (column == 0) return 0;
    return first_link(digit_bits, slots) + ((links == 0) ? 0 : (column - 1) / links);
  endfunction

  // Cycles from the serial operand's digit to the product's. With local links each step of column 0
  // (complement, quotient, sum) has its own register, which costs no time there. Otherwise only the
  // complement has one.
  function automatic int unsigned result_lag(int unsigned links);
    return (links == 0) ? 1 : 3;
  endfunction

  // Digits of the serial operand, below 2^(width + 2), and of the parallel one, below
  // 2^(width + 1).
  function automatic int unsigned serial_digits(int unsigned width, int unsigned digit_bits);
    return (width + 2 + digit_bits - 1) / digit_bits;
  endfunction
  function automatic int unsigned parallel_digits(int unsigned width, int unsigned digit_bits);
    return (width + 1 + digit_bits - 1) / digit_bits;
  endfunction

  // Cycles that a bit of the result waits before it enters the parallel operand at its top, in
  // `column`. Negative if it is too late for an operation that starts `fill` steps after the last
  // one has output its last digit.
  function automatic int waiting(int unsigned column, int unsigned fill, int unsigned width,
                                 int unsigned digit_bits, int unsigned slots, int unsigned links);
    int unsigned row = column % digit_bits;
    int unsigned steps = fill + serial_digits(width, digit_bits)
                       - parallel_digits(width, digit_bits);
    return int'(slots * steps + column_lag(column, links, digit_bits, slots))
         - int'(result_lag(links) + row_lag(row, digit_bits, slots));
  endfunction

  // Steps by which a product is longer than 2 serial_digits, so that its result is an operand of
  // the next one.
  function automatic int unsigned fill_steps(int unsigned width, int unsigned digit_bits,
                                             int unsigned slots, int unsigned links);
    int unsigned top = (parallel_digits(width, digit_bits) - 1) * digit_bits;
    int unsigned fill = 0;
    for (int unsigned row = 0; row < digit_bits; row++) begin
      while (waiting(top + row, fill, width, digit_bits, slots, links) < 0) fill++;
    end
    return fill;
  endfunction

endpackage

`default_nettype wire
