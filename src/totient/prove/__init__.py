"""Proofs of the engine: of its program, and that it is wiped.

The program: its instructions run on symbols, for all values of the inputs.

`algebra` has sums of products with symbols in exponents. `facts` has what is known of each number:
its bounds, and its residues. `memory` is the digit memory. `machine` executes the instructions.
`specification` says what RSA demands, in the terms of RFC 8017. `operations` proves one operation
each, `program` is the command. `mutations` changes the program, to see whether a proof fails.

Wiping: `three_valued` has models of RTL in which bits may be unknown, `unknown_state` reads and
changes them, `wiping` is the command.
"""
