"""The processors that software is counted on."""

from totient.common.errors import InputError
from totient.processor.model import Counts, CyclesPerInstruction, Power, Processor, Simulator

_BARE = ("-std=gnu99", "-ffreestanding", "-nostdlib", "-ffunction-sections", "-fdata-sections")
_ARM = ("gcc-arm-none-eabi", "qemu-system-arm")

_PROCESSORS = (
    Processor(
        name="cortex-m3",
        title="ARM Cortex-M3",
        board="STM32F103 at 72 MHz",
        simulator=Simulator.QEMU_ARM,
        machine=("-M", "mps2-an385"),
        counts=Counts.INSTRUCTIONS,
        clock_hz=72_000_000,
        power=Power(
            27e-3 * 3.3,
            "STM32F103x8 datasheet (DS5319), typical supply current in run mode from flash at "
            "72 MHz, peripherals off: 27 mA, at 3.3 V",
        ),
        pace=CyclesPerInstruction(
            1,
            5,
            "Cortex-M3 technical reference manual (DDI 0337), instruction timings: 1 for most, "
            "2 for a load, 2 to 4 for a taken branch, 3 to 5 for a long multiplication",
        ),
        compiler="arm-none-eabi-gcc",
        flags=("-mcpu=cortex-m3", "-mthumb", "-O2", *_BARE),
        folder="cortex_m",
        c_library=False,
        packages=_ARM,
        ram_bytes=20 * 1024,
        flash_bytes=64 * 1024,
    ),
    Processor(
        name="cortex-m4",
        title="ARM Cortex-M4",
        board="STM32F407 at 168 MHz",
        simulator=Simulator.QEMU_ARM,
        machine=("-M", "mps2-an386"),
        counts=Counts.INSTRUCTIONS,
        clock_hz=168_000_000,
        power=Power(
            40e-3 * 3.3,
            "STM32F407 datasheet (DS8626), typical supply current in run mode from flash with the "
            "accelerator at 168 MHz, peripherals off: 40 mA, at 3.3 V",
        ),
        pace=CyclesPerInstruction(
            1,
            4,
            "Cortex-M4 technical reference manual (DDI 0439), instruction timings: 1 for most, a "
            "long multiplication too, 2 for a load, 2 to 4 for a taken branch",
        ),
        compiler="arm-none-eabi-gcc",
        flags=("-mcpu=cortex-m4", "-mthumb", "-O2", *_BARE),
        folder="cortex_m",
        c_library=False,
        packages=_ARM,
        ram_bytes=192 * 1024,
        flash_bytes=1024 * 1024,
    ),
)


def processors() -> tuple[Processor, ...]:
    """All processors."""
    return _PROCESSORS


def find_processor(name: str) -> Processor:
    """A processor by its name.

    Raises:
        InputError: there is none of that name.
    """
    for each in _PROCESSORS:
        if each.name == name:
            return each
    known = ", ".join(each.name for each in _PROCESSORS)
    raise InputError(f"unknown processor {name!r}, known are {known}")
