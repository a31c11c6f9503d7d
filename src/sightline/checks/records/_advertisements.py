"""Records that are unlike the others of their page: advertisements and other things that stand in a list."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from sightline.checks._report import Issue
from sightline.checks.records._places import ValuePlaces
from sightline.checks.records._run import RecordGroup, RecordRun, matched, shown, values_of
from sightline.data import ColumnType, Origin, Profile, Record, Value

__all__ = ["check_advertisements"]

FEWEST = 4  # records; of fewer, nobody knows which is the odd one
COMMON = 0.75  # of the records have a field, from which on one that lacks it is lacking
FEWEST_LACKING = 2  # fields; a product without a price is still one
FEW = 0.5  # of the common fields; a record with fewer is unlike the others
NEARLY_ALL = 0.8  # of the records stand in one element, from which on the others stand outside
FEWEST_WRONG = 2  # values that cannot be read, from which on a record may be none
MOST_ODD = 0.34  # of the records; where more are unlike each other, records differ
WORDS = re.compile(
    r"\b(?:sponsored|advertisements?|promoted|ad|ads|adslot|anzeige|gesponsert|werbung|sponsorisé|publicité|annonce|"
    r"patrocinado|publicidad|anuncio|sponsorizzato|pubblicità|annuncio|gesponsord|advertentie|реклама)\b",
    re.IGNORECASE,
)
LONGEST_WORD = 40  # characters of a text that says what a record is


def check_advertisements(run: RecordRun, profile: Profile | None) -> Iterator[Issue]:
    """Tell records that lack most of what the others have, stand elsewhere, lead elsewhere, or say what they are."""
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
                f"{len(odd)} of {len(group.records)} records are unlike the others: number {first + 1} {odd[first]}."
            )
            evidence = [origin for number in sorted(odd) for origin in _origins(group.records[number])[:1]]
            yield Issue(
                "advertisements",
                "suspicious",
                reason,
                group.scope or None,
                run.taken[group.page].called,
                tuple(evidence),
            )


def _lacking(group: RecordGroup) -> Iterator[tuple[int, str]]:
    """Records without most of the fields that nearly all others have."""
    filled = [{name for name, content in record.items() if content} for record in group.records]
    counts = Counter(name for names in filled for name in names)
    common = {name for name, count in counts.items() if count >= COMMON * len(filled)}
    for number, names in enumerate(filled):
        if len(common - names) >= FEWEST_LACKING and len(names & common) <= FEW * len(common):
            yield number, f"lacks {', '.join(sorted(common - names))}"


def _elsewhere(nodes: Sequence[Sequence[int]], places: ValuePlaces) -> Iterator[tuple[int, str]]:
    """Records none of whose values stands in such elements as any value of another record does."""
    own = [{places.place(node) for node in several} for several in nodes]
    counts = Counter(place for found in own for place in found)
    for number, found in enumerate(own):
        if found and all(counts[place] == 1 for place in found) and len(counts) > len(found):
            yield number, f"stands in {min(found)}, where no other record does"


def _called(
    nodes: Sequence[Sequence[int]], units: Sequence[int | None], places: ValuePlaces
) -> Iterator[tuple[int, str]]:
    """Records whose element, or a short text in it, says that they are advertisements; where all do, none does."""
    page = places.page
    for number, unit in enumerate(units):
        if unit is None:
            continue
        if WORDS.search(places.make(unit).replace("-", " ").replace("_", " ").replace(".", " ")):
            yield number, f"is made as {places.make(unit)}"
            continue
        own = set(nodes[number])
        first, last = np.searchsorted(places.leaves, (unit, page.end[unit]))
        for leaf in places.leaves[first:last].tolist():
            text = page.strings[page.text[leaf]].strip()
            if len(text) <= LONGEST_WORD and leaf not in own and WORDS.fullmatch(text.strip(" .:·[]()*")):
                yield number, f"is called “{text}”"
                break


def _outside(units: Sequence[int | None], places: ValuePlaces) -> Iterator[tuple[int, str]]:
    """Records that do not stand in the element that nearly all others stand in."""
    page = places.page
    parents = Counter(int(page.parent[unit]) for unit in units if unit is not None and page.parent[unit] >= 0)
    if not parents:
        return
    home, count = parents.most_common(1)[0]
    if count < NEARLY_ALL * len(units):
        return
    for number, unit in enumerate(units):
        if unit is not None and not home <= unit < page.end[home]:
            yield number, "stands outside of the element that the others are in"


def _unreadable(group: RecordGroup, typed: Mapping[int, tuple[str, ColumnType, bool]]) -> Iterator[tuple[int, str]]:
    """Records most of whose numbers, dates and addresses are none, where those of nearly all others are."""
    for number, record in enumerate(group.records):
        own = [(value, typed[id(value)]) for value in record.values() if id(value) in typed]
        wrong = [(value, name, kind) for value, (name, kind, readable) in own if not readable]
        if len(wrong) >= FEWEST_WRONG and len(wrong) > FEW * len(own):
            value, name, kind = wrong[0]
            yield number, f"has {shown(value.text if isinstance(value, Value) else '')} for {name}, which is no {kind}"


def _typed_values(run: RecordRun, profile: Profile | None) -> dict[int, tuple[str, ColumnType, bool]]:
    """The values of fields that are no texts, by their identity: the field, its type, and whether they can be read."""
    return {
        id(cell.value): (column.name, own.type, value is not None)
        for column, own in (matched(run, profile) if profile is not None else ())
        if own.type.kind != "text"
        for cell, value in zip(column.cells, column.typed(own.type), strict=True)
    }


def _abroad(nodes: Sequence[Sequence[int]], places: ValuePlaces) -> Iterator[tuple[int, str]]:
    """Records that link to another host than all others do."""
    hosts = [{host for node in several if (host := places.host(node)) is not None} for several in nodes]
    counts = Counter(host for own in hosts for host in own)
    if not counts:
        return
    home, times = counts.most_common(1)[0]
    for number, own in enumerate(hosts):
        if own and times >= COMMON * len(hosts) and home not in own and all(counts[host] == 1 for host in own):
            yield number, f"links to {min(own) or 'another host'}"


def _origins(record: Record) -> Sequence[Origin]:
    return [value.origin for value in values_of(record) if value.origin is not None]
