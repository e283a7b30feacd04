"""Tests of the compiled simulation."""
