"""Parameters in the form of addresses."""

import pytest

from totient.catalog.parameters import parse_named, parse_parameters
from totient.common.errors import InputError


def test_names_and_values() -> None:
    assert parse_named("binary?width=64&fixed_time=1", "x") == (
        "binary",
        {"width": 64, "fixed_time": 1},
    )
    assert parse_named("binary", "x") == ("binary", {})


@pytest.mark.parametrize("name", ["\n", "a\nb", "\x1b[31m", "a b", "\u202e", "\udcff", "-a"])
def test_a_message_shows_no_character_as_it_is_that_is_in_no_name(name: str) -> None:
    with pytest.raises(InputError, match="where parameter=value is expected") as refused:
        parse_parameters(f"{name}=1", "x")
    assert str(refused.value).isprintable()
