"""Every proof holds, and each finds the faults that it is there to find."""

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from formal.prove import HEAD, ROOT, Proof, described, proofs, run

PROOFS = list(proofs())
# For faults behind the cycles that a proof by induction looks at from reset on.
DEEPER = ("depth 3", "depth 9")
# A counterexample that is sought and no induction: ABC finds a checksum sooner than Z3 does.
SOUGHT = (
    "mode prove\nchecksum: depth 3\nvcd_sim on\n\n[engines]\nchecksum: smtbmc z3",
    "mode bmc\nchecksum: depth 12\nvcd_sim on\n\n[engines]\nchecksum: abc bmc3",
)
# Of the engine's proofs by induction: a counterexample from the reset on.
FROM_RESET = (
    "mode prove\ndepth 9\nvcd_sim on\n\n[engines]\nsmtbmc z3",
    "mode bmc\ndepth 60\nvcd_sim on\n\n[engines]\nabc bmc3",
)
# Of words through registers, likewise.
WORDS_FROM_RESET = (
    "mode prove\nwords: depth 4\nvcd_sim on\n\n[engines]\nrules: abc pdr\nwords: smtbmc z3",
    "mode bmc\nwords: depth 30\nvcd_sim on\n\n[engines]\nrules: abc pdr\nwords: abc bmc3",
)
# Of the control unit, likewise: it begins when what the datapath had under way has run out.
CONTROL_FROM_RESET = (
    "mode prove\ncourse: depth 4\nrequests: depth 14\nvcd_sim on\n\n[engines]\nsmtbmc z3",
    "mode bmc\ndepth 200\nvcd_sim on\n\n[engines]\nabc bmc3",
)
# Of two copies that are compared, likewise.
COMPARED_FROM_RESET = (
    "mode prove\nvcd_sim on\n\n[engines]\nabc scorr; pdr",
    "mode bmc\ndepth 80\nvcd_sim on\n\n[engines]\nabc bmc3",
)
DATAPATH_FROM_RESET = (
    "timing: mode prove\noperands: mode bmc\noperands: depth 128\nvcd_sim on\n\n"
    "[engines]\ntiming: abc scorr; pdr",
    "mode bmc\ndepth 80\nvcd_sim on\n\n[engines]\ntiming: abc bmc3",
)
# The files that a fault may be in, by their names.
FILES = {path.name: path for part in ("rtl", "formal") for path in (ROOT / part).rglob("*.s[vb]*")}


@dataclass(frozen=True)
class Fault:
    """A fault, and the property that finds it.

    Attributes:
        proof: by its name.
        finds: the property, or words of the message if the design cannot be read.
        right, wrong: text of a file, and what it becomes.
        file: the file; the module's own without.
        script: a change of the proof's own file, likewise.
    """

    proof: str
    finds: str
    right: str
    wrong: str
    file: str = ""
    script: tuple[str, str] | None = None

    @property
    def module(self) -> str:
        """What is proved."""
        return self.proof.partition("-")[0]

    @property
    def changes(self) -> dict[str, tuple[str, str]]:
        """Changes of files by their paths."""
        found = {self.file or f"{self.module}.sv": (self.right, self.wrong)}
        if self.script:
            found[f"{self.module}.sby"] = self.script
        return {str(FILES[name].relative_to(ROOT)): change for name, change in found.items()}


