"""Changes of the program with which each proof succeeds, and why."""

from totient.engine.assembler import Program
from totient.engine.instructions import Scalar
from totient.engine.layout import CLEARED_SCALARS, KEY_SCALARS
from totient.prove.instructions import place
from totient.prove.mutations import Mutant

# The working page is wiped twice; then they write zeros over the registers of the datapath, of
# which the model has none.
WIPES = {"failed": range(14), "clear.slot": range(45, 59)}
# The choice of a ring, for numbers modulo n and modulo primes.
RINGS = {
    "windows.24": range(7, 13),
    "set_up_primes": range(3, 10),
    **dict.fromkeys(("whole.30", "fits.27", "whole.48", "fits.45"), range(1)),
    **dict.fromkeys(("ring.28", "ring.46"), range(4)),
}
LATER = "a load writes each of a key's scalars before it is read"
TIME = "only the time is longer: more words, digits, positions or steps than are needed"
ZERO = "what is read besides is 0, or is overwritten before it is read"
SAME = "the same value"
ORDER = "a product's operands have one order as well as the other"
GUARD = "a second line of defence, which tests/unit/engine tries with wrong numbers"
NOTHING_STATED = "a base of no words, which the machine on integers has (tests/unit/engine)"
LEFT = "what would be left is not read here; tests/unit/engine looks at it"
ASTRAY = "only a flipped bit comes here; tests/system aims them"
TWICE_N = "a number below 2 n is as good"
SCANNED = "the value of e is that of the packet here, whatever was copied to be scanned"

START = "written at the start; against a flipped bit"
SPARE = "the last position holds 0"
DRAINED = "nothing is left to drain of a packet that has ended"
LEAST = "ten digits are enough in all builds of the proofs"
OTHER = "what is there for the other stream is not used"
COPY = "the window unit takes the exponent, its copy is not used"
ONE_OFF = ("one more", "one less")

