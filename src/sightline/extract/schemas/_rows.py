"""Rows that are told apart by labels: the lines of a specification, terms with their explanation, headed sections.

A frequent pattern of siblings is not a set if each of them begins with its own text that other pages also have: such a
set is dissolved into fields, which are found by their label in whatever order they come.
"""

import re
from collections import Counter, defaultdict
from typing import NamedTuple

from sightline.extract.schemas._alphabet import TEXT_SYMBOL, Alphabet
from sightline.extract.schemas._instances import Instance, Learning
from sightline.extract.schemas._outline import Outline
from sightline.extract.schemas._parse import ChildSpan, between, chunks
from sightline.extract.schemas._template import TemplateBody, TemplateRow

__all__ = ["find_rows"]

MOST = 0.6  # of the rows have a label; the others are headings, notes, or labels of one page only
FEW = 0.25  # are enough if labels are on most pages: an infobox with a long list in it
OFTEN = 0.65  # of the instances have a label, on average; the same names in a list of any names are rarer
USUAL = 0.5  # of the instances have a label
LEAST_USUAL = 3  # such labels
VARY = 0.3  # of the labels have values that differ between pages; else the rows are records that pages share
PAIRS = 3  # texts; rows of so few are a label and its value, and there may be more of them on other pages
SMALL = 5  # texts; rows of a specification have so few, rows that lay out a page have more
LONGEST = 60  # characters of a label
_WORD = re.compile(r"[^\w]{0,2}[^\W\d_]{2}")
_DATED = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d|\d[/.-]\d|\d{3}", re.IGNORECASE)
LABELS = frozenset(["th", "dt", "label", "h2", "h3", "h4", "h5", "h6", "legend"])
INLINE = frozenset(["a", "code", "em", "i", "span", "font", "tt", "u", "sup", "sub", "small"])


class _Labels(NamedTuple):
    """Labels and how often each occurred; `pairs` if the rows are a label and its value each."""

    counts: dict[int, int]
    symbol: int
    members: frozenset[int] | None
    pairs: bool

    @property
    def rows(self) -> int:
        return sum(self.counts.values())


def find_rows(body: TemplateBody, instances: list[Instance], symbols: list[list[int]], learning: Learning) -> None:
    """Find the rows among the children, if any, and record their labels in the body."""
    if not learning.allows("rows"):
        return
    repeated = {symbol for word in symbols for symbol, count in Counter(word).items() if count > 1} - {TEXT_SYMBOL}
    found = [
        labels for symbol in sorted(repeated) for labels in _candidates(symbol, instances, symbols, learning.alphabet)
    ]
    if not found:
        return
    best = max(found, key=lambda labels: labels.rows)
    body.row_symbols, body.row_members, body.open_rows = frozenset([best.symbol]), best.members, best.pairs
    names = learning.texts(list(best.counts))
    body.rows = {
        label: TemplateRow(name, count) for (label, count), name in zip(best.counts.items(), names, strict=True)
    }
    learning.tell("rows", f"{len(names)} rows by their label: {', '.join(names[:6])}{' …' if len(names) > 6 else ''}")


def _candidates(symbol: int, instances: list[Instance], symbols: list[list[int]], alphabet: Alphabet) -> list[_Labels]:
    """The labels of rows that are elements with this symbol, and of rows that begin with one."""
    spans = [[(at, at + 1) for at, other in enumerate(word) if other == symbol] for word in symbols]
    single = _labels(instances, spans)
    found = [_Labels(single[0], symbol, None, single[1])] if single else []
    if _starts_line(symbol, symbols, alphabet):
        members = between(symbols, symbol)
        headed = _labels(instances, [chunks(word, frozenset([symbol]), members) for word in symbols])
        found += [_Labels(headed[0], symbol, members, headed[1])] if headed and len(headed[0]) > 1 else []
    return found


def _starts_line(symbol: int, symbols: list[list[int]], alphabet: Alphabet) -> bool:
    """Whether an inline element is at the start of its line, like labels, unlike words in a sentence."""
    if alphabet.tag(symbol) not in INLINE:
        return True
    having = [word for word in symbols if symbol in word]
    return sum(TEXT_SYMBOL not in word[: word.index(symbol)] for word in having) >= MOST * len(having)


def _labels(instances: list[Instance], spans: list[list[ChildSpan]]) -> tuple[dict[int, int], bool] | None:
    """The labels of these rows with how often each occurred, and whether rows are pairs of label and value.

    None if labels do not tell the rows apart.
    """
    total = several = texts = marked = 0
    values: dict[int, list[str]] = defaultdict(list)
    for instance, row_spans in zip(instances, spans, strict=True):
        outline = instance.outline
        heads = Counter(outline.content[instance.kids[start]] for start, _ in row_spans)
        for start, stop in row_spans:
            leaves = outline.texts[outline.first[instance.kids[start]] : outline.last[instance.kids[stop - 1]]]
            total, several = total + 1, several + (len(leaves) > 1)
            label = outline.content[instance.kids[start]]
            if label and heads[label] == 1 and len(leaves) > 1 and _is_label(leaves[0]):
                texts += len(leaves)
                marked += _is_marked(outline, instance.kids[start], leaves[0])
                values[label].append("\x1f".join(leaves[1:]))
    labelled = sum(map(len, values.values()))
    small = texts <= SMALL * labelled
    if several < MOST * total and not small:
        return None
    values = {label: texts_of_label for label, texts_of_label in values.items() if len(texts_of_label) > 1}
    counts = _label_counts(values, several if small else total, sum(map(bool, spans)), marked=marked >= MOST * labelled)
    pairs = texts <= PAIRS * labelled and (len(counts) >= LEAST_USUAL or marked >= MOST * labelled)
    return (counts, pairs) if counts else None


def _is_marked(outline: Outline, node: int, text: str) -> bool:
    """Whether a first text is marked as a label: by a colon, or by an element made for labels."""
    above = node
    while outline.symbol[node] != TEXT_SYMBOL:
        above, node = node, outline.kids(node)[0]
    return text.endswith(":") or outline.alphabet.tag(outline.symbol[above]) in LABELS


def _label_counts(values: dict[int, list[str]], rows: int, instances: int, *, marked: bool) -> dict[int, int]:
    if len(values) < (1 if marked else 2):
        return {}
    labelled = sum(map(len, values.values()))
    usual = sum(len(texts) >= USUAL * instances for texts in values.values())
    often = labelled >= OFTEN * len(values) * instances
    if not marked and not often:
        return {}
    if labelled < MOST * rows and (usual < LEAST_USUAL or labelled < FEW * rows or not often):
        return {}
    varying = sum(len(set(texts)) > 1 for texts in values.values())
    if not varying or (varying < VARY * len(values) and usual < USUAL * len(values)):
        return {}
    return {label: len(texts) for label, texts in values.items()}


def _is_label(text: str) -> bool:
    """Whether a text can be the label of a row: it begins with a word, is short, and is not a date."""
    return len(text) <= LONGEST and _WORD.match(text) is not None and not _DATED.search(text)
