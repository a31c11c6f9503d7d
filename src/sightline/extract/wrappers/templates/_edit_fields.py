"""Fields by name: finding them in a template, and renaming, dropping, merging and splitting them.

A field in a set is addressed by the name of the set and its own, `products.price`.
"""

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import NamedTuple

from sightline.errors import UsageError
from sightline.extract.schemas import (
    Inner,
    Leaf,
    Reference,
    Slot,
    Template,
    TemplateBody,
    TemplateRow,
    copy_template,
    leaves_in,
)

POINT = "."


class NamedSlot(NamedTuple):
    """A field or a set with its full name."""

    name: str
    part: Leaf | Slot

    @property
    def scope(self) -> str:
        """The name of the set that it is in, or ""."""
        return self.name.rpartition(POINT)[0] if POINT in self.name else ""


def fields_in(template: Template) -> list[NamedSlot]:
    """Every field and every set of a template, in order, including dropped ones."""
    found: list[NamedSlot] = []
    _walk(template.root, "", found)
    _add_named(template.image, "", found)
    return found


def _add_named(leaf: Leaf | None, scope: str, found: list[NamedSlot]) -> None:
    if leaf is not None and leaf.fixed is None and leaf.name:
        found.append(NamedSlot(scope + leaf.name, leaf))


def _walk(inner: Inner | None, scope: str, found: list[NamedSlot]) -> None:
    if isinstance(inner, Leaf):
        for leaf in (inner, inner.link, *inner.within):
            _add_named(leaf, scope, found)
        return
    for taker in inner.takers if inner else ():
        if isinstance(taker, TemplateRow) or not taker.is_set or not taker.name:
            _walk(taker.inner, scope, found)
        elif taker.present:
            found.append(NamedSlot(scope + taker.name, taker))
            if any(leaf.name != taker.name for leaf in leaves_in(taker.inner) if leaf.fixed is None):
                _walk(taker.inner, f"{scope}{taker.name}{POINT}", found)
                _add_named(taker.image, f"{scope}{taker.name}{POINT}", found)


def check_names(template: Template) -> None:
    """Refuse a name that is both of a value and of records, which no record could hold."""
    kinds: dict[str, str] = {}
    _check_scope(template.root, kinds)
    _check_reference(template.image, kinds)


def _check_scope(inner: Inner | None, kinds: dict[str, str]) -> None:
    """Check the names in a record; `kinds` are those that are known in it."""
    if isinstance(inner, Leaf):
        if inner.fixed is None:
            _check_kind(inner.name, "a value", kinds)
        _check_reference(inner.link, kinds)
        for part in inner.within:
            _check_kind(part.name, "a value", kinds)
        return
    for taker in inner.takers if inner else ():
        if isinstance(taker, TemplateRow) or taker.take in ("one", "rest"):
            _check_scope(taker.inner, kinds)
            continue
        if all(leaf.fixed is not None for leaf in leaves_in(taker.inner)):
            continue  # nothing is ever read there
        _check_kind(taker.name, "a value" if taker.is_of_values else "records", kinds)
        inside = kinds if taker.is_of_values else {}
        _check_scope(taker.inner, inside)
        _check_reference(taker.image, inside)


def _check_reference(reference: Reference | None, kinds: dict[str, str]) -> None:
    if reference is not None:
        _check_kind(reference.name, "an address", kinds)


def _check_kind(name: str, kind: str, kinds: dict[str, str]) -> None:
    if kinds.setdefault(name, kind) != kind:
        raise UsageError(f"The name {name!r:.60} stands for both {kinds[name]} and {kind}; rename one of them.")


def rename_field(templates: tuple[Template, ...], old: str, new: str) -> tuple[Template, ...]:
    """Templates with a field renamed."""
    _check_new(templates, old, new)
    return _change_fields(templates, [old], lambda found: _rename_all(found, new))


def merge_fields(templates: tuple[Template, ...], names: tuple[str, ...], into: str) -> tuple[Template, ...]:
    """Templates with several fields merged into one: whichever of them a page has."""
    if len(names) < 2:
        raise UsageError("Merging needs at least two fields; name all those that are one.")
    scope_of = {named.name: named.scope for template in templates for named in fields_in(template)}
    scopes = {scope_of.get(name, "") for name in names}
    if len(scopes) > 1:
        raise UsageError(f"{' and '.join(names)} are in different records and cannot be merged; merge them in each.")
    if into not in names:
        _check_new(templates, names[0], into)
    return _change_fields(templates, list(names), lambda found: _rename_all(found, into))


