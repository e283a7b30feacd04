"""Tests of what every part uses."""
