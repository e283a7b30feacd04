"""Tests of the engine's program, its machine and its timing."""
