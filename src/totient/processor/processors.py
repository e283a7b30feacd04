"""The processors that software is counted on."""

from totient.common.errors import InputError
from totient.processor.model import Counts, Pace, Power, Processor, Simulator

_BARE = ("-std=gnu99", "-ffreestanding", "-nostdlib", "-ffunction-sections", "-fdata-sections")
_ARM = ("gcc-arm-none-eabi", "qemu-system-arm")

# What Cortex-M3 and M4 have in common. Lists of registers have ten at most.
_THUMB = (
    ("[us]div.*", 2, 12),
    ("(push|pop|ldm|stm).*", 2, 14),
    ("(ldr|str)d.*", 2, 3),
    ("(ldr|str).*", 1, 2),
    ("(tbb|tbh).*", 2, 5),
    ("it[te]*", 0, 1),
    ("(b|bl|bx|blx)(\\.[wn])?", 2, 4),
    ("(cbn?z|b(eq|ne|[lh][sieto]|[cv][sc]|mi|pl|g[et]|hs|lo))(\\.[wn])?", 1, 4),
    (".*", 1, 1),
)
_AVR = ("gcc-avr", "avr-libc", "libsimavr-dev", "libelf-dev")
_AVR_FLAGS = (
    *("-std=gnu99", "-O2", "-nostartfiles", "-ffunction-sections", "-fdata-sections"),
    "-Wl,--defsym=_bss_end=__heap_start",
)
_MSP430 = ("clang-19", "lld-19", "mspdebug")
_MSP430_FLAGS = ("--target=msp430", "-O2", *_BARE[:2], *_BARE[3:])

