"""Software on simulated processors: build, run, count."""

from totient.processor.model import Counts, Pace, Power, Processor
from totient.processor.packages import install, missing, require
from totient.processor.processors import find_processor, processors
from totient.processor.program import Program, build
from totient.processor.run import Run, run

__all__ = [
    "Counts",
    "Pace",
    "Power",
    "Processor",
    "Program",
    "Run",
    "build",
    "find_processor",
    "install",
    "missing",
    "processors",
    "require",
    "run",
]
