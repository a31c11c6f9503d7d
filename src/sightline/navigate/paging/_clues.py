"""The links of a page, and for each address every clue that it pages a list.

A clue is a plain fact: what the link says, what it is called, where it leads compared with the page itself, and what
stands beside it. Clues of all links with one address are joined, since pages often have a pager above and below a list.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from sightline.arrays import BoolArray
from sightline.navigate.paging._buttons import Buttons
from sightline.navigate.paging._steps import (
    AddressStep,
    differs_in_size,
    leads_to_date,
    split_address,
    step_between,
    without_session,
)
from sightline.navigate.paging._words import link_words
from sightline.page import Page, full_address, link_base
from sightline.signals import class_words, word_set

LONGEST_LABEL = 30  # characters of what a link says; longer texts are headlines and sentences
LONGEST_BLOCK = 200  # characters of a pager with all its numbers
HIGHEST_BLOCK = 5  # elements up to the one around a pager
LONGEST_SAID = 300  # characters of what a link says that are kept
LONGEST_NAME = 500  # characters of a class that are looked at
NEAR, FAR = 2, 5  # elements around a link that may say what it is
INSIDE = 8  # nodes in a link that may say what it is
WEB = ("http://", "https://")
NAMING = ("class", "id", "rel", "itemprop", "role", "name")
NEXT, PREVIOUS, PAGER, SLIDER, STORY = "next", "previous", "pager", "slider", "story"
CALLED = {
    NEXT: word_set("next nxt forward nextpage pagenext nextpostslink"),
    PREVIOUS: word_set("prev previous back prevpage pageprev previouspostslink"),
    PAGER: word_set("""
        pager pagers pagination paginator paginate paging pagenav pagenavi pages pagelinks pagelist pagingbar numbers
        pageresults navlinks pagesnav pagecontrol postnav seiten paginacion paginacao
        """),
    SLIDER: word_set("calendar month slider carousel gallery slideshow lightbox slick swiper"),
    STORY: word_set("post article story entry single thread topic"),
}
NUMBER = re.compile(r"\d{1,6}")
FOLLOWING = {"number after the current", "in a series", "nearest on"}  # together: a pager that has only numbers
FEWEST_LETTERS = 5  # texts of one letter, linked or not, that make a strip from A to Z
SERIES = 2  # addresses that are told by their numbers
_DIGITS = re.compile(r"\d+")
_THOUSANDS = re.compile(r"(?<=\d)[,.'\u00a0](?=\d{3}\b)")
_BLANKS = re.compile(r"\s+")


@dataclass(eq=False)
class Candidate:
    """An address, the links and buttons that have it, the blocks they are in, and the clues."""

    address: str
    links: list[int] = field(default_factory=list)
    clues: dict[str, float] = field(default_factory=dict)
    labels: list[str] = field(default_factory=list)
    blocks: set[int] = field(default_factory=set)
    button: int | None = None
    """The first button, if no link has the address."""
    is_numbered: bool = False
    """Whether a link says a number, and others beside it do."""

    @property
    def series(self) -> str:
        """The address without its numbers, which all pages of a list have in common."""
        return _DIGITS.sub("#", without_session(self.address))


class _Link(NamedTuple):
    """A link: what it says, its address without the number of a visit, and the number that it says and nothing else."""

    node: int
    address: str
    said: str
    label: str
    bare: str
    number: int | None


def _number(text: str) -> int | None:
    """The number that a text is, whatever is around it: `[2]`, `1,421`."""
    bare = text.strip("[](){} .|-–·\n\t")
    if not bare[:1].isdecimal():
        return None
    bare = _THOUSANDS.sub("", bare)
    return int(bare) if NUMBER.fullmatch(bare) else None


class _PageLinks:
    """The links of a page, and what is around them."""

    def __init__(self, page: Page, url: str, buttons: Buttons | None = None) -> None:
        self.page = page
        self.bare = without_session(url.partition("#")[0])
        self.base = full_address(url, link_base(page)) or url
        self.buttons = buttons or Buttons(page, self.base)
        self.own = split_address(url)
        # Plain lists: single values of arrays are slow to get at.
        self.ends: list[int] = page.end.tolist()
        self._parents: list[int] = page.parent.tolist()
        self._steps: dict[str, AddressStep | None] = {}

    @cached_property
    def links(self) -> list[_Link]:
        """The links that lead somewhere, and the buttons whose address is known, in order."""
        page, hrefs = self.page, self.page.attribute("href")
        titles, labels = page.attribute("title"), page.attribute("aria-label")
        ways = {node: page.strings[hrefs[node]].strip() if hrefs[node] >= 0 else "#" for node in self._anchors}
        ways = {node: way for node, way in ways.items() if not way.startswith("#")} | self.buttons.addresses
        found = []
        for node in sorted(ways):
            address = full_address(self.base, ways[node])
            if not address.startswith(WEB):
                continue
            spoken = [page.strings[number] for number in (int(titles[node]), int(labels[node])) if number >= 0]
            label = " ".join([*spoken, *self.pictures_in(node)])[:LONGEST_SAID]
            said = self.text(node) or self.buttons.pressed.get(node, "")
            bare = address.partition("#")[0]
            found.append(_Link(node, bare, said, label, without_session(bare), _number(said)))
        return found

    @cached_property
    def _anchors(self) -> list[int]:
        return list(map(int, self.page.with_tag("a", "area").tolist()))

    def text(self, node: int) -> str:
        """What stands in an element."""
        page = self.page
        parts = page.text[node : page.end[node]]
        said = " ".join(page.strings[number] for number in parts[parts >= 0].tolist())
        return _BLANKS.sub(" ", said).strip()[:LONGEST_SAID]

    @cached_property
    def _pictures(self) -> tuple[list[int], list[str]]:
        """The pictures, and what each stands for: its text, and the words in the name of its file."""
        page, alt, src = self.page, self.page.attribute("alt"), self.page.attribute("src")
        nodes = page.with_tag("img").tolist()
        texts = []
        for node in nodes:
            said = page.strings[alt[node]] if alt[node] >= 0 else ""
            name = (
                page.strings[src[node]][-LONGEST_SAID:].rpartition("/")[2].partition("?")[0] if src[node] >= 0 else ""
            )
            texts.append(f"{said} {' '.join(class_words(name.rpartition('.')[0]))}".strip())
        return nodes, texts

    def pictures_in(self, node: int) -> list[str]:
        """What the pictures in an element stand for."""
        nodes, texts = self._pictures
        return texts[bisect_left(nodes, node) : bisect_left(nodes, int(self.page.end[node]))]

    @cached_property
    def _called(self) -> dict[str, frozenset[int]]:
        """For each kind of word, which elements are called so by their class, id, rel, role or name."""
        page = self.page
        found: dict[str, BoolArray] = {kind: np.zeros(len(page), dtype=bool) for kind in CALLED}
        for name in NAMING:
            column = page.attribute(name)
            for number in np.unique(column[column >= 0]).tolist():
                words = frozenset(class_words(page.strings[number][:LONGEST_NAME]))
                for kind, known in CALLED.items():
                    if not known.isdisjoint(words):
                        found[kind][column == number] = True
        return {kind: frozenset(np.flatnonzero(flags).tolist()) for kind, flags in found.items()}

    def is_called(self, kind: str, nodes: Iterable[int]) -> bool:
        """Whether one of the elements is called by such a word."""
        return not self._called[kind].isdisjoint(nodes)

    @cached_property
    def _lengths(self) -> list[int]:
        """Running sum of the letters of the page."""
        page = self.page
        sizes = np.zeros(len(page) + 1, dtype=np.int64)
        texts = np.flatnonzero(page.text >= 0)
        lengths = {number: len(page.strings[number].strip()) for number in np.unique(page.text[texts]).tolist()}
        sizes[texts + 1] = [lengths[number] for number in page.text[texts].tolist()]
        total: list[int] = np.cumsum(sizes).tolist()
        return total

    def block(self, node: int) -> int:
        """The largest element around a link that is no longer than a pager."""
        ends, lengths = self.ends, self._lengths
        found = node
        for above in self.ancestors(node, HIGHEST_BLOCK):
            if lengths[ends[above]] - lengths[above] > LONGEST_BLOCK:
                break
            found = above
        return found

    def ancestors(self, node: int, count: int) -> Iterator[int]:
        """The elements around a node, the nearest first."""
        parents = self._parents
        above = parents[node]
        while above >= 0 and count:
            yield above
            above = parents[above]
            count -= 1

    def step_to(self, address: str) -> AddressStep | None:
        """How an address differs from that of the page; each is asked for several times."""
        if address not in self._steps:
            other = split_address(address)
            self._steps[address] = step_between(self.own, other) if self.own and other else None
        return self._steps[address]


def candidates_of(page: Page, url: str = "", *, buttons: Buttons | None = None) -> list[Candidate]:
    """Every address that a page leads to, with its clues; `url` is where the page is, if it does not say so itself."""
    own = url or page.address
    links = _PageLinks(page, own, buttons)
    blocks: dict[int, list[_Link]] = defaultdict(list)
    for link in links.links:
        blocks[links.block(link.node)].append(link)
    by_address: dict[str, Candidate] = {}
    for block, inside in blocks.items():
        beside = _beside(links, block, inside)
        for link in inside:
            if link.bare == links.bare:
                continue
            candidate = by_address.setdefault(link.bare, Candidate(link.address))
            candidate.links.append(link.node)
            candidate.labels.append(link.said or link.label)
            candidate.blocks.add(block)
            candidate.is_numbered |= link.number is not None and len(beside.numbers) > 1
            for name, value in _clues(links, link, beside).items():
                candidate.clues[name] = max(candidate.clues.get(name, 0.0), value)
    found = list(by_address.values())
    for candidate in found:
        pressed = links.buttons.addresses.keys() & candidate.links
        candidate.button = min(pressed) if len(pressed) == len(candidate.links) else None
    _add_series(found)
    _add_nearest(found, links)
    for candidate in found:
        if candidate.clues.keys() >= FOLLOWING:
            candidate.clues["follows in a series"] = 1.0
    return found


def _add_series(candidates: Sequence[Candidate]) -> None:
    """Add which addresses are one of a series that counts: the same but for numbers, and several are said to be."""
    by_series: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        by_series[candidate.series].append(candidate)
    for series in by_series.values():
        counted = [candidate for candidate in series if candidate.is_numbered]
        for candidate in series if len(counted) >= SERIES else ():
            candidate.clues["in a series"] = 1.0


def _add_nearest(candidates: Sequence[Candidate], links: _PageLinks) -> None:
    """Add which address is the nearest one after the page itself among those that count the same."""
    by_key: dict[str, list[tuple[int, Candidate]]] = defaultdict(list)
    for candidate in candidates:
        step = links.step_to(candidate.address)
        if step and step.other is not None and (step.own is None or step.other > step.own):
            by_key[step.key].append((step.other, candidate))
    for found in by_key.values():
        min(found, key=lambda one: one[0])[1].clues["nearest on"] = 1.0


@dataclass(frozen=True)
class _Beside:
    """What stands together in a block: which numbers, which one is not a link, and how many single letters."""

    numbers: tuple[int, ...]
    current: int | None
    letters: int


def _beside(links: _PageLinks, block: int, inside: Sequence[_Link]) -> _Beside:
    page = links.page
    numbers = tuple(link.number for link in inside if link.number is not None)
    linked = [(link.node, links.ends[link.node]) for link in inside]
    nodes = (block + np.flatnonzero(page.text[block : page.end[block]] >= 0)).tolist()
    texts = [page.strings[page.text[node]].strip() for node in nodes]
    free = [
        number
        for node in nodes
        if (number := _number(page.strings[page.text[node]])) is not None
        and not any(start < node < stop for start, stop in linked)
    ]
    own = [link.number for link in inside if link.bare == links.bare and link.number is not None]
    near = {number + step for number in numbers for step in (-1, 1)} - set(numbers)
    missing = [number for number in (*own, *free) if number in near]
    return _Beside(
        numbers,
        missing[0] if missing else None,
        sum(len(text) == 1 and text.isalpha() for text in texts),
    )


def _clues(links: _PageLinks, link: _Link, beside: _Beside) -> dict[str, float]:
    """The facts about one link that are true."""
    own, other, step = links.own, split_address(link.address), links.step_to(link.address)
    said, label = link_words(link.said[: LONGEST_LABEL + 1]), link_words(link.label[: 2 * LONGEST_LABEL])
    short = len(link.said) <= LONGEST_LABEL
    node = link.node
    own_part = [node, *range(node + 1, min(links.ends[node], node + INSIDE))]
    around = list(links.ancestors(node, FAR))
    near, whole = around[:NEAR], [*own_part, *around]
    number, current = link.number, beside.current
    others = len(beside.numbers) - (number is not None)
    same_path = bool(own and other and own.site == other.site and own.path == other.path)
    in_list = step is not None or same_path
    says_next = (short and said.next) or label.next
    arrow_on = short and (said.one_on or said.far_on)
    around_next = links.is_called(NEXT, near)
    is_next = says_next or arrow_on or around_next or links.is_called(NEXT, own_part)
    facts = {
        "says next": says_next,
        "says first": (short and said.first) or label.first,
        "says older": short and said.older,
        "says newer": short and said.newer,
        "arrow on": arrow_on,
        "arrow on alone": arrow_on and not any(map(str.isalnum, link.said)),
        "arrow back": short and (said.one_back or said.far_back),
        "around next": around_next,
        "called previous": links.is_called(PREVIOUS, [*own_part, *near]),
        "in a pager": links.is_called(PAGER, whole),
        "in a calendar or slider": links.is_called(SLIDER, whole),
        "in a story": links.is_called(STORY, whole),
        "long": not short,
        "is a number": number is not None,
        "number two": number == 2,
        "number after the current": number is not None and current is not None and number == current + 1,
        "number before the current": number is not None and current is not None and number < current,
        "numbers beside": others > 0,
        "number of the list": number is not None and step is not None,
        "counts pages": step is not None and step.is_page_key,
        "counts on a page": bool(own and other and differs_in_size(own, other)),
        "leads to a date": bool(own and other and leads_to_date(own, other)),
        "one step on": step is not None and step.distance == 1,
        "next in the list": is_next and in_list,
        "arrow on in the list": arrow_on and in_list,
        "just next on the path": says_next and same_path and len(link.said.split()) <= 1,
        "more of the list": short and said.more and in_list,
        "letter with letters": beside.letters > FEWEST_LETTERS and len(link.said) == 1 and link.said.isalpha(),
    }
    return {name: 1.0 for name, is_true in facts.items() if is_true}
