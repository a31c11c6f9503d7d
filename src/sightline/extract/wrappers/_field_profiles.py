"""Texts that a wrapper reads, by the names in its profile, and renaming in profiles."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sightline.data import Profile, Value, named_values
from sightline.page import Page

if TYPE_CHECKING:
    from sightline.extract.wrappers._wrapper import Wrapper

__all__ = ["record_texts", "record_values", "renamed_profile"]


def record_texts(wrapper: "Wrapper", pages: Sequence[Page]) -> dict[str, list[str]]:
    """The texts of each field of a wrapper on some pages, by full name."""
    return {name: [value.text for value in values] for name, values in record_values(wrapper, pages).items()}


def record_values(wrapper: "Wrapper", pages: Sequence[Page]) -> dict[str, list[Value]]:
    """The values of each field of a wrapper on some pages, by full name."""
    each = next(iter(wrapper.rules.each), "")
    found: dict[str, list[Value]] = defaultdict(list)
    for page in pages:
        for record in wrapper.read(page).records:
            for name, value in named_values(record, each):
                found[name].append(value)
    return dict(found)


def renamed_profile(profile: Profile, old: str, new: str) -> Profile:
    """A profile with a field, or a set and all its fields, renamed; both names are full names."""
    fields = tuple(
        replace(field_profile, name=_new_name(field_profile.name, old, new)) for field_profile in profile.fields
    )
    records = tuple(
        (_new_name(name, old, new), _renamed_record(record, name, old, new)) for name, record in profile.records
    )
    return replace(profile, fields=fields, records=records)


def _new_name(name: str, old: str, new: str) -> str:
    if name == old:
        return new
    return new + name[len(old) :] if name.startswith(f"{old}.") else name


def _renamed_record(record: dict[str, tuple[str, ...]], holder: str, old: str, new: str) -> dict[str, tuple[str, ...]]:
    return {_new_name(f"{holder}.{name}", old, new).rpartition(".")[2]: texts for name, texts in record.items()}
