"""Lines that may be titles of items, in classes of similar lines: headings, bold lines, first lines of repeated units.

A class may have more members than the list has items: articles have other headings as well. Which of them are the
items is decided later, from everything known about them together.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sightline.arrays import IntArray
from sightline.extract.lists._page_signals import HEADINGS, PageSignals
from sightline.extract.lists._promise import LANGUAGES, words
from sightline.extract.lists._region import Region
from sightline.extract.lists._span_reader import NodeSpan, read_number

# Words; a longer line is a sentence.
LONGEST = 30
# A list may be preceded and followed by so many lines of the same kind: other headings of an article.
MOST_OTHERS = 40
MOST_LINES = 20_000  # of all choices of a class together, so that a promise of thousands stays quick
# Texts at the start of an item among which a heading is its title.
NEAR = 40
BOLD = 7  # the level of a bold line, below all headings


@dataclass(frozen=True, eq=False)
class TitleClass:
    """Similar lines: the titles, and the items that they begin or are in.

    Free-standing titles (`spread`) begin items that end where the next one begins; `level` is that of a heading.
    """

    how: str
    title: list[NodeSpan]
    start: IntArray
    stop: IntArray
    level: int = 0

    @property
    def spread(self) -> bool:
        """Whether the titles stand free, each followed by its item."""
        return self.level > 0

    def __len__(self) -> int:
        return len(self.start)


def title_classes(
    signals: PageSignals, regions: list[Region], k: int, without: tuple[str, ...] = ()
) -> list[TitleClass]:
    """All classes of lines that may be the titles of k items, without duplicates."""
    found: dict[bytes, TitleClass] = {}
    others = min(MOST_OTHERS, max(1, MOST_LINES // k)) if "windows" not in without else int("k ± 1" not in without)
    for group in _candidate_classes(signals, regions, k, without, found):
        if k <= len(group) <= k + others:
            found.setdefault(group.start.tobytes(), group)
    return list(found.values())


def _candidate_classes(
    signals: PageSignals, regions: list[Region], k: int, without: tuple[str, ...], known: Collection[bytes]
) -> Iterator[TitleClass]:
    """Classes of at least k lines; records that begin like a `known` class are not looked at again."""
    most = k + 1 if "k ± 1" not in without else k
    if "headings" not in without:
        yield from _headings(signals, k, without, least=k)
    if "bold lines" not in without:
        yield from _bold_lines(signals, least=k)
    if "numbering" not in without:
        yield from _numbered_lines(signals, k, least=k)
    if "regions" not in without:
        yield from (
            _records(signals, "records", region.start, region.stop, without)
            for region in regions
            if k <= len(region) <= most and region.start.tobytes() not in known
        )
    if "paths" not in without:
        counts = range(k, k + 2 if "k ± 1" not in without else k + 1)
        for start, nodes in path_lists(signals, counts).items():
            if start not in known:
                yield _records(signals, "paths", nodes, signals.page.end[nodes], without)
    if "interleaving" not in without:
        yield from _interleaved(signals, k, without)


def free_titles(signals: PageSignals, k: int) -> Iterator[TitleClass]:
    """All classes of free-standing lines, of any size, for lists of which a page has only a part."""
    yield from (
        group for group in _headings(signals, k, ("k ± 1",), least=1) if group.level > 1
    )  # the page's own title is not an item
    yield from _bold_lines(signals, least=1)
    yield from _numbered_lines(signals, k, least=1)


def _headings(signals: PageSignals, k: int, without: tuple[str, ...], *, least: int) -> Iterator[TitleClass]:
    """Headings of one level; of one level and path, class or look; and of one level plus one of another."""
    page = signals.page
    by_level: dict[int, IntArray] = {}
    for level, name in enumerate(HEADINGS, start=1):
        nodes = page.with_tag(name)
        words = signals.below(nodes, page.end[nodes], signals.tallies.words)
        nodes = nodes[(words > 0) & (words <= LONGEST)]
        if len(nodes):
            by_level[level] = nodes
            yield from _heading_classes(signals, nodes, level, least)
    if "k ± 1" not in without:
        yield from _with_one_more(signals, by_level, k)
    if "numbering" not in without:
        yield from _counting_headings(signals, by_level, k)


def _counting_headings(signals: PageSignals, by_level: dict[int, IntArray], k: int) -> Iterator[TitleClass]:
    """Headings of several levels that count the items together: one of them was given another level by mistake."""
    if len(by_level) < 2:
        return
    page, text = signals.page, signals.text_list
    numbered: list[tuple[int, int]] = []
    for level, nodes in by_level.items():
        if level == 1:  # the page's own title is not an item
            continue
        for node, place in zip(nodes.tolist(), np.searchsorted(signals.texts, nodes).tolist(), strict=True):
            if place < len(text) and text[place] < page.end[node]:
                number, _ = read_number(page.strings[page.text[text[place]]].lstrip())
                if number is not None and 0 < number <= k:
                    numbered.append((node, level))
    levels = Counter(level for _, level in numbered)
    if len(numbered) < k or len(levels) < 2:
        return
    nodes = np.array(sorted(node for node, _ in numbered), dtype=np.int32)
    yield _free_standing(signals, "headings", nodes, levels.most_common(1)[0][0])


def _heading_classes(signals: PageSignals, nodes: IntArray, level: int, least: int) -> Iterator[TitleClass]:
    if len(nodes) < least:
        return
    yield _free_standing(signals, "headings", nodes, level)
    for key in (signals.page.path[nodes], signals.classes[nodes], signals.page.style_of[nodes]):
        for value, count in sorted(Counter(key.tolist()).items()):
            if max(2, least) <= count < len(nodes):
                yield _free_standing(signals, "headings", nodes[key == value], level)


def _with_one_more(signals: PageSignals, by_level: dict[int, IntArray], k: int) -> Iterator[TitleClass]:
    """A level with one heading too few, plus one of a neighbouring level: an item with a different style."""
    for level, nodes in by_level.items():
        if len(nodes) != k - 1 or k < 4:
            continue
        above = by_level.get(level - 1, nodes[:0]) if level > 2 else nodes[:0]  # the page's own title is not an item
        others = np.concatenate([above, by_level.get(level + 1, nodes[:0])])
        for other in others.tolist():
            yield _free_standing(signals, "headings", np.sort(np.append(nodes, other)).astype(np.int32), level)


def _bold_lines(signals: PageSignals, *, least: int) -> Iterator[TitleClass]:
    """Units of nothing but bold text that are not headings."""
    units, page = signals.units, signals.page
    is_line = signals.all_bold & ~signals.all_heading & (signals.unit_words > 0) & (signals.unit_words <= LONGEST)
    # Of nested units only the innermost counts, which is the line itself.
    nodes = np.unique(
        units.start[is_line & units.line | is_line & ~np.isin(units.start, page.parent[units.start[is_line]])]
    )
    paths = page.path[nodes]
    for path, count in sorted(Counter(paths.tolist()).items()):
        if count >= max(2, least):
            yield _free_standing(signals, "bold lines", nodes[paths == path].astype(np.int32), BOLD)


def _numbered_lines(signals: PageSignals, k: int, *, least: int) -> Iterator[TitleClass]:
    """Short lines outside headings that begin with a number up to k."""
    units, strings, text = signals.units, signals.page.strings, signals.page.text
    places = np.flatnonzero(units.line & (signals.unit_words > 0) & (signals.unit_words <= LONGEST))
    # A line may be the only one in several nested elements; the outermost stands for all.
    places = places[np.argsort(units.start[places], kind="stable")]
    places = places[np.unique(signals.first_text[places], return_index=True)[1]]
    nodes = [
        start
        for start, node in zip(units.start[places].tolist(), signals.first_text[places].tolist(), strict=True)
        if text[node] >= 0 and not signals.heading_list[node] and _is_numbered(strings[text[node]].lstrip(), k)
    ]
    if len(nodes) >= least:
        yield _free_standing(signals, "numbered lines", np.unique(np.array(nodes, dtype=np.int32)), BOLD)


def _is_numbered(text: str, k: int) -> bool:
    number, rest = read_number(text)
    return number is not None and 0 < number <= k and any(map(str.isalpha, rest))


def _free_standing(signals: PageSignals, how: str, nodes: IntArray, level: int) -> TitleClass:
    """Free-standing titles: what follows each, up to the next or to a higher heading, belongs to its item."""
    title = list(zip(nodes.tolist(), signals.page.end[nodes].tolist(), strict=True))
    following = np.append(nodes[1:], len(signals.page))
    higher = signals.heading_nodes[signals.heading_levels < level]
    place = np.searchsorted(higher, nodes, side="right")
    stop = np.minimum(following, np.append(higher, len(signals.page))[place])
    return TitleClass(how, title, nodes, np.maximum(stop, signals.page.end[nodes]).astype(np.int32), level)


def _records(signals: PageSignals, how: str, start: IntArray, stop: IntArray, without: tuple[str, ...]) -> TitleClass:
    spans = zip(start.tolist(), stop.tolist(), strict=True)
    plain = "item title" in without
    return TitleClass(how, [title_in(signals, span, plain=plain) for span in spans], start, stop)


def _interleaved(signals: PageSignals, k: int, without: tuple[str, ...]) -> Iterator[TitleClass]:
    """Units of one element that alternate in style and together are as many as there should be."""
    units, page = signals.units, signals.page
    counts = np.diff(units.first)
    for place in np.flatnonzero((counts >= k) & (counts <= k + 1)).tolist():
        part = slice(int(units.first[place]), int(units.first[place + 1]))
        tags = page.tag[units.start[part]]
        kinds, sizes = np.unique(tags, return_counts=True)
        changes = int((tags[1:] != tags[:-1]).sum())
        # Alternating styles change more often than styles that follow each other.
        if len(kinds) > 1 and sizes.min() > 1 and changes >= len(tags) - 2:
            yield _records(signals, "interleaved", units.start[part], units.stop[part], without)


def title_in(signals: PageSignals, record: NodeSpan, *, plain: bool = False) -> NodeSpan:
    """The title of an item: its first heading, else the bold or linked part of its first line with letters.

    With `plain`, the first line as it is.
    """
    text = signals.text_list
    low, high = bisect_left(text, record[0]), bisect_left(text, record[1])
    if low == high:
        return record[0], record[0]
    line = signals.line_list
    if not plain:
        heading = next(
            (place for place in range(low, min(high, low + NEAR)) if signals.heading_list[text[place]]), None
        )
        if heading is not None:
            return _whole_heading(signals, heading, high)
    first = low if plain else _first_with_letters(signals, low, high)
    stop = first
    while stop < high and line[stop] == line[first]:
        stop += 1
    if not plain:
        for mark in ([signals.bold_list[text[place]] for place in range(first, stop)], signals.link_list[first:stop]):
            end = next((place for place, value in enumerate(mark) if value != mark[0]), len(mark))
            if mark[0] not in (False, -1) and 0 < end < len(mark):
                return text[first], text[first + end - 1] + 1
    return text[first], text[stop - 1] + 1


def _whole_heading(signals: PageSignals, place: int, high: int) -> NodeSpan:
    """All of the heading that a text is in: what stands behind a break in it is part of it."""
    page, text = signals.page, signals.text_list
    node = text[place]
    while page.strings[page.tag[node]] not in HEADINGS:
        node = int(page.parent[node])
    return text[place], text[min(high, bisect_left(text, int(page.end[node]))) - 1] + 1


def _first_with_letters(signals: PageSignals, low: int, high: int) -> int:
    """Where the first line begins that is more than a number or punctuation."""
    line, strings, text = signals.line_list, signals.page.strings, signals.page.text
    for place in range(low, high):
        if any(map(str.isalpha, strings[text[signals.text_list[place]]])):
            while place > low and line[place - 1] == line[place]:
                place -= 1
            return place
    return low


# Classes of exactly k nodes with one tag path, and the items that they are parts of.


def path_classes(signals: PageSignals, counts: range) -> Iterator[IntArray]:
    """For each tag path with a visible node count in `counts`, its nodes."""
    nodes = signals.visible_nodes
    path = signals.page.path[nodes]
    order = np.argsort(path, kind="stable")
    bounds = np.flatnonzero(np.diff(path[order], prepend=-1, append=-1))
    size = np.diff(bounds)
    for place in np.flatnonzero((size >= counts.start) & (size < counts.stop)).tolist():
        yield nodes[order[bounds[place] : bounds[place + 1]]]


def expand_to_items(parent: IntArray, nodes: IntArray) -> IntArray:
    """The highest ancestors of some nodes of one depth, in their order, that are still different for each node.

    >>> expand_to_items(np.array([-1, 0, 1, 0, 3], dtype=np.int32), np.array([2, 4], dtype=np.int32)).tolist()
    [1, 3]
    """
    while True:
        above = parent[nodes]
        # Nodes of one depth are in the order of their parents, so equal parents are neighbours.
        if above[0] < 0 or (above[1:] == above[:-1]).any():
            return nodes
        nodes = above


def path_lists(signals: PageSignals, counts: range) -> dict[bytes, IntArray]:
    """All lists of items found from classes of so many nodes; classes within the same items give one list."""
    lists: dict[bytes, IntArray] = {}
    for nodes in path_classes(signals, counts):
        items = expand_to_items(signals.page.parent, nodes)
        lists.setdefault(items.tobytes(), items)
    return lists


# -- the names behind awards ----------------------------------------------------------------------------------------
# A label is only passed over if a name follows it: a line below it that stands out as a heading or in bold, in the
# same place of nearly every item, and that differs from item to item. "Best day hike" with nothing of that kind below
# is what its item is called.

AWARDS = frozenset(word for language in LANGUAGES for word in words(language.awards))
LONGER_AWARDS = tuple(sorted(award for award in AWARDS if " " in award))
LONGEST_AWARD = 14  # words; "The best for …" may go on for a while, a sentence isn't an award
# Behind these a label names what it is for: "Best overall: Osprey Atmos" has its name in it.
NAMED = (":", " – ", " — ", " - ", " | ")
# Of the titles that must be labels, and of these that must have a name below, each unlike the others. The figures on
# the real and the made-up pages are the same from 0.3 to 0.7 and from 0.6 to 1 (`bench/lists/fit_top.py`).
LEAST_AWARDS = 0.5
LEAST_NAMED = 0.8
NEAR_AWARD = 8  # lines below a label among which the name is: a picture's caption may come first
PROSE = 12  # words of a line that stands out by nothing: the text of the item has begun
LONGEST_NAME = 15  # words

Line = tuple[int, int]
"""Places of the first text of a line and of the first behind it."""


def is_award(text: str) -> bool:
    """Whether a title says what something is chosen for, and not what it is called.

    >>> is_award("Best Budget Tent"), is_award("Best overall: Kelty Nova"), is_award("Kelty Nova")
    (True, False, False)
    """
    lower = text.casefold()
    found = lower.split()
    if not 0 < len(found) <= LONGEST_AWARD:
        return False
    if AWARDS.isdisjoint(found) and not any(award in lower for award in LONGER_AWARDS):
        return False
    return not any(mark in text for mark in NAMED)


def names_below(
    signals: PageSignals, titles: Sequence[NodeSpan], texts: Sequence[str], stops: Sequence[int]
) -> list[NodeSpan]:
    """The titles of some items, with the name of the item instead of each label that has one below it."""
    labels = [place for place, text in enumerate(texts) if is_award(text)]
    if not labels or len(labels) < LEAST_AWARDS * len(titles):
        return list(titles)
    found = {place: _marked_lines(signals, titles[place], stops[place]) for place in labels}
    paths = Counter(path for lines in found.values() for path in lines)
    for path, count in sorted(paths.items(), key=lambda one: -one[1]):
        if count < LEAST_NAMED * len(labels):
            break
        named = {place: lines[path] for place, lines in found.items() if path in lines}
        names = {_text(signals, line) for line in named.values()}
        if len(names) >= LEAST_NAMED * len(named) and sum(map(is_award, names)) < LEAST_AWARDS * len(names):
            return [_span(signals, named[place]) if place in named else title for place, title in enumerate(titles)]
    return list(titles)


def _marked_lines(signals: PageSignals, label: NodeSpan, stop: int) -> dict[int, Line]:
    """The lines right behind a label that stand out, by the path of what holds them; of several the first."""
    found: dict[int, Line] = {}
    below_heading = signals.heading_list[min(label[0] + 1, label[1] - 1)]
    for line in _lines(signals, label[1], stop):
        count = _words(signals, line)
        if _stands_out(signals, line) or (not below_heading and _is_link(signals, line)):
            text = _text(signals, line)
            if count <= LONGEST_NAME and any(map(str.isalpha, text)) and not text.endswith((":", "?")):
                found.setdefault(signals.frame_paths[line[0]], line)
        elif count >= PROSE:
            break
    return found


def _lines(signals: PageSignals, start: int, stop: int) -> Iterator[Line]:
    """The first lines of a span of nodes."""
    line, text = signals.line_list, signals.text_list
    low, high = bisect_left(text, start), bisect_left(text, stop)
    for _ in range(NEAR_AWARD):
        if low >= high:
            return
        end = low + 1
        while end < high and line[end] == line[low]:
            end += 1
        yield low, end
        low = end


def _stands_out(signals: PageSignals, line: Line) -> bool:
    """Whether all of a line is in a heading or in bold."""
    nodes = signals.text_list[line[0] : line[1]]
    return all(signals.heading_list[node] for node in nodes) or all(signals.bold_list[node] for node in nodes)


def _is_link(signals: PageSignals, line: Line) -> bool:
    """Whether all of a line is in a link: the name on a card, but below a heading more likely a button."""
    return all(link >= 0 for link in signals.link_list[line[0] : line[1]])


def _span(signals: PageSignals, line: Line) -> NodeSpan:
    return signals.text_list[line[0]], signals.text_list[line[1] - 1] + 1


def _words(signals: PageSignals, line: Line) -> int:
    first, last = _span(signals, line)
    return int(signals.tallies.words[last] - signals.tallies.words[first])


def _text(signals: PageSignals, line: Line) -> str:
    page = signals.page
    return " ".join(str(page.strings[page.text[node]]).strip() for node in signals.text_list[line[0] : line[1]])
