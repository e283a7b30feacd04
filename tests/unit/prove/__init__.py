"""Tests of the proof of the engine's program."""
