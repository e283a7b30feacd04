"""A browser for tests: Debian's Chromium. `python -m tests.browser` installs it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from tests.debian import install, tool

PACKAGES: dict[str, str | Path] = {
    "chromium": "chromium",
    "chromium-driver": "chromedriver",
    "fonts-dejavu-core": Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"),
}
"""Debian packages, each with a program or a file that it has."""


@contextmanager
def browser(width: int, height: int, *, phone: bool = False) -> Iterator[Chrome]:
    """A window of a size in pixels, without a network.

    Args:
        width: of what it shows.
        height: the same.
        phone: whether it has the touch screen of a phone.
    """
    options = Options()
    options.binary_location = tool("chromium", "browser")
    for each in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(each)
    options.add_argument("--host-resolver-rules=MAP * ~NOTFOUND")
    options.add_argument(f"--window-size={width},{height}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    if phone:
        metrics = {"width": width, "height": height, "pixelRatio": 2.0, "touch": True}
        options.add_experimental_option("mobileEmulation", {"deviceMetrics": metrics})
    driver = Chrome(options=options, service=Service(tool("chromedriver", "browser")))
    try:
        yield driver
    finally:
        driver.quit()


def main() -> int:
    """Install what is missing."""
    return install(PACKAGES, "a browser and a font")


if __name__ == "__main__":
    sys.exit(main())
