"""What a routed iCE40 really is: from its configuration to a netlist that can be run.

As `totient.flow.ecp5`: nothing here looks at the RTL, at the synthesised netlist or at `rtl/prim`.
The way is that of the device: bits of a configuration (`configuration`), the wires that they join
and the settings that they are (`database`), and the cells at their ends (`extraction`).
"""
