"""Records unlike the others on their page: advertisements and other strays in a list."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from sightline.checks._report import Issue
from sightline.checks.records._run import (
    FieldColumn,
    FieldValue,
    RecordGroup,
    RecordRun,
    ValuePlaces,
    matched_columns,
    shown,
    values_of,
)
from sightline.data import ColumnType, Origin, Profile, Record, Value
from sightline.signals import joined_features, style_features

FEWEST = 4  # records; among fewer, it is unclear which is the odd one
COMMON = 0.75  # a field that this share of the records has counts as common
FEWEST_LACKING = 2  # fields; a product without a price is still a product
FEW = 0.5  # a record with no more than this share of the common fields is unlike the others
NEARLY_ALL = 0.8  # when this share of the records is in one element, the others are outside it
FEWEST_WRONG = 2  # unreadable values that make a record suspect
MOST_ODD = 0.34  # of the records; when more are odd, the records simply vary
WORDS = re.compile(
    r"\b(?:sponsored|advertisements?|promoted|ad|ads|adslot|anzeige|gesponsert|werbung|sponsorisé|publicité|annonce|"
    r"patrocinado|publicidad|anuncio|sponsorizzato|pubblicità|annuncio|gesponsord|advertentie|реклама)\b",
    re.IGNORECASE,
)
LONGEST_WORD = 40  # characters of a text that labels a record


def check_advertisements(run: RecordRun, profile: Profile | None) -> Iterator[Issue]:
    """Report records that lack most common fields, stand or link elsewhere, or are labelled as advertisements."""
    typed = _typed_values(run, profile)
    for group in run.lists(profile):
        if len(group.records) < FEWEST:
            continue
        places = run.places[group.page]
        odd = dict(_lacking(group))
        if places is not None:
            nodes = run.nodes(group)
            units = run.units(group)
            odd |= dict(_called(nodes, units, places)) | dict(_elsewhere(nodes, places)) | dict(_abroad(nodes, places))
            odd |= dict(_outside(units, places))
        odd |= dict(_unreadable(group, typed))
        if odd and len(odd) <= MOST_ODD * len(group.records):
            first = min(odd)
            reason = (
                f"{len(odd)} of {len(group.records)} records are unlike the others: record {first + 1} {odd[first]}."
            )
            evidence = [origin for number in sorted(odd) for origin in _origins(group.records[number])[:1]]
            yield Issue(
                "advertisements",
                "suspicious",
                reason,
                group.scope or None,
                run.pages[group.page].name,
                tuple(evidence),
            )


def _lacking(group: RecordGroup) -> Iterator[tuple[int, str]]:
    """Records that lack most of the fields nearly all others have."""
    filled = [{name for name, content in record.items() if content} for record in group.records]
    counts = Counter(name for names in filled for name in names)
    common = {name for name, count in counts.items() if count >= COMMON * len(filled)}
    for number, names in enumerate(filled):
        if len(common - names) >= FEWEST_LACKING and len(names & common) <= FEW * len(common):
            yield number, f"lacks {', '.join(sorted(common - names))}"


def _elsewhere(nodes: Sequence[Sequence[int]], places: ValuePlaces) -> Iterator[tuple[int, str]]:
    """Records whose values are all in kinds of elements that hold no value of another record."""
    places_of = [{places.place(node) for node in several} for several in nodes]
    counts = Counter(place for found in places_of for place in found)
    for number, found in enumerate(places_of):
        if found and all(counts[place] == 1 for place in found) and len(counts) > len(found):
            yield number, f"is in {min(found)}, where no other record is"


def _called(
    nodes: Sequence[Sequence[int]], units: Sequence[int | None], places: ValuePlaces
) -> Iterator[tuple[int, str]]:
    """Records whose element, or a short text in it, says that they are advertisements; if all do, none counts."""
    page = places.page
    for number, unit in enumerate(units):
        if unit is None:
            continue
        if WORDS.search(places.signature(unit).replace("-", " ").replace("_", " ").replace(".", " ")):
            yield number, f"has the element {places.signature(unit)}"
            continue
        extracted = set(nodes[number])
        first, last = np.searchsorted(places.leaves, (unit, page.end[unit]))
        for leaf in places.leaves[first:last].tolist():
            text = page.strings[page.text[leaf]].strip()
            if len(text) <= LONGEST_WORD and leaf not in extracted and WORDS.fullmatch(text.strip(" .:·[]()*")):
                yield number, f"is labelled “{text}”"
                break


def _outside(units: Sequence[int | None], places: ValuePlaces) -> Iterator[tuple[int, str]]:
    """Records outside the element that holds nearly all others."""
    page = places.page
    parents = Counter(int(page.parent[unit]) for unit in units if unit is not None and page.parent[unit] >= 0)
    if not parents:
        return
    home, count = parents.most_common(1)[0]
    if count < NEARLY_ALL * len(units):
        return
    for number, unit in enumerate(units):
        if unit is not None and not home <= unit < page.end[home]:
            yield number, "is outside the element that holds the others"


def _unreadable(group: RecordGroup, typed: Mapping[int, tuple[str, ColumnType, bool]]) -> Iterator[tuple[int, str]]:
    """Records most of whose numbers, dates and addresses cannot be read as such."""
    for number, record in enumerate(group.records):
        values = [(value, typed[id(value)]) for value in record.values() if id(value) in typed]
        wrong = [(value, name, kind) for value, (name, kind, readable) in values if not readable]
        if len(wrong) >= FEWEST_WRONG and len(wrong) > FEW * len(values):
            value, name, kind = wrong[0]
            yield number, f"has {shown(value.text if isinstance(value, Value) else '')} for {name}, which is not {kind}"


def _typed_values(run: RecordRun, profile: Profile | None) -> dict[int, tuple[str, ColumnType, bool]]:
    """By identity, the values of fields with a type other than text: the field, its type, and if they can be read."""
    return {
        id(cell.value): (column.name, field.type, value is not None)
        for column, field in (matched_columns(run, profile) if profile is not None else ())
        if field.type.kind != "text"
        for cell, value in zip(column.cells, column.typed(field.type), strict=True)
    }


def _abroad(nodes: Sequence[Sequence[int]], places: ValuePlaces) -> Iterator[tuple[int, str]]:
    """Records that link to a different host than all others."""
    hosts = [{host for node in several if (host := places.host(node)) is not None} for several in nodes]
    counts = Counter(host for linked in hosts for host in linked)
    if not counts:
        return
    home, times = counts.most_common(1)[0]
    for number, linked in enumerate(hosts):
        if linked and times >= COMMON * len(hosts) and home not in linked and all(counts[host] == 1 for host in linked):
            yield number, f"links to {min(linked) or 'another host'}"


def _origins(record: Record) -> Sequence[Origin]:
    return [value.origin for value in values_of(record) if value.origin is not None]


# Values that look unlike the others of their field: an offer among prices, an advertisement among names.
#
# The look comprises all published properties of the element around a value. This is only a notice: reduced prices are
# red, and correct.

LEAST_VALUES = 8  # among fewer, no look is usual
USUAL = 0.8  # of the values must share one look, or looks mean nothing here
MOST_UNLIKE = 0.1  # of the values; anything more frequent is another kind of value, not an outlier
MOST_WHY = 2


def check_appearance(run: RecordRun) -> Iterator[Issue]:
    """Report fields a few of whose values look different."""
    for column in run.columns.values():
        yield from _odd(run, column)


def _odd(run: RecordRun, column: FieldColumn) -> Iterator[Issue]:
    found = [(cell, places.page, node) for cell, places, node in run.standing(column.cells) if places.page.style_names]
    if len(found) < LEAST_VALUES:
        return
    by_page: dict[int, list[tuple[FieldValue, int]]] = defaultdict(list)
    pages = {id(page): page for _, page, _ in found}
    for cell, page, node in found:
        by_page[id(page)].append((cell, node))
    cells = [cell for values in by_page.values() for cell, _ in values]
    parts = [style_features(pages[page], [node for _, node in values]) for page, values in by_page.items()]
    matrix, names = joined_features(parts), parts[0].names
    looks = Counter(map(bytes, matrix))
    usual, times = looks.most_common(1)[0]
    odd = [place for place, row in enumerate(matrix) if bytes(row) != usual]
    if times < USUAL * len(cells) or not odd or len(odd) > MOST_UNLIKE * len(cells):
        return
    first = odd[0]
    typical = np.frombuffer(usual)
    why = [
        f"{names[place]} {matrix[first, place]:.4g}, usually {typical[place]:.4g}"
        for place in _different(matrix[first], typical)
    ]
    reason = (
        f"{len(odd)} of {len(cells)} values look different, such as {shown(cells[first].value.text)}: {'; '.join(why)}."
    )
    evidence = tuple(cells[place].value.origin for place in odd if cells[place].value.origin)
    yield Issue("looks", "notice", reason, field=column.name, evidence=tuple(origin for origin in evidence if origin))


def _different(row: np.ndarray, usual: np.ndarray) -> list[int]:
    """The properties in which two looks differ, largest difference first."""
    away = np.abs(row - usual) / np.maximum(np.maximum(np.abs(row), np.abs(usual)), 1)
    return [place for place in np.argsort(-away, kind="stable").tolist() if away[place] > 0][:MOST_WHY]
