"""Turns dataclasses into flags: the settings of the package, and what a single command can be told besides.

Each field with help is an option of every command that has a parameter of its class:

>>> @dataclass(frozen=True, kw_only=True)
... class CookingFlags(Flags):
...     out: Path | None = output_file("write the meal to this file")
...     minutes: float = flag(5.0, help="how long to cook", minimum=0)
>>> def cook(flags: CookingFlags) -> None: ...
>>> list(inspect.signature(with_flags(cook)).parameters)
['out', 'minutes']
"""

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_type_hints

import typer

from sightline.errors import UsageError
from sightline.settings import Settings, describe, setting

HELP_ALL = "--help-all"
# Settings that few people need: the help of a command has them only if it is asked for all.
MORE = ("browser", "limits", "policy")
# How rows are written, for the help of the flags that name a file.
ROW_FILES = ".csv .jsonl .json .xml .xlsx .parquet or .html"

T = TypeVar("T")

REQUIRED: Any = MISSING
"""The default of a flag that must be given."""

argument = partial(typer.Argument, show_default=False)


# How the fields are declared.


@dataclass(frozen=True, kw_only=True)
class Flags(Settings):
    """The base of what a command can be told besides settings.

    The flags of a class come before those of its bases, as what is particular to a command comes first in its help.
    """


@dataclass(frozen=True, kw_only=True)
class SettingsGroup:
    """The base of classes whose fields are settings that several commands take together."""


@dataclass(frozen=True)
class _Said:
    """What only a command line needs to know of a field.

    Words to type, a word for the value, the variable that may give it, the panel of the help, whether it cannot be
    denied by `--no-`, and what is done instead of the command.
    """

    names: str
    metavar: str | None = None
    variable: str | None = None
    panel: str | None = None
    alone: bool = False
    instead: Callable[[], object] | None = None


def flag(  # noqa: PLR0913 - keywords, each of them said seldom
    default: T,
    *,
    help: str,
    names: str = "",
    metavar: str | None = None,
    minimum: float | None = None,
    variable: str | None = None,
    panel: str | None = None,
) -> T:
    """Declare a flag with a value: as `setting` does, with the `names` to type if they aren't that of the field.

    Names are separated by blanks, and by a slash from those that deny: `--output -o`, `--static/--no-static`.
    """
    return setting(default, help=help, minimum=minimum, said=_Said(names, metavar, variable, panel))


def switch(*, help: str, names: str = "", instead: Callable[[], object] | None = None) -> bool:
    """Declare a flag without a value; the command isn't run if something is done `instead`."""
    return setting(default=False, help=help, said=_Said(names, alone=True, instead=instead))


def output_file(help: str) -> Path | None:
    """Declare the flag that names a file to write to."""
    return flag(None, help=help, names="--output -o")


def origins_of(what: str) -> bool:
    """Declare the flag that asks for the places that values come from."""
    return switch(help=f"include the box and XPath of {what}", names="--origins")


# What the fields become.


def with_flags(command: Callable[..., None]) -> Callable[..., None]:
    """A command as typer takes it: every parameter that is a group of settings is replaced by a flag for each of them.

    Commands need not know the flags: a new field in a settings class is a new flag everywhere.
    """
    signature = inspect.signature(command, eval_str=True)
    groups = {one.name: one.annotation for one in signature.parameters.values() if _is_group(one.annotation)}
    kept = [one for one in signature.parameters.values() if one.name not in groups]
    kinds = [pair for name, kind in groups.items() for pair in _kinds(name, kind)]
    owners: dict[str, type | None] = {one.name: None for one in kept}
    for _, kind in kinds:
        for declared in describe(kind):  # a command's own flag of a name comes before a setting's
            owners.setdefault(declared.name, kind)
    flags = [
        _parameter(kind, declared, hidden=name in MORE and not _wants_all())
        for name, kind in kinds
        for declared in _in_order(kind)
        if owners.get(declared.name) is kind
    ]
    if any(name in MORE for name, _ in kinds):
        flags.append(_help_all())

    def wrapped(**values: Any) -> None:
        filled = {name: _filled(kind, values, owners) for name, kind in groups.items()}
        command(**{one.name: values[one.name] for one in kept}, **filled)

    wrapped.__name__, wrapped.__doc__ = command.__name__, _unwrapped(inspect.getdoc(command) or "")
    wrapped.__signature__ = signature.replace(parameters=[*kept, *flags])  # type: ignore[attr-defined]
    wrapped.__annotations__ = {one.name: one.annotation for one in (*kept, *flags)}
    return wrapped


def _unwrapped(text: str) -> str:
    r"""A text whose paragraphs are one line each, since typer keeps the breaks of the source on a narrow terminal.

    >>> _unwrapped("First\nparagraph.\n\nSecond.")
    'First paragraph.\n\nSecond.'
    """
    return "\n\n".join(re.sub(r"\n(?! )", " ", paragraph) for paragraph in text.split("\n\n"))


def kinds_of(groups: type[SettingsGroup]) -> dict[str, type[Settings]]:
    """The settings that a class groups, by their names."""
    return dict(_kinds("", groups))


