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
from dataclasses import Field, dataclass, field, fields
from functools import cache
from numbers import Integral, Real
from typing import Any, TypeVar, get_args, get_type_hints

from sightline.errors import UsageError

__all__ = ["Settings", "check_rules", "describe", "setting"]

T = TypeVar("T")


def setting(  # noqa: PLR0913 - keywords, each of them said seldom
    default: T,
    *,
    help: str,
    minimum: float | None = None,
    maximum: float | None = None,
    choices: tuple[T, ...] = (),
    hidden: bool = False,
    secret: bool = False,
    said: object = None,
) -> T:
    """Declare a setting: its default, help and allowed values.

    A `hidden` one is for studies, not users. The value of a `secret` one is repeated by no error and no `repr`. What is
    `said` about it is for the command line alone.
    """
    rules = {"help": help, "minimum": minimum, "maximum": maximum, "choices": choices}
    shown = {"hidden": hidden, "secret": secret, "said": said}
    return field(default=default, repr=not secret, metadata={**rules, **shown})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The base of all settings: checks every value against its declaration on creation."""

    def __post_init__(self) -> None:
        """Reject values of another type, and values outside the declared bounds."""
        kind: type = type(self)
        types = _types(kind)
        for declared in fields(self):
            _check(kind.__name__, declared, types[declared.name], getattr(self, declared.name))


def describe(kind: type[Settings]) -> Iterator["Field[Any]"]:
    """The fields of a settings class that have help, to build flags or forms from."""
    return (declared for declared in fields(kind) if "help" in declared.metadata)


def check_rules(names: tuple[str, ...], rules: Mapping[str, str]) -> None:
    """Reject unknown names of rules to leave out, and a single string, whose letters would be taken for names.

    >>> check_rules(("score",), {"score": "only what scores enough is handed out"})
    """
    if isinstance(names, str):
        raise UsageError(f"The rules to leave out must be a tuple of names, not a string; write ({names!r},).")
    for name in names:
        if name not in rules:
            raise UsageError(f"There is no rule {name!r} to leave out; the rules are {', '.join(rules)}.")


@cache
def _types(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _check(owner: str, declared: "Field[Any]", kind: Any, value: Any) -> None:
    if "help" not in declared.metadata or (problem := _problem(declared.metadata, kind, value)) is None:
        return
    said = f"it says {declared.metadata['help']}."
    if declared.metadata["secret"]:
        raise UsageError(f"{declared.name} of {owner} must be {problem.partition(',')[0]}; {said}")
    shown = repr(value) if isinstance(value, str) and not declared.metadata["choices"] else value
    raise UsageError(f"{declared.name} of {owner} must be {problem}, not {shown}; {said}")


def _problem(metadata: Mapping[str, Any], kind: Any, value: Any) -> str | None:
    """What a value would have to be; None if it is that."""
    if type(None) in get_args(kind):
        if value is None:
            return None
        kind = next(one for one in get_args(kind) if one is not type(None))
    minimum, maximum, choices = metadata["minimum"], metadata["maximum"], metadata["choices"]
    if choices:
        return None if value in choices else "one of " + ", ".join(map(str, choices))
    if (problem := _other_type(kind, value)) is not None:
        return problem
    if minimum is not None and value < minimum:
        return f"at least {minimum:g}"
    return f"at most {maximum:g}" if maximum is not None and value > maximum else None


def _other_type(kind: Any, value: Any) -> str | None:
    """The type that a value would have to have, in words; None if it has it. Whole numbers are numbers, too."""
    if kind is bool:
        return None if isinstance(value, bool) else "True or False"
    if kind is int:
        return None if isinstance(value, Integral) and not isinstance(value, bool) else "a whole number"
    if kind is float:
        is_number = isinstance(value, Real) and not isinstance(value, bool) and value == value  # a NaN is not itself
        return None if is_number else "a number"
    if kind is str:
        return None if isinstance(value, str) else "a text"
    if kind == tuple[str, ...]:
        fits = isinstance(value, tuple) and all(isinstance(one, str) for one in value)
        return None if fits else f"a tuple of texts, such as {_as_tuple(value)}"
    return None


def _as_tuple(value: Any) -> str:
    """What was probably meant."""
    texts = (value,) if isinstance(value, str) else value if isinstance(value, list | tuple | set) else ("a", "b")
    return str(tuple(map(str, texts)))
