"""How much of a netlist is checked where nobody says so, and the command that does the same."""

import pytest

from totient.catalog import Configuration, IpConfiguration, find_subject, select_ip
from totient.check import Check, netlist_checks


@pytest.mark.parametrize(
    ("name", "given", "commands"),
    [
        ("T2", {"width": 64}, ["binary --width 64 --count 20"]),
        ("T2", {"width": 256}, ["binary --width 256 --count 5"]),
        ("T3", {"width": 1024}, ["montgomery --width 1024 --count 3 --exponent-bits 17"]),
        ("B1", {}, ["rsa_keygen --count 5"]),
        (
            "engine-62",
            {},
            [
                "engine --width 4096 --set elements=62 --private --bits 1024 --count 2",
                "engine --width 4096 --set elements=62 --private --bits 2048 --count 1",
            ],
        ),
        (
            "engine-1",
            {"width": 1024},
            ["engine --width 1024 --set elements=1 --private --bits 1024 --count 2"],
        ),
    ],
)
def test_the_checks_of_a_netlist(name: str, given: dict[str, int], commands: list[str]) -> None:
    subject = find_subject(name, **given)
    assert isinstance(subject, Configuration | IpConfiguration)
    assert [each.arguments for each in netlist_checks(subject)] == commands


def test_a_seed_is_told() -> None:
    assert Check(select_ip("D6"), 3, seed=7).arguments == "modmul_montgomery --count 3 --seed 7"
