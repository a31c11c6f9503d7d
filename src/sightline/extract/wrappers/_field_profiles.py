"""The fields of a wrapper by name: renamed in its profile, and outlined for people."""

from collections.abc import Mapping
from dataclasses import replace

from sightline.data import Option, Profile, SetOf, TupleOf

__all__ = ["outline_lines", "renamed_profile"]


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


# The schema of a wrapper as an indented outline for people.

LONGEST_EXAMPLE = 60


def outline_lines(node: TupleOf, scope: str, examples: Mapping[str, str], indent: str = "") -> list[str]:
    """A line for each field with its type and an example; the fields of records follow, indented."""
    lines: list[str] = []
    for name, part in node.fields:
        marks, inner = "", part
        while isinstance(inner, Option | SetOf):
            marks += " optional" if isinstance(inner, Option) else " set of"
            inner = inner.item
        full = f"{scope}{name}"
        if isinstance(inner, TupleOf):
            lines += [f"{indent}{name}:{marks} records", *outline_lines(inner, f"{full}.", examples, indent + "  ")]
        else:
            example = examples.get(full, "")
            shown = f"  “{example[:LONGEST_EXAMPLE]}{'…' * (len(example) > LONGEST_EXAMPLE)}”" if example else ""
            lines.append(f"{indent}{name}:{marks} {inner}{shown}")
    return lines
