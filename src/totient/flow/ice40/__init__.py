"""The netlist of a routed iCE40: from its configuration to a netlist that can be run.

As `totient.flow.ecp5`: nothing here uses the RTL, the synthesised netlist or `rtl/prim`. The path
is
that of the device: bits of a configuration (`configuration`), the wires that they join and their
settings (`database`), and the cells at the ends of wires (`extraction`).
"""
