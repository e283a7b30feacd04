"""Measure a design, an IP or a system on a target: a Record, with units and provenance."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
