"""Tests of tables, figures and conclusions."""
