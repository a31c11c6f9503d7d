"""Everything on a page that may be the value of a field: blocks, pieces of them, and what is typed in them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from sightline.arrays import BoolArray, IntArray
from sightline.extract.about._mentions import Mention, mentions_in
from sightline.page import ABSENT, Page, nearest
from sightline.signals import DECORATION, TextBlocks, days_in, text_blocks

KINDS = ("block", "piece", "value", "money", "span", "day", "number", "code")
NUMBER_OF = {name: number for number, name in enumerate(KINDS)}
BLOCK, PIECE, VALUE, DAY = (NUMBER_OF[name] for name in ("block", "piece", "value", "day"))
MOST_BLOCKS = 4_000  # visible blocks in which values are looked for; what a page is about stands before
LONGEST_LABEL = 48  # characters; more is a sentence and not a label
LONGEST_AFTER = 24
LONGEST_PIECE = 160
LABELLED = re.compile(r"^([^:：]{2,40}?)\s*[:：]\s+(?=\S)")
# Hundredths of an amount that stand in an element of their own: what its tag or its names say, and what it holds.
RAISED = ("sup", "small", "sub")
HUNDREDTHS = re.compile(r"cent|decimal|fraction|minor|penn|kopeck|groszy?|d[eé]cim", re.IGNORECASE)
TWO_DIGITS = re.compile(r"\s*[.,]?(\d\d)(?!\d)")
WHOLE_AMOUNT = re.compile(r"(\d[\d.,'\u00a0 ]*?)[.,]?\s*$")
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


class ValueCandidate(NamedTuple):
    """A text that may be a value: its kind and block, the element and texts it stands in, and what is beside it."""

    kind: int
    block: int
    holder: int
    nodes: tuple[int, ...]
    text: str
    before: str
    after: str
    value: Any


@dataclass(frozen=True, eq=False)
class Candidates:
    """All candidates of a page, those of a block together, in the order of the page."""

    page: Page
    blocks: TextBlocks
    all: tuple[ValueCandidate, ...]

    def __len__(self) -> int:
        return len(self.all)

    @cached_property
    def kind(self) -> IntArray:
        """The kind of each."""
        return np.array([one.kind for one in self.all], dtype=np.int32)

    @cached_property
    def block(self) -> IntArray:
        """The block of each."""
        return np.array([one.block for one in self.all], dtype=np.int32)

    @cached_property
    def holder(self) -> IntArray:
        """The element that makes each what it is."""
        return np.array([one.holder for one in self.all], dtype=np.int32)

    def only(self, rows: IntArray) -> "Candidates":
        """Some of them, of the same page."""
        return Candidates(self.page, self.blocks, tuple(self.all[row] for row in rows.tolist()))

    def of_kind(self, *kinds: str) -> BoolArray:
        """Which are of these kinds."""
        return np.isin(self.kind, [NUMBER_OF[kind] for kind in kinds])


def candidates_of(page: Page) -> Candidates:
    """What may be a value on a page; nothing that nobody sees is.

    >>> from sightline.testing import list_page
    >>> [(KINDS[one.kind], one.text, one.before) for one in candidates_of(list_page(["Price: $5"])).all]
    [('block', 'Price: $5', ''), ('value', '$5', 'Price'), ('money', '$5', 'Price:'), ('number', '5', 'Price: $')]
    """
    blocks = text_blocks(page)
    return Candidates(page, blocks, tuple(_Search(page, blocks).all()))


class _Search:
    """The candidates of a page, block by block."""

    def __init__(self, page: Page, blocks: TextBlocks) -> None:
        self.page, self.blocks = page, blocks
        self.language = page.language
        holders = nearest(page.parent, ~(page.is_text | page.mask(*DECORATION)))
        nodes = blocks.nodes
        self.holder: dict[int, int] = dict(zip(nodes.tolist(), holders[nodes].tolist(), strict=True))
        strings, texts = page.strings, page.text[nodes].tolist()
        self.said = {node: strings[text] for node, text in zip(nodes.tolist(), texts, strict=True)}
        told = page.attribute("datetime")[holders[nodes]].tolist()
        self.told = {node: strings[one][:10] for node, one in zip(nodes.tolist(), told, strict=True) if one != ABSENT}

    def all(self) -> Iterator[ValueCandidate]:
        """All candidates in order."""
        first, nodes = self.blocks.first.tolist(), self.blocks.nodes.tolist()
        label = ""
        for row in np.flatnonzero(self.blocks.visible)[:MOST_BLOCKS].tolist():
            text = self.blocks.texts[row]
            yield from self._of_block(row, nodes[first[row] : first[row + 1]], text, label)
            label = text if len(text) <= LONGEST_LABEL else ""

    def _of_block(self, row: int, nodes: list[int], text: str, label: str) -> Iterator[ValueCandidate]:
        yield ValueCandidate(BLOCK, row, self._common(nodes), tuple(nodes), text, label, "", None)
        if len(nodes) > 1:
            yield from self._pieces(row, nodes, label)
        if found := LABELLED.match(text):
            node = self._node_at(nodes, found.end())
            yield ValueCandidate(VALUE, row, self.holder[node], (node,), text[found.end() :], found[1], "", None)
        written = text if len(nodes) == 1 else self._with_decimals(nodes, text)
        for one in mentions_in(written, self.language):
            yield self._typed(row, nodes, written, label, one)
        for node in nodes:
            if node in self.told:
                for day in days_in(self.told[node]):
                    yield ValueCandidate(DAY, row, self.holder[node], (node,), text, label, "", day.day)

    def _with_decimals(self, nodes: list[int], text: str) -> str:
        """The text with a mark before hundredths that only their type tells from the amount: `49⁹⁹`."""
        for before, node in pairwise(nodes):
            hundredths, whole = TWO_DIGITS.match(self.said[node]), WHOLE_AMOUNT.search(self.said[before])
            if hundredths and whole and self._is_small(node):
                apart = rf"(?<!\d){re.escape(whole[1].strip())}\s*[.,]?\s*{hundredths[1]}(?!\d)"
                mark = "," if "." in whole[1] else "."  # another one than that between thousands
                text = re.sub(apart, f"{whole[1].strip()}{mark}{hundredths[1]}", text, count=1)
        return text

    def _is_small(self, node: int) -> bool:
        """Whether a text stands as hundredths do: raised, or in an element that is named after them."""
        holder, strings = int(self.page.parent[node]), self.page.strings
        if strings[self.page.tag[holder]] in RAISED:
            return True
        names = self.page.attribute("class")[holder]
        return names != ABSENT and bool(HUNDREDTHS.search(strings[names]))

    def _common(self, nodes: list[int]) -> int:
        """The element that holds all texts of a block."""
        holder, last = self.holder[nodes[0]], nodes[-1]
        while holder > 0 and last != nodes[0] and self.page.end[holder] <= last:
            holder = int(self.page.parent[holder])
        return holder

    def _pieces(self, row: int, nodes: list[int], label: str) -> Iterator[ValueCandidate]:
        """The runs of texts in one element, where a block has several."""
        start, before = 0, ""
        for stop in range(1, len(nodes) + 1):
            if stop < len(nodes) and self.holder[nodes[stop]] == self.holder[nodes[start]]:
                continue
            own = nodes[start:stop]
            text = " ".join("".join([self.said[node] for node in own]).split())
            if text and len(own) < len(nodes) and len(text) <= LONGEST_PIECE:
                after = " ".join("".join([self.said[node] for node in nodes[stop : stop + 3]]).split())[:LONGEST_AFTER]
                beside = before[-LONGEST_LABEL:] or label
                yield ValueCandidate(PIECE, row, self.holder[own[0]], tuple(own), text, beside, after, None)
            before = f"{before} {text}".strip()
            start = stop

    def _typed(self, row: int, nodes: list[int], text: str, label: str, one: Mention) -> ValueCandidate:
        node = nodes[0] if len(nodes) == 1 else self._node_at(nodes, one.start)
        before = text[max(0, one.start - LONGEST_LABEL) : one.start].strip() or label
        after = text[one.stop : one.stop + LONGEST_AFTER]
        value = (one.value, one.currency) if one.kind == "money" else one.value
        written = text[one.start : one.stop]
        return ValueCandidate(NUMBER_OF[one.kind], row, self.holder[node], (node,), written, before, after, value)

    def _node_at(self, nodes: list[int], place: int) -> int:
        """The text in which a place of a block's text falls; blanks that were collapsed are not counted."""
        passed = 0
        for node in nodes:
            passed += len(" ".join(self.said[node].split())) + 1
            if passed > place:
                return node
        return nodes[-1]
