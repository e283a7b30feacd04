"""BearSSL's source, a well-maintained library for small processors, from Debian.

`apt-get source` downloads it from the machine's configured package sources. Only the release behind
our figures is accepted.
"""

import hashlib
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

from totient.common.cache import cache_folder, cache_root, produce
from totient.common.errors import ToolError

VERSION = "0.6"
_SHA256 = "102a625bd8f6155260867a50c508df8d8c3f796985dd744df1a68e5cd1a79004"
_LISTS = Path("/etc/apt")


def fetched() -> Path | None:
    """The folder of the source, if it has been downloaded."""
    names = ("sources", f"bearssl-{_SHA256[:24]}")
    if not cache_root().joinpath(*names, "bearssl").is_dir():
        return None
    return cache_folder(*names) / "bearssl"


def source() -> Path:
    """The folder of the source (`inc`, `src`), downloaded if necessary.

    Raises:
        ToolError: it cannot be downloaded; the message names a remedy.
    """
    return produce("sources", f"bearssl-{_SHA256[:24]}", _fetch) / "bearssl"


def _fetch(folder: Path) -> None:
    if shutil.which("apt-get") is None:
        raise ToolError(f"BearSSL {VERSION} requires apt-get source, and there is no apt-get")
    work = folder / "work"
    (work / "parts").mkdir(parents=True)
    (work / "lists" / "partial").mkdir(parents=True)
    for name, text in _source_lists():
        (work / "parts" / name).write_text(text)
    options = [
        *("-qq", "-o", "Dir::Etc::SourceList=/dev/null"),
        *("-o", f"Dir::Etc::SourceParts={work / 'parts'}"),
        *("-o", f"Dir::State::Lists={work / 'lists'}"),
        *("-o", "APT::Sandbox::User=root"),
    ]
    # A third-party list without sources fails the first command, and does no harm.
    subprocess.run(["apt-get", *options, "update"], capture_output=True, check=False)
    done = subprocess.run(
        ["apt-get", *options, "source", "--download-only", "bearssl"],
        cwd=work,
        capture_output=True,
        text=True,
        check=False,
    )
    archives = sorted(work.glob("bearssl_*.orig.tar.*"))
    if done.returncode or not archives:
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise ToolError(f"apt-get source bearssl failed: {last}")
    found = hashlib.sha256(archives[0].read_bytes()).hexdigest()
    if found != _SHA256:
        raise ToolError(
            f"apt-get source bearssl downloaded {archives[0].name}, not the {VERSION} of the "
            "figures"
        )
    with tarfile.open(archives[0]) as archive:
        # Python has this filter since 3.11.4, Debian 12 an older one.
        archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, path: member)
        archive.extractall(work / "content")
    (content,) = (work / "content").iterdir()
    content.rename(folder / "bearssl")
    shutil.rmtree(work)


def _source_lists() -> Iterator[tuple[str, str]]:
    """This machine's package lists, turned into source lists."""
    old = [_LISTS / "sources.list", *sorted((_LISTS / "sources.list.d").glob("*.list"))]
    for number, path in enumerate(each for each in old if each.exists()):
        lines = re.findall(r"^deb(\s.*)$", path.read_text(), re.MULTILINE)
        yield f"{number}.list", "".join(f"deb-src{line}\n" for line in lines)
    for path in sorted((_LISTS / "sources.list.d").glob("*.sources")):
        text = re.sub(r"^Types:.*$", "Types: deb-src", path.read_text(), flags=re.MULTILINE)
        yield path.name, text
