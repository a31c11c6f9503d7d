"""Rows that are told apart by labels: the lines of a specification, terms with their explanation, headed sections.

A frequent pattern of siblings is no set where each of them begins with a text of its own that other pages have as well:
such a set is dissolved into fields, which are found by their label in whatever order they come.
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
FEW = 0.25  # are enough where labels stand on most pages: an infobox with a long list in it
OFTEN = 0.65  # of the instances have a label, on the mean; the same names in a list of any names are rarer
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
    """Labels with how often each was seen; `pairs` where the rows are a label and its value each."""

    seen: dict[int, int]
    symbol: int
    members: frozenset[int] | None
    pairs: bool

    @property
    def rows(self) -> int:
        return sum(self.seen.values())


def find_rows(body: TemplateBody, instances: list[Instance], symbols: list[list[int]], learning: Learning) -> None:
    """Find what rows the children are, if any, and write their labels into the body."""
    if not learning.allows("rows"):
        return
    repeated = {symbol for mine in symbols for symbol, count in Counter(mine).items() if count > 1} - {TEXT_SYMBOL}
    found = [own for symbol in sorted(repeated) for own in _candidates(symbol, instances, symbols, learning.alphabet)]
    if not found:
        return
    best = max(found, key=lambda own: own.rows)
    body.row_symbols, body.row_members, body.open_rows = frozenset([best.symbol]), best.members, best.pairs
    names = learning.texts(list(best.seen))
    body.rows = {label: TemplateRow(name, count) for (label, count), name in zip(best.seen.items(), names, strict=True)}
    learning.tell("rows", f"{len(names)} rows by their label: {', '.join(names[:6])}{' …' if len(names) > 6 else ''}")


def _candidates(symbol: int, instances: list[Instance], symbols: list[list[int]], alphabet: Alphabet) -> list[_Labels]:
    """The labels of rows that are elements of this symbol, and of those that begin with one."""
    single = _labels(instances, [[(at, at + 1) for at, own in enumerate(mine) if own == symbol] for mine in symbols])
    found = [_Labels(single[0], symbol, None, single[1])] if single else []
    if _begins(symbol, symbols, alphabet):
        members = between(symbols, symbol)
        headed = _labels(instances, [chunks(mine, frozenset([symbol]), members) for mine in symbols])
        found += [_Labels(headed[0], symbol, members, headed[1])] if headed and len(headed[0]) > 1 else []
    return found


def _begins(symbol: int, symbols: list[list[int]], alphabet: Alphabet) -> bool:
    """Whether a mark in a line of text stands at its beginning, as labels do and words in a sentence do not."""
    if alphabet.tag(symbol) not in INLINE:
        return True
    having = [mine for mine in symbols if symbol in mine]
    return sum(TEXT_SYMBOL not in mine[: mine.index(symbol)] for mine in having) >= MOST * len(having)


def _labels(instances: list[Instance], spans: list[list[ChildSpan]]) -> tuple[dict[int, int], bool] | None:
    """The labels of these rows with how often each was seen, and whether rows are pairs of label and value.

    Nothing where labels do not tell the rows apart.
    """
    total = several = texts = marked = 0
    values: dict[int, list[str]] = defaultdict(list)
    for own, mine in zip(instances, spans, strict=True):
        outline = own.outline
        heads = Counter(outline.content[own.kids[start]] for start, _ in mine)
        for start, stop in mine:
            leaves = outline.texts[outline.first[own.kids[start]] : outline.last[own.kids[stop - 1]]]
            total, several = total + 1, several + (len(leaves) > 1)
            label = outline.content[own.kids[start]]
            if label and heads[label] == 1 and len(leaves) > 1 and _is_label(leaves[0]):
                texts += len(leaves)
                marked += _is_marked(outline, own.kids[start], leaves[0])
                values[label].append("\x1f".join(leaves[1:]))
    labelled = sum(map(len, values.values()))
    small = texts <= SMALL * labelled
    if several < MOST * total and not small:
        return None
    values = {label: own for label, own in values.items() if len(own) > 1}
    seen = _told_apart(values, several if small else total, sum(map(bool, spans)), marked=marked >= MOST * labelled)
    pairs = texts <= PAIRS * labelled and (len(seen) >= LEAST_USUAL or marked >= MOST * labelled)
    return (seen, pairs) if seen else None


def _is_marked(outline: Outline, node: int, text: str) -> bool:
    """Whether a first text is marked as a label: by a colon, or by an element that is made for it."""
    above = node
    while outline.symbol[node] != TEXT_SYMBOL:
        above, node = node, outline.kids(node)[0]
    return text.endswith(":") or outline.alphabet.tag(outline.symbol[above]) in LABELS


def _told_apart(values: dict[int, list[str]], rows: int, instances: int, *, marked: bool) -> dict[int, int]:
    if len(values) < (1 if marked else 2):
        return {}
    labelled = sum(map(len, values.values()))
    usual = sum(len(own) >= USUAL * instances for own in values.values())
    often = labelled >= OFTEN * len(values) * instances
    if not marked and not often:
        return {}
    if labelled < MOST * rows and (usual < LEAST_USUAL or labelled < FEW * rows or not often):
        return {}
    varying = sum(len(set(own)) > 1 for own in values.values())
    if not varying or (varying < VARY * len(values) and usual < USUAL * len(values)):
        return {}
    return {label: len(own) for label, own in values.items()}


def _is_label(text: str) -> bool:
    """Whether a text can be the label of a row: it begins with a word, is short, and is no date."""
    return len(text) <= LONGEST and _WORD.match(text) is not None and not _DATED.search(text)
