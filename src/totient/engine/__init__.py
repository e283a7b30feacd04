"""The engine's program: instruction set, assembler, program, machine and timing."""
