"""Facts in the documents: every command parses, every link has a target."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer
from docs.write import DOCUMENTS, environment, figures, run, tables
from tests.system.command import totient
from typer.main import get_command

from totient.cli import program
from totient.common.files import project_root

ROOT = project_root()
README = (ROOT / "README.md").read_text()


def commands() -> list[str]:
    """Every `totient ...` in the documents, from code blocks and from running text."""
    found: dict[str, None] = {}
    for path in DOCUMENTS:
        text = path.read_text()
        blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        lines = [line for block in blocks for line in block.splitlines()]
        prose = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
        lines += [" ".join(code.split()) for code in re.findall(r"`([^`]+)`", prose)]
        for line in lines:
            if re.match(r"totient [a-z]", line):
                found[line.split("#")[0].strip()] = None
    return list(found)


@pytest.mark.parametrize("line", commands())
def test_a_documented_command_parses(line: str) -> None:
    group = get_command(program())
    name, *words = shlex.split(line)[1:]
    assert isinstance(group, typer.core.TyperGroup)
    context = typer.Context(group, info_name="totient")
    command = group.get_command(context, name)
    assert command is not None, f"no command {name}"
    # Where a text names a command without its arguments, only the name is meant.
    if not words:
        return
    inner = command.make_context(name, list(words), parent=context)
    if isinstance(command, typer.core.TyperGroup):
        below = command.get_command(inner, words[0])
        assert below is not None, f"no command {name} {words[0]}"
        below.make_context(words[0], words[1:], parent=inner)


def test_there_are_documented_commands() -> None:
    names = {line.split()[1] for line in commands()}
    assert {"sign", "verify", "check", "measure", "reproduce", "list", "show"} <= names


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", path.read_text()):
        assert (path.parent / link).exists(), link


def test_tests_that_are_named_exist() -> None:
    """As evidence of a promise. Two documents name those of the past and of the future."""
    others = ("CHANGELOG.md", "new_design.md")
    texts = "".join(path.read_text() for path in DOCUMENTS if path.name not in others)
    named = set(re.findall(r"`(tests/[\w/]+/test_\w\w+\.py)`", texts))
    assert len(named) > 20
    assert not [each for each in named if not (ROOT / each).is_file()]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_the_command_that_wrote_a_table_is_named(path: Path) -> None:
    text = path.read_text()
    named = re.findall(r"`[^`]*--table ([\w-]+)[^`]*`(?=[^.]* wrote the table)", text)
    assert set(named) <= set(re.findall(r"<!-- totient [^>]*--table ([\w-]+)", text))
    assert named or path != ROOT / "README.md"


def test_python_in_the_readme_compiles() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", README, re.S | re.M)
    assert blocks
    for block in blocks:
        compile(block, "README.md", "exec")


@pytest.mark.parametrize(("line", "table"), list(tables()), ids=lambda text: text[:40])
def test_a_table_is_what_its_command_writes(line: str, table: str) -> None:
    if line.startswith("python"):
        assert run(line) == table
        return
    outcome = totient(*shlex.split(line)[1:])
    assert outcome.status == 0, outcome.err
    assert outcome.out.decode().strip() == table


def test_figures_are_what_their_commands_draw(tmp_path: Path) -> None:
    """A user's own measurements, which are in the cache, are in none."""
    commands = list(figures())
    assert commands, "no document names the command of a figure"
    drawn = {figure for _, figure in commands}
    assert {f"docs/figures/{path.name}" for path in (ROOT / "docs/figures").iterdir()} == drawn
    for line, figure in commands:
        again = tmp_path / Path(figure).name
        changes: Any = environment(line, tmp_path / "cache")
        outcome = totient(*shlex.split(line)[1:], "--plot", again, **changes)
        assert outcome.status == 0, outcome.err
        assert again.read_bytes() == (ROOT / figure).read_bytes(), figure


def test_the_readme_shows_a_table_and_a_figure() -> None:
    assert any(line.startswith("totient reproduce thesis") for line, _ in tables())
    assert "](docs/figures/thesis.svg)" in README


def test_make_targets_are_documented() -> None:
    targets = set(re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert {"setup", "demo", "test", "lint", "bench", "help"} <= targets
