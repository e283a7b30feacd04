"""From RTL to utilisation (Yosys) and to a maximum clock frequency (nextpnr)."""

from totient.flow.floorplan import has_chain
from totient.flow.netlist_verilog import netlist_files, synthesised_verilog
from totient.flow.routed_netlists import netlist_check_digest, routed_files
from totient.flow.routing import SEEDS, Routing, check_seeds, place_and_route, routed
from totient.flow.rtl import Rtl, top_rtl
from totient.flow.synthesis import synthesise
from totient.flow.target import NO_ROUTER, Target
from totient.flow.targets import TARGETS, find_target
from totient.flow.timing_report import CriticalPath
from totient.flow.utilisation import Utilisation
from totient.flow.versions import tool_version

__all__ = [
    "NO_ROUTER",
    "SEEDS",
    "TARGETS",
    "CriticalPath",
    "Routing",
    "Rtl",
    "Target",
    "Utilisation",
    "check_seeds",
    "find_target",
    "has_chain",
    "netlist_check_digest",
    "netlist_files",
    "place_and_route",
    "routed",
    "routed_files",
    "synthesise",
    "synthesised_verilog",
    "tool_version",
    "top_rtl",
]
