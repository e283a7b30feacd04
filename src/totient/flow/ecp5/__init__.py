"""What a routed ECP5 really is: from its configuration to a netlist that can be run.

Nothing here looks at the RTL, at the synthesised netlist or at `rtl/prim`. The way is that of the
device: settings and arcs of a configuration (`configuration`), the wires that arcs and fixed
connections join (`database`, `fabric`), the cells at their ends (`extraction`), and Verilog of them
(`verilog`).
"""
