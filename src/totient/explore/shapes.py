"""What the figures of each design grow with, in closed form.

The counts are those that the RTL's structure suggests. Their factors are fitted.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from totient.explore.regression import Shape

SERIAL_COLUMNS = "ceil((width + 1) / digit_bits) * digit_bits"
"""Columns of a digit-serial array (`modmul_digit_serial.sv`)."""

SYSTOLIC_ELEMENTS = "max(ceil((width + 2) / word_bits) + 1, 3)"
"""Elements of a systolic array with the one in front of it (`modmul_montgomery_systolic.sv`)."""

# `array`: columns of both multiplications.
_SERIAL = {
    "columns": SERIAL_COLUMNS,
    "array": "multipliers * columns",
    "linked": "1 if links > 0 else 0",
    "rows": "ceil(digit_bits / slots)",
    # Rows behind the first one without a register, for each that has one.
    "loose": "floor((digit_bits - 1) / slots)",
    # Memories of 16 words for a number.
    "memories": "ceil(ceil((width + 2) / 32) / 16)",
}
_SERIAL_INPUTS = (
    *("width", "digit_bits", "slots", "links + 1", "multipliers", "separated + 1", "lanes"),
)
# montgomery_element.sv: its number, and the bits of their words.
_SYSTOLIC = {
    "elements": SYSTOLIC_ELEMENTS,
    "stored": "elements * word_bits",
    "wide": "1 if word_bits == 32 else 0",
}
_SYSTOLIC_INPUTS = ("width", "word_bits", "fixed_time + 1")
_ENGINE_INPUTS = ("elements", "width", "digit_bits", "key_slots")


def _shapes(
    inputs: Sequence[str],
    terms: Mapping[str, str],
    lut: Sequence[str],
    ff: Sequence[str],
    ns: Sequence[str],
    ns_inputs: Sequence[str] = (),
) -> Mapping[str, Shape]:
    """Shapes of LUTs, flip-flops and the clock's period. Each also has a constant."""
    shapes = {name: Shape(("1", *each), terms, inputs) for name, each in (("lut", lut), ("ff", ff))}
    return MappingProxyType(shapes | {"ns": Shape(("1", *ns), terms, ns_inputs or inputs)})


SHAPES: Mapping[str, Mapping[str, Shape]] = MappingProxyType(
    {
        "repeated": _shapes(
            ("width", "bits_per_cycle", "early_end + 1"),
            {},
            lut=("width", "width * bits_per_cycle", "width * early_end"),
            ff=("width", "width * (bits_per_cycle - 1)", "width * early_end"),
            ns=("width", "width * bits_per_cycle", "bits(width)"),
        ),
        "binary": _shapes(
            ("width", "bits_per_cycle", "early_end + 1", "fixed_time + 1"),
            {},
            lut=(
                *("width", "width * bits_per_cycle", "width * early_end"),
                "width * fixed_time",
            ),
            ff=("width", "width * (bits_per_cycle - 1)", "width * early_end", "width * fixed_time"),
            ns=("width", "width * bits_per_cycle", "bits(width)"),
        ),
        "montgomery": _shapes(
            _SYSTOLIC_INPUTS,
            _SYSTOLIC,
            lut=("width", "elements", "stored", "stored * wide", "elements * wide", "word_bits"),
            ff=("width", "elements", "stored", "stored * wide", "word_bits", "width * fixed_time"),
            ns=("bits(width)", "word_bits", "wide"),
        ),
        "digit_serial": _shapes(
            _SERIAL_INPUTS,
            _SERIAL,
            lut=(
                *("array", "array * digit_bits", "array * digit_bits * loose"),
                *("separated * array", "array * (slots - 1)", "columns * (slots - 1)"),
                *("width", "digit_bits * slots", "lanes", "digit_bits * lanes"),
                *("lanes * memories", "memories"),
            ),
            ff=(
                *("array", "array * linked", "array * digit_bits * linked", "separated * array"),
                *("array * (slots - 1)", "columns * (slots - 1)", "array * digit_bits"),
                *("width", "width * lanes", "digit_bits * slots", "lanes", "lanes * memories"),
            ),
            # Rows in a cycle; the wires of a digit to all columns, unless links take it there.
            ns=(
                "rows",
                "bits(array * digit_bits)",
                "bits(width) * (1 - linked)",
                "rows * bits(width) * (1 - linked)",
            ),
            ns_inputs=(*("array * digit_bits", "rows", "linked + 1", "slots", "separated + 1"),),
        ),
        "engine": _shapes(
            _ENGINE_INPUTS,
            {},
            lut=("elements", "elements * digit_bits", "max(elements - 43, 0)", "key_slots"),
            ff=("elements", "elements * digit_bits", "max(elements - 43, 0)", "key_slots"),
            # The memory of keys, and the ring.
            ns=("bits(elements)", "bits(key_slots * width)"),
            ns_inputs=("elements", "key_slots * width"),
        ),
    }
)
"""By design and figure: `lut`, `ff`, and `ns`, the clock's period."""
