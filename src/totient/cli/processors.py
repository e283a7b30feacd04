"""The command that lists the processors for software counts, and installs their tools."""

from typing import Annotated

import typer

from totient.cli.options import JsonOption
from totient.cli.report import print_json, say
from totient.report.terminal import show_table


def processors(
    install: Annotated[
        bool,
        typer.Option(
            "--install",
            help="Install missing packages with apt-get, as root, and download BearSSL's source.",
        ),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """List the processors on which software is counted, with missing packages.

    With --install, exit status 2 and the names of the packages if installing fails.
    """
    from totient.processor import bearssl, missing
    from totient.processor import install as install_all
    from totient.processor import processors as known

    if install:
        installed = install_all(say)
        bearssl.source()
        if as_json:
            print_json({"installed": installed})
        else:
            say(f"all compilers and simulators are installed, and BearSSL {bearssl.VERSION}")
        return
    rows = [(each, missing([each])) for each in known()]
    if as_json:
        print_json(
            {
                "processors": [
                    {
                        "name": each.name,
                        "title": each.title,
                        "board": each.board,
                        "simulator": each.simulator,
                        "counts": each.counts,
                        "clock_hz": each.clock_hz,
                        "compiler": each.compiler,
                        "flags": list(each.flags),
                        "packages": list(each.packages),
                        "missing": absent,
                    }
                    for each, absent in rows
                ]
            }
        )
        return
    show_table(
        ["name", "processor", "as on", "simulator", "counts", "compiler", "missing packages"],
        [
            [
                *(each.name, each.title, each.board, each.simulator, each.counts, each.compiler),
                " ".join(absent) or "-",
            ]
            for each, absent in rows
        ],
        "Processors",
        texts=7,
    )
