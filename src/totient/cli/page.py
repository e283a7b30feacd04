"""The command that writes everything into one HTML file."""

from pathlib import Path
from typing import Annotated

from totient.cli.files import check_output
from totient.cli.options import file_option
from totient.cli.report import say
from totient.common.errors import InputError


def report(
    out: Annotated[Path, file_option("--out", "The file, such as page.html.")],
) -> None:
    """Write one HTML file: the scoreboard, every paper's tables and figures, all designs.

    It needs no network. Uses the data under results/ and measures nothing.
    """
    from totient.common.progress import bar

    if out.suffix not in (".html", ".htm"):
        raise InputError(f"--out is {str(out)!r}, allowed endings are .html, .htm")
    check_output(out)
    from totient.page.document import STEPS, write_page

    with bar("page", total=STEPS) as progress:

        def step(text: str) -> None:
            progress.describe(text)
            progress.advance()

        size = write_page(out, step)
    say(f"{out}: {size / 1e6:.1f} MB")
