"""Tests of the algorithms in integers."""
