"""What a datasheet says of an IP."""

import re
from collections.abc import Mapping

import pytest

from totient.catalog import Face, find_subject
from totient.catalog.subjects import Subject
from totient.catalog.systems import System
from totient.common.files import project_root
from totient.export import datasheet
from totient.export.verification import PROOFS


def sheet(name: str, face: Face = Face.STREAM, **given: int) -> str:
    """The datasheet of a subject for all devices."""
    subject: Subject = find_subject(name, **given)
    assert not isinstance(subject, System)
    return datasheet(subject, face)


def test_the_time_of_an_engine_depends_on_its_public_exponent() -> None:
    text = sheet("engine-1", width=1024)
    assert "on the value of the public exponent, on nothing secret." in text
    assert "length only" not in text
    assert "RSA-1024 with e = 65537: " in text


def test_the_proofs_are_those_of_the_document() -> None:
    """Each row of its table: the module, and the parameters of the module that it names."""
    text = (project_root() / "docs" / "formal.md").read_text()
    rows = re.findall(
        r"^\| (\w+) \| \S* \| ([\w= ]*?) ?\| (?:unbounded|induction|whole)", text, re.M
    )
    settings: dict[str, list[Mapping[str, int]]] = {}
    for proof in PROOFS:
        settings.setdefault(proof.module, []).extend(proof.settings)
    assert {module for module, _ in rows} == {*settings, "reset_pair", "stream_crossing"}
    proved: dict[str, set[int]] = {module: set() for module in settings}
    for module, words in rows:
        # Of a proof in parts, one has the module's parameters.
        if module not in settings or re.search(
            r"Checksum|\bWords=1\b|Scripted|End=90|Passes|Pair", words
        ):
            continue
        given = dict(word.split("=") for word in words.split())
        names = set().union(*settings[module])
        known = {name: int(value) for name, value in given.items() if name in names}
        fits = [known.items() <= each.items() for each in settings[module]]
        assert any(fits), (module, words)
        proved[module] |= {place for place, fit in enumerate(fits) if fit}
    assert proved == {module: {*range(len(found))} for module, found in settings.items()}


def test_every_proof_has_all_parameters_of_its_module() -> None:
    """One with the module's default in the proof has it here, too."""
    for proof in PROOFS:
        (path,) = (project_root() / "rtl").rglob(f"{proof.module}.sv")
        header = path.read_text().partition("\n) (")[0]
        lines = re.findall(r"^ *parameter .*?(\w+) += *(\S+?)[,]?(?: |$)", header, re.M)
        assert all(set(each) == {name for name, _ in lines} for each in proof.settings), proof


@pytest.mark.parametrize(
    ("name", "given", "said", "unsaid"),
    [
        ("D6", {}, "`modmul_montgomery_axil`: the AXI4-Lite face", "pow`"),
        (
            "D6",
            {"bits_per_cycle": 2},
            "not with BitsPerCycle=2 Width=64 as here",
            "Proved with the",
        ),
        ("E2", {}, "not with FixedTime=1 Multiplier=0 Width=32 WordBits=16 as here", "AXI4-Lite"),
        ("E2", {"word_bits": 8}, "Proved with the parameters here, FixedTime=1", "OpenSSL"),
        ("B1", {}, "`rsa_keygen_axil`: the AXI4-Lite face", "OpenSSL"),
        (
            "engine-1",
            {"width": 1024},
            "`engine_halves_in`: all bits pass once, in order. Proved",
            "AXI",
        ),
        ("rsa_restoring", {}, "No formal proof covers a module of this IP.", "docs/formal"),
    ],
)
def test_proofs_are_named_where_they_hold(
    name: str, given: dict[str, int], said: str, unsaid: str
) -> None:
    text = sheet(name, Face.STREAM, **given)
    assert said in text
    assert unsaid not in text.partition("## Verification")[2]


def test_parameters_are_those_of_the_built_core() -> None:
    """Copied, they give the same one: those that follow from others are as they were built."""
    text = sheet("engine-62", form=2, digit_bits=17)
    default = "(Form == registered_pkg::RegisteredSeries7) ? 17 : 18"
    assert f"| `Bits` | 17 | {default} | " in text
    assert "| `FarLinks` | 0 | 0 | " in text
    registers = sheet("T3", Face.REGISTERS, width=64)
    assert '| `Design` | "montgomery" | ' in registers
    assert "`axil_stream`: the AXI4-Lite face" in registers


def test_streams_of_messages_are_described() -> None:
    """Packets and commands are of other IPs."""
    text = sheet("E2")
    assert "| `s_axis_tdata` | input | 32 | messages, AXI4-Stream: " in text
    assert "| `m_axis_tlast` | output | 1 | results, AXI4-Stream: " in text
    streams = text.partition("## Streams")[2].partition("## Ports")[0]
    assert "not below the modulus is answered with `w` words of 0" in streams
    assert "with `tlast` before its last word, is answered with `w` words of 0" in streams
    assert "commands" not in text.partition("## Ports")[0]
    assert "## Streams" not in sheet("D6")


@pytest.mark.usefixtures("not_stale")
def test_a_device_without_a_router_is_not_said_to_have_none() -> None:
    text = sheet("T3", width=64)
    assert "no clock: the package registries have no free router for the device" in text
    assert "there is no free router" not in text


def test_a_count_of_hundreds_of_digits_is_short() -> None:
    text = sheet("T1")
    assert "e+311 for a base." in text
    assert max(map(len, re.findall(r"[\d,]+", text))) < 30
