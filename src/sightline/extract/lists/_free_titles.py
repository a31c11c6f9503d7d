"""Items with free-standing titles in a text: what belongs to each, and its named parts.

Articles about several things of a kind often say the same about each: "Price: $20", or "Pros" above a few lines.
Labels that occur like this in at least half of the items name their parts.
"""

import re
from bisect import bisect_left
from collections import Counter
from dataclasses import replace
from functools import lru_cache

from sightline.data import Item, Record, Value, joined_origin
from sightline.extract.lists._items import address_values, first_link, picture_node
from sightline.extract.lists._numbering import without_numbers
from sightline.extract.lists._page_signals import PageSignals
from sightline.extract.lists._span_reader import NodeSpan, SpanReader

__all__ = ["free_standing_items"]

MOST_WORDS = 4  # of a label
LONGEST = 60  # characters of one
LEAST_SHARE = 0.5  # of the items must have a label
_LABEL = re.compile(r"([^\W\d_][^:\n]{1,40}?)\s?:\s+(?=\S)")


def free_standing_items(
    signals: PageSignals, reader: SpanReader, titles: list[NodeSpan], records: list[NodeSpan]
) -> tuple[Item, ...]:
    """The items behind free-standing titles."""
    lines = [_lines(signals, (title[1], record[1])) for title, record in zip(titles, records, strict=True)]
    spans = [*titles, *records, *(line for item in lines for line in item)]
    reader.read(spans)
    reader.locate(spans)
    ranks, names = without_numbers([_one_line(reader.text(title)) for title in titles])
    labels = _labels(reader, lines)
    heads = [replace(reader.value(title), text=name) for title, name in zip(titles, names, strict=True)]
    links = [_link_node(signals, title, record) for title, record in zip(titles, records, strict=True)]
    fields = zip(
        heads,
        reader.values(records),
        address_values(signals, [picture_node(signals, record) for record in records]),
        address_values(signals, [None if node is None else (node, int(signals.hrefs[node])) for node in links]),
        ranks,
        (_components(signals, reader, head, item, labels) for head, item in zip(heads, lines, strict=True)),
        strict=True,
    )
    return tuple(Item(*row) for row in fields)


def _link_node(signals: PageSignals, title: NodeSpan, record: NodeSpan) -> int | None:
    """The link of a title, or that of an item that has only one: of several in a text, none is the item's."""
    node = first_link(signals, title)
    low, high = (bisect_left(signals.links_in_order, end) for end in record)
    return first_link(signals, record) if node is None and high - low == 1 else node


def _one_line(text: str) -> str:
    return text.replace("\n", " ")


def _lines(signals: PageSignals, span: NodeSpan) -> list[NodeSpan]:
    """The lines of a span of nodes."""
    text, line = signals.text_list, signals.line_list
    low, high = bisect_left(text, span[0]), bisect_left(text, span[1])
    lines: list[NodeSpan] = []
    start = low
    for place in range(low + 1, high + 1):
        if place == high or line[place] != line[start]:
            lines.append((text[start], text[place - 1] + 1))
            start = place
    return lines if high > low else []


def _labels(reader: SpanReader, items: list[list[NodeSpan]]) -> set[str]:
    """The labels in at least half of the items: lines that stand alone, or the start of a line up to a colon."""
    counts: Counter[str] = Counter()
    for lines in items:
        found = {label for line in lines for label in _possible_labels(reader.text(line))}
        counts.update(found)
    least = max(2.0, LEAST_SHARE * len(items))
    return {label for label, count in counts.items() if count >= least}


@lru_cache(maxsize=4096)
def _possible_labels(text: str) -> tuple[str, ...]:
    """The labels that a line may be or begin with."""
    whole = text.strip().rstrip(":").strip()
    found = (whole,) if len(whole) <= LONGEST and 0 < len(whole.split()) <= MOST_WORDS and whole[:1].isalpha() else ()
    match = _LABEL.match(text)
    return (*found, match[1].strip()) if match and len(match[1].split()) <= MOST_WORDS else found


def _components(
    signals: PageSignals, reader: SpanReader, title: Value, lines: list[NodeSpan], labels: set[str]
) -> Record:
    """The title, the labelled parts, and the rest of the text."""
    parts: dict[str, list[Value]] = {}
    current, make = "text", -1
    named_lines = [[label for label in _possible_labels(reader.text(line)) if label in labels] for line in lines]
    for line, named, behind in zip(lines, named_lines, [*named_lines[1:], [""]], strict=False):
        value, path = reader.value(line), _path(signals, line)
        alone = bool(named) and value.text.strip().rstrip(":").strip() == named[0]
        if alone and not behind:
            current, make = _name(named[0]), -1
            parts.setdefault(current, [])
        elif named and not alone:
            match = _LABEL.match(value.text)
            rest = value.text[match.end() :] if match else value.text
            parts.setdefault(_name(named[-1]), []).append(replace(value, text=rest))
            current = "text"
        else:
            # Everything under a label has one tag path; a label without a line of its own below is ordinary text.
            current = current if make in (-1, path) else "text"
            make = path if current != "text" else -1
            parts.setdefault(current, []).append(value)
    return Record({"title": title, **{name: _join_values(values) for name, values in parts.items()}})


def _path(signals: PageSignals, line: NodeSpan) -> int:
    """The tag path of the element that holds a line."""
    return signals.frame_paths[bisect_left(signals.text_list, line[0])]


def _name(label: str) -> str:
    """A label as a name that isn't an attribute of an item."""
    return {"title": "title text", "link": "link text", "image": "image text", "rank": "number"}.get(
        label.lower(), label
    )


def _join_values(values: list[Value]) -> Value | None:
    if not values:
        return None
    origin = joined_origin(value.origin for value in values if value.origin)
    return Value("\n".join(value.text for value in values), origin=origin)
