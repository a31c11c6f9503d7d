"""`sightline mend`: the fields of a wrapper renamed, merged, split, dropped and restored."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from sightline import Wrapper
from sightline.cli._console import print_json, remark
from sightline.cli._sources import Json
from sightline.cli._wrappers import WrapperFile, check_wrapper_name, document, print_outline
from sightline.errors import UsageError

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(mend)


def mend(  # noqa: PLR0913 - one for each flag
    file: WrapperFile,
    *,
    rename: Annotated[
        list[str], typer.Option("--rename", metavar="OLD=NEW", help="Call a field or a set otherwise.")
    ] = [],  # noqa: B006 - typer's way of saying that there may be none
    merge: Annotated[
        list[str],
        typer.Option("--merge", metavar="A+B=NEW", help="Make several fields one, whichever of them a page has."),
    ] = [],  # noqa: B006
    split: Annotated[
        list[str], typer.Option("--split", metavar="NAME", help="Make the places of a merged field fields again.")
    ] = [],  # noqa: B006
    drop: Annotated[list[str], typer.Option("--drop", metavar="NAME", help="Leave out a field or a whole set.")] = [],  # noqa: B006
    restore: Annotated[list[str], typer.Option("--restore", metavar="NAME", help="Bring back what was dropped.")] = [],  # noqa: B006
    records_of: Annotated[
        str | None, typer.Option("--records-of", metavar="SET", help="Each item of this set is a record.")
    ] = None,
    whole_page: Annotated[bool, typer.Option("--whole-page", help="Each page is one record.")] = False,
    out: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write into this file instead of over the wrapper itself.")
    ] = None,
    json: Json = False,
) -> None:
    """Mend a wrapper: rename or drop fields, say what a record is. Without flags, show it.

    A field in a set is called by both names, such as products.price. All flags of fields may be given again.

    The changes are made in this order: rename, merge, split, drop, restore, and what a record is.

    [bold]Examples[/]

      sightline mend shop.wrapper.json

      sightline mend shop.wrapper.json --rename Price=price --drop Shipping

      sightline mend shop.wrapper.json --merge "price+sale=price" -o x.wrapper.json

      sightline mend list.wrapper.json --records-of products
    """
    changes = _Changes(rename, merge, split, drop, restore, records_of, whole_page)
    changes.check()
    target = out or file
    if out:
        check_wrapper_name(out)
    wrapper = changes.made(Wrapper.load(file))
    if out or changes:
        wrapper.save(target)
    if json:
        print_json({"results": [document(str(file), wrapper)]})
    else:
        print_outline(wrapper)
    if out or changes:
        remark(f"Written: {target}")


@dataclass(frozen=True)
class _Changes:
    """What is to be changed."""

    rename: Sequence[str]
    merge: Sequence[str]
    split: Sequence[str]
    drop: Sequence[str]
    restore: Sequence[str]
    records_of: str | None
    whole_page: bool

    def __bool__(self) -> bool:
        parts = (self.rename, self.merge, self.split, self.drop, self.restore, self.records_of, self.whole_page)
        return any(parts)

    def check(self) -> None:
        """Refuse what cannot be understood, before the file is read."""
        if self.whole_page and self.records_of:
            raise UsageError("Either the items of a set are records (--records-of) or pages are (--whole-page).")
        for one in self.rename:
            _pair(one)
        for one in self.merge:
            _together(one)

    def made(self, wrapper: Wrapper) -> Wrapper:
        """The wrapper with all changes, in their order."""
        for old, new in map(_pair, self.rename):
            wrapper = wrapper.rename(old, new)
        for names, into in map(_together, self.merge):
            wrapper = wrapper.merge(*names, into=into)
        for name in self.split:
            wrapper = wrapper.split(name)
        for name in self.drop:
            wrapper = wrapper.drop(name)
        for name in self.restore:
            wrapper = wrapper.restore(name)
        return wrapper.records_of(self.records_of) if self.records_of or self.whole_page else wrapper


def _pair(text: str) -> tuple[str, str]:
    """An old and a new name; only the old one may have an equals sign in it.

    >>> _pair("a = b=c")
    ('a = b', 'c')
    """
    old, _, new = (part.strip() for part in text.rpartition("="))
    if not old or not new:
        raise UsageError(f"--rename {text}: give the old and the new name, such as --rename Price=price.")
    return old, new


def _together(text: str) -> tuple[list[str], str | None]:
    """The names of fields that are one, and what it is called, if not as the first of them.

    >>> _together("a+b=c"), _together("a+b")
    ((['a', 'b'], 'c'), (['a', 'b'], None))
    """
    several, _, into = text.rpartition("=") if "=" in text else (text, "", "")
    names = [name.strip() for name in several.split("+")]
    if len(names) < 2 or not all(names):
        raise UsageError(f"--merge {text}: name the fields that are one, such as --merge 'price+sale price=price'.")
    return names, into.strip() or None
