"""Changes of the program with which each proof succeeds, and why."""

from totient.engine.assembler import Program
from totient.engine.instructions import Scalar
from totient.engine.layout import KEY_SCALARS
from totient.prove.instructions import place
from totient.prove.mutations import Mutant

# The working page is wiped before these; they write zeros over the registers of the datapath, of
# which the model has none.
WIPES = {"failed": range(1, 15), "clear.slot": range(39, 53)}
LATER = "a load writes each of a key's scalars before it is read"
TIME = "only the time is longer: more words, digits, positions or steps than are needed"
ZERO = "what is read besides is 0, or is overwritten before it is read"
SAME = "the same value"

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
    ("right.113 + 0", "u_words"): "a result that is right is also right in two words",
    ("self_test.done + 1", "pair"): ZERO,
    ("table.65 + 8", "action"): SAME,
    ("below.64 + 0", "action"): SAME,
    ("private.whole + 2", "action"): SAME,
    ("below.64 + 0", "v_words"): ZERO,
    ("below.64 + 2", "a_words"): ZERO,
    ("private.whole + 2", "v_words"): ZERO,
    ("short.76 + 1", "u_words"): ZERO,
    ("newton.54 + 1", "v_words"): ZERO,
    ("fits.106 + 6", "block d"): "another block without a number in use",
    ("fits.88 + 0", "block d"): "the window unit takes the exponent, its copy is not used",
    ("end.95 + 8", "block d"): "the difference itself is not used, only its sign",
    ("private.check + 2", "operands"): "a product's operands have one order as well as the other",
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
    ("table.103 + 3", "one more"): TIME,
    ("private + 4", "condition"): TIME,
    ("public + 5", "one less"): TIME,
}


def reason(program: Program, mutant: Mutant) -> str:
    """Why a change may succeed; empty if it must make a proof fail."""
    name, distance = place(program, mutant.at).split("(")[1].split(")")[0].split(" + ")
    op = program.instructions[mutant.at]
    if int(distance) in WIPES.get(name, ()):
        return "registers are wiped"
    if name == "clear.slot" and isinstance(op, Scalar) and op.d in KEY_SCALARS:
        return LATER
    return REASONS.get((f"{name} + {distance}", mutant.what), "")
