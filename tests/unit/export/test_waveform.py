"""Waveforms of datasheets: what is drawn is what the RTL did."""

from pathlib import Path

import pytest

from totient.catalog import Configuration, Face, registers, select, select_ip
from totient.cli import main
from totient.device import open_device
from totient.export import draw, transaction
from totient.export.waveform import Recording, drawn_cycles

DESIGN = select("binary", width=32)


def recorded(subject: Configuration, face: Face) -> Recording:
    found = transaction(subject, face)
    assert found is not None
    return found


def taken(found: Recording, channel: str, word: str) -> list[tuple[int, int]]:
    """Cycle and word of every handshake of a channel, `s_axis_t` and so on."""
    values = found.values
    return [
        (cycle, values[f"{channel}{word}"][cycle])
        for cycle in range(found.cycles)
        if values[f"{channel}valid"][cycle] and values[f"{channel}ready"][cycle]
    ]


def test_the_info_packet_is_what_a_device_says_of_itself() -> None:
    found = recorded(DESIGN, Face.STREAM)
    assert [word for _, word in taken(found, "s_axis_t", "data")] == [1]
    answer = taken(found, "m_axis_t", "data")
    (header, *words) = (word for _, word in answer)
    assert (header & 0xFF, header >> 16) == (1, len(words))
    with open_device("sim:binary?width=32") as device:
        assert device.info.max_bits in words
    last = [c for c, v in enumerate(found.values["m_axis_tlast"]) if v]
    assert answer[-1][0] in last
    assert not set(last) & {cycle for cycle, _ in answer[:-1]}


def test_a_register_is_written_and_read() -> None:
    found = recorded(DESIGN, Face.REGISTERS)
    offset = registers("stream_registers")["INTERRUPT_ENABLE"].offset
    assert found.title == "INTERRUPT_ENABLE is written, and read"
    assert [word for _, word in taken(found, "s_axil_aw", "addr")] == [offset]
    assert [word for _, word in taken(found, "s_axil_w", "data")] == [1]
    assert [word for _, word in taken(found, "s_axil_ar", "addr")] == [offset]
    ((cycle, value),) = taken(found, "s_axil_r", "data")
    assert value == 1
    assert found.values["s_axil_rresp"][cycle] == 0
    for name in found.values:
        assert len(found.values[name]) == found.cycles
    ends = (0, 1, 2, found.cycles - 3, found.cycles - 2, found.cycles - 1)
    assert not any(found.values["s_axil_awvalid"][cycle] for cycle in ends), "at rest around it"


def test_an_ip_without_packets_answers_a_message() -> None:
    ip = select_ip("rsa_fixed")
    found = transaction(ip, Face.STREAM)
    assert found is not None
    assert [word for _, word in taken(found, "s_axis_t", "data")] == [5]
    ((_, result),) = taken(found, "m_axis_t", "data")
    assert result == pow(5, ip.parameters["exponent"], ip.parameters["modulus"])


def test_where_nothing_changes_little_is_drawn() -> None:
    values = {"a": [0] * 100 + [1] + [0] * 4, "b": [7] * 105}
    kept = drawn_cycles(values)
    assert kept == [0, 1, 2, 97, 98, 99, 100, 101, 102, 103, 104]


def test_the_figure_is_the_same_each_time(tmp_path: Path) -> None:
    found = recorded(DESIGN, Face.STREAM)
    files = [tmp_path / name for name in ("one.svg", "two.svg")]
    for file in files:
        draw(found, file)
    text = files[0].read_text()
    assert text == files[1].read_text()
    assert all(f"<!-- {name} -->" in text for name in found.values)


def test_the_datasheet_shows_the_figure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, sheet = tmp_path / "wave.svg", tmp_path / "sheet.md"
    words = ["datasheet", "binary", "--width", "32", "--out", str(sheet), "--plot", str(file)]
    assert main(words) == 0
    assert f"]({file})" in sheet.read_text()
    assert file.exists()
    assert "figure written" in capsys.readouterr().err
    assert (
        main(["datasheet", "binary", "--width", "32", "--face", "serial", "--plot", "x.svg"]) == 2
    )
    assert "has a serial line alone" in capsys.readouterr().err
    assert main(["datasheet", "binary", "--width", "32", "--plot", "x.txt"]) == 2
