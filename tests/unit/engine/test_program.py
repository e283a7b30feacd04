"""The engine's program run on integers: its answers to packets, and the constants of a key."""

import random
from collections import Counter
from copy import deepcopy
from dataclasses import replace
from itertools import combinations, product
from math import gcd

import pytest
from Crypto.Util.number import getPrime

from totient.catalog import RsaLengths, rsa_cycles, select
from totient.catalog.engine import ELEMENTS
from totient.check.packets import header, load_rsa_key_request, number_words, parse_number
from totient.common.contract import Command, ErrorCode, PrivateOption, Request, Response
from totient.device import Primes, RsaKey
from totient.engine import layout
from totient.engine.assembler import Program
from totient.engine.instruction_set import QUOTIENT_DELAY, WINDOW_BITS, Cond, Sum, UnitOp, WordOp
from totient.engine.instructions import KEY, Instruction, Product, Scalar, Unit, Words
from totient.engine.layout import (
    ACC,
    AFTER,
    BASE,
    EXPONENT,
    FIRST,
    LONGER,
    ONE,
    PRIMES,
    Q_INVERSE,
    RANDOM_BASE,
    RESULT,
    SECOND,
    SECRET,
    SHIFT,
    TWO,
    WHOLE,
    C,
    U,
    V,
)
from totient.engine.machine import Machine
from totient.engine.moduli import DIVIDED
from totient.engine.program import engine_program

LOADED = Command.LOAD_RSA_KEY | Response.WORDS.put(2)
ENGINES = [(62, 18, 2048), (64, 18, 2048), (1, 18, 2048), (8, 17, 1024), (4, 18, 1024)]


@pytest.fixture(scope="module")
def program() -> Program:
    """The whole one."""
    return engine_program()


def rsa_key(bits: int, p_bits: int, exponent: int, chance: random.Random) -> RsaKey:
    """A key with primes of these lengths."""
    while True:
        p = getPrime(p_bits, chance.randbytes)
        q = getPrime(bits - p_bits, chance.randbytes)
        order = (p - 1) * (q - 1)
        if (p * q).bit_length() == bits and p != q and order % exponent:
            try:
                d = pow(exponent, -1, order)
            except ValueError:
                continue
            parts = Primes(p, q, d % (p - 1), d % (q - 1), pow(q, -1, p))
            return RsaKey(p * q, exponent, primes=parts)


def asked(machine: Machine, command: Command, option: int, value: int, bits: int) -> int:
    """The result of an operation on a number."""
    answer = machine.exchange([header(command, option), bits, *number_words(value, bits)])
    assert answer[0] == command | len(answer) - 1 << 16, answer
    return parse_number(answer[3:])


@pytest.mark.parametrize(("elements", "digit_bits", "width"), ENGINES)
@pytest.mark.parametrize(("bits", "p_bits", "exponent"), [(1024, 512, 65537), (520, 268, 3)])
def test_an_rsa_key(
    program: Program,
    elements: int,
    digit_bits: int,
    width: int,
    bits: int,
    p_bits: int,
    exponent: int,
) -> None:
    """Constants are what they are said to be; private and public operations are right."""
    chance = random.Random(bits + elements)
    machine = Machine(program, elements, chance.getrandbits, digit_bits, width)
    key = rsa_key(bits, p_bits, exponent, chance)
    parts = key.primes
    assert parts is not None
    assert machine.exchange(load_rsa_key_request(key))[0] == LOADED
    radix = 1 << digit_bits
    for kind, place, m in ((PRIMES, 0, parts.p), (PRIMES, 1, parts.q), (WHOLE, 0, key.modulus)):
        assert machine.number(kind.m + place, machine[kind.words]) == m
        inverse = machine.number(kind.q + place, DIVIDED)
        assert (inverse * m + 1) % radix**DIVIDED == 0
        x = machine.number(kind.x + place, machine[kind.words])
        assert x == (inverse % radix**QUOTIENT_DELAY * m + 1) // radix**QUOTIENT_DELAY
        ring = machine.rings[machine.ring(kind.ring)]
        steps = (machine[kind.passes] + 1 + machine[kind.entering] + 1) * ring
        assert machine.number(kind.k + place, machine[kind.words]) == pow(radix, steps, m)
    share = parts.q * parts.q_inverse
    leaving = radix ** (DIVIDED + machine[PRIMES.steps])
    first, second = (machine.number(block, machine[WHOLE.words]) for block in (FIRST, SECOND))
    assert first % key.modulus == share * leaving % key.modulus
    assert second == (1 - share) * radix**DIVIDED % key.modulus

    d = pow(exponent, -1, (parts.p - 1) * (parts.q - 1))
    for option in range(4):
        message = chance.choice((0, 1, key.modulus - 1, parts.p, chance.randrange(key.modulus)))
        assert asked(machine, Command.PRIVATE, option, message, bits) == pow(
            message, d, key.modulus
        )
    message = chance.randrange(key.modulus)
    assert asked(machine, Command.PUBLIC, 0, message, min(bits + 40, width)) == pow(
        message, exponent, key.modulus
    )
    whole = RsaKey(key.modulus, exponent, private_exponent=d)
    machine.exchange(load_rsa_key_request(whole))
    assert asked(machine, Command.PRIVATE, 0, message, bits) == pow(message, d, key.modulus)


