"""The netlist of a routed Gowin device: from its bitstream to a netlist that can be run.

As `totient.flow.ecp5`: nothing here uses the RTL, the synthesised netlist or `rtl/prim`. The
meaning of the bits is from Project Apicula, whose library (the PyPI package apycula) reads the
tiles.
"""
