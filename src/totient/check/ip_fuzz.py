"""Wrong input to the IPs: any access and any packet is answered, and the next case is right."""

from random import Random

from totient.catalog import Face, IpConfiguration
from totient.check.ips import LIMIT, ip_cases
from totient.check.run import Outcome, check_drawing, work_until
from totient.sim import Model, build_model

_MOST = 100  # accesses and packets of a round
_SETTLED = 400_000  # clock cycles, longer than any operation that an access can start


def check_ip_fuzz(ip: IpConfiguration, count: int, seed: int) -> Outcome:
    """Access an IP's registers at random and send it packets of any words, with cases between.

    Accesses have any offset, value and byte lanes; packets any length. Each must be answered. Then
    the IP is reset, or it gets the time to finish what was started. After it, a case of `check_ip`
    must be right, cycles apart. Handshakes pause at random. The model includes the assertions.

    Args:
        ip: to check.
        count: minimum number of accesses and packets; a round has several.
        seed: of all random draws.

    Raises:
        InputError: count or seed out of range.
        ToolError: the model cannot be built, an assertion of the RTL failed, or the IP hangs.
    """
    check_drawing(count, seed)
    draw = Random(f"totient check fuzz {ip.label} {seed}")
    outcome = Outcome(checked="every access and packet is answered, and the cases after them right")
    with Model(build_model(ip.top(), checked=True)) as model:
        case = ip_cases(ip, model, seed, outcome, timed=False)
        rounds = 0

        def play() -> int:
            nonlocal rounds
            for _ in range(draw.randint(1, _MOST)):
                _disturb(ip, model, draw)
                outcome.cases += 1
            if draw.random() < 0.5:
                model.reset()
            else:
                model.advance(_SETTLED)
            case(rounds)
            rounds += 1
            return outcome.cases

        work_until(f"fuzz of {ip.label}", count, play)
        outcome.cycles = model.cycles
    return outcome


def _disturb(ip: IpConfiguration, model: Model, draw: Random) -> None:
    """One access or one packet."""
    faces = [face for face in ip.ip.faces if face in (Face.STREAM, Face.REGISTERS)]
    if draw.choice(sorted(faces)) is Face.STREAM:
        words = [_word(draw) for _ in range(draw.randint(1, 12))]
        model.exchange(words, limit=LIMIT)
        return
    registers = [*ip.ip.registers.values()]
    known = draw.choice(registers)
    end = max(each.offset + 4 * each.words for each in registers)
    inside = known.offset + 4 * draw.randrange(known.words)
    offset = draw.choice((inside, inside, inside, draw.randrange(0, 2 * end, 4)))
    if draw.random() < 0.5:
        model.read(offset)
    else:
        model.write(offset, _word(draw), draw.choice((15, 15, 15, draw.randrange(16))))


def _word(draw: Random) -> int:
    return draw.choice((0, 1, 2, 3, draw.getrandbits(8), draw.getrandbits(32), 0xFFFF_FFFF))