def test_a_fault_is_not_released(program: Program) -> None:
    """A constant of the key is changed: the check finds it, the working page is wiped."""
    chance = random.Random(3)
    machine = Machine(program, 8, chance.getrandbits, 18, 1024)
    key = rsa_key(512, 256, 65537, chance)
    machine.exchange(load_rsa_key_request(key))
    request = [header(Command.PRIVATE), 512, *number_words(5, 512)]
    assert machine.exchange(request)[0] >> 8 & 0xFF == ErrorCode.OK
    assert machine.number(BASE, 20)
    machine.put(PRIMES.k, machine.number(PRIMES.k, 30) ^ 1 << chance.randrange(250), 30)
    assert machine.exchange(request) == [Command.PRIVATE | Response.ERROR.put(ErrorCode.FAULT)]
    assert not machine.number(BASE, 20)


def small_engine(program: Program, seed: int) -> tuple[Machine, RsaKey, random.Random]:
    """An engine with a key of 512 bits in it."""
    chance = random.Random(seed)
    machine = Machine(program, 8, chance.getrandbits, 18, 1024)
    key = rsa_key(512, 256, 65537, chance)
    assert machine.exchange(load_rsa_key_request(key))[0] == LOADED
    return machine, key, chance


def test_no_result_is_left_for_another_request() -> None:
    """Nor a number that belongs to a key, nor a random one."""
    machine, key, chance = small_engine(engine_program(), 4)
    left = {block + stream: 0 for block in (RESULT, RANDOM_BASE) for stream in range(2)}
    assert {block: machine.number(block, 20) for block in left} == left
    for command in (Command.PRIVATE, Command.PUBLIC):
        assert asked(machine, command, 0, chance.randrange(key.modulus), 512)
        assert {block: machine.number(block, 20) for block in left} == left
    words = number_words(key.modulus, 512), number_words(3, 2)
    assert machine.exchange([Command.LOAD_KEY, 512, 2, *words[0], *words[1]])
    assert asked(machine, Command.EXPONENTIATE, 0, 7, 512) == 343
    assert {block: machine.number(block, 20) for block in left} == left


def test_a_result_not_below_the_modulus_is_not_released() -> None:
    """The result's reduction adds n in the place of subtracting it: its power is right modulo n."""
    program = engine_program()
    places = [
        place
        for place, each in enumerate(program.instructions)
        if isinstance(each, Words) and each.action is WordOp.SUBTRACT and each.d == RESULT
    ]
    private = [place for place in places if place > program.labels["private"]]
    assert len(private) == 2, "with the primes, and with d"
    for place in private:
        right = program.instructions[place]
        assert isinstance(right, Words)
        program.instructions[place] = replace(right, action=WordOp.ADD)
    machine, key, chance = small_engine(program, 5)
    request = [header(Command.PRIVATE), 512, *number_words(chance.randrange(key.modulus), 512)]
    assert machine.exchange(request) == [Command.PRIVATE | Response.ERROR.put(ErrorCode.FAULT)]


