"""Fixtures for keys and schemes."""

import pytest

from tests.unit.rsa.double import Workshop
from totient.rsa import accelerator
from totient.rsa.keys import PrivateKey, generate


@pytest.fixture
def workshop(monkeypatch: pytest.MonkeyPatch) -> Workshop:
    """Doubles instead of devices."""
    shop = Workshop()
    monkeypatch.setattr(accelerator, "open_core", shop.open)
    return shop


@pytest.fixture(scope="session")
def key() -> PrivateKey:
    """A new key of 1024 bits."""
    return generate(1024)
