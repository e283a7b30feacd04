"""`totient report`: the page as a reader sees it, in Chromium, without a network."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select
from typer.main import get_command

from tests.browser import browser
from tests.system.command import totient
from totient.cli import program
from totient.measure import committed
from totient.reproduce import PAPERS, find_paper

FIELDS = (
    "design",
    "words",
    "kind",
    "crt",
    "known",
    "seconds",
    "lut",
    "joules",
    "mhz",
    "dsp",
    "ram",
)
Design = dict[str, Any]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page."""
    path = tmp_path_factory.mktemp("page") / "page.html"
    last = totient("report", "--out", path).good.err.splitlines()[-1]
    assert re.fullmatch(rf"{path}: [0-4]\.\d MB", last)
    return path


@pytest.fixture(scope="module")
def window(page: Path) -> Iterator[Chrome]:
    """A window of a desk, which shows the page."""
    with browser(1200, 900) as found:
        found.get(page.as_uri())
        yield found


@pytest.fixture(scope="module")
def pictures(page: Path) -> list[tuple[str, list[Design]]]:
    """The operations with their designs, from the file."""
    found = re.search(r'<script id="data"[^>]*>(.*?)</script>', page.read_text(), re.DOTALL)
    assert found
    return [
        (each["name"], [dict(zip(FIELDS, row, strict=True)) for row in each["rows"]])
        for each in json.loads(found[1])
    ]


@pytest.fixture(autouse=True)
def _quiet(request: pytest.FixtureRequest) -> Iterator[None]:
    """After each test: no error in the browser."""
    yield
    if "window" in request.fixturenames:
        window: Chrome = request.getfixturevalue("window")
        assert window.get_log("browser") == []


def _middle(figure: Any) -> Any:
    return figure[0] if isinstance(figure, list) else figure


def _texts(window: Chrome, selector: str) -> list[str]:
    return [each.text for each in window.find_elements(By.CSS_SELECTOR, selector)]


def test_it_is_one_small_file_that_loads_nothing(page: Path) -> None:
    text = page.read_text()
    assert page.stat().st_size < 5_000_000
    links = re.findall(r'(?:src|href)="([^"]*)"', text) + re.findall(r"url\(([^)]*)\)", text)
    assert links
    assert not [each for each in links if not each.startswith(("#", "data:"))]
    assert "@import" not in text


def test_every_paper_is_there_with_all_its_tables(window: Chrome) -> None:
    for name in PAPERS:
        paper = find_paper(name)
        folded = window.find_element(By.ID, name)
        tables = folded.find_elements(By.TAG_NAME, "table")
        assert len(tables) == len(paper.tables)
        assert len(folded.find_elements(By.TAG_NAME, "img")) == 1
        assert not tables[0].is_displayed()
        folded.find_element(By.TAG_NAME, "summary").click()
        assert tables[0].is_displayed()
        assert all(_texts(window, f"#{name} figcaption"))


def test_the_pictures_are_drawn(window: Chrome) -> None:
    widths = window.execute_script("return [...document.images].map((image) => image.naturalWidth)")
    assert len(widths) == len(PAPERS) + 3
    assert min(widths) > 300


def test_a_figure_of_a_record_is_that_of_the_record(window: Chrome) -> None:
    (record,) = (
        each
        for _, each in committed()
        if each.subject.label == "engine?width=4096&elements=62&form=1"
        and (each.target, each.dsp) == ("ecp5-85f", True)
    )
    rows = [line for line in _texts(window, "#scoreboard tr") if line.startswith("engine-62 ")]
    assert f"{record.utilisation.lut:,}" in rows[0].split()


def _at(window: Chrome, name: str, value: int) -> None:
    """Move a slider as a user does: with a script its event would be missing."""
    slider = window.find_element(By.ID, name)
    window.execute_script("arguments[0].value = arguments[1]", slider, value - 1)
    slider.send_keys(Keys.ARROW_RIGHT)
    assert slider.get_attribute("value") == str(value)


def _limit(rows: list[Design], field: str, place: int) -> float:
    """What a slider's place means: a logarithmic scale from the least to the most."""
    found = [value for row in rows if (value := _middle(row[field])) is not None]
    least, most = min(found), max(found)
    return float(least * (most / least) ** (place / 1000))


