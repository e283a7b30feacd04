"""Programs in C that tests build and run, with the compiler's warnings as errors."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from totient.common.files import project_root

DRIVER = project_root() / "driver"
INCLUDE = f"-I{DRIVER / 'include'}"
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror")


def gcc(*arguments: str | Path) -> str:
    """Compile without an error or a warning; what the compiler prints."""
    return output(["gcc", *arguments])


def output(command: Sequence[object], text: str | None = None) -> str:
    """What a command prints that ends well, given a text."""
    done = subprocess.run(
        [str(word) for word in command], input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
