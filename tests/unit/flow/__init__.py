"""Tests of totient.flow."""
