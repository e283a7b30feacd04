// SPDX-License-Identifier: Apache-2.0
// Whether a modular_doubling, by its name, has no job. A first word may still be written.
`ifndef DOUBLING_RESTS_SVH
`define DOUBLING_RESTS_SVH

`define DOUBLING_RESTS(Unit) \
  ({Unit.busy_o, Unit.work_q, Unit.carry_q, Unit.borrow_q, Unit.wait_q.valid, \
    Unit.read_q.valid, Unit.word_q.valid, Unit.done_q.valid} == '0 && Unit.place_q == '0)

`endif
