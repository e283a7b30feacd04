"""What the module and the daemon add to the time of the device's own operation."""

from pathlib import Path

import pytest

from tests.pkcs11.place import Place
from tests.pkcs11.times import CALLS, ROUNDS, SIGNATURES, calls, ratio, signatures

MOST_OF_MODULE, MOST_OF_DAEMON_US = 1.02, 200


def test_a_key_in_the_device_is_not_loaded_again(place: Place, tmp_path: Path) -> None:
    """Two slots hold both keys: each is loaded by its first signature only."""
    found = signatures(place, tmp_path, 3, "-O0")
    assert [(each.key, each.loads) for each in found] == [(1, 1), (1, 0), (1, 0), (2, 1), (1, 0)]


@pytest.mark.slow
def test_the_module_adds_little_to_the_device(place: Place, tmp_path: Path) -> None:
    assert ratio(signatures(place, tmp_path, SIGNATURES)) <= MOST_OF_MODULE


@pytest.mark.slow
def test_the_daemon_adds_little_to_a_call(own: Place, tmp_path: Path) -> None:
    added = {
        name: daemon - here for name, (here, daemon) in calls(own, tmp_path, CALLS, ROUNDS).items()
    }
    assert len(added) == 4
    assert max(added.values()) <= MOST_OF_DAEMON_US, added
