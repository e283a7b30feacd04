"""First words of requests, in the layout of the contract (docs/contracts.md)."""

from totient.common.contract import Request


def header(command: int, option: int = 0, slot: int = 0) -> int:
    """First word of a request; `slot` is of a key of an engine."""
    return Request.COMMAND.put(command) | Request.OPTION.put(option) | Request.SLOT.put(slot)
