"""Versions of the tools that figures depend on."""

from importlib.metadata import PackageNotFoundError, version

from totient.common.errors import ToolError


def tool_version(package: str) -> str:
    """Version of a tool by its PyPI package.

    Raises:
        ToolError: it is not installed.
    """
    try:
        return version(package)
    except PackageNotFoundError as error:
        raise ToolError(f"the Python package {package} is missing: run `make setup`") from error
