"""The RTL of a catalog entry, and the revision it is of."""

import subprocess

from totient.catalog import Configuration, sources
from totient.common.files import project_root
from totient.flow import Rtl


def core_rtl(configuration: Configuration) -> Rtl:
    """The modexp core alone, whose utilisation is measured."""
    design = configuration.design
    return Rtl(sources(design.core), design.module, configuration.rtl_parameters)


def ip_rtl(configuration: Configuration) -> Rtl:
    """The core behind its AXI4-Stream face, which is simulated and routed."""
    design = configuration.design
    return Rtl(sources(design.ip_core), design.ip_module, configuration.rtl_parameters)


def rtl_commit(*rtl: Rtl) -> str | None:
    """Revision that a file of these was last changed in.

    `None` outside git, or when one of them is changed since.
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
