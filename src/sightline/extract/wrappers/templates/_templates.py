"""Rules learned from pages alone: the templates that the pages of a site were made by."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from sightline.data import Basic, Disjunction, Option, Profile, Record, Records, Schema, SetOf, TupleOf, Value
from sightline.errors import UsageError
from sightline.extract.schemas import Slot, Template, leaves_in, schema_of
from sightline.extract.wrappers._field_profiles import renamed_profile
from sightline.extract.wrappers._found import Explained, Found, Judged
from sightline.extract.wrappers._outline import outline_lines
from sightline.extract.wrappers.templates import _edit_fields
from sightline.extract.wrappers.templates._codec import template_from_json, template_to_json
from sightline.extract.wrappers.templates._explain import explained
from sightline.extract.wrappers.templates._read import TemplateReading, read_page
from sightline.page import Page

__all__ = ["FROM_PAGES", "Templates"]

FROM_PAGES = "from pages alone"


@dataclass(frozen=True, eq=False)
class Templates:
    """The templates of a wrapper, and for each the set whose items are the records, or nothing where a page is one.

    They are never changed: mending them gives new ones.

    >>> from sightline.testing import shop_pages
    >>> from sightline.extract.wrappers import induce
    >>> rules = induce(shop_pages(4)).rules
    >>> print(rules.drop("Weight").schema)
    (title: text, Price: money EUR)
    """

    templates: tuple[Template, ...]
    each: tuple[str, ...]
    profile: Profile = field(default_factory=Profile)

    # ------------------------------------------------------------------ reading pages

    def read(self, page: Page, language: str | None, *, traced: bool = False) -> Found:
        """What is on a page, read by the template that it complies with best."""
        readings = [self._reading(page, number, traced=traced) for number in range(len(self.templates))]
        best = max(range(len(readings)), key=lambda number: _rank(readings[number]))
        reading = readings[best]
        schema = self._schemas[best]
        if reading.unseen:
            schema = schema_of(self.templates[best], self._sets_of_records[best], unseen=True)
        if reading.repeated:
            schema = TupleOf(tuple((name, _widened(name, node, reading.records)) for name, node in schema.fields))
        records = Records.trusted(reading.records, schema, page.language or language)
        return Found(records, reading.verdict, reading.found, reading.filled, reading.known, reading.problems, best)

    def explain(self, page: Page) -> list[Explained]:
        """Every text of a page: what it was read as, and why."""
        number = self.read(page, None).template
        reading = self._reading(page, number, traced=True)
        return explained(page, self.templates[number], reading)

    def judge(self, page: Page, example: str | int) -> list[Judged]:
        """What the template says of the texts of a node, or of those that are, or hold, a text."""
        found = self.explain(page)
        if isinstance(example, int):
            inside = page.xpath(example)
            chosen = [own for own in found if own.xpath == inside or own.xpath.startswith(f"{inside}/")]
        else:
            wanted = " ".join(example.split()).casefold()
            chosen = [own for own in found if wanted in own.text.casefold()]
        return [
            Judged(
                own.field or "",
                own.role,
                own.role == "field",
                (own.why,) if own.role == "field" else (),
                () if own.role == "field" else (own.why,),
            )
            for own in chosen
        ]

    def words(self) -> str:
        """The templates in words: their outline."""
        return self.outline()

    def _reading(self, page: Page, number: int, *, traced: bool = False) -> TemplateReading:
        return read_page(page, self.templates[number], self._sets_of_records[number], traced=traced)

    @cached_property
    def _sets_of_records(self) -> tuple[Slot | None, ...]:
        """For each template the set whose items are the records, if any."""
        return tuple(map(_set_named, self.templates, self.each))

    @cached_property
    def _schemas(self) -> tuple[TupleOf, ...]:
        return tuple(map(schema_of, self.templates, self._sets_of_records))

    # ------------------------------------------------------------------ the schema

    @property
    def schema(self) -> Schema:
        """What a page holds; a disjunction where the pages are of several templates."""
        return self._schemas[0] if len(self._schemas) == 1 else Disjunction(self._schemas)

    @property
    def fields(self) -> list[str]:
        """The names of all fields and sets that are handed out, those in a set with its name before them."""
        found = [own for template in self.templates for own in _edit_fields.fields_in(template)]
        return list(dict.fromkeys(own.name for own in found if _is_shown(own)))

    @property
    def beside(self) -> list[str]:
        """Fields of the pages that are not in the records, since these are the items of a set."""
        told = [
            own.name
            for template, each in zip(self.templates, self.each, strict=True)
            for own in _edit_fields.fields_in(template)
            if each and own.name != each and not own.scope and _is_shown(own)
        ]
        return list(dict.fromkeys(told))

    def outline(self) -> str:
        """The schema as an indented outline, with an example for each field."""
        return "\n\n".join(map(_outline, self.templates, self._schemas, self.each))

    # ------------------------------------------------------------------ mending

    def rename(self, old: str, new: str) -> "Templates":
        """The templates with a field or set called otherwise; a field in a set is named `set.field`."""
        each = tuple(new if name == old else name for name in self.each)
        holder, dot, _ = old.rpartition(".")
        profile = renamed_profile(self.profile, old, f"{holder}{dot}{new}")
        return replace(self, templates=_edit_fields.renamed(self.templates, old, new), each=each, profile=profile)

    def drop(self, name: str) -> "Templates":
        """The templates without a field, or without a whole set; `restore` brings it back.

        Where nothing is left of the set whose items are the records, a page is one record.
        """
        templates = _edit_fields.dropped(self.templates, name)
        left = [{own.name for own in _edit_fields.fields_in(template) if _is_shown(own)} for template in templates]
        each = tuple(own if own in fields else "" for own, fields in zip(self.each, left, strict=True))
        return replace(self, templates=templates, each=each)

    def restore(self, name: str) -> "Templates":
        """The templates with a field that was dropped."""
        return replace(self, templates=_edit_fields.restored(self.templates, name))

    def merge(self, *names: str, into: str | None = None) -> "Templates":
        """The templates in which several fields are one, whichever of them a page has."""
        return replace(self, templates=_edit_fields.merged(self.templates, names, into or "".join(names[:1])))

    def split(self, name: str) -> "Templates":
        """The templates in which the alternatives of a merged field are fields of their own again."""
        return replace(self, templates=_edit_fields.split(self.templates, name))

    def records_of(self, name: str | None) -> "Templates":
        """The templates whose records are the items of this set; with None each page is one record."""
        if name is not None and not any(name == own for own in self._sets()):
            raise UsageError(
                f"There is no set {name!r} on these pages; the sets are {', '.join(self._sets()) or 'none'}."
            )
        has = [{own.name for own in _edit_fields.fields_in(template)} for template in self.templates]
        return replace(self, each=tuple(name if name and name in own else "" for own in has))

    def _sets(self) -> list[str]:
        found = [own for template in self.templates for own in _edit_fields.fields_in(template)]
        return list(dict.fromkeys(own.name for own in found if isinstance(own.part, Slot) and not own.scope))

    # ------------------------------------------------------------------ keeping

    def to_json(self) -> dict[str, Any]:
        """Their part of the file of a wrapper; docs/wrappers.md has the form."""
        return {
            "learned": FROM_PAGES,
            "schema": self.schema.to_json(),
            "templates": [
                {"records": each or None, "page": template_to_json(template)}
                for template, each in zip(self.templates, self.each, strict=True)
            ],
            "profile": self.profile.to_json(),
        }

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> "Templates":
        """The way back from `to_json`; what is wrong with a damaged document is told by the wrapper.

        >>> Templates.from_json({"templates": []})
        Traceback (most recent call last):
        ...
        ValueError: it has no template
        """
        made = cls(
            templates=tuple(template_from_json(own["page"]) for own in document["templates"]),
            each=tuple(own.get("records") or "" for own in document["templates"]),
            profile=Profile.from_json(document.get("profile", {})),
        )
        if not made.templates:
            raise ValueError("it has no template")
        lost = next((name for name in made.each if name and name not in made._sets()), None)
        if lost:
            raise ValueError(f"there is no set {lost!r}")
        return made


def _set_named(template: Template, name: str) -> Slot | None:
    sets = [own.part for own in _edit_fields.fields_in(template) if isinstance(own.part, Slot) and own.name == name]
    return sets[0] if sets else None


def _rank(reading: TemplateReading) -> tuple[bool, float, float]:
    return reading.verdict != "failed", reading.found, reading.known


def _is_shown(own: _edit_fields.NamedSlot) -> bool:
    part = own.part
    return any(leaf.is_field for leaf in leaves_in(part.inner)) if isinstance(part, Slot) else part.is_field


def _widened(name: str, node: Schema, records: Sequence[Any]) -> Schema:
    """The schema of a field, with sets where single values came several times."""
    found = [own.get(name) if isinstance(own, Record) else None for own in records]
    several = [own for own in found if isinstance(own, tuple)]
    if isinstance(node, Option):
        return Option(_widened(name, node.item, records))
    if isinstance(node, TupleOf):
        inner = [own for own in found if isinstance(own, Record)]
        return TupleOf(tuple((part, _widened(part, own, inner)) for part, own in node.fields))
    if isinstance(node, SetOf):
        items = [item for own in several for item in own]
        return SetOf(_widened_item(node.item, items))
    if isinstance(node, Basic | Disjunction) and several:
        single = any(isinstance(own, Value) for own in found)
        return Disjunction((node, SetOf(node))) if single else SetOf(node)
    return node


def _widened_item(node: Schema, items: Sequence[Any]) -> Schema:
    if isinstance(node, TupleOf):
        return TupleOf(tuple((part, _widened(part, own, items)) for part, own in node.fields))
    return node


def _outline(template: Template, schema: TupleOf, each: str) -> str:
    examples: dict[str, str] = {}
    for own in _edit_fields.fields_in(template):
        leaves = [own.part] if not isinstance(own.part, Slot) else list(leaves_in(own.part.inner))
        text = next((leaf.texts[0] for leaf in leaves if leaf.name == own.part.name and leaf.texts), "")
        examples[own.name] = examples.get(own.name) or text
    return "\n".join(outline_lines(schema, f"{each}." if each else "", examples))
