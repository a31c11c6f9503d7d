"""Field names that a person would give: a label says them, or the element around the value."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bench.induce.attributes import Attribute
from bench.induce.columns import key
from bench.induce.words import has_word, words_for
from sightline.page import Page

NEAR = 3  # leaves before a value that may be its label; an element with more leaves is not about the value
LABEL = 6  # words; what is longer is no label
ENOUGH = 0.5  # of the pages that have a value: from here on the attribute has a label
SAYING = ("class", "id", "itemprop")


@dataclass(frozen=True)
class Named:
    """An attribute that was found and has a label on the pages, and the name that its column was given."""

    attribute: str
    name: str
    good: bool


def named(
    attributes: Sequence[Attribute],
    pages: Sequence[Page],
    truth: Sequence[Mapping[str, Sequence[str]]],
    vertical: str,
) -> list[Named]:
    """Every attribute whose column is right and whose values have a label, with what its column is called."""
    found = []
    for one in attributes:
        if one.column is None or not one.correct:
            continue
        words = words_for(one.name, vertical)
        wanted = [{key(text) for text in page.get(one.name, ())} - {""} for page in truth]
        told = [labelled(page, texts, words) for page, texts in zip(pages, wanted, strict=True) if texts]
        if sum(told) >= ENOUGH * len(told):
            name = one.column[-1] if one.column else ""
            found.append(Named(one.name, name, has_word(name, words)))
    return found


def labelled(page: Page, values: Collection[str], words: Sequence[str]) -> bool:
    """Whether one of the values has one of the words in a short text before it, or in an element around it.

    Pages that were read without a browser have no boxes: what stands left of or above a value comes before it.
    """
    leaves = np.flatnonzero(page.is_text & ~page.is_blank & page.visible)
    texts = page.texts_of(leaves)
    for place, end in _places(texts, values):
        before = texts[max(0, place - NEAR) : place]
        if any(has_word(text, words) for text in before if len(text.split()) <= LABEL):
            return True
        if any(has_word(text, words) for text in _said_around(page, leaves[place], leaves[end - 1], leaves)):
            return True
    return False


def _places(texts: Sequence[str], values: Collection[str]) -> Iterator[tuple[int, int]]:
    """Where a value stands: one leaf, or several that make it up."""
    keys = [key(text) for text in texts]
    for place in range(len(keys)):
        for value in values:
            end, made = place, ""
            while end < len(keys) and len(made) < len(value) and value.startswith(made + keys[end]):
                made += keys[end]
                end += 1
            if made == value:
                yield place, end


def _said_around(page: Page, first: int, last: int, leaves: np.ndarray) -> Iterator[str]:
    """What elements around these leaves are called, as long as they hold few others."""
    node = int(page.parent[first])
    while node >= 0:
        start, stop = np.searchsorted(leaves, (node, page.end[node]))
        if last < page.end[node]:
            if stop - start > NEAR:
                return
            for name in SAYING:
                if text := page.node(node).attributes.get(name):
                    yield text
        node = int(page.parent[node])
