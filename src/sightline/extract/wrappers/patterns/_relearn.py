"""Patterns learned anew from values that were found again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sightline.data import FieldProfile, Profile
from sightline.errors import UsageError
from sightline.extract.wrappers.patterns._apply import PatternReading, read_patterns
from sightline.extract.wrappers.patterns._cut import cut_by
from sightline.extract.wrappers.patterns._learn import RecordShown, Taught, learn_field, learn_set
from sightline.extract.wrappers.patterns._locate import Located, located_text
from sightline.extract.wrappers.patterns._pattern import Pattern, SearchSpan
from sightline.extract.wrappers.patterns._pattern_profile import named_patterns
from sightline.extract.wrappers.patterns._records import nearest_places
from sightline.extract.wrappers.patterns._relocate import SHORTEST, Relocated, relocate_field
from sightline.extract.wrappers.patterns._verify import doubts_about
from sightline.extract.wrappers.patterns._view import View, key_of

__all__ = ["Relearned", "relearn", "unsure"]

MOST_PAGES = 6  # that a pattern is learned from anew; those with the surest values
CONFIRMED = 0.75  # of a confidence; below it a field is marked as unsure
LEAST_RECORD = 0.5  # of the fields of a remembered record that have to stand together
HEALTHY = 0.6  # of the pages; some may lack a field
ONE_RECORD = 0.6  # the confidence in records of which only one was found again
KEPT = 0.9  # the confidence in rules that still find what is like their values
TOGETHER = 0.5  # of the fields of a record of old that say the same on a page that is about the same thing
EVERYWHERE = 0.5  # of the pages whose records had a field; who finds it on fewer has found something else
BY_CHANCE = 0.25  # what a remembered text says on a page about something else
APART = 4  # texts that may stand between two values of a record
MOST_RECORDS = 4  # of a page that are shown again


@dataclass(frozen=True, eq=False)
class Relearned:
    """A pattern as it was and as it is now (None where nothing was found), how sure that is, and why."""

    name: str
    old: Pattern
    new: Pattern | None
    confidence: float
    why: str


def relearn(patterns: Sequence[Pattern], profile: Profile, views: Sequence[View]) -> list[Relearned]:
    """Every pattern that no longer finds what it should, learned anew; the surest first take what they find."""
    readings = [read_patterns(view, patterns) for view in views]
    found = {own.name: _kept(own) for own in patterns if _is_healthy(own, profile, views, readings)}
    single = [own for own in patterns if not own.fields and own.name not in found]
    taken: dict[int, set[int]] = {
        number: {one.node for one in reading.taken if one.name in found} for number, reading in enumerate(readings)
    }
    known = [_known(view, profile) for view in views]
    located = {own.name: _located(own, profile.of(own.name), views, taken, known) for own in single}
    order = sorted(single, key=lambda own: -max((one.confidence for _, one in located[own.name]), default=0.0))
    for own in order:
        places = _located(own, profile.of(own.name), views, taken, known)
        found[own.name] = _relearned(own, profile.of(own.name), places, views, _having(own.name, known))
        for number, one in places:
            taken[number].update(one.nodes)
    for own in patterns:
        if own.fields and own.name not in found:
            found[own.name] = _relearned_set(own, profile, views)
    return [found[own.name] for own in patterns]


def _known(view: View, profile: Profile) -> dict[str, tuple[str, ...]] | None:
    """The record of old that a page is about: most of its fields say there what they said; None where it is another."""
    best: tuple[float, dict[str, tuple[str, ...]]] = (0.0, {})
    for name, record in profile.records:
        if not name:
            there = [own for own, texts in record.items() if view.nodes_saying(filter(_is_telling, texts)).any()]
            best = max(best, (len(there) / len(record), record), key=lambda own: own[0])
    return best[1] if best[0] >= TOGETHER else None


def _having(name: str, known: Sequence[dict[str, tuple[str, ...]] | None]) -> int:
    """On how many pages a field should be: their records of old had it."""
    return sum(record is not None and name in record for record in known)


def _is_telling(text: str) -> bool:
    return len(key_of(text)) >= SHORTEST


def _is_healthy(pattern: Pattern, profile: Profile, views: Sequence[View], readings: Sequence[PatternReading]) -> bool:
    """Whether a pattern still finds on most pages what is like its values, by the rule that found it before."""
    inside = [own for own in pattern.fields if not own.optional and not own.fields]
    names = [f"{pattern.name}.{own.name}" for own in inside] or [pattern.name]
    patterns = dict(named_patterns([pattern]))
    well = 0
    for view, reading in zip(views, readings, strict=True):
        doubts = [
            doubt
            for name in names
            if (known := profile.of(name)) is not None
            for doubt in doubts_about(view, patterns[name], known, reading.of(name))
        ]
        well += all(reading.of(name) for name in names) and not doubts
    return well >= HEALTHY * len(views)


def _kept(pattern: Pattern) -> Relearned:
    return Relearned(pattern.name, pattern, pattern, KEPT, "its rules still find values like those it had")


def _located(
    pattern: Pattern,
    profile: FieldProfile | None,
    views: Sequence[View],
    taken: dict[int, set[int]],
    known: Sequence[dict[str, tuple[str, ...]] | None],
) -> list[tuple[int, Relocated]]:
    """Where a field was found on the pages, the surest first."""
    if profile is None or pattern.take != "text":
        return []
    found = []
    for number, view in enumerate(views):
        whole, record = SearchSpan(0, len(view.page)), known[number]
        own = profile if record is None else replace(profile, examples=record.get(pattern.name, ()))
        memory = BY_CHANCE if record is None else 1.0
        one = relocate_field(view, pattern, own, whole, frozenset(taken[number]), memory=memory)
        if one:
            found.append((number, one))
    return sorted(found, key=lambda own: -own[1].confidence)


def _relearned(
    pattern: Pattern,
    profile: FieldProfile | None,
    places: list[tuple[int, Relocated]],
    views: Sequence[View],
    known: int,
) -> Relearned:
    if not places:
        return Relearned(pattern.name, pattern, None, 0.0, "nothing on the pages is clearly the field")
    if len(places) < EVERYWHERE * known:
        return Relearned(pattern.name, pattern, None, 0.0, "it is on too few of the pages that are remembered")
    if _is_constant(pattern, profile, places, views):
        return Relearned(pattern.name, pattern, None, 0.0, "what is most like it says the same on all pages")
    best = places[:MOST_PAGES]
    taught = []
    for number, one in best:
        view = views[number]
        wanted = tuple(Located(view.text(node), _chain(view, node)) for node in one.nodes)
        taught.append(Taught(view, SearchSpan(0, len(view.page)), wanted))
    confidence = sum(one.confidence for _, one in best) / len(best)
    try:
        learned = learn_field(pattern.name, taught, many=pattern.many).pattern
    except UsageError as problem:
        return Relearned(pattern.name, pattern, None, 0.0, str(problem))
    if pattern.cut and not all(cut_by(pattern.cut, one.text) for own in taught for one in own.wanted):
        return Relearned(pattern.name, pattern, None, 0.0, "nothing can be cut out of what is most like it")
    new = replace(learned, optional=pattern.optional, unsure=confidence < CONFIRMED, cut=pattern.cut)
    return Relearned(pattern.name, pattern, new, round(confidence, 2), best[0][1].why)


def _is_constant(
    pattern: Pattern, profile: FieldProfile | None, places: list[tuple[int, Relocated]], views: Sequence[View]
) -> bool:
    """Whether what was found says the same on all of several pages, where the field used to differ."""
    if pattern.many or profile is None or len(profile.examples) == 1 or len(places) == 1:
        return False
    return len({key_of(views[number].text(one.nodes[0])) for number, one in places}) == 1


def _chain(view: View, node: int) -> tuple[int, ...]:
    return tuple(view.nodes_of(int(view.first[node]), int(view.last[node]))) or (node,)


def _relearned_set(pattern: Pattern, profile: Profile, views: Sequence[View]) -> Relearned:
    """The records of a set: whole ones that are remembered, found with all their values together."""
    records = [record for name, record in profile.records if name == pattern.name]
    shown = []
    for view in views:
        known = [found for record in records if (found := _standing(view, record))]
        if known:
            shown.append(RecordShown(view, tuple(known[:MOST_RECORDS]), from_start=False))
    if not shown:
        return Relearned(pattern.name, pattern, None, 0.0, "none of the remembered records is on the pages")
    shown = sorted(shown, key=lambda own: -len(own.records))[:MOST_PAGES]
    try:
        learned = learn_set(pattern.name, shown).pattern
    except UsageError as problem:
        return Relearned(pattern.name, pattern, None, 0.0, str(problem))
    inside = {own.name: own for own in learned.fields}
    fields = tuple(replace(inside.get(own.name, own), optional=own.optional) for own in pattern.fields)
    count = sum(len(own.records) for own in shown)
    confidence = KEPT if count > 1 else ONE_RECORD
    new = replace(learned, fields=fields)
    new = unsure(new) if confidence < CONFIRMED else new
    return Relearned(pattern.name, pattern, new, confidence, f"{count} record{'s' * (count > 1)} of old found")


def unsure(pattern: Pattern) -> Pattern:
    """The pattern, with all in it, marked as not confirmed."""
    return replace(pattern, unsure=True, fields=tuple(map(unsure, pattern.fields)))


def _standing(view: View, record: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The fields of a remembered record that stand on a page; nothing where these are too few."""
    found = {name: texts for name, texts in record.items() if all(view.places(text) for text in texts)}
    if len(found) <= LEAST_RECORD * len(record):
        return {}
    located = [[located_text(view, text, 0, len(view.page)) for text in texts] for texts in found.values()]
    nodes = nearest_places(view, located, frozenset())
    firsts = [int(view.first[node]) for node in nodes]
    in_order = firsts == sorted(firsts)
    together = sum(int(view.last[node] - view.first[node]) for node in nodes) + APART * len(nodes)
    return found if in_order and firsts[-1] - firsts[0] <= together else {}