def split_field(templates: tuple[Template, ...], name: str) -> tuple[Template, ...]:
    """Templates with the alternatives of a field as fields of their own, numbered."""

    def number(found: list[NamedSlot]) -> None:
        if len(found) < 2:
            raise UsageError(f"{name!r} is in one place only; there is nothing to split.")
        for count, named in enumerate(found[1:], 2):
            _rename(named, f"{named.part.name} {count}")

    return _change_fields(templates, [name], number)


def drop_field(templates: tuple[Template, ...], name: str) -> tuple[Template, ...]:
    """Templates without a field, or without a whole set; it can be restored."""
    return _change_fields(templates, [name], lambda found: _set_dropped(found, gone=True))


def restore_field(templates: tuple[Template, ...], name: str) -> tuple[Template, ...]:
    """Templates with a dropped field restored."""
    return _change_fields(templates, [name], lambda found: _set_dropped(found, gone=False))


def bring_back_aside(templates: tuple[Template, ...], *, dropped: bool = False) -> tuple[Template, ...]:
    """Templates with every field that was set aside; what people have dropped stays so, unless it is asked for."""
    fresh = tuple(map(copy_template, templates))
    for leaf in (leaf for template in fresh for leaf in _all_in(template.root) if leaf.aside or dropped):
        leaf.dropped = False
    if dropped:
        for image in (template.image for template in fresh if template.image):
            image.dropped = False
    return fresh


def _all_in(inner: Inner | None) -> Iterator[Leaf]:
    """All leaves below, with addresses."""
    if isinstance(inner, Leaf):
        yield from (leaf for leaf in (inner, inner.link, *inner.within) if leaf is not None)
    for taker in inner.takers if isinstance(inner, TemplateBody) else ():
        yield from _all_in(taker.inner)
        if isinstance(taker, Slot) and taker.image is not None:
            yield taker.image


def _change_fields(
    templates: tuple[Template, ...], names: list[str], change: Callable[[list[NamedSlot]], object]
) -> tuple[Template, ...]:
    fresh = tuple(map(copy_template, templates))
    existing = [named for template in fresh for named in fields_in(template)]
    for name in names:
        if not any(named.name == name for named in existing):
            raise _unknown(name, [named.name for named in existing])
    for template in fresh:
        found = [named for named in fields_in(template) if named.name in names]
        if found:
            change(found)
        check_names(template)
    return fresh


def _unknown(name: str, names: list[str]) -> UsageError:
    close = get_close_matches(name, names, n=1)
    meant = f"did you mean {close[0]!r}?" if close else f"the fields are {', '.join(dict.fromkeys(names))}."
    return UsageError(f"There is no field {name!r}; {meant}")


def _check_new(templates: tuple[Template, ...], old: str, new: str) -> None:
    if not new.strip() or POINT in new:
        raise UsageError(f"{new!r} cannot be the name of a field; a name is not empty and contains no full stop.")
    scope = old.rpartition(POINT)[0]
    full = f"{scope}{POINT}{new}" if scope else new
    if full != old and any(named.name == full for template in templates for named in fields_in(template)):
        raise UsageError(f"There is already a field {full!r}; merge the two, or choose another name.")


def _rename_all(found: list[NamedSlot], name: str) -> None:
    for named in found:
        _rename(named, name)


def _rename(named: NamedSlot, name: str) -> None:
    last = named.part.name
    named.part.name = name
    if isinstance(named.part, Slot):
        for leaf in leaves_in(named.part.inner):  # a set of single values shares its name with them
            leaf.name = name if leaf.name == last else leaf.name


def _set_dropped(found: list[NamedSlot], *, gone: bool) -> None:
    for named in found:
        part = named.part
        for leaf in [part] if isinstance(part, Leaf) else [*_all_in(part.inner), *filter(None, [part.image])]:
            leaf.dropped = gone
            leaf.aside = False
