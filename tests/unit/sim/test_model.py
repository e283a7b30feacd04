"""Models that run: packets, pauses, limits, interrupts, several at once."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rtl.serial_frames import frame, payload_of
from totient.catalog import Configuration, Face, select
from totient.catalog.ips import registers
from totient.common.errors import ToolError
from totient.sim import Model, build_model, open_model

WIDTH = 33


@pytest.fixture
def core() -> Iterator[Model]:
    with open_model(select("binary", width=WIDTH)) as model:
        yield model


def load(modulus: int, exponent: int) -> list[int]:
    return [2, WIDTH, WIDTH, *two_words(modulus), *two_words(exponent)]


def exponentiate(base: int) -> list[int]:
    return [3, WIDTH, *two_words(base)]


def two_words(value: int) -> list[int]:
    return [value & 0xFFFFFFFF, value >> 32]


def check_power(model: Model, modulus: int, exponent: int, base: int) -> int:
    """Hold an exponentiation to `pow`; the core's cycles of it."""
    assert model.exchange(load(modulus, exponent))[0] == 2 | 2 << 16
    header, low, high, *result = model.exchange(exponentiate(base))
    assert header == 3 | 4 << 16
    assert result == two_words(pow(base, exponent, modulus))
    return low | high << 32


def test_powers_are_right(core: Model) -> None:
    chance = random.Random(1)
    for _ in range(50):
        modulus = chance.getrandbits(WIDTH) | 1 | 2
        check_power(core, modulus, chance.getrandbits(WIDTH), chance.randrange(modulus))


def test_pauses_change_nothing_but_the_time(core: Model) -> None:
    modulus, exponent, base = (1 << WIDTH) - 9, 0x1_2345_6789, 0xABCDEF
    before = core.cycles
    spent = check_power(core, modulus, exponent, base)
    smooth = core.cycles - before
    for seed in range(1, 9):
        core.pause_at_random(seed)
        before = core.cycles
        assert check_power(core, modulus, exponent, base) == spent
        assert core.cycles - before > smooth
    core.pause_at_random(0)
    before = core.cycles
    check_power(core, modulus, exponent, base)
    assert core.cycles - before == smooth


def test_requests_queue_and_clear_aborts(core: Model) -> None:
    core.send(load(35, 3))
    core.send(exponentiate(2))
    core.send([1])
    assert core.receive()[0] == 2 | 2 << 16
    assert core.receive()[3:] == [8, 0]
    assert core.receive()[0] == 1 | 8 << 16
    core.send(exponentiate(2))
    core.send([4])
    assert core.receive() == [3 | 10 << 8]
    assert core.receive() == [4]
    assert core.exchange(exponentiate(2)) == [3 | 9 << 8]


def test_reset_forgets_key_and_queue(core: Model) -> None:
    core.exchange(load(35, 3))
    core.send([1])
    before = core.cycles
    core.reset()
    assert core.cycles == before + 2
    assert core.exchange(exponentiate(2)) == [3 | 9 << 8]
    check_power(core, 35, 3, 2)


def test_models_are_independent() -> None:
    path = build_model(select("binary", width=WIDTH).top())
    with Model(path) as one, Model(path) as two, open_model(select("repeated", width=8)) as other:
        one.exchange(load(35, 3))
        assert two.exchange(exponentiate(2)) == [3 | 9 << 8]
        two.exchange(load(33, 3))
        assert other.exchange([2, 8, 2, 21, 3])[0] == 2 | 2 << 16
        assert one.exchange(exponentiate(5))[3:] == [125 % 35, 0]
        assert two.exchange(exponentiate(5))[3:] == [125 % 33, 0]
        assert other.exchange([3, 8, 5])[3:] == [125 % 21]
        before = two.cycles
        one.reset()
        assert two.cycles == before


def test_a_closed_model_says_so(core: Model) -> None:
    core.close()
    core.close()
    with pytest.raises(ToolError, match="closed"):
        core.exchange([1])
    with pytest.raises(ToolError, match="closed"):
        core.reset()


def test_a_damaged_library_says_so(tmp_path: Path) -> None:
    damaged = tmp_path / "model.so"
    damaged.write_bytes(b"\x7fELF")
    with pytest.raises(ToolError, match="cannot load the model"):
        Model(damaged)


def test_limit_and_progress(echo: Configuration) -> None:
    seen: list[int] = []
    with open_model(echo) as model:
        with pytest.raises(ToolError, match="within 30000 cycles"):
            model.exchange([3], seen.append, limit=30_000)
        assert seen[-1] == 30_000
        assert seen == sorted(seen)
        assert model.exchange([8]) == [8]  # usable again
        with pytest.raises(ToolError, match="within 0 cycles"):
            model.exchange([8], limit=0)
        assert model.exchange([9]) == [9]


def test_parameters_reach_the_rtl(echo: Configuration) -> None:
    with open_model(Configuration(echo.design, {"offset": 5, "width": 8})) as model:
        assert model.exchange([10, 20]) == [15, 25]


def test_a_failed_assertion_is_an_error(echo: Configuration) -> None:
    with open_model(echo, checked=True) as model:
        for _ in range(2):
            with pytest.raises(ToolError, match=r"stopped: .*a 1 came in"):
                model.exchange([1])
            assert model.exchange([8]) == [8]
        with pytest.raises(ToolError, match="stopped"):
            model.exchange([2])
        assert model.exchange([8]) == [8]
    with open_model(echo) as model:
        assert model.exchange([1]) == [1]


