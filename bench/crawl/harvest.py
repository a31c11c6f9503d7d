"""Simulated crawls: which share of the pages visited are targets, by ranking, on real and generated sites.

The rankings see what the likeness says of a page; what is counted are the targets by the rule of the site.
"""

import heapq
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

import numpy as np
import numpy.typing as npt

from bench.crawl.graph import Case, Graph, cases, graph_of, is_trap
from bench.frame import CACHE
from sightline.crawler.likeness import Judgement, Likeness, ProfileLikeness, SkeletonLikeness
from sightline.crawler.rank import FoundLink, Ranking, VisitedPage, ranking_for
from sightline.draw import plot_harvest
from sightline.sources import Anchor, PageOutline

EXAMPLES = 3
FIRST = 200  # pages that a crawl may need to find its way
ENOUGH = 0.8  # of the targets; what is left is scattered
PART = 0.2  # of the site

Curve = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Harvest:
    """What a crawl brought in: the share of targets from page 200 on until 80 % are found, and those found early."""

    rate: float
    overall: float
    """The same from the first page on."""
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


Judge = Callable[[int], Judgement]


def truth_of(case: Case) -> Judge:
    """A likeness that makes no mistakes."""
    wanted = case.wanted
    return lambda page: Judgement(page in wanted, float(page in wanted))


def judge_by(case: Case, likeness: Likeness) -> Judge:
    """What a likeness says of pages in the order of their visits."""
    graph = case.graph
    return lambda page: likeness.judge(graph.text_of(page), graph.outlines[page], graph.urls[page])


def crawl_with(case: Case, name: str, most: int, seed: int = 1) -> Crawl:
    """A crawl as a user would start it: some examples, and a ranking by its name, with its likeness."""
    graph, examples = case.graph, examples_of(case, seed=seed)
    texts = [graph.text_of(page) for page in examples]
    urls = [graph.urls[page] for page in examples]
    likeness: Likeness = SkeletonLikeness.of_texts(texts) if name == "published" else ProfileLikeness(texts, urls)
    ranking = ranking_for(name, examples=urls)
    judge = truth_of(case) if name == "breadth" else judge_by(case, likeness)
    return crawl(case, ranking, judge, most, examples)


def oracle(case: Case, most: int, examples: Sequence[int] = ()) -> Crawl:
    """A crawl that knows the site: targets as soon as a link to them is seen, else the shortest way to the next ones.

    Of pages at the same distance, the one with links to most targets comes first. It stops
    when it has them all. No crawler can do much better.
    """
    graph, wanted = case.graph, case.wanted
    into = _into(graph.name)
    distance = _distances(into, wanted)
    seen, visited = {0, *examples}, list[int]()
    waiting, ready = {0}, deque[int](examples)
    while len(visited) < most and (ready or (waiting and not wanted <= seen)):
        if ready:
            page = ready.popleft()
        else:
            page = _next_best(graph, waiting, distance, wanted - seen)
            waiting.remove(page)
        visited.append(page)
        new = set(graph.links[page][:, 0].tolist()) - seen
        seen |= new
        ready.extend(sorted(new & wanted))
        waiting |= new - wanted
        if not ready:
            distance = _distances(into, wanted - seen)
    return Crawl(tuple(visited), np.array([page in wanted for page in visited]))


def _next_best(graph: Graph, waiting: set[int], distance: npt.NDArray[np.int64], missing: frozenset[int]) -> int:
    pages = np.fromiter(waiting, np.int64, len(waiting))
    nearest = pages[distance[pages] == distance[pages].min()].tolist()
    return min(nearest, key=lambda one: (-len(missing.intersection(graph.links[one][:, 0].tolist())), one))


def _distances(into: "LinksInto", missing: frozenset[int]) -> npt.NDArray[np.int64]:
    """How many links each page is away from a page that is missing."""
    far = len(into.start) - 1
    distance = np.full(far, far)
    front = np.fromiter(missing, np.int64, len(missing))
    steps = 0
    while len(front):
        distance[front] = steps
        steps += 1
        linking = np.concatenate([into.sources[into.start[page] : into.start[page + 1]] for page in front.tolist()])
        front = np.unique(linking[distance[linking] == far])
    return distance


@dataclass(frozen=True)
class LinksInto:
    """The pages that link to each page: those that link to page n are `sources[start[n] : start[n + 1]]`."""

    sources: npt.NDArray[np.int64]
    start: npt.NDArray[np.int64]


@cache
def _into(site: str) -> LinksInto:
    links = graph_of(site).links
    sources = np.repeat(np.arange(len(links)), [len(found) for found in links])
    targets = np.concatenate([found[:, 0] for found in links])
    counts = np.bincount(targets, minlength=len(links))
    return LinksInto(sources[np.argsort(targets, kind="stable")], np.concatenate([[0], np.cumsum(counts)]))


@cache
def size_of(case: Case) -> int:
    """The pages of a site without its traps."""
    return sum(not is_trap(url) for url in case.graph.urls)


