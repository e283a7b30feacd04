"""Commands that make simulated cores available to other programs."""

import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from totient.catalog.ips import IpConfiguration
from totient.catalog.model import Face, Top
from totient.catalog.systems import System
from totient.cli.boards import BOARD, BaudOption, on_board
from totient.cli.files import check_output, write_text
from totient.cli.options import (
    DesignArgument,
    JsonOption,
    SetOption,
    WidthOption,
    allow_only,
    file_option,
)
from totient.cli.report import print_json, say
from totient.common.errors import InputError, Stopped
from totient.device.model_links import SIMULATIONS, link_model

if TYPE_CHECKING:  # Slow to import.
    from totient.device.socket_line import SocketLine
    from totient.device.terminal import Terminal

_Rtl = Annotated[
    bool,
    typer.Option(
        "--rtl",
        help="Simulate all of an engine's RTL. Default: its array is a program, which has the same "
        "cycles and takes a third of the time.",
    ),
]


def model(
    design: DesignArgument,
    width: WidthOption = None,
    face: Annotated[
        str | None,
        typer.Option(
            "--face",
            metavar="FACE",
            help=f"{', '.join(Face)}; default stream. An IP has all of its own.",
        ),
    ] = None,
    settings: SetOption = None,
    rtl: _Rtl = False,
    as_json: JsonOption = False,
) -> None:
    """Build a simulated core or IP for a C program, and print the path of its library.

    DESIGN may be the whole address of a simulated device, `sim-registers:engine-8?width=1024`. A C
    program then opens it by this address (totient/address.h), or by the path.
    """
    from totient.cli.settings import configuration, subject
    from totient.sim import build_fast_model, build_model

    design, face, rtl = _by_address(design, face, rtl)
    if face is not None and face not in list(Face):
        raise InputError(f"unknown face {face!r}, known are {', '.join(Face)}")
    described: dict[str, object]
    ip = subject(design, width, settings)
    if isinstance(ip, IpConfiguration):
        faces = sorted(ip.ip.faces)
        if face is not None and face not in faces:
            raise InputError(f"--face is {face}, the IP {ip.name} has {', '.join(faces)}")
        described = {"ip": ip.name, "parameters": dict(ip.parameters), "faces": faces}
        path = build_model(ip.top())
    else:
        chosen, face = configuration(design, width, settings), face or Face.STREAM
        faces = [Face(face)]
        described = {
            "design": chosen.design.name,
            "parameters": dict(chosen.parameters),
            "face": face,
        }
        path = (build_model if rtl else build_fast_model)(chosen.top(Face(face)))
    addresses = [_address(design, each, rtl, width, settings) for each in faces]
    for address in addresses:
        link_model(address, path)
    if as_json:
        print_json({**described, "library": str(path), "addresses": addresses})
    else:
        write_text(str(path))


def _by_address(design: str, face: str | None, rtl: bool) -> tuple[str, str | None, bool]:
    """Design, face and whether all RTL is simulated, where the design is given as an address."""
    transport, colon, rest = design.partition(":")
    if not colon or transport not in SIMULATIONS:
        return design, face, rtl
    own = SIMULATIONS[transport]
    if face not in (None, own):
        raise InputError(f"--face is {face}, the address {design} has {own}")
    return rest, own, rtl or transport == "sim-rtl"


def _address(
    design: str, face: str, rtl: bool, width: int | None, settings: list[str] | None
) -> str:
    """The address of a model, with the parameters as they are given."""
    transport = next(name for name, own in SIMULATIONS.items() if own == face)
    if rtl and transport == "sim":
        transport = "sim-rtl"
    name, question, query = design.partition("?")
    given = [*([query] if question else []), *([] if width is None else [f"width={width}"])]
    given += settings or []
    return f"{transport}:{name}" + (f"?{'&'.join(given)}" if given else "")


_Link = Annotated[
    Path | None,
    file_option(
        "--link",
        "Link to the terminal. A link to a terminal that no longer exists is replaced.",
    ),
]
_Socket = Annotated[
    Path | None,
    file_option("--socket", "Path of a socket, in place of a terminal. Nothing may be there."),
]
_Board = Annotated[
    str | None,
    typer.Option("--board", metavar="BOARD", help=f"Simulate a board's top module: {BOARD}"),
]
_RouteSeed = Annotated[
    int | None,
    typer.Option(
        "--route-seed",
        metavar="S",
        help="With --board: simulate the netlist routed with this placer seed, not the RTL.",
    ),
]