REASONS = {
    ("ready + 5", "dropped"): "written before it is read; against a flipped bit",
    ("ready + 5", "one more"): "written before it is read; against a flipped bit",
    ("ready + 5", "one less"): "written before it is read; against a flipped bit",
    ("ready + 1", "dropped"): START,
    ("begin.longer + 1", "one less"): "an answer that has begun becomes too long in any case",
    ("loaded + 2", "one more"): "only compared with 0",
    ("self_test.bit + 3", "action"): SAME,
    ("self_test.bit + 5", "one less"): TIME,
    ("refuse + 1", "dropped"): DRAINED,
    ("public + 1", "dropped"): GUARD,
    ("clear.slot + 39", "one less"): SAME,
    ("self_test.done + 1", "u_words"): "a result that is right is also right in two words",
    ("right.114 + 0", "u_words"): "a result that is right is also right in two words",
    ("self_test.done + 1", "pair"): ZERO,
    ("table.63 + 8", "action"): SAME,
    ("below.62 + 0", "action"): SAME,
    ("below.62 + 0", "v_words"): ZERO,
    ("below.62 + 2", "a_words"): ZERO,
    ("newton.52 + 1", "v_words"): ZERO,
    ("fits.107 + 6", "block d"): "another block without a number in use",
    ("fits.87 + 0", "block d"): COPY,
    ("end.95 + 7", "block d"): "the difference itself is not used, only its sign",
    ("below.90 + 2", "operands"): "a product's operands have one order as well as the other",
    ("load_rsa.lengths + 16", "dropped"): "its value is not used",
    ("load_rsa.lengths + 19", "dropped"): "its value is not used",
    ("info + 14", "dropped"): SAME,
    ("load_plain + 12", "dropped"): "no error can have been noted before the first number",
    ("noted.21 + 11", "one less"): "of two equal lengths either one is the longer one",
    ("set_up_pair + 1", "one more"): TIME,
    ("least.17 + 0", "one less"): TIME,
    ("least.40 + 0", "one more"): TIME,
    ("noted.3 + 9", "one more"): TIME,
    ("windows.24 + 2", "one more"): "a window of 0 bits is added: a product with 1",
    ("windows.24 + 4", "one more"): TIME,
    ("newton.33 + 6", "dropped"): TIME,
    ("newton.33 + 6", "one more"): TIME,
    ("newton.33 + 7", "one more"): "a number modulo n has room for each step",
    ("doubled.53 + 1", "one more"): TIME,
    ("lead.61 + 3", "one less"): TIME,
    ("divide.25 + 3", "one more"): TIME,
    ("divide.25 + 4", "one less"): TIME,
    **{("divide.25 + 5", each): TIME for each in ("one more", "one less")},
    ("divide.42 + 3", "one more"): TIME,
    ("table.63 + 3", "one more"): TIME,
    ("table.103 + 3", "one more"): TIME,
    ("private + 4", "condition"): TIME,
    **{("public + 6", each): TIME for each in ("one more", "one less")},
    **{("public + 7", each): TIME for each in ("one more", "one less", "dropped")},
    ("load_rsa + 6", "one more"): "a kind without private numbers is only compared with others",
    ("private + 4", "one more"): TIME,
    ("private + 4", "one less"): TIME,
    **{("private + 5", each): TIME for each in ("one more", "one less", "operands", "dropped")},
    ("fits.71 + 5", "one more"): "the slot holds a key of a kind that has a number of its own",
    ("end.56 + 4", "dropped"): TWICE_N,
    ("end.56 + 5", "action"): TWICE_N,
    ("double.58 + 2", "action"): TWICE_N,
    ("entered.54 + 2", "dropped"): TWICE_N,
    ("entered.54 + 2", "pair"): TWICE_N,
    ("entered.54 + 3", "action"): TWICE_N,
    ("entered.54 + 6", "action"): SAME,
    ("below.66 + 0", "action"): SAME,
    ("exponentiate.pair.loaded + 1", "a_words"): ZERO,
    ("end.80 + 1", "a_words"): ZERO,
    ("below.74 + 4", "v_words"): ZERO,
    ("self_test.bit + 2", "v_words"): ZERO,
    ("self_test.bit + 3", "v_words"): ZERO,
    ("loaded + 7", "words"): ZERO,
    **{("loaded + 8", each): ZERO for each in ("words", "u_words", "v_words")},
    ("fault + 2", "one more"): "any reason but that of a clear is a fault",
    ("public + 1", "operands"): GUARD,
    **{(each, "action"): SAME for each in ("answer + 8", "end.70 + 20", "private.end + 1")},
    **{(each, "action"): SAME for each in ("plain.79 + 0", "plain.97 + 0")},
    ("first.91 + 2", "block d"): "the difference itself is not used, only its sign",
    **{(each, "dropped"): START for each in ("start + 0", "ready + 0", "clear? + 1")},
    ("begin + 13", "one less"): "no number has as many words as a block",
    ("passes.1 + 2", "one less"): TIME,
    ("passes.1 + 5", "one more"): TIME,
    **{(each, "one less"): SPARE for each in ("passes.1 + 5", "passes.32 + 5", "passes.51 + 4")},
    **{("begin.given_up + 1", each): DRAINED for each in ("dropped", "condition")},
    ("refuse + 1", "condition"): DRAINED,
    **{("failed + 15", each): ZERO for each in ("u_words", "v_words")},
    **{("clear.slot + 60", each): ZERO for each in ("u_words", "v_words")},
    **{("failed + 21", each): "such an answer is too long in any case" for each in ONE_OFF},
    ("clear + 0", "one more"): "a slot that is not there is wiped as well",
    **{("clear.slot + 63", each): "what follows responds too" for each in ("dropped", "condition")},
    ("load_plain + 6", "dropped"): "the same refusal comes at the packet's end",
    **{("noted.3 + 7", each): TIME for each in ONE_OFF},
    **{("noted.3 + 8", each): LEAST for each in ONE_OFF},
    ("noted.3 + 9", "one less"): LEAST,
    ("noted.13 + 3", "one more"): TIME,
    ("load_rsa.lengths + 6", "one more"): TIME,
    ("load_rsa.lengths + 14", "operands"): "a difference is 0 in both orders",
    **{("load_rsa.lengths + 15", each): TIME for each in ("dropped", "one more")},
    **{("load_rsa.lengths + 17", each): TIME for each in ONE_OFF},
    ("longer.14 + 0", "one more"): TIME,
    **{
        ("longer.14 + 2", each): "the longer prime has 15 digits"
        for each in ("dropped", "condition")
    },
    ("divide.16 + 3", "one more"): TIME,
    ("least.17 + 0", "one more"): TIME,
    ("noted.21 + 10", "one less"): TIME,
    ("noted.21 + 11", "one more"): TIME,
    ("windows.24 + 5", "one more"): TIME,
    ("chosen.29 + 2", "one more"): TIME,
    ("passes.32 + 5", "one more"): TIME,
    ("passes.32 + 7", "one more"): "a product reduces a longer random number as well",
    ("newton.33 + 8", "one less"): SAME,
    ("lead.38 + 3", "one more"): "the doublings reduce a larger first power as well",
    ("double.35 + 3", "one more"): TIME,
    **{("double.35 + 13", each): TWICE_N for each in ("dropped", "block v")},
    ("end.56 + 4", "block v"): TWICE_N,
    ("chosen.47 + 1", "one less"): TIME,
    ("passes.50 + 2", "one less"): TIME,
    **{("set_up.recombination + 11", each): ZERO for each in ("dropped", "block d")},
    **{(each, "pair"): OTHER for each in ("window.64 + 1", "window.104 + 1", "below.109 + 0")},
    **{(each, "action"): SAME for each in ("table.68 + 8", "table.103 + 8", "below.109 + 0")},
    ("below.109 + 0", "u_words"): ZERO,
    ("end.98 + 1", "a_words"): ZERO,
    ("loaded + 2", "dropped"): "only a flipped bit asks whether it was answered",
    ("below.74 + 1", "dropped"): "an exponent is blinded where that is not asked for",
    **{(each, "block d"): COPY for each in ("table.85 + 9", "table.103 + 8")},
    ("right.114 + 2", "condition"): "the self-test's result is right here",
}

