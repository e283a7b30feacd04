"""Tests of keys and schemes, over a device that computes with `pow`."""
