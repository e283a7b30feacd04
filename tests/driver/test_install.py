"""libtotient as programs get it: built by CMake, found by pkg-config and find_package."""

import os
import re
import subprocess
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from docs.headers import functions as declared
from docs.headers import variables
from tests.driver.library_tools import tool
from tests.driver.signing import Signer
from tests.programs import DRIVER, output
from tests.system.command import totient

from totient.common.files import project_root

COMPILERS = ("gcc", "clang")
PREFIX = "/usr/local"
VERSION = tomllib.loads((project_root() / "pyproject.toml").read_text())["project"]["version"]
ABI = VERSION.rpartition(".")[0]

_CONSUMER = """
cmake_minimum_required(VERSION 3.18)
project(consumer C)
find_package(Totient 0.1 REQUIRED)
foreach(library totient totient_static)
  add_executable(with_${library} version.c)
  target_link_libraries(with_${library} Totient::${library})
endforeach()
"""
_VERSION = """
#include <stdio.h>
#include <totient/address.h>
int main(void)
{
    static struct totient_device device;
    const totient_result result = totient_open_address(&device, "usb:x");
    printf("%06x %06x %s %d\\n", TOTIENT_VERSION, totient_version(), TOTIENT_VERSION_TEXT, result);
    return result != TOTIENT_ADDRESS;
}
"""


@dataclass(frozen=True)
class Installed:
    """A copy of the library below a folder (`DESTDIR`)."""

    compiler: str
    root: Path

    @property
    def prefix(self) -> Path:
        """Where programs find it."""
        return Path(f"{self.root}{PREFIX}")

    @property
    def libraries(self) -> Path:
        """Its folder of libraries."""
        (found,) = self.prefix.rglob("libtotient.so")
        return found.parent

    @property
    def environment(self) -> dict[str, str]:
        """In which programs are built and run with it."""
        return os.environ | {
            "PKG_CONFIG_PATH": str(self.libraries / "pkgconfig"),
            "LD_LIBRARY_PATH": str(self.libraries),
        }

    def run(self, *command: object) -> str:
        """What a command prints that ends well."""
        return run(command, self.environment)

    def flags(self, *options: str) -> Sequence[str]:
        """What pkg-config states."""
        return self.run(tool("pkg-config"), *options, "totient").split()


def run(command: Sequence[object], environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        [str(word) for word in command], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def configure(folder: Path, *options: str, compiler: str = "gcc") -> list[str]:
    words = [tool("cmake"), "-S", str(DRIVER), "-B", str(folder), "-G", "Unix Makefiles"]
    return [*words, f"-DCMAKE_C_COMPILER={tool(compiler)}", *options]


@pytest.fixture(scope="module", params=COMPILERS)
def installed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Installed:
    """Built with the compiler's warnings as errors."""
    folder, root = tmp_path_factory.mktemp("build"), tmp_path_factory.mktemp("root")
    run(configure(folder, "-DCMAKE_C_FLAGS=-Werror", compiler=request.param))
    run([tool("cmake"), "--build", folder])
    command = [tool("cmake"), "--install", folder, "--prefix", PREFIX]
    run(command, os.environ | {"DESTDIR": str(root)})
    return Installed(request.param, root)


def test_it_exports_what_the_headers_declare(installed: Installed) -> None:
    listed = output(["nm", "-D", "--defined-only", installed.libraries / "libtotient.so"])
    symbols = set(re.findall(rf" [TDRB] (\w+)@@TOTIENT_{re.escape(ABI)}$", listed, re.MULTILINE))
    assert symbols == {each.name for each in declared()} | set(variables())
    others = re.findall(r" [TDRBVW] (\w+)(?!.*@@)$", listed, re.MULTILINE)
    assert not others


def test_its_names_have_the_version(installed: Installed) -> None:
    library = installed.libraries / "libtotient.so"
    assert library.readlink() == Path(f"libtotient.so.{ABI}")
    assert library.resolve().name == f"libtotient.so.{VERSION}"
    dynamic = output(["readelf", "-d", library])
    assert f"Library soname: [libtotient.so.{ABI}]" in dynamic
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", dynamic))
    assert needed <= {"libc.so.6", "libdl.so.2", "libpthread.so.0"}
    assert installed.flags("--modversion") == [VERSION]


def test_all_headers_are_there(installed: Installed) -> None:
    ours = {path.name for path in (DRIVER / "include/totient").iterdir()}
    assert {path.name for path in (installed.prefix / "include/totient").iterdir()} == ours


@pytest.mark.parametrize("static", [False, True], ids=["shared", "static"])
def test_the_example_against_the_installed_copy(
    installed: Installed, tmp_path: Path, static: bool
) -> None:
    """Built from a copy of its files, without the project; OpenSSL accepts what it signs."""
    totient("model", "T3", "--width", 1024)
    for path in (DRIVER / "examples").iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    program = tmp_path / "sign"
    options = ("--static", "--cflags", "--libs") if static else ("--cflags", "--libs")
    flags = [*installed.flags(*options)]
    if static:
        flags = [f"-l:lib{flag[2:]}.a" if flag == "-ltotient" else flag for flag in flags]
    sources = [tmp_path / "sign.c", tmp_path / "sign_sha256.c"]
    warnings = ("-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror")
    installed.run(installed.compiler, "-std=c99", *warnings, *sources, "-o", program, *flags)
    loaded = installed.run("ldd", program)
    assert (f"libtotient.so.{ABI} => {installed.libraries}" in loaded) != static
    Signer(program, tmp_path, 1024, installed.environment).signs("sim:T3?width=1024")


def test_cmake_finds_it(installed: Installed, tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(_CONSUMER)
    (tmp_path / "version.c").write_text(_VERSION)
    words = [tool("cmake"), "-S", tmp_path, "-B", tmp_path / "build", "-G", "Unix Makefiles"]
    run([*words, f"-DCMAKE_PREFIX_PATH={installed.prefix}"])
    run([tool("cmake"), "--build", tmp_path / "build"])
    numbers = "".join(f"{int(part):02x}" for part in VERSION.split("."))
    for library in ("totient", "totient_static"):
        said = run([tmp_path / "build" / f"with_{library}"]).split()
        assert said[:3] == [numbers, numbers, VERSION]


def test_a_build_of_nothing_is_refused(tmp_path: Path) -> None:
    options = ("-DTOTIENT_SHARED=OFF", "-DTOTIENT_STATIC=OFF")
    done = subprocess.run(configure(tmp_path, *options), capture_output=True, text=True)
    assert done.returncode != 0
    assert "both off, allowed is one of them or both" in " ".join(done.stderr.split())


def test_every_file_is_built() -> None:
    """CMake names the files, as its manual advises; none is forgotten."""
    text = (DRIVER / "CMakeLists.txt").read_text()
    (listed,) = re.findall(r"set\(sources(.*?)\)", text, re.DOTALL)
    assert listed.split() == sorted(path.name for path in (DRIVER / "src").glob("*.c"))
