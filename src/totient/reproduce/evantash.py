"""The stream IPs with fixed and with generated keys: words, cycles, software, lengths and area."""

import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from totient.catalog import select_ip
from totient.common.contract import ErrorCode
from totient.flow import find_target
from totient.measure import kinds_of
from totient.report import Column, Table, Value, columns
from totient.report.values import (
    duration,
    grouped,
    part,
    ratio,
    rough_duration,
    rounded,
    significant,
    text,
)
from totient.report.words import factor, listed
from totient.reproduce import evantash_exploration, figures
from totient.reproduce.evantash_rows import ROWS_OF_PAPER
from totient.reproduce.evantash_runs import (
    EXPONENT,
    ROUNDS,
    Form,
    Size,
    TextRuns,
    forms,
    run_text,
    sizes,
)
from totient.reproduce.paper import Paper, Sources
from totient.reproduce.results import ROUTED, UTILISED, Measurement

_CLOCK_HZ = 100e6
_AT_CLOCK = f"at {_CLOCK_HZ / 1e6:g} MHz"
_NAMES = {
    "rsa_fixed": "ours: fixed key of 32 bits",
    "rsa_stream": "ours: generated keys, primes of up to 32 bits",
}


def measurements() -> Iterator[Measurement]:
    """Measurements for the tables: the two IPs, at their defaults."""
    for subject in map(select_ip, ("E2", "E3")):
        for target in (UTILISED, ROUTED):
            yield Measurement(subject.name, subject, find_target(target), kinds_of(subject))
    yield from evantash_exploration.measurements()


class _Stream(Sources):
    """The report's figures and ours."""

    def __init__(self) -> None:
        """Send the report's text through our IPs, time its software."""
        super().__init__("evantash", measurements())
        self.runs = run_text(self.paper)
        self.software = forms(self.paper)
        self.sizes = sizes()


def _words(data: _Stream) -> Table:
    words, runs = data.paper["words"], data.runs
    by_overlay = (runs.overlay_fixed, runs.overlay)
    ciphers = (words["cipher"], runs.fixed, runs.generated, *by_overlay, runs.decrypted)
    ours = ("ours, fixed key", "ours, generated key", "overlay, fixed", "overlay, generated")
    return Table.of(
        f"Figures {words['figure']} and 11: the text's words and their ciphers",
        columns(text, "character", "word", "paper", *ours, "decrypted"),
        [
            (repr(character), ord(character), *values)
            for character, *values in zip(words["text"], *ciphers, strict=True)
        ],
        "figure 11 has the same words without the last one",
        "overlay: by the host's side (row E4), which has not been on a board",
    )


def _figure(data: _Stream) -> Table:
    words, runs = data.paper["words"], data.runs
    theirs = words["software"]
    ciphers = (theirs["cipher"], runs.software, runs.software_fixed, words["cipher"])
    return Table.of(
        f"Figure {theirs['figure']}: the software's text and its ciphers (row E1)",
        columns(
            text,
            *("character", "word", "paper", "ours, software", "ours, fixed key"),
            f"figure {words['figure']}, same place",
        ),
        [
            (repr(character), ord(character), *values)
            for character, *values in zip(theirs["text"], *ciphers, strict=True)
        ],
        "the text prints the message, both keys and the ciphers of this figure",
        "the cipher of figure 7 is of a random key, which the text does not print",
    )


def _keys(data: _Stream) -> Table:
    key, case, runs = data.paper["key"], data.paper["software"]["one_integer"], data.runs
    given, searched = "in its register", "searched by the IP"
    rows: list[Sequence[Value]] = [
        (f"{pair['p']}, {pair['q']}", how, pair["e"], pair["d"], made.e, made.d, made.cycles)
        for pair, how, made in (
            (key, given, runs.key),
            (key, searched, runs.searched[0]),
            (case, searched, runs.searched[1]),
        )
    ]
    return Table.of(
        "Figures 6, 8 and 10: keys, and the search for e (row E3)",
        (
            *columns(text, "primes", "our e", "e, paper", "d, paper", "e, ours", "d, ours"),
            Column("key, cycles", grouped),
        ),
        rows,
        "in its register: 65537 after reset. The IP then checks that it is coprime to the totient, "
        "and does not search. With 0 it searches the first coprime one from 3 upwards; the "
        "document's hardware searches by Euclid in a loop, too",
    )


