"""RTL compiled to native models with Verilator, run from Python."""
