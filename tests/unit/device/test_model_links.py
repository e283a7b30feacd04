"""Links to models, by which C programs find them: made by every way to build one."""

import json
from pathlib import Path

import pytest

from tests.system.command import totient
from totient.common.cache import cache_root
from totient.common.errors import InputError
from totient.device import Address, open_device
from totient.device.model_links import link_model

FOLDER = cache_root() / "addresses"
SMALL = "binary?width=24"


@pytest.mark.parametrize(
    ("words", "addresses"),
    [
        (("binary", "--width", 24), ["sim:binary?width=24"]),
        (("T2", "--width", 24, "--set", "fixed_time=1"), ["sim:T2?width=24&fixed_time=1"]),
        (("sim:binary?width=24",), ["sim:binary?width=24"]),
        (("sim-registers:binary?width=24",), ["sim-registers:binary?width=24"]),
        (("sim-serial:binary", "--width", 24), ["sim-serial:binary?width=24"]),
        (("sim-rtl:binary?width=24",), ["sim-rtl:binary?width=24"]),
        (("binary?width=24", "--face", "registers"), ["sim-registers:binary?width=24"]),
        (("binary?width=24", "--rtl"), ["sim-rtl:binary?width=24"]),
        (("B1",), ["sim-registers:B1"]),
    ],
)
def test_the_command_makes_a_link(words: tuple[object, ...], addresses: list[str]) -> None:
    for address in addresses:
        (FOLDER / address).unlink(missing_ok=True)
    built = totient("model", *words, "--json")
    assert built.status == 0, built.err
    told = json.loads(built.out)
    assert told["addresses"] == addresses
    for address in addresses:
        assert (FOLDER / address).readlink() == Path(told["library"])


def test_a_device_makes_a_link() -> None:
    address = f"sim:{SMALL}"
    (FOLDER / address).unlink(missing_ok=True)
    open_device(address).close()
    model = (FOLDER / address).readlink()
    assert model.name == "model.so"
    # The model by its path is the same core.
    with open_device(f"sim:{model}") as device:
        device.load_key(3859, 17)
        assert device.exponentiate(1141).result == pow(1141, 17, 3859)
    assert not Address.of(f"sim:{model}").is_simulated


def test_an_old_link_is_renewed(tmp_path: Path) -> None:
    link = FOLDER / "sim:test"
    for model in (tmp_path / "a", tmp_path / "b", tmp_path / "b"):
        assert link_model("sim:test", model) == link
        assert link.readlink() == model
    link.unlink()
    assert [each.name for each in FOLDER.iterdir() if each.is_dir() and not each.is_symlink()] == []


def test_addresses_that_are_no_names_of_files(tmp_path: Path) -> None:
    assert link_model(f"sim:{'x' * 300}", tmp_path) is None
    assert link_model("sim:/x", tmp_path) is None


def test_refusals() -> None:
    face = totient("model", "sim-serial:binary", "--face", "registers")
    assert face.refused == "--face is registers, the address sim-serial:binary has serial"
    with pytest.raises(InputError, match="takes no parameters, given is 'width'"):
        open_device("sim:/tmp/model.so?width=8")
    with pytest.raises(InputError, match="there is no such file"):
        open_device("sim-registers:/tmp/no/model.so")