@pytest.mark.parametrize("words", [1, 2])
def test_words_above_the_modulus_are_checked_as_they_are_sent(words: int) -> None:
    """A number of 513 bits is sent in 544: more than the digits of the power that is compared."""
    chance = random.Random(words)
    program = engine_program()
    machine = Machine(program, 8, chance.getrandbits, 18, 1024)
    key = rsa_key(513, 257, 65537, chance)
    assert machine.exchange(load_rsa_key_request(key))[0] == LOADED
    checked = program.instructions[program.labels["private.check"]]

    def look(instruction: Instruction) -> None:
        if instruction is checked:
            digits = machine[WHOLE.digits]
            wrong = machine.number(RESULT, digits + 5) | 1 << 18 * digits + words
            machine.put(RESULT, wrong, digits + 5)

    machine.trace = look
    request = [header(Command.PRIVATE), 513, *number_words(5, 513)]
    assert machine.exchange(request) == [Command.PRIVATE | Response.ERROR.put(ErrorCode.FAULT)]


def test_a_number_of_length_0_is_0() -> None:
    """Its block is not compared with words that came in: there are none."""
    machine, _, _ = small_engine(engine_program(), 6)
    assert asked(machine, Command.PRIVATE, 0, 0, 0) == 0

    def look(instruction: Instruction) -> None:
        if isinstance(instruction, Unit) and instruction.does is UnitOp.DIGEST:
            machine.put(C, 1 << 90, 20)

    machine.trace = look
    request = [header(Command.PRIVATE), 0]
    assert machine.exchange(request) == [Command.PRIVATE | Response.ERROR.put(ErrorCode.FAULT)]


def test_no_bit_of_a_kind_makes_a_private_exponent_a_plain_one() -> None:
    """Command 3 with a slot whose kind has one wrong bit, and one that misses its first test."""
    refused = Command.EXPONENTIATE | Response.ERROR.put(ErrorCode.NO_KEY)
    for bit in range(15):
        machine, key, chance = small_engine(engine_program(), 7)
        machine.put_scalar("key", machine["key"] ^ 1 << bit)
        words = number_words(chance.randrange(key.modulus), 512)
        assert machine.exchange([header(Command.EXPONENTIATE), 512, *words]) == [refused]
    program = engine_program()
    places = range(program.labels["exponentiate"], program.labels["exponentiate.leave"])
    tests = [
        place
        for place in places
        if isinstance(each := program.instructions[place], Scalar) and each.a == "key"
    ]
    assert len(tests) == 2
    for missed in tests:
        program = engine_program()
        program.instructions[missed] = Scalar("none", "zero", "zero", 0, Sum.PLUS, Cond.NEVER, "")
        machine, key, chance = small_engine(program, 8)
        words = number_words(chance.randrange(key.modulus), 512)
        assert len(machine.exchange([header(Command.EXPONENTIATE), 512, *words])) == 1


def test_kinds_and_blocks_are_bits_apart() -> None:
    kinds = [value for name, value in vars(layout).items() if name.startswith("LOADED_")]
    assert len(kinds) == 6
    assert all((a ^ b).bit_count() >= 3 for a, b in combinations([0, *kinds], 2))
    for a, b in ((layout.PARTIAL, C), (WHOLE.m, layout.PUBLIC)):
        assert (a ^ b).bit_count() >= 2