def _times(data: _Stream) -> Table:
    seconds, runs, count = data.paper["seconds"], data.runs, len(data.runs.fixed)
    software = data.paper["software"]["text"]
    words, on_board = len(software["message"]), software["seconds"]
    rows: list[Sequence[Value]] = [
        ("fixed keys", count, seconds["fixed_keys"], runs.fixed_cycles),
        ("generated keys", count - 1, seconds["generated_keys"], runs.generated_cycles),
        ("of which key generation", None, None, runs.key.cycles),
        ("of which a word", 1, None, runs.word_cycles),
        ("generated keys, optimised", count - 1, seconds["generated_keys_optimised"], None),
        ("software on the board, decrypts, too", words, on_board, None),
    ]
    return Table.of(
        "Figures 8, 9, 11 and 13: encryption of the text",
        (
            Column("what", part),
            Column("words"),
            Column("paper", duration),
            Column("ours, cycles", grouped),
            Column("ours at 100 MHz", duration),
        ),
        [(*row, ratio(row[-1], _CLOCK_HZ)) for row in rows],
        "the paper's times include Python, DMA and waiting. Ours are of the IP alone",
        "a word: from its last word in to its result's first one. The next one comes 4 cycles "
        "later",
    )


def _software(data: _Stream) -> Table:
    def on_the_ip(form: Form) -> Value:
        return ratio(form.cycles, _CLOCK_HZ)

    return Table.of(
        "Figures 6 to 8: the three forms of the software: keys, encryption and decryption",
        (
            Column("form", of="name"),
            Column("paper, on the board", duration, "paper"),
            Column("software here", rough_duration, "here.median"),
            Column("least to most", of="here.range"),
            Column("IP, cycles", grouped, "cycles"),
            Column(f"IP {_AT_CLOCK}", duration, on_the_ip),
            Column(
                "here / IP",
                lambda value: significant(rounded(value)),
                lambda form: ratio(form.here.median, on_the_ip(form)),
            ),
        ),
        data.software,
        f"here: this machine, Python {platform.python_version()}, the median of {ROUNDS} "
        "rounds. Times differ between runs and machines",
        "here / IP: time of the software here divided by that of the IP. Above 1 the IP is faster",
        "IP: the simulated RTL, without the path through a processor. Its primes are given; "
        "the IP does not search for primes",
        "the paper's one integer is 5000, which is not below its modulus. Here it is reduced "
        "by the modulus first",
    )


def sizes_table(done: Sequence[Size]) -> Table:
    """Cycles of longer keys, and OpenSSL's verdict."""
    steps = ("key", "load", "encrypt", "decrypt")

    def seconds(*steps: str) -> Callable[[Size], float]:
        return lambda size: sum(getattr(size, step) for step in steps) / _CLOCK_HZ

    return Table.of(
        f"Beyond the report: longer keys, made from random primes in the IP, e = {EXPONENT}",
        (
            Column("modulus, bits", of="bits"),
            *columns(grouped, *((f"{step}, cycles", step) for step in steps)),
            Column(f"key and encryption {_AT_CLOCK}", duration, seconds("key", "load", "encrypt")),
            Column(f"decryption {_AT_CLOCK}", duration, seconds("load", "decrypt")),
            Column(
                "key and signature, by OpenSSL", of=lambda e: "accepted" if e.right else "WRONG"
            ),
        ),
        done,
        "load: of the exponent, before the first message in its direction. Encrypt, decrypt: "
        "of a message, from its last word in to its result's first one",
    )


def _area(data: _Stream) -> Table:
    items = [{"design": f"paper: {each['name']}", **each} for each in data.paper["designs"]]
    for (name, target, _), found in data.results.items():
        if name in _NAMES:
            items.append({"design": f"{_NAMES[name]}, {target}", **found})
    return Table.of(
        "Table 1: area, the paper's on a 7-series device",
        (
            Column("design", of="design"),
            *columns(grouped, ("LUT", "lut"), ("FF", "ff"), ("DSP", "dsp")),
            Column("max MHz", significant, "mhz"),
            Column("latency as printed", grouped, "latency"),
        ),
        items,
        "the paper's figures are of its core with fixed keys. Its latencies have no unit",
    )


