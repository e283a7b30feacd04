"""The stream IP at lengths that the report could not reach, its keys judged by OpenSSL."""

from collections.abc import Sequence
from dataclasses import dataclass

from totient.catalog import Work, cycle_formulas, select_ip
from totient.check.openssl import private_key, signature, verifies
from totient.common.progress import bar
from totient.device.rsa_stream import RsaStream
from totient.reproduce.model import Column, Table, Value, duration, grouped
from totient.rsa.keys import generate
from totient.sim import Model, build_model

SIZES = (512, 1024, 2048)
"""Bits of the moduli."""

_EXPONENT = 65537


@dataclass(frozen=True)
class Size:
    """What the IP did with random primes.

    Attributes:
        bits: of the modulus.
        key, load, encrypt, decrypt: clock cycles, by its own counters; of the load from the time
            that a packet took.
        right: whether OpenSSL took the key that the IP made, and the signature made with it.
        exact: whether all cycles are the catalog's formula's.
    """

    bits: int
    key: int
    load: int
    encrypt: int
    decrypt: int
    right: bool
    exact: bool


def sizes() -> list[Size]:
    """Make a key of each length from new random primes, encrypt and sign with it.

    Raises:
        ToolError: a model cannot be built.
    """
    done = []
    with bar("longer keys", total=len(SIZES)) as progress:
        for bits in SIZES:
            done.append(_run(bits))
            progress.advance()
    return done


def _run(bits: int) -> Size:
    made = generate(bits, _EXPONENT)
    assert made.primes is not None
    p, q = made.primes
    chosen = select_ip("E3", prime_bits=bits // 2)
    text = b"A text that the IP signs with the key that it made."
    with Model(build_model(chosen.top())) as model:
        device = RsaStream(model)
        registers = device.registers

        def raise_one(message: int) -> tuple[int, int, int]:
            """Result, cycles of the message, cycles of the packet."""
            before = model.cycles
            (result,) = device.raise_all([message])
            cycles = model.cycles - before
            return result, registers.message_cycles, cycles

        device.set_primes(p, q, _EXPONENT)
        _, encrypt, _ = raise_one(2)
        key_cycles, (n, e, d) = registers.key_cycles, device.key
        try:
            key = private_key(n, e, d)
        except ValueError:
            return Size(bits, key_cycles, 0, encrypt, 0, False, False)
        signed = signature(key, text)
        block, encrypt, alone = raise_one(signed)
        registers.direction = 1
        result, decrypt, packet = raise_one(block)
    load = packet - decrypt - (alone - encrypt)
    right = (n, e) == (p * q, _EXPONENT) and result == signed and verifies(key, text, result)
    work = Work(n, e.bit_length(), p.bit_length(), q.bit_length(), (e,))
    private = Work(n, bits, p.bit_length(), q.bit_length(), (e,))
    formulas = cycle_formulas(chosen.ip)
    expected = [
        formulas[name].cycles(chosen, each)
        for name, each in (("key", work), ("load", work), ("message", work), ("message", private))
    ]
    return Size(
        bits,
        key_cycles,
        load,
        encrypt,
        decrypt,
        right,
        expected == [key_cycles, load, encrypt, decrypt],
    )


def sizes_table(done: Sequence[Size], clock_hz: float) -> Table:
    """The table, with times at a clock."""
    rows: list[Sequence[Value]] = [
        (
            size.bits,
            size.key,
            size.load,
            size.encrypt,
            size.decrypt,
            (size.key + size.load + size.encrypt) / clock_hz,
            (size.load + size.decrypt) / clock_hz,
            "accepted" if size.right else "WRONG",
        )
        for size in done
    ]
    mhz = f"{clock_hz / 1e6:g} MHz"
    return Table(
        "sizes",
        f"Past the report: longer keys, made from random primes in the IP, e = {_EXPONENT}",
        (
            Column("modulus, bits"),
            Column("key, cycles", grouped),
            Column("load, cycles", grouped),
            Column("encrypt, cycles", grouped),
            Column("decrypt, cycles", grouped),
            Column(f"key and encryption at {mhz}", duration),
            Column(f"decryption at {mhz}", duration),
            Column("key and signature, by OpenSSL"),
        ),
        rows,
        (
            "load: of the exponent, before the first message in its direction; encrypt, decrypt: a "
            "message, from its last word in to its result's first one",
        ),
    )


def sizes_finding(done: Sequence[Size]) -> str:
    """What the table says, in words."""
    bits = ", ".join(str(size.bits) for size in done)
    if not all(size.right for size in done):
        return f"Longer keys ({bits} bits): WRONG, OpenSSL does not accept a key or a signature."
    return (
        f"Longer keys ({bits} bits): OpenSSL takes n, e and d that the IP made for a key, and its "
        "signatures; "
        + (
            "every number of cycles is the formula's (`totient show E3`)."
            if all(size.exact for size in done)
            else "WRONG: a number of cycles is not the formula's."
        )
    )