def _is_group(annotation: Any) -> bool:
    return inspect.isclass(annotation) and issubclass(annotation, Settings | SettingsGroup)


def _kinds(name: str, kind: type[Settings | SettingsGroup]) -> list[tuple[str, type[Settings]]]:
    """The settings of a group with their names; settings are a group of their own."""
    if issubclass(kind, Settings):
        return [(name, kind)]
    types = get_type_hints(kind)
    return [(one.name, types[one.name]) for one in _in_order(kind)]


def _in_order(kind: type[Settings | SettingsGroup]) -> "Iterator[Field[Any]]":
    """The fields of a class, then those of its bases."""
    by_name = {declared.name: declared for declared in fields(kind)}
    names = dict.fromkeys(name for one in kind.__mro__ for name in inspect.get_annotations(one))
    return (by_name[name] for name in names if name in by_name)


def _filled(
    kind: type[Settings | SettingsGroup], values: Mapping[str, Any], owners: Mapping[str, type | None]
) -> Settings | SettingsGroup:
    """An instance of a class, from the values of the command line."""
    if not issubclass(kind, Settings):
        return kind(**{name: _filled(one, values, owners) for name, one in kinds_of(kind).items()})
    given = {declared.name: values[declared.name] for declared in describe(kind) if owners[declared.name] is kind}
    try:
        return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in given.items()})
    except UsageError as problem:
        raise UsageError(_in_flags(kind, problem.message)) from problem


def _in_flags(kind: type[Settings], text: str) -> str:
    """A sentence about a setting of a class, as one about its flag."""
    return re.sub(rf"^(\w+) of {kind.__name__}\b", lambda found: f"--{found[1].replace('_', '-')}", text)


def _parameter(kind: type[Settings], declared: "Field[Any]", *, hidden: bool) -> inspect.Parameter:
    rules, said = declared.metadata, declared.metadata["said"] or _Said("")
    annotation, default = get_type_hints(kind)[declared.name], declared.default
    if annotation == tuple[str, ...]:
        annotation, default = list[str], [] if default is MISSING else list(default)
    if annotation is str and rules["choices"]:
        annotation = Literal[rules["choices"]]  # typer lists them in the help, and refuses all others
    is_number = annotation in (int, float, int | None)
    option = typer.Option(
        *_names(declared.name, said, can_be_denied=annotation is bool and not said.alone),
        help=rules["help"][0].upper() + rules["help"][1:] + ".",
        metavar=said.metavar,
        min=rules["minimum"] if is_number else None,
        max=rules["maximum"] if is_number else None,
        envvar=said.variable,
        rich_help_panel=said.panel or _panel(kind),
        hidden=hidden or rules["hidden"],
        is_eager=said.instead is not None,
        callback=said.instead and _ended_by(said.instead),
    )
    return inspect.Parameter(
        declared.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=inspect.Parameter.empty if default is MISSING else default,
        annotation=Annotated[annotation, option],
    )


def _names(field: str, said: _Said, *, can_be_denied: bool) -> list[str]:
    """The words to type for a field."""
    word = field.replace("_", "-")
    return said.names.split() or [f"--{word}/--no-{word}" if can_be_denied else f"--{word}"]


def _panel(kind: type[Settings]) -> str | None:
    return None if issubclass(kind, Flags) else kind.__name__.removesuffix("Settings")


def _ended_by(act: Callable[[], object]) -> Callable[[bool], bool]:
    """What typer calls for a flag that does something instead of the command."""

    def called(wanted: bool) -> bool:  # noqa: FBT001 - typer's way of calling
        if wanted:
            act()
            raise typer.Exit
        return wanted

    return called


def _help_all() -> inspect.Parameter:
    """The flag for the whole help."""
    option = typer.Option(
        HELP_ALL,
        help="Show this message with the flags of browser, limits and policy, and exit.",
        is_eager=True,
        callback=_show_help,
    )
    return inspect.Parameter(
        "help_all", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Annotated[bool, option]
    )


def _show_help(context: typer.Context, wanted: bool) -> None:  # noqa: FBT001 - typer's way of calling
    if wanted:
        typer.echo(context.get_help(), color=context.color)
        raise typer.Exit


def _wants_all() -> bool:
    """Whether the help was asked for with every flag."""
    return HELP_ALL in sys.argv


# What the values of flags mean.


def set_values(texts: Sequence[str]) -> dict[str, str]:
    """The values of `--set`, by their names."""
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--set {text} has no value; write --set NAME=TEXT.")
        found[name.strip()] = value
    return found


def the_one(given: Mapping[str, bool]) -> str | None:
    """The flag that is given, of several that exclude each other.

    >>> the_one({"--lists": False, "--top": True})
    '--top'
    """
    flags = [name for name, is_given in given.items() if is_given]
    if len(flags) > 1:
        raise UsageError(f"{flags[0]} and {flags[1]} exclude each other; give one of them.")
    return flags[0] if flags else None


def check_address(address: str, name: str = "") -> None:
    """Reject what isn't an address on the web, as an argument or the value of the flag with this `name`."""
    if not address.startswith(("http://", "https://")):
        about = f"{name} {address}: this" if name else address
        raise UsageError(f"{about} is not an address; give one that begins with https://.")
