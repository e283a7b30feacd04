from .address import Address, open_device
from .core import Exponentiation
from .device import Device
from .rsa_key import Primes, RsaKey, key_of_primes

__all__ = [
    "Address",
    "Device",
    "Exponentiation",
    "Primes",
    "RsaKey",
    "key_of_primes",
    "open_device",
]
