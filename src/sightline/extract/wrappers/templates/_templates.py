"""Rules learned from pages alone: the templates that the pages of a site were made from."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from sightline.data import Basic, Disjunction, Option, Profile, Record, Records, Schema, SetOf, TupleOf, Value
from sightline.errors import UsageError
from sightline.extract.schemas import (
    TEXT_SYMBOL,
    Alphabet,
    Leaf,
    SheetLabels,
    Slot,
    Taker,
    Template,
    TemplateRow,
    form_of,
    leaves_in,
    schema_of,
)
from sightline.extract.wrappers._found import Explained, Found, Judged, outline_lines, renamed_profile
from sightline.extract.wrappers.templates import _edit_fields
from sightline.extract.wrappers.templates._codec import template_from_json, template_to_json
from sightline.extract.wrappers.templates._forms import explained_on, found_on, sheet_from_json, sheet_to_json
from sightline.extract.wrappers.templates._read import NodeLabel, TemplateReading, read_page
from sightline.page import Page

FROM_PAGES = "from pages alone"


@dataclass(frozen=True, eq=False)
class Templates:
    """The templates of a wrapper, and for each the set whose items are the records, or "" if a page is one record.

    Immutable: editing them gives new ones.

    >>> from sightline.testing import shop_pages
    >>> from sightline.extract.wrappers import induce
    >>> rules = induce(shop_pages(4)).rules
    >>> print(rules.drop("Weight").schema)
    (title: text, Price: money EUR)
    """

    templates: tuple[Template, ...]
    each: tuple[str, ...]
    profile: Profile = field(default_factory=Profile)
    sheet: SheetLabels | None = None  # what PDFs share; they are read as forms then

    # ------------------------------------------------------------------ reading pages

    def read(self, page: Page, language: str | None, *, traced: bool = False, heal: bool = True) -> Found:  # noqa: ARG002
        """Read a page by the template that it complies with best."""
        if self.sheet is not None and page.kind == "pdf":
            form = form_of(page, self.sheet)
            return found_on(page, form, replace(self, sheet=None).read(form.page, language, traced=traced))
        readings = [self._reading(page, number, traced=traced) for number in range(len(self.templates))]
        best = max(range(len(readings)), key=lambda number: _rank(readings[number]))
        reading = readings[best]
        schema = self._schemas[best]
        if reading.unseen:
            schema = schema_of(self.templates[best], self._sets_of_records[best], unseen=True)
        if reading.repeated:
            schema = TupleOf(tuple((name, _widen(name, node, reading.records)) for name, node in schema.fields))
        records = Records.trusted(reading.records, schema, page.language or language)
        return Found(records, reading.verdict, reading.found, reading.filled, reading.known, reading.problems, best)

    def explain(self, page: Page) -> list[Explained]:
        """Every text of a page: what it was read as, and why."""
        if self.sheet is not None and page.kind == "pdf":
            form = form_of(page, self.sheet)
            return [explained_on(page, form, one) for one in replace(self, sheet=None).explain(form.page)]
        number = self.read(page, None).template
        reading = self._reading(page, number, traced=True)
        return explain_reading(page, self.templates[number], reading)

    def judge(self, page: Page, example: str | int) -> list[Judged]:
        """What the template says about the texts of a node, or about texts that contain a given text."""
        found = self.explain(page)
        if isinstance(example, int):
            inside = page.xpath(example)
            chosen = [
                explanation
                for explanation in found
                if explanation.xpath == inside or explanation.xpath.startswith(f"{inside}/")
            ]
        else:
            wanted = " ".join(example.split()).casefold()
            chosen = [explanation for explanation in found if wanted in explanation.text.casefold()]
        return [
            Judged(
                explanation.field or "",
                explanation.role,
                explanation.role == "field",
                (explanation.why,) if explanation.role == "field" else (),
                () if explanation.role == "field" else (explanation.why,),
            )
            for explanation in chosen
        ]

    def words(self) -> str:
        """The templates in words: their outline."""
        return self.outline()

    def _reading(self, page: Page, number: int, *, traced: bool = False) -> TemplateReading:
        each, names = self._sets_of_records[number], self._names[number]
        return read_page(page, self.templates[number], each, names=names, traced=traced)

    @cached_property
    def _sets_of_records(self) -> tuple[Slot | None, ...]:
        """For each template, the set whose items are the records, if any."""
        return tuple(map(_set_named, self.templates, self.each))

    @cached_property
    def _schemas(self) -> tuple[TupleOf, ...]:
        return tuple(map(schema_of, self.templates, self._sets_of_records))

    @cached_property
    def _names(self) -> tuple[tuple[str, ...], ...]:
        """For each template, the names of the fields of a record, in their order."""
        return tuple(tuple(name for name, _ in schema.fields) for schema in self._schemas)

    # ------------------------------------------------------------------ the schema

    @property
    def schema(self) -> Schema:
        """What a page holds; a disjunction if the pages have several templates."""
        return self._schemas[0] if len(self._schemas) == 1 else Disjunction(self._schemas)

    @property
    def fields(self) -> list[str]:
        """The names of all fields and sets that are extracted; those in a set are prefixed with its name."""
        found = [
            (place, named.name)
            for template, each, schema in zip(self.templates, self.each, self._schemas, strict=True)
            for place, named in _placed(_edit_fields.fields_in(template), each, schema)
            if _is_shown(named)
        ]
        return list(dict.fromkeys(name for _, name in sorted(found, key=lambda one: one[0])))

    @property
    def beside(self) -> list[str]:
        """Fields of the page that are outside the records, because the records are the items of a set."""
        outside = [
            named.name
            for template, each in zip(self.templates, self.each, strict=True)
            for named in _edit_fields.fields_in(template)
            if each and named.name != each and not named.scope and _is_shown(named)
        ]
        return list(dict.fromkeys(outside))

    def outline(self) -> str:
        """The schema as an indented outline, with an example for each field."""
        return "\n\n".join(map(_outline, self.templates, self._schemas, self.each))

    # ------------------------------------------------------------------ editing

    def rename(self, old: str, new: str) -> "Templates":
        """The templates with a field or set renamed; a field in a set is addressed as `set.field`."""
        each = tuple(new if name == old else name for name in self.each)
        holder, dot, _ = old.rpartition(".")
        profile = renamed_profile(self.profile, old, f"{holder}{dot}{new}")
        return replace(self, templates=_edit_fields.rename_field(self.templates, old, new), each=each, profile=profile)

    def drop(self, name: str) -> "Templates":
        """The templates without a field, or without a whole set; `restore` brings it back.

        If nothing is left of the set whose items are the records, a page becomes one record.
        """
        templates = _edit_fields.drop_field(self.templates, name)
        left = [
            {named.name for named in _edit_fields.fields_in(template) if _is_shown(named)} for template in templates
        ]
        each = tuple(set_name if set_name in fields else "" for set_name, fields in zip(self.each, left, strict=True))
        return replace(self, templates=templates, each=each)

    def restore(self, name: str) -> "Templates":
        """The templates with a dropped field restored."""
        return replace(self, templates=_edit_fields.restore_field(self.templates, name))

    @property
    def aside(self) -> list[str]:
        """Fields that were found and set aside; a set of which all is aside is named once."""
        names: dict[str, None] = {}
        for named in (named for template in self.templates for named in _edit_fields.fields_in(template)):
            leaves = [named.part] if isinstance(named.part, Leaf) else list(leaves_in(named.part.inner))
            fields = [leaf for leaf in leaves if leaf.fixed is None]
            if fields and all(leaf.aside and leaf.dropped for leaf in fields) and named.scope not in names:
                names[named.name] = None
        return list(names)

    def all_fields(self) -> "Templates":
        """The templates with the fields that were set aside, too."""
        return replace(self, templates=_edit_fields.bring_back_aside(self.templates))

    def everything(self) -> "Templates":
        """The templates with all fields, also those that people have dropped."""
        return replace(self, templates=_edit_fields.bring_back_aside(self.templates, dropped=True))

    @property
    def merged(self) -> list[str]:
        """Fields that are in several places of one template, and can be split."""
        counts = [Counter(named.name for named in _edit_fields.fields_in(template)) for template in self.templates]
        return list(dict.fromkeys(name for count in counts for name, places in count.items() if places > 1))

    def merge(self, *names: str, into: str | None = None) -> "Templates":
        """The templates with several fields merged into one, whichever of them a page has."""
        return replace(self, templates=_edit_fields.merge_fields(self.templates, names, into or "".join(names[:1])))

    def split(self, name: str) -> "Templates":
        """The templates with the alternatives of a merged field as separate fields again."""
        return replace(self, templates=_edit_fields.split_field(self.templates, name))

    def records_of(self, name: str | None) -> "Templates":
        """The templates with the items of this set as records; with None, each page is one record."""
        if name is not None and not any(name == set_name for set_name in self._sets()):
            raise UsageError(
                f"There is no set {name!r} on these pages; the sets are {', '.join(self._sets()) or 'none'}."
            )
        has = [{named.name for named in _edit_fields.fields_in(template)} for template in self.templates]
        return replace(self, each=tuple(name if name and name in names else "" for names in has))

    def _sets(self) -> list[str]:
        found = [named for template in self.templates for named in _edit_fields.fields_in(template)]
        return list(dict.fromkeys(named.name for named in found if isinstance(named.part, Slot) and not named.scope))

    # ------------------------------------------------------------------ saving

    def to_json(self) -> dict[str, Any]:
        """Their part of a wrapper file; docs/wrappers.md describes the format."""
        return {
            "learned": FROM_PAGES,
            "schema": self.schema.to_json(),
            "templates": [
                {"records": each or None, **template_to_json(template)}
                for template, each in zip(self.templates, self.each, strict=True)
            ],
            "profile": self.profile.to_json(),
            **({"sheet": sheet_to_json(self.sheet)} if self.sheet is not None else {}),
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> "Templates":
        """The inverse of `to_json`, for a document that has been checked against its form.

        >>> Templates.from_json({"templates": []})
        Traceback (most recent call last):
        ...
        sightline.errors.UsageError: it has no template
        """
        made = cls(
            templates=tuple(template_from_json(template) for template in document["templates"]),
            each=tuple(template.get("records") or "" for template in document["templates"]),
            profile=Profile.from_json(document.get("profile", {})),
            sheet=sheet_from_json(document["sheet"]) if document.get("sheet") else None,
        )
        if not made.templates:
            raise UsageError("it has no template")
        for template in made.templates:
            _edit_fields.check_names(template)
        lost = next((name for name in made.each if name and name not in made._sets()), None)
        if lost:
            raise UsageError(f"there is no set {lost!r:.60}")
        return made


def _placed(
    found: Sequence[_edit_fields.NamedSlot], each: str, schema: TupleOf
) -> Iterator[tuple[int, _edit_fields.NamedSlot]]:
    """Fields with the place that they have in their record; those beside the records come as the page has them."""
    order = [f"{each}.{name}" if each else name for name, _ in schema.fields]
    places = {name: place for place, name in enumerate(order)}
    for named in found:
        top = ".".join(named.name.split(".")[: 2 if each else 1])
        yield places.get(top, len(order) if each and named.name != each else -1), named


def _set_named(template: Template, name: str) -> Slot | None:
    if not name:
        return None
    sets = [
        named.part for named in _edit_fields.fields_in(template) if isinstance(named.part, Slot) and named.name == name
    ]
    return sets[0] if sets else None


def _rank(reading: TemplateReading) -> tuple[bool, float, float]:
    return reading.verdict != "failed", reading.found, reading.known


def _is_shown(named: _edit_fields.NamedSlot) -> bool:
    part = named.part
    return any(leaf.is_field for leaf in leaves_in(part.inner)) if isinstance(part, Slot) else part.is_field


def _widen(name: str, node: Schema, records: Sequence[Any]) -> Schema:
    """The schema of a field, with sets where a field with a single value had several."""
    found = [record.get(name) if isinstance(record, Record) else None for record in records]
    several = [values for values in found if isinstance(values, tuple)]
    if isinstance(node, Option):
        return Option(_widen(name, node.item, records))
    if isinstance(node, TupleOf):
        inner = [record for record in found if isinstance(record, Record)]
        return TupleOf(tuple((part, _widen(part, part_schema, inner)) for part, part_schema in node.fields))
    if isinstance(node, SetOf):
        items = [item for values in several for item in values]
        return SetOf(_widen_item(node.item, items))
    if isinstance(node, Basic | Disjunction) and several:
        single = any(isinstance(value, Value) for value in found)
        return Disjunction((node, SetOf(node))) if single else SetOf(node)
    return node


def _widen_item(node: Schema, items: Sequence[Any]) -> Schema:
    if isinstance(node, TupleOf):
        return TupleOf(tuple((part, _widen(part, part_schema, items)) for part, part_schema in node.fields))
    return node


def _outline(template: Template, schema: TupleOf, each: str) -> str:
    examples: dict[str, str] = {}
    for named in _edit_fields.fields_in(template):
        leaves = [named.part] if not isinstance(named.part, Slot) else list(leaves_in(named.part.inner))
        text = next((leaf.texts[0] for leaf in leaves if leaf.name == named.part.name and leaf.texts), "")
        examples[named.name] = examples.get(named.name) or text
    return "\n".join(outline_lines(schema, f"{each}." if each else "", examples))


# Explain what a wrapper has read on a page, text by text, and why.

SHOWN = 3  # elements of a slot that are listed, the first if there are more


def explain_reading(page: Page, template: Template, reading: TemplateReading) -> list[Explained]:
    """Everything that was read, in page order."""
    found = []
    for label in sorted(reading.labels, key=lambda label: label.first):
        node = label.first
        box = page.box[node].tolist()
        where = None if box[0] != box[0] else (box[0], box[1], box[2], box[3])
        text = " ".join(page.texts_between([node], [page.end[label.last]])[0].split())
        found.append(Explained(text, page.xpath(node), where, *_read_as(label, text, template.alphabet)))
    return found


def _read_as(label: NodeLabel, text: str, alphabet: Alphabet) -> tuple[str, str | None, str]:
    leaf = label.leaf
    if leaf is None:
        return "unknown", None, "the template has no place for it"
    if leaf.fixed is not None:
        if text == leaf.fixed:
            return "template", None, "it says the same on all pages"
        return "changed", None, f"the template says “{leaf.fixed}” here"
    sets = [
        taker.name for taker in label.path if isinstance(taker, Slot) and taker.name and taker.take in ("set", "group")
    ]
    scope = sets[:-1] if sets and leaf.name == sets[-1] else sets
    why = _place_in_words(label.path, alphabet) + (", with all markup in it" if leaf.prose else "")
    return "dropped" if leaf.dropped else "field", ".".join([*scope, leaf.name]), why


def _place_in_words(path: tuple[Taker, ...], alphabet: Alphabet) -> str:
    """What led to a text: the row by its label, the set, and the element around it."""
    row = next((taker.label for taker in reversed(path) if isinstance(taker, TemplateRow)), "")
    many = next(
        (taker.name for taker in reversed(path) if isinstance(taker, Slot) and taker.take in ("set", "group")), ""
    )
    elements = [taker for taker in path if isinstance(taker, Slot) and not taker.symbols.keys() <= {TEXT_SYMBOL}]
    parts = [f"in the row “{row}”"] if row else []
    parts += [f"in an item of “{many}”"] if many else []
    if elements:
        symbols = [symbol for symbol in elements[-1].symbols if symbol != TEXT_SYMBOL]
        parts.append("in " + " or ".join(f"<{alphabet.names[symbol]}>" for symbol in symbols[:SHOWN]))
    return "it is " + (", ".join(parts) or "on the page itself")
