"""Rows of the stream IPs and their software."""

from itertools import pairwise

from totient.catalog import select_ip
from totient.catalog.block_design import DMA_REGISTERS, IP_REGISTERS, MEMORY, check_streams
from totient.common.papers import published
from totient.flow.boards import BOARDS
from totient.measure.examples import DECRYPTION, ENCRYPTION, KEY_GENERATION
from totient.report.words import listed
from totient.reproduce.evantash_exploration import VARIANTS, area, measurements, published_table
from totient.reproduce.row_checks import cycles_of, record_of
from totient.reproduce.rows import Row, Trial
from totient.reproduce.stock_rsa import make_keys, power, there_and_back

_NAME = "evantash"


def _software(trial: Trial) -> None:
    paper = published(_NAME)
    one, key, text = paper["software"]["one_integer"], paper["key"], paper["words"]["software"]
    public, private = make_keys(one["p"], one["q"], one["e"])
    trial.expect("d of one integer", private[0], one["d"])
    reduced = one["message"] % one["n"]
    trial.expect("its cipher", power(reduced, public), one["cipher"])
    trial.expect("decrypted", power(one["cipher"], private), one["decrypted"])
    trial.differs(
        one["message"] >= one["n"],
        f"{one['message']} is not below n = {one['n']}: refused, and tried as {reduced}",
    )
    letters = [ord(character) for character in text["text"]]
    ciphers = there_and_back(key["p"], key["q"], key["e"], letters)
    trial.expect("ciphers of the text", ciphers, text["cipher"])


def _words(trial: Trial) -> None:
    paper = published(_NAME)
    key, words = paper["key"], paper["words"]
    made = make_keys(key["p"], key["q"], key["e"])
    trial.expect("key", made, ((key["e"], key["n"]), (key["d"], key["n"])))
    ciphers = [power(ord(character), made[0]) for character in words["text"]]
    trial.expect("ciphers of the text", ciphers, words["cipher"])


def _fixed(trial: Trial) -> None:
    _words(trial)
    cycles_of(trial, record_of(trial, select_ip("E2")), ENCRYPTION)


def _generated(trial: Trial) -> None:
    _words(trial)
    record = record_of(trial, select_ip("E3"))
    for kind in (KEY_GENERATION, ENCRYPTION, DECRYPTION):
        cycles_of(trial, record, kind)
    registers = select_ip("E3").ip.registers
    trial.differs(
        "EXPONENT" in registers and "w" in registers["EXPONENT"].access,
        "e is a register, in the document it is searched",
    )


def _host(trial: Trial) -> None:
    registers = select_ip("E3").ip.registers
    for name in ("PRIME1", "PRIME2", "DIRECTION"):
        trial.expect(f"register_map.{name}", name in registers)
    for name in ("E2", "E3"):
        trial.expect(f"streams of {name}", check_streams(select_ip(name), name), select_ip(name))
    starts = sorted((each.base, each.end) for each in (DMA_REGISTERS, IP_REGISTERS, MEMORY))
    for (_, end), (base, _) in pairwise(starts):
        trial.expect("a range of addresses behind the one before", end <= base)
    board = published(_NAME)["device"].partition("(")[2].partition(")")[0]
    trial.differs(
        board.lower().replace("-", "_") not in BOARDS,
        f"simulated IPs and DMA: neither Vivado nor a {board} has run the block design (totient "
        "export --block-design)",
    )


def _exploration(trial: Trial) -> None:
    paper = published(_NAME)
    designs = paper["designs"]
    for each in designs:
        trial.expect(f"area of {each['name']}", area(each), each["area"])
    fewest = min(each["latency"] for each in designs if "latency" in each)
    on_the_front = published_table(paper).column("on the front")
    best = designs[[each.get("latency") for each in designs].index(fewest)]
    trial.expect("the fastest is on the front", on_the_front[designs.index(best)], "yes")
    items, fixed = [*measurements()], select_ip("E2")
    for item in items:
        record_of(trial, item.subject, item.target.name)
    trial.differs(
        all(item.subject.name != fixed.name for item in items),
        f"structures ({listed(sorted({each.row for each in VARIANTS}))}) for any key, in the "
        "document directives of its core with a fixed key; latencies at its clock periods are "
        "cycles x period, without a new synthesis",
    )


ROWS_OF_PAPER = (
    Row("E1", "software in three forms", "totient reproduce evantash --table software", _software),
    Row("E2", "stream core, fixed key", "totient check E2 --count 20", _fixed),
    Row("E3", "stream core that makes its keys", "totient check E3 --count 20", _generated),
    Row(
        "E4",
        "host side: overlay, DMA, registers",
        "totient reproduce evantash --table words",
        _host,
    ),
    Row("E5", "exploration", "totient reproduce evantash --table ours", _exploration),
)