FAULTS = [
    Fault("stream_register", "Offered", "valid_o <= spare_q || valid_i;", "valid_o <= valid_i;"),
    Fault("stream_register", "InOrder", "spare_q ? spare_data_q : data_i", "data_i"),
    Fault("stream_register", "Holds", "if (!valid_o || ready_i) begin", "if (1'b1) begin"),
    Fault("stream_register", "FullRate", "ready_o = !spare_q;", "ready_o = !valid_o;"),
    Fault(
        "stream_half_buffer", "NoneTooMany", "assign ready_o = !valid_o;", "assign ready_o = 1'b1;"
    ),
    # A word goes whether it is taken or not.
    Fault("stream_half_buffer", "Holds", "else if (ready_i) begin", "else begin"),
    Fault("stream_half_buffer", "Offered", "if (ready_o) begin", "if (ready_o && ready_i) begin"),
    Fault("stream_fifo", "NoneTooMany", "(IndexBits + 1)'(Depth);", "(IndexBits + 1)'(Depth + 1);"),
    Fault("stream_fifo", "Wiped", "i < Depth; i++) memory", "i < Depth - 1; i++) memory"),
    # A word is taken when none has come.
    Fault("stream_crossing", "InOrder", "!= acknowledge_q && (!m", "!= acknowledge_q || (!m"),
    Fault(
        "stream_crossing",
        "StoodStill",
        "data_o = second_q;",
        "data_o = data_i;",
        file="synchroniser.sv",
    ),
    # A reset of the source that comes while it connects is forgotten.
    Fault("stream_crossing", "SourceTakesNone", "if (!s_rst_ni) s_drop_q", "if (1'b0) s_drop_q"),
    # The source does not wait until the destination has seen that it has disconnected.
    Fault("stream_crossing", "StoodStill", "if (!s_up_q && !s_sees_up)", "if (!s_up_q)"),
    Fault("stream_crossing", "StoodStill", "m_cut_q <= 1'b1;", "m_cut_q <= 1'b0;"),
    # Asked for once, whether the following side has seen it or not.
    Fault("reset_pair", "Both", "else if (ask_q && follows)", "else if (ask_q)"),
    Fault("reset_pair", "WithinByLead", "{request_i, !follow_rst_no}", "{request_i, ask_q}"),
    # The following side takes the request itself.
    Fault("reset_pair", "WithinByFollow", ".request_i(ask_q)", ".request_i(request_i)"),
    Fault("reset_pair", "Resets", "!(request || want_q || ask_q || follows) &&", ""),
    Fault("packet_fifo", "Level", "LevelBits'(held) + LevelBits'(valid_o)", "LevelBits'(held)"),
    Fault("packet_fifo", "Wiped", "(IndexBits + 1)'(Depth - 1)", "(IndexBits + 1)'(Depth - 2)"),
    Fault("packet_fifo", "InOrder", "{last_i, data_i}", "{1'b0, data_i}"),
    Fault(
        "axil_stream-least",
        "WriteAnswer",
        "axil_n_in_flight < 2'd2",
        "axil_n_in_flight < 2'd3",
        file="stream_registers.sv",
    ),
    Fault(
        "axil_stream-least",
        "WriteAnswer",
        "(is_valid_addr & ~is_valid_rw)",
        "1'b0",
        file="stream_registers.sv",
    ),
    # A write that waits for room in the FIFO: the bus would hang with the core.
    Fault(
        "axil_stream-least",
        "WriteInTime",
        "= control.REQUEST.req;",
        "= control.REQUEST.req && request_ready;",
    ),
    Fault(
        "axil_stream-least",
        "Holds",
        "if (!valid_o || ready_i) begin",
        "if (1'b1) begin",
        file="packet_fifo.sv",
    ),
    Fault(
        "axil_stream-least",
        "selection is not empty",
        "(!axil_arvalid || axil_ar_accept)",
        "(!axil_arvalid || axil_ar_accept || s_axil_rready)",
        file="stream_registers.sv",
    ),
    # Words of packets on their way through the registers.
    Fault(
        "axil_stream-words",
        "NothingFromNowhere",
        "&control.REQUEST_LAST.wr_biten",
        "|control.REQUEST_LAST.wr_biten",
        script=WORDS_FROM_RESET,
    ),
    Fault(
        "axil_stream-words",
        "NothingFromNowhere",
        "valid_i(write && whole && !clearing)",
        "valid_i(write && !clearing)",
        script=WORDS_FROM_RESET,
    ),
    Fault(
        "axil_stream-words",
        "InOrder",
        ".data_i(write_word)",
        ".data_i({write_word[23:0], write_word[31:24]})",
        script=WORDS_FROM_RESET,
    ),
    Fault(
        "axil_stream-words",
        "InOrder",
        ".last_i(write_last)",
        ".last_i(1'b0)",
        script=WORDS_FROM_RESET,
    ),
    Fault(
        "axil_stream-words",
        "InOrder",
        "response_valid ? response_word : '0",
        "response_valid ? {response_word[31:1], 1'b0} : '0",
        script=WORDS_FROM_RESET,
    ),
    Fault(
        "axil_stream-words",
        "InOrder",
        ".data_i(s_axis_tdata)",
        ".data_i({s_axis_tdata[15:0], s_axis_tdata[31:16]})",
        script=WORDS_FROM_RESET,
    ),
    Fault(
        "axil_stream-words",
        "NothingFromNowhere",
        "read       = control.RESPONSE.req;",
        "read       = control.RESPONSE.req || control.EVENTS.response.value;",
        script=WORDS_FROM_RESET,
    ),
    Fault(
        "axil_stream-words",
        "Lost",
        "= write && !taken;",
        "= write && !request_ready;",
        script=WORDS_FROM_RESET,
    ),
    Fault(
        "rsa_keygen_axil",
        "WriteAnswer",
        "(is_valid_addr & ~is_valid_rw)",
        "1'b0",
        file="rsa_keygen_registers.sv",
    ),
    Fault(
        "rsa_keygen_axis",
        "ReadInTime",
        "number_ack_q <= number_take;",
        "number_ack_q <= number_take && state_q == StIdle;",
    ),
    Fault(
        "frame_decoder-checksum", "RightChecksum", "32'hDEBB_20E3", "32'hDEBB_20E2", script=SOUGHT
    ),
    Fault(
        "frame_decoder-checksum",
        "SameBytes",
        "32'hEDB8_8320",
        "32'hEDB8_8321",
        file="serial_frame_pkg.sv",
        script=DEEPER,
    ),
    Fault("frame_decoder-frames1", "Refusal", " || crc_q != CrcResidue", ""),
    Fault(
        "frame_decoder-frames1",
        "Refusal",
        "if (state_q != StReceive) verdict_q",
        "if (1'b0) verdict_q",
    ),
    Fault("frame_encoder-frames", "GoodEscapes", " || word_q[7:0] == FrameEscape)", ")"),
    Fault("frame_encoder-frames", "BetweenEnds", "last_q ? StChecksum : StWait", "StChecksum"),
    Fault(
        "frame_encoder-checksum",
        "Sent0",
        "word_q  <= ~crc_next",
        "word_q  <= crc_next",
        script=DEEPER,
    ),
    # The core's default: its run time reveals the exponent.
    Fault(
        "modexp_binary-width8",
        "SameValid",
        "FixedTime(1)",
        "FixedTime(0)",
        file="modexp_binary.sby",
    ),
    Fault(
        "modexp_montgomery-width8",
        "SameValid",
        "if (last_fact_q) state_q <= StJudge;",
        "if (last_fact_q || exponent_q[0]) state_q <= StJudge;",
        file="modexp_frontend.sv",
    ),
    Fault(
        "modexp_digit_serial-job",
        "SameValid",
        "if (last_fact_q) state_q <= StJudge;",
        "if (last_fact_q || base_q[0]) state_q <= StJudge;",
        file="modexp_frontend.sv",
    ),
    Fault(
        "modexp_montgomery-job",
        "SameValid",
        "if (result_end) state_q <= StDone;",
        "if (result_end || (late.valid && !key_q && late.data[0])) state_q <= StDone;",
    ),
    Fault(
        "modexp_montgomery-job",
        "SameValid",
        "last_word ? 2'd3 : 2'd1;",
        "last_word ? 2'd3 : (a_word_i == 8'hA5) ? 2'd2 : 2'd1;",
        file="modmul_montgomery_systolic.sv",
    ),
    Fault(
        "modexp_digit_serial-job",
        "SameValid",
        "if (phase_q == PhLoop && last_place_q) state_q",
        "if (phase_q == PhLoop && (last_place_q || (!key_q && exponent_memory_word[1]))) state_q",
    ),
    Fault(
        "modmul_interleaved",
        "Reduced",
        "!less_2n[SumBits-1] ? less_2n[Width-1:0]",
        "1'b0 ? less_2n[Width-1:0]",
        script=DEEPER,
    ),
    Fault(
        "modmul_montgomery_axil",
        "WriteAnswer",
        "(is_valid_addr & ~is_valid_rw)",
        "1'b0",
        file="modmul_registers.sv",
    ),
    Fault(
        "modmul_montgomery_radix2",
        "Stepping",
        "{p_next[0] ^ (a_next & b_q[0]), a_next}",
        "{p_next[0], a_next}",
        script=("depth 2", "depth 9"),
    ),
    # A digit that differs between the copies is found, and its word leaves.
    Fault(
        "engine_packet_io-words",
        "Agreed",
        "assign halts        = halt_q || wrong_copy || astray_q;",
        "assign halts        = halt_q || astray_q;",
        script=FROM_RESET,
    ),
    Fault(
        "engine_packet_io-words",
        "Holds",
        " && !(stays && high_q != pop_o);",
        ";",
        file="engine_word_offer.sv",
        script=FROM_RESET,
    ),
    *(
        Fault("engine_packet_io-words", "Words", old, new, file=file, script=FROM_RESET)
        for file, old, new in (
            ("engine_word_offer.sv", "{half_i, low_q}", "{low_q, half_i}"),
            ("engine_word_offer.sv", "{op_i.second, op_i.first}", "{op_i.first, op_i.second}"),
        )
    ),
    # Each word of a number that is checked ends the packet.
    Fault(
        "engine_packet_io-words",
        "Checked",
        "op_i.pair && (last_i || op_i.puts);",
        "op_i.pair;",
        file="engine_word_offer.sv",
        script=FROM_RESET,
    ),
    Fault(
        "engine_packet_io-words",
        "Checked",
        "fails_q  <= differs && op.pair",
        "fails_q  <= differs && !op.pair",
        script=FROM_RESET,
    ),
    *(
        Fault(
            "engine_packet_io-flipped",
            finds,
            "sends_q && op_i.send",
            "sends_q || op_i.send",
            file="engine_word_offer.sv",
            script=FROM_RESET,
        )
        for finds in ("Twice", "OnlyAsked")
    ),
    # The request names the block that is sent.
    Fault(
        "engine_digit_access-bits18",
        "Sent",
        "assign high = sends_i ? high_t'(Result / 2) :",
        "assign high =",
        file="engine_digit_fetch.sv",
        script=FROM_RESET,
    ),
    Fault(
        "engine_digit_access-bits18",
        "InOrder",
        "if (!last) index_q <= index_q + index_t'(1);",
        "index_q <= index_q + index_t'(1);",
        file="engine_digit_fetch.sv",
        script=FROM_RESET,
    ),
    Fault(
        "engine_digit_access-bits17",
        "Compared",
        "digit_q[11:6] != again_q[11:6]",
        "digit_q[11:6] > again_q[11:6]",
        script=FROM_RESET,
    ),
    Fault(
        "engine_digit_access-bits18",
        "Tagged",
        "tag_q     <= {tag_q[5:0], step_o};",
        "tag_q     <= {tag_q[5:0], read_o[1] && go_i};",
        script=FROM_RESET,
    ),
    Fault(
        "engine_halves_out-bits18",
        "SameHalf",
        "kept_q  <= rotate(high, S);",
        "kept_q  <= high;",
        script=FROM_RESET,
    ),
    Fault(
        "engine_halves_out-bits17",
        "SameHalf",
        "k_q <= k_q[KBits-1] ? '0 : k_q",
        "k_q <= k_q",
        script=FROM_RESET,
    ),
    Fault(
        "engine_halves_out-bits18",
        "InTime",
        "valid_o  <= valid_q;",
        "valid_o  <= valid_i;",
        script=FROM_RESET,
    ),
    Fault(
        "engine_halves_in-bits18",
        "SameDigit",
        "low = rotate(low, S << i);",
        "low = rotate(low, S);",
        script=FROM_RESET,
    ),
    Fault(
        "engine_halves_in-bits17",
        "SameDigit",
        "i / S < N - 1 &&",
        "i / S < N - 2 &&",
        script=FROM_RESET,
    ),
    Fault(
        "engine_halves_in-bits18",
        "InTime",
        "soon_o = wanted_q[1];",
        "soon_o = wanted_q[0];",
        script=FROM_RESET,
    ),
    Fault(
        "engine_half_queue",
        "InOrder",
        "out_q <= out_q + 4'd1;",
        "out_q <= out_q + 4'd2;",
        script=FROM_RESET,
    ),
    Fault(
        "engine_half_queue",
        "Room",
        "!due_q[4] && due_q[3:1] != 3'b111;",
        "!due_q[4];",
        script=FROM_RESET,
    ),
    Fault(
        "engine_half_queue",
        "Some",
        "held_q[1] && (held_q[0] || !popped_q)",
        "held_q[1]",
        script=FROM_RESET,
    ),
    Fault(
        "engine_array-elements2",
        "Step",
        "low_q[Bits-1:0], p_low_q, both_q[Bits]",
        "low_q[Bits-1:0], p_low_q, 1'b0",
        file="engine_element.sv",
    ),
    Fault(
        "engine_array-elements1",
        "Step",
        "if (start_q[4]) q_q <=",
        "if (start_q[3]) q_q <=",
        file="engine_element.sv",
    ),
    Fault(
        "engine_array-elements1",
        "Step",
        ".x_enable_i(start_i)",
        ".x_enable_i(1'b1)",
        file="engine_element.sv",
    ),
    Fault(
        "engine_array-elements2",
        "Step",
        "assign a_o = a_q;",
        "assign a_o = a_i;",
        file="engine_element.sv",
    ),
    Fault(
        "engine_array-elements1",
        "Result",
        "add(p_i[Bits-1:0], high_q, product_q[Bits])",
        "add(p_i[Bits-1:0], high_q, high_q[0])",
        file="engine_ring_end.sv",
    ),
    Fault(
        "engine_array-tap",
        "Result",
        "other_q <= words_q[0] |",
        "other_q <= words[0] |",
    ),
    Fault(
        "engine_array-tap",
        "Result",
        ".mute_i(i == Elements - 1 && !used_q[0])",
        ".mute_i(1'b0)",
    ),
    Fault(
        "engine_array-tap_between",
        "Result",
        ".last_i(Last != 0 && near_q[Last])",
        ".last_i(1'b0)",
    ),
    Fault(
        "engine_array-tap_between",
        "Done",
        ".behind_i(Behind != 0 && near_q[Behind])",
        ".behind_i(1'b0)",
    ),
    Fault(
        "engine_array-tap",
        "Done",
        "done_q[0] || to[Elements].start",
        "to[Elements].start",
    ),
    # The second result ends within the depth of the proof.
    Fault(
        "engine_array-words10",
        "Result",
        "assert (result_q == t_q[Steps])",
        "assert (k == 0 || result_q[0])",
        file="engine_array_formal.sv",
    ),
    Fault(
        "engine_control-slots1",
        "SameCourse",
        "&& window_status_i.busy);",
        "&& (window_status_i.busy || window_status_i.window[0][0]));",
        script=CONTROL_FROM_RESET,
    ),
    Fault(
        "engine_control-slots1",
        "SameCourse",
        "|| late || astray_q",
        "|| late || datapath_status_i.negative[1] || astray_q",
        script=CONTROL_FROM_RESET,
    ),
    Fault(
        "engine_control-slots1",
        "SameOperations",
        "block_t'({window_status_i.buffer, 1'b0})",
        "block_t'({window_status_i.window[0][0], 1'b0})",
        script=CONTROL_FROM_RESET,
    ),
    Fault(
        "engine_control-slots1",
        "SameOperations",
        "public_only_o <= instruction.pair;",
        "public_only_o <= instruction.pair && !datapath_status_i.zero[0];",
        script=CONTROL_FROM_RESET,
    ),
    Fault(
        "engine_control-slots1",
        "SameWindows",
        ": x[4:0];",
        ": x[4:0] ^ 5'(datapath_status_i.zero[0]);",
        script=CONTROL_FROM_RESET,
    ),
    Fault(
        "engine_control-requests",
        "Early",
        "operation ? 4'd12 : 4'd5",
        "operation ? 4'd12 : 4'd4",
        script=CONTROL_FROM_RESET,
    ),
    Fault(
        "engine_control-requests",
        "Stays",
        "adds_i || takes_i) begin",
        "adds_i || takes_i || value_i != '0) begin",
        file="engine_scalars.sv",
        script=CONTROL_FROM_RESET,
    ),
    Fault(
        "engine_window-banks8",
        "SameBusy",
        "&& !gone_q[Bits-1];",
        "&& !gone_q[Bits-1] && shift_q[0] != '0;",
        script=COMPARED_FROM_RESET,
    ),
    Fault(
        "engine_window-banks8",
        "SameTable",
        "run_q ? row_q + RowBits'(1) : '0;",
        "run_q ? row_q + RowBits'(window_q[0] == '0) : '0;",
        script=COMPARED_FROM_RESET,
    ),
    Fault(
        "engine_window-banks8",
        "SameKept",
        "tag_q[3].run && tag_q[3].last);",
        "tag_q[3].run && tag_q[3].last && gather_sum_q != '0);",
        script=COMPARED_FROM_RESET,
    ),
    Fault(
        "engine_window-banks2",
        "SameExponent",
        "place_q <= place_q - SideBits'(1);",
        "place_q <= place_q - SideBits'(shift_q[1][0]);",
        script=COMPARED_FROM_RESET,
    ),
    Fault(
        "engine_datapath-elements2",
        "SameStatus",
        "idle:     empty && written &&",
        "idle:     empty && written && early.data[0] &&",
        script=DATAPATH_FROM_RESET,
    ),
    Fault(
        "engine_datapath-elements2",
        "SameWrites",
        "write_o    <= (active || outside) && rst_ni;",
        "write_o    <= (active || outside) && rst_ni && data_i != '0;",
        file="engine_results.sv",
        script=DATAPATH_FROM_RESET,
    ),
    Fault(
        "engine_datapath-product",
        "Operands",
        "assign b = b_forward_q ? tail : b_word;",
        "assign b = b_word;",
    ),
]


