"""Export of a configuration as a self-contained folder: sources, tops, a test bench."""

from totient.export.block_design import script_name
from totient.export.datasheet import datasheet
from totient.export.fitting import default_clock, recorded_clock, room
from totient.export.folder import MODELS, Export, export, find_export_target
from totient.export.waveform import draw, transaction

__all__ = [
    "MODELS",
    "Export",
    "datasheet",
    "default_clock",
    "draw",
    "export",
    "find_export_target",
    "recorded_clock",
    "room",
    "script_name",
    "transaction",
]
