"""Learn the records of a list again, from those that are remembered: other elements, another order, values anew."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sightline.data import Profile
from sightline.errors import UsageError
from sightline.extract.wrappers.patterns._apply import read_patterns
from sightline.extract.wrappers.patterns._learn import (
    LearnedPattern,
    RecordShown,
    Taught,
    learn_field,
    learn_set,
)
from sightline.extract.wrappers.patterns._pattern import Pattern, SearchSpan, items_of, search_span_in
from sightline.extract.wrappers.patterns._records import nearest_places
from sightline.extract.wrappers.patterns._relocate import BY_CHANCE, SHORTEST, only_of_kind, relocate_field
from sightline.extract.wrappers.patterns._split import Located, locate_node, locate_text
from sightline.extract.wrappers.patterns._view import View, key_of

MOST_PAGES = 6  # that a pattern is learned from again; those with the most certain values, or the most records
MOST_RECORDS = 8  # of a page that are shown again; with 4, one list in twenty is read in part
MOST_ITEMS = 8  # in which a field is looked for that no remembered record has
LEAST_RECORD = 0.5  # of the fields of a remembered record that must be found together
APART = 4  # texts that may be between two values of the only record that is found
READ_AGAIN = 0.8  # of the known values that the new rules must read, each in its record
IN_ITEMS = 0.5  # of the items in which a field must be found that no remembered record has
TELLING = 8  # characters of a text by which alone a record is known, if the page has it once


@dataclass(frozen=True, eq=False)
class RecordsFound:
    """The new pattern of a set (None if there is none), how many known records it was learned from, and why.

    `whole` says whether most of their values are on the pages.
    """

    pattern: Pattern | None
    records: int
    why: str
    whole: bool = True


@dataclass(frozen=True, slots=True)
class _Place:
    """A known record on a page: its fields, the nodes that they are in, and the texts from the first to the last."""

    fields: Mapping[str, tuple[str, ...]]
    nodes: tuple[int, ...]
    first: int
    last: int
    is_whole: bool
    has_parts: bool

    @property
    def texts(self) -> int:
        return self.last - self.first


def relearn_records(pattern: Pattern, profile: Profile, views: Sequence[View]) -> RecordsFound:
    """The pattern of a set, learned from the remembered records that are on some pages."""
    remembered = [record for name, record in profile.records if name == pattern.name]
    found = [(view, places) for view in views if (places := known_records(view, remembered))]
    if not found:
        return RecordsFound(None, 0, "none of the known records is on the pages")
    found = sorted(found, key=lambda on_page: -len(on_page[1]))[:MOST_PAGES]
    shown = [
        RecordShown(view, tuple(place.fields for place in _spread(places)), from_start=False) for view, places in found
    ]
    count = sum(len(on_page.records) for on_page in shown)
    try:
        learned = learn_set(pattern.name, shown)
    except UsageError as problem:
        return RecordsFound(None, count, str(problem))
    new, lost = _with_all_fields(pattern, learned, profile, shown)
    if _read_again(new, found) < READ_AGAIN:
        return RecordsFound(None, count, "no rules read the known records again")
    whole = all(place.is_whole for _, places in found for place in places)
    told = f"{count} known record{'s' * (count > 1)} found" + ("" if whole else ", with other values")
    told += f"; not found: {', '.join(lost)}" if lost else ""
    return RecordsFound(new, count, told, whole and not lost)


# ---------------------------------------------------------------- the known records on a page


def known_records(view: View, remembered: Sequence[Mapping[str, tuple[str, ...]]]) -> list[_Place]:
    """The remembered records that a page has, in its order: their values stand together, and apart from others."""
    places: list[_Place] = []
    taken: set[int] = set()
    for record in remembered:
        place = _place_of(view, record, frozenset(taken))
        if place:
            places.append(place)
            taken.update(place.nodes)
    places = _apart(_clearest(places))
    if len(places) == 1 and not (places[0].is_whole and _is_compact(view, places[0])):
        return []
    return sorted(places, key=lambda place: place.first)


def _clearest(places: Sequence[_Place]) -> Sequence[_Place]:
    """Records with most of their values, and these as whole texts, if there are several; else any."""
    whole = [place for place in places if place.is_whole]
    plain = [place for place in whole if not place.has_parts]
    return next((some for some in (plain, whole) if len(some) > 1), places)


def _place_of(view: View, record: Mapping[str, tuple[str, ...]], taken: frozenset[int]) -> _Place | None:
    """Where the values of a remembered record are nearest to each other; None if too few are on the page."""
    located = {name: found for name, texts in record.items() if (found := _located(view, texts)) is not None}
    is_whole = len(located) > LEAST_RECORD * len(record)
    if not is_whole:  # values that the page has once tell a record by themselves
        located = {name: found for name, found in located.items() if all(_is_telling(one) for one in found)}
    if not located:
        return None
    nodes = nearest_places(view, list(located.values()), taken)
    if len(nodes) < sum(map(len, located.values())):
        return None
    first, last = min(int(view.first[node]) for node in nodes), max(int(view.last[node]) for node in nodes)
    has_parts = any(one.part for found in located.values() for one in found)
    return _Place({name: record[name] for name in located}, tuple(nodes), first, last, is_whole, has_parts)


def _is_telling(located: Located) -> bool:
    return located.places == 1 and not located.part and len(key_of(located.text)) >= TELLING


def _located(view: View, texts: Sequence[str]) -> list[Located] | None:
    """The places of the texts of a field; None if one of them is not on the page."""
    try:
        found = [locate_text(view, text, 0, len(view.page)) for text in texts]
    except UsageError:
        return None
    # A short text is a part of very many.
    telling = all(not one.part or len(key_of(one.text)) >= SHORTEST for one in found)
    return found if telling else None


def _apart(places: Sequence[_Place]) -> list[_Place]:
    """Those that hold no part of another, the narrowest first."""
    kept: list[_Place] = []
    for place in sorted(places, key=lambda place: place.texts):
        if all(place.last <= other.first or other.last <= place.first for other in kept):
            kept.append(place)
    return kept


def _is_compact(view: View, place: _Place) -> bool:
    """Whether the values of a record stand together, where no other record says how far apart they may be."""
    texts = sum(int(view.last[node] - view.first[node]) for node in place.nodes)
    return place.texts <= texts + APART * len(place.nodes)


def _spread(places: Sequence[_Place]) -> list[_Place]:
    """Some of the records of a page, in order, and first those with the most fields."""
    best = sorted(places, key=lambda place: -len(place.fields))[:MOST_RECORDS]
    return sorted(best, key=lambda place: place.first)


# ---------------------------------------------------------------- the new rules


def _with_all_fields(
    old: Pattern, learned: LearnedPattern, profile: Profile, shown: Sequence[RecordShown]
) -> tuple[Pattern, list[str]]:
    """The new pattern with all fields of the old one, and those that were not found again.

    Fields that no known record has are looked for in the items. What is not there either must not cost the records.
    """
    new = learned.pattern
    inside = {field.name: field for field in new.fields}
    fields, lost = [], []
    for field in old.fields:
        found = inside.get(field.name) or _sought(field, new, profile, shown)
        if found is None:
            lost.append(field.name)
        fields.append(replace(found, optional=field.optional) if found else replace(field, optional=True, unsure=True))
    return replace(new, fields=tuple(fields)), lost


def _sought(field: Pattern, records: Pattern, profile: Profile, shown: Sequence[RecordShown]) -> Pattern | None:
    """A field whose values are new: in each item by its label, its name and its looks, or the only one of its kind."""
    known = profile.of(f"{records.name}.{field.name}")
    if known is None or field.fields or field.many or field.take != "text":
        return None
    taught = []
    tried = 0
    for on_page in shown:
        view = on_page.view
        taken = frozenset(value.node for value in read_patterns(view, [records]).taken)
        for item in items_of(view, records, SearchSpan(0, len(view.page)))[0][:MOST_ITEMS]:
            tried += 1
            span = search_span_in(field, item)
            place = relocate_field(view, field, known, span, taken, memory=BY_CHANCE)
            node = place.nodes[0] if place and not place.texts else only_of_kind(view, known, span, taken)
            if node is not None:
                taught.append(Taught(view, span, (locate_node(view, node),)))
    if len(taught) < max(1, IN_ITEMS * tried):
        return None
    try:
        learned = learn_field(field.name, taught).pattern
    except UsageError:
        return None
    return replace(learned, unsure=True, whole=field.whole)


def _read_again(pattern: Pattern, found: Sequence[tuple[View, Sequence[_Place]]]) -> float:
    """The share of the values of known records that a pattern reads, all of a record in one."""
    read = wanted = 0
    for view, places in found:
        texts: dict[int, set[tuple[str, str]]] = {}
        for value in read_patterns(view, [pattern]).taken:
            texts.setdefault(value.record, set()).add((value.name.rpartition(".")[2], key_of(value.text)))
        for place in places:
            known = {(name, key_of(text)) for name, values in place.fields.items() for text in values}
            wanted += len(known)
            read += max((len(known & record) for record in texts.values()), default=0)
    return read / wanted if wanted else 0.0
