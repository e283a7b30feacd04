"""Fixtures for keys and schemes."""

import pytest

from tests.unit.rsa.double import Workshop
from totient.device import RsaKey
from totient.rsa import accelerator
from totient.rsa.keys import generate


@pytest.fixture
def workshop(monkeypatch: pytest.MonkeyPatch) -> Workshop:
    """Doubles instead of devices."""
    shop = Workshop()
    monkeypatch.setattr(accelerator, "open_core", shop.open)
    return shop


@pytest.fixture(scope="session")
def key() -> RsaKey:
    """A new key of 1024 bits."""
    return generate(1024)
