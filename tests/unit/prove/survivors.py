"""Changes of the program with which each proof succeeds, and why."""

from totient.engine.assembler import Program
from totient.engine.instructions import Scalar
from totient.engine.layout import CLEARED_SCALARS, KEY_SCALARS
from totient.prove.instructions import place
from totient.prove.mutations import Mutant

# The working page is wiped before these; they write zeros over the registers of the datapath, of
# which the model has none.
WIPES = {"failed": range(1, 15), "clear.slot": range(39, 53)}
LATER = "a load writes each of a key's scalars before it is read"
TIME = "only the time is longer: more words, digits, positions or steps than are needed"
ZERO = "what is read besides is 0, or is overwritten before it is read"
SAME = "the same value"
ORDER = "a product's operands have one order as well as the other"
GUARD = "a second line of defence, which tests/unit/engine tries with wrong numbers"
NOTHING_STATED = "a base of no words, which the machine on integers has (tests/unit/engine)"
SCANNED = "the value of e is that of the packet here, whatever was copied to be scanned"

REASONS = {
    ("ready + 4", "dropped"): "written before it is read; against a flipped bit",
    ("ready + 4", "one more"): "written before it is read; against a flipped bit",
    ("ready + 4", "one less"): "written before it is read; against a flipped bit",
    ("ready + 1", "dropped"): "written at the start; against a flipped bit",
    ("begin.longer + 1", "one less"): "an answer that has begun becomes too long in any case",
    ("loaded + 2", "one more"): "only compared with 0",
    ("self_test.bit + 3", "dropped"): "the self-test's power is 1 for the exponent 0, too",
    ("self_test.bit + 5", "one less"): TIME,
    ("self_test.done + 1", "u_words"): "a result that is right is also right in two words",
    ("right.116 + 0", "u_words"): "a result that is right is also right in two words",
    ("self_test.done + 1", "pair"): ZERO,
    ("table.65 + 8", "action"): SAME,
    ("below.64 + 0", "action"): SAME,
    ("below.64 + 0", "v_words"): ZERO,
    ("below.64 + 2", "a_words"): ZERO,
    ("newton.54 + 1", "v_words"): ZERO,
    ("fits.109 + 6", "block d"): "another block without a number in use",
    ("fits.89 + 0", "block d"): "the window unit takes the exponent, its copy is not used",
    ("end.97 + 7", "block d"): "the difference itself is not used, only its sign",
    ("below.92 + 2", "operands"): "a product's operands have one order as well as the other",
    ("newton.34 + 2", "operands"): "a product's operands have one order as well as the other",
    ("load_rsa.lengths + 16", "dropped"): "its value is not used",
    ("load_rsa.lengths + 19", "dropped"): "its value is not used",
    ("info + 14", "dropped"): SAME,
    ("load_plain + 11", "dropped"): "no error can have been noted before the first number",
    ("noted.21 + 11", "one less"): "of two equal lengths either one is the longer one",
    ("set_up_pair + 1", "one more"): TIME,
    ("least.17 + 0", "one less"): TIME,
    ("least.41 + 0", "one more"): TIME,
    ("noted.3 + 9", "one more"): TIME,
    ("windows.24 + 2", "one more"): "a window of 0 bits is added: a product with 1",
    ("windows.24 + 4", "one more"): TIME,
    ("windows.24 + 7", "condition"): TIME,
    ("windows.24 + 10", "dropped"): TIME,
    ("longer.29 + 1", "one more"): TIME,
    ("longer.47 + 2", "dropped"): TIME,
    ("ring.46 + 0", "one more"): TIME,
    ("ring.46 + 2", "one more"): TIME,
    ("newton.34 + 6", "dropped"): TIME,
    ("newton.34 + 6", "one more"): TIME,
    ("newton.34 + 7", "one more"): "a number modulo n has room for each step",
    ("doubled.55 + 1", "one more"): TIME,
    ("lead.63 + 3", "one less"): TIME,
    ("divide.25 + 3", "one more"): TIME,
    ("divide.25 + 4", "one less"): TIME,
    ("divide.43 + 3", "one more"): TIME,
    ("table.65 + 3", "one more"): TIME,
    ("table.105 + 3", "one more"): TIME,
    ("private + 4", "condition"): TIME,
    ("public + 5", "one less"): TIME,
    ("load_rsa + 5", "one more"): "a kind without private numbers is only compared with others",
    ("private + 4", "one more"): TIME,
    ("private + 4", "one less"): TIME,
    **{("private + 5", each): TIME for each in ("one more", "one less", "operands", "dropped")},
    ("fits.73 + 5", "one more"): "the slot holds a key of a kind that has a number of its own",
    **{("windows.24 + 7", each): TIME for each in ("dropped", "one more", "one less")},
    **{
        ("set_up_primes + 3", each): TIME
        for each in ("dropped", "one more", "one less", "condition")
    },
    ("end.58 + 4", "dropped"): "a number below 2 n is as good",
    ("end.58 + 5", "action"): "a number below 2 n is as good",
    **{(each, "action"): SAME for each in ("answer + 8", "end.72 + 20", "private.end + 1")},
    **{(each, "action"): SAME for each in ("plain.81 + 0", "plain.99 + 0")},
    ("first.93 + 2", "block d"): "the difference itself is not used, only its sign",
}

REASONS |= {
    (where, what): ORDER
    for where in ("below.64 + 1", "exponentiate.pair.loaded + 0")
    for what in ("operands",)
}
REASONS |= {
    (where, what): GUARD
    for where, every in (
        ("end.67 + 0", ("dropped",)),
        ("answer + 0", ("dropped",)),
        ("end.72 + 7", ("dropped",)),
        ("end.72 + 11", ("dropped",)),
        ("private.check + 0", ("block d", "u_words")),
        ("private.check + 3", ("dropped", "condition")),
    )
    for what in every
}
REASONS |= {
    ("fits.73 + " + place_, what): NOTHING_STATED
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
    for where in ("short.77 + 3", "below.92 + 1", "private.whole + 3")
    for what in ("block d", "words", "pair", "u_words", "action")
}


def reason(program: Program, mutant: Mutant) -> str:
    """Why a change may succeed; empty if it must make a proof fail."""
    name, distance = place(program, mutant.at).split("(")[1].split(")")[0].split(" + ")
    op = program.instructions[mutant.at]
    if int(distance) in WIPES.get(name, ()):
        return "registers are wiped"
    if name == "clear.slot" and isinstance(op, Scalar) and op.d in KEY_SCALARS + CLEARED_SCALARS:
        return LATER
    return REASONS.get((f"{name} + {distance}", mutant.what), "")
