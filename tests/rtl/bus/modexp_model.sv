// SPDX-License-Identifier: Apache-2.0
// A modexp core for tests of what stands in front of one: the contract's behaviour, computed with
// plain multiplications, one exponent bit a cycle. Reads its operands for ReadCycles before it is
// ready, and wipes for WipeCycles.
`default_nettype none

module modexp_model
  import totient_pkg::*;
#(
  parameter int unsigned Width      = 32,
  parameter int unsigned ReadCycles = 3,
  parameter int unsigned WipeCycles = 5,
  localparam int unsigned CountBits = count_bits(Width)
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
  input  wire logic                 clear_i,
  input  wire logic                 req_valid_i,
  output logic                      req_ready_o,
  input  wire request_e             req_op_i,
  input  wire logic [Width-1:0]     modulus_i,
  input  wire logic [Width-1:0]     exponent_i,
  input  wire logic [CountBits-1:0] exponent_bits_i,
  input  wire logic [Width-1:0]     base_i,
  output logic                      rsp_valid_o,
  input  wire logic                 rsp_ready_i,
  output error_e                    rsp_error_o,
  output logic [Width-1:0]          rsp_result_o,
  output logic [63:0]               rsp_cycles_o,
  output logic                      wiping_o
);

  logic [Width-1:0]     modulus, exponent, base, result;
  logic [CountBits-1:0] key_bits, left;  // exponent bits, those still to do
  logic                 key_loaded, running;
  int unsigned          waiting;  // cycles until operands are read or the wipe has ended
  logic                 reading;

  function automatic logic [Width-1:0] times(logic [Width-1:0] a, logic [Width-1:0] b,
                                             logic [Width-1:0] n);
    return Width'(((2*Width)'(a) * (2*Width)'(b)) % (2*Width)'(n));
  endfunction

  function automatic error_e check();
    if (req_op_i == ReqExponentiate) begin
      if (!key_loaded) return ErrNoKey;
      return (base_i >= modulus) ? ErrBaseNotBelow : ErrNone;
    end
    if (exponent_bits_i == '0) return ErrExponentEmpty;
    if (32'(exponent_bits_i) > Width) return ErrLength;
    if (modulus_i <= 1) return ErrModulusSmall;
    return modulus_i[0] ? ErrNone : ErrModulusEven;
  endfunction

  assign req_ready_o  = reading && waiting == 0;
  assign wiping_o     = !reading && waiting != 0;
  assign rsp_result_o = (rsp_valid_o && rsp_error_o == ErrNone) ? result : '0;

  always_ff @(posedge clk_i) begin
    rsp_cycles_o <= rsp_cycles_o + 1;
    if (!rst_ni || clear_i) begin
      {modulus, exponent, base, result, key_bits, left} <= '0;
      {key_loaded, running, reading, rsp_valid_o} <= '0;
      rsp_error_o <= ErrNone;
      waiting     <= WipeCycles;
    end else if (waiting != 0) begin
      waiting <= waiting - 1;
    end else if (rsp_valid_o) begin
      rsp_cycles_o <= rsp_cycles_o;
      rsp_valid_o  <= !rsp_ready_i;
    end else if (running) begin
      if (left == 0) begin
        running     <= 1'b0;
        rsp_valid_o <= 1'b1;
      end else begin
        left   <= left - 1'b1;
        result <= times(times(result, result, modulus),
                        exponent[32'(left) - 1] ? base : Width'(1), modulus);
      end
    end else if (!reading) begin
      if (req_valid_i) begin
        reading      <= 1'b1;
        waiting      <= ReadCycles;
        rsp_cycles_o <= 1;
      end
    end else begin
      reading     <= 1'b0;
      running     <= 1'b1;
      rsp_error_o <= check();
      result      <= Width'(1);
      left        <= '0;
      if (req_op_i == ReqLoadKey) begin
        key_loaded <= check() == ErrNone;
        modulus    <= modulus_i;
        exponent   <= exponent_i;
        key_bits   <= exponent_bits_i;
        result     <= '0;
      end else if (check() == ErrNone) begin
        base <= base_i;
        left <= key_bits;
      end
    end
  end

endmodule

`default_nettype wire
