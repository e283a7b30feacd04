"""Tests of totient.measure."""
