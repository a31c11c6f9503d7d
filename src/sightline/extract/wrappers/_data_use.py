"""What a page's own data says beside what was read: it has to agree, and may give what nobody can see.

Nothing that was seen is replaced. A field of which the data says something else is a doubt about the page, and so is a
value that only the data has on a page that should show it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from sightline.data import Field, Record, Records, Value
from sightline.extract.behind import (
    CarriedParts,
    Leaves,
    Shown,
    ShownPart,
    ValuePath,
    carried_by,
    leaves_of,
    shown_rows,
)
from sightline.extract.wrappers._data_alone import DataAlone, data_values, given_value
from sightline.extract.wrappers._data_rules import DataRules, FieldPaths, RecordsPath, sets_of_records, single_values
from sightline.extract.wrappers._found import Found, Problem, WrapperRules
from sightline.page import Page

LONGEST_TOLD = 40  # characters of a value in a problem


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
    if unseen and found.verdict != "ok" and not compared.contradicted:
        alone = DataAlone(page, carried, behind, rules).records()
        if alone is not None:
            return _all_from_data(found, alone, behind, rules)
    return compared.made()


def _all_from_data(found: Found, records: Sequence[Record], behind: DataRules, rules: WrapperRules) -> Found:
    made = Records(records, rules.schema, found.records.language)
    names = tuple(name for name in rules.fields if name in behind.names)
    return replace(found, records=made, verdict="ok", filled=1.0, problems=(), from_data=names)


def still_agreeing(behind: DataRules, rules: WrapperRules, pages: Sequence[Page], found: Sequence[Found]) -> DataRules:
    """Those of the rules for the data that nothing contradicts of what other rules now find on some pages."""
    wrong: set[str] = set()
    for page, one in zip(pages, found, strict=True):
        carried = carried_by(page)
        if carried and one.verdict != "failed":
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
            value = given_value(self.page, self.carried, said) if one.alone else None
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
        array = one.array.array(self.carried)
        if array is None:
            return
        if len(array) != len(records):
            what = f"the page shows {len(records)} records, but {one.array.told} has {len(array)}"
            self.contradicted[one.records] = Problem("", f"“{one.records}”: {what}")
            return
        elements = [leaves_of(element) for element in array]
        rows = shown_rows(Records(records)).shown
        made = [dict(record) for record in records]
        for name in one.array.rules:
            if f"{one.records}.{name}" in wanted:
                self._compare_column(one, name, [row.get(name) for row in rows], elements, made)
        if any(f"{one.records}.{name}" in self.names for name in one.array.rules):
            self.rows[one.records] = [Record(fields) for fields in made]

    def _compare_column(
        self,
        one: RecordsPath,
        name: str,
        column: Sequence[ShownPart],
        elements: Sequence[Leaves],
        made: Sequence[dict[str, Field]],
    ) -> None:
        """Compare one field of all records; what only the data has goes into the records that are `made`."""
        full, said = f"{one.records}.{name}", [one.array.shown(name, leaves) for leaves in elements]
        pairs = list(zip(column, said, strict=True))
        wrong = [(shown, text) for shown, text in pairs if shown and text and not _is_alike(shown, text)]
        lacking = [place for place, (shown, text) in enumerate(pairs) if shown is None and text]
        if wrong:
            what = f"{len(wrong)} of {len(pairs)} records show something else than {one.array.told}"
            first = f"{_quoted(wrong[0][0])} and not {_quoted(wrong[0][1])}"
            self.contradicted[full] = Problem("", f"“{full}”: {what}; the first shows {first}")
        elif lacking:
            self.names[full] = None
            what = f"{len(lacking)} of {len(pairs)} records do not show what {one.array.told} has"
            self.added.append(Problem("", f"“{full}”: {what}; it is given from there"))
            for place in lacking:
                made[place][name] = data_values(self.page, one.array.source_node(self.carried), said[place])

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
