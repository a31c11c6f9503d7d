"""One more rule for a field: where the pages' own data has what is seen of it. Learned from pages that were read."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sightline.data import Record, Records, Value
from sightline.extract.behind import (
    CarryingList,
    CarryingPage,
    ListPath,
    Shown,
    ValuePath,
    carried_by,
    find_list_path,
    find_paths,
    shown_rows,
)
from sightline.extract.wrappers._found import Found, new_name
from sightline.page import Page


@dataclass(frozen=True)
class FieldPaths:
    """The paths that give a field of a page, the best first.

    They may give it `alone` if no page that was learned from had it in its data and did not show it.
    """

    name: str
    paths: tuple[ValuePath, ...]
    alone: bool = True

    @property
    def told(self) -> str:
        """The paths in words."""
        return "; also ".join(path.told for path in self.paths)


@dataclass(frozen=True)
class RecordsPath:
    """The array that gives the records of a set, with the rules of their fields."""

    records: str
    array: ListPath


@dataclass(frozen=True)
class DataRules:
    """What the own data of pages gives of a wrapper's fields."""

    fields: tuple[FieldPaths, ...] = ()
    lists: tuple[RecordsPath, ...] = ()

    def __bool__(self) -> bool:
        """Whether it gives anything."""
        return bool(self.fields or self.lists)

    @property
    def names(self) -> list[str]:
        """The full names of all fields that it gives."""
        return [*(one.name for one in self.fields), *(name for one in self.lists for name in _full_names(one))]

    def of(self, name: str) -> FieldPaths | None:
        """The paths of a field."""
        return next((one for one in self.fields if one.name == name), None)

    def words(self) -> list[str]:
        """A line for each field and list, the fields of records below their list."""
        lines = [f"{one.name}: {one.told}" for one in self.fields]
        for one in self.lists:
            lines += [f"{one.records}: {one.array.told}"]
            lines += [f"  {name}: {rule.told}" for name, rule in one.array.rules.items()]
        return lines

    def renamed(self, old: str, new: str) -> "DataRules":
        """The rules with a field or set renamed; both are full names."""
        return DataRules(
            tuple(replace(one, name=new_name(one.name, old, new)) for one in self.fields),
            tuple(_renamed(one, old, new) for one in self.lists),
        )

    def without(self, *names: str) -> "DataRules":
        """The rules of all other fields."""
        return DataRules(
            tuple(one for one in self.fields if one.name not in names),
            tuple(_without(one, names) for one in self.lists if one.records not in names),
        )


def _full_names(one: RecordsPath) -> Iterator[str]:
    return (f"{one.records}.{name}" for name in one.array.rules)


def _renamed(one: RecordsPath, old: str, new: str) -> RecordsPath:
    rules = {
        new_name(name, old, new).removeprefix(f"{new_name(one.records, old, new)}."): rule
        for name, rule in zip(_full_names(one), one.array.rules.values(), strict=True)
    }
    return RecordsPath(new_name(one.records, old, new), replace(one.array, rules=rules))


def _without(one: RecordsPath, names: Sequence[str]) -> RecordsPath:
    rules = {name: rule for name, rule in one.array.rules.items() if f"{one.records}.{name}" not in names}
    return replace(one, array=replace(one.array, rules=rules))


# ---------------------------------------------------------------- what was read, by full names


def single_values(found: Found, each: str) -> dict[str, Shown]:
    """The fields of a page that is one record, but for those of the sets on it."""
    return dict(_singles(found.records[0], "")) if not each and len(found.records) == 1 else {}


def _singles(record: Record, scope: str) -> Iterator[tuple[str, Shown]]:
    for name, part in record.items():
        if isinstance(part, Value):
            yield f"{scope}{name}", part
        elif isinstance(part, Record):
            yield from _singles(part, f"{scope}{name}.")
        elif isinstance(part, tuple) and part:
            values = tuple(one for one in part if isinstance(one, Value))
            if len(values) == len(part):
                yield f"{scope}{name}", values


def sets_of_records(found: Found, each: str) -> dict[str, list[Record]]:
    """The records of every set on a page, also of those that are on it without any."""
    if each:
        return {each: list(found.records)}
    sets: dict[str, list[Record]] = {}
    for name, part in found.records[0].items() if len(found.records) == 1 else ():
        if isinstance(part, tuple):
            records = [one for one in part if isinstance(one, Record)]
            if records and len(records) == len(part):
                sets[name] = records
    return sets


# ---------------------------------------------------------------- learning


def learn_data_rules(
    each: Sequence[str], pages: Sequence[Page], found: Sequence[Found], language: str | None
) -> DataRules:
    """What the own data of some pages gives of what was found on them, field by field and list by list."""
    read = [(page, one, each[one.template]) for page, one in zip(pages, found, strict=True) if one.verdict != "failed"]
    carrying = [(page, _typed(one), of) for page, one, of in read if carried_by(page)]
    seen = [
        CarryingPage(carried_by(page), values, page.url, page.language or language or "en")
        for page, one, of in carrying
        if (values := single_values(one, of))
    ]
    fields = tuple(
        FieldPaths(name, tuple(paths), _is_alone(name, paths, seen)) for name, paths in find_paths(alike(seen)).items()
    )
    lists: dict[str, list[CarryingList]] = {}
    for page, one, of in carrying:
        for name, records in sets_of_records(one, of).items():
            rows = shown_rows(Records(records))
            lists.setdefault(name, []).append(
                CarryingList(carried_by(page), rows, page.url, page.language or language or "en")
            )
    arrays = ((name, find_list_path(several)) for name, several in lists.items())
    return DataRules(fields, tuple(RecordsPath(name, array) for name, array in arrays if array is not None))


def _typed(found: Found) -> Found:
    return replace(found, records=found.records.typed())


def alike(pages: Sequence[CarryingPage]) -> list[CarryingPage]:
    """Pages on which a field that has several values on any of them is always several."""
    counted = Counter(name for page in pages for name, shown in page.shown.items() if isinstance(shown, tuple))

    def shown(values: Mapping[str, Shown]) -> dict[str, Shown]:
        return {name: (one,) if name in counted and isinstance(one, Value) else one for name, one in values.items()}

    return [page._replace(shown=shown(page.shown)) for page in pages]


def _is_alone(name: str, paths: Sequence[ValuePath], pages: Sequence[CarryingPage]) -> bool:
    lacking = [page for page in pages if name not in page.shown]
    return all(path.raw(page.carried) is None for page in lacking for path in paths)


def behind_in_words(rules: DataRules) -> list[str]:
    """The rules as lines below those that look at the page."""
    return ["in the page's own data as well:", *(f"  {line}" for line in rules.words())] if rules else []
