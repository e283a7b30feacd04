"""The command that lists boards, with the clocks of cores on them."""

from totient.cli.options import JsonOption
from totient.cli.reproduce import MarkdownOption, TableOption, check_wanted, show


def boards(
    table: TableOption = None, markdown: MarkdownOption = False, as_json: JsonOption = False
) -> None:
    """List the boards that Totient makes bitstreams for, and the clocks of cores on them."""
    from totient.compare import boards as compared

    check_wanted(compared.TABLES, table, markdown, None, as_json)
    show(compared.compare(), table, markdown, as_json)
