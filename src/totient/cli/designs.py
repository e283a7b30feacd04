"""Commands that show the catalog."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from totient.cli.options import DesignArgument, JsonOption, SetOption, WidthOption
from totient.cli.report import print_json
from totient.common.errors import InputError
from totient.report.terminal import show_table

if TYPE_CHECKING:
    from totient.catalog import Configuration, Design, Ip, IpConfiguration, Parameter, System
    from totient.catalog.parameters import Parameters


def list_designs(as_json: JsonOption = False) -> None:
    """List the designs, the IPs that are more than a core with an interface, and the systems."""
    from totient.catalog import SYSTEM, designs, ips

    if as_json:
        print_json(
            {
                "designs": [_entry(design.configure()) for design in designs()],
                "ips": [_ip_entry(ip.configure()) for ip in ips()],
                "systems": [_head(SYSTEM)],
            }
        )
        return
    times = ((design, design.configure().timing_words) for design in designs())
    _list("design", "time by default", times)
    print()
    _list("IP", "faces", ((ip, ", ".join(sorted(ip.faces))) for ip in ips()))
    print()
    show_table(
        ("system", "row", "description"),
        ((SYSTEM.name, ", ".join(SYSTEM.rows), SYSTEM.title),),
        texts=3,
    )


def _list(kind: str, fact: str, entries: "Iterable[tuple[Design | Ip, str]]") -> None:
    """Print entries of a kind, each with a fact of this name."""
    show_table(
        (kind, "row", "description", fact, "parameters"),
        (
            (
                each.name,
                ", ".join(each.rows),
                each.title,
                text,
                ", ".join(p.name for p in each.parameters),
            )
            for each, text in entries
        ),
        texts=5,
    )


def show(
    design: DesignArgument,
    width: WidthOption = None,
    settings: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a design: parameters, timing, cycle formulas, and its Records.

    For an IP, and for the face rsa_axil, also the registers.
    """
    from totient.catalog import IpConfiguration, System
    from totient.catalog.modules import FACES
    from totient.cli.settings import subject

    if design in FACES:
        if width is not None or settings:
            raise InputError(f"{design} is a face of any design, whose parameters are the design's")
        _show_face(design, as_json=as_json)
        return
    chosen = subject(design, width, settings)
    if isinstance(chosen, IpConfiguration):
        print_json(_ip_entry(chosen)) if as_json else _show_ip(chosen)
    elif isinstance(chosen, System):
        print_json(_head(chosen)) if as_json else _show_system(chosen)
    elif as_json:
        print_json({**_entry(chosen), **_evidence(chosen)})
    else:
        _show_design(chosen)


def _show_system(system: "System") -> None:
    print(f"{system.name} ({', '.join(system.rows)}): {system.title}")
    print(f"  source  {system.source}")
    print("  made by totient.litex, with the packages of the extra soc")


def _evidence(chosen: "Configuration") -> dict[str, object]:
    """Data of a configuration for programs: cycles by formula, and its Records."""
    from totient.catalog import request_cycles
    from totient.export.evidence import evidence, examples

    by_exponent = {
        words: {"setup_cycles": setup, "cycles": operation}
        for words, setup, operation in examples(chosen)
    }
    rsa = {
        f"RSA-{bits}": {
            "setup_cycles": setup,
            "private": private,
            "public": public,
            "private_first_in_to_last_out": request_cycles(chosen.parameters, bits),
            "public_first_in_to_last_out": request_cycles(chosen.parameters, bits, public=True),
        }
        for bits, setup, private, public in _rsa_operations(chosen)
    }
    terms = chosen.design.operation.term_values(chosen.parameters)
    return {"terms": terms, "cycles": by_exponent, "rsa": rsa, "evidence": evidence(chosen)}


