"""Tests of the tool, without a simulated core."""
