"""Mutants: small defects, each put into a copy of the project, that its tests must notice.

`make mutate` runs them all, in hours. `mutants.toml` has those made by hand, `generated.toml` those
of `python -m tests.mutation.generate`.
"""
