"""Counts of the forms of `firmware/montgomery`: what they are, and how they are kept.

They are the same in every run; `results/software/` keeps them with the versions of the tools, as
the compiler decides on those in C.
"""

import json
from dataclasses import dataclass

from totient.common.errors import InputError

SCHEMA = 1
"""Version of the file, and of the operands behind the counts."""


@dataclass(frozen=True)
class ProductCount:
    """A Montgomery product on a processor.

    Attributes:
        processor: its name.
        level: how the compiler optimises.
        form: which one of `PRODUCTS`; on VexRiscv also `driver` and `direct`, the coprocessor.
        static: instructions of its functions in the program; 0 where they are not counted.
        best: executed instructions, or cycles, with the modulus 1.
        worst_32, worst_64: the most with a modulus of so many bits.
        tried: operands of each of these lengths.
        operands: those of `worst_64`, in hexadecimal.
    """

    processor: str
    level: str
    form: str
    static: int
    best: int
    worst_32: int
    worst_64: int
    tried: int
    operands: tuple[str, ...]


@dataclass(frozen=True)
class PowerCount:
    """A modular exponentiation on a processor, its product's set-up included.

    Attributes:
        processor, level, form: as of a product; `table` and `remainder` divide.
        modulus_bits: 64, or 32.
        public: with the exponent 65537.
        full: with as many ones as the modulus has bits.
    """

    processor: str
    level: str
    form: str
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
        """As it is kept."""
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
        """What `to_text` gave.

        Raises:
            InputError: damaged, or of another schema.
        """
        try:
            data = json.loads(text)
            if data["schema"] != SCHEMA:
                raise InputError(f"counts of schema {data['schema']}, allowed is {SCHEMA}")
            products = [
                ProductCount(**{**each, "operands": tuple(each["operands"])})
                for each in data["products"]
            ]
            powers = [PowerCount(**each) for each in data["powers"]]
            return cls(tuple(products), tuple(powers), data["tools"], data["sources"])
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"damaged counts: {error!r}") from error

    def product(self, processor: str, level: str, form: str) -> ProductCount:
        """One of the products."""
        wanted = (processor, level, form)
        return next(e for e in self.products if (e.processor, e.level, e.form) == wanted)
