"""The list of mutants: each can be put into today's files, and the list is as large as promised."""

import shutil
from collections import Counter
from pathlib import Path

import pytest
from tests.mutation.mutants import AREAS, ROOT, Mutant, mutants
from tests.mutation.run import (
    ALWAYS,
    EQUIVALENT,
    NOTICED,
    UNNOTICED,
    Verdict,
    judge,
    kept,
    rate,
    table,
)

ALL = mutants()


def test_each_can_be_put_into_its_file(tmp_path: Path) -> None:
    for number, mutant in enumerate(ALL):
        root = tmp_path / str(number)
        (root / mutant.file).parent.mkdir(parents=True)
        shutil.copy(ROOT / mutant.file, root / mutant.file)
        mutant.put_into(root)
        assert (root / mutant.file).read_text() != (ROOT / mutant.file).read_text(), mutant.words


def test_there_are_enough_and_each_is_there_once() -> None:
    counts = Counter(each.words for each in ALL)
    assert max(counts.values()) == 1
    assert len(ALL) >= 150
    assert {each.area for each in ALL} == {*AREAS.values()}
    for each in ALL:
        assert all(run for run in each.runs), each.words
        tests = [option for run in each.runs for option in run if option.startswith("tests/")]
        assert all((ROOT / option).exists() for option in tests), each.words
        assert not each.equivalent or each.equivalent.endswith("."), each.words


def test_kept_verdicts_are_of_the_list() -> None:
    known = kept()
    assert known.keys() <= {each.words for each in ALL}
    for each in ALL:
        if each.words in known:
            assert (known[each.words].verdict == EQUIVALENT) == bool(each.equivalent), each.words


@pytest.mark.parametrize(
    ("old", "new", "bits", "verdict"),
    [
        ("_BITS = 12", "_BITS = 13", 12, NOTICED),
        ("_BITS = 12", "_BITS =", 12, NOTICED),
        ('"""Docstring."""', '"""Other."""', 12, UNNOTICED),
        ('"""Docstring."""', '"""Other."""', 11, ALWAYS),
    ],
)
def test_a_test_that_fails_is_a_verdict(
    old: str, new: str, bits: int, verdict: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only if it succeeds without the mutant."""
    root = tmp_path / "copy"
    (root / "src").mkdir(parents=True)
    (root / "src/value.py").write_text('"""Docstring."""\n_BITS = 12\n')
    (root / "test_value.py").write_text(
        f"import value\ndef test_value():\n    assert value._BITS == {bits}\n"
    )
    monkeypatch.setattr("tests.mutation.run.copy_of", lambda _: root)
    found = judge(Mutant("src/value.py", old, new, ("test_value.py",)), tmp_path)
    assert found.verdict == verdict
    assert found.by.startswith("test_value.py") == (verdict in (NOTICED, ALWAYS))


def test_equivalent_ones_do_not_count() -> None:
    found = [
        Verdict(str(number), "RTL", verdict, 1.0, "")
        for number, verdict in enumerate((NOTICED, NOTICED, UNNOTICED, EQUIVALENT))
    ]
    assert rate(found) == 2 / 3
    assert rate([]) == 0
    assert table({each.mutant: each for each in found}, 4).rows[-1][:5] == ["all", 4, 1, 2, 1]


def test_a_table_says_what_has_no_verdict() -> None:
    found = {"a": Verdict("a", "RTL", NOTICED, 1.0, "")}
    assert table(found, 3).markdown.count("2 of 3 mutants have no kept verdict.") == 1
    assert "no kept verdict" not in table(found, 1).markdown
    empty = table({}, 3)
    assert not empty.rows
    assert "3 of 3 mutants have no kept verdict." in empty.markdown
