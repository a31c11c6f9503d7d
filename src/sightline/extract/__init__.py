"""Extractors: pure functions, a page in, data out."""

__all__: list[str] = []  # extractors are imported from the package of each
