"""What commands refuse: a line with what was given and what is allowed; nothing is written."""

import shlex
from pathlib import Path

import pytest

from tests.unit.conftest import Run

# The words of a command, and what it says. Where that goes on it ends here with dots.
REFUSED = [
    ("fly", "No such command 'fly' (try totient --help)"),
    ("sign", "Missing option '--key' (try totient sign --help)"),
    (
        "keygen --bitz 512",
        "No such option: --bitz (Possible options: --bits) (try totient keygen --help)",
    ),
    ("keygen --bits", "Option '--bits' requires an argument (try totient keygen --help)"),
    ("keygen 512", "Got unexpected extra argument(s) (512) (try totient keygen --help)"),
    (
        "sign --key k --scheme oaep",
        "Invalid value for '--scheme': 'oaep' is not one of 'pss', 'pkcs1v15' (try totient sign "
        "--help)",
    ),
    (
        "encrypt --key k --scheme pss",
        "Invalid value for '--scheme': 'pss' is not one of 'oaep', 'pkcs1v15' (try totient "
        "encrypt --help)",
    ),
    (
        "sign --key k --hash md5",
        "Invalid value for '--hash': 'md5' is not one of 'sha1', 'sha224', 'sha256', 'sha384', "
        "'sha512', 'sha512-224', 'sha512-256', 'sha3-224', 'sha3-256', 'sha3-384', 'sha3-512', "
        "'shake128', 'shake256' (try totient sign --help)",
    ),
    (
        "sign --key k --salt-length -1",
        "--salt-length is '-1', allowed are digest, max, auto, auto-digestmax or a number from 0",
    ),
    (
        "verify --key k --signature s --salt-length 20.0",
        "--salt-length is '20.0', allowed are digest, max, auto, auto-digestmax or a number from 0",
    ),
    ("encrypt --key k --label abc", "--label is 'abc', allowed are pairs of hexadecimal digits"),
    ("decrypt --key k --label 0g", "--label is '0g', allowed are pairs of hexadecimal digits"),
    ("keygen --bits many", "--bits is 'many', allowed is a whole number (try totient keygen ..."),
    ("keygen --bits 'x: y'", "--bits is 'x: y', allowed is a whole number (try totient keygen ..."),
    ("sign --key k --clock 0", "--clock is 0, allowed is 0.000001 to 1000000 MHz"),
    (
        "keygen --bits 511",
        "key size is 511 bits, allowed are 512 to 8192, with --insecure-toy from 32",
    ),
    ("keygen --bits 31", "key size is 31 bits, allowed are 512 to 8192"),
    ("keygen --bits 31 --insecure-toy", "key size is 31 bits, allowed are 32 to 8192"),
    ("keygen --bits 8193 --insecure-toy", "key size is 8193 bits, allowed are 32 to 8192"),
    (
        "keygen --bits 32 --public-exponent 4294967295 --insecure-toy",
        "the public exponent is not below the modulus",
    ),
    ("modexp --base 3", "--modulus is missing, allowed without it is a --key"),
    ("modexp --base 3 --modulus 7", "--exponent is missing, allowed without it is a --key"),
    ("modexp --base 3 --private", "--private is given without --key, which holds the exponent"),
    (
        "modexp --base 3 --key k --exponent 3",
        "--key is given, which --modulus, --exponent, --exponent-bits exclude",
    ),
    ("modexp --base 3 --key k", "cannot read the key k: No such file or directory"),
    ("reproduce all --plot x.svg", "--plot is 'x.svg', the table of all papers has no figure"),
    ("reproduce all --table x", "unknown table 'x', known are rows"),
    ("reproduce thesis --run", "--run is given with 'thesis', allowed with 'all' only"),
    ("keygen --bits 16384", "key size is 16384 bits, allowed are 512 to 8192"),
    (
        "keygen --public-exponent 65536",
        "the public exponent is 65536, allowed are odd numbers from 3",
    ),
    ("keygen --bits 0", "key size is 0 bits, allowed are 512 to 8192"),
    ("keygen --bits 8193", "key size is 8193 bits, allowed are 512 to 8192"),
    ("explore --bits 511", "--bits is 511, allowed is 512 to 4096"),
    (
        "explore --deadline 5",
        "--deadline is '5', allowed is a number above 0 with a unit (s, ms, us), such as 5ms",
    ),
    (
        "explore --energy 2ms",
        "--energy is '2ms', allowed is a number above 0 with a unit (J, mJ, uJ), such as 2mJ",
    ),
    ("explore --lut 0", "--lut is 0, allowed is 1 or more"),
    ("explore --op sign", "--op is 'sign', allowed is private or public"),
    (
        "explore --target artix7-100t",
        "--target is artix7-100t, of which too few designs are measured to predict others; ...",
    ),
    ("explore --target ice40-up5k", "--target is ice40-up5k, of which too few designs are ..."),
    ("explore --target x", "unknown target 'x', known are ecp5-85f, ecp5-85f-7, ..."),
    ("explore --count 0", "--count is 0, allowed is 1 or more"),
    ("explore --jobs 0", "--jobs is 0, allowed is 1 or more"),
    ("explore --measure -1", "--measure is -1, allowed is 0 or more"),
    ("explore --best area", "--best is 'area', allowed is lut, time, energy"),
    ("explore --table no", "unknown table 'no', known are designs, errors, checked, winners"),
    (
        "explore --json --markdown",
        "--json and --markdown are both given, allowed is one of them",
    ),
    ("explore --csv no/a.csv", "cannot write no/a.csv: No such file or directory"),
    ("explore --parquet no/a", "cannot write no/a: No such file or directory"),
    ("explore --plot a.txt", "the figure is 'a.txt', allowed endings are .svg, .png, .pdf"),
    ("explore --clock 0", "--clock is 0, allowed is 1 to 1000 MHz"),
    ("report --out page.pdf", "--out is 'page.pdf', allowed endings are .html, .htm"),
    ("report --out no/a.html", "cannot write no/a.html: No such file or directory"),
    ("show T9", "unknown design 'T9'; `totient list` names them"),
    ("show montgomry", "unknown design 'montgomry', 'montgomery' is close; `totient list` ..."),
    ("show rsa_keygn", "unknown design 'rsa_keygn', 'rsa_keygen' is close; `totient list` ..."),
    ("serve rsa_keygn", "unknown design 'rsa_keygn'; `totient list` names them"),
    ("serve sim-serial:T3", "design 'sim-serial:T3' begins with sim-serial:, allowed is sim: ..."),
    ("model tty:T3", "design 'tty:T3' begins with tty:, allowed is sim: ..."),
    (
        "power T1 --width 32 --saif /none/a",
        "cannot write /none/a: No such file or directory",
    ),
    (
        "power T1 --op private",
        "operation kind is 'private', which takes repeated 1.40e+311 cycles, allowed are ...",
    ),
    ("power B1", "rsa_keygen is an IP or a system, allowed is a design"),
    (
        "power T1 --target gowin-gw1nr9",
        "no activity of netlists for target gowin-gw1nr9, allowed are those of AMD Artix-7...",
    ),
    ("power T1 --clock 0", "--clock is 0, allowed is 0.001 to 1000 MHz"),
    ("serve T3 --link /none/l", "cannot write /none/l: No such file or directory"),
    ("serve T3 --link ''", "a file is '', allowed is its path"),
    ("sign --key k --out ''", "a file is '', allowed is its path"),
    ("reproduce thesis --plot .", "the figure is '.', allowed endings are .svg, .png, .pdf"),
    ("reproduce thesis --json --markdown", "--json and --markdown are both given, allowed is ..."),
    ("check T2 --count 1000001", "count is 1000001, allowed is 1 to 1000000"),
    ("check T2 --width 5", "width is 5, allowed is 8 to 4096"),
    ("check T2 --width 4097", "width is 4097, allowed is 8 to 4096"),
    ("check T2 --count 0", "count is 0, allowed is 1 to 1000000"),
    ("check T2 --set depth=3", "design binary has no parameter 'depth', it has width, ..."),
    ("check T2 --set depth", "--set is 'depth', allowed is NAME=VALUE with a whole number"),
    ("check T2 --width 8 --set width=9", "width is given twice"),
    (
        "check T2 --netlist placed --target ecp5-85f",
        "netlist is 'placed', allowed is synthesised, routed",
    ),
    ("check T2 --route-seed 4", "route-seed is 4, allowed with --netlist only"),
    ("check T2 --no-dsp", "--no-dsp is given, allowed with --netlist only"),
    ("check T2 --target ecp5-85f", "target is ecp5-85f, allowed with --netlist only"),
    (
        "check T2 --netlist routed --target artix7-100t",
        "no place and route for target artix7-100t, only utilisation",
    ),
    (
        "check T2 --netlist synthesised --target x",
        "unknown target 'x', known are ecp5-85f, ecp5-85f-7, ecp5-85f-6, ecp5-45f, ecp5-45f-7, "
        "ecp5-45f-6, ecp5-25f, ecp5-25f-7, ecp5-25f-6, ice40-up5k, gowin-gw1nr9, artix7-100t",
    ),
    (
        "check T2 --netlist synthesised --target ecp5-85f --unknowns 0",
        "unknowns is 0, allowed is 1 to 100",
    ),
    ("check T2 --unknowns 3", "unknowns is 3, allowed with --netlist only"),
    (
        "check T2 --netlist routed --route-seed 0",
        "route-seed is 0, allowed are different numbers from 1 to 2147483647",
    ),
    (
        "check T2 --netlist routed --route-seed 99999999999999999999999999",
        "route-seed is 99999999999999999999999999, allowed are different numbers from 1 to "
        "2147483647",
    ),
    (
        "check T2 --board ulx3s --target ecp5-85f",
        "--target ecp5-85f is given, allowed without --board only",
    ),
    ("check T2 --board ulx3s --no-dsp", "--no-dsp is given, allowed without --board only"),
    ("measure T2 --seed 0", "--seed is 0, allowed are different numbers from 1 to 2147483647"),
    (
        "serve T2 --board ulx3s --route-seed -1",
        "--route-seed is -1, allowed are different numbers from 1 to 2147483647",
    ),
    ("netlists --jobs 2", "--jobs is 2, allowed with --run only"),
    ("netlists --widest 64", "--widest is 64, allowed with --run only"),
    ("netlists --run --jobs 0", "--jobs is 0, allowed is 1 or more"),
    ("netlists --only x", "unknown design 'x'; ..."),
    ("netlists --only B3", "--only is B3, with a routed clock there are binary, digit_serial, ..."),
    (
        "netlists --only N1 --target ulx3s",
        "--only is N1, with a routed clock for ulx3s there are engine, ...",
    ),
    ("netlists --target arty_a7", "--target is arty_a7, with a routed clock there are ..."),
    ("netlists --target x", "unknown target or board 'x', known are ecp5-85f, ..."),
    ("bitstream --board ulx3s --seed 0", "--seed is 0, allowed are different numbers from 1 ..."),
    ("bitstream --board nexys_a7 --seed 3", "--seed is 3, nexys_a7 is routed by tools without one"),
    ("bitstream --board icebreaker", "--design is not given, icebreaker has no room for ..."),
    ("check engine-4 --bits 1024", "bits is 1024, allowed with --private of an engine only"),
    (
        "check engine-4 --private --bits 1023",
        "bits is 1023, allowed are multiples of 8, 512 to 4096",
    ),
    (
        "check engine-4 --width 1031",
        "width is 1031, allowed is 1024 or 2048 or 3072 or 4096 or 8192",
    ),
    ("check engine --set elements=0", "elements is 0, allowed is 1 to 128"),
    (
        "check engine --width 1024 --set elements=65",
        "elements is 65, allowed are 65 up for a width of 4096 or 8192 only",
    ),
    (
        "measure engine --set elements=56 --set key_slots=2",
        "key_slots is 2, allowed is 1 with 56 elements and a width of 4096: a memory of blocks has "
        "at most 16384 words",
    ),
    ("check engine-8 --set key_slots=4", "key_slots is 4, allowed is 1 to 3"),
    ("check engine-8 --set digit_bits=16", "digit_bits is 16, allowed is 17 or 18"),
    ("check engine-8 --set form=2", "form is 2, which needs digit_bits 17: its multipliers ..."),
    (
        "check T2 --set fixed_time=1 --set early_end=1",
        "fixed_time is 1 and early_end is 1, allowed is only one of them",
    ),
    ("measure T2 --target abacus", "unknown target 'abacus', known are ecp5-85f, ecp5-85f-7, ..."),
    ("measure T2 --op secret", "unknown operation kind 'secret', known are public, private, ..."),
    ("measure T2 --width 16", "width is 16, allowed for kind public (exponents of 17 bits) is ..."),
    ("reproduce novel", "unknown paper 'novel', known are thesis, nibouche, becannon, ..."),
    ("reproduce thesis --table x", "unknown table 'x', known are summary, frequency, lut, ff, ..."),
    ("measure engine-1 --op public", "unknown operation kind 'public' of engine?..."),
    ("compare-engine --bits 8192", "--bits is 8192, allowed is 512, 1024, 2048, 3072 or 4096"),
    ("compare-engine --table x", "unknown table 'x', known are headline, private, full, ..."),
    ("compare-engine --table here", "table 'here' is OpenSSL's on this machine, which ..."),
    ("bench --only x", "no Record is of 'x' up to 8192 bits"),
    ("reproduce thesis --plot x.doc", "the figure is 'x.doc', allowed endings are .svg, .png, ..."),
    ("show B1 --width 8", "IP rsa_keygen takes no parameters, given is 'width'"),
    ("show E3?prime_bits=2000", "prime_bits is 2000, allowed is 4 to 1024"),
    ("check E3 --set prime_bits=x", "--set is 'prime_bits=x', allowed is NAME=VALUE with a ..."),
    ("show E3 --set prime_bits=-1", "prime_bits is -1, allowed is 4 to 1024"),
    ("check E3 --private", "E3 is an IP, whose check has no --private"),
    ("show D6 --width 65", "width is 65, allowed is 8 to 64"),
    ("check D6 --set bits_per_cycle=3", "bits_per_cycle is 3, allowed is 1 or 2"),
    ("check B3", "B3 is a system, check knows designs and IPs"),
    ("show B3 --width 8", "rsa_system takes no parameters, given is 'width'"),
    (f"show E2?modulus={10**1233 + 7}", "modulus has 4096 bits, width is 32"),
    (f"show E2?modulus={10**1233 * 9}", "modulus is 900000000..., allowed is 3 to 2^4096 - 1"),
    ("check E2 --set modulus=8", "modulus is 8, allowed are odd numbers"),
    ("check E2 --set width=16", "modulus has 23 bits, width is 16"),
    ("model B1 --face stream", "--face is stream, the IP rsa_keygen has registers"),
    ("model B1 --face usb", "unknown face 'usb', known are stream, registers, serial"),
    ("model B3", "B3 is the system rsa_system: commands that know it are show, measure and ..."),
    ("compare --bits 512", "--bits is 512, allowed is 1024 or 2048"),
    ("compare --op sign", "--op is 'sign', allowed is public or private"),
    ("compare --table here", "table 'here' is of this machine, which --software times"),
    ("compare --table x", "unknown table 'x', known are processors, designs, published, ..."),
    ("compare --plot x.gif", "the figure is 'x.gif', allowed endings are .svg, .png, .pdf"),
    ("check T3 --width abc", "--width is 'abc', allowed is a whole number (try totient check ..."),
    ("check T3 --count=1.5", "--count is '1.5', allowed is a whole number (try totient check ..."),
    ("keygen --bits ''", "--bits is '', allowed is a whole number (try totient keygen --help)"),
    ("bench --widest -4", "--widest is -4, allowed is 1 or more"),
    ("measure T3 --clock x", "--clock is 'x', allowed is a number (try totient measure --help)"),
    ("measure T3 --clock nan", "--clock is nan, allowed is 0.000001 to 1000000 MHz"),
    ("measure T3 --clock 0", "--clock is 0, allowed is 0.000001 to 1000000 MHz"),
    ("measure T3 --no-route --seed 1", "--seed is of place and route, which --no-route leaves out"),
    (
        "measure T3 --set multiplier=1",
        "multiplier is 1, which is for AMD Artix-7 only: ecp5-85f is Lattice ECP5",
    ),
    ("show T3 --set", "Option '--set' requires an argument (try totient show --help)"),
    (
        "check T1 --private",
        "design repeated makes a product for each unit of the exponent: a private operation never "
        "ends, take T2 or T3",
    ),
    ("serve T3 --baud 9600", "--baud is given, allowed with --board only"),
    ("serve T3 --board ulx3s --rtl", "--rtl is given, allowed without --board only"),
    ("serve T3 --board abacus", "unknown board 'abacus', known are ulx3s, ulx3s_12f, ..."),
    ("serve T3 --board ulx3s --baud 9599", "--baud is 9599, allowed on ulx3s is 9600 to 6250000"),
    ("bitstream --board ulx3s --clock nan", "--clock is nan, allowed is 1 to 400 MHz"),
    (
        "bitstream --board nexys_a7 --clock 1",
        "--clock is 1 MHz, of the board's 100 MHz; allowed is what its loop makes, within 8%",
    ),
    (
        "serve T3 --board ulx3s --set multiplier=1",
        "multiplier is 1, which is for AMD Artix-7 only: ecp5-85f-6 is Lattice ECP5",
    ),
    ("check B1 --board ulx3s --registers", "--registers is given, allowed of a design, ..."),
    ("check T2 --registers", "--registers is given, allowed with --board only"),
    ("check B3 --board ulx3s", "B3 is a system, check knows designs and IPs"),
    (
        "check T2 --width 16 --board arty_a7 --netlist routed",
        "--board is arty_a7, netlists are run of boards with an ECP5, and synthesised ones of "
        "those with a 7-series device",
    ),
    (
        "check T2 --width 16 --board icebreaker --netlist synthesised",
        "--board is icebreaker, netlists are run of boards with an ECP5, and synthesised ...",
    ),
    ("check T2 --board abacus", "unknown board 'abacus', known are ulx3s, ulx3s_12f, ..."),
    (
        "show rsa_axil --width 64",
        "rsa_axil is a face of any design, whose parameters are the design's",
    ),
    ("netlists --again", "--again is given, allowed with --run only"),
    ("datasheet binary --width 32 --plot x.txt", "the figure is 'x.txt', allowed endings are ..."),
    (
        "datasheet binary --width 32 --face serial --plot x.svg",
        "--plot is x.svg, and binary?width=32 has a serial line alone",
    ),
    *(
        (f"export {words} --out new", message)
        for words, message in (
            ("nothing", "unknown design 'nothing'; `totient list` names them"),
            ("binary --face usb", "--face is 'usb', allowed is stream, registers, serial"),
            ("E2 --face serial", "--face is serial, rsa_fixed is an IP with faces of its own"),
            ("rsa_system", "rsa_system is a system, allowed are designs and IPs"),
            (
                "binary --target ice40-up5k",
                "--target is 'ice40-up5k', allowed is ecp5-85f, ecp5-85f-7, ecp5-85f-6, ecp5-45f, "
                "ecp5-45f-7, ecp5-45f-6, ecp5-25f, ecp5-25f-7, ecp5-25f-6, artix7-100t",
            ),
            ("binary --target ice40", "--target is 'ice40', allowed is ecp5-85f, ecp5-85f-7, ..."),
            ("binary --name 9lives", "--name is '9lives', allowed are up to 64 letters, ..."),
            ("binary --name module", "--name is 'module', a keyword of SystemVerilog"),
            ("binary --name rsa_binary", "--name is 'rsa_binary', which the export has already"),
            ("binary --name readme", "--name is 'readme', which the export has already"),
            ("binary --clock 0", "--clock is 0, allowed is 1 to 1000 MHz"),
            ("binary --width 7", "width is 7, allowed is 8 to 4096"),
            ("engine --set form=1 --target artix7-100t", "form is 1, which is for Lattice ..."),
            ("T3 --set multiplier=1", "multiplier is 1, which is for AMD Artix-7 only: ..."),
            ("binary --baud 9600", "--baud is 9600, allowed with --face serial only"),
            (
                "binary --face serial --baud 20000000 --clock 50",
                "--baud is 20000000, allowed on a clock of 50 MHz is 9600 to 12500000",
            ),
            ("engine --set form=2 --set digit_bits=18", "form is 2, which needs digit_bits 17:..."),
        )
    ),
]


@pytest.mark.parametrize(("words", "message"), REFUSED)
def test_a_refusal_is_one_line(
    run: Run, words: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = run(*shlex.split(words)).refused
    assert said == message or (message.endswith("...") and said.startswith(message[:-3]))
    assert not list(tmp_path.iterdir())