REASONS |= {
    (where, what): ORDER
    for where in ("below.62 + 1", "exponentiate.pair.loaded + 0")
    for what in ("operands",)
}
REASONS |= {
    (where, what): GUARD
    for where, every in (
        ("end.65 + 0", ("dropped",)),
        ("answer + 0", ("dropped",)),
        ("end.70 + 7", ("dropped",)),
        ("end.70 + 11", ("dropped",)),
        ("private.check + 0", ("block d", "u_words")),
        ("private.check + 3", ("dropped", "condition")),
    )
    for what in every
}
REASONS |= {
    ("fits.71 + " + place_, what): NOTHING_STATED
    for place_, every in (
        ("6", ("one more", "one less")),
        (
            "7",
            (
                *("dropped", "block d", "words", "pair", "block u", "u_words", "v_words"),
                *("operands", "action"),
            ),
        ),
        ("8", ("dropped",)),
        ("9", ("dropped", "condition")),
    )
    for what in every
}
REASONS |= {
    (where, what): SCANNED
    for where in ("short.75 + 3", "below.90 + 1", "private.whole + 3")
    for what in ("block d", "words", "pair", "u_words", "action")
}


REASONS |= {
    (where, what): ASTRAY
    for where, every in (
        ("passes.1 + 10", ("dropped", "one more", "one less")),  # from reset, without a packet
        ("failed + 17", ("dropped",)),
        ("failed + 18", ("dropped",)),
        ("failed + 19", ("dropped", "one more")),
        ("info + 2", ("dropped", "one more", "one less")),
    )
    for what in every
}
# Zeros over what a private operation, the self-test or the slot's last key has left.
REASONS |= {
    (where, what): LEFT
    for where in (*(f"private.end + {i}" for i in range(2, 8)), "right.115 + 0")
    for what in ("dropped", "block d", "words", "pair", "u_words", "v_words", "action")
}
REASONS |= {
    (where, "dropped"): LEFT
    for where in ("load_plain + 1", "load_rsa + 1", "load_pair + 1", "loaded + 6")
}


def reason(program: Program, mutant: Mutant) -> str:
    """Why a change may succeed; empty if it must make a proof fail."""
    name, distance = place(program, mutant.at).split("(")[1].split(")")[0].split(" + ")
    op = program.instructions[mutant.at]
    if int(distance) in WIPES.get(name, ()):
        return "registers are wiped"
    if int(distance) in RINGS.get(name, ()):
        return "the result is right on each ring; tests/unit/compare has the time"
    if name == "clear.slot" and isinstance(op, Scalar) and op.d in KEY_SCALARS + CLEARED_SCALARS:
        return LATER
    return REASONS.get((f"{name} + {distance}", mutant.what), "")
