"""LiteX: our IPs as peripherals, and a system on a soft CPU."""

from totient.litex.peripherals import REGION_BYTES, RsaCore, RsaKeygen

__all__ = ["REGION_BYTES", "RsaCore", "RsaKeygen"]
