"""One HTML file with everything: the scoreboard, the papers, and all designs to explore."""

from totient.page.document import write_page

__all__ = ["write_page"]