# These take more than half a minute.
SLOW = ("engine_datapath-passes", "engine_datapath-pair", "engine_datapath-lead")


@pytest.mark.parametrize(
    "proof",
    [pytest.param(each, marks=[pytest.mark.slow] * (str(each) in SLOW)) for each in PROOFS],
    ids=str,
)
def test_a_proof_holds(proof: Proof, tmp_path: Path) -> None:
    verdict = run(proof, tmp_path)
    assert verdict.status == "PASS", verdict.log


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(
            each,
            marks=[pytest.mark.slow] * (each.finds == "Operands"),
            id=f"{each.proof}-{each.finds}",
        )
        for each in FAULTS
    ],
)
def test_a_proof_finds_a_fault(fault: Fault, tmp_path: Path) -> None:
    proof = next(proof for proof in PROOFS if str(proof) == fault.proof)
    finds, changes = fault.finds, fault.changes
    # A path that should not be is found when the design is read.
    if " " in finds:
        verdict = run(proof, tmp_path, changes)
        assert verdict.status == "ERROR", verdict.log
        assert finds in verdict.log
    else:
        verdict = run(proof, tmp_path, changes, only=finds)
        assert verdict.status == "FAIL", verdict.log
        assert set(verdict.failed) == {finds}, verdict.log


def test_every_module_is_shown_to_find_a_fault() -> None:
    shown = {fault.module for fault in FAULTS}
    assert shown == {proof.module for proof in PROOFS}
    assert {"frame_decoder-checksum", "frame_encoder-checksum"} <= {fault.proof for fault in FAULTS}


def test_the_documented_table_has_every_proof() -> None:
    """Output of `python formal/prove.py`, seconds apart."""
    text = (ROOT / "docs" / "formal.md").read_text()
    found = re.findall(r"<!-- python formal/prove.py -->\n(.*?)\n<!-- end -->", text, re.DOTALL)
    rows = [tuple(cell.strip() for cell in line.split("|")[1:-1]) for line in found[0].split("\n")]
    assert rows[0] == HEAD
    assert [row[:-1] for row in rows[2:]] == [described(proof) for proof in PROOFS]
    assert all(row[-1].isdigit() for row in rows[2:])


def test_the_command_refuses_a_module_without_a_proof() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "formal" / "prove.py", "uart_stream"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("no proof of uart_stream; there are: axil_stream, ")
    assert done.stderr.count("\n") == 1
