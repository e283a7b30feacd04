"""Cores that take requests: opened by address, used alike whatever carries the packets."""

from totient.device.address import open_device, parse_address
from totient.device.device import Device, Exponentiation, Exponentiations, Progress, Transport
from totient.device.protocol import ErrorCode, Info

__all__ = [
    "Device",
    "ErrorCode",
    "Exponentiation",
    "Exponentiations",
    "Info",
    "Progress",
    "Transport",
    "open_device",
    "parse_address",
]
