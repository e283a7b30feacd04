"""Tests of totient.power."""
