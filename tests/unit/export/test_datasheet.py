"""What a datasheet says of an IP."""

from totient.catalog import Face, find_subject
from totient.catalog.subjects import Subject
from totient.catalog.systems import System
from totient.export import datasheet


def sheet(name: str, face: Face = Face.STREAM, **given: int) -> str:
    """The datasheet of a subject for all devices."""
    subject: Subject = find_subject(name, **given)
    assert not isinstance(subject, System)
    return datasheet(subject, face)


def test_the_time_of_an_engine_depends_on_its_public_exponent() -> None:
    text = sheet("engine-1", width=1024)
    assert "on the value of the public exponent, on nothing secret." in text
    assert "length only" not in text
    assert "RSA-1024 with e = 65537: " in text
