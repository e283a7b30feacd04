"""Tests of what is exported."""