@pytest.mark.parametrize("operation", range(4))
def test_sliders_leave_the_designs_that_meet_the_limits(
    operation: int, window: Chrome, pictures: list[tuple[str, list[Design]]]
) -> None:
    name, rows = pictures[operation]
    choice = Select(window.find_element(By.ID, "operation"))
    choice.select_by_index(operation)
    assert choice.first_selected_option.text == name
    circles = len(window.find_elements(By.CSS_SELECTOR, "#chart circle"))
    assert circles == len(rows) > 300
    places = {"deadline": 600, "area": 700, "energy": 650}
    fields = {"deadline": "seconds", "area": "lut", "energy": "joules"}
    good = rows
    for slider, place in places.items():
        _at(window, slider, place)
        limit, field = _limit(rows, fields[slider], place), fields[slider]
        good = [row for row in good if row[field] is not None and _middle(row[field]) <= limit]
        out = len(window.find_elements(By.CSS_SELECTOR, "#chart circle.out"))
        assert len(rows) - out == len(good)
    assert 0 < len(good) < len(rows)
    said = window.find_element(By.ID, "count").text
    assert said.startswith(f"{len(good):,} of the {len(rows):,} designs shown meet the limits.")
    # The table has the best of them, the first one in full above it.
    least = sorted(_middle(row["lut"]) for row in good)[:10]
    shown = window.find_elements(By.CSS_SELECTOR, "#best tbody tr")
    cells = [row.find_elements(By.TAG_NAME, "td")[2].text for row in shown]
    assert [int(text.replace(",", "")) for text in cells] == [round(each) for each in least]
    if operation == 0:
        _at(window, "deadline", 1)
        _at(window, "area", 1)
        assert window.find_element(By.ID, "count").text == "No design shown meets these limits."
        assert window.find_element(By.ID, "detail").text == "Move a limit to the right."


def test_pointing_at_a_mark_shows_the_design_and_its_commands(
    window: Chrome, pictures: list[tuple[str, list[Design]]]
) -> None:
    rows = pictures[0][1]
    Select(window.find_element(By.ID, "operation")).select_by_index(1)
    Select(window.find_element(By.ID, "operation")).select_by_index(0)
    fastest = window.execute_script(
        "return [...document.querySelectorAll('#chart circle')]"
        ".reduce((a, b) => a.cy.baseVal.value > b.cy.baseVal.value ? a : b)"
    )
    window.execute_script("arguments[0].scrollIntoView({block: 'center'})", fastest)
    ActionChains(window).move_to_element(fastest).perform()
    detail = window.find_element(By.ID, "detail")
    commands = _texts(window, "#detail code")
    row = next(each for each in rows if f" {each['words']} --target" in commands[0])
    # Among marks that lie together another may be the nearest: it is as fast.
    least = min(_middle(each["seconds"]) for each in rows)
    assert _middle(row["seconds"]) < 1.2 * least
    assert "Time " in detail.text
    assert commands == [
        f"totient export {row['words']} --target ecp5-85f --out DIRECTORY",
        f"totient measure {row['words']} --target ecp5-85f --op {row['kind']}",
    ]
    group = get_command(program())
    assert isinstance(group, typer.core.TyperGroup)
    for line in commands:
        name, *words = shlex.split(line)[1:]
        context = typer.Context(group, info_name="totient")
        command = group.get_command(context, name)
        assert command is not None
        command.make_context(name, words, parent=context)


def test_measured_designs_are_those_of_the_records(
    pictures: list[tuple[str, list[Design]]],
) -> None:
    """Every measured one that does the operation, with its LUTs."""
    known = {
        float(f"{each.utilisation.lut:.4g}")
        for _, each in committed()
        if each.target == "ecp5-85f" and each.dsp and each.fmax_mhz
    }
    measured = [row for row in pictures[0][1] if row["known"] == "measured"]
    assert len(measured) > 10
    assert {row["lut"] for row in measured} <= known
    assert not [row for row in measured if isinstance(row["seconds"], list)]


def test_a_phone_shows_it_without_scrolling_to_the_side(page: Path) -> None:
    with browser(360, 780, phone=True) as phone:
        phone.get(page.as_uri())
        for folded in phone.find_elements(By.TAG_NAME, "details"):
            phone.execute_script("arguments[0].open = true", folded)
        widths = phone.execute_script(
            "return [document.documentElement.scrollWidth, innerWidth, "
            "parseFloat(getComputedStyle(document.body).fontSize)]"
        )
        assert widths == [360, 360, 16]
        mark = phone.find_elements(By.CSS_SELECTOR, "#chart circle")[-1]
        phone.execute_script("arguments[0].scrollIntoView({block: 'center'})", mark)
        before = phone.find_element(By.ID, "detail").text
        mark.click()
        assert phone.find_element(By.ID, "detail").text != before
        assert phone.get_log("browser") == []