@pytest.mark.parametrize(("elements", "digit_bits", "width"), ENGINES)
def test_plain_exponentiations(
    program: Program, elements: int, digit_bits: int, width: int
) -> None:
    """Any odd modulus from 3 up, alone and in pairs."""
    chance = random.Random(elements)
    machine = Machine(program, elements, chance.getrandbits, digit_bits, width)
    for bits in (2, 3, 17, 35, 36, 37, 100, 511, 1024):
        n = chance.getrandbits(bits) | 1 | 1 << bits - 1
        exponent = chance.getrandbits(bits)
        words = number_words(n, bits), number_words(exponent, bits)
        loaded = machine.exchange([Command.LOAD_KEY, bits, bits, *words[0], *words[1]])
        assert loaded[0] == Command.LOAD_KEY | Response.WORDS.put(2)
        base = chance.randrange(n)
        assert asked(machine, Command.EXPONENTIATE, 0, base, bits) == pow(base, exponent, n)
    for lengths in ((512, 512), (512, 30), (20, 300)):
        bits = max(lengths)
        moduli = [chance.getrandbits(each) | 1 | 1 << each - 1 for each in lengths]
        exponents = [chance.getrandbits(bits) for _ in range(2)]
        bases = [chance.randrange(n) for n in moduli]
        numbers = [word for each in (*moduli, *exponents) for word in number_words(each, bits)]
        assert machine.exchange([Command.LOAD_PAIR, bits, bits, *numbers])[0] >> 8 & 0xFF == 0
        given = [word for each in bases for word in number_words(each, bits)]
        answer = machine.exchange([Command.EXPONENTIATE | Request.OPTION.put(1), bits, *given])
        count = -(-bits // 32)
        results = [parse_number(answer[3:][at : at + count]) for at in (0, count)]
        assert results == [pow(*each) for each in zip(bases, exponents, moduli, strict=True)]
    assert machine.exchange([Command.SELF_TEST]) == [Command.SELF_TEST]


@pytest.mark.parametrize("elements", ELEMENTS)
def test_setting_up_takes_less_than_a_private_operation(elements: int) -> None:
    """At any length; all of them one or two rings further on, where one more pass is required."""
    parameters = select(f"engine-{elements}", width=4096).parameters
    for bits in (*range(512, 1400, 24), *range(1400, 4097, 200), 4096):
        lengths = RsaLengths(bits, prime_bits=(bits // 2 + 8, bits // 2 - 8))
        load, private, _ = rsa_cycles(parameters, lengths)
        assert load < private, bits


@pytest.mark.parametrize("seed", range(3))
def test_any_number_of_elements(program: Program, seed: int) -> None:
    """Constants from those modulo n, and by doubling, where steps are more than words."""
    chance = random.Random(seed)
    for elements in (3, 5, 20, 33, 48, 90, 100, 128):
        digit_bits = chance.choice((17, 18))
        machine = Machine(program, elements, chance.getrandbits, digit_bits, 4096)
        bits = 8 * chance.randint(64, 110)
        key = rsa_key(bits, bits // 2 + 8 * chance.randint(-1, 1), 3, chance)
        assert machine.exchange(load_rsa_key_request(key))[0] == LOADED
        assert key.primes is not None
        d = pow(3, -1, (key.primes.p - 1) * (key.primes.q - 1))
        message = chance.randrange(key.modulus)
        assert asked(machine, Command.PRIVATE, 0, message, bits) == pow(message, d, key.modulus)
        lengths = chance.randint(2000, 2056), chance.randint(2, 2056)
        moduli = [chance.getrandbits(each) | 3 for each in lengths]
        bases = [chance.randrange(n) for n in moduli]
        most = max(lengths)
        numbers = [word for n in moduli for word in number_words(n, most)]
        machine.exchange([Command.LOAD_PAIR, most, 32, *numbers, 65537, 5])
        given = [word for base in bases for word in number_words(base, most)]
        answer = machine.exchange([Command.EXPONENTIATE | Request.OPTION.put(1), most, *given])
        count = -(-most // 32)
        results = [parse_number(answer[3:][at : at + count]) for at in (0, count)]
        assert results == [pow(bases[0], 65537, moduli[0]), pow(bases[1], 5, moduli[1])]
        assert machine.exchange([Command.SELF_TEST]) == [Command.SELF_TEST]


@pytest.mark.parametrize("elements", [1, 4, 62])
def test_blinded_exponents_are_what_is_scanned(program: Program, elements: int) -> None:
    """Longer by two digits, other ones in each operation, and the same modulo the primes' orders.

    Without the option the key's own are scanned.
    """
    chance = random.Random(elements)
    machine = Machine(program, elements, chance.getrandbits, 18, 1024)
    key = rsa_key(512, 250, 65537, chance)
    primes = key.primes
    assert primes is not None
    machine.exchange(load_rsa_key_request(key))
    orders = primes.p - 1, primes.q - 1
    given = (primes.d_p, primes.d_q)
    found: list[tuple[int, int]] = []

    def look(instruction: Instruction) -> None:
        if isinstance(instruction, Unit) and instruction.does is UnitOp.TABLE_GATHER:
            first, second = machine.exponents
            if found[-1:] != [(first, second)]:
                found.append((first, second))

    machine.trace = look
    for option in (0, PrivateOption.EXPONENT_BLINDING, PrivateOption.EXPONENT_BLINDING):
        asked(machine, Command.PRIVATE, option, 12345, 512)
    even = tuple(d - d % 2 for d in given)
    plain, *longer = found
    assert plain in (given, even)
    assert len(set(longer)) == 2
    for pair in longer:
        for exponent, d, order in zip(pair, plain, orders, strict=True):
            assert exponent % order == d
            assert exponent // order < 1 << 36
            assert exponent // order > 1 << 20, "two random digits are hardly ever that small"


def test_a_public_operation_has_no_secret_numbers(program: Program) -> None:
    """All of its computation is done while they are read as 0, and none of others' is."""
    secrets = {
        each + half
        for each in (PRIMES.m, PRIMES.x, PRIMES.k, PRIMES.q, EXPONENT, FIRST, SECOND, Q_INVERSE)
        for half in range(2)
    }
    assert secrets == set(range(SECRET, 2 * KEY))
    machine = Machine(program, 8, random.Random(1).getrandbits, 18, 1024)
    key = rsa_key(512, 256, 65537, random.Random(2))
    found: set[bool] = set()

    def look(instruction: Instruction) -> None:
        if isinstance(instruction, Product | Words):
            found.add(machine.public_only)

    machine.trace = look
    for command, public_only in ((Command.PUBLIC, True), (Command.PRIVATE, False)) * 2:
        machine.exchange(load_rsa_key_request(key))
        assert found == {False}
        found.clear()
        asked(machine, command, 0, 12345, 512)
        assert found == {public_only}
        found.clear()


def test_no_exponent_is_left(program: Program) -> None:
    """In the window unit after an operation: a public one could scan it with a flipped bit."""
    machine = Machine(program, 8, random.Random(1).getrandbits, 18, 1024)
    key = rsa_key(512, 256, 65537, random.Random(2))
    assert key.primes is not None
    d = pow(65537, -1, (key.primes.p - 1) * (key.primes.q - 1))
    for loaded in (key, RsaKey(key.modulus, 65537, d)):
        machine.exchange(load_rsa_key_request(loaded))
        for command in (Command.PRIVATE, Command.PUBLIC):
            for option in (0, PrivateOption.NO_BASE_BLINDING)[: 1 + (command is Command.PRIVATE)]:
                asked(machine, command, option, 12345, 512)
                assert machine.exponents == [0, 0]
    numbers = number_words(key.modulus, 512) + number_words(d, 512)
    machine.exchange([Command.LOAD_KEY, 512, 512, *numbers])
    asked(machine, Command.EXPONENTIATE, 0, 3, 512)
    assert machine.exponents == [0, 0]
    p = number_words(key.primes.p, 256)
    machine.exchange([Command.LOAD_PAIR, 256, 256, *p, *p, *p, *p])
    machine.exchange([Command.EXPONENTIATE | Request.OPTION.put(1), 256, *[3, *[0] * 7] * 2])
    assert machine.exponents == [0, 0]


def test_no_working_number_of_the_primes_is_left(program: Program) -> None:
    """After a load nothing but constants, after a private operation nothing that gives a prime."""
    machine = Machine(program, 8, random.Random(1).getrandbits, 18, 1024)
    key = rsa_key(512, 260, 65537, random.Random(2))
    assert key.primes is not None
    n, count = key.modulus, 2 * machine.block_words

    def working() -> dict[int, int]:
        found = {block: machine.number(block, machine.block_words) for block in range(KEY)}
        found |= {block: machine.number(block, count) for block in range(0, KEY, 2)}
        return {block: value for block, value in found.items() if value}

    machine.exchange(load_rsa_key_request(key))
    assert working().keys() <= {ONE, ONE + 1, TWO, TWO + 1, SHIFT}
    for option in range(4):
        for _ in range(2):
            asked(machine, Command.PRIVATE, option, 12345, 512)
        left = working()
        for block, value in left.items():
            for known in (0, 1, 12345, pow(2, 18 * machine.rings[0], n), pow(2, 18 * 40, n)):
                assert gcd(value - known, n) in (1, n), (option, block, known)
        odd = {ACC + 1, BASE + 1, U + 1, V + 1, AFTER, AFTER + 1, LONGER, LONGER + 1}
        assert not odd & left.keys()


def test_a_pair_does_not_overwrite_its_common_factor(program: Program) -> None:
    """The second stream would read it while the first one writes."""
    common = [
        each
        for each in program.instructions
        if isinstance(each, Product) and each.pair and each.common
    ]
    assert common
    assert not [each for each in common if each.d == each.a]


def test_the_choice_of_a_page_names_no_block_in_it(program: Program) -> None:
    """The proof of the control unit's requests assumes it (formal/engine_requests_formal.sv)."""
    chosen = [each for each in program.instructions if isinstance(each, Unit)]
    slots = [each.block for each in chosen if each.does == UnitOp.SLOT]
    assert slots
    assert set(slots) == {0}


def test_the_self_test_misses_its_exponents() -> None:
    """Where the hardware takes them: the result is another one."""
    program = engine_program()
    without = {
        place: replace(op, u_words="zero")
        for place, op in enumerate(program.instructions)
        if isinstance(op, Words) and op.exponent and op.u == EXPONENT
    }
    assert without
    for place, op in without.items():
        program.instructions[place] = op
    machine = Machine(program, 20, random.Random(0).getrandbits, 18, 4096)
    assert machine.exchange([Command.SELF_TEST]) == [
        Command.SELF_TEST | Response.ERROR.put(ErrorCode.FAULT)
    ]


@pytest.mark.parametrize("stream", range(2))
def test_the_self_test_reads_the_last_row_of_the_table(stream: int) -> None:
    """Its exponent is all ones: a bit that flips in that row gives another result."""

    class Damaged(dict[tuple[int, int], int]):
        def __setitem__(self, row: tuple[int, int], value: int) -> None:
            super().__setitem__(row, value ^ (row == ((1 << WINDOW_BITS) - 1, stream)))

    machine = Machine(engine_program(), 20, random.Random(0).getrandbits, 18, 4096)
    machine.table = Damaged()
    assert machine.exchange([Command.SELF_TEST]) == [
        Command.SELF_TEST | Response.ERROR.put(ErrorCode.FAULT)
    ]


class _Astray(Machine):
    """A machine in which a bit of the place in the program flips once."""

    flip: tuple[int, int] | None = None
    steps = 0
    most_steps = 20_000

    def _step(self) -> None:
        if self.flip and self.steps == self.flip[0]:
            self._at ^= 1 << self.flip[1]
        self.steps += 1
        super()._step()


def test_no_flipped_bit_of_the_place_skips_the_wiping(program: Program) -> None:
    """A clear that is answered as done has wiped the key, wherever the program went astray.

    Where the machine cannot go on, as with numbers that no program has, nothing is known: the
    campaigns on RTL are there for that.
    """
    chance = random.Random(7)
    loaded = _Astray(program, 4, lambda bits: chance.getrandbits(bits) | 1, 18, 512)
    key = rsa_key(512, 256, 65537, chance)
    assert loaded.exchange(load_rsa_key_request(key))[0] == LOADED
    secrets = {n for (slot, _), n in loaded._blocks.items() if slot and n >= 1 << 30}
    assert len(secrets) > 8
    done = deepcopy(loaded)
    done.steps = 0
    assert done.exchange([Command.CLEAR]) == [Command.CLEAR]
    ends: Counter[str] = Counter()
    for flip in product(range(done.steps), range(len(program.instructions).bit_length())):
        machine = deepcopy(loaded)
        machine.flip, machine.steps = flip, 0
        try:
            answer = machine.exchange([Command.CLEAR])
        except (AssertionError, IndexError, ValueError, KeyError):
            ends["unknown"] += 1
            continue
        ends["done" if answer == [Command.CLEAR] else "not done"] += 1
        if answer == [Command.CLEAR]:
            assert secrets.isdisjoint(machine._blocks.values()), flip
    assert ends["not done"] > 400
    assert ends["unknown"] < 200
