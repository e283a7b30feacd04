from .build import SERIAL_BIT_CYCLES, build_listing, build_model
from .fast import build_fast_model
from .library import Element
from .model import FIRST_CHUNK, Model, next_chunk, open_model
from .netlist import build_netlist_model

__all__ = [
    "FIRST_CHUNK",
    "SERIAL_BIT_CYCLES",
    "Element",
    "Model",
    "build_fast_model",
    "build_listing",
    "build_model",
    "build_netlist_model",
    "next_chunk",
    "open_model",
]
