"""RTL compiled to native models with Verilator, run from Python."""

from totient.sim.build import build_listing, build_model
from totient.sim.model import Model, open_model

__all__ = ["Model", "build_listing", "build_model", "open_model"]
