"""Constraints of the example top: its clock, and templates for a board's pins."""

from collections.abc import Sequence

from totient.export.ports import Port

_PINS = "as many as the board has of them"


def lpf(clock_mhz: float, ports: Sequence[Port]) -> str:
    """Constraints in the form that nextpnr-ecp5 and Lattice Diamond share."""
    return (
        "# Lattice ECP5, for nextpnr-ecp5 and Lattice Diamond. Diamond has not been run with it.\n"
        f'FREQUENCY PORT "{ports[0].name}" {clock_mhz:g} MHZ;\n'
        f"# Pins, {_PINS}; nextpnr places what has none with --lpf-allow-unconstrained:\n"
        + "".join(f'# LOCATE COMP "{name}" SITE "A1";\n' for name in _names(ports))
        + "# IOBUF ALLPORTS IO_TYPE=LVCMOS33;\n"
    )


def xdc(clock_mhz: float, ports: Sequence[Port]) -> str:
    """Constraints for Vivado."""
    pin = "PACKAGE_PIN A1 IOSTANDARD LVCMOS33"
    return (
        "# AMD 7-series, for Vivado, which has not been run with it.\n"
        f"create_clock -period {1e3 / clock_mhz:.3f} [get_ports {ports[0].name}]\n"
        f"set_false_path -from [get_ports {ports[1].name}]\n"
        f"# Pins, {_PINS}:\n"
        + "".join(
            f"# set_property -dict {{{pin}}} [get_ports {{{name}}}]\n" for name in _names(ports)
        )
    )


def _names(ports: Sequence[Port]) -> list[str]:
    """Every pin: clock, reset, and all other ports of one bit. Buses stay inside a device."""
    return [port.name for port in ports if port.bits == 1]
