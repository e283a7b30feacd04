"""House rules of the tool: its parts use only what is below them; the root stays readable."""

import ast
from pathlib import Path

import pytest

from totient.common.files import project_root

SOURCE = project_root() / "src" / "totient"
# From the top to the bottom; parts on one line may not use each other.
LAYERS = (
    ("cli",),
    ("export", "page", "token"),
    ("campaigns", "compare", "explore"),
    ("prove", "reproduce"),
    ("check", "measure", "rsa"),
    ("processor",),
    ("litex",),
    ("power",),
    ("flow", "device"),
    ("sim",),
    ("catalog",),
    ("golden", "engine"),
    ("report",),
    ("common",),
)
HEIGHT = {part: height for height, parts in enumerate(reversed(LAYERS)) for part in parts}
MODULES = sorted(path for path in SOURCE.rglob("*.py") if path.parent != SOURCE)


def used_parts(path: Path) -> set[str]:
    """Parts of the tool that a module imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names = [node.module or ""]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        parts = [name.split(".") for name in names]
        found |= {part[1] for part in parts if part[0] == "totient" and len(part) > 1}
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_part_uses_only_what_is_below_it(path: Path) -> None:
    own = path.relative_to(SOURCE).parts[0]
    for part in used_parts(path) - {own}:
        assert HEIGHT[part] < HEIGHT[own], f"{own} must not use {part}"


def test_every_part_has_its_layer() -> None:
    folders = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert folders == set(HEIGHT)


def test_the_root_stays_readable() -> None:
    documents = {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE"}
    settings = {"Makefile", "pyproject.toml", "requirements.lock"}
    hardware = {"rtl", "contract", "formal"}
    software = {"src", "driver", "firmware", "tests"}
    knowledge = {"docs", "results"}
    made = {"build", "dist"}
    entries = {p.name for p in project_root().iterdir() if not p.name.startswith(".")}
    assert entries <= documents | settings | hardware | software | knowledge | made
    assert len(entries - made) <= 16


def test_nothing_names_a_machine() -> None:
    """No absolute path of somebody's machine stands in a file."""
    for folder in ("src", "rtl", "formal", "docs", "results", "tests"):
        for path in (project_root() / folder).rglob("*"):
            if path.suffix in (".py", ".sv", ".md", ".toml", ".json", ".core", ".cpp", ".h"):
                text = path.read_text()
                for forbidden in ("/ho" + "me/", "/ro" + "ot/", "/wo" + "rk/"):
                    assert forbidden not in text, path


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_is_read_in_one_sitting(path: Path) -> None:
    """At most 400 lines, and no function of more than 60."""
    text = path.read_text()
    assert text.count("\n") <= 400
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 60, node.name
