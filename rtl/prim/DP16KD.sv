// SPDX-License-Identifier: Apache-2.0
// The block RAM of ECP5 devices, limited to our use: written through port A, read through port B,
// both of the same width on the same clock, with the output register of port B. Synthesis takes its
// ports and parameters from here, and the cell from the device. In simulation it behaves as below.
//
// Word of 18 bits: address bits 13:4, and 1:0 are the byte enables of a write. Of 9, 4, 2, 1 bits:
// address bits 13:3, 13:2, 13:1, 13:0. Content: 16 words of 18 bits in 320 bits of an INITVAL, from
// bit 20 i on (words of 18 bits only).
//
// Source: Lattice FPGA-TN-02204, "ECP5 memory usage guide".
`default_nettype none
/* verilator lint_off UNUSEDPARAM */
/* verilator lint_off UNUSEDSIGNAL */

(* blackbox *)
module DP16KD #(
  parameter logic [319:0] INITVAL_00 = '0,
  parameter logic [319:0] INITVAL_01 = '0,
  parameter logic [319:0] INITVAL_02 = '0,
  parameter logic [319:0] INITVAL_03 = '0,
  parameter logic [319:0] INITVAL_04 = '0,
  parameter logic [319:0] INITVAL_05 = '0,
  parameter logic [319:0] INITVAL_06 = '0,
  parameter logic [319:0] INITVAL_07 = '0,
  parameter logic [319:0] INITVAL_08 = '0,
  parameter logic [319:0] INITVAL_09 = '0,
  parameter logic [319:0] INITVAL_0A = '0,
  parameter logic [319:0] INITVAL_0B = '0,
  parameter logic [319:0] INITVAL_0C = '0,
  parameter logic [319:0] INITVAL_0D = '0,
  parameter logic [319:0] INITVAL_0E = '0,
  parameter logic [319:0] INITVAL_0F = '0,
  parameter logic [319:0] INITVAL_10 = '0,
  parameter logic [319:0] INITVAL_11 = '0,
  parameter logic [319:0] INITVAL_12 = '0,
  parameter logic [319:0] INITVAL_13 = '0,
  parameter logic [319:0] INITVAL_14 = '0,
  parameter logic [319:0] INITVAL_15 = '0,
  parameter logic [319:0] INITVAL_16 = '0,
  parameter logic [319:0] INITVAL_17 = '0,
  parameter logic [319:0] INITVAL_18 = '0,
  parameter logic [319:0] INITVAL_19 = '0,
  parameter logic [319:0] INITVAL_1A = '0,
  parameter logic [319:0] INITVAL_1B = '0,
  parameter logic [319:0] INITVAL_1C = '0,
  parameter logic [319:0] INITVAL_1D = '0,
  parameter logic [319:0] INITVAL_1E = '0,
  parameter logic [319:0] INITVAL_1F = '0,
  parameter logic [319:0] INITVAL_20 = '0,
  parameter logic [319:0] INITVAL_21 = '0,
  parameter logic [319:0] INITVAL_22 = '0,
  parameter logic [319:0] INITVAL_23 = '0,
  parameter logic [319:0] INITVAL_24 = '0,
  parameter logic [319:0] INITVAL_25 = '0,
  parameter logic [319:0] INITVAL_26 = '0,
  parameter logic [319:0] INITVAL_27 = '0,
  parameter logic [319:0] INITVAL_28 = '0,
  parameter logic [319:0] INITVAL_29 = '0,
  parameter logic [319:0] INITVAL_2A = '0,
  parameter logic [319:0] INITVAL_2B = '0,
  parameter logic [319:0] INITVAL_2C = '0,
  parameter logic [319:0] INITVAL_2D = '0,
  parameter logic [319:0] INITVAL_2E = '0,
  parameter logic [319:0] INITVAL_2F = '0,
  parameter logic [319:0] INITVAL_30 = '0,
  parameter logic [319:0] INITVAL_31 = '0,
  parameter logic [319:0] INITVAL_32 = '0,
  parameter logic [319:0] INITVAL_33 = '0,
  parameter logic [319:0] INITVAL_34 = '0,
  parameter logic [319:0] INITVAL_35 = '0,
  parameter logic [319:0] INITVAL_36 = '0,
  parameter logic [319:0] INITVAL_37 = '0,
  parameter logic [319:0] INITVAL_38 = '0,
  parameter logic [319:0] INITVAL_39 = '0,
  parameter logic [319:0] INITVAL_3A = '0,
  parameter logic [319:0] INITVAL_3B = '0,
  parameter logic [319:0] INITVAL_3C = '0,
  parameter logic [319:0] INITVAL_3D = '0,
  parameter logic [319:0] INITVAL_3E = '0,
  parameter logic [319:0] INITVAL_3F = '0,
  parameter int    DATA_WIDTH_A        = 18,
  parameter int    DATA_WIDTH_B        = 18,
  parameter string REGMODE_A           = "NOREG",
  parameter string REGMODE_B           = "NOREG",
  parameter string RESETMODE           = "SYNC",
  parameter string ASYNC_RESET_RELEASE = "SYNC",
  parameter string CSDECODE_A          = "0b000",
  parameter string CSDECODE_B          = "0b000",
  parameter string WRITEMODE_A         = "NORMAL",
  parameter string WRITEMODE_B         = "NORMAL",
  parameter string GSR                 = "ENABLED"
) (
  input  logic CLKA, WEA, CEA, OCEA, RSTA, CSA0, CSA1, CSA2,
  input  logic CLKB, WEB, CEB, OCEB, RSTB, CSB0, CSB1, CSB2,
  input  logic ADA0, ADA1, ADA2, ADA3, ADA4, ADA5, ADA6, ADA7, ADA8, ADA9, ADA10, ADA11, ADA12,
      ADA13,
  input  logic ADB0, ADB1, ADB2, ADB3, ADB4, ADB5, ADB6, ADB7, ADB8, ADB9, ADB10, ADB11, ADB12,
      ADB13,
  input  logic DIA0, DIA1, DIA2, DIA3, DIA4, DIA5, DIA6, DIA7, DIA8, DIA9, DIA10, DIA11, DIA12,
      DIA13, DIA14, DIA15, DIA16, DIA17,
  output logic DOB0, DOB1, DOB2, DOB3, DOB4, DOB5, DOB6, DOB7, DOB8, DOB9, DOB10, DOB11, DOB12,
      DOB13, DOB14, DOB15, DOB16, DOB17
);
`ifndef SYNTHESIS
  localparam int unsigned Bits = DATA_WIDTH_A;
  localparam int unsigned Skip = (Bits == 18) ? 4 : (Bits == 9) ? 3 : (Bits == 4) ? 2 : Bits - 1;
  logic [Bits-1:0] memory[16384 >> Skip];
  logic [Bits-1:0] latch_q, output_q;
  logic [13:0] write_address, read_address;
  logic [17:0] data;
  assign write_address = {
    ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0
  };
  assign read_address = {
    ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0
  };
  assign data = {
    DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4,
    DIA3, DIA2, DIA1, DIA0
  };
  localparam logic [64*320-1:0] Content = {
    INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B, INITVAL_3A, INITVAL_39,
    INITVAL_38, INITVAL_37, INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33, INITVAL_32,
    INITVAL_31, INITVAL_30, INITVAL_2F, INITVAL_2E, INITVAL_2D, INITVAL_2C, INITVAL_2B,
    INITVAL_2A, INITVAL_29, INITVAL_28, INITVAL_27, INITVAL_26, INITVAL_25, INITVAL_24,
    INITVAL_23, INITVAL_22, INITVAL_21, INITVAL_20, INITVAL_1F, INITVAL_1E, INITVAL_1D,
    INITVAL_1C, INITVAL_1B, INITVAL_1A, INITVAL_19, INITVAL_18, INITVAL_17, INITVAL_16,
    INITVAL_15, INITVAL_14, INITVAL_13, INITVAL_12, INITVAL_11, INITVAL_10, INITVAL_0F,
    INITVAL_0E, INITVAL_0D, INITVAL_0C, INITVAL_0B, INITVAL_0A, INITVAL_09, INITVAL_08,
    INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03, INITVAL_02, INITVAL_01, INITVAL_00
  };
  initial begin
    for (int i = 0; i < (16384 >> Skip); i++) begin
      memory[i] = (Bits == 18) ? Bits'(Content[20*i+:18]) : '0;
    end
  end
  always_ff @(posedge CLKA) begin
    if (WEA) memory[write_address[13:Skip]] <= data[Bits-1:0];
  end
  always_ff @(posedge CLKB) begin
    latch_q  <= memory[read_address[13:Skip]];
    output_q <= latch_q;
  end
  assign {
    DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4,
    DOB3, DOB2, DOB1, DOB0
  } = 18'(output_q);
`endif
endmodule

/* verilator lint_on UNUSEDSIGNAL */
/* verilator lint_on UNUSEDPARAM */
`default_nettype wire
