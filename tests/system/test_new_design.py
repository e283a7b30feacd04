"""The page on a new design: its files, its change and its commands, in a copy of the project."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from totient.common.files import project_root

PAGE = (project_root() / "docs" / "new_design.md").read_text()
FILES = re.findall(r"<!-- file (\S+) -->\n```\w+\n(.*?)```\n", PAGE, re.DOTALL)
CHANGES = re.findall(r"<!-- change -->\n```diff\n(.*?)```\n", PAGE, re.DOTALL)
COMMANDS = [
    line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()
]
COPIED = ("contract", "docs", "driver", "results", "rtl", "src", "tests")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with the page's files and its change."""
    folder = tmp_path_factory.mktemp("project")
    for name in COPIED:
        ignored = shutil.ignore_patterns("__pycache__", "build")
        shutil.copytree(project_root() / name, folder / name, ignore=ignored)
    for name in ("pyproject.toml", "Makefile", "LICENSE", "README.md"):
        shutil.copy(project_root() / name, folder)
    (folder / ".venv").symlink_to(Path(sys.executable).parent.parent)
    for path, text in FILES:
        assert not (folder / path).exists(), path
        (folder / path).write_text(text)
    # The copy is a tree of its own, also if it lies in a repository.
    alone = os.environ | {"GIT_CEILING_DIRECTORIES": str(folder.parent)}
    for change in CHANGES:
        command = ["git", "apply", "-"]
        subprocess.run(command, input=change.encode(), cwd=folder, env=alone, check=True)
    return folder


def run(line: str, folder: Path) -> str:
    """Output of a command that ends well."""
    # Make must not install the environment anew: it is a link.
    line = line.replace("make ", "make -o setup ")
    done = subprocess.run(
        line,
        shell=True,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder / "src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_the_page_has_all_parts() -> None:
    assert len(FILES) == 5
    assert len(CHANGES) == 1
    assert [Path(line.split()[0]).name for line in COMMANDS] == [
        "pytest",
        "make",
        "totient",
        "totient",
    ]


def test_its_commands(copy: Path) -> None:
    test, contract, check, measure = (run(line, copy) for line in COMMANDS)
    assert re.search(r"^\.{4} ", test, re.MULTILINE), test
    assert "    parameters: [Width]\n" in (copy / "rtl/ip/rsa_ladder.core").read_text(), contract
    assert "every result is right, every cycle count is the formula's" in check
    assert "LUT" in measure


def test_a_wrong_formula_is_noticed(copy: Path) -> None:
    """The page's first guess: the failing test prints the cycles that the core took."""
    path = copy / "src/totient/catalog/designs.py"
    right = path.read_text()
    path.write_text(right.replace("+ 8 + k * (width + 2)", "+ 9 + k * (width + 2)"))
    try:
        line = COMMANDS[0].replace(".py", '.py -k "[8]"')
        with pytest.raises(AssertionError, match=r"assert \d+ == \d+"):
            run(line, copy)
    finally:
        path.write_text(right)
