"""LiteX: our IPs as peripherals, and a system on a soft CPU.

Its packages are the extra `soc`.

Raises:
    MissingExtraError: they are not installed; one line says how to.
"""

from importlib.util import find_spec

from totient.common.errors import MissingExtraError

_PACKAGES = ("litex", "migen", "pythondata_cpu_vexriscv", "ziglang")

if _absent := [name for name in _PACKAGES if find_spec(name) is None]:
    raise MissingExtraError(
        f"totient.litex needs the Python packages {', '.join(_absent)}: "
        "make setup installs them, or pip install '.[soc]' in the project's folder"
    )

from totient.litex.peripherals import REGION_BYTES, ModmulMontgomery, RsaCore, RsaKeygen  # noqa: E402

__all__ = ["REGION_BYTES", "ModmulMontgomery", "RsaCore", "RsaKeygen"]