def _show_design(chosen: "Configuration") -> None:
    found = chosen.design
    rows = f" ({', '.join(found.rows)})" if found.rows else ""
    print(f"{found.name}{rows}: {found.title}")
    print(f"  source         {found.source}")
    print(f"  core           {found.module}, FuseSoC {found.core}")
    print(f"  with a stream  {found.ip_module}, FuseSoC {found.ip_core}")
    print(f"  time           {chosen.timing_words}")
    _show_cycles(chosen)
    if found.rows:
        print("  rows")
    for row, fixed in found.rows.items():
        given = ", ".join(f"{name} = {value}" for name, value in fixed.items())
        print(f"    {row:12} {given or 'all parameters at their defaults'}")
    print(f"  configurations {', '.join(found.configurations)}")
    _show_evidence(chosen)
    _show_parameters(found.parameters, chosen.parameters)


def _show_cycles(chosen: "Configuration") -> None:
    from totient.catalog import PUBLIC_EXPONENT, request_cycles
    from totient.export.evidence import examples
    from totient.report.values import grouped

    print(f"  load key       cycles: {chosen.design.setup.text}")
    print(f"  exponentiate   cycles: {chosen.design.operation.text}")
    for line in _named(chosen):
        print(f"    {line}")
    for kind, setup, cycles in examples(chosen):
        print(f"    {kind:12} {grouped(setup)} to load the key, {grouped(cycles)} to exponentiate")
    for bits, setup, private, public in _rsa_operations(chosen):
        print(
            f"    {f'RSA-{bits}':12} {grouped(setup)} to load the key, {grouped(private)} for a "
            f"private operation by CRT, {grouped(public)} for a public one, e = {PUBLIC_EXPONENT}"
        )
        seen = [grouped(request_cycles(chosen.parameters, bits, public=p)) for p in (False, True)]
        print(f"    {'':12} {seen[0]} and {seen[1]} from the first word in to the last word out")


def _show_parameters(parameters: "Sequence[Parameter]", values: "Parameters") -> None:
    show_table(
        ("parameter", "RTL", "allowed", "value", "meaning"),
        ((p.name, p.rtl, p.allowed, str(values[p.name]), p.text) for p in parameters),
        texts=5,
    )


def _named(chosen: "Configuration") -> Iterator[str]:
    """Terms of a design's formulas with their values here, and the formulas' other symbols."""
    from totient.catalog import SYMBOLS

    terms: dict[str, str] = {}
    values: dict[str, int] = {}
    names: set[str] = set()
    for formula in (chosen.design.setup, chosen.design.operation):
        terms |= dict(zip(formula.terms, formula.term_texts, strict=True))
        values |= formula.term_values(chosen.parameters)
        names |= formula.names
    for name, text in terms.items():
        yield f"{text}, here {values[name]:,}" if name in values else text
    yield from (f"{name}: {text}" for name, text in SYMBOLS.items() if name in names)


def _show_ip(chosen: "IpConfiguration") -> None:
    from totient.catalog import cycle_formulas, symbols, work_examples
    from totient.report.values import grouped

    ip = chosen.ip
    print(f"{ip.name} ({', '.join(ip.rows)}): {ip.title}")
    print(f"  source  {ip.source}")
    print(f"  IP      {ip.module}, FuseSoC {ip.core}")
    print(f"  faces   {', '.join(sorted(ip.faces))}")
    print(f"  time    {ip.timing}")
    print("  cycles")
    formulas = cycle_formulas(ip)
    for name, formula in formulas.items():
        print(f"    {name:8} {formula.title}:")
        print(f"             {formula.text}")
    for name, text in symbols(ip).items():
        print(f"    {name:8} {text}")
    for what, work in work_examples(chosen).items():
        cycles = (f"{name} {grouped(f.cycles(chosen, work))}" for name, f in formulas.items())
        print(f"    here     {what}: {', '.join(cycles)}")
    _show_evidence(chosen)
    if ip.parameters:
        _show_parameters(ip.parameters, chosen.parameters)
        print()
    if ip.register_map:
        _show_registers(ip.register_map)


def _show_evidence(chosen: "Configuration | IpConfiguration") -> None:
    """Print the Records' figures and an empty line."""
    from totient.export.evidence import evidence

    known = evidence(chosen)
    if not known:
        print(f"  no Record is kept of this configuration: totient measure '{chosen.label}'")
    for name, lines in known.items():
        print(f"  {name}")
        for line in lines:
            print(f"    {line}")
    print()


