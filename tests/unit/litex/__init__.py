"""Tests of totient.litex."""
