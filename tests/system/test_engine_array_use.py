"""What of an engine's time its array is in use, in the RTL and by the cycle model."""

from random import Random

import pytest

from tests.engines import ENDS_EARLY, ENGINE
from totient.catalog import Configuration, select
from totient.catalog.engine import banks
from totient.check.array_use import count_array_use, main
from totient.check.engine_timing import alike_requests
from totient.cli import FAILED
from totient.common.errors import InputError
from totient.engine import timing
from totient.engine.instructions import Product, Words
from totient.engine.program import engine_program


def positions(engine: Configuration, bits: int, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Cycles of a private operation, and positions of its products, by the cycle model."""
    found = 0
    offer = timing._Datapath.offer

    def counted(self: timing._Datapath, at: int, op: Product | Words, *lengths: int) -> int:
        nonlocal found
        _ring, passes, words, _written, _lead = lengths
        if isinstance(op, Product):
            found += passes * words * (1 + op.pair)
        return offer(self, at, op, *lengths)

    monkeypatch.setattr(timing._Datapath, "offer", counted)
    given = engine.parameters
    clock = timing.Clock(
        engine_program(),
        given["elements"],
        banks(given["elements"]),
        given["digit_bits"],
        max_bits=given["width"],
        slots=given["key_slots"],
    )
    requests = list(alike_requests(bits, Random(0), 0))
    clock.exchange(requests[0][1])
    found = 0
    clock.exchange(requests[1][1])
    return clock.cycles, found


@pytest.mark.parametrize("engine", [ENGINE, ENDS_EARLY], ids=["whole ring", "ends early"])
def test_the_rtl_takes_the_words_of_the_cycle_model(
    engine: Configuration, monkeypatch: pytest.MonkeyPatch
) -> None:
    use = count_array_use(engine, 512)
    assert (use.operation, use.positions) == positions(engine, 512, monkeypatch)
    assert use.operation < use.cycles < 1.05 * use.operation
    assert sum(use.reads.values()) == use.cycles
    assert max(use.reads) == 4
    # Each position reads B, and M~ or T, which are shorter.
    assert sum(words * cycles for words, cycles in use.reads.items()) > 2 * use.positions


@pytest.mark.slow
def test_no_second_operation_at_once_could_gain_as_much_as_was_asked() -> None:
    """The figures of docs/engine.md."""
    use = count_array_use(select("engine", width=2048, elements=62), 2048)
    assert (use.cycles, use.operation, use.positions) == (176_486, 174_966, 166_162)
    assert use.most_gain < 1.08


@pytest.mark.parametrize("bits", [448, 544, 2048])
def test_bits_out_of_range(bits: int) -> None:
    with pytest.raises(InputError, match=f"bits is {bits}, allowed is a multiple of 64 from 512"):
        count_array_use(ENGINE, bits)


def test_the_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ["array_use", "--elements", "8", "--width", "1024", "--bits"]
    monkeypatch.setattr("sys.argv", [*arguments, "512"])
    assert main() == 0
    shown = capsys.readouterr().out
    assert "51,676 cycles; 50,775 stated" in shown
    assert "4 words read: 7,535 cycles, 14.6%" in shown
    monkeypatch.setattr("sys.argv", [*arguments, "513"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == FAILED
    assert "bits is 513" in capsys.readouterr().err