def _show_registers(name: str) -> None:
    from totient.export.registers import register_rows

    show_table(
        ("offset", "register", "words", "access", "description, fields (bits)"),
        register_rows(name),
        texts=(True, True, False, True, True),
        title=f"contract/{name}.rdl: offsets in bytes",
    )


def _show_face(name: str, *, as_json: bool) -> None:
    """Show a top module for any design."""
    from totient.catalog.modules import FACES, parameter_texts, register_map

    texts, found = parameter_texts(name), register_map(name)
    if as_json:
        print_json(
            {
                "name": name,
                "title": FACES[name],
                "ip_core": f"totient:ip:{name}",
                "parameters": [{"rtl": rtl, "text": text} for rtl, text in texts.items()],
                "registers": _registers(found),
            }
        )
        return
    print(f"{name}: {FACES[name]}")
    print(f"  FuseSoC totient:ip:{name}\n")
    show_table(("RTL parameter", "meaning; allowed"), texts.items(), texts=2)
    if found:
        print()
        _show_registers(found)


def _parameter_entries(
    parameters: Sequence["Parameter"], values: "Parameters"
) -> list[dict[str, object]]:
    """Parameters of a design or an IP, for programs."""
    return [
        {
            "name": parameter.name,
            "rtl": parameter.rtl,
            "value": values[parameter.name],
            "allowed": parameter.allowed,
            "text": parameter.text,
        }
        for parameter in parameters
    ]


def _head(entry: "Design | Ip | System") -> dict[str, object]:
    """What all kinds of entries have, for programs."""
    return {
        "name": entry.name,
        "title": entry.title,
        "rows": entry.rows,
        "source": entry.source,
    }


def _registers(name: str) -> dict[str, object]:
    """A register map, for programs."""
    from totient.catalog import registers

    return {register: vars(each) for register, each in registers(name).items()}


def _ip_entry(chosen: "IpConfiguration") -> dict[str, object]:
    """An IP, for programs."""
    from totient.catalog import cycle_formulas, work_examples

    ip = chosen.ip
    formulas = cycle_formulas(ip)
    return {
        **_head(ip),
        "ip_core": ip.core,
        "ip_module": ip.module,
        "faces": sorted(ip.faces),
        "timing": ip.timing,
        "parameters": _parameter_entries(ip.parameters, chosen.parameters),
        "formulas": {
            name: {"title": formula.title, "formula": formula.text}
            for name, formula in formulas.items()
        },
        "cycles": {
            what: {name: formula.cycles(chosen, work) for name, formula in formulas.items()}
            for what, work in work_examples(chosen).items()
        },
        "registers": _registers(ip.register_map),
    }


def _rsa_operations(chosen: "Configuration") -> Iterator[tuple[int, int, int, int]]:
    """For an engine: key length, cycles to load the key, for a private and a public operation.

    By formula, for keys with primes up to the longest; private operations are blinded and checked.
    Empty for other designs.
    """
    from totient.catalog import RsaLengths, rsa_cycles
    from totient.measure.engine import LENGTHS

    for bits in sorted({*LENGTHS, chosen.width}) if chosen.key_slots else ():
        if bits <= chosen.width:
            lengths = RsaLengths(bits, prime_bits=(bits // 2, bits // 2))
            yield bits, *rsa_cycles(chosen.parameters, lengths)


def _entry(chosen: "Configuration") -> dict[str, object]:
    """A catalog entry, for programs."""
    design = chosen.design
    return {
        **_head(design),
        "core": design.core,
        "module": design.module,
        "ip_core": design.ip_core,
        "ip_module": design.ip_module,
        "timing": chosen.timing.name.lower().replace("_", "-"),
        "setup_formula": "; ".join([design.setup.text, *design.setup.term_texts]),
        "operation_formula": "; ".join([design.operation.text, *design.operation.term_texts]),
        "configurations": design.configurations,
        "parameters": _parameter_entries(design.parameters, chosen.parameters),
    }
