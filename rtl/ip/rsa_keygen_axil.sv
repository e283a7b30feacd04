// SPDX-License-Identifier: Apache-2.0
// RSA with key generation for primes of up to 32 bits, behind AXI4-Lite registers: makes a key from
// two primes and raises a message with it, or raises one with a given key. The register map is
// contract/rsa_keygen_registers.rdl. Every access is answered, with SLVERR where there is no
// register.
//
// Exponentiator: modexp_binary, two bits a cycle, in a time that depends on lengths only. Cycles:
//         a key:     those of key_generator, and 3
//         a message: those of modexp_binary to load its exponent and to raise it, and 11; 6 with
//                    a given exponent
//         all:       both, and 11; 13 with a given exponent
// Error codes: error_e (docs/contracts.md); the core is ready again.
// Source: the RSA IP of Becannon et al., its modes and its registers.
`default_nettype none

module rsa_keygen_axil
  import contract_pkg::*;
  import modexp_pkg::*;
  import totient_pkg::*;
  import keygen_pkg::*;
(
  input  wire logic        aclk,
  input  wire logic        aresetn,

  input  wire logic        s_axil_awvalid,
  output logic             s_axil_awready,
  input  wire logic [5:0]  s_axil_awaddr,
  input  wire logic [2:0]  s_axil_awprot,
  input  wire logic        s_axil_wvalid,
  output logic             s_axil_wready,
  input  wire logic [31:0] s_axil_wdata,
  input  wire logic [3:0]  s_axil_wstrb,
  output logic             s_axil_bvalid,
  input  wire logic        s_axil_bready,
  output logic [1:0]       s_axil_bresp,
  input  wire logic        s_axil_arvalid,
  output logic             s_axil_arready,
  input  wire logic [5:0]  s_axil_araddr,
  input  wire logic [2:0]  s_axil_arprot,
  output logic             s_axil_rvalid,
  input  wire logic        s_axil_rready,
  output logic [31:0]      s_axil_rdata,
  output logic [1:0]       s_axil_rresp
);
  localparam int unsigned PrimeBits    = 32;
  localparam int unsigned Width        = 64;
  localparam int unsigned ExponentBits = 32;

  rsa_keygen_registers_pkg::rsa_keygen_registers__in_t  status;
  rsa_keygen_registers_pkg::rsa_keygen_registers__out_t control;
  rsa_keygen_registers u_registers (
    .clk(aclk), .rst_n(aresetn),
    .s_axil_awready, .s_axil_awvalid, .s_axil_awaddr, .s_axil_awprot,
    .s_axil_wready, .s_axil_wvalid, .s_axil_wdata, .s_axil_wstrb,
    .s_axil_bready, .s_axil_bvalid, .s_axil_bresp,
    .s_axil_arready, .s_axil_arvalid, .s_axil_araddr, .s_axil_arprot,
    .s_axil_rready, .s_axil_rvalid, .s_axil_rdata, .s_axil_rresp,
    .hwif_in(status), .hwif_out(control)
  );

  // In reset as long as software wants it. Everything is wiped at its beginning, and what is behind
  // the registers goes on with that meanwhile; numbers may be written for the time after it.
  logic clear, clear_q, wipe;
  assign clear = control.CONTROL.reset_mod.value != control.CONTROL.reset_invert.value;
  assign wipe  = clear && !clear_q;
  always_ff @(posedge aclk) clear_q <= aresetn && clear;

  // What is to be done, one after the other: words to be written, steps, words to be read.
  typedef enum logic [4:0] {
    DoIdle, DoP, DoQ, DoGenerate, DoLoad, DoModulusLow, DoModulusHigh, DoExponentLow,
    DoExponentHigh, DoGiven, DoMessageLow, DoMessageHigh, DoMessage, DoResultLow, DoResultHigh,
    DoModulusReadLow, DoModulusReadHigh, DoPrivateReadLow, DoPrivateReadHigh, DoLast
  } do_e;
  do_e         do_q, did_q;
  logic        waits_q;       // a step was begun
  logic        given_q, decrypt_q, finished_q;
  logic [3:0]  error_q;
  logic [31:0] cycles_q, key_cycles_q, message_cycles_q;
  logic [63:0] result_q, modulus_q, private_q;
  logic [ExponentBits-1:0] exponent_q;

  function automatic logic [6:0] length_of(logic [63:0] number);
    logic [6:0] length;
    length = '0;
    for (int unsigned i = 0; i < 64; i++) if (number[i]) length = 7'(i + 1);
    return length;
  endfunction
  logic [5:0] p_length_q, q_length_q;
  logic [6:0] key_length_q;
  logic [63:0] key;
  assign key = {control.I_KEY.high.value, control.I_KEY.low.value};
  always_ff @(posedge aclk) begin
    p_length_q   <= 6'(length_of(64'(control.P.prime.value)));
    q_length_q   <= 6'(length_of(64'(control.Q.prime.value)));
    key_length_q <= length_of(key);
    if (!aresetn || clear) {p_length_q, q_length_q, key_length_q} <= '0;
  end

  logic        write, step_valid, step_ready, rsp_valid, rsp_ready;
  written_e    written;
  step_e       step;
  read_e       read;
  logic        index;
  logic [31:0] word, read_word;
  logic [3:0]  rsp_error;
  logic [63:0] rsp_cycles;
  logic [ExponentBits-1:0] exponent;
  always_comb begin
    write   = 1'b0;
    written = WriteP;
    word    = control.P.prime.value;
    index   = 1'b0;
    step    = StepGenerate;
    read    = ReadResult;
    unique case (do_q)
      DoP: write = 1'b1;
      DoQ: begin
        write   = 1'b1;
        written = WriteQ;
        word    = control.Q.prime.value;
      end
      DoLoad: step = decrypt_q ? StepPrivate : StepPublic;
      DoModulusLow, DoModulusHigh: begin
        write   = 1'b1;
        written = WriteModulus;
        index   = do_q == DoModulusHigh;
        word    = index ? control.I_N.high.value : control.I_N.low.value;
      end
      DoExponentLow, DoExponentHigh: begin
        write   = 1'b1;
        written = WriteExponent;
        index   = do_q == DoExponentHigh;
        word    = index ? control.I_KEY.high.value : control.I_KEY.low.value;
      end
      DoGiven: step = StepGiven;
      DoMessageLow, DoMessageHigh: begin
        write   = 1'b1;
        written = WriteMessage;
        index   = do_q == DoMessageHigh;
        word    = index ? control.I_MSG.high.value : control.I_MSG.low.value;
      end
      DoMessage:         step = StepMessage;
      DoResultHigh:      index = 1'b1;
      DoModulusReadLow:  read = ReadModulus;
      DoModulusReadHigh: {read, index} = {ReadModulus, 1'b1};
      DoPrivateReadLow:  read = ReadPrivate;
      DoPrivateReadHigh: {read, index} = {ReadPrivate, 1'b1};
      default: ;
    endcase
    step_valid = !waits_q && (do_q == DoGenerate || do_q == DoLoad || do_q == DoGiven
                              || do_q == DoMessage);
    // The result is read while its response waits.
    rsp_ready  = waits_q ? (do_q != DoMessage || rsp_error != '0) : do_q == DoModulusReadLow;
  end

  // A key has as many words as its primes' lengths need.
  logic [31:0] high_word;
  assign high_word = (7'(p_length_q) + 7'(q_length_q) > 7'd32) ? read_word : '0;

  always_ff @(posedge aclk) begin
    did_q <= do_q;
    if (do_q != DoIdle) cycles_q <= cycles_q + 32'd1;
    if (do_q == DoGenerate) key_cycles_q <= key_cycles_q + 32'd1;
    if (do_q == DoLoad || do_q == DoGiven || do_q == DoMessage)
      message_cycles_q <= message_cycles_q + 32'd1;
    unique case (do_q)
      DoIdle: if (control.CONTROL.sp.value) begin
        do_q       <= control.MODE.l_mode.value ? DoModulusLow : DoP;
        given_q    <= control.MODE.l_mode.value;
        decrypt_q  <= control.MODE.l_encrypt_decrypt.value;
        finished_q <= 1'b0;
        error_q    <= '0;
        {cycles_q, key_cycles_q, message_cycles_q} <= '0;
        {result_q, modulus_q, private_q, exponent_q} <= '0;
      end
      DoGenerate, DoLoad, DoGiven, DoMessage: begin
        if (step_valid && step_ready) waits_q <= 1'b1;
        if (waits_q && rsp_valid) begin
          waits_q <= 1'b0;
          error_q <= rsp_error;
          do_q    <= (rsp_error != '0) ? DoLast
                     : (do_q == DoLoad) ? DoMessageLow : do_e'(do_q + 5'd1);
        end
      end
      DoP, DoModulusLow: if (step_ready) do_q <= do_e'(do_q + 5'd1);
      DoResultHigh:      do_q <= DoModulusReadLow;
      DoLast: begin
        do_q       <= DoIdle;
        finished_q <= 1'b1;
      end
      default: do_q <= do_e'(do_q + 5'd1);
    endcase
    // Words come a cycle after they were asked for.
    unique case (did_q)
      DoResultLow:       result_q[31:0] <= read_word;
      DoResultHigh:      result_q[63:32] <= read_word;
      DoModulusReadLow:  modulus_q[31:0] <= given_q ? control.I_N.low.value : read_word;
      DoModulusReadHigh: modulus_q[63:32] <= given_q ? control.I_N.high.value : high_word;
      DoPrivateReadLow:  if (!given_q) {private_q[31:0], exponent_q} <= {read_word, exponent};
      DoPrivateReadHigh: if (!given_q) private_q[63:32] <= high_word;
      default: ;
    endcase
    if (!aresetn || clear) begin
      do_q  <= DoIdle;
      did_q <= DoIdle;
      {waits_q, given_q, decrypt_q, finished_q, error_q} <= '0;
      {cycles_q, key_cycles_q, message_cycles_q} <= '0;
      {result_q, modulus_q, private_q, exponent_q} <= '0;
    end
  end

  modexp_request_t  modexp_request;
  modexp_response_t modexp_response;
  rsa_sequencer #(
    .PrimeBits(PrimeBits), .ExponentBits(ExponentBits), .Width(Width)
  ) u_sequencer (
    .clk_i(aclk), .rst_ni(aresetn), .clear_i(wipe),
    .write_i(write), .written_i(written), .write_index_i(index), .write_word_i(word),
    .step_valid_i(step_valid), .step_ready_o(step_ready), .step_i(step),
    .p_bits_i(p_length_q), .q_bits_i(q_length_q), .exponent_i('0),
    .exponent_bits_i(key_length_q),
    .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready), .rsp_error_o(rsp_error),
    .rsp_cycles_o(rsp_cycles), .exponent_o(exponent),
    .read_i(read), .read_index_i(index), .read_word_o(read_word),
    .modexp_request_o(modexp_request), .modexp_response_i(modexp_response)
  );
  modexp_binary #(.Width(Width), .BitsPerCycle(2), .FixedTime(1'b1)) u_modexp (
    .clk_i(aclk), .rst_ni(aresetn), .clear_i(wipe),
    .request_i(modexp_request), .response_o(modexp_response)
  );
  logic unused;
  assign unused = ^rsp_cycles;

  always_comb begin
    status.P.prime.hwclr                      = wipe;
    status.Q.prime.hwclr                      = wipe;
    status.I_MSG.low.hwclr                    = wipe;
    status.I_MSG.high.hwclr                   = wipe;
    status.I_KEY.low.hwclr                    = wipe;
    status.I_KEY.high.hwclr                   = wipe;
    status.I_N.low.hwclr                      = wipe;
    status.I_N.high.hwclr                     = wipe;
    status.DATA_MSG.message.next              = result_q;
    status.DATA_ENCRYPT.key.next              = 64'(exponent_q);
    status.DATA_DECRYPT.key.next              = private_q;
    status.N_OUTPUT.modulus.next              = modulus_q;
    status.CLK_COUNT.cycles.next              = cycles_q;
    status.MOD_EXP_FINISH.mod_exp_finish.next = finished_q;
    status.MOD_EXP_FINISH.error.next          = error_q;
    status.MOD_EXP_FINISH.busy.next           = do_q != DoIdle;
    status.STEP_COUNTS.key_generation.next    = key_cycles_q;
    status.STEP_COUNTS.message.next           = message_cycles_q;
    status.IDENTIFICATION.version.next        = 32'(Version);
  end
endmodule

`default_nettype wire