def test_nothing_is_printed(echo: Configuration, capfd: pytest.CaptureFixture[str]) -> None:
    with open_model(echo, checked=True) as model, pytest.raises(ToolError):
        model.exchange([1])
    assert capfd.readouterr().out == ""


def test_an_error_in_progress_leaves_the_core_usable(echo: Configuration) -> None:
    def fail(_: int) -> None:
        raise ZeroDivisionError

    with open_model(echo) as model:
        with pytest.raises(ZeroDivisionError):
            model.exchange([3], fail)
        assert model.exchange([8]) == [8]


def test_ctrl_c_ends_a_long_run(echo: Configuration) -> None:
    with open_model(echo) as model:
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        before = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            model.exchange([3])
        assert time.monotonic() - before < 2
        timer.join()
        assert model.exchange([8]) == [8]


def test_registers_and_the_interrupt() -> None:
    """An info request by registers; the event of its answer raises the interrupt."""
    with open_model(select("binary", width=WIDTH), Face.REGISTERS, checked=True) as model:
        known = registers("stream_registers")
        at = {name: each.offset for name, each in known.items()}
        assert model.read(at["IDENTIFICATION"]) == int.from_bytes(b"TOTI")
        assert model.read(max(at.values()) + 4) is None  # no register
        assert not model.write(at["IDENTIFICATION"], 1)  # only read
        while registers("stream_registers")["STATUS"].parts(model.read(at["STATUS"]) or 0)[
            "clearing"
        ]:
            pass
        assert model.write(at["INTERRUPT_ENABLE"], 1)
        with pytest.raises(ToolError, match="within 1000 cycles"):
            model.wait(limit=1000)
        assert model.write(at["REQUEST_LAST"], 1)
        model.wait(limit=1000)
        assert model.read(at["RESPONSE"]) == 1 | 8 << 16


def test_a_model_without_a_face_says_so(core: Model) -> None:
    with pytest.raises(ToolError, match="no face for 'read'"):
        core.read(0)
    with pytest.raises(ToolError, match="no face for 'line_send'"):
        core.send_bytes(b"x")


def test_a_visible_model_shows_its_state(core: Model) -> None:
    with pytest.raises(ToolError, match="not built to be seen"):
        core.state()
    modulus = f"b{0x1_2345_6789:033b} "
    with Model(build_model(select("binary", width=WIDTH).top(), visible=True)) as model:
        model.advance(100)
        assert modulus not in model.state()
        model.exchange(load(0x1_2345_6789, 3))
        assert modulus in model.state()
        assert model.state() == model.state()
        check_power(model, 35, 3, 2)


def test_time_passes_and_packets_come_in_parts(core: Model) -> None:
    before = core.cycles
    core.advance(77)
    assert core.cycles == before + 77
    core.send(load(35, 3)[:4], whole=False)
    core.advance(1000)
    core.send(load(35, 3)[4:])
    assert core.receive()[0] == 2 | 2 << 16
    assert core.exchange(exponentiate(2))[3:] == [8, 0]


def test_the_state_of_a_probed_model_can_be_changed(core: Model) -> None:
    with pytest.raises(ToolError, match="not built to be probed"):
        core.elements()
    with Model(build_model(select("binary", width=WIDTH).top(), probed=True)) as model:
        state, watched = model.elements()
        model.watch()
        modulus, exponent, base = (1 << WIDTH) - 9, 5, 0x1_2345_6789
        check_power(model, modulus, exponent, base)
        (place,) = (i for i, e in enumerate(state) if e.name.endswith("u_exponent.memory"))
        assert model.peek(place, state[place]) == exponent.to_bytes(8, "little")
        model.flip(place, 0, 1)  # 5 becomes 7
        answer = model.exchange(exponentiate(base))
        assert answer[3:] == two_words(pow(base, 7, modulus))
        longer = model.watched(len(watched))
        assert longer[0] > answer[1]
        model.flip(place, 0, 1)
        shorter = []
        for _ in range(2):
            model.exchange(exponentiate(base))
            shorter.append(model.watched(len(watched)))
        assert shorter[0] == shorter[1]
        assert not set(shorter[0]) & set(longer)


_TWO_MODELS = """
from pathlib import Path
from totient.sim import Model
first, second = (Model(Path({library!r})) for _ in range(2))
second.close()
first.close()
"""


def test_of_two_probed_models_the_later_one_is_closed_first() -> None:
    library = build_model(select("binary", width=WIDTH).top(), probed=True)
    program = _TWO_MODELS.format(library=str(library))
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_a_serial_line_listens_at_once_after_a_reset() -> None:
    """However long the memory is that is wiped first, of 260 words here."""
    request = frame(payload_of([4]))
    with open_model(select("binary", width=4096), Face.SERIAL) as model:
        for _ in range(2):
            model.send_bytes(request)
            answer = b""
            while not answer.endswith(b"\xc0") or len(answer) < 2:
                some = model.receive_bytes(100_000)
                assert some, "no answer"
                answer += some
            assert answer == request
            model.reset()
