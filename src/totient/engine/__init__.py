"""The engine's program: instruction set, assembler, the program itself, its machine and timing."""
