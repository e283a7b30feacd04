"""The netlist of a routed ECP5: from its configuration to a netlist that can be run.

Nothing here uses the RTL, the synthesised netlist or `rtl/prim`. The path is that of the device:
settings and arcs of a configuration (`configuration`), the wires joined by arcs and fixed
connections (`database`, `fabric`), the cells at their ends (`extraction`), and their Verilog
(`verilog`).
"""
