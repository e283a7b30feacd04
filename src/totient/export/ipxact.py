"""The exported IP as a component of IP-XACT (IEEE 1685-2014): ports, buses, registers, files.

The elements and their order are those of `ipyxact`'s classes, which are generated from the
standard's schema. The memory map comes from `contract/` through `make contract`.
"""

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from ipyxact import ipxact2014 as xact
from lxml import etree

from totient.catalog import memory_map
from totient.export.ports import ModuleParameter, Port

VENDOR, LIBRARY = "totient", "export"
_NAMESPACE = "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NAMESPACES = (
    f'xmlns:ipxact="{_NAMESPACE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    f'xsi:schemaLocation="{_NAMESPACE} {_NAMESPACE}/index.xsd"'
)
_STREAM = ("AXI4Stream", "r0p0_1")
_LITE = ("AXI4-Lite", "r0p0_0")
_BUSES: Mapping[str, tuple[tuple[str, str], bool]] = {
    "s_axis": (_STREAM, False),
    "m_axis": (_STREAM, True),
    "random": (_STREAM, False),
    "s_axil": (_LITE, False),
}
"""Ports with these names before the last `_`: ARM's bus definition, and whether it is a master."""
_COMMON = {"aclk": "ACLK", "aresetn": "ARESETn"}
"""Clock and reset of each bus interface, as ARM's bus definitions name them."""
_TYPES = {
    ".sv": "systemVerilogSource",
    ".svh": "systemVerilogSource",
    ".h": "cSource",
    ".v": "verilogSource",
    ".xdc": "tclSource",
    ".tcl": "tclSource",
}
"""The standard's file types by suffix; others have the type `user`."""


def component(
    name: str,
    version: str,
    description: str,
    ports: Sequence[Port],
    parameters: Iterable[tuple[ModuleParameter, int | str]],
    register_map: str,
    files: Mapping[str, Sequence[tuple[str, bool]]],
) -> str:
    """The component, as the text of an XML file.

    Args:
        name: of the module, which is also the component's.
        version: of the tool.
        description: of the component.
        ports: of the module.
        parameters: of the built module; none of them can be set any more.
        register_map: name of the map behind the AXI4-Lite port; empty without one.
        files: by the name of a file set, in the order of compilation, those of the module in the
            set `rtl`; true: an included file. Paths are relative to that of the component.
    """
    made = xact.Component(
        vendor=VENDOR,
        library=LIBRARY,
        name=name,
        version=version,
        description=description,
        memoryMaps=_memory_maps(register_map) if register_map else None,
        model=_model(name, ports),
        fileSets=xact.fileSets([_file_set(each, listed) for each, listed in files.items()]),
    )
    if buses := _buses(ports, made.memoryMaps):
        made.BusInterfaces = xact.BusInterfaces(buses)
    built = [_parameter(parameter, value) for parameter, value in parameters]
    if built:
        made.parameters = xact.parameters(built)
    text = io.StringIO()
    made.export(text, 0, name_="component", namespacedef_=_NAMESPACES)
    root = etree.fromstring(text.getvalue())
    for each in root.iter():
        # ipyxact writes elements that are declared inside another element without their namespace.
        if not each.tag.startswith("{"):
            each.tag = f"{{{_NAMESPACE}}}{each.tag}"
    etree.indent(root)
    return f"{_HEAD}{etree.tostring(root, encoding='unicode')}\n"


def _memory_maps(register_map: str) -> Any:
    return xact.parseString(memory_map(register_map).encode(), silence=True).memoryMaps


def _parameter(parameter: ModuleParameter, value: int | str) -> Any:
    """A fixed parameter: a number, one of many bits, or a text."""
    made = xact.parameterType(
        parameterId=f"built_{parameter.name}",
        name=parameter.name,
        description=parameter.text,
        type_="longint",
        resolve="immediate",
    )
    written = str(value)
    if sized := sized_bits(value):
        made.type_, made.Vectors = "bit", _vectors(sized)
    elif isinstance(value, str):
        made.type_, written = "string", f'"{value}"'
    made.value = xact.stringExpression(valueOf_=written)
    return made


def sized_bits(value: int | str) -> int:
    """Bits of a number as SystemVerilog writes it with its size; 0 for anything else."""
    match = re.fullmatch(r"(\d+)'[bdh][0-9a-fA-F]+", value) if isinstance(value, str) else None
    return int(match[1]) if match else 0


def _vectors(bits: int) -> Any:
    left, right = (xact.unsignedIntExpression(valueOf_=str(at)) for at in (bits - 1, 0))
    return xact.Vectors([xact.Vector(left=left, right=right)])


def _buses(ports: Sequence[Port], maps: Any) -> list[Any]:
    """A bus interface for each group of ports that has one."""
    found = []
    for prefix, ((bus, version), master) in _BUSES.items():
        group = {
            port.name: port.name.rpartition("_")[2].upper()
            for port in ports
            if port.name.rpartition("_")[0] == prefix
        }
        if not group:
            continue
        common = {port.name: _COMMON[port.name] for port in ports if port.name in _COMMON}
        of = {"vendor": "amba.com", "library": "AMBA4", "version": version}
        wires = [
            xact.PortMap(
                logicalPort=xact.LogicalPort(name=logical),
                physicalPort=xact.PhysicalPort(name=name),
            )
            for name, logical in (common | group).items()
        ]
        abstraction = xact.AbstractionType(
            abstractionRef=xact.ConfigurableLibraryRef(name=f"{bus}_rtl", **of),
            portMaps=xact.PortMaps(wires),
        )
        role: dict[str, Any] = {"master": xact.Master()} if master else {"slave": xact.Slave()}
        if bus == _LITE[0] and maps is not None:
            mapped = xact.memoryMapRefType(memoryMapRef=maps.memoryMap[0].name)
            role["slave"].memoryMapRef = mapped
        found.append(
            xact.BusInterface(
                name=prefix,
                busType=xact.ConfigurableLibraryRef(name=bus, **of),
                AbstractionTypes=xact.AbstractionTypes([abstraction]),
                **role,
            )
        )
    return found


def _model(name: str, ports: Sequence[Port]) -> Any:
    view = xact.viewType(name="rtl", componentInstantiationRef="rtl")
    instantiation = xact.componentInstantiationType(
        name="rtl",
        language=xact.languageType(valueOf_="systemVerilog"),
        moduleName=name,
        fileSetRef=[xact.fileSetRef(localName="rtl")],
    )
    return xact.Model(
        views=xact.viewsType([view]),
        instantiations=xact.instantiationsType([instantiation]),
        ports=xact.portsType71([_port(each) for each in ports]),
    )


def _port(port: Port) -> Any:
    direction = {"input": "in", "output": "out"}[port.direction]
    vectors = _vectors(port.bits) if port.bits > 1 else None
    wire = xact.PortWire(direction=direction, Vectors=vectors)
    return xact.Port(name=port.name, description=port.text, wire=wire)


def _file_set(name: str, files: Sequence[tuple[str, bool]]) -> Any:
    return xact.fileSetType(
        name=name,
        file=[
            xact.file(
                name=xact.stringURIExpression(valueOf_=path),
                fileType=[_file_type(path)],
                isIncludeFile=xact.isIncludeFileType(valueOf_="true") if included else None,
            )
            for path, included in files
        ],
    )


def _file_type(path: str) -> Any:
    suffix = PurePosixPath(path).suffix
    if suffix in _TYPES:
        return xact.fileType(valueOf_=_TYPES[suffix])
    return xact.fileType(user=suffix.removeprefix("."), valueOf_="user")
