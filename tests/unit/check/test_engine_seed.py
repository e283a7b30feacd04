"""A check of an engine can be repeated: its random words come from its seed, too."""

from contextlib import nullcontext

import pytest

from totient.catalog import select
from totient.check import Subject, check_rsa
from totient.check import engine as checking
from totient.sim import Model


def test_random_words_come_from_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[int] = []

    def stop(model: Model, seed: int) -> None:
        seeds.append(seed)
        raise StopIteration

    monkeypatch.setattr(Model, "seed_randomness", stop)
    monkeypatch.setattr(Subject, "open", lambda *given: nullcontext(Model.__new__(Model)))
    monkeypatch.setattr(checking, "_Run", None)  # nothing runs before
    for seed in (1, 2, 1, 1 << 40):
        with pytest.raises(StopIteration):
            check_rsa(select("engine-1"), 1, seed)
    assert seeds[0] == seeds[2]
    assert len(set(seeds)) == 3
    # 0 would be the operating system.
    assert all(0 < seed < 1 << 32 for seed in seeds)
