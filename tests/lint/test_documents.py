"""What the documents tell is there: every command parses, every link leads somewhere."""

import re
import shlex
from pathlib import Path

import pytest
import typer
from typer.main import get_command

from totient.cli import app
from totient.common.files import project_root

ROOT = project_root()
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


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
    group = get_command(app)
    name, *words = shlex.split(line)[1:]
    assert isinstance(group, typer.core.TyperGroup)
    context = typer.Context(group, info_name="totient")
    command = group.get_command(context, name)
    assert command is not None, f"no command {name}"
    # Where a text names a command without its arguments, only the name is meant.
    if words:
        command.make_context(name, words, parent=context)


def test_there_are_documented_commands() -> None:
    names = {line.split()[1] for line in commands()}
    assert {"sign", "verify", "check", "measure", "reproduce", "list", "show"} <= names


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", path.read_text()):
        assert (path.parent / link).exists(), link


def test_python_in_the_readme_compiles() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), re.S | re.M)
    assert blocks
    for block in blocks:
        compile(block, "README.md", "exec")


def test_make_targets_are_documented() -> None:
    targets = set(re.findall(r"^([a-z]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert {"setup", "demo", "test", "lint", "bench", "help"} <= targets
