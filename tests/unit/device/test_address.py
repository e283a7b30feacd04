"""Addresses: what is understood, and one line for each thing that is not."""

from pathlib import Path

import pytest

from totient.common.errors import InputError, ToolError
from totient.device import Address, open_device
from totient.device.transports import AddressTransport


def test_design_row_and_parameters() -> None:
    assert Address.of("sim:binary").configuration.label == "binary?width=1024"
    assert Address.of("sim:T2?width=2048").configuration.label == "binary?width=2048"
    chosen = Address.of("sim:binary?width=33&bits_per_cycle=2").configuration
    assert chosen.label == "binary?width=33&bits_per_cycle=2"
    assert Address.of(f"sim:{chosen.label}").configuration == chosen


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("binary", "device 'binary' has no transport, allowed is sim:DESIGN"),
        ("", "device '' has no transport"),
        ("usb:binary", "unknown transport 'usb' of device 'usb:binary', known are sim, "),
        ("SIM:binary", "unknown transport 'SIM'"),
        ("sim:", "device 'sim:' has no design, allowed is sim:DESIGN"),
        ("sim:\0", "has a null character"),
        ("sim:/no/such/model.so", "cannot load the model /no/such/model.so: "),
        ("sim-registers:/model.so?width=1", "takes no parameters, given is 'width'"),
        ("sim-serial:nothing", "unknown design 'nothing'"),
        ("uio:", "has no path, allowed is uio:PATH"),
        ("uio:/dev/null?baud=1", "has no parameter 'baud', it has timeout"),
        ("uio:/dev/null?timeout=0", "timeout is 0, allowed is 1 to 86400 seconds"),
        ("uio:/no/such/file", "cannot map the registers of /no/such/file: No such file"),
        ("unix:", "has no path, allowed is unix:PATH"),
        ("unix:/no/such/socket", "cannot connect to the socket /no/such/socket: No such file"),
        (f"unix:/{'x' * 107}", "cannot connect to the socket /xxx"),
        ("unix:/none?baud=9600", "has no parameter 'baud', it has timeout"),
        ("tty:/dev/\x1b[31m\n", "cannot open the serial line /dev/\\x1b[31m\\x0a: No such file"),
        ("tty:/dev/\u00e9\u202e", "/dev/\u00e9\\xe2\\x80\\xae: No such file"),
        ("tty:", "has no path, allowed is tty:PATH"),
        ("tty:/dev/null?speed=1", "has no parameter 'speed', it has baud, timeout"),
        ("tty:/dev/null?timeout=0", "timeout is 0, allowed is 1 to 86400 seconds"),
        ("tty:/dev/null?timeout=86401", "timeout is 86401, allowed is 1 to 86400 seconds"),
        ("tty:/dev/null?timeout=1.5", "timeout is '1.5', allowed is a whole number"),
        ("tty:/dev/null?baud=1234", "baud is 1234, allowed is a usual rate of 9600 to 3000000"),
        ("tty:/dev/null", "cannot open the serial line /dev/null: Inappropriate ioctl"),
        ("sim:nothing", "unknown design 'nothing'"),
        ("sim:nothing?width=32", "unknown design 'nothing'"),
        ("sim:binary?", "has '' where parameter=value is expected"),
        ("sim:binary?width", "has 'width' where"),
        ("sim:binary?=32", "has '=32' where"),
        ("sim:binary?width=32&", "has '' where"),
        ("sim:binary?width=32&width=32", "gives width twice"),
        ("sim:binary?width=", "width is '', allowed is a whole number"),
        ("sim:binary?width=big", "width is 'big', allowed"),
        ("sim:binary?width=-32", "width is -32, allowed"),
        ("sim:binary?width=1_024", "width is '1_024', allowed"),
        ("sim:binary?width=32.0", "width is '32.0', allowed"),
        ("sim:binary?width= 32", "width is ' 32', allowed"),
        ("sim:binary?width=\u0663\u0662", "allowed is a whole number"),
        ("sim:binary?width=99999999999", "width is 99999999999, allowed is 8 to 4096"),
        (f"sim:binary?width={'9' * 1234}", "width is 999999999..., allowed is 8 to 4096"),
        (f"sim:binary?width={'9' * 1235}", "allowed is a whole number"),
        ("sim:binary?width=7", "width is 7, allowed is 8 to 4096"),
        ("sim:binary?width=4097", "width is 4097, allowed is 8 to 4096"),
        ("sim:binary?widht=32", "design binary has no parameter 'widht', it has width, "),
        ("sim:binary?name=32", "design binary has no parameter 'name'"),
        ("sim:binary?bits_per_cycle=3", "bits_per_cycle is 3, allowed is 1 or 2"),
    ],
)
def test_refused(url: str, text: str) -> None:
    with pytest.raises(InputError) as error:
        open_device(url)
    assert text in str(error.value)
    assert "\n" not in str(error.value)


def test_a_core_that_does_not_answer_in_time(line: str) -> None:
    with pytest.raises(ToolError) as error:
        open_device(f"tty:{line}?timeout=1")
    assert str(error.value) == (
        f"tty:{line}: the core did not answer in 1 s, or its whole answer took more than 2 s. "
        f"For longer limits use tty:{line}?timeout=SECONDS, up to 86400"
    )


def test_patience_without_a_timeout(line: str) -> None:
    with AddressTransport(f"tty:{line}") as transport:
        assert transport._device.line.timeout_ms == 60_000


def test_a_line_is_for_one_program(line: str) -> None:
    with AddressTransport(f"tty:{line}"):
        with pytest.raises(InputError) as error:
            open_device(f"tty:{line}")
        assert str(error.value) == f"tty:{line} is in use by another program"
    AddressTransport(f"tty:{line}").close()


def test_registers_are_for_one_program(tmp_path: Path) -> None:
    zeros = tmp_path / "zeros"
    zeros.write_bytes(bytes(4096))
    with AddressTransport(f"uio:{zeros}"):
        with pytest.raises(InputError) as error:
            open_device(f"uio:{zeros}")
        assert str(error.value) == f"uio:{zeros} is in use by another program"
    AddressTransport(f"uio:{zeros}").close()


def test_registers_of_something_else(tmp_path: Path) -> None:
    zeros = tmp_path / "zeros"
    zeros.write_bytes(bytes(4096))
    with pytest.raises(ToolError) as error:
        open_device(f"uio:{zeros}")
    assert str(error.value) == f"uio:{zeros}: there is no Totient core"