def _conclusions(data: _Stream) -> Mapping[str, object]:
    """Values of the conclusions' templates."""
    paper, runs = data.paper, data.runs
    words, key, case = paper["words"], paper["key"], paper["software"]["one_integer"]
    values = [ord(character) for character in words["text"]]
    same = (
        runs.fixed == runs.generated == words["cipher"]
        and runs.overlay_fixed == runs.overlay == words["cipher"]
        and runs.decrypted == values
        and (runs.key.n, runs.key.e, runs.key.d) == (key["n"], key["e"], key["d"])
    )
    optimised = paper["seconds"]["generated_keys_optimised"]
    return {
        "words": "all ciphers are the paper's, with the fixed and with the generated key, by the "
        "IPs and by the overlay, and the IP decrypts them correctly; n, e and d are the paper's too"
        if same
        else "WRONG: a word or a key differs from the paper's",
        "case": case,
        "remainder": case["message"] % case["n"],
        "cipher": "the paper's" if runs.reduced == case["cipher"] else "WRONG, not the paper's",
        "refused": "refuses it with an error code"
        if runs.refused == (0, ErrorCode.BASE_NOT_BELOW)
        else "WRONG: does not refuse it",
        **of_figure(words, runs),
        "key": key,
        "searching": _searching(data),
        "count": len(values) - 1,
        "runs": runs,
        "microseconds": runs.generated_cycles / _CLOCK_HZ * 1e6,
        "optimised": duration(optimised),
        "times": optimised * _CLOCK_HZ / runs.generated_cycles,
        "mhz": _CLOCK_HZ / 1e6,
        **_of_software(data.software),
        **of_sizes(data.sizes),
        **evantash_exploration.conclusions(data.paper, data.results),
        "lut": {
            name: found["lut"]
            for (name, target, _), found in data.results.items()
            if target == UTILISED and name in _NAMES
        },
        "longest": max(
            2 * each.high for each in select_ip("E3").ip.parameters if each.name == "prime_bits"
        ),
        "least_lut": min(design["lut"] for design in paper["designs"]),
    }


def of_figure(words: Mapping[str, Any], runs: TextRuns) -> Mapping[str, object]:
    """Values on the ciphers of the paper's software."""
    theirs = words["software"]
    same = runs.software == runs.software_fixed == theirs["cipher"]
    pairs = zip(theirs["text"], words["text"], theirs["cipher"], words["cipher"], strict=True)
    differing = [
        f"{one!r} ({cipher}) for {other!r} ({another})"
        for one, other, cipher, another in pairs
        if cipher != another
    ]
    return {
        "software": theirs,
        "count_software": len(theirs["cipher"]),
        "figure_software": "our software and our IP with the fixed key give the same"
        if same
        else "WRONG: ours differ",
        "figure_words": words["figure"],
        "differing": listed(differing),
    }


def _searching(data: _Stream) -> str:
    """What the IP's own search for e finds, beside the paper's e."""
    pairs = (data.paper["key"], data.paper["software"]["one_integer"])
    return "; ".join(
        f"for {pair['p']} and {pair['q']} the first coprime one from 3 is {made.e}, "
        + ("the paper's" if made.e == pair["e"] else f"not the paper's {pair['e']}")
        for pair, made in zip(pairs, data.runs.searched, strict=True)
    )


def _of_software(done: Sequence[Form]) -> Mapping[str, object]:
    """Values on this run's software, compared with the IP."""
    _, searched, given, whole_text, _ = done
    assert given.cycles is not None
    assert whole_text.cycles is not None
    assert whole_text.paper is not None
    at_clock = given.cycles / _CLOCK_HZ
    return {
        "text": whole_text,
        "text_here": rough_duration(whole_text.here.median),
        "text_ratio": rounded(whole_text.here.median * _CLOCK_HZ / whole_text.cycles),
        "text_board": whole_text.paper * _CLOCK_HZ / whole_text.cycles,
        "search": rough_duration(searched.here.median - given.here.median),
        "searched": rough_duration(searched.here.median),
        "given": given,
        "given_here": rough_duration(given.here.median),
        "given_ratio": factor(given.here.median, at_clock, "less", "more"),
        "processor": "faster" if given.here.median < at_clock else "slower",
    }


def of_sizes(done: Sequence[Size]) -> Mapping[str, object]:
    """Values of the conclusions' templates on longer keys."""
    return {
        "bits": ", ".join(str(size.bits) for size in done),
        "accepted": "OpenSSL takes n, e and d that the IP made for a key, and its signatures"
        if all(size.right for size in done)
        else "WRONG, OpenSSL does not accept a key or a signature",
        "exact": "every number of cycles is the formula's (`totient show E3`)"
        if all(size.exact for size in done)
        else "WRONG: a number of cycles is not the formula's",
    }


PAPER = Paper(
    "evantash",
    _Stream,
    {
        "words": _words,
        "figure-8": _figure,
        "keys": _keys,
        "times": _times,
        "software": _software,
        "sizes": lambda data: sizes_table(data.sizes),
        "area": _area,
        "exploration": lambda data: evantash_exploration.published_table(data.paper),
        "ours": lambda data: evantash_exploration.our_table(
            evantash_exploration.built(data.results)
        ),
    },
    _conclusions,
    (
        "words and cycles: the RTL in simulation, through streams and registers",
        "software: Python on this machine, in this run. Only these figures vary",
        f"area: the IP with its faces, from synthesis. Maximum clock: {ROUTED}, routed, median of "
        "three seeds",
    ),
    figures.evantash,
    measurements,
    ROWS_OF_PAPER,
)
