"""The papers' experiments on our cores, compared with the published figures."""

from importlib import import_module
from typing import Any

from totient.common.errors import InputError
from totient.reproduce.paper import Paper

PAPERS = ("thesis", "nibouche", "becannon", "evantash", "diemert")
"""Names of the papers that can be reproduced. Each is a module."""

ALL = "all"
"""In place of a paper's name: the rows of all of them."""


def find_paper(name: str) -> Paper[Any]:
    """The paper of that name, one of `PAPERS`.

    Raises:
        InputError: no such paper.
    """
    name = name.lower()
    if name not in PAPERS:
        raise InputError(f"unknown paper {name!r}, known are {', '.join((*PAPERS, ALL))}")
    paper = import_module(f"totient.reproduce.{name}").PAPER
    assert isinstance(paper, Paper)
    return paper


__all__ = ["ALL", "PAPERS", "Paper", "find_paper"]
