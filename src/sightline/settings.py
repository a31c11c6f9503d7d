"""Settings are frozen dataclasses whose fields carry their own help and bounds.

One declaration gives the Python argument, the command line's flag and the check of the value:

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True, kw_only=True)
... class Cooking(Settings):
...     minutes: float = setting(5.0, help="how long to cook", minimum=0)
>>> Cooking(minutes=-1)
Traceback (most recent call last):
...
sightline.errors.UsageError: minutes of Cooking must be at least 0, not -1; it says how long to cook.
"""

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any, TypeVar

from sightline.errors import UsageError

__all__ = ["Settings", "check_rules", "describe", "setting"]

T = TypeVar("T")


def setting(
    default: T,
    *,
    help: str,
    minimum: float | None = None,
    maximum: float | None = None,
    choices: tuple[T, ...] = (),
    hidden: bool = False,
) -> T:
    """Declare a setting: its default, help and allowed values; a `hidden` one is for studies, not users."""
    metadata = {"help": help, "minimum": minimum, "maximum": maximum, "choices": choices, "hidden": hidden}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The base of all settings: checks every value against its declaration on creation."""

    def __post_init__(self) -> None:
        """Reject values outside the declared bounds."""
        for declared in fields(self):
            _check(type(self).__name__, declared, getattr(self, declared.name))


def describe(kind: type[Settings]) -> Iterator["Field[Any]"]:
    """The fields of a settings class that have help, to build flags or forms from."""
    return (declared for declared in fields(kind) if "help" in declared.metadata and declared.default is not MISSING)


def check_rules(names: tuple[str, ...], rules: Mapping[str, str]) -> None:
    """Reject unknown names of rules to leave out, and a single string, whose letters would be taken for names.

    >>> check_rules(("score",), {"score": "only what scores enough is handed out"})
    """
    if isinstance(names, str):
        raise UsageError(f"The rules to leave out must be a tuple of names, not a string; write ({names!r},).")
    for name in names:
        if name not in rules:
            raise UsageError(f"There is no rule {name!r} to leave out; the rules are {', '.join(rules)}.")


def _check(owner: str, declared: "Field[Any]", value: Any) -> None:
    metadata = declared.metadata
    if "help" not in metadata or value is None:
        return
    minimum, maximum, choices = metadata["minimum"], metadata["maximum"], metadata["choices"]
    if value != value:
        problem = "a number"
    elif minimum is not None and value < minimum:
        problem = f"at least {minimum:g}"
    elif maximum is not None and value > maximum:
        problem = f"at most {maximum:g}"
    elif choices and value not in choices:
        problem = "one of " + ", ".join(map(str, choices))
    else:
        return
    raise UsageError(f"{declared.name} of {owner} must be {problem}, not {value}; it says {metadata['help']}.")
