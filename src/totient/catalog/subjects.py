"""What can be measured: designs, IPs, systems."""

from totient.catalog.designs import select
from totient.catalog.ips import IpConfiguration, find_ip
from totient.catalog.model import Configuration
from totient.catalog.systems import System, find_system
from totient.common.errors import InputError

Subject = Configuration | IpConfiguration | System
"""One of them, with a value for every parameter."""


def find_subject(name: str, **given: int) -> Subject:
    """What is called so: a design as in `select`, an IP or a system, by name or paper's row.

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
            raise InputError(f"{system.name} has no parameter {parameter!r}, it has none")
        return system
    return select(name, **given)
