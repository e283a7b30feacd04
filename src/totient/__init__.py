"""Totient: RSA cores in hardware, and the tool that builds, checks, measures and compares them."""

from importlib.metadata import version

__version__ = version("totient")
