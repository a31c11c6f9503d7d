"""Packages whose names are imported when they are first used (PEP 562), so that nobody waits for what they do not use.

A package lists its names twice: under `TYPE_CHECKING` for type checkers and import-linter, and by module for `lazily`.
A test holds the two, and `__all__`, together.
"""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TypeAlias

NameGetter: TypeAlias = Callable[[str], object]
"""The `__getattr__` of a package."""


def lazily(package: str, homes: Mapping[str, str]) -> NameGetter:
    """The `__getattr__` of a package; `homes` maps each module to the names that it holds, separated by blanks.

    >>> lazily("sightline", {"geometry": "as_box union"})("union").__module__
    'sightline.geometry'
    """
    home_of = {name: home for home, names in homes.items() for name in names.split()}

    def get(name: str) -> object:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = import_module(f"{package}.{home_of[name]}")
        value = getattr(home, name)
        setattr(sys.modules[package], name, value)
        return value

    return get
