"""What a routed Gowin device really is: from its bitstream to a netlist that can be run.

As `totient.flow.ecp5`: nothing here looks at the RTL, at the synthesised netlist or at `rtl/prim`.
What a bit means says Project Apicula, whose library (the PyPI package apycula) reads the tiles.
"""
