"""Totient: RSA cores in hardware, and the tool that builds, checks, measures and compares them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name: str) -> str:
        """The version, which takes long to find out, and is rarely asked for."""
        if name != "__version__":
            raise AttributeError(f"module 'totient' has no attribute {name!r}")
        from importlib.metadata import version

        return version("totient")
