"""`sightline edit`: rename, merge, split, drop and restore the fields of a wrapper."""

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

__all__ = ["register_edit"]


def register_edit(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(edit)


def edit(  # noqa: PLR0913 - one for each flag
    file: WrapperFile,
    *,
    rename: Annotated[list[str], typer.Option("--rename", metavar="OLD=NEW", help="Rename a field or a set.")] = [],  # noqa: B006 - typer's way of saying that there may be none
    merge: Annotated[
        list[str],
        typer.Option(
            "--merge", metavar="A+B=NEW", help="Merge several fields into one, for pages that have either of them."
        ),
    ] = [],  # noqa: B006
    split: Annotated[
        list[str], typer.Option("--split", metavar="NAME", help="Split a merged field into its parts again.")
    ] = [],  # noqa: B006
    drop: Annotated[list[str], typer.Option("--drop", metavar="NAME", help="Drop a field or a whole set.")] = [],  # noqa: B006
    restore: Annotated[
        list[str], typer.Option("--restore", metavar="NAME", help="Restore a dropped field or set.")
    ] = [],  # noqa: B006
    records_of: Annotated[
        str | None, typer.Option("--records-of", metavar="SET", help="Make each item of this set a record.")
    ] = None,
    whole_page: Annotated[bool, typer.Option("--whole-page", help="Make each page one record.")] = False,
    out: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file instead of overwriting the wrapper.")
    ] = None,
    json: Json = False,
) -> None:
    """Edit a wrapper: rename, merge or drop fields, or change what a record is. Without flags, show it.

    Name a field in a set by both names, such as products.price. Flags for fields can be repeated.

    Changes apply in this order: rename, merge, split, drop, restore, then what a record is.

    [bold]Examples[/]

      sightline edit shop.wrapper.json

      sightline edit shop.wrapper.json --rename Price=price --drop Shipping

      sightline edit shop.wrapper.json --merge "price+sale=price" -o x.wrapper.json

      sightline edit list.wrapper.json --records-of products
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
    """The changes to make."""

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
        """Reject malformed changes before the file is read."""
        if self.whole_page and self.records_of:
            raise UsageError("Give either --records-of or --whole-page, not both.")
        for text in self.rename:
            _pair(text)
        for text in self.merge:
            _merged_names(text)

    def made(self, wrapper: Wrapper) -> Wrapper:
        """The wrapper with all changes applied in order."""
        for old, new in map(_pair, self.rename):
            wrapper = wrapper.rename(old, new)
        for names, into in map(_merged_names, self.merge):
            wrapper = wrapper.merge(*names, into=into)
        for name in self.split:
            wrapper = wrapper.split(name)
        for name in self.drop:
            wrapper = wrapper.drop(name)
        for name in self.restore:
            wrapper = wrapper.restore(name)
        return wrapper.records_of(self.records_of) if self.records_of or self.whole_page else wrapper


def _pair(text: str) -> tuple[str, str]:
    """An old and a new name; only the old one may contain an equals sign.

    >>> _pair("a = b=c")
    ('a = b', 'c')
    """
    old, _, new = (part.strip() for part in text.rpartition("="))
    if not old or not new:
        raise UsageError(f"--rename {text}: give the old and the new name, such as --rename Price=price.")
    return old, new


def _merged_names(text: str) -> tuple[list[str], str | None]:
    """The names of fields to merge, and the new name, or None to use the first.

    >>> _merged_names("a+b=c"), _merged_names("a+b")
    ((['a', 'b'], 'c'), (['a', 'b'], None))
    """
    several, _, into = text.rpartition("=") if "=" in text else (text, "", "")
    names = [name.strip() for name in several.split("+")]
    if len(names) < 2 or not all(names):
        raise UsageError(f"--merge {text}: name the fields to merge, such as --merge 'price+sale price=price'.")
    return names, into.strip() or None
