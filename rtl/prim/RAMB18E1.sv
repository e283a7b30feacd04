// SPDX-License-Identifier: Apache-2.0
// The block RAM of 7-series devices, limited to our use: written through port B, read through port
// A, both of the same width on the same clock, with the output register of port A; or read only.
// Yosys takes its ports and parameters from here, and the cell from the device; Vivado has its own.
// In simulation it behaves as below. Parameters and inputs beyond that are refused.
//
// Word of 18, 9, 4, 2, 1 bits: address bits 13:4, 13:3, 13:2, 13:1, 13:0; those below are high.
// Words of 18 and 9 bits have a ninth bit with each byte, in the parity inputs and outputs.
// Content: the bytes of 32 in an INIT, the ninth bits of 256 in an INITP, from the lowest bit on.
// A read of a word that is being written returns the old word (READ_FIRST).
//
// Source: Xilinx UG473, "7 Series FPGAs Memory Resources".
`include "totient_assert.svh"
`default_nettype none
/* verilator lint_off UNUSEDPARAM */
/* verilator lint_off UNUSEDSIGNAL */

(* blackbox *)
module RAMB18E1 #(
  parameter logic [255:0] INIT_00 = '0,
  parameter logic [255:0] INIT_01 = '0,
  parameter logic [255:0] INIT_02 = '0,
  parameter logic [255:0] INIT_03 = '0,
  parameter logic [255:0] INIT_04 = '0,
  parameter logic [255:0] INIT_05 = '0,
  parameter logic [255:0] INIT_06 = '0,
  parameter logic [255:0] INIT_07 = '0,
  parameter logic [255:0] INIT_08 = '0,
  parameter logic [255:0] INIT_09 = '0,
  parameter logic [255:0] INIT_0A = '0,
  parameter logic [255:0] INIT_0B = '0,
  parameter logic [255:0] INIT_0C = '0,
  parameter logic [255:0] INIT_0D = '0,
  parameter logic [255:0] INIT_0E = '0,
  parameter logic [255:0] INIT_0F = '0,
  parameter logic [255:0] INIT_10 = '0,
  parameter logic [255:0] INIT_11 = '0,
  parameter logic [255:0] INIT_12 = '0,
  parameter logic [255:0] INIT_13 = '0,
  parameter logic [255:0] INIT_14 = '0,
  parameter logic [255:0] INIT_15 = '0,
  parameter logic [255:0] INIT_16 = '0,
  parameter logic [255:0] INIT_17 = '0,
  parameter logic [255:0] INIT_18 = '0,
  parameter logic [255:0] INIT_19 = '0,
  parameter logic [255:0] INIT_1A = '0,
  parameter logic [255:0] INIT_1B = '0,
  parameter logic [255:0] INIT_1C = '0,
  parameter logic [255:0] INIT_1D = '0,
  parameter logic [255:0] INIT_1E = '0,
  parameter logic [255:0] INIT_1F = '0,
  parameter logic [255:0] INIT_20 = '0,
  parameter logic [255:0] INIT_21 = '0,
  parameter logic [255:0] INIT_22 = '0,
  parameter logic [255:0] INIT_23 = '0,
  parameter logic [255:0] INIT_24 = '0,
  parameter logic [255:0] INIT_25 = '0,
  parameter logic [255:0] INIT_26 = '0,
  parameter logic [255:0] INIT_27 = '0,
  parameter logic [255:0] INIT_28 = '0,
  parameter logic [255:0] INIT_29 = '0,
  parameter logic [255:0] INIT_2A = '0,
  parameter logic [255:0] INIT_2B = '0,
  parameter logic [255:0] INIT_2C = '0,
  parameter logic [255:0] INIT_2D = '0,
  parameter logic [255:0] INIT_2E = '0,
  parameter logic [255:0] INIT_2F = '0,
  parameter logic [255:0] INIT_30 = '0,
  parameter logic [255:0] INIT_31 = '0,
  parameter logic [255:0] INIT_32 = '0,
  parameter logic [255:0] INIT_33 = '0,
  parameter logic [255:0] INIT_34 = '0,
  parameter logic [255:0] INIT_35 = '0,
  parameter logic [255:0] INIT_36 = '0,
  parameter logic [255:0] INIT_37 = '0,
  parameter logic [255:0] INIT_38 = '0,
  parameter logic [255:0] INIT_39 = '0,
  parameter logic [255:0] INIT_3A = '0,
  parameter logic [255:0] INIT_3B = '0,
  parameter logic [255:0] INIT_3C = '0,
  parameter logic [255:0] INIT_3D = '0,
  parameter logic [255:0] INIT_3E = '0,
  parameter logic [255:0] INIT_3F = '0,
  parameter logic [255:0] INITP_00 = '0,
  parameter logic [255:0] INITP_01 = '0,
  parameter logic [255:0] INITP_02 = '0,
  parameter logic [255:0] INITP_03 = '0,
  parameter logic [255:0] INITP_04 = '0,
  parameter logic [255:0] INITP_05 = '0,
  parameter logic [255:0] INITP_06 = '0,
  parameter logic [255:0] INITP_07 = '0,
  parameter string RAM_MODE      = "TDP",
  parameter int    READ_WIDTH_A  = 0,
  parameter int    READ_WIDTH_B  = 0,
  parameter int    WRITE_WIDTH_A = 0,
  parameter int    WRITE_WIDTH_B = 0,
  parameter int    DOA_REG       = 0,
  parameter int    DOB_REG       = 0,
  parameter string WRITE_MODE_A  = "WRITE_FIRST",
  parameter string WRITE_MODE_B  = "WRITE_FIRST",
  parameter string RDADDR_COLLISION_HWCONFIG = "DELAYED_WRITE",
  parameter string SIM_DEVICE    = "7SERIES"
) (
  input  logic        CLKARDCLK,
  input  logic        ENARDEN, REGCEAREGCE, RSTRAMARSTRAM, RSTREGARSTREG,
  input  logic [13:0] ADDRARDADDR,
  input  logic [15:0] DIADI,
  input  logic [1:0]  DIPADIP,
  input  logic [1:0]  WEA,
  output logic [15:0] DOADO,
  output logic [1:0]  DOPADOP,
  input  logic        CLKBWRCLK,
  input  logic        ENBWREN, REGCEB, RSTRAMB, RSTREGB,
  input  logic [13:0] ADDRBWRADDR,
  input  logic [15:0] DIBDI,
  input  logic [1:0]  DIPBDIP,
  input  logic [3:0]  WEBWE
);
`ifndef SYNTHESIS
  localparam int unsigned Bits = READ_WIDTH_A;
  `TOTIENT_REQUIRE(Widths, Bits inside {1, 2, 4, 9, 18} && WRITE_WIDTH_B inside {0, Bits}
                   && READ_WIDTH_B == 0 && WRITE_WIDTH_A == 0,
                   "RAMB18E1 is modelled with reads of 1, 2, 4, 9, 18 bits at A, as writes at B")
  `TOTIENT_REQUIRE(Mode, RAM_MODE == "TDP" && DOA_REG == 1 && DOB_REG == 0,
                   "RAMB18E1 is modelled with RAM_MODE = TDP, DOA_REG = 1 and DOB_REG = 0")
  `TOTIENT_REQUIRE(Collision,
                   WRITE_MODE_B == "READ_FIRST" && RDADDR_COLLISION_HWCONFIG == "DELAYED_WRITE",
                   "RAMB18E1 is modelled with WRITE_MODE_B = READ_FIRST and DELAYED_WRITE")
  `TOTIENT_REQUIRE(Device, SIM_DEVICE == "7SERIES", "RAMB18E1 is modelled for 7SERIES")
  Reading : assert property (@(posedge CLKARDCLK)
    ENARDEN && REGCEAREGCE && {RSTRAMARSTRAM, RSTREGARSTREG, WEA} == '0)
    else $error("%m: RAMB18E1 is modelled with port A always reading, and without resets");
  Writing : assert property (@(posedge CLKBWRCLK)
    ENBWREN |-> &WEBWE && WRITE_WIDTH_B != 0 && !RSTRAMB)
    else $error("%m: RAMB18E1 is modelled with whole words written at port B");

  localparam int unsigned Skip = (Bits == 18) ? 4 : (Bits == 9) ? 3 : (Bits == 4) ? 2 : Bits - 1;
  localparam int unsigned Words = 16384 >> Skip;
  localparam int unsigned Bytes = Bits / 9;  // each with a ninth bit
  localparam int unsigned DataBits = Bits - Bytes;
  localparam logic [16383:0] Data = {
    INIT_3F, INIT_3E, INIT_3D, INIT_3C, INIT_3B, INIT_3A, INIT_39, INIT_38, INIT_37, INIT_36,
    INIT_35, INIT_34, INIT_33, INIT_32, INIT_31, INIT_30, INIT_2F, INIT_2E, INIT_2D, INIT_2C,
    INIT_2B, INIT_2A, INIT_29, INIT_28, INIT_27, INIT_26, INIT_25, INIT_24, INIT_23, INIT_22,
    INIT_21, INIT_20, INIT_1F, INIT_1E, INIT_1D, INIT_1C, INIT_1B, INIT_1A, INIT_19, INIT_18,
    INIT_17, INIT_16, INIT_15, INIT_14, INIT_13, INIT_12, INIT_11, INIT_10, INIT_0F, INIT_0E,
    INIT_0D, INIT_0C, INIT_0B, INIT_0A, INIT_09, INIT_08, INIT_07, INIT_06, INIT_05, INIT_04,
    INIT_03, INIT_02, INIT_01, INIT_00
  };
  localparam logic [2047:0] Ninths = {
    INITP_07, INITP_06, INITP_05, INITP_04, INITP_03, INITP_02, INITP_01, INITP_00
  };

  logic [Bits-1:0] memory[Words];
  logic [Bits-1:0] latch_q, output_q;
  initial begin
    for (int unsigned i = 0; i < Words; i++) begin
      memory[i] = Bits'({Ninths[Bytes*i+:2], Data[DataBits*i+:DataBits]});
    end
  end
  always_ff @(posedge CLKBWRCLK) begin
    if (ENBWREN) memory[ADDRBWRADDR[13:Skip]] <= Bits'({DIPBDIP, DIBDI[DataBits-1:0]});
  end
  always_ff @(posedge CLKARDCLK) begin
    latch_q  <= memory[ADDRARDADDR[13:Skip]];
    output_q <= latch_q;
  end
  assign DOADO   = 16'(output_q[DataBits-1:0]);
  assign DOPADOP = 2'(output_q >> DataBits);
`endif
endmodule

/* verilator lint_on UNUSEDSIGNAL */
/* verilator lint_on UNUSEDPARAM */
`default_nettype wire
