"""The names behind awards: "Best overall" or "Runner-up" stands above a product and says why it is there.

A label is only passed over if a name follows it: a line below it that stands out as a heading or in bold, in the same
place of nearly every item, and that differs from item to item. "Best day hike" with nothing of that kind below
is what its item is called.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

from sightline.extract.lists._languages import LANGUAGES, words
from sightline.extract.lists._page_signals import PageSignals
from sightline.extract.lists._span_reader import NodeSpan

__all__ = ["is_award", "names_below"]

AWARDS = frozenset(word for language in LANGUAGES for word in words(language.awards))
LONGER_AWARDS = tuple(sorted(award for award in AWARDS if " " in award))
LONGEST_AWARD = 14  # words; "The best for …" may go on for a while, a sentence isn't an award
# Behind these a label names what it is for: "Best overall: Osprey Atmos" has its name in it.
NAMED = (":", " – ", " — ", " - ", " | ")
# Of the titles that must be labels, and of these that must have a name below, each unlike the others. The figures on
# the real and the made-up pages are the same from 0.3 to 0.7 and from 0.6 to 1 (`bench/lists/fit_top.py`).
LEAST_AWARDS = 0.5
LEAST_NAMED = 0.8
NEAR = 8  # lines below a label among which the name is: a picture's caption may come first
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
    for _ in range(NEAR):
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
