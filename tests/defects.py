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
        return build_changed(top, folder, self, visible=visible, probed=probed)


def build_changed(
    top: Top, folder: Path, *changes: Change, visible: bool = False, probed: bool = False
) -> Path:
    """A model of a top with defects in different files; `folder` keeps the changed sources."""
    listing = changed(sources(top.core, tool="verilator"), folder, *changes)
    return build_listing(listing, top, visible=visible, probed=probed)


def changed(listing: SourceList, folder: Path, *changes: Change) -> SourceList:
    """Sources with defects in different files; `folder` keeps the changed ones."""
    files = list(listing.files)
    for change in changes:
        (place,) = (i for i, path in enumerate(files) if path.stem == change.file)
        source = files[place].read_text()
        assert source.count(change.text) == 1, (change.file, change.text)
        defective = folder / files[place].name
        defective.write_text(source.replace(change.text, change.instead))
        files[place] = defective
    return SourceList(tuple(files), listing.headers)
