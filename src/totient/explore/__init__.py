"""Exploration: every design of the catalog against limits, measured or predicted."""
