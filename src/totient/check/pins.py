"""A design or an IP on a board, accessed only through the board's pins."""

from collections.abc import Callable, Sequence
from functools import partial
from random import Random

from totient.catalog import Configuration, IpConfiguration, Top
from totient.check.packets import header, parse
from totient.common.closing import Closing
from totient.common.contract import Command
from totient.common.errors import ToolError
from totient.device.packet_bus import PacketBus
from totient.device.register_stream import RegisterStream
from totient.sim import Model
from totient.sim.line import SimulatedLine

_PACKET_WORDS = 128  # of random words: fits an engine's frames of any width
_RANDOM = (Command.LOAD_RSA_KEY, Command.PRIVATE, Command.PUBLIC, Command.LOAD_PAIR)


class BoardModel(Closing):
    """A simulated board with the interface of its core's model, over the board's pins."""

    def __init__(
        self, model: Model, top: Top, chosen: Configuration | IpConfiguration, registers: bool
    ) -> None:
        """Use a simulated board.

        Args:
            model: of the board's top.
            top: that.
            chosen: the design or IP on the board.
            registers: whether a design is behind its AXI4-Lite registers.
        """
        self._model = model
        line = SimulatedLine(model, top)
        bus = PacketBus(line.exchange)
        self.read, self.write = bus.read, bus.write
        self._exchange: Callable[..., list[int]]
        if isinstance(chosen, IpConfiguration):
            self._exchange = lambda packet, limit: PacketBus(
                partial(line.exchange, limit=limit)
            ).exchange(packet)
        elif registers:
            self._exchange = RegisterStream(bus).exchange
        else:
            self._exchange = line.exchange
        self._random = None if chosen.name != "engine" else Random(chosen.label)

    def close(self) -> None:
        """Free the model. Closing twice has no effect."""
        self._model.close()

    @property
    def cycles(self) -> int:
        """Clock cycles since it was opened."""
        return self._model.cycles

    def pause_at_random(self, seed: int) -> None:
        """Leave gaps between the bytes on the line; see `Model.pause_at_random`."""
        self._model.pause_at_random(seed)

    def exchange(self, packet: Sequence[int], *, limit: int | None = None) -> list[int]:
        """Send a packet and return the answer. An engine gets its random words in advance.

        Arguments and errors as for `Model.exchange`.
        """
        if self._random is not None and packet[0] & 0xFF in _RANDOM:
            self._give_random(self._random)
        return self._exchange(packet, limit=limit)

    def _give_random(self, draw: Random) -> None:
        """Fill the engine's memory for random words. They are not secret."""
        room, count = 1, 0
        while room:
            words = [draw.getrandbits(32) for _ in range(count)]
            answer = parse(
                self._exchange([header(Command.RANDOM_WORDS), *words], limit=None),
                Command.RANDOM_WORDS,
            )
            if answer.error:
                raise ToolError(f"the engine refuses random words: {answer.error.name}")
            room = answer.body[1]
            count = min(room, _PACKET_WORDS)
