"""Everything that a page holds, in one ranked list: tables, lists, the kept promise of its title, and its main text."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from sightline.arrays import BoolArray
from sightline.data import Content, Extraction, ItemList, Origin, Result, Table, Verdict
from sightline.geometry import Box, union_of
from sightline.jobs._extractors import extractor
from sightline.page import Page

SurveyKind: TypeAlias = Literal["table", "list", "top", "content"]

# The numbers below were chosen by eye on the example pages and a dozen pages of the benchmark of lists; they decide
# what is said about a page and in which order, and nothing is left out by them.
# Two results are readings of one region if the texts that only one of them has are fewer than those that both have.
SAME_REGION = 0.5
# Below it, a main text is mostly the leftovers of a page of something else.
LEAST_ARTICLE = 0.5
WORDS_OF_ARTICLE = 60  # a shorter text is a caption or a note, which nobody calls an article
LEAST_LIST = 0.3  # as most lists of the truth score; the others are small print, and only the summary leaves them out
# Paragraphs repeat as records do. Records of so many words, with no part that has a name of its own, are paragraphs.
WORDS_OF_PARAGRAPH = 30
# Of the texts of a list: if so many are in the main text (paragraphs) or in a table (its heading row), so is the list.
MOSTLY = 0.8
CONTENT = "content-1"
_EXTRACTORS: dict[SurveyKind, str] = {"top": "top", "table": "tables", "list": "lists", "content": "content"}
_NAMELESS = re.compile(r"(?:title|text|link|image|rank)(?: \d+)?")


@dataclass(frozen=True, eq=False)
class SurveyedResult:
    """A result under a key that names it on its page (`tables-1`, `lists-2`, `top-1`, `content-1`).

    `reading_of` is the key of a better result of the same region; `verdict` and `reasons` say what may be wrong.
    """

    key: str
    kind: SurveyKind
    result: Table | ItemList | Content
    verdict: Verdict = "ok"
    reasons: tuple[str, ...] = ()
    reading_of: str | None = None

    @property
    def extractor(self) -> tuple[str, int]:
        """The extractor that finds it, and its number among what that finds."""
        name, _, number = self.key.rpartition("-")
        return name, int(number)

    @property
    def is_navigation(self) -> bool:
        """Whether it is a menu."""
        return isinstance(self.result, ItemList) and self.result.kind == "navigation"

    @cached_property
    def box(self) -> Box | None:
        """The box around all of it."""
        if isinstance(self.result, Content):
            return union_of(box for box in self.parts())
        return self.result.box or union_of(self.parts())

    def parts(self, most: int | None = None) -> list[Box]:
        """The boxes of its parts: items of a list, rows of a table, blocks of a text; the first so many."""
        if isinstance(self.result, Table):
            return _row_boxes(self.result, most)
        if isinstance(self.result, ItemList):
            origins = [item.text.origin for item in self.result.items[:most]]
        else:
            origins = [part.value.origin for part in self.result.parts[:most]]
        return [origin.box for origin in origins if origin and origin.box]


@dataclass(frozen=True, eq=False)
class Survey:
    """What was found on a page, best first."""

    results: tuple[SurveyedResult, ...]

    def __iter__(self) -> Iterator[SurveyedResult]:
        return iter(self.results)

    @property
    def summary(self) -> str:
        """What is on the page, in words; each region counts once, and menus do not."""
        told = [one for one in self.results if one.reading_of is None and not one.is_navigation]
        tables = sum(one.kind == "table" for one in told)
        lists = sum(one.kind == "top" or (one.kind == "list" and one.result.score >= LEAST_LIST) for one in told)
        article = any(one.kind == "content" and _is_article(one.result) for one in told)
        words = [*_counted(tables, "table"), *_counted(lists, "list"), *(["an article"] if article else [])]
        return ", ".join(words) or "no table, list or article"


def survey(page: Page, find: Callable[[str], Extraction] | None = None) -> Survey:
    """Find everything on a page, ranked: a kept promise, tables and lists by score, the text, paragraphs, and menus.

    `find` gives what the extractor of a name finds on the page, for those who have it already.

    >>> from sightline.testing import list_page
    >>> found = survey(list_page(["Sirius", "Canopus", "Arcturus"]))
    >>> found.summary, [one.key for one in found]
    ('1 list', ['lists-1', 'content-1'])
    """
    find = find or (lambda name: extractor(name)(page))
    found = [one for kind, name in _EXTRACTORS.items() for one in _keyed(kind, name, find(name))]
    ranked = sorted(found, key=_rank)  # which keeps the order of equals
    return Survey(tuple(_doubted(page, one) for one in _with_readings(page, ranked)))


def _keyed(kind: SurveyKind, name: str, extraction: Extraction) -> Iterator[SurveyedResult]:
    for number, one in enumerate(extraction, start=1):
        if isinstance(one, Content) and not len(one):
            continue  # that a page has no text is an answer of the extractor, and nothing on the page
        if isinstance(one, Table | ItemList | Content):
            doubts = _promise(one) if kind == "top" and isinstance(one, ItemList) else ()
            yield SurveyedResult(f"{name}-{number}", kind, one, *doubts)


def _rank(one: SurveyedResult) -> tuple[int, float]:
    if one.is_navigation:
        return 4, -one.result.score
    group = {"top": 0, "table": 1, "list": 3 if _is_prose(one) else 1, "content": 2}[one.kind]
    return group, -one.result.score


def _is_prose(one: SurveyedResult) -> bool:
    """Whether the items of a list are paragraphs."""
    found = one.result
    if one.kind != "list" or not isinstance(found, ItemList):
        return False
    words = sorted(len(item.text.text.split()) for item in found)
    names = {name for item in found for name in item.components}
    return words[len(words) // 2] >= WORDS_OF_PARAGRAPH and all(map(_NAMELESS.fullmatch, names))


def _promise(top: ItemList) -> tuple[Verdict, tuple[str, ...]]:
    if top.promised is None or top.promised == len(top):
        return "ok", ()
    return "suspicious", (f"the title promises {top.promised} items, and {len(top)} were found.",)


def _doubted(page: Page, one: SurveyedResult) -> SurveyedResult:
    """The same, in doubt if something is missing from the page."""
    if not page.gaps:
        return one
    return replace(one, verdict="suspicious", reasons=(*one.reasons, *page.gaps))


def _with_readings(page: Page, ranked: Sequence[SurveyedResult]) -> Iterator[SurveyedResult]:
    """Each with the best result above it that reads the same texts."""
    texts = page.is_text & ~page.is_blank
    seen: list[tuple[str, BoolArray]] = []
    for one in ranked:
        own = _texts_of(page, one.result) & texts
        same = next((key for key, other in seen if _share(own, other) > SAME_REGION), None)
        if same is None and one.kind == "list":
            wholes = [CONTENT] if _is_prose(one) else [key for key, _ in seen if key.startswith("tables-")]
            same = next((key for key, other in seen if key in wholes and _inside(own, other) > MOSTLY), None)
        if same is None:
            seen.append((one.key, own))
        yield replace(one, reading_of=same)


def _share(one: BoolArray, other: BoolArray) -> float:
    both = int(np.count_nonzero(one | other))
    return int(np.count_nonzero(one & other)) / both if both else 0.0


def _inside(one: BoolArray, other: BoolArray) -> float:
    return int(np.count_nonzero(one & other)) / max(int(np.count_nonzero(one)), 1)


def _texts_of(page: Page, result: Result) -> BoolArray:
    """Which nodes of a page are in a result, by the origins of its values."""
    nodes = np.array(sorted({node for origin in _origins(result) for node in origin.nodes}), dtype=np.int64)
    inside = np.zeros(len(page) + 1, dtype=np.int32)
    np.add.at(inside, nodes, 1)
    np.add.at(inside, page.end[nodes], -1)
    covered: BoolArray = np.cumsum(inside[:-1]) > 0
    return covered


def _origins(result: Result) -> Iterator[Origin]:
    if isinstance(result, ItemList):  # whose whole texts say more than their parts
        return (item.text.origin for item in result if item.text.origin)
    if isinstance(result, Content):
        return (part.value.origin for part in result if part.value.origin)
    return (value.origin for value in result.values() if value.origin)


def _is_article(found: Result) -> bool:
    return isinstance(found, Content) and found.score >= LEAST_ARTICLE and len(found.text.split()) >= WORDS_OF_ARTICLE


def _counted(count: int, noun: str) -> list[str]:
    return [f"{count} {noun}{'s' * (count != 1)}"] if count else []


def _row_boxes(table: Table, most: int | None) -> list[Box]:
    boxes = (union_of(cell.origin.box if cell.origin else None for cell in row) for row in table.cells[:most])
    return [box for box in boxes if box]