def serve(
    design: DesignArgument,
    width: WidthOption = None,
    link: _Link = None,
    board: _Board = None,
    baud: BaudOption = None,
    route_seed: _RouteSeed = None,
    settings: SetOption = None,
    rtl: _Rtl = False,
    socket: _Socket = None,
) -> None:
    """Serve a simulated core on a pseudo-terminal or a socket until Ctrl-C.

    Prints the terminal's path. Programs open it like a board's serial port, and so does
    `--device tty:PATH`. With --socket, the core is at a stream socket, which carries the same
    bytes: `--device unix:PATH`. With --board, simulates the whole top module of `totient bitstream`
    between the board's pins, at the serial port's rate. This is slower, and tests a program made
    for the board.
    """
    from totient.cli.settings import configuration
    from totient.sim import build_fast_model, build_model

    _check_paths(link, socket)
    if board is None:
        allow_only(
            "with --board",
            "" if baud is None else "--baud is given",
            "" if route_seed is None else "--route-seed is given",
        )
        top = configuration(design, width, settings).top(Face.SERIAL)
        library = (build_model if rtl else build_fast_model)(top)
    else:
        allow_only("without --board", "--rtl is given" if rtl else "")
        top, library = _board(board, baud, design, width, settings, route_seed)
    with _line(library, socket) as line:
        if link is not None:
            _make_link(link, str(line.path))
        # A script's background job begins with SIGINT ignored, and nobody would end it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            write_text(str(line.path))
            routed = "" if route_seed is None else f", its netlist routed by seed {route_seed},"
            kind = "terminal" if socket is None else "socket"
            say(f"{top.label}{routed} serves this {kind} until Ctrl-C")
            line.serve()
        except Stopped:
            raise
        except KeyboardInterrupt:
            pass  # Ctrl-C ends it.
        finally:
            # Another process may have replaced the link; keep that one.
            if link is not None and _points_to(link, str(line.path)):
                link.unlink(missing_ok=True)


def _check_paths(link: Path | None, socket: Path | None) -> None:
    """Refuse a link or a socket that cannot be made."""
    if socket is not None:
        allow_only("without --socket", "--link is given" if link else "")
        check_output(socket)
        if socket.exists() or socket.is_symlink():
            raise InputError(f"{socket} is there already")
    if link is not None:
        if link.exists() or (link.is_symlink() and not _is_left(link)):
            raise InputError(f"{link} is there already")
        check_output(link)


def _line(library: Path, path: Path | None) -> "Terminal | SocketLine":
    """The terminal, or the socket at a path, of a model."""
    from totient.device.socket_line import SocketLine
    from totient.device.terminal import Terminal

    return Terminal(library) if path is None else SocketLine(library, path)


def _board(
    board: str,
    baud: int | None,
    design: str,
    width: int | None,
    settings: list[str] | None,
    route_seed: int | None,
) -> tuple[Top, Path]:
    """A board's top, and the model of its RTL or of a routed netlist."""
    from totient.flow import check_seeds
    from totient.flow.bitstream import board_netlist, board_top
    from totient.sim import build_model, build_netlist_model

    if route_seed is not None:
        check_seeds([route_seed], "--route-seed")
    found, chosen = on_board(board, baud, design, width, settings)
    if isinstance(chosen, System):
        raise InputError(f"{design} is a system, serve knows designs and IPs")
    top = board_top(found, chosen)
    if route_seed is None:
        return top, build_model(top)
    return top, build_netlist_model(board_netlist(found, chosen, route_seed), top)


def _points_to(link: Path, path: str) -> bool:
    return link.is_symlink() and str(link.readlink()) == path


def _is_left(link: Path) -> bool:
    """Whether a symbolic link points to a pseudo-terminal that no longer exists."""
    return link.readlink().parent == Path("/dev/pts") and not link.exists()


def _make_link(link: Path, path: str) -> None:
    try:
        # A stale link may name a newer terminal.
        if link.is_symlink() and (_is_left(link) or _points_to(link, path)):
            link.unlink()
        link.symlink_to(path)
    except OSError as error:
        raise InputError(f"cannot write {link}: {error.strerror}") from error
