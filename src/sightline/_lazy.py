"""Packages whose names are imported when they are first used (PEP 562), so that nobody waits for what they do not use.

A package lists its names twice: under `TYPE_CHECKING` for type checkers and import-linter, and by module for `lazily`.
A test holds the two, and `__all__`, together.
"""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inspect import Signature

__all__ = ["CallablePackage", "lazily"]


def lazily(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """The `__getattr__` of a package; `homes` maps each module to the names that it holds, parted by blanks.

    >>> lazily("sightline", {"geometry": "as_box union"})("union").__module__
    'sightline.geometry'
    """
    home_of = {name: home for home, names in homes.items() for name in names.split()}

    def get(name: str) -> object:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = import_module(f"{package}.{home_of[name]}")
        # Python binds a package to its name in the package above; a verb of that name is the package, called.
        value = home if home_of[name] == name and callable(home) else getattr(home, name)
        setattr(sys.modules[package], name, value)
        return value

    return get


class CallablePackage(ModuleType):
    """A package that is also the verb of its name: Python binds it to the name that the verb has in the package above.

    It is called as the function of its name inside it is, and `help` and `inspect.signature` describe that function.
    """

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return _verb_of(self)(*arguments, **keywords)

    def __dir__(self) -> list[str]:
        """Every public name, also those that are not imported yet: `help` lists them."""
        return sorted({*super().__dir__(), *self.__dict__["__all__"]})

    @property
    def __signature__(self) -> "Signature":
        from inspect import signature  # slow to import, and seldom asked for

        return signature(_verb_of(self))


def _verb_of(package: CallablePackage) -> Callable[..., Any]:
    verb: Callable[..., Any] = getattr(package, package.__name__.rpartition(".")[2])
    return verb


def _described(package: CallablePackage) -> str:
    verb = _verb_of(package)
    return f"{package.__dict__['__doc__']}\n{verb.__name__}{package.__signature__}\n\n    {verb.__doc__}"


# A property, since a verb is imported when it is first used; set here, since a class has a docstring of its own.
CallablePackage.__doc__ = property(_described)  # type: ignore[assignment]
