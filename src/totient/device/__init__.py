"""Cores, opened by address, with the same interface over any transport."""

from totient.device.address import Address, open_device
from totient.device.core import Exponentiation
from totient.device.device import Device
from totient.device.rsa_key import Primes, RsaKey, key_of_primes

__all__ = [
    "Address",
    "Device",
    "Exponentiation",
    "Primes",
    "RsaKey",
    "key_of_primes",
    "open_device",
]
