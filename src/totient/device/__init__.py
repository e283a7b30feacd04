"""Cores, opened by address, with the same interface over any transport."""

from totient.device.address import Address, open_device
from totient.device.core import Exponentiation, Exponentiations, Info
from totient.device.device import Device
from totient.device.rsa_key import Primes, RsaKey, key_of_primes, primes_with
from totient.device.transports import Progress, Transport

__all__ = [
    "Address",
    "Device",
    "Exponentiation",
    "Exponentiations",
    "Info",
    "Primes",
    "Progress",
    "RsaKey",
    "Transport",
    "key_of_primes",
    "open_device",
    "primes_with",
]
