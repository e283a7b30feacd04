"""Counts of the forms of `firmware/montgomery`, and their file.

The counts are the same in every run. `results/software/` keeps them with the tool versions, as
counts in C depend on the compiler.
"""

import json
from dataclasses import dataclass

from totient.measure.kept import parsing

SCHEMA = 1
"""Version of the file, and of the operands of the counts."""


@dataclass(frozen=True)
class Count:
    """A form on a processor.

    Attributes:
        processor: its name.
        level: optimisation level of the compiler.
        form: one of `FORMS`; on VexRiscv `driver` and `direct` use the coprocessor.
    """

    processor: str
    level: str
    form: str


@dataclass(frozen=True)
class ProductCount(Count):
    """A Montgomery product.

    Attributes:
        static: instructions of its functions in the program; 0 if not counted.
        best: executed instructions, or cycles, with the modulus 1.
        worst_32, worst_64: the most with a modulus of this many bits.
        tried: number of operands of each of these lengths.
        operands: those of `worst_64`, in hexadecimal.
    """

    static: int
    best: int
    worst_32: int
    worst_64: int
    tried: int
    operands: tuple[str, ...]


@dataclass(frozen=True)
class PowerCount(Count):
    """A modular exponentiation, with the set-up of its product. `table` and `remainder` divide.

    Attributes:
        modulus_bits: 64, or 32.
        public: with the exponent 65537.
        full: with as many ones as the modulus has bits.
    """

    modulus_bits: int
    public: int
    full: int


@dataclass(frozen=True)
class DiemertCounts:
    """All counts.

    Attributes:
        products, powers: in the order of the tables.
        tools: version of each tool, by its name.
        sources: digest of programs, flags and RTL.
    """

    products: tuple[ProductCount, ...]
    powers: tuple[PowerCount, ...]
    tools: dict[str, str]
    sources: str

    def to_text(self) -> str:
        """The text of the file."""
        whole = {
            "schema": SCHEMA,
            "command": "totient bench --only diemert",
            "tools": self.tools,
            "sources": self.sources,
            "products": [vars(each) for each in self.products],
            "powers": [vars(each) for each in self.powers],
        }
        return json.dumps(whole, indent=1) + "\n"

    @classmethod
    def from_text(cls, text: str) -> "DiemertCounts":
        """Parse the text of `to_text`.

        Raises:
            InputError: damaged, or of another schema.
        """
        with parsing(text, SCHEMA, "counts") as data:
            given = ({**each, "operands": tuple(each["operands"])} for each in data["products"])
            products = tuple(ProductCount(**each) for each in given)
            powers = tuple(PowerCount(**each) for each in data["powers"])
            return cls(products, powers, data["tools"], data["sources"])

    def product(self, processor: str, level: str, form: str) -> ProductCount:
        """One of the products."""
        key = (processor, level, form)
        return next(e for e in self.products if (e.processor, e.level, e.form) == key)
