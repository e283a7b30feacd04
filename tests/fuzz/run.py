"""Fuzzing guided by coverage, of everything that reads what others write: `make fuzz`.

python -m tests.fuzz.run [--seconds 3600] [--jobs 2] [--table] [TARGET...]

C targets (tests/driver/fuzz, tests/pkcs11/fuzzing) run with libFuzzer and sanitizers, Python
targets (targets.py) with Atheris. What was found new is kept in build/fuzz, so that a run goes on
where the last one stopped. The figures of each run are added to results/campaigns/fuzz.json, and
a table of all is printed. Exit status 1 if a target crashed; the input is then in build/fuzz.
"""

import argparse
import base64
import importlib.util
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

from tests.driver.library_tools import tool
from tests.pkcs11.parts import LIBRARIES, headers, module_files
from tests.programs import DRIVER, INCLUDE

from totient.common.progress import bar

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "fuzz"
KEPT = ROOT / "results" / "campaigns" / "fuzz.json"
CORPORA = ROOT / "tests" / "driver" / "fuzz"
TOKEN = ROOT / "tests" / "pkcs11"
C_TARGETS = {
    "der": "keys in DER (C)",
    "address": "addresses (C)",
    "answers": "answers of a core, as words and on a serial line (C)",
    "calls": "calls of the PKCS#11 module (C)",
    "socket": "messages to the module's daemon (C)",
    "uri": "PEM files and URIs by OpenSSL's provider (C)",
}
PYTHON_TARGETS = {
    "pem": "keys in PEM and DER (Python)",
    "device": "addresses and parameters of designs (Python)",
}
TARGETS = C_TARGETS | PYTHON_TARGETS
_LABEL = {
    "pkcs1": b"\0",
    "three_primes": b"\0",
    "pkcs8": b"\1",
    "pkcs8_attributes": b"\1",
    "pkcs1_public": b"\2",
    "x509": b"\3",
}
_DEVICES = (
    *(b"\0sim:T3?width=512&fixed_time=0", b"\0sim-rtl:engine-62", b"\0unix:/run/core?timeout=5"),
    *(b"\1engine?elements=4&key_slots=2", b"\1binary?width=64&early_end=1", b"\1N8?width=48"),
)
_URIS = (
    *(b"object=web;type=private", b"token=a;serial=b;id=%01%02", b"slot-id=0?pin-value=1234"),
    b"model=m;manufacturer=n;library-version=1.2?pin-source=file:/a&module-path=b",
)
LONGEST = 8192
"""Bytes of an input."""


@dataclass(frozen=True)
class Fuzzed:
    """All runs of a target.

    Attributes:
        seconds: of fuzzing.
        inputs: that were run.
        edges: of the control flow that they reach.
        crashes: runs that ended with one.
    """

    seconds: int = 0
    inputs: int = 0
    edges: int = 0
    crashes: int = 0


def command(name: str) -> list[str]:
    """Build a target; the words that run it."""
    if name in PYTHON_TARGETS:
        return [sys.executable, "-m", "tests.fuzz.python_target", name]
    return [str(compiled(name, BUILD / name))]


def compiled(name: str, program: Path) -> Path:
    """Build a target in C."""
    flags = ["-std=c99", "-O1", "-g", "-fsanitize=fuzzer,address,undefined", INCLUDE]
    libraries = ["-ldl"]
    fuzzing, provider = TOKEN / "fuzzing", DRIVER / "provider"
    if name in ("calls", "socket"):
        own = ("setup.c", "quick_device.c", *(["fuzz.c"] if name == "calls" else []))
        sources = [fuzzing / f"fuzz_{name}.c", *(TOKEN / each for each in own)]
        sources += module_files(device=False)
        flags += [f"-I{DRIVER / 'pkcs11'}", *headers()]
        libraries += [*LIBRARIES, "-lp11-kit"]
    elif name == "uri":
        sources = [fuzzing / "fuzz_uri.c", *sorted(provider.glob("*.c"))]
        flags += headers()
        libraries += ["-lcrypto", "-lp11-kit", "-lpthread"]
    else:
        sources = [CORPORA / f"fuzz_{name}.c", *sorted((DRIVER / "src").glob("*.c"))]
    subprocess.run([tool("clang"), *flags, *sources, *libraries, "-o", program], check=True)
    return program


def environment(folder: Path) -> dict[str, str]:
    """Of a target: a token of its own, no other configuration, memory that p11-kit may not get."""
    token = folder / "token"
    token.mkdir(mode=0o700, exist_ok=True)
    limits = "allocator_may_return_null=1:max_allocation_size_mb=256"
    changes = {"TOTIENT_TOKEN": str(token), "OPENSSL_CONF": os.devnull, "ASAN_OPTIONS": limits}
    return os.environ | changes


def seeds(name: str) -> dict[str, bytes]:
    """Inputs to begin with, by their names; those of a Python target begin with a byte more."""
    if name == "device":
        return {str(place): each for place, each in enumerate(_DEVICES)}
    if name == "pem":
        return {each: _LABEL[each] + (CORPORA / "der" / each).read_bytes() for each in _LABEL}
    if name == "uri":
        return {str(place): each for place, each in enumerate(_uris())}
    if name == "calls":
        draw = Random(1)
        return {str(place): draw.randbytes(600) for place in range(6)}
    corpus = TOKEN / "fuzzing" / "socket" if name == "socket" else CORPORA / name
    return {each.name: each.read_bytes() for each in sorted(corpus.iterdir())}


