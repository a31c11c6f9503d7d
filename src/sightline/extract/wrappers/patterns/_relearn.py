"""Learn patterns again from values that were found again."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from sightline.data import FieldProfile, Profile
from sightline.errors import UsageError
from sightline.extract.wrappers.patterns._apply import PatternReading, read_patterns
from sightline.extract.wrappers.patterns._expression import SlowExpression, StepBudget
from sightline.extract.wrappers.patterns._learn import Taught, learn_field
from sightline.extract.wrappers.patterns._pattern import Pattern, SearchSpan, found_by
from sightline.extract.wrappers.patterns._relearn_records import MOST_PAGES, relearn_records
from sightline.extract.wrappers.patterns._relocate import (
    BY_CHANCE,
    SHORTEST,
    Relocated,
    article_of,
    article_role,
    relocate_field,
)
from sightline.extract.wrappers.patterns._split import Located, apply_cut, locate_node
from sightline.extract.wrappers.patterns._verify import LEAST_MARKS, doubts_about, named_patterns, share_of_marks
from sightline.extract.wrappers.patterns._view import View, key_of

CONFIRMED = 0.75  # of a confidence; below it a field is marked as unsure
HEALTHY = 0.6  # of the pages; some may lack a field
ONE_RECORD = 0.6  # the confidence in records of which only one was found again, or only some of their values
KEPT = 0.9  # the confidence in rules that still find values like those they had
TOGETHER = 0.5  # of the fields of a remembered record that have the same text on a page about the same thing
EVERYWHERE = 0.5  # of the pages whose records had a field; a field found on fewer is something else
# 0.8 was chosen without each family of sites (`python -m bench.teach.fit_redesigns`); 0.95 is as good, 0.6 worse.
SAME_AGAIN = 0.8  # of what was found again that a rule must take, and little else
# The confidence in rules that take more or less than what was found again, or that are several where one was enough.
INEXACT = 0.7
# The confidence in a known text in a place that is unlike the old one; on several pages, the rule that takes it says
# as much as any other evidence.
# None of these bounds but INEXACT changes a figure of the redesigns; without that, documentation is a little better.
MEMORY_ALONE = 0.7
UNCUT = 0.7  # the confidence in a value that was a part of a text before, and is all of one now
RESHAPED = 0.7  # the confidence in values that were one text before, or are one now


@dataclass(frozen=True, eq=False)
class Relearned:
    """A pattern before and after (None if nothing was found), how certain it is, and why."""

    name: str
    old: Pattern
    new: Pattern | None
    confidence: float
    why: str


def relearn(patterns: Sequence[Pattern], profile: Profile, views: Sequence[View]) -> list[Relearned]:
    """Learn every pattern again that no longer finds what it should; the most certain choose first."""
    readings = [read_patterns(view, patterns) for view in views]
    healthy = {pattern.name for pattern in patterns if _is_healthy(pattern, profile, views, readings)}
    return _relearn_all(patterns, profile, list(zip(views, readings, strict=True)), healthy)


def _relearn_all(
    patterns: Sequence[Pattern], profile: Profile, read: Sequence[tuple[View, PatternReading]], healthy: Collection[str]
) -> list[Relearned]:
    """Learn all patterns again but those that are healthy."""
    views = [view for view, _ in read]
    found = {pattern.name: _kept(pattern) for pattern in patterns if pattern.name in healthy}
    single = [pattern for pattern in patterns if not pattern.fields and pattern.name not in found]
    taken: dict[int, set[int]] = {
        number: {value.node for value in reading.taken if value.name in found}
        for number, (_, reading) in enumerate(read)
    }
    known = [_known_record(view, profile) for view in views]
    located = {pattern.name: _located(pattern, profile.of(pattern.name), views, taken, known) for pattern in single}
    order = sorted(
        single, key=lambda pattern: -max((place.confidence for _, place in located[pattern.name]), default=0.0)
    )
    for place, pattern in enumerate(order):
        if place:  # what was found for the fields before it is taken
            located[pattern.name] = _located(pattern, profile.of(pattern.name), views, taken, known)
        places = located[pattern.name]
        pages = _pages_with_field(pattern.name, known)
        found[pattern.name] = _relearn_field(pattern, profile.of(pattern.name), places, views, pages)
        for number, relocated in places:
            taken[number].update(relocated.nodes)
    for pattern in patterns:
        if pattern.fields and pattern.name not in found:
            found[pattern.name] = _relearn_set(pattern, profile, views)
    return [found[pattern.name] for pattern in patterns]


def heal(
    patterns: Sequence[Pattern], profile: Profile, read: tuple[View, PatternReading], missing: Collection[str]
) -> tuple[Pattern, ...]:
    """The patterns for one page that is built anew: those that find nothing there are learned again, and marked."""
    shown = [pattern for pattern in patterns if not pattern.dropped]
    healthy = {pattern.name for pattern in shown} - set(missing)
    again = _relearn_all(shown, profile, [read], healthy)
    found = {one.name: mark_unsure(one.new) for one in again if one.new and one.name in missing}
    return tuple(found.get(pattern.name, pattern) for pattern in patterns)


def _known_record(view: View, profile: Profile) -> dict[str, tuple[str, ...]] | None:
    """The remembered record that a page is about: most of its fields have the same texts; None if it is another."""
    best: tuple[float, dict[str, tuple[str, ...]]] = (0.0, {})
    for name, record in profile.records:
        if not name:
            there = [field for field, texts in record.items() if view.nodes_saying(filter(_is_telling, texts)).any()]
            best = max(best, (len(there) / len(record), record), key=lambda candidate: candidate[0])
    return best[1] if best[0] >= TOGETHER else None


def _pages_with_field(name: str, known: Sequence[dict[str, tuple[str, ...]] | None]) -> int:
    """On how many pages a field should be, since their remembered records had it."""
    return sum(record is not None and name in record for record in known)


def _is_telling(text: str) -> bool:
    return len(key_of(text)) >= SHORTEST


def _is_healthy(pattern: Pattern, profile: Profile, views: Sequence[View], readings: Sequence[PatternReading]) -> bool:
    """Whether a pattern still finds on most pages values like those it had, by the rule that found them before."""
    inside = [field for field in pattern.fields if not field.optional and not field.fields]
    names = [f"{pattern.name}.{field.name}" for field in inside] or [pattern.name]
    patterns = dict(named_patterns([pattern]))
    well = expected = 0
    for view, reading in zip(views, readings, strict=True):
        found = all(reading.of(name) for name in names)
        doubts = [
            doubt
            for name in names
            if (field_profile := profile.of(name)) is not None
            for doubt in doubts_about(view, patterns[name], field_profile, reading.of(name))
        ]
        expected += found or not _is_absent(view, profile, names)
        well += found and not doubts and not _contradicted(view, pattern, profile, reading)
    return well >= HEALTHY * max(1, expected)


def _is_absent(view: View, profile: Profile, names: Sequence[str]) -> bool:
    """Whether a page has neither the labels that fields had nor any of their texts: it may simply lack them."""
    fields = [field for name in names if (field := profile.of(name)) is not None]
    labels = [label for field in fields for label in field.labels]
    if not labels or any(view.label_id(label) > 0 for label in labels):
        return False
    return not any(view.nodes_saying(filter(_is_telling, field.examples)).any() for field in fields)


def _contradicted(view: View, pattern: Pattern, profile: Profile, reading: PatternReading) -> bool:
    """Whether the main-text extractor finds this part of the article somewhere else on a page that is built anew."""
    field = profile.of(pattern.name)
    role = article_role(field) if field else None
    if role is None or pattern.many or share_of_marks(view, profile) >= LEAST_MARKS:
        return False
    return article_of(view).contradicts(role, [value.node for value in reading.of(pattern.name)])


def _kept(pattern: Pattern) -> Relearned:
    return Relearned(pattern.name, pattern, pattern, KEPT, "its rules still find values like those it had")


def _located(
    pattern: Pattern,
    profile: FieldProfile | None,
    views: Sequence[View],
    taken: dict[int, set[int]],
    known: Sequence[dict[str, tuple[str, ...]] | None],
) -> list[tuple[int, Relocated]]:
    """Where a field was found on the pages, the most certain first."""
    if profile is None or pattern.take != "text":
        return []
    found = []
    for number, view in enumerate(views):
        whole, record = SearchSpan(0, len(view.page)), known[number]
        expected = profile if record is None else replace(profile, examples=record.get(pattern.name, ()))
        memory = BY_CHANCE if record is None else 1.0
        place = relocate_field(view, pattern, expected, whole, frozenset(taken[number]), memory=memory)
        if place:
            found.append((number, place))
    return sorted(found, key=lambda candidate: -candidate[1].confidence)


def _relearn_field(
    pattern: Pattern,
    profile: FieldProfile | None,
    places: list[tuple[int, Relocated]],
    views: Sequence[View],
    pages: int,
) -> Relearned:
    if not places:
        return Relearned(pattern.name, pattern, None, 0.0, "nothing on the pages is clearly this field")
    if len(places) < EVERYWHERE * pages:
        return Relearned(pattern.name, pattern, None, 0.0, "it is on too few of the known pages")
    if _is_constant(pattern, profile, places, views):
        return Relearned(pattern.name, pattern, None, 0.0, "what is most like it has the same text on all pages")
    best = places[:MOST_PAGES]
    taught = []
    for number, place in best:
        view = views[number]
        wanted = tuple(locate_node(view, node) for node in place.nodes)
        if place.texts:
            wanted = tuple(Located(text, wanted[0].nodes, part=True) for text in place.texts)
        taught.append(Taught(view, SearchSpan(0, len(view.page)), wanted))
    try:
        learned = learn_field(pattern.name, taught, many=pattern.many).pattern
    except UsageError as problem:
        return Relearned(pattern.name, pattern, None, 0.0, str(problem))
    likeness = _likeness(learned, taught)
    if likeness < SAME_AGAIN:
        return Relearned(pattern.name, pattern, None, 0.0, "no rule takes what is most like it and nothing else")
    cut = pattern.cut if pattern.cut and _is_cut_everywhere(pattern.cut, taught) else None
    if pattern.cut and not cut and not any(place.certain for _, place in best):
        # It was a part of a text. Now it may be one of its own, but only if it is known or the main text says so.
        return Relearned(pattern.name, pattern, None, 0.0, "its cut does not match what is most like it")
    exact = likeness == 1 and (pattern.needs_all or not learned.needs_all)
    cut = cut or (learned.cut if learned.split else None)
    confidence = _confidence(pattern, [place for _, place in best], exact=exact, uncut=cut != pattern.cut)
    unsure = confidence < CONFIRMED
    new = replace(learned, optional=pattern.optional, unsure=unsure, cut=cut, loose=pattern.loose)
    return Relearned(pattern.name, pattern, new, round(confidence, 2), best[0][1].why)


def _confidence(pattern: Pattern, places: Sequence[Relocated], *, exact: bool, uncut: bool) -> float:
    """How certain a field is that was found again: as its places are, unless something speaks against it."""
    bounds = [sum(place.confidence for place in places) / len(places)]
    bounds += [INEXACT] * (not exact) + [UNCUT] * uncut
    bounds += [RESHAPED] * any(place.reshaped for place in places)
    if not pattern.rules or (not any(place.structured for place in places) and len(places) == 1):
        bounds.append(MEMORY_ALONE)
    return min(bounds)


def _likeness(pattern: Pattern, taught: Sequence[Taught]) -> float:
    """How much a rule takes of what it was learned from, and nothing else: F1 of the texts."""
    shared = total = 0
    for on_page in taught:
        view = on_page.view
        nodes = found_by(view, pattern, on_page.span)[0].tolist()
        found = {leaf for node in nodes for leaf in range(int(view.first[node]), int(view.last[node]))}
        wanted = {
            leaf
            for located in on_page.wanted
            for leaf in range(int(view.first[located.nodes[0]]), int(view.last[located.nodes[0]]))
        }
        shared += 2 * len(found & wanted)
        total += len(found) + len(wanted)
    return shared / total if total else 0.0


def _is_cut_everywhere(cut: str, taught: Sequence[Taught]) -> bool:
    """Whether a cut finds something in all values, without taking too long."""
    budget = StepBudget()
    try:
        return all(apply_cut(cut, value.text, budget) for on_page in taught for value in on_page.wanted)
    except SlowExpression:
        return False


def _is_constant(
    pattern: Pattern, profile: FieldProfile | None, places: list[tuple[int, Relocated]], views: Sequence[View]
) -> bool:
    """Whether what was found has the same text on all of several pages, although the field used to differ."""
    if pattern.many or profile is None or len(profile.examples) == 1 or len(places) == 1:
        return False
    return len({key_of(views[number].text(place.nodes[0])) for number, place in places}) == 1


def _relearn_set(pattern: Pattern, profile: Profile, views: Sequence[View]) -> Relearned:
    """The records of a set, by whole remembered ones."""
    found = relearn_records(pattern, profile, views)
    if found.pattern is None:
        return Relearned(pattern.name, pattern, None, 0.0, found.why)
    confidence = KEPT if found.records > 1 and found.whole else ONE_RECORD
    new = mark_unsure(found.pattern) if confidence < CONFIRMED else found.pattern
    return Relearned(pattern.name, pattern, new, confidence, found.why)


def mark_unsure(pattern: Pattern) -> Pattern:
    """The pattern, and everything in it, marked as not confirmed."""
    return replace(pattern, unsure=True, fields=tuple(map(mark_unsure, pattern.fields)))
