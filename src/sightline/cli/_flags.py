"""Turns settings dataclasses into flags: each field with help is an option of every command that takes the class."""

import inspect
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import Field, fields
from typing import Annotated, Any, Literal, get_type_hints

import typer

from sightline.errors import UsageError
from sightline.settings import Settings, describe

__all__ = ["HELP_ALL", "takes"]

HELP_ALL = "--help-all"
# Settings that few people need: the help of a command has them only if it is asked for all.
MORE = ("browser", "limits", "policy")


def takes(**groups: type[Settings]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the flags of settings classes; it receives one instance for each keyword.

    Commands need not know the flags: a new field in a settings class is a new flag everywhere.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)
        kept = [
            parameter
            for parameter in signature.parameters.values()
            if parameter.name not in groups and parameter.kind is not parameter.VAR_KEYWORD
        ]
        own = {parameter.name for parameter in kept}  # a command's own flag of a name comes before a setting's
        flags = [
            _parameter(kind, declared, hidden=name in MORE and not _wants_all())
            for name, kind in groups.items()
            for declared in describe(kind)
            if declared.name not in own
        ]

        def wrapped(**values: Any) -> None:
            given = {name: value for name, value in values.items() if name not in own}
            filled = {name: _fill(kind, given) for name, kind in groups.items()}
            command(**{parameter.name: values[parameter.name] for parameter in kept}, **filled)

        if any(name in MORE for name in groups):
            flags.append(_help_all())
        wrapped.__name__, wrapped.__doc__ = command.__name__, command.__doc__
        wrapped.__signature__ = signature.replace(parameters=[*kept, *flags])  # type: ignore[attr-defined]
        wrapped.__annotations__ = {parameter.name: parameter.annotation for parameter in (*kept, *flags)}
        return wrapped

    return decorate


def _fill(kind: type[Settings], values: dict[str, Any]) -> Settings:
    given = {declared.name: values[declared.name] for declared in fields(kind) if declared.name in values}
    try:
        return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in given.items()})
    except UsageError as problem:
        raise UsageError(_in_flags(kind, problem.message)) from problem


def _in_flags(kind: type[Settings], text: str) -> str:
    """A sentence about a setting of a class, as one about its flag."""
    return re.sub(rf"^(\w+) of {kind.__name__}\b", lambda found: f"--{found[1].replace('_', '-')}", text)


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


def _parameter(kind: type[Settings], declared: "Field[Any]", *, hidden: bool) -> inspect.Parameter:
    word = declared.name.replace("_", "-")
    annotation = get_type_hints(kind)[declared.name]
    default: Any = declared.default
    if annotation == tuple[str, ...]:
        annotation, default = list[str], list(default)
    if annotation is str and declared.metadata["choices"]:
        annotation = Literal[declared.metadata["choices"]]  # typer lists them in the help, and refuses all others
    names = [f"--{word}/--no-{word}"] if annotation is bool else [f"--{word}"]
    help_text = declared.metadata["help"]
    option = typer.Option(
        *names,
        help=help_text[0].upper() + help_text[1:] + ".",
        min=declared.metadata["minimum"] if annotation in (int, float) else None,
        max=declared.metadata["maximum"] if annotation in (int, float) else None,
        rich_help_panel=_panel(kind),
        hidden=hidden or declared.metadata["hidden"],
    )
    return inspect.Parameter(
        declared.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[annotation, option]
    )


def _panel(kind: type[Settings]) -> str:
    return kind.__name__.removesuffix("Settings")


def set_values(texts: Sequence[str]) -> dict[str, str]:
    """The values of `--set`, by their names."""
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--set {text} has no value; write --set NAME=TEXT.")
        found[name.strip()] = value
    return found
