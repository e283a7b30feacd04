"""A browser for tests: Debian's Chromium. `python -m tests.browser` installs it."""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from totient.common.errors import ToolError
from totient.processor.packages import install_packages

PROGRAMS = {"chromium": "chromium", "chromedriver": "chromium-driver"}
"""Programs with the Debian package of each."""

_FONT = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"), "fonts-dejavu-core"


@contextmanager
def browser(width: int, height: int, *, phone: bool = False) -> Iterator[Chrome]:
    """A window of a size in pixels, without a network.

    Args:
        width: of what it shows.
        height: the same.
        phone: whether it has the touch screen of a phone.
    """
    options = Options()
    options.binary_location = _path("chromium")
    for each in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(each)
    options.add_argument("--host-resolver-rules=MAP * ~NOTFOUND")
    options.add_argument(f"--window-size={width},{height}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    if phone:
        metrics = {"width": width, "height": height, "pixelRatio": 2.0, "touch": True}
        options.add_experimental_option("mobileEmulation", {"deviceMetrics": metrics})
    driver = Chrome(options=options, service=Service(_path("chromedriver")))
    try:
        yield driver
    finally:
        driver.quit()


def _path(program: str) -> str:
    path = shutil.which(program)
    assert path, f"{program} is missing: make browser"
    return path


def main() -> int:
    """Install what is missing."""
    names = [package for program, package in PROGRAMS.items() if not shutil.which(program)]
    font, package = _FONT
    names += [] if font.exists() else [package]
    if names:
        try:
            install_packages(names, "a browser and a font", print)
        except ToolError as error:
            print(error, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
