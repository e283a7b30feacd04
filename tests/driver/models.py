"""The RTL that libtotient is checked with."""

from pathlib import Path

from totient.catalog import Face, select, select_ip
from totient.sim import build_model

CORE = select("digit_serial", width=64, digit_bits=4, slots=2, lanes=2)
WIDE = select("T1", width=4096)
"""Has room for long frames."""
PRIME_BITS = 256
"""Of the IP for long primes."""
WIDTHS = (64, 31)
"""Of Montgomery multipliers."""


def models() -> dict[str, str]:
    """Paths of the models: the core by its face, the wide one, the IPs."""
    tops = {face.value: CORE.top(face) for face in Face}
    tops |= {f"modmul-{width}": select_ip("D6", width=width).top() for width in WIDTHS}
    tops["keygen-registers"] = select_ip("B1").top()
    tops["keygen-stream"] = select_ip("E3").top()
    tops["keygen-long"] = select_ip("E3", prime_bits=PRIME_BITS).top()
    built: dict[str, Path] = {name: build_model(top, checked=True) for name, top in tops.items()}
    built["wide"] = build_model(WIDE.top(Face.SERIAL))
    return {name: str(path) for name, path in built.items()}