def _uris() -> Iterator[bytes]:
    """URIs as they are after the scheme, and PEM files that hold them."""
    description = b"PKCS#11 Provider URI v1.0"
    for uri in _URIS:
        yield uri
        text = b"pkcs11:" + uri
        inner = b"\x1a%c%b\x0c%c%b" % (len(description), description, len(text), text)
        body = base64.encodebytes(b"0%c%b" % (len(inner), inner))
        yield b"-----BEGIN PKCS#11 PROVIDER URI-----\n%b" % body + (
            b"-----END PKCS#11 PROVIDER URI-----\n"
        )


def run(name: str, seconds: int) -> Fuzzed:
    """Fuzz a target for so many seconds."""
    found = BUILD / f"{name}.corpus"
    found.mkdir(parents=True, exist_ok=True)
    for each, data in seeds(name).items():
        (found / f"seed_{each}").write_bytes(data)
    options = (f"-max_total_time={seconds}", f"-max_len={LONGEST}", "-print_final_stats=1")
    own = BUILD / f"{name}.own"
    own.mkdir(exist_ok=True)
    artifacts = f"-artifact_prefix={BUILD / name}."
    words = [*command(name), *options, artifacts, str(found)]
    log = BUILD / f"{name}.log"
    began = time.monotonic()
    with log.open("w") as file:
        done = subprocess.run(
            words,
            stdout=file,
            stderr=subprocess.STDOUT,
            cwd=ROOT,
            env=environment(own),
            check=False,
        )
    text = log.read_text(errors="replace")
    inputs = re.findall(r"stat::number_of_executed_units: (\d+)", text)
    edges = re.findall(r"\bcov: (\d+)", text)
    return Fuzzed(
        min(seconds, round(time.monotonic() - began)),
        int(inputs[-1]) if inputs else 0,
        int(edges[-1]) if edges else 0,
        int(done.returncode != 0),
    )


def kept() -> dict[str, Fuzzed]:
    """All runs so far, by target."""
    if not KEPT.exists():
        return {}
    return {name: Fuzzed(**each) for name, each in json.loads(KEPT.read_text()).items()}


def add(name: str, done: Fuzzed) -> Fuzzed:
    """Keep a run; the sums of the target."""
    every = kept()
    before = every.get(name, Fuzzed())
    every[name] = Fuzzed(
        before.seconds + done.seconds,
        before.inputs + done.inputs,
        max(before.edges, done.edges),
        before.crashes + done.crashes,
    )
    lines = (f'"{each}": {json.dumps(asdict(every[each]))}' for each in TARGETS if each in every)
    KEPT.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    return every[name]


def table(every: dict[str, Fuzzed]) -> Iterator[str]:
    """Lines of a Markdown table. A target that was not run has no figures."""
    yield "| what is read | hours | inputs | edges reached | crashes |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for name, words in TARGETS.items():
        if each := every.get(name):
            hours = f"{each.seconds / 3600:.1f}"
            yield f"| {words} | {hours} | {each.inputs:,} | {each.edges:,} | {each.crashes} |"
        else:
            yield f"| {words} | - | - | - | - |"
    if missing := len(TARGETS.keys() - every.keys()):
        yield ""
        yield f"{missing} of {len(TARGETS)} targets, without figures here, have no kept run."


def main(words: Sequence[str] | None = None) -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description="Fuzz the readers, guided by coverage.")
    parser.add_argument("target", nargs="*", help=f"of {', '.join(TARGETS)}; by default all")
    parser.add_argument("--seconds", type=int, default=3600, help="for each target")
    parser.add_argument("--jobs", type=int, default=2, help="targets at once")
    parser.add_argument("--table", action="store_true", help="run nothing, print kept figures")
    given = parser.parse_args(words)
    if given.table:
        print("\n".join(table(kept())))
        return 0
    for name in given.target:
        if name not in TARGETS:
            parser.error(f"target is {name}, allowed is {', '.join(TARGETS)}")
    if given.seconds < 1 or given.jobs < 1:
        parser.error("seconds and jobs: allowed is 1 or more")
    if importlib.util.find_spec("atheris") is None:
        parser.error("Atheris is missing: make fuzz installs it")
    BUILD.mkdir(parents=True, exist_ok=True)
    names = given.target or [*TARGETS]
    crashed = False
    with ThreadPoolExecutor(given.jobs) as pool, bar("fuzz targets", len(names)) as progress:
        results = pool.map(lambda each: run(each, given.seconds), names)
        for name, done in zip(names, results, strict=True):
            add(name, done)
            progress.advance()
            if done.crashes:
                crashed = True
                print(f"{name} crashed: {BUILD / name}.log", file=sys.stderr)
    print("\n".join(table(kept())))
    return int(crashed)


if __name__ == "__main__":
    sys.exit(main())
