"""Export of a configuration as a self-contained folder: sources, tops, a test bench."""

from totient.export.datasheet import datasheet
from totient.export.folder import MODELS, Export, export
from totient.export.waveform import draw, transaction

__all__ = ["MODELS", "Export", "datasheet", "draw", "export", "transaction"]
