"""What a page's own data says beside what was read: it has to agree, and may give what nobody can see.

Nothing that was seen is replaced. A field of which the data says something else is a doubt about the page, and so is a
value that only the data has on a page that should show it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from sightline.data import Field, Option, Origin, Record, Records, Schema, SetOf, TupleOf, Value, origin_of
from sightline.extract.behind import (
    CarriedParts,
    NoWordError,
    Shown,
    ShownPart,
    ValuePath,
    carried_by,
    shown_rows,
)
from sightline.extract.wrappers._data_rules import DataRules, FieldPaths, RecordsPath, sets_of_records, single_values
from sightline.extract.wrappers._found import Found, Problem, WrapperRules
from sightline.page import Page

LONGEST_TOLD = 40  # characters of a value in a problem
ALWAYS = 1.0  # fill of a field that no page or record was without


def with_data(found: Found, page: Page, behind: DataRules, rules: WrapperRules, *, unseen: bool) -> Found:
    """What was found on a page, compared with what its data says.

    Where the wrapper was learned from pages as they are seen, and this one is only its markup (`unseen`), the data
    suffices if it gives every field.
    """
    carried = carried_by(page)
    if not carried:
        return found
    compared = _Comparison(found, page, carried, behind, rules)
    if found.verdict != "failed":
        compared.compare()
    whole = compared.whole() if unseen and found.verdict != "ok" and not compared.contradicted else None
    return whole or compared.made()


def still_agreeing(behind: DataRules, rules: WrapperRules, pages: Sequence[Page], found: Sequence[Found]) -> DataRules:
    """Those of the rules for the data that nothing contradicts of what other rules now find on some pages."""
    wrong: set[str] = set()
    for page, one in zip(pages, found, strict=True):
        if carried := carried_by(page):
            compared = _Comparison(one, page, carried, behind, rules)
            compared.compare()
            wrong |= compared.contradicted.keys()
    return behind.without(*wrong)


@dataclass
class _Comparison:
    """A page that was read, beside its data: what differs, and what only the data has."""

    found: Found
    page: Page
    carried: CarriedParts
    behind: DataRules
    rules: WrapperRules
    contradicted: dict[str, Problem] = field(default_factory=dict)
    added: list[Problem] = field(default_factory=list)
    values: dict[str, Field] = field(default_factory=dict)
    rows: dict[str, list[Record]] = field(default_factory=dict)
    names: dict[str, None] = field(default_factory=dict)

    @property
    def each(self) -> str:
        """The set whose items are the records of this page."""
        return self.rules.each[self.found.template]

    @cached_property
    def typed(self) -> Found:
        """What was found with typed values: a day is the same however it is written."""
        return replace(self.found, records=self.found.records.typed())

    # ------------------------------------------------------------------ comparing

    def compare(self) -> None:
        """Note what the data says of the fields that the wrapper reads."""
        wanted = set(self.rules.fields)
        shown = single_values(self.found, self.each)
        if shown or (not self.each and len(self.found.records) == 1):
            for one in self.behind.fields:
                if one.name in wanted:
                    self._compare_field(one, shown.get(one.name))
        sets = sets_of_records(self.found, self.each)
        for several in self.behind.lists:
            if several.records in wanted and several.records in sets:
                self._compare_list(several, sets[several.records], wanted)

    def _compare_field(self, one: FieldPaths, shown: Shown | None) -> None:
        said = [(path, raw) for path in one.paths if (raw := path.raw(self.carried)) is not None]
        if shown is None:
            value = _given(self.page, self.carried, said) if one.alone else None
            if value is not None and "." not in one.name:
                self.values[one.name] = value
                self.names[one.name] = None
                first = value[0] if isinstance(value, tuple) else value
                self.added.append(_only_in_data(self.page, one.name, first, said[0][0].place))
        elif said and not any(self._agrees(one.name, path, raw, shown) for path, raw in said):
            path, raw = said[0]
            what = f"the page shows {_quoted(shown)}, but {path.place} is {_quoted(raw)}"
            self.contradicted[one.name] = Problem(self._xpath(shown), f"“{one.name}”: {what}")

    def _agrees(self, name: str, path: ValuePath, raw: Any, shown: Shown) -> bool:
        base = self.page.url
        return path.agrees(shown, raw, base) or path.agrees(
            single_values(self.typed, self.each).get(name, shown), raw, base
        )

    def _xpath(self, shown: Shown) -> str:
        first = shown[0] if isinstance(shown, tuple) else shown
        nodes = first.origin.nodes if first.origin else ()
        return self.page.xpath(nodes[0]) if nodes and nodes[0] < len(self.page) else ""

    def _compare_list(self, one: RecordsPath, records: Sequence[Record], wanted: set[str]) -> None:
        elements = one.array.elements(self.carried)
        if elements is None:
            return
        if len(elements) != len(records):
            what = f"the page shows {len(records)} records, but {one.array.told} has {len(elements)}"
            self.contradicted[one.records] = Problem("", f"“{one.records}”: {what}")
            return
        rows = shown_rows(Records(records)).shown
        made = [dict(record) for record in records]
        for name in one.array.rules:
            full = f"{one.records}.{name}"
            if full not in wanted:
                continue
            said = [one.array.shown(name, leaves) for leaves in elements]
            pairs = [(row.get(name), text) for row, text in zip(rows, said, strict=True)]
            wrong = [(shown, text) for shown, text in pairs if shown and text and not _is_alike(shown, text)]
            lacking = [place for place, (shown, text) in enumerate(pairs) if shown is None and text]
            if wrong:
                what = f"{len(wrong)} of {len(pairs)} records show something else than {one.array.told}"
                first = f"{_quoted(wrong[0][0])} and not {_quoted(wrong[0][1])}"
                self.contradicted[full] = Problem("", f"“{full}”: {what}; the first shows {first}")
            for place in () if wrong else lacking:
                made[place][name] = _values(self.page, one.array.source_node(self.carried), said[place])
            if lacking and not wrong:
                self.names[full] = None
                what = f"{len(lacking)} of {len(pairs)} records do not show what {one.array.told} has"
                self.added.append(Problem("", f"“{full}”: {what}; it is given from there"))
        if any(full in self.names for full in (f"{one.records}.{name}" for name in one.array.rules)):
            self.rows[one.records] = [Record(fields) for fields in made]

    def made(self) -> Found:
        """What was found, with what only the data has; suspicious if there is anything to be said."""
        found, problems = self.found, (*self.contradicted.values(), *self.added)
        if not problems:
            return found
        return replace(
            found,
            records=self._records() if self.names else found.records,
            verdict="suspicious" if found.verdict == "ok" else found.verdict,
            problems=(*found.problems, *problems),
            from_data=tuple(self.names),
        )

    def _records(self) -> Records:
        records = self.found.records
        if self.each:
            made = self.rows[self.each]
        else:
            made = [Record({**records[0], **self.values, **{name: tuple(rows) for name, rows in self.rows.items()}})]
        return Records(made, records.schema, records.language)

    # ------------------------------------------------------------------ all from the data

    def whole(self) -> Found | None:
        """The page as its data alone gives it; None unless that is every field that the wrapper reads."""
        schema = self.rules.schema
        if len(self.rules.each) != 1 or not isinstance(schema, TupleOf):
            return None
        records = self._rows(self.each, schema, self.each) if self.each else self._one_record(schema)
        if not records:
            return None
        made = Records(records, schema, self.found.records.language)
        names = tuple(name for name in self.rules.fields if name in self.behind.names)
        return replace(self.found, records=made, verdict="ok", filled=1.0, problems=(), from_data=names)

    def _one_record(self, schema: TupleOf) -> list[Record] | None:
        made: dict[str, Field] = {}
        for name, node in schema.fields:
            inner, required = _bare(node)
            if isinstance(inner, SetOf) and isinstance(inner.item, TupleOf):
                rows = self._rows(name, inner.item, name)
                if rows is None or (required and not rows):
                    return None
                made[name] = tuple(rows) or None
                continue
            one = self.behind.of(name)
            if one is None or not one.alone or isinstance(inner, TupleOf):
                return None
            said = [(path, raw) for path in one.paths if (raw := path.raw(self.carried)) is not None]
            made[name] = _given(self.page, self.carried, said)
            if made[name] is None and (said or (required and self._is_always(name))):
                return None
        return [Record(made)]

    def _rows(self, name: str, schema: TupleOf, scope: str) -> list[Record] | None:
        """The records of a list; None unless its array gives all their fields."""
        array = next((one.array for one in self.behind.lists if one.records == name), None)
        elements = array.elements(self.carried) if array else None
        if array is None or elements is None or not {field for field, _ in schema.fields} <= array.rules.keys():
            return None
        node = array.source_node(self.carried)
        always = [field for field, part in schema.fields if _bare(part)[1] and self._is_always(f"{scope}.{field}")]
        try:
            texts = [{field: array.rules[field].read(leaves) for field, _ in schema.fields} for leaves in elements]
        except NoWordError:
            return None
        if any(not row[field] for row in texts for field in always):
            return None
        return [Record({field: _values(self.page, node, text) for field, text in row.items()}) for row in texts]

    def _is_always(self, name: str) -> bool:
        known = self.rules.profile.of(name)
        return known is None or known.fill >= ALWAYS


def _bare(node: Schema) -> tuple[Schema, bool]:
    """A part of a schema without its option, and whether it has to be there."""
    return (node.item, False) if isinstance(node, Option) else (node, True)


def _given(
    page: Page, carried: CarriedParts, said: Sequence[tuple[ValuePath, Any]]
) -> Value | tuple[Value, ...] | None:
    """The value that paths give as the page would write it; None if nobody can know, or they differ."""
    texts = [(path, raw, text) for path, raw in said if (text := path.shown(raw))]
    if len({text for *_, text in texts}) != 1:
        return None
    path, raw, text = texts[0]
    return _values(page, carried[path.source].node_of(path.path), text, raw)


def _values(page: Page, node: int, text: ShownPart, raw: Any = "") -> Shown | None:
    if isinstance(text, tuple):
        return tuple(Value(one, origin=_origin(page, node, "")) for one in text)
    return None if text is None else Value(text, origin=_origin(page, node, "" if raw == text else str(raw)))


def _origin(page: Page, node: int, original: str) -> Origin:
    """The element that holds the data: it has no box, since nobody sees it."""
    return replace(origin_of(page, [node]), box=None, original=original)


def _only_in_data(page: Page, name: str, value: Value, told: str) -> Problem:
    nodes = value.origin.nodes if value.origin else ()
    where = page.xpath(nodes[0]) if nodes and nodes[0] < len(page) else ""
    return Problem(where, f"“{name}”: the page does not show it; {_quoted(value)} is given by {told}")


def _is_alike(shown: ShownPart, text: ShownPart) -> bool:
    return shown == text or (isinstance(shown, str) and isinstance(text, str) and shown.casefold() == text.casefold())


def _quoted(said: object) -> str:
    several = said if isinstance(said, tuple | list) else (said,)
    text = ", ".join(str(one) for one in several)
    return f"“{text[:LONGEST_TOLD]}{'…' * (len(text) > LONGEST_TOLD)}”"
