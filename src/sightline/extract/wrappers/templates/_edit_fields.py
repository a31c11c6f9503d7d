"""Fields by their names: finding them in a template, and renaming, dropping, merging and splitting them.

A field in a set is called by the name of the set and its own, `products.price`.
"""

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import NamedTuple

from sightline.errors import UsageError
from sightline.extract.schemas import Inner, Leaf, Slot, Template, TemplateRow, copied, leaves_in

__all__ = ["NamedSlot", "dropped", "fields_in", "merged", "renamed", "restored", "split"]

POINT = "."


class NamedSlot(NamedTuple):
    """A field or a set with its full name."""

    name: str
    part: Leaf | Slot

    @property
    def scope(self) -> str:
        """The name of the set that it is in, or nothing."""
        return self.name.rpartition(POINT)[0] if POINT in self.name else ""


def fields_in(template: Template) -> list[NamedSlot]:
    """Every field and every set of a template, in their order; dropped ones as well."""
    return list(_walk(template.root, ""))


def _walk(inner: Inner | None, scope: str) -> Iterator[NamedSlot]:
    if isinstance(inner, Leaf):
        if inner.fixed is None and inner.name:
            yield NamedSlot(scope + inner.name, inner)
        return
    for taker in inner.takers if inner else ():
        if isinstance(taker, TemplateRow) or taker.take in ("one", "rest") or not taker.name:
            yield from _walk(taker.inner, scope)
            continue
        if not taker.present:
            continue
        yield NamedSlot(scope + taker.name, taker)
        if any(leaf.name != taker.name for leaf in leaves_in(taker.inner) if leaf.fixed is None):
            yield from _walk(taker.inner, f"{scope}{taker.name}{POINT}")


def renamed(templates: tuple[Template, ...], old: str, new: str) -> tuple[Template, ...]:
    """Templates with a field called otherwise."""
    _check_new(templates, old, new)
    return _changed(templates, [old], lambda found: _call_all(found, new))


def merged(templates: tuple[Template, ...], names: tuple[str, ...], into: str) -> tuple[Template, ...]:
    """Templates in which several fields are one: whichever of them a page has."""
    if len(names) < 2:
        raise UsageError("Merging takes at least two fields; name those that are one.")
    known = {own.name: own.scope for template in templates for own in fields_in(template)}
    scopes = {known.get(name, "") for name in names}
    if len(scopes) > 1:
        raise UsageError(f"{' and '.join(names)} are in different records and cannot be one field.")
    if into not in names:
        _check_new(templates, names[0], into)
    return _changed(templates, list(names), lambda found: _call_all(found, into))


def split(templates: tuple[Template, ...], name: str) -> tuple[Template, ...]:
    """Templates in which the alternatives of a field are fields of their own, numbered."""

    def number(found: list[NamedSlot]) -> None:
        if len(found) < 2:
            raise UsageError(f"{name!r} stands in one place only; there is nothing to split.")
        for count, own in enumerate(found[1:], 2):
            _call(own, f"{own.part.name} {count}")

    return _changed(templates, [name], number)


def dropped(templates: tuple[Template, ...], name: str) -> tuple[Template, ...]:
    """Templates without a field, or without a whole set; it can be restored."""
    return _changed(templates, [name], lambda found: _drop(found, gone=True))


def restored(templates: tuple[Template, ...], name: str) -> tuple[Template, ...]:
    """Templates with a field that was dropped."""
    return _changed(templates, [name], lambda found: _drop(found, gone=False))


def _changed(
    templates: tuple[Template, ...], names: list[str], change: Callable[[list[NamedSlot]], object]
) -> tuple[Template, ...]:
    fresh = tuple(map(copied, templates))
    known = [own for template in fresh for own in fields_in(template)]
    for name in names:
        if not any(own.name == name for own in known):
            raise _unknown(name, [own.name for own in known])
    for template in fresh:
        found = [own for own in fields_in(template) if own.name in names]
        if found:
            change(found)
    return fresh


def _unknown(name: str, known: list[str]) -> UsageError:
    close = get_close_matches(name, known, n=1)
    meant = f"did you mean {close[0]!r}?" if close else f"the fields are {', '.join(dict.fromkeys(known))}."
    return UsageError(f"There is no field {name!r}; {meant}")


def _check_new(templates: tuple[Template, ...], old: str, new: str) -> None:
    if not new.strip() or POINT in new:
        raise UsageError(f"{new!r} cannot be the name of a field; a name is not empty and has no point in it.")
    scope = old.rpartition(POINT)[0]
    full = f"{scope}{POINT}{new}" if scope else new
    if full != old and any(own.name == full for template in templates for own in fields_in(template)):
        raise UsageError(f"There is a field {full!r} already; merge the two, or take another name.")


def _call_all(found: list[NamedSlot], name: str) -> None:
    for own in found:
        _call(own, name)


def _call(own: NamedSlot, name: str) -> None:
    last = own.part.name
    own.part.name = name
    if isinstance(own.part, Slot):
        for leaf in leaves_in(own.part.inner):  # a set of single values has the name of these
            leaf.name = name if leaf.name == last else leaf.name


def _drop(found: list[NamedSlot], *, gone: bool) -> None:
    for own in found:
        for leaf in [own.part] if isinstance(own.part, Leaf) else leaves_in(own.part.inner):
            leaf.dropped = gone
