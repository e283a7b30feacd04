"""What the module and the daemon add to the time of the device's own operation.

`python -m tests.pkcs11.times` measures it and prints it.
"""

import statistics
import subprocess
import tempfile
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import rsa

from tests.pkcs11.packages import CLIENT
from tests.pkcs11.parts import HERE, MODULE, compiled, headers
from tests.pkcs11.place import Place, make
from tests.programs import WARNINGS, gcc
from tests.system.command import private_pem

SIGNATURES, CALLS, ROUNDS = 60, 500, 5

_WRAPPED = ("totient_engine_load_key", "totient_engine_private")


@dataclass(frozen=True)
class Signature:
    """A signature by the module.

    Attributes:
        key: its ID.
        loads: keys that were loaded into the device for it.
        whole: nanoseconds of `C_SignInit` and `C_Sign`.
        device: of these, nanoseconds of the driver's private operation.
    """

    key: int
    loads: int
    whole: int
    device: int


def signatures(place: Place, folder: Path, count: int, level: str = "-O2") -> list[Signature]:
    """Signatures by the key 01, then one by 02, and one more by 01.

    Args:
        place: a token with both keys.
        folder: for the program.
        count: of the first ones.
        level: of the compiler's optimisation.
    """
    wraps = [f"-Wl,--wrap={name}" for name in _WRAPPED]
    ours = [HERE / "times" / "signature.c"]
    program = compiled(folder / "signature", ours, level, *wraps, device=True)
    lines = place.run(program, count).text.splitlines()
    return [Signature(*map(int, line.split())) for line in lines]


def ratio(found: list[Signature]) -> float:
    """The median of a signature's time in units of the device's, without loads of keys."""
    return statistics.median(each.whole / each.device for each in found if each.loads == 0)


def calls(place: Place, folder: Path, count: int, rounds: int) -> dict[str, tuple[float, float]]:
    """Medians of microseconds of calls, in the program's own process and by the daemon.

    The device's operation takes no time: the difference would be lost in that of a simulated core.

    Args:
        place: a token with the key 01.
        folder: for programs.
        count: calls of each kind, in a round.
        rounds: in turns, by both ways.
    """
    program = folder / "calls"
    source = HERE / "times" / "calls.c"
    gcc("-std=c99", "-O2", *WARNINGS, *headers(), source, "-o", program, "-ldl")
    idle = [HERE / "quick_device.c", HERE / "times" / "idle.c"]
    common = ("-O2", "-Wl,--wrap=device_private")
    shared = (*common, "-fPIC", "-shared", "-fvisibility=hidden")
    module = compiled(folder / "module.so", idle, *shared)
    daemon = compiled(folder / "totientd", [*idle, MODULE / "totientd.c"], *common, "-lp11-kit")
    path = folder / "socket"
    found: tuple[dict[str, list[int]], ...] = (defaultdict(list), defaultdict(list))
    with subprocess.Popen(
        [str(daemon), str(place.folder), str(path), "600"], stdout=subprocess.PIPE
    ) as process:
        try:
            assert process.stdout is not None
            assert b"serves" in process.stdout.readline()
            remote = {"P11_KIT_SERVER_ADDRESS": f"unix:path={path}"}
            served = replace(place, module=CLIENT, environment=remote)
            for _ in range(rounds):
                for user, times in zip((replace(place, module=module), served), found, strict=True):
                    for line in user.run(program, user.module, count).text.splitlines():
                        name, time = line.split()
                        times[name].append(int(time))
        finally:
            process.terminate()
    here, by_daemon = found
    medians = {name: statistics.median(times) / 1000 for name, times in here.items()}
    return {name: (own, statistics.median(by_daemon[name]) / 1000) for name, own in medians.items()}


def main() -> int:
    """Measure on a simulated core, and print what was found."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        place = make(folder)
        for number in ("01", "02"):
            key = rsa.generate_private_key(65537, 2048)
            (folder / "key.pem").write_bytes(private_pem(key))
            assert place.totient("import", "--key", folder / "key.pem", "--id", number).good
        found = signatures(place, folder, SIGNATURES)
        kept = [each for each in found if each.loads == 0]
        whole, device = (
            statistics.median(times) / 1e6
            for times in ([each.whole for each in kept], [each.device for each in kept])
        )
        print("A signature of 2048 bits in the program's own process, simulated engine-62:")
        print(f"  whole {whole:.2f} ms, device {device:.2f} ms, ratio {ratio(found):.4f}")
        print(f"  keys loaded for each: {' '.join(str(each.loads) for each in found)}")
        print("The device takes no time below. C_Digest and C_Sign are two calls.")
        print("A call in the program's own process, by the daemon, and the difference, in us:")
        for name, (own, daemon) in calls(place, folder, CALLS, ROUNDS).items():
            print(f"  {name:16} {own:9.1f} {daemon:9.1f} {daemon - own:9.1f}")
    return 0
