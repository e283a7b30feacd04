"""The RTL of a measured subject, and its revision."""

import subprocess
from dataclasses import replace

from totient.catalog import Configuration, Subject, System, sources
from totient.common.errors import ToolError
from totient.common.files import project_root
from totient.flow import Rtl, top_rtl


def core_rtl(subject: Subject) -> Rtl:
    """The RTL for utilisation: a design's modexp core alone, or a whole IP or system.

    Raises:
        ToolError: a system cannot be built here.
    """
    if isinstance(subject, Configuration):
        design = subject.design
        return Rtl(sources(design.core), design.module, subject.rtl_parameters)
    return ip_rtl(subject)


def ip_rtl(subject: Subject) -> Rtl:
    """The RTL for simulation and routing: a core with its stream face, or a whole IP or system.

    Raises:
        ToolError: a system cannot be built here.
    """
    if isinstance(subject, System):
        # Its packages are an extra.
        from totient.litex.rtl import system_rtl

        return system_rtl()
    return top_rtl(subject.top())


def check_unchanged(ip: Rtl) -> None:
    """Raise `ToolError` if files have changed since the digest: the simulator reads them."""
    if replace(ip).digest != ip.digest:
        raise ToolError(f"the RTL of {ip.top} was changed during the measurement, start again")


def rtl_commit(*rtl: Rtl) -> str | None:
    """The last revision that changed one of these files.

    `None` outside git, or if one has uncommitted changes.
    """
    lists = [each.sources for each in rtl]
    files = sorted({str(path) for each in lists for path in (*each.files, *each.headers)})
    try:
        changes = _git("status", "--porcelain", "--", *files)
        commit = _git("log", "-1", "--format=%H", "--", *files)
    except (OSError, subprocess.CalledProcessError):
        return None
    return None if changes else commit or None


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(project_root()), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
