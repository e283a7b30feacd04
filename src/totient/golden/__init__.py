"""The algorithms in plain integers: the specification of the RTL, step by step."""
