"""Subjects of measurements: designs, IPs, systems."""

from totient.catalog.designs import find_design, select, unknown_design
from totient.catalog.ips import IpConfiguration, find_ip, ips
from totient.catalog.model import Configuration
from totient.catalog.parameters import no_parameter
from totient.catalog.systems import SYSTEM, System, find_system

Subject = Configuration | IpConfiguration | System
"""A design, an IP or a system, with a value for every parameter."""


def find_subject(name: str, **given: int) -> Subject:
    """The subject of this name: a design as in `select`, an IP or a system, by name or paper's row.

    Args:
        name: for instance `binary-2048`, `T2`, `B1`, `rsa_system`.
        given: parameters that differ from the defaults.

    Raises:
        InputError: unknown name, unknown parameter, value out of range.
    """
    if ip := find_ip(name):
        return ip.configure(given)
    if system := find_system(name):
        for parameter in given:
            raise no_parameter(system.name, parameter, ())
        return system
    if find_design(name) is None:
        raise unknown_design(name, *(ip.name for ip in ips()), SYSTEM.name)
    return select(name, **given)


def command_words(subject: Subject) -> str:
    """Arguments of commands for a subject: `binary --width 64 --set early_end=1`."""
    own = (
        f"--width {value}" if name == "width" else f"--set {name}={value}"
        for name, value in subject.own.items()
    )
    return " ".join((subject.name, *own))