def crawl(case: Case, ranking: Ranking, judge: Judge, most: int, examples: Sequence[int]) -> Crawl:
    """Visit up to so many pages, from the examples and the front page on, as the crawler does."""
    return _Simulation(case.graph, ranking, judge, [*examples, 0]).run(case.wanted, most)


class _Simulation:
    """A crawler without a network: a heap of waiting pages for each kind."""

    def __init__(self, graph: Graph, ranking: Ranking, judge: Judge, first: Sequence[int]) -> None:
        self._graph = graph
        self._ranking = ranking
        self._judge = judge
        self._kind: dict[int, str] = {}
        self._score: dict[int, float] = {}
        self._depth: dict[int, int] = dict.fromkeys(first, 0)
        self._heaps: dict[str, list[tuple[float, int, int]]] = {}
        self._order: dict[int, int] = {}
        self._by_depth: list[tuple[int, int, int]] = []
        self._waiting: dict[str, int] = {}
        self._visited: set[int] = set()
        self._seen: set[str] = set()
        self._count = 0
        nowhere = VisitedPage("", PageOutline(), "", 0, is_target=False, likeness=0.0)
        links = [FoundLink(graph.urls[page], Anchor(graph.urls[page], place="first")) for page in first]
        for page, placed in zip(first, ranking.place(nowhere, links), strict=True):
            assert placed is not None
            self._put(page, placed.kind, placed.score)

    def run(self, wanted: frozenset[int], most: int) -> Crawl:
        pages: list[int] = []
        while len(pages) < most and self._waiting:
            kind = self._ranking.choose(self._waiting)
            page = self._next_by_depth() if kind is None else self._pop(kind)
            kind = self._kind[page]
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

    def _next_by_depth(self) -> int:
        """The page that breadth-first would visit."""
        while True:
            page = heapq.heappop(self._by_depth)[2]
            if page not in self._visited:
                self._visited.add(page)
                self._leave(self._kind[page])
                return page

    def _leave(self, kind: str) -> None:
        self._waiting[kind] -= 1
        if not self._waiting[kind]:
            del self._waiting[kind]

    def _visit(self, page: int, kind: str) -> None:
        graph = self._graph
        links, numbers = self._links(page)
        canonical = graph.outlines[page].canonical or graph.urls[page]
        judged = self._judge(page)
        is_new = canonical not in self._seen  # the crawler reports mirrors of a page, they are not pages of their own
        self._seen.add(canonical)
        visit = VisitedPage(
            graph.urls[page],
            graph.outlines[page],
            kind,
            self._depth[page],
            judged.is_target and is_new,
            judged.likeness * is_new,
            self._order[page],
        )
        self._ranking.learn(visit, links)
        for number, _link, placed in zip(numbers, links, self._ranking.place(visit, links), strict=True):
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
        if before is None:
            self._order[page] = len(self._order)
            heapq.heappush(self._by_depth, (self._depth[page], self._order[page], page))
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
    is_reached = found[-1] >= ENOUGH * total
    stretch = hits[FIRST:enough] if enough > FIRST else hits[:enough]
    windows = np.convolve(stretch, np.ones(100) / 100, "valid") if len(stretch) >= 100 else stretch.mean(keepdims=True)
    part = min(len(hits), round(PART * size_of(case)))
    overall = float(hits[:enough].mean())
    return Harvest(
        float(stretch.mean()),
        overall,
        float(found[part - 1] / total),
        enough if is_reached else 0,
        float(windows.min()),
    )


def main(names: Sequence[str]) -> None:
    """Print the figures of the cases named, or of all, and draw their curves."""
    print(f"{'case':22} {'ranking':10} {'rate':>6} {'overall':>8} {'at 20 %':>8} {'80 % at':>8} {'lowest':>7}")
    for case in cases():
        if names and not any(case.name.startswith(name) for name in names):
            continue
        most = round(MOST * size_of(case))
        runs = {name: crawl_with(case, name, size_of(case) if name == "breadth" else most) for name in RUNS}
        runs["oracle"] = oracle(case, most, examples_of(case))
        for name, done in runs.items():
            figures = measured(case, done)
            print(
                f"{case.name:22} {name:10} {figures.rate:6.3f} {figures.overall:8.3f} {figures.at_part:8.3f} "
                f"{figures.pages_to_enough or 'never':>8} {figures.lowest:7.2f}",
                flush=True,
            )
        PLOTS.mkdir(parents=True, exist_ok=True)
        curves = {name: done.hits[:most].tolist() for name, done in runs.items()}
        (PLOTS / f"{case.name}.png").write_bytes(plot_harvest(curves, targets=len(case.wanted)))


RUNS = ("learned", "published", "breadth")
MOST = 0.4  # of the site; no curve that matters is longer
PLOTS = CACHE / "crawl-plots"

if __name__ == "__main__":
    main(sys.argv[1:])
