"""RTL as read by the flow, and when it counts as changed."""

from pathlib import Path

import pytest

from totient.catalog import SourceList
from totient.common.errors import ToolError
from totient.flow import Rtl
from totient.flow.rtl import without_comments

from .conftest import module


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("a // x\nb\n", "a\nb\n"),
        ("a /* x\n y */ b\n\n\nc\n", "a   b\nc\n"),
        ('s = "no // comment /* here */"; // x\n', 's = "no // comment /* here */";\n'),
        ('s = "quote \\" // still";\n', 's = "quote \\" // still";\n'),
        ("`define M a // x \\\n b\n", "`define M a  \\\n b\n"),
        ("x = a / b;  // c", "x = a / b;\n"),
    ],
)
def test_comments_go_and_code_stays(text: str, bare: str) -> None:
    assert without_comments(text) == bare


def copied(folder: Path, change: str = "") -> Rtl:
    source = (module("accumulator").sources.files[0]).read_text() + change
    folder.mkdir(parents=True)
    (folder / "accumulator.sv").write_text(source)
    return Rtl(SourceList((folder / "accumulator.sv",), ()), "accumulator", {})


def test_the_digest_depends_on_code_and_parameters_only(tmp_path: Path) -> None:
    original = module("accumulator").digest
    assert copied(tmp_path / "elsewhere").digest == original
    assert copied(tmp_path / "commented", "\n// one more comment\n").digest == original
    assert copied(tmp_path / "changed", "\nmodule other; endmodule\n").digest != original
    assert module("accumulator", Width=9).digest != original


def test_headers_are_part_of_the_module(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "a.sv").write_text("module a; endmodule\n")
    header = tmp_path / "inc" / "h.svh"
    sources = SourceList((tmp_path / "a.sv",), (header,))
    header.write_text("`define X 1\n")
    one = Rtl(sources, "a", {})
    assert (one.files, one.headers) == (["a.sv"], ["inc/h.svh"])
    before = one.digest
    header.write_text("`define X 2\n")
    assert Rtl(sources, "a", {}).digest != before


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    lost = tmp_path / "lost.sv"
    with pytest.raises(ToolError, match=r"cannot read .*lost\.sv: No such file"):
        _ = Rtl(SourceList((lost,), ()), "lost", {}).digest
