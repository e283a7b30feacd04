"""What is in `checks/`, `test_libtotient.py` runs in a process of its own."""

collect_ignore = ["checks"]
