"""The catalog of designs: name, source, parameters, contract, cycle formula."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
