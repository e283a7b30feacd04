"""RTL with a defect, to see that a test finds it."""

from dataclasses import dataclass
from pathlib import Path

from totient.catalog import SourceList, Top, sources
from totient.sim import build_listing


@dataclass(frozen=True)
class Change:
    """A change of the RTL.

    Attributes:
        file: a source, by its stem.
        text: what stands there, once.
        instead: what stands there with the defect.
    """

    file: str
    text: str
    instead: str

    def build(self, top: Top, folder: Path, *, visible: bool = False, probed: bool = False) -> Path:
        """A model of a top with the defect; `folder` keeps the changed source."""
        listing = sources(top.core, tool="verilator")
        (original,) = [path for path in listing.files if path.stem == self.file]
        source = original.read_text()
        assert source.count(self.text) == 1, (self.file, self.text)
        defective = folder / original.name
        defective.write_text(source.replace(self.text, self.instead))
        files = tuple(defective if path == original else path for path in listing.files)
        changed = SourceList(files, listing.headers)
        return build_listing(changed, top, visible=visible, probed=probed)
