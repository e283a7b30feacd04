// SPDX-License-Identifier: Apache-2.0
// How a stretch of modexp_stretch.svh begins. Where a solver does not end for all at once, there
// are three parts. In two of them the first state's control registers are constants, by which a
// solver knows where the core is in each cycle. Keys then have moduli of the full length.
`default_nettype none

package modexp_stretch_pkg;
  import modexp_pkg::*;

  localparam int unsigned StartAny          = 0;
  localparam int unsigned StartKey          = 1;  // a good key is loaded
  localparam int unsigned StartExponentiate = 2;  // a good base is there
  localparam int unsigned StartOther        = 3;  // neither of them: also a reset or a clear

  // The request of a cycle.
  function automatic modexp_request_t begun(modexp_request_t request, logic first,
                                            int unsigned start);
    begun = request;
    if (start inside {StartKey, StartExponentiate}) begin
      begun.write     = 1'b0;
      begun.req_valid = first;
      begun.req_op    = (start == StartKey) ? ReqLoadKey : ReqExponentiate;
      begun.rsp_ready = 1'b1;
    end
  endfunction

  // Place of the highest 1; 0 if there is none.
  function automatic int unsigned top_of(logic [63:0] number);
    top_of = 0;
    for (int unsigned i = 0; i < 64; i++) if (number[i]) top_of = i;
  endfunction
endpackage

`default_nettype wire
