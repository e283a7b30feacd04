"""Programs on VexRiscv's RTL, cycle for cycle."""

import io
import re
import time

from elftools.elf.elffile import ELFFile

from totient.common.errors import ToolError
from totient.processor.program import Program

_CHUNK = 2_000_000  # cycles between checks of the time limit and of Ctrl-C


def simulate(program: Program, seconds: float) -> tuple[str, list[int]]:
    """Run a program to its end.

    Args:
        program: to run.
        seconds: time limit on this machine, without the build of the model.

    Returns:
        Its output, and the cycles from each begin to each end (below 2^32 each).

    Raises:
        ToolError: it exceeded the time limit or 64 pairs of marks, or is too long for the memory;
            the extra `soc` is not installed, or a tool failed.
    """
    try:
        from totient.litex.loader import MEMORY_BYTES, open_loader
    except ImportError as error:
        raise ToolError(
            "VexRiscv requires the packages of the extra soc: make setup installs them, or pip "
            "install '.[soc]' in the project's folder"
        ) from error
    content = _content(program.image)
    if len(content) > MEMORY_BYTES:
        raise ToolError(f"the program has {len(content)} bytes, the memory {MEMORY_BYTES}")
    got = b""
    with open_loader(*program.processor.machine) as model:
        model.send_bytes(len(content).to_bytes(4, "little") + content)
        limit = time.monotonic() + seconds
        while not got.endswith((b"#stop\n", b"#many\n")):
            if time.monotonic() > limit:
                raise ToolError(f"the program did not end within {seconds:.0f} s")
            got += model.receive_bytes(_CHUNK)
    if got.endswith(b"#many\n"):
        raise ToolError("the program has more than 64 pairs of marks")
    text = got.decode(errors="replace")
    counts = [int(count, 16) for count in re.findall(r"^#count (\w+)$", text, re.MULTILINE)]
    return re.sub(r"(^#count \w+\n)*#stop\n$", "", text, flags=re.MULTILINE), counts


def _content(image: bytes) -> bytes:
    """The memory image, from the first address on."""
    parts = [
        (int(segment["p_paddr"]), segment.data())
        for segment in ELFFile(io.BytesIO(image)).iter_segments("PT_LOAD")
        if segment["p_filesz"]
    ]
    first = min(address for address, _ in parts)
    content = bytearray(max(address + len(data) for address, data in parts) - first)
    for address, data in parts:
        content[address - first : address - first + len(data)] = data
    return bytes(content)
