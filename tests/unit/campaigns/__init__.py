"""Tests of `totient.campaigns`."""
