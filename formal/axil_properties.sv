// SPDX-License-Identifier: Apache-2.0
// Rules of an AXI4-Lite slave that answers in order (AMBA AXI and ACE Protocol Specification, IHI
// 0022, A3.2, A3.3 and B1.1), and this project's additions: SLVERR exactly for accesses without a
// register that allows them, and an answer in bounded time.
//
// Assumed of the master: `valid` and its payload hold until the handshake. It may hold back any
// answer, delay either half of a write, and reset the slave at any time.
//
// One write and one read, each arbitrary (`mark_i`, free), are followed. The number of answers
// before theirs must be the number owed when they arrived.
//
// Time bound: a cycle counts only if it is the slave's turn. It is the master's turn while the
// master holds back an answer or owes the other half of a write.
`default_nettype none

module axil_properties #(
  parameter int unsigned AddressBits = 6,  // of byte addresses
  parameter int unsigned Owed        = 3,  // accesses of a kind that wait inside, at most
  parameter int unsigned Wait        = 2,  // cycles that each step of an access waits, at most
  parameter bit [2**(AddressBits-2)-1:0] Readable = '1,  // by word address
  parameter bit [2**(AddressBits-2)-1:0] Writable = '1
) (
  input wire logic                   clk_i,
  input wire logic                   rst_ni,
  input wire logic                   mark_i,
  input wire logic                   s_axil_awvalid,
  input wire logic                   s_axil_awready,
  input wire logic [AddressBits-1:0] s_axil_awaddr,
  input wire logic [2:0]             s_axil_awprot,
  input wire logic                   s_axil_wvalid,
  input wire logic                   s_axil_wready,
  input wire logic [31:0]            s_axil_wdata,
  input wire logic [3:0]             s_axil_wstrb,
  input wire logic                   s_axil_bvalid,
  input wire logic                   s_axil_bready,
  input wire logic [1:0]             s_axil_bresp,
  input wire logic                   s_axil_arvalid,
  input wire logic                   s_axil_arready,
  input wire logic [AddressBits-1:0] s_axil_araddr,
  input wire logic [2:0]             s_axil_arprot,
  input wire logic                   s_axil_rvalid,
  input wire logic                   s_axil_rready,
  input wire logic [31:0]            s_axil_rdata,
  input wire logic [1:0]             s_axil_rresp
);
  localparam logic [1:0] Okay = 2'b00;
  localparam logic [1:0] SlaveError = 2'b10;

  stream_properties #(.Bits(AddressBits + 3), .Assume(1'b1)) u_aw (
    .clk_i, .rst_ni, .drop_i(1'b0), .valid_i(s_axil_awvalid), .ready_i(s_axil_awready),
    .data_i({s_axil_awaddr, s_axil_awprot})
  );
  stream_properties #(.Bits(36), .Assume(1'b1)) u_w (
    .clk_i, .rst_ni, .drop_i(1'b0), .valid_i(s_axil_wvalid), .ready_i(s_axil_wready),
    .data_i({s_axil_wdata, s_axil_wstrb})
  );
  stream_properties #(.Bits(AddressBits + 3), .Assume(1'b1)) u_ar (
    .clk_i, .rst_ni, .drop_i(1'b0), .valid_i(s_axil_arvalid), .ready_i(s_axil_arready),
    .data_i({s_axil_araddr, s_axil_arprot})
  );
  stream_properties #(.Bits(2)) u_b (
    .clk_i, .rst_ni, .drop_i(1'b0), .valid_i(s_axil_bvalid), .ready_i(s_axil_bready),
    .data_i(s_axil_bresp)
  );
  stream_properties #(.Bits(34)) u_r (
    .clk_i, .rst_ni, .drop_i(1'b0), .valid_i(s_axil_rvalid), .ready_i(s_axil_rready),
    .data_i({s_axil_rdata, s_axil_rresp})
  );

  localparam int unsigned OwedBits = totient_pkg::count_bits(Owed + 1);
  localparam int unsigned WaitBits = totient_pkg::count_bits(Wait + 1);
  typedef logic [OwedBits-1:0] owed_t;
  typedef logic [WaitBits-1:0] wait_t;
  logic aw, w, b, ar, r;
  assign aw = s_axil_awvalid && s_axil_awready;
  assign w  = s_axil_wvalid && s_axil_wready;
  assign b  = s_axil_bvalid && s_axil_bready;
  assign ar = s_axil_arvalid && s_axil_arready;
  assign r  = s_axil_rvalid && s_axil_rready;

  // Addresses, data and reads that have been accepted and not answered.
  owed_t aw_q, w_q, ar_q;
  logic  held_back, turn;
  assign held_back = (s_axil_bvalid && !s_axil_bready) || (s_axil_rvalid && !s_axil_rready);
  assign turn      = !held_back;
  // Cycles of the slave's turn that each of them has waited.
  wait_t aw_wait_q, w_wait_q, b_wait_q, ar_wait_q, r_wait_q;
  // The followed accesses.
  logic  write_q, read_q, write_good_q, read_good_q;
  owed_t write_ahead_q, read_ahead_q;
  logic  was_reset_q = 1'b0;

  always_ff @(posedge clk_i) begin
    was_reset_q <= !rst_ni;
    aw_q <= aw_q + owed_t'(aw) - owed_t'(b);
    w_q  <= w_q + owed_t'(w) - owed_t'(b);
    ar_q <= ar_q + owed_t'(ar) - owed_t'(r);

    // An address waits for its slot while the write before it waits for its data, and vice versa:
    // that is the master's turn.
    if (!s_axil_awvalid || s_axil_awready) aw_wait_q <= '0;
    else if (turn && !(aw_q > w_q && !s_axil_wvalid)) aw_wait_q <= aw_wait_q + wait_t'(1);
    if (!s_axil_wvalid || s_axil_wready) w_wait_q <= '0;
    else if (turn && !(w_q > aw_q && !s_axil_awvalid)) w_wait_q <= w_wait_q + wait_t'(1);
    if (!s_axil_arvalid || s_axil_arready) ar_wait_q <= '0;
    else if (turn) ar_wait_q <= ar_wait_q + wait_t'(1);
    if (aw_q == '0 || w_q == '0 || s_axil_bvalid) b_wait_q <= '0;
    else if (turn) b_wait_q <= b_wait_q + wait_t'(1);
    if (ar_q == '0 || s_axil_rvalid) r_wait_q <= '0;
    else if (turn) r_wait_q <= r_wait_q + wait_t'(1);

    if (write_q && b) begin
      write_ahead_q <= write_ahead_q - owed_t'(1);
      if (write_ahead_q == '0) write_q <= 1'b0;
    end
    if (!write_q && aw && mark_i) begin
      write_q       <= 1'b1;
      write_ahead_q <= aw_q - owed_t'(b);
      write_good_q  <= Writable[s_axil_awaddr[AddressBits-1:2]];
    end
    if (read_q && r) begin
      read_ahead_q <= read_ahead_q - owed_t'(1);
      if (read_ahead_q == '0) read_q <= 1'b0;
    end
    if (!read_q && ar && mark_i) begin
      read_q       <= 1'b1;
      read_ahead_q <= ar_q - owed_t'(r);
      read_good_q  <= Readable[s_axil_araddr[AddressBits-1:2]];
    end

    if (!rst_ni) begin
      {aw_q, w_q, ar_q}       <= '0;
      {aw_wait_q, w_wait_q, b_wait_q, ar_wait_q, r_wait_q} <= '0;
      {write_q, read_q, write_ahead_q, read_ahead_q} <= '0;
    end

    if (was_reset_q) QuietAfterReset : assert (!s_axil_bvalid && !s_axil_rvalid);
    if (rst_ni) begin
      // One answer for each access, none without an access.
      WriteWasAsked : assert (!s_axil_bvalid || (aw_q != '0 && w_q != '0));
      ReadWasAsked : assert (!s_axil_rvalid || ar_q != '0);
      AddressesFit : assert (32'(aw_q) + 32'(aw) <= Owed + 32'(b));
      DataFit : assert (32'(w_q) + 32'(w) <= Owed + 32'(b));
      ReadsFit : assert (32'(ar_q) + 32'(ar) <= Owed + 32'(r));
      // The slave never hangs.
      AddressInTime : assert (32'(aw_wait_q) <= Wait);
      DataInTime : assert (32'(w_wait_q) <= Wait);
      ReadAddressInTime : assert (32'(ar_wait_q) <= Wait);
      WriteInTime : assert (32'(b_wait_q) <= Wait);
      ReadInTime : assert (32'(r_wait_q) <= Wait);
      // SLVERR exactly as the register map requires.
      WriteAnswer : assert (!(write_q && write_ahead_q == '0 && s_axil_bvalid)
                            || s_axil_bresp == (write_good_q ? Okay : SlaveError));
      ReadAnswer : assert (!(read_q && read_ahead_q == '0 && s_axil_rvalid)
                           || s_axil_rresp == (read_good_q ? Okay : SlaveError));
      NoData : assert (!(s_axil_rvalid && s_axil_rresp == SlaveError) || s_axil_rdata == '0);
    end
  end
endmodule

`default_nettype wire
