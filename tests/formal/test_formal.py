"""Every proof holds, and each finds the faults that it is there to find."""

import re
import subprocess
import sys
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
Changes = dict[str, tuple[str, str]]

# Proof; what is broken: text in a file, and what it becomes; property that finds it.
FAULTS: list[tuple[str, Changes, str]] = [
    (
        "stream_register",
        {
            "rtl/common/stream_register.sv": (
                "valid_o <= spare_q || valid_i;",
                "valid_o <= valid_i;",
            )
        },
        "Offered",
    ),
    (
        "stream_register",
        {"rtl/common/stream_register.sv": ("spare_q ? spare_data_q : data_i", "data_i")},
        "InOrder",
    ),
    (
        "stream_register",
        {"rtl/common/stream_register.sv": ("if (!valid_o || ready_i) begin", "if (1'b1) begin")},
        "Holds",
    ),
    (
        "stream_register",
        {"rtl/common/stream_register.sv": ("ready_o = !spare_q;", "ready_o = !valid_o;")},
        "FullRate",
    ),
    (
        "stream_half_buffer",
        {
            "rtl/common/stream_half_buffer.sv": (
                "assign ready_o = !valid_o;",
                "assign ready_o = 1'b1;",
            )
        },
        "NoneTooMany",
    ),
    (
        # A word goes whether it is taken or not.
        "stream_half_buffer",
        {"rtl/common/stream_half_buffer.sv": ("else if (ready_i) begin", "else begin")},
        "Holds",
    ),
    (
        "stream_half_buffer",
        {
            "rtl/common/stream_half_buffer.sv": (
                "if (ready_o) begin",
                "if (ready_o && ready_i) begin",
            )
        },
        "Offered",
    ),
    (
        "stream_fifo",
        {"rtl/common/stream_fifo.sv": ("(IndexBits + 1)'(Depth);", "(IndexBits + 1)'(Depth + 1);")},
        "NoneTooMany",
    ),
    (
        "stream_fifo",
        {"rtl/common/stream_fifo.sv": ("i < Depth; i++) memory", "i < Depth - 1; i++) memory")},
        "Wiped",
    ),
    (
        # A word is taken when none has come.
        "stream_crossing",
        {"rtl/common/stream_crossing.sv": ("!= acknowledge_q && (!m", "!= acknowledge_q || (!m")},
        "InOrder",
    ),
    (
        "stream_crossing",
        {"formal/models/synchroniser.sv": ("data_o = second_q;", "data_o = data_i;")},
        "StoodStill",
    ),
    (
        # A reset of the source that comes while it connects is forgotten.
        "stream_crossing",
        {"rtl/common/stream_crossing.sv": ("if (!s_rst_ni) s_drop_q", "if (1'b0) s_drop_q")},
        "SourceTakesNone",
    ),
    (
        # The source does not wait until the destination has seen that it has disconnected.
        "stream_crossing",
        {"rtl/common/stream_crossing.sv": ("if (!s_up_q && !s_sees_up)", "if (!s_up_q)")},
        "StoodStill",
    ),
    (
        "stream_crossing",
        {"rtl/common/stream_crossing.sv": ("m_cut_q <= 1'b1;", "m_cut_q <= 1'b0;")},
        "StoodStill",
    ),
    (
        # Asked for once, whether the following side has seen it or not.
        "reset_pair",
        {"rtl/common/reset_pair.sv": ("else if (ask_q && follows)", "else if (ask_q)")},
        "Both",
    ),
    (
        "reset_pair",
        {"rtl/common/reset_pair.sv": ("{request_i, !follow_rst_no}", "{request_i, ask_q}")},
        "WithinByLead",
    ),
    (
        # The following side takes the request itself.
        "reset_pair",
        {"rtl/common/reset_pair.sv": (".request_i(ask_q)", ".request_i(request_i)")},
        "WithinByFollow",
    ),
    (
        "reset_pair",
        {"rtl/common/reset_pair.sv": ("!(request || want_q || ask_q || follows) &&", "")},
        "Resets",
    ),
    (
        "packet_fifo",
        {"rtl/bus/packet_fifo.sv": ("LevelBits'(held) + LevelBits'(valid_o)", "LevelBits'(held)")},
        "Level",
    ),
    (
        "packet_fifo",
        {"rtl/bus/packet_fifo.sv": ("(IndexBits + 1)'(Depth - 1)", "(IndexBits + 1)'(Depth - 2)")},
        "Wiped",
    ),
    (
        "packet_fifo",
        {"rtl/bus/packet_fifo.sv": ("{last_i, data_i}", "{1'b0, data_i}")},
        "InOrder",
    ),
    (
        "axil_stream-least",
        {"rtl/bus/stream_registers.sv": ("axil_n_in_flight < 2'd2", "axil_n_in_flight < 2'd3")},
        "WriteAnswer",
    ),
    (
        "axil_stream-least",
        {"rtl/bus/stream_registers.sv": ("(is_valid_addr & ~is_valid_rw)", "1'b0")},
        "WriteAnswer",
    ),
    (
        # A write that waits for room in the FIFO: the bus would hang with the core.
        "axil_stream-least",
        {
            "rtl/bus/axil_stream.sv": (
                "= control.REQUEST.req;",
                "= control.REQUEST.req && request_ready;",
            )
        },
        "WriteInTime",
    ),
    (
        "axil_stream-least",
        {"rtl/bus/packet_fifo.sv": ("if (!valid_o || ready_i) begin", "if (1'b1) begin")},
        "Holds",
    ),
    (
        "axil_stream-least",
        {
            "rtl/bus/stream_registers.sv": (
                "(!axil_arvalid || axil_ar_accept)",
                "(!axil_arvalid || axil_ar_accept || s_axil_rready)",
            )
        },
        "selection is not empty",
    ),
    (
        "rsa_keygen_axil",
        {"rtl/bus/rsa_keygen_registers.sv": ("(is_valid_addr & ~is_valid_rw)", "1'b0")},
        "WriteAnswer",
    ),
    (
        "rsa_keygen_axis",
        {
            "rtl/ip/rsa_keygen_axis.sv": (
                "number_ack_q <= number_take;",
                "number_ack_q <= number_take && state_q == StIdle;",
            )
        },
        "ReadInTime",
    ),
    (
        "frame_decoder-checksum",
        {
            "rtl/bus/frame_decoder.sv": ("32'hDEBB_20E3", "32'hDEBB_20E2"),
            "formal/frame_decoder.sby": SOUGHT,
        },
        "RightChecksum",
    ),
    (
        "frame_decoder-checksum",
        {
            "rtl/bus/serial_frame_pkg.sv": ("32'hEDB8_8320", "32'hEDB8_8321"),
            "formal/frame_decoder.sby": DEEPER,
        },
        "SameBytes",
    ),
    (
        "frame_decoder-frames1",
        {"rtl/bus/frame_decoder.sv": (" || crc_q != CrcResidue", "")},
        "Refusal",
    ),
    (
        "frame_decoder-frames1",
        {
            "rtl/bus/frame_decoder.sv": (
                "if (state_q != StReceive) verdict_q",
                "if (1'b0) verdict_q",
            )
        },
        "Refusal",
    ),
    (
        "frame_encoder-frames",
        {"rtl/bus/frame_encoder.sv": (" || word_q[7:0] == FrameEscape)", ")")},
        "GoodEscapes",
    ),
    (
        "frame_encoder-frames",
        {"rtl/bus/frame_encoder.sv": ("last_q ? StChecksum : StWait", "StChecksum")},
        "BetweenEnds",
    ),
    (
        "frame_encoder-checksum",
        {
            "rtl/bus/frame_encoder.sv": ("word_q  <= ~crc_next", "word_q  <= crc_next"),
            "formal/frame_encoder.sby": DEEPER,
        },
        "Sent0",
    ),
    (
        # The core's default: its run time reveals the exponent.
        "modexp_binary-width8",
        {"formal/modexp_binary.sby": ("FixedTime(1)", "FixedTime(0)")},
        "SameValid",
    ),
    (
        "modexp_montgomery-width8",
        {
            "rtl/modexp/modexp_frontend.sv": (
                "if (last_fact_q) state_q <= StJudge;",
                "if (last_fact_q || exponent_q[0]) state_q <= StJudge;",
            )
        },
        "SameValid",
    ),
    (
        "modexp_digit_serial-width16",
        {
            "rtl/modexp/modexp_frontend.sv": (
                "if (last_fact_q) state_q <= StJudge;",
                "if (last_fact_q || base_q[0]) state_q <= StJudge;",
            ),
            "formal/modexp_digit_serial.sby": (
                "mode prove\nvcd_sim on\n\n[engines]\nabc scorr; pdr",
                "mode bmc\ndepth 120\nvcd_sim on\n\n[engines]\nabc scorr; bmc3",
            ),
        },
        "SameValid",
    ),
    (
        "modmul_interleaved",
        {
            "rtl/modmul/modmul_interleaved.sv": (
                "!less_2n[SumBits-1] ? less_2n[Width-1:0]",
                "1'b0 ? less_2n[Width-1:0]",
            ),
            "formal/modmul_interleaved.sby": DEEPER,
        },
        "Reduced",
    ),
    (
        "modmul_montgomery_axil",
        {"rtl/bus/modmul_registers.sv": ("(is_valid_addr & ~is_valid_rw)", "1'b0")},
        "WriteAnswer",
    ),
    (
        "modmul_montgomery_radix2",
        {
            "rtl/modmul/modmul_montgomery_radix2.sv": (
                "{p_next[0] ^ (a_next & b_q[0]), a_next}",
                "{p_next[0], a_next}",
            ),
            "formal/modmul_montgomery_radix2.sby": ("depth 2", "depth 9"),
        },
        "Stepping",
    ),
]


@pytest.mark.parametrize("proof", PROOFS, ids=str)
def test_a_proof_holds(proof: Proof, tmp_path: Path) -> None:
    verdict = run(proof, tmp_path)
    assert verdict.status == "PASS", verdict.log


@pytest.mark.parametrize(("name", "changes", "finds"), FAULTS)
def test_a_proof_finds_a_fault(name: str, changes: Changes, finds: str, tmp_path: Path) -> None:
    proof = next(proof for proof in PROOFS if str(proof) == name)
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
    shown = {name.split("-")[0] for name, _, _ in FAULTS}
    assert shown == {proof.module for proof in PROOFS}
    assert {"frame_decoder-checksum", "frame_encoder-checksum"} <= {name for name, _, _ in FAULTS}


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
