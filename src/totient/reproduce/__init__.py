"""The papers' experiments, run again on our cores and shown beside the published figures."""

from importlib import import_module
from typing import Any

from totient.common.errors import InputError
from totient.reproduce.paper import Paper

PAPERS = ("thesis", "nibouche", "becannon", "evantash", "diemert")
"""Names of the papers that can be reproduced, each of a module."""


def find_paper(name: str) -> Paper[Any]:
    """The paper of that name, out of `PAPERS`.

    Raises:
        InputError: there is none.
    """
    name = name.lower()
    if name not in PAPERS:
        raise InputError(f"unknown paper {name!r}, known are {', '.join(PAPERS)}")
    paper = import_module(f"totient.reproduce.{name}").PAPER
    assert isinstance(paper, Paper)
    return paper


__all__ = ["PAPERS", "Paper", "find_paper"]
