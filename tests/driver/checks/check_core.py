"""What libtotient has to do over any core: the same for answers from Python and for the RTL."""

from collections.abc import Callable
from itertools import groupby

import pytest
from tests.driver.bench import (
    FILL,
    NULL,
    SETTINGS,
    Bus,
    Line,
    call,
    contents,
    ffi,
    lib,
    new,
    octets,
    refuses_nulls,
    room,
    simulated,
    untouched,
    without,
)
from tests.driver.core import Bench, Core, D, E, N
from tests.rtl.serial_frames import END, frame

from totient.common.contract import MAX_RSA_BITS, VERSION, ErrorCode, TimingClass

CORES = ("core-registers", "core-serial")
ENGINES = ("engine-registers", "engine-serial")
RTL = ("rtl-stream", "rtl-registers", "rtl-serial")

MESSAGE = N % (1 << 56)
CUBE = pow(MESSAGE, 3, N)
N2, D2, M2 = 17 * 227, 2411, 1234  # 3 * 2411 = 1 modulo 16 * 226
LONG = MAX_RSA_BITS // 8 + 1


def on(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("bench", names, indirect=True)


def cube(core: Core) -> None:
    """A key is loaded, and a result is right."""
    assert core.load_public(N, 3) == "OK"
    assert core.power(MESSAGE, 7) == ("OK", CUBE)


@on(*CORES, *ENGINES, *RTL)
def test_what_the_core_says(bench: Bench) -> None:
    handle = Core(bench).handle
    assert ffi.string(handle.name) == bench.name.encode()
    assert (handle.maximum_bits, handle.lanes) == (bench.maximum_bits, bench.lanes)
    assert (handle.version, handle.slots) == (VERSION, bench.slots)
    assert handle.timing == TimingClass.EXPONENT_LENGTH


@on(*CORES, *ENGINES, *RTL)
def test_operations(bench: Bench) -> None:
    core = Core(bench)
    handle = core.handle
    assert core.power(N, size=12) == ("NO_KEY", 0)
    for place, base in enumerate((0, 1, N - 1, 0xC0C0DBDB00DCDDC0 % N)):
        assert core.load_public(N, E, 20 if place % 2 else 8) == "OK"
        assert (handle.modulus_bits, handle.cycles) == (64, bench.load_cycles)
        assert core.power(base, size=12) == ("OK", pow(base, E, N))
        assert handle.cycles == bench.public_cycles
        assert core.load_private(N, D) == "OK"
        assert core.power(base, in_place=True) == ("OK", pow(base, D, N))
        assert handle.cycles == bench.private_cycles
    assert core.clear() == "OK"
    assert (handle.modulus_bits, handle.cycles) == (0, 0)
    assert core.power(N, size=12) == ("NO_KEY", 0)


@on(*CORES, *ENGINES, *RTL)
def test_all_lanes_at_once(bench: Bench) -> None:
    core = Core(bench)
    assert core.load_private(N, D) == "OK"
    bases = [N - 2 - place for place in range(bench.lanes)]
    results = [pow(base, D, N) for base in bases]
    assert core.powers(bases) == ("OK", results)
    assert core.powers(results, count=bench.lanes + 1) == ("ARGUMENT", results)
    assert core.powers(results, count=0) == ("ARGUMENT", results)


@on(*CORES, *ENGINES, *RTL)
def test_lengths_of_numbers(bench: Bench) -> None:
    """A short modulus, a long message with leading zeros."""
    core = Core(bench)
    assert core.load_public(N2, 17) == "OK"
    assert core.handle.modulus_bits == 12
    assert core.power(1141, length=30, size=2) == ("OK", pow(1141, 17, N2))


@on(*CORES, *ENGINES, *RTL)
def test_checked_operations(bench: Bench) -> None:
    """A result that the public exponent does not take back to the message is withheld."""
    core = Core(bench)
    signature = pow(M2, D2, N2)
    assert core.checked(N2, D2, 3, M2) == ("OK", signature)
    assert core.checked(N2, D2, 5, M2) == ("WRONG_RESULT", 0)
    assert core.checked(N2, D2, 3, M2, in_place=True) == ("OK", signature)
    # Longer than the library handles.
    assert core.checked(N2, D2, 3, M2, size=LONG) == ("ARGUMENT", 0)
    for length in (LONG, 2 * LONG):
        result = room(12)
        given = (octets(N2, 2), 2, octets(D2, 2), 2, 3, octets(1 << 8 * length - 1, length), length)
        assert core.call("private_checked", *given, result, 12) == "ARGUMENT"
        assert not any(result)


@on(*CORES, *ENGINES, *RTL)
def test_messages_that_are_refused(bench: Bench) -> None:
    core = Core(bench)
    assert core.load_public(N2, 17) == "OK"
    for message in (N2, 5000, 5000 | 1 << 232):
        assert core.power(message, length=30, size=12) == ("BASE_NOT_BELOW", 0)
    assert core.power(5000 | 1 << 232, length=30, size=1) == ("ARGUMENT", 0)
    assert core.power(5, size=1) == ("ARGUMENT", 0)


@on(*CORES, *ENGINES, *RTL)
def test_keys_that_are_refused(bench: Bench) -> None:
    """The core works on."""
    core = Core(bench)
    most = bench.maximum_bits
    length = most // 8 + 1
    refused: list[tuple[Callable[[], str], str]] = [
        (lambda: core.load_public(N - 1, 3), "MODULUS_EVEN"),
        (lambda: core.load_public(1, 3), "MODULUS_SMALL"),
        (lambda: core.load_public(0, 3, 0), "MODULUS_SMALL"),
        (lambda: core.load_public(N, 0), "EXPONENT_EMPTY"),
        (lambda: core.load_key(0, 0, 0), "EXPONENT_EMPTY"),
        # Of the modulus, of an exponent beside it, of what is stated.
        (lambda: core.load_public(1 << most, 3, length), "LENGTH"),
        (lambda: core.load_private(N, 1 << most, length), "LENGTH"),
        (lambda: core.load_key(N, N, 63), "LENGTH"),
        (lambda: core.load_key(N, N, most + 1), "LENGTH"),
        (lambda: core.load_key(N, N, (1 << 64) - 1), "LENGTH"),
        (lambda: core.load_private(N2, 0x1000, 2), "LENGTH"),
    ]
    for load, result in refused:
        assert core.load_private(N, N) == "OK"
        assert load() == result
        assert core.power(MESSAGE, 7, 12) == ("NO_KEY", 0)
    assert core.load_private(N2, 0x0FFF, 2) == "OK"
    assert core.power(5) == ("OK", pow(5, 0x0FFF, N2))


@on(*CORES, *ENGINES, *RTL)
def test_null_pointers(bench: Bench) -> None:
    """Each pointer of each function, one at a time: refused, and nothing is written."""
    handle, table = new("struct totient *"), bench.table
    n, result = octets(N, 8), room(8)
    refuses_nulls(lib.totient_open, handle, table, bench.context)
    for name in ("send", "receive"):
        part = without("struct totient_transport", table, name)
        assert call(lib.totient_open, handle, part, bench.context) == "ARGUMENT"
    calls = [
        (lib.totient_load_public, (n, 8, 3)),
        (lib.totient_load_private, (n, 8, n, 8)),
        (lib.totient_load_key, (n, 8, n, 8, 64)),
        (lib.totient_raise, (n, 8, result, 8)),
        (lib.totient_raise_all, (1, n, 8, result, 8)),
        (lib.totient_private_checked, (n, 8, n, 8, 3, n, 8, result, 8)),
        (lib.totient_clear, ()),
    ]
    # A handle that was not opened refuses everything.
    assert call(lib.totient_open, handle, NULL, bench.context) == "ARGUMENT"
    for function, arguments in calls:
        assert call(function, handle, *arguments) == "ARGUMENT"
    ffi.buffer(result)[:] = bytes([FILL]) * 8
    core = Core(bench)
    assert core.load_public(N, 3) == "OK"
    for function, arguments in calls:
        refuses_nulls(function, core.handle, *arguments)
    assert core.call("raise_all", (1 << 64) - 1, n, 8, result, 8) == "ARGUMENT"
    assert contents(result) == bytes([FILL]) * 8
    lib.totient_wipe(NULL, 8)
    # What the transport itself is given.
    word, last = new("uint32_t[1]", 0), new("bool *", 0)
    refuses_nulls(table.send, bench.context, word, 1, True)
    refuses_nulls(table.receive, bench.context, word, 1, last)
    refuses_nulls(table.reset, bench.context)
    # The key is still there: none of this went to the core.
    assert core.power(MESSAGE, 7) == ("OK", CUBE)


@on(*CORES, *ENGINES, *RTL)
def test_nothing_is_kept(bench: Bench) -> None:
    """Of different keys: in handles after a clear, in the way's between requests, too."""
    seen = set()
    for turn in range(2):
        core = Core(bench)
        n, d, message = N - 2 * turn, D - 1000 * turn, D // 3 + turn
        assert core.load_private(n, d) == "OK"
        assert core.power(message) == ("OK", pow(message, d, n))
        used = contents(bench.context)
        assert core.clear() == "OK"
        seen.add((used, contents(bench.context), contents(core.handle)))
    assert len(seen) == 1


@on("core-registers", "engine-registers", "rtl-registers")
def test_a_bus_that_fails(bench: Bench) -> None:
    """At any access: an error, never a hang, and the next operation is right."""
    bus = Bus.over(bench.context)
    core = Core(bench, context=bus.way)
    for after in range(1, 60):
        bus.fail_after = 0
        assert core.open() == "OK"
        bus.fail_after = after
        code, result = core.load_public(N, 3), 0
        if code == "OK":
            code, result = core.power(MESSAGE, 7)
        if bus.fail_after == 0:
            assert (code, result) == ("TRANSPORT", 0), after
        bus.fail_after = 0
        cube(core)
    bus.stranger = True
    assert core.open() == "NO_CORE"


@on("core-serial", "engine-serial", "rtl-serial")
def test_a_line_with_damage(bench: Bench) -> None:
    """Any byte of any frame, in both directions: no wrong result, and the next one is right."""
    line = Line.over(bench.context)
    core = Core(bench, context=line.way)
    for place in range(60):
        for direction in ("damage_in", "damage_out"):
            assert core.load_public(N, 3) == "OK"
            setattr(line, direction, place)
            code, result = core.power(MESSAGE, 7)
            assert result == (CUBE if code == "OK" else 0), (place, direction)
            line.damage_in = line.damage_out = -1
            cube(core)


@on("rtl-serial", "rtl-wide")
def test_a_line_after_a_part_of_a_frame(bench: Bench) -> None:
    """A sender that stops within a frame: the next clear is answered.

    The core's end takes a cycle a word to drop the frame, and refuses what comes meanwhile. The
    wide core has room for long frames.
    """
    core, line = Core(bench), bench.context
    for length in (1, 3, 4, 4 * 70, 4 * 100, 4 * 127, 4 * 250):
        data = bytes([END]) + b"\x55" * length
        begun = octets(int.from_bytes(data), len(data))
        assert call(line.write, line.line, begun, len(data)) == "OK"
        assert core.clear() == "OK", length
        cube(core)


@on(*CORES, *ENGINES)
def test_faults_of_a_core(bench: Bench) -> None:
    """A good core gives no wrong result, and answers."""
    core, hardware = Core(bench), bench.hardware
    assert core.checked(N2, D2, 3, M2) == ("OK", pow(M2, D2, N2))
    hardware.lie = True
    assert core.checked(N2, D2, 3, M2) == ("WRONG_RESULT", 0)
    hardware.silent = 1
    assert core.load_public(N2, 3) == "TIMEOUT"
    assert not hardware.engine.keys
    assert core.load_public(N2, 3) == "OK"
    assert hardware.engine.keys
    assert core.clear() == "OK"
    assert not hardware.engine.keys


@on(*CORES, *ENGINES)
def test_error_codes(bench: Bench) -> None:
    """A core's own, those that only an engine has, and those that none has."""
    core, hardware = Core(bench), bench.hardware
    known = {code for code in ErrorCode if bench.slots or code <= ErrorCode.ABORTED}
    for code in range(1, 256):
        assert core.load_public(N2, 3) == "OK"
        hardware.refusal = code
        name = ErrorCode(code).name if code in known else "PROTOCOL"
        assert core.power(M2) == (name, 0)
        # Nor has a refusal any words.
        assert core.load_public(N2, 3) == "OK"
        hardware.refusal, hardware.more = code, 1
        assert core.power(M2) == ("PROTOCOL", 0)
    assert core.clear() == "OK"


@on("core-serial", "engine-serial")
def test_old_answers(bench: Bench) -> None:
    """What an aborted program has left on the line: the longest one, and many of one word."""
    line, core, old = bench.line, Core(bench), bytes(place % 256 for place in range(800))
    assert line is not None
    for count in range(4, len(old) + 1, 4):
        line.out.extend(frame(old[:count]))
        assert core.open() == "OK", count
    line.out.extend(frame(old[:4]) * 60)
    assert core.open() == "OK"
    line.out.extend(frame(old[:4]) * 64)
    assert core.open() == "TRANSPORT"
    assert core.open() == "OK"


@on("core-serial")
@pytest.mark.parametrize(("empty", "result"), [(63, "OK"), (64, "TRANSPORT")])
def test_empty_frames(bench: Bench, empty: int, result: str) -> None:
    """So many are skipped before a frame, whose own beginning is one, too."""
    line, word, last = bench.line, new("uint32_t *"), new("bool *")
    assert line is not None
    line.out.extend(bytes([END]) * empty + frame(bytes(4)))
    assert call(bench.table.receive, bench.context, word, 1, last) == result
    assert (word[0] == 0) == (result == "OK")


@on("core-serial")
def test_frames_that_are_all_empty(bench: Bench) -> None:
    passed: list[int] = []

    def read() -> int:
        passed.append(END)
        assert len(passed) < 10_000
        return END

    line = Line(read, lambda data: None)
    handle = new("struct totient *")
    assert call(lib.totient_open, handle, bench.table, line.way) == "TRANSPORT"
    assert handle.out_of_step


@on("core-serial")
def test_starts_of_the_timer(bench: Bench) -> None:
    """Of a reset once, although it sends its request again; of others for each direction."""
    come: list[str] = []
    busy = frame(bytes([3]))
    answers: list[int] = [*busy * 20, *frame(bytes([4, 0, 0, 0]))]

    def read() -> int:
        come.append("answer")
        return answers.pop(0)

    line = Line(read, lambda data: come.append("request"))
    start = ffi.callback("void(void *)", lambda _: come.append("start"))
    line.way.start_timer = start
    assert call(bench.table.reset, line.way) == "OK"
    assert come[:2] == ["start", "request"]
    assert come.count("start") == 1
    assert come.count("request") > 20
    come.clear()
    answers.extend(frame(bytes([1, 0, 0, 0])))
    word, last = octets(1, 4), new("bool *")
    for ends in (False, True):
        assert call(bench.table.send, line.way, ffi.cast("uint32_t *", word), 1, ends) == "OK"
    assert call(bench.table.receive, line.way, ffi.cast("uint32_t *", word), 1, last) == "OK"
    assert [name for name, _ in groupby(come)] == ["start", "request", "start", "answer"]


@on("rtl-stream", "rtl-serial")
def test_impatience(bench: Bench) -> None:
    """A core that is not waited for long enough: an error, and the next operation is right."""
    core, usual = Core(bench), bench.simulation.limit
    for _ in range(3):
        assert core.load_private(N, D) == "OK"
        bench.simulation.limit = 20
        assert core.power(MESSAGE, 7) == ("TIMEOUT", 0)
        bench.simulation.limit = usual
        assert core.power(MESSAGE, 7) == ("NO_KEY", 0)
        cube(core)


def test_ends_of_other_ways() -> None:
    """Null pointers of what passes words and bytes, and what is not there."""
    value, byte, registers = new("uint32_t *"), room(1), new("uint32_t[2]")
    assert call(lib.totient_mapped_write, registers, 4, 5) == "OK"
    assert registers[1] == 5
    assert call(lib.totient_mapped_read, registers, 4, value) == "OK"
    assert value[0] == 5
    refuses_nulls(lib.totient_mapped_read, registers, 0, value)
    refuses_nulls(lib.totient_mapped_write, registers, 0, 0)
    tty, uio = new("struct totient_tty *"), new("struct totient_uio *")
    refuses_nulls(lib.totient_tty_open, tty, b"/dev/null", 9600, 0)
    assert call(lib.totient_tty_open, tty, b"/dev/null", 12345, 0) == "ARGUMENT"
    assert call(lib.totient_tty_open, tty, b"/dev/null", 9600, 0) == "TRANSPORT"
    refuses_nulls(lib.totient_tty_read, tty, byte)
    refuses_nulls(lib.totient_tty_write, tty, byte, 1)
    assert call(lib.totient_tty_read, tty, byte) == "TRANSPORT"  # not open
    refuses_nulls(lib.totient_uio_open, uio, b"/dev/null")
    lib.totient_tty_start_timer(NULL)
    lib.totient_tty_close(NULL)
    lib.totient_uio_close(NULL)
    assert all(ffi.string(lib.totient_text(code)) for code in range(80))
    assert ffi.string(lib.totient_text(ffi.cast("totient_result", -1)))


def test_ends_of_simulations() -> None:
    """Null pointers, and the functions of a face that the model does not have."""
    stream, serial = (simulated(SETTINGS["models"][face]) for face in ("stream", "serial"))
    none, value, byte = new("struct totient_simulation *", 0), new("uint32_t *"), room(1)
    refuses_nulls(lib.totient_simulation_open, none, b"model.so")
    assert call(lib.totient_simulation_open, none, b"/dev/null") == "NO_CORE"
    refuses_nulls(lib.totient_simulation_read, stream, 0, value)
    assert call(lib.totient_simulation_read, stream, 0, value) == "TRANSPORT"
    refuses_nulls(lib.totient_simulation_write, stream, 0, 0)
    assert call(lib.totient_simulation_write, stream, 0, 0) == "TRANSPORT"
    refuses_nulls(lib.totient_simulation_line_read, stream, byte)
    assert call(lib.totient_simulation_line_read, stream, byte) == "TRANSPORT"
    refuses_nulls(lib.totient_simulation_line_write, serial, byte, 1)
    assert call(lib.totient_simulation_line_write, stream, byte, 1) == "TRANSPORT"
    assert call(lib.totient_over_simulation.send, serial, value, 1, True) == "TRANSPORT"
    assert ffi.string(lib.totient_simulation_reason(NULL)) == b""
    assert lib.totient_simulation_cycles(NULL) == 0
    for simulation in (none, NULL, stream, serial):
        lib.totient_simulation_close(simulation)
    assert byte[0] == untouched(1)
