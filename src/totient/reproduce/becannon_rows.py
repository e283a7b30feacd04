"""Rows of the RSA IP with key generation and its system."""

from totient.catalog import SYSTEM, select_ip
from totient.common.papers import published
from totient.golden.keygen import tried_exponents
from totient.measure.examples import DECRYPTION, ENCRYPTION, KEY_GENERATION
from totient.measure.software import is_stale, software_record
from totient.processor import processors
from totient.report.words import listed
from totient.reproduce.row_checks import cycles_of, record_of
from totient.reproduce.rows import Row, Trial

_NAME = "becannon"
_REGISTERS = (
    *("P", "Q", "I_MSG", "I_KEY", "I_N", "CONTROL", "DATA_MSG", "DATA_ENCRYPT", "DATA_DECRYPT"),
    *("N_OUTPUT", "CLK_COUNT", "MOD_EXP_FINISH"),
)
"""Registers of the document's figure 10 that hold operands, results and control."""

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
    record = record_of(trial, select_ip("B1"))
    kinds = {"keys": KEY_GENERATION, "encrypt": ENCRYPTION, "decrypt": DECRYPTION}
    for name, kind in kinds.items():
        trial.beside(
            f"cycles of {kind}", cycles_of(trial, record, kind), examples[0]["cycles"][name]
        )


def _face(trial: Trial) -> None:
    registers = select_ip("B2").ip.registers
    for name in _REGISTERS:
        trial.expect(f"register {name}", name in registers)
    words = max(register.words for register in registers.values())
    trial.differs(
        words > 1, f"a bus of 32 bits, up to {words} words a register; in the document 64 bits"
    )
    further = [name for name in registers if name not in _REGISTERS]
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
    titles = " ".join(each.title for each in processors())
    absent = [
        each["name"]
        for each in published(_NAME)["processors"]["devices"]
        if each["name"] in _CHIPS and _CHIPS[each["name"]] not in titles
    ]
    trial.differs(bool(absent), f"no {' and no '.join(absent)}")


ROWS_OF_PAPER = (
    Row("B1", "RSA core that makes its keys", "totient check B1 --count 20", _core),
    Row("B2", "its AXI4-Lite registers", "totient reproduce becannon --table values", _face),
    Row(
        "B3",
        "soft CPU with terminal program",
        'echo "1 4782969! 800143763! 457173463!" | totient run B3',
        _system,
    ),
    Row("B4", "the algorithm on other processors", "totient compare --table tiny", _processors),
)
