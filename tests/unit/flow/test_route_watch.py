"""A route that does not end is given up, and one that takes long is not."""

import os
from pathlib import Path

import pytest

from totient.catalog import select
from totient.flow import processes
from totient.flow.bitstream import routed_rtl
from totient.flow.board_routes import Route
from totient.flow.boards import find_board
from totient.flow.processes import Children, GivenUpError
from totient.flow.route_watch import RouteWatch
from totient.flow.trellis import ECP5_FLOW

# As nextpnr-ecp5 writes it.
PLACING = "Info: Routing globals...\nInfo:     routing clock net $glbnet$aclk using global 0\n"
ROUTING = "\nInfo: Routing..\nInfo: Setting up routing queue.\nInfo: Routing 48083 arcs.\n"
ROWS = (
    "Info:    IterCnt |  w/ripup   wo/ripup |  w/r  wo/r |      arcs| batch(sec) total(sec)|\n"
    "Info:      54000 |     5235      45408 |  353   593 |       205|     173.47     235.56|\n"
    "Info:      55000 |     5703      45939 |  468   531 |        86|     280.46     516.02|\n"
)


class Clock:
    """One that the test sets."""

    now = 1000.0

    def __call__(self) -> float:
        """Seconds."""
        return self.now


def given_up(tmp_path: Path, placing: float, routing: float) -> str | None:
    """What is said after so many seconds of placing and of routing."""
    log, clock = tmp_path / "log.txt", Clock()
    log.write_text("")
    watch = RouteWatch(log, clock)
    log.write_text(PLACING)
    clock.now += placing - 1
    assert watch() is None
    log.write_text(PLACING + ROUTING)
    clock.now += 1
    assert watch() is None
    log.write_text(PLACING + ROUTING + ROWS)
    clock.now += routing
    return watch()


@pytest.mark.parametrize(
    ("placing", "most"), [(10, 1800), (60, 1800), (61, 1830), (100, 3000), (10000, 300000)]
)
def test_thirty_times_as_long_as_before_it(tmp_path: Path, placing: float, most: float) -> None:
    assert given_up(tmp_path, placing, most) is None
    reason = given_up(tmp_path, placing, most + 1)
    minutes = round((most + 1) / 60)
    assert reason == (
        f"86 of 48,083 arcs are not routed after {minutes} minutes; choose another seed"
    )


def test_a_route_of_a_record_is_not_given_up(tmp_path: Path) -> None:
    """That of engine-32 with the longest search, on a machine of 2 cores, and on slower ones."""
    assert given_up(tmp_path, 45, 651) is None
    assert given_up(tmp_path, 450, 6510) is None


def test_another_router_does_not_tell_what_is_left(tmp_path: Path) -> None:
    log, clock = tmp_path / "log.txt", Clock()
    log.write_text("Info: Routing..\n")
    watch = RouteWatch(log, clock)
    assert watch() is None
    clock.now += 1801
    assert watch() == "some arcs are not routed after 30 minutes; choose another seed"


def test_the_tool_ends_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would wait for a pipe that nobody writes; the process that it runs in ends, too."""
    monkeypatch.setattr(processes, "_LOOK_SECONDS", 0.1)
    pipe, looks = tmp_path / "netlist.json", iter([None, None, "it takes too long"])
    os.mkfifo(pipe)
    with (
        Children() as children,
        pytest.raises(GivenUpError, match=r"^nextpnr-ecp5 was stopped: it t"),
    ):
        children.run("nextpnr-ecp5", ["--json", "netlist.json"], tmp_path, {}, looks.__next__)
    assert next(looks, "all") == "all"
    with Children() as children:
        assert children.run("nextpnr-ecp5", ["--version"], tmp_path, {}, lambda: None) == 0


def test_a_board_is_routed_by_the_other_seeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = find_board("ulx3s_12f")
    rtl = routed_rtl(board, select("T2", width=16))
    endless = {2}

    def routed(flow: object, *arguments: object) -> Path:
        seed = arguments[-2]
        if seed in endless:
            raise GivenUpError(f"seed {seed} takes too long")
        (tmp_path / "report.json").write_text("")
        return tmp_path

    monkeypatch.setattr(type(ECP5_FLOW), "_routed", routed)
    monkeypatch.setattr(type(ECP5_FLOW), "fmax", lambda *arguments: 100.0)
    said: list[str] = []
    routes = list(ECP5_FLOW.routes(board, rtl, said.append))
    assert routes == [Route(tmp_path, 1, 100.0), Route(tmp_path, 3, 100.0)]
    assert "seed 2 takes too long" in said
    endless |= {1, 3}
    with pytest.raises(GivenUpError, match="seed 3 takes too long"):
        list(ECP5_FLOW.routes(board, rtl, said.append))
