from .floorplan import has_chain
from .netlist_verilog import netlist_files, synthesised_verilog
from .routed_netlists import netlist_check_digest, routed_files
from .routing import SEEDS, check_seeds, place_and_route, routed
from .rtl import Rtl, top_rtl
from .synthesis import synthesise
from .target import NO_ROUTER, Target
from .targets import TARGETS, find_target
from .timing_report import CriticalPath, Routing
from .utilisation import Utilisation
from .versions import tool_version

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
