"""Simulated crawls: which share of the pages visited are targets, by ranking, on real and generated sites.

The rankings see what the likeness says of a page; what is counted are the targets by the rule of the site.
"""

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

import numpy as np
import numpy.typing as npt

from bench.crawl.graph import Case, Graph, is_trap
from sightline.crawl.likeness import Judgement, Likeness
from sightline.crawl.rank import FoundLink, Ranking, Visit
from sightline.sources import Anchor

__all__ = ["Crawl", "Harvest", "crawl", "examples_of", "judgements_of", "measured"]

EXAMPLES = 3
FIRST = 200  # pages that a crawl may need to find its way
ENOUGH = 0.8  # of the targets; what is left is scattered
PART = 0.2  # of the site

Curve = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Harvest:
    """What a crawl brought in: the share of targets from page 200 on until 80 % are found, and those found early."""

    rate: float
    at_part: float
    pages_to_enough: int
    lowest: float
    """The lowest rate of any 100 pages in a row of that stretch."""


@dataclass(frozen=True)
class Crawl:
    """The pages of a crawl in order, and which were targets."""

    pages: tuple[int, ...]
    hits: Curve


def examples_of(case: Case, count: int = EXAMPLES, seed: int = 1) -> list[int]:
    """Some of the targets, as a user would give them."""
    return Random(f"{case.name} {seed}").sample(sorted(case.wanted), count)


def judgements_of(case: Case, likeness: Likeness, pages: Sequence[int]) -> list[Judgement]:
    """What the likeness says of these pages."""
    graph = case.graph
    return [likeness.judge(graph.text_of(page), graph.outlines[page], graph.urls[page]) for page in pages]


@cache
def size_of(case: Case) -> int:
    """The pages of a site without its traps."""
    return sum(not is_trap(url) for url in case.graph.urls)


def crawl(case: Case, ranking: Ranking, judged: Sequence[Judgement], most: int) -> Crawl:
    """Visit up to so many pages from the front page on."""
    return _Simulation(case.graph, ranking, judged).run(case.wanted, most)


class _Simulation:
    """A crawler without a network: a heap of waiting pages for each kind."""

    def __init__(self, graph: Graph, ranking: Ranking, judged: Sequence[Judgement]) -> None:
        self._graph = graph
        self._ranking = ranking
        self._judged = judged
        self._kind: dict[int, str] = {0: "start"}
        self._score: dict[int, float] = {0: 0.0}
        self._depth: dict[int, int] = {0: 0}
        self._heaps: dict[str, list[tuple[float, int, int]]] = {"start": [(0.0, 0, 0)]}
        self._waiting: dict[str, int] = {"start": 1}
        self._visited: set[int] = set()
        self._seen: set[str] = set()
        self._count = 0

    def run(self, wanted: frozenset[int], most: int) -> Crawl:
        pages: list[int] = []
        kind = "start"
        while len(pages) < most and self._waiting:
            if pages:
                kind = self._ranking.choose(self._waiting)
            page = self._pop(kind)
            pages.append(page)
            self._visit(page, kind)
        return Crawl(tuple(pages), np.array([page in wanted for page in pages]))

    def _pop(self, kind: str) -> int:
        heap = self._heaps[kind]
        while True:
            score, _, page = heapq.heappop(heap)
            # An address that moved or has a new score leaves its old entry behind.
            if page not in self._visited and self._kind[page] == kind and self._score[page] == -score:
                self._visited.add(page)
                self._leave(kind)
                return page

    def _leave(self, kind: str) -> None:
        self._waiting[kind] -= 1
        if not self._waiting[kind]:
            del self._waiting[kind]

    def _visit(self, page: int, kind: str) -> None:
        graph = self._graph
        links, numbers = self._links(page)
        canonical = graph.outlines[page].canonical or graph.urls[page]
        judged = self._judged[page]
        is_new = canonical not in self._seen  # the crawler reports mirrors of a page, they are not pages of their own
        self._seen.add(canonical)
        visit = Visit(
            graph.urls[page],
            graph.outlines[page],
            kind,
            self._depth[page],
            judged.is_target and is_new,
            judged.likeness,
        )
        self._ranking.learn(visit, links)
        for number, link, placed in zip(numbers, links, self._ranking.place(visit, links), strict=True):
            if placed is not None:
                self._depth.setdefault(number, self._depth[page] + 1)
                self._put(number, placed.kind, placed.score)
        self._rescore(self._ranking.rescored())

    def _links(self, page: int) -> tuple[list[FoundLink], list[int]]:
        graph, visited, kinds = self._graph, self._visited, self._kind
        found, numbers = [], []
        for target, place, text, rel in graph.links[page].tolist():
            if target not in visited:
                anchor = Anchor(graph.urls[target], graph.texts[text], graph.places[place], graph.rels[rel])
                found.append(FoundLink(graph.urls[target], anchor, kinds.get(target)))
                numbers.append(target)
        return found, numbers

    def _put(self, page: int, kind: str, score: float) -> None:
        before = self._kind.get(page)
        if before != kind:
            if before is not None:
                self._leave(before)
            self._waiting[kind] = self._waiting.get(kind, 0) + 1
        elif self._score[page] == score:
            return
        self._kind[page], self._score[page] = kind, score
        self._count += 1
        heapq.heappush(self._heaps.setdefault(kind, []), (-score, self._count, page))

    def _rescore(self, scores: Mapping[str, float]) -> None:
        if scores:
            for page in [page for page in self._kind if page not in self._visited]:
                score = scores.get(self._graph.urls[page])
                if score is not None and score != self._score[page]:
                    self._put(page, self._kind[page], score)


def measured(case: Case, done: Crawl) -> Harvest:
    """The figures of a crawl."""
    hits = done.hits
    found = np.cumsum(hits)
    total = len(case.wanted)
    enough = int(np.searchsorted(found, np.ceil(ENOUGH * total))) + 1
    stretch = hits[FIRST:enough] if enough > FIRST else hits[:enough]
    windows = np.convolve(stretch, np.ones(100) / 100, "valid") if len(stretch) >= 100 else stretch.mean(keepdims=True)
    part = min(len(hits), round(PART * size_of(case)))
    return Harvest(float(stretch.mean()), float(found[part - 1] / total), enough, float(windows.min()))
