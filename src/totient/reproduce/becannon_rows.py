"""Rows of the RSA IP with key generation and its system."""

from totient.catalog import SYSTEM, select_ip
from totient.common.papers import published
from totient.golden.keygen import tried_exponents
from totient.measure.examples import DECRYPTION, ENCRYPTION, KEY_GENERATION
from totient.measure.software import is_stale, software_record
from totient.measure.software_programs import TINY
from totient.processor import Processor, processors
from totient.report.values import duration, grouped
from totient.report.words import listed
from totient.reproduce.row_checks import cycles_of, record_of
from totient.reproduce.rows import Row, Trial

_NAME = "becannon"
_SAME = "rsa_restoring"  # the document's own algorithm
_CHIPS = {"Raspberry Pi 4": "A72", "Arduino Uno": "ATmega328P", "ESP8266": "ESP8266"}
"""The processors of the document's other devices."""


def _core(trial: Trial) -> None:
    examples = published(_NAME)["examples"]
    for each in examples:
        p, q, message = each["p"], each["q"], each["message"]
        e = tried_exponents((p - 1) * (q - 1))[-1]
        d = pow(e, -1, (p - 1) * (q - 1))
        trial.expect("e", e, each["e"])
        trial.expect("n", p * q, each.get("n", p * q))
        trial.expect("d", d, each.get("d", d))
        cipher = pow(message, e, p * q)
        trial.expect("cipher", cipher, each.get("cipher", cipher))
        trial.expect("decrypted", pow(cipher, d, p * q), message)
    kinds = {"keys": KEY_GENERATION, "encrypt": ENCRYPTION, "decrypt": DECRYPTION}
    stated = [grouped(examples[0]["cycles"][name]) for name in kinds]
    for name in ("B1", _SAME):
        record = record_of(trial, select_ip(name))
        found = [grouped(cycles_of(trial, record, kind)) for kind in kinds.values()]
        trial.differs(
            found != stated,
            f"cycles of {listed(kinds.values())} "
            + (f"by the document's algorithm ({name}) " if name == _SAME else "")
            + f"{listed(found)}, in the document {listed(stated)} (its times x clock)",
        )


def _face(trial: Trial) -> None:
    registers, paper = select_ip("B2").ip.registers, published(_NAME)["registers"]
    fields = {
        name: {name.lower(), *(field for field, *_ in each.fields)}
        for name, each in registers.items()
    }
    known: set[str] = set()
    for way, access in (("written", "w"), ("read", "r")):
        for place, theirs in enumerate(paper[way]):
            offset, found = 8 * place, set[str]()
            for name, each in registers.items():
                if (each.offset, each.access) == (offset, access):
                    found |= fields[name]
            for field in theirs:
                trial.expect(f"{field}, {way} at offset {offset}", field in found)
            known |= {*theirs}
    words = max(register.words for register in registers.values())
    trial.differs(
        words > 1,
        f"a bus of 32 bits, up to {words} words a register; in the document {paper['bus_bits']} "
        "bits",
    )
    further = [name for name in registers if not fields[name] & known]
    trial.differs(bool(further), f"further registers: {listed(further)}")
    record_of(trial, select_ip("B2"))


def _system(trial: Trial) -> None:
    record = record_of(trial, SYSTEM)
    area = published(_NAME)["area"]["system"]
    if record:
        trial.beside("LUT", record.utilisation.lut, area["lut"])
        trial.beside("FF", record.utilisation.ff, area["ff"])


def _processors(trial: Trial) -> None:
    for processor in processors():
        record = software_record(processor)
        current = record is not None and not is_stale(record, processor)
        trial.expect(f"figures of {processor.name} of the present programs", current)
    theirs = {each["name"]: each["ms"] / 1e3 for each in published(_NAME)["processors"]["devices"]}
    for name, chip in _CHIPS.items():
        ours = [each for each in processors() if chip in each.title]
        trial.differs(not ours, f"no {name}")
        for processor in ours:
            least, most = tiny_seconds(processor)
            trial.expect(f"time of {chip}", 0 < least <= most)
            trial.differs(
                not least <= theirs[name] <= most,
                f"{name} {_times(least, most)}, in the document {duration(theirs[name])}",
            )


def tiny_seconds(processor: Processor) -> tuple[float, float]:
    """Least and most time of the small example: the key, encryption and decryption.

    Where cycles are counted, both are the same.
    """
    record = software_record(processor)
    figures = record.figures.items() if record else ()
    least = most = 0
    for work, found in figures:
        if work.operation in TINY and found.count is not None:
            low, high = found.cycles or (found.count, found.count)
            least, most = least + low, most + high
    return least / processor.clock_hz, most / processor.clock_hz


def _times(least: float, most: float) -> str:
    """A time, or its range."""
    return duration(least) if least == most else f"{duration(least)} to {duration(most)}"


ROWS_OF_PAPER = (
    Row("B1", "RSA core that makes its keys", "totient check B1 --count 20", _core),
    Row("B2", "its AXI4-Lite registers", "totient reproduce becannon --table values", _face),
    Row(
        "B3",
        "soft CPU with terminal program",
        'echo "1 4782969! 800143763! 457173463!" | totient run B3',
        _system,
        shows="-> Output message: 9",
    ),
    Row("B4", "the algorithm on other processors", "totient compare --table tiny", _processors),
)
