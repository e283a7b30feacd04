"""The papers' experiments, run again on our cores and shown beside the published figures."""

from totient.reproduce.model import Column, Reproduction, Table

PAPERS = ("thesis",)
"""Names of the papers that can be reproduced."""

__all__ = ["PAPERS", "Column", "Reproduction", "Table"]
