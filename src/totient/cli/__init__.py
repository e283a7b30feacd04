"""The command line. `main` is its entry point; each other module here holds a group of commands.

A command raises `TotientError` for an error that the user can correct, and `typer.Exit(1)` for
the answer "no". Slow imports are inside the commands, so that the help text appears quickly.
"""

import codecs
import importlib
import io
import re
import signal
import sys
import threading
from collections.abc import Iterable
from types import FrameType
from typing import Annotated

import typer
from typer.exceptions import TyperException

import totient
from totient.cli.files import ClosedOutput, discard_standard_output
from totient.cli.report import say
from totient.common.errors import INTERRUPTED, InputError, Stopped, TotientError

FAILED = 2

COMMANDS = {
    "list": "designs",
    "show": "designs",
    "check": "check",
    "measure": "measure",
    "power": "power",
    "explore": "explore",
    "netlists": "netlists",
    "flips": "campaigns",
    "endurance": "campaigns",
    "exhaustive": "campaigns",
    "reproduce": "tables",
    "compare": "tables",
    "compare-engine": "tables",
    "compare-power": "tables",
    "report": "page",
    "processors": "processors",
    "bench": "bench",
    "keygen": "keys",
    "sign": "schemes",
    "verify": "schemes",
    "encrypt": "schemes",
    "decrypt": "schemes",
    "modexp": "modexp",
    "boards": "tables",
    "bitstream": "bitstream",
    "export": "export",
    "datasheet": "export",
    "model": "simulation",
    "serve": "simulation",
    "run": "run",
    "token": "token",
}
"""Commands, each with its module: its function there has its name."""

_FUNCTIONS = {"list": "list_designs"}  # not the built-in one's


def program(commands: Iterable[str] = COMMANDS) -> typer.Typer:
    """The command line.

    Args:
        commands: those that it has. Few are built and imported in less time than all.
    """
    app = typer.Typer(
        name="totient",
        help="RSA accelerators: build, check, measure and compare them, and use them.",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    for name in commands:
        module = importlib.import_module(f"totient.cli.{COMMANDS[name]}")
        command = getattr(module, _FUNCTIONS.get(name, name.replace("-", "_")))
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    return app


def _print_version(requested: bool) -> None:
    if requested:
        print(f"totient {totient.__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Version.")
    ] = False,
) -> None:
    pass


def main(arguments: list[str] | None = None) -> int:
    """Run a command.

    Args:
        arguments: the words after `totient`; those of the process by default.

    Returns:
        Exit status: 0 done, 1 the answer is no (`verify`), 2 an error, which was printed as one
        line on the error stream, 130 interrupted, 128 and its number stopped by a signal;
        141 too where nobody reads the output any more.
    """
    words = sys.argv[1:] if arguments is None else arguments
    _write_anything()
    stopped = _stop_on_signals()
    try:
        app = program(words[:1] if words and words[0] in COMMANDS else COMMANDS)
        status = app(words or ["--help"], prog_name="totient", standalone_mode=False)
        _flush()
    except TotientError as error:
        return _fail(str(error))
    except TyperException as error:
        return _fail(f"{_words(error)} (try {_help(error, words)})")
    except (BrokenPipeError, SystemExit):  # The parser exits on a closed pipe.
        discard_standard_output()
        return 128 + signal.SIGPIPE
    except OSError as error:
        # A failed write to the standard output has no file name.
        try:
            _flush()
        except (InputError, BrokenPipeError) as full:
            return _fail(str(full))
        return _fail(f"{error.filename or 'input or output'}: {error.strerror or error}")
    except KeyboardInterrupt:
        status = INTERRUPTED
    if status == INTERRUPTED and stopped:
        _fail(f"stopped by {stopped[0].name}")
        return 128 + stopped[0]
    if status == INTERRUPTED:
        _fail("interrupted")
    return status or 0


def _flush() -> None:
    """Write what is buffered, while an error can still be reported."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        discard_standard_output()
        raise InputError(f"cannot write the standard output: {error.strerror}") from error


def _stop_on_signals() -> list[signal.Signals]:
    """Make terminating signals raise as Ctrl-C does; return the signals received."""
    come: list[signal.Signals] = []

    def stop(number: int, frame: FrameType | None) -> None:
        come.append(signal.Signals(number))
        raise Stopped

    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, stop)
    return come


def _fail(message: str) -> int:
    say(f"totient: {' '.join(message.split())}")
    return FAILED


_NUMBERS = {"int": "a whole number", "float": "a number"}
"""Types of values, by the parser's names."""


def _words(error: TyperException) -> str:
    """The parser's error, with the value and the allowed values added where missing."""
    number = re.fullmatch(r"(.*) is not a valid (int|float)( range)?\.", error.message, re.DOTALL)
    if number:
        name = max(getattr(getattr(error, "param", None), "opts", None) or ["value"], key=len)
        return f"{name} is {number[1]}, allowed is {_NUMBERS[number[2]]}"
    return error.format_message().rstrip(". ")


def _help(error: TyperException, words: list[str]) -> str:
    context = getattr(error, "ctx", None)
    if context is not None:
        return f"{context.command_path} --help"
    return f"totient {words[0]} --help" if words and words[0] in COMMANDS else "totient --help"


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Replace characters that the output's encoding lacks."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].replace("\u00b5", "u")
    return text.encode("ascii", "replace").decode(), error.end


def _write_anything() -> None:
    """Make the standard streams accept all characters; replace a closed standard output."""
    if sys.stdout is None:
        sys.stdout = ClosedOutput()
    codecs.register_error("totient", _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="totient")
