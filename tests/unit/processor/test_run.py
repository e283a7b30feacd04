"""Programs on every simulated processor: results, exact counts, input, sizes, errors."""

from pathlib import Path

import pytest

from totient.common.errors import InputError, ToolError
from totient.processor import Pace, Processor, build, find_processor, packages, processors, run

COUNTED = Path(__file__).with_name("counted.c")
every_processor = pytest.mark.parametrize("processor", processors(), ids=lambda each: each.name)


def words(processor: Processor, *values: int) -> dict[str, bytes]:
    del processor  # all of them are little-endian
    return {"input": b"".join(value.to_bytes(4, "little") for value in values)}


@every_processor
def test_a_program_is_run_and_counted(processor: Processor) -> None:
    program = build(processor, [COUNTED])
    done = run(program)
    assert (done.output, done.status) == (f"power {3**5:08x}", 7)
    assert done == run(program), "a second run differs"
    assert done.counts[1] == 0, "two marks with nothing between them"
    # Whole multiples of the steps that a compiler unrolls.
    counts = {steps: run(program.with_data(words(processor, 7, steps))) for steps in (16, 32, 64)}
    assert counts[32].output == f"power {7**32 % 2**32:08x}"
    few, some, many = (counts[steps].counts[0] for steps in (16, 32, 64))
    assert many - some == 2 * (some - few) > 0, "a step takes what every step takes"
    assert 0 < done.stack_bytes < 400
    assert 0 < program.data_bytes < program.code_bytes < 4096


@every_processor
def test_input_that_does_not_fit_is_refused(processor: Processor) -> None:
    program = build(processor, [COUNTED])
    with pytest.raises(InputError, match="no initialised variable 'nothing'"):
        program.with_data({"nothing": b"1"})
    with pytest.raises(InputError, match="input has 8 bytes, given are 9"):
        program.with_data({"input": bytes(9)})


def test_a_program_that_does_not_end(tmp_path: Path) -> None:
    source = tmp_path / "endless.c"
    source.write_text('int main(void) { for (;;) __asm__ volatile("nop"); }\n')
    with pytest.raises(ToolError, match="did not end within 1 s"):
        run(build(find_processor("cortex-m3"), [source]), seconds=1)


def test_a_fault_is_told(tmp_path: Path) -> None:
    source = tmp_path / "fault.c"
    source.write_text('int main(void) { __asm__ volatile("udf #0"); return 0; }\n')
    done = run(build(find_processor("cortex-m3"), [source]))
    assert done.status == 255
    assert "processor fault" in done.output


def test_an_error_of_the_compiler(tmp_path: Path) -> None:
    source = tmp_path / "wrong.c"
    source.write_text("int main(void) { return nothing; }\n")
    with pytest.raises(ToolError, match="'nothing' undeclared"):
        build(find_processor("cortex-m3"), [source])


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ToolError, match="apt-get install gcc-arm-none-eabi qemu-system-arm"):
        build(find_processor("cortex-m3"), [COUNTED])
    with pytest.raises(ToolError, match=r"apt-get install .*qemu-system-arm"):
        packages.install()


def test_an_unknown_processor() -> None:
    with pytest.raises(InputError, match=r"unknown processor 'z80', known are .*cortex-m3"):
        find_processor("z80")


def test_instructions_have_a_range_of_cycles() -> None:
    """Each mnemonic counts, as often as it is executed, with the manual's least and most."""
    program = build(find_processor("cortex-m3"), [COUNTED])
    done = run(program.with_data(words(program.processor, 7, 20)))
    assert [sum(mix.values()) for mix in done.mixes] == list(done.counts)
    assert done.mixes[1] == {}
    assert sum(count for name, count in done.mixes[0].items() if name.startswith("mul")) == 20
    pace = find_processor("cortex-m3").pace
    assert pace
    assert pace.range({"umlal": 10, "umull": 10, "add.w": 5, "bne": 2, "ldr": 1}) == (78, 135)
    assert pace.range({"b.w": 1, "bl": 1, "bic": 1, "bfi": 1, "it": 1}) == (6, 11)
    m4 = find_processor("cortex-m4").pace
    assert m4
    assert m4.range({"umaal": 10, "ldrd": 1, "push": 1}) == (14, 27)
    assert run(build(find_processor("atmega328p"), [COUNTED])).mixes == ()
    with pytest.raises(ToolError, match="no cycles are known of the instruction 'xyz'"):
        Pace([("a.*", 1, 2)], "").range({"add": 1, "xyz": 1})