_PROCESSORS = (
    Processor(
        name="atmega328p",
        title="AVR, ATmega328P",
        board="Arduino Uno at 16 MHz",
        simulator=Simulator.SIMAVR,
        machine=("atmega328p",),
        counts=Counts.CYCLES,
        clock_hz=16_000_000,
        power=Power(
            2 * 5.2e-3 * 5,
            "ATmega328P datasheet (DS40002061), typical supply current when active at 8 MHz and "
            "5 V: 5.2 mA, twice that at 16 MHz",
        ),
        pace=None,
        compiler="avr-gcc",
        flags=("-mmcu=atmega328p", *_AVR_FLAGS),
        linker=(),
        folder="avr",
        c_library=True,
        packages=_AVR,
        ram_bytes=2 * 1024,
        flash_bytes=32 * 1024,
        larger="atmega1284p",
    ),
    Processor(
        name="atmega1284p",
        title="AVR, ATmega1284P",
        board="the same core with more memory, at 16 MHz",
        simulator=Simulator.SIMAVR,
        machine=("atmega1284p",),
        counts=Counts.CYCLES,
        clock_hz=16_000_000,
        power=Power(
            2 * 5.2e-3 * 5,
            "datasheet of the family (DS40002070), typical supply current when active at 8 MHz "
            "and 5 V of its ATmega324PA: 5.2 mA, twice that at 16 MHz; an estimate for its largest "
            "member",
        ),
        pace=None,
        compiler="avr-gcc",
        flags=("-mmcu=atmega1284p", *_AVR_FLAGS),
        linker=(),
        folder="avr",
        c_library=True,
        packages=_AVR,
        ram_bytes=16 * 1024,
        flash_bytes=128 * 1024,
    ),
    Processor(
        name="vexriscv",
        title="RISC-V, VexRiscv",
        board="soft CPU on an FPGA at 100 MHz",
        simulator=Simulator.RTL,
        machine=(),
        counts=Counts.CYCLES,
        clock_hz=100_000_000,
        power=None,
        pace=None,
        compiler="ziglang",
        flags=(
            *("-target", "riscv32-freestanding-none", "-mcpu=generic_rv32+m", "-O2", *_BARE),
            # The linker's own words about what it has not been told.
            "-Wno-unused-command-line-argument",
        ),
        linker=(),
        folder="riscv",
        c_library=False,
        packages=(),
        ram_bytes=128 * 1024,
        flash_bytes=128 * 1024,
    ),
    Processor(
        name="msp430",
        title="MSP430, multiplication in software",
        board="25 MHz, as in row T5",
        simulator=Simulator.MSPDEBUG,
        machine=(),
        counts=Counts.CYCLES,
        clock_hz=25_000_000,
        power=Power(33e-3, "the thesis of row T5, active, at 25 MHz (papers/thesis.toml)"),
        pace=None,
        compiler="clang-19",
        flags=_MSP430_FLAGS,
        linker=("ld.lld-19",),
        folder="msp430",
        c_library=False,
        packages=_MSP430,
        ram_bytes=16 * 1024,
        flash_bytes=256 * 1024,
    ),
    Processor(
        name="msp430-mpy",
        title="MSP430, hardware multiplier",
        board="25 MHz, as in row T5",
        simulator=Simulator.MSPDEBUG,
        machine=(),
        counts=Counts.CYCLES,
        clock_hz=25_000_000,
        power=Power(33e-3, "the thesis of row T5, active, at 25 MHz (papers/thesis.toml)"),
        pace=None,
        compiler="clang-19",
        flags=(*_MSP430_FLAGS, "-DHARDWARE_MULTIPLIER=0x130"),
        linker=("ld.lld-19",),
        folder="msp430",
        c_library=False,
        packages=_MSP430,
        ram_bytes=16 * 1024,
        flash_bytes=256 * 1024,
    ),
    Processor(
        name="esp8266",
        title="Xtensa LX106, ESP8266",
        board="ESP8266 at 80 MHz",
        simulator=Simulator.QEMU_XTENSA,
        machine=("-M", "sim", "-cpu", "lx106"),
        counts=Counts.INSTRUCTIONS,
        clock_hz=80_000_000,
        power=Power(
            15e-3 * 3.3,
            "ESP8266EX datasheet, modem sleep (processor running, radio off): 15 mA, at 3.3 V",
        ),
        pace=Pace(
            (
                ("l(8ui|16[us]i|32i|32r)(.n)?", 1, 2),
                ("b(?!reak).*|j|jx|call.*|ret.*", 1, 3),
                ("mul.*", 1, 2),
                (".*", 1, 1),
            ),
            "Xtensa instruction set architecture, pipeline of five stages: 1 for most; 1 more for "
            "a load or a product that is used at once; 2 more for a taken branch",
        ),
        compiler="xtensa-lx106-elf-gcc",
        flags=("-mlongcalls", "-O2", *_BARE),
        linker=(),
        folder="xtensa",
        c_library=False,
        packages=("gcc-xtensa-lx106", "qemu-system-misc"),
        ram_bytes=80 * 1024,
        flash_bytes=1024 * 1024,
    ),
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
        pace=Pace(
            (
                ("[us]mull.*", 3, 5),
                ("[us]mlal.*", 4, 7),
                ("ml[as].*", 2, 2),
                *_THUMB,
            ),
            "Cortex-M3 technical reference manual (DDI 0337), instruction timings: 1 for most; "
            "loads and stores 1 or 2, of N words up to 1 + N; long multiplication 3 to 5, with "
            "accumulation 4 to 7; a taken branch 2 to 4",
        ),
        compiler="arm-none-eabi-gcc",
        flags=("-mcpu=cortex-m3", "-mthumb", "-O2", *_BARE),
        linker=(),
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
        pace=Pace(
            (
                ("[us](mull|mlal|maal).*", 1, 1),
                ("ml[as].*", 1, 1),
                *_THUMB,
            ),
            "Cortex-M4 technical reference manual (DDI 0439), instruction timings: 1 for most, "
            "long multiplication too; loads and stores 1 or 2, of N words up to 1 + N; a taken "
            "branch 2 to 4",
        ),
        compiler="arm-none-eabi-gcc",
        flags=("-mcpu=cortex-m4", "-mthumb", "-O2", *_BARE),
        linker=(),
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
