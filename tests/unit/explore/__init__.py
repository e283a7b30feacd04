"""Tests of `totient.explore`."""
