"""Where a page of a list leads, from its links, its buttons and what it says about itself."""

import math
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from sightline.navigate.paging._clues import Candidate, candidates_of
from sightline.navigate.paging._steps import split_address
from sightline.navigate.paging._weights import NEXT_WEIGHTS, PAGE_WEIGHTS, link_words
from sightline.page import Page
from sightline.signals import class_words, word_set

# Both chosen by cross-validation over sites, `bench/navigate/fit_paging.py`: the greatest F1 of the next page with at
# most 5 % of the pages that have none given one, and the greatest F1 of all pages.
LEAST_NEXT = 0.2
LEAST_PAGE = 0.15
BIAS = "of every link"  # the weight of being a link at all
LONGEST_BUTTON = 40  # characters of what a button says
MOST_CLUES = 6  # that are told as evidence
LABELS = ("aria-label", "value", "title")
ASKED = ("href", "type", "role", "class", "disabled", "aria-disabled", "aria-current")
# What the number of the page itself is called.
CURRENT = word_set("active current selected here on aktiv aktuell actif activo attivo")
MOST_TEXTS = 2_000  # with a number, that are searched for a counter
LONGEST_TEXT = 200  # characters of a text that are searched for a number
MOST_NODES = 40  # in a counter or a button
BLOCK_AROUND = 4  # elements around a number in which the others of a pager may be
SERIES = 2  # numbers that make a pager
MOST_DIGITS = 5
MOST_NUMBERED = 500  # buttons with numbers that are looked at; a calendar has some dozens
AROUND = 2  # elements around a number that may be a counter

_DIGIT = re.compile(r"\d")

PagingWay: TypeAlias = Literal["link", "button", "box"]


@dataclass(frozen=True)
class Paging:
    """Where a page of a list leads.

    `next` is what the page calls its next page, `pages` are all pages of the list that it links to, in the order of the
    page, and `way` is how one gets on: by a link, the `button` (a node), or a `box` and the `choice` in it. `total` is
    how many pages there are and `records` how many records, if the page says so. `strip` are the other parts of a list
    that is separated by dates or letters. `evidence` says what it stands on.
    """

    next: str | None = None
    pages: tuple[str, ...] = ()
    way: PagingWay | None = None
    total: int | None = None
    records: int | None = None
    button: int | None = None
    box: int | None = None
    choice: str | None = None
    strip: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Its part of the JSON contract."""
        return {
            "next": self.next,
            "pages": list(self.pages),
            "way": self.way,
            "total": self.total,
            "records": self.records,
            "strip": list(self.strip),
            "evidence": list(self.evidence),
        }


def find_paging(page: Page, *, url: str = "") -> Paging:
    """Where a page of a list leads; `url` is where the page is, if it does not know that itself.

    >>> from sightline.testing import element, page_of
    >>> pager = element("p", "1 ", element("a", "2", href="?page=2"), " ", element("a", "Next", href="?page=2"))
    >>> found = find_paging(page_of(element("body", pager), url="https://example.org/list"))
    >>> found.next, found.way
    ('https://example.org/list?page=2', 'link')
    """
    own = url or page.address
    candidates = candidates_of(page, own)
    chances = next_chances(candidates)
    counter = counter_in(_texts_with_numbers(page))
    best = max(range(len(candidates)), key=chances.__getitem__, default=None)
    chosen = candidates[best] if best is not None and chances[best] >= LEAST_NEXT else None
    pages = tuple(
        candidate.address
        for candidate in candidates
        if candidate is chosen or page_chance(candidate.clues) >= LEAST_PAGE
    )
    evidence = [*_link_evidence(chosen), *([f"the page says “{counter.text}”"] if counter else [])]
    strip = strip_on(page, candidates, own)
    if strip:
        evidence.append(f"a strip leads to {len(strip)} other parts of the list")
    buttons = _Buttons(page)
    button = None if chosen else buttons.first()
    if button is not None:
        evidence.append(f"a button says “{buttons.said(button)}”")
    box, choice = (None, None) if chosen or button is not None else _page_box(page)
    if choice is not None:
        evidence.append(f"a box offers “{choice}” after the page that is chosen")
    return Paging(
        next=chosen.address if chosen else None,
        pages=pages,
        way="link" if chosen else "button" if button is not None else "box" if choice is not None else None,
        total=counter.pages if counter else None,
        records=counter.records if counter else None,
        button=button,
        box=box,
        choice=choice,
        strip=strip,
        evidence=tuple(evidence),
    )


def next_chances(candidates: Sequence[Candidate]) -> list[float]:
    """For each address the chance that it is the next page; what is left to 1 is the chance that there is none."""
    scores = [_score(candidate.clues, NEXT_WEIGHTS) for candidate in candidates]
    highest = max([0.0, *scores])
    weights = [math.exp(score - highest) for score in scores]
    whole = sum(weights) + math.exp(-highest)
    return [weight / whole for weight in weights]


def page_chance(clues: Mapping[str, float]) -> float:
    """The chance that an address is any page of the same list."""
    return 1 / (1 + math.exp(-_score(clues, PAGE_WEIGHTS)))


def _score(clues: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return weights[BIAS] + sum(value * weights.get(name, 0.0) for name, value in clues.items())


def _link_evidence(chosen: Candidate | None) -> Iterator[str]:
    """What speaks for the next page, the strongest first."""
    if chosen is None:
        return
    label = next((label for label in chosen.labels if label), "")
    if label:
        yield f"a link says “{label[:LONGEST_BUTTON]}”"
    for_it = sorted(chosen.clues, key=lambda name: -NEXT_WEIGHTS.get(name, 0.0))
    yield from (REASONS[name] for name in for_it[:MOST_CLUES] if NEXT_WEIGHTS.get(name, 0.0) > 0)


def _page_box(page: Page) -> tuple[int | None, str | None]:
    """The first visible box that offers the pages of a list by their numbers, and its choice after the present one."""
    selected = page.attribute("selected")
    options = page.with_tag("option").tolist()
    for box in page.with_tag("select").tolist():
        inside = options[bisect_left(options, box) : bisect_left(options, int(page.end[box]))]
        texts = [_written_in(page, option) for option in inside]
        numbers = [_page_number(text) for text in texts]
        if len(numbers) < SERIES or numbers != list(range(1, len(numbers) + 1)) or not page.visible[box]:
            continue
        here = next((place for place, option in enumerate(inside) if selected[option] >= 0), 0)
        if here + 1 < len(texts):
            return int(box), texts[here + 1]
        return None, None
    return None, None


def _written_in(page: Page, node: int) -> str:
    """What is written in an element, shown or not: a box shows only one of its choices."""
    texts = page.text[node : min(int(page.end[node]), node + MOST_NODES)]
    return " ".join(" ".join(page.strings[number] for number in texts[texts >= 0].tolist()).split())


def _page_number(text: str) -> int | None:
    """The number of a page, as in “Page 3”, “3” or “3 of 12”."""
    found = re.fullmatch(r"(?:\D{0,12}\s)?(\d{1,4})(?:\s?(?:/|of|von|de|di)\s?\d{1,5})?", text)
    return int(found[1]) if found else None


class _NumberBlock(NamedTuple):
    """An element that holds nothing but numbers and a few words."""

    first: int
    stop: int
    numbers: tuple[int, ...]


def _block_of_numbers(page: Page, node: int) -> _NumberBlock | None:
    """The largest small element around a number in which others stand."""
    found = None
    above = int(page.parent[node])
    for _ in range(BLOCK_AROUND):
        if above < 0 or page.end[above] - above > MOST_NODES:
            break
        texts = page.text[above : page.end[above]]
        said = [page.strings[number].strip() for number in texts[texts >= 0].tolist()]
        numbers = tuple(int(text) for text in said if text.isdecimal() and len(text) <= MOST_DIGITS)
        if len(numbers) >= SERIES:
            found = _NumberBlock(above, int(page.end[above]), numbers)
        above = int(page.parent[above])
    return found


class _Buttons:
    """The elements of a page that are pressed."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.columns = {name: page.attribute(name) for name in (*ASKED, *LABELS)}

    def attribute(self, name: str, node: int) -> str:
        """An attribute of an element, or ""."""
        number = int(self.columns[name][node])
        return self.page.strings[number].strip() if number >= 0 else ""

    def first(self) -> int | None:
        """The first visible one that loads more or turns the page; else the number that follows that of the page."""
        for node, said in self._pressed.items():
            words = link_words(said[: LONGEST_BUTTON + 1])
            if len(said) <= LONGEST_BUTTON and (words.more or words.next) and not words.previous:
                return node
        return self._next_number()

    @cached_property
    def _pressed(self) -> dict[int, str]:
        """All visible ones that can be pressed now, in order, with what they say."""
        page = self.page
        nodes = {*page.with_tag("button", "a", "input").tolist(), *np.flatnonzero(self.columns["role"] >= 0).tolist()}
        return {
            node: self.said(node)
            for node in sorted(map(int, nodes))
            if page.visible[node] and self._is_pressed(node) and not self._is_disabled(node)
        }

    def _next_number(self) -> int | None:
        """The button with the number after the one that is not a button, among buttons with numbers."""
        numbered = {
            node: int(said) for node, said in self._pressed.items() if said.isdecimal() and len(said) <= MOST_DIGITS
        }
        for node in list(numbered)[:MOST_NUMBERED]:
            block = _block_of_numbers(self.page, node)
            if block is None:
                continue
            inside = {numbered[one]: one for one in range(block.first, block.stop) if one in numbered}
            here = [number for number in block.numbers if number not in inside]
            here += [number for number, one in inside.items() if self._is_current(one)]
            if len(inside) + 1 >= SERIES and here and here[0] + 1 in inside:
                return inside[here[0] + 1]
        return None

    def _is_current(self, node: int) -> bool:
        """Whether a button is marked as that of the page itself."""
        words = class_words(self.attribute("class", node))
        return bool(self.attribute("aria-current", node)) or not CURRENT.isdisjoint(words)

    def _is_pressed(self, node: int) -> bool:
        """Whether an element is a button; a link that leads nowhere is one."""
        tag = self.page.strings[self.page.tag[node]]
        href = self.attribute("href", node)
        return (
            tag == "button"
            or self.attribute("role", node) == "button"
            or (tag == "a" and (not href or href.startswith(("#", "javascript:"))))
            or (tag == "input" and self.attribute("type", node).lower() in ("button", "submit"))
        )

    def _is_disabled(self, node: int) -> bool:
        """Whether a button cannot be pressed now, as “next” on the last page."""
        called = self.attribute("class", node).lower().split()
        says = self.columns["disabled"][node] >= 0 or self.attribute("aria-disabled", node) == "true"
        return says or "disabled" in called

    def said(self, node: int) -> str:
        """What stands on a button, or else what it is called."""
        return _written_in(self.page, node) or next(filter(None, (self.attribute(name, node) for name in LABELS)), "")


def _texts_with_numbers(page: Page) -> Iterator[str]:
    """The texts that hold a number, and the small elements around them: one of them may count."""
    texts = np.flatnonzero(page.text >= 0).tolist()
    numbered = [node for node in texts if _DIGIT.search(page.strings[page.text[node]], 0, LONGEST_TEXT)]
    seen: set[int] = set()
    for node in numbered[:MOST_TEXTS]:
        yield page.strings[page.text[node]]
        above = int(page.parent[node])
        for _ in range(AROUND):
            if above < 0 or above in seen or page.end[above] - above > MOST_NODES:
                break
            seen.add(above)
            inside = page.text[above : page.end[above]]
            yield " ".join(page.strings[number] for number in inside[inside >= 0].tolist())
            above = int(page.parent[above])


# What a page says about how much there is: "Page 2 of 17", "Seite 2 von 17", "1–20 of 340 results", "2/17".

LONGEST = 120  # characters of a text that counts
OF = r"(?:of|von|de|di|sur|van|av|af|z|ze|из|із|от|από|/|／|共|中|in total|total)"
NUMBER = r"\d{1,3}(?:[.,'\u00a0\u202f ]\d{3})+|\d+"
PAGE = (
    r"(?:page|seite|página|pagina|pág|sida|side|sivu|strona|stránka|oldal|страница|стр|сторінка|σελίδα|sayfa|halaman"
    r"|trang|ページ|页|頁|쪽)"
)
TO = r"(?:-|–|—|to|bis|à|a|al|до)"
ABOUT = r"(?:about |over |ca\. |etwa )?"
_PAGES = re.compile(rf"{PAGE}\.?\s*:?\s*({NUMBER})\s*{OF}\s*({NUMBER})", re.IGNORECASE)
_BARE = re.compile(rf"({NUMBER})\s*[/／]\s*({NUMBER})")
_RANGE = re.compile(rf"({NUMBER})\s*{TO}\s*({NUMBER})\s*\(?{OF}\s*{ABOUT}({NUMBER})", re.IGNORECASE)
_TWO_NUMBERS = re.compile(r"\d\D+\d")  # the least that counts; most texts are left aside by it
_BLANKS = re.compile(r"\s+")


class Counter(NamedTuple):
    """What is counted: the page and how many there are, or the last record shown and how many there are."""

    page: int | None = None
    pages: int | None = None
    shown: int | None = None
    records: int | None = None
    text: str = ""


def counter_in(texts: Iterable[str]) -> Counter | None:
    """The first text that counts pages or records.

    >>> counter_in(["Cameras", "Page 2 of 17"])
    Counter(page=2, pages=17, shown=None, records=None, text='Page 2 of 17')
    >>> counter_in(["1–20 of 1,340 results"]).records
    1340
    """
    for text in texts:
        said = _BLANKS.sub(" ", text).strip()
        if len(said) > LONGEST or not _TWO_NUMBERS.search(said):
            continue
        if found := _RANGE.search(said):
            first, last, total = map(_plain, found.groups())
            if first <= last <= total:
                return Counter(shown=last, records=total, text=said)
        if found := _PAGES.search(said) or _BARE.fullmatch(said):
            page, pages = map(_plain, found.groups())
            if 1 <= page <= pages and pages > 1:
                return Counter(page=page, pages=pages, text=said)
    return None


def _plain(text: str) -> int:
    return int(re.sub(r"\D", "", text))


# What each clue says to people, as the end of a sentence that begins with “because”.

REASONS = {
    "around next": "the page's code says “next” around it",
    "arrow on": "it has an arrow that points onwards",
    "arrow on alone": "it is an arrow that points onwards",
    "arrows on": "it has a double arrow that points onwards",
    "arrows on alone": "it is a double arrow that points onwards",
    "called next": "it is called “next” in the page's code",
    "counts pages": "its address counts pages",
    "declared next": "the head of the page names it as the next one",
    "follows in a series": "it follows in a series of addresses",
    "in a pager": "it is in a row of links to pages",
    "in a series": "its address is one of a series",
    "label next": "its label says “next”",
    "more of the same list": "it leads to more of the same list",
    "nearest on": "it is the nearest page after this one",
    "next in a pager": "it says “next” in a row of links to pages",
    "next of one step": "it says “next” and leads one page on",
    "next on the same path": "it says “next” and stays on the same path",
    "number after the current": "its number follows that of this page",
    "number two": "it is number 2",
    "numbers beside": "there are numbers of pages beside it",
    "one number beside": "there is the number of a page beside it",
    "one step on": "its address is one step on",
    "rel next": "it is marked as the next one (rel=next)",
    "said newer": "it says “newer”",
    "said next": "it says “next”",
    "said older": "it says “older”",
    "same list": "its address belongs to the same list",
    "same site": "it is on the same site",
    "steps back": "its address counts backwards",
}


# -- strips that part a list by dates or letters: "December 2024 · November 2024 · …", "A–F G–M N–Z" ----------------

DATES, LETTERS = "dates", "letters"
LEAST_LETTERS = 3  # entries; two letters side by side are anything
MOST_ENTRIES = 240  # twenty years of months
LONGEST_ENTRY = 40  # characters
STRIP_MARGIN = 4  # elements around a link in which its strip may be
STRIP_NODES = 8 * MOST_ENTRIES
# What is written between entries.
_MARKS = re.compile(r"[\s|·•,;/.\[\]()–—-]*")
YEAR = r"(?:19|20)\d\d"
MONTHS = word_set("""
    january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec
    januar februar märz mai juni juli oktober dezember mär okt dez jänner
    janvier février mars avril juin juillet août septembre octobre novembre décembre
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
    janeiro fevereiro março maio junho julho setembro outubro novembro dezembro
    januari februari maart mei augustus april maj augusti marts
    styczeń luty marzec kwiecień czerwiec lipiec sierpień wrzesień październik listopad grudzień
    leden únor březen duben květen červen červenec srpen září říjen prosinec
    январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь
    """)
_DATES = re.compile(
    rf"{YEAR}|{YEAR}[-./]\d{{1,2}}(?:[-./]\d{{1,2}})?|\d{{1,2}}[-./]{YEAR}|\d{{1,2}}[-./]\d{{1,2}}[-./]{YEAR}"
    rf"|{YEAR}\s?[年년](?:\s?\d{{1,2}}\s?[月월])?|{YEAR}\s?[-–/]\s?(?:{YEAR}|\d\d)"
)
_STRIP_RANGE = re.compile(r"[^\W\d_]|[^\W\d_]{1,2}\s?[-–—…]\s?[^\W\d_]{1,2}|0\s?[-–—]\s?9|#")
_COUNT = re.compile(r"\s*\(\d+\)$")
_LAST_YEAR = re.compile(rf"\s*,?\s*{YEAR}$")


class _Entry(NamedTuple):
    """A part of a strip: what it says, and where it leads; "" for what isn't a link, or leads to the page itself."""

    said: str
    address: str = ""


def strip_on(page: Page, candidates: Sequence[Candidate], own: str) -> tuple[str, ...]:
    """The addresses of a strip of dates or letters that the page itself has a part in; () if there is none.

    The part that the page shows isn't a link, or leads to the page itself, which tells a strip from an archive beside a
    list. All that stands in a strip is dates, or all is letters.
    """
    ways = {node: one.address for one in candidates for node in one.links}
    said = {node: label for one in candidates for node, label in zip(one.links, one.labels, strict=True)}
    likely = [node for node in sorted(ways) if _kind(said[node])]
    tried: set[int] = set()
    for node in likely[:MOST_ENTRIES]:
        for block in _around(page, node):
            if block in tried:
                break
            tried.add(block)
            addresses = _strip_of(list(_entries(page, block, ways, said)), own)
            if addresses:
                return addresses
    return ()


def _around(page: Page, node: int) -> Iterator[int]:
    above = int(page.parent[node])
    for _ in range(STRIP_MARGIN):
        if above < 0 or page.end[above] - above > STRIP_NODES:
            return
        yield above
        above = int(page.parent[above])


def _strip_of(entries: Sequence[_Entry], own: str) -> tuple[str, ...]:
    """The addresses of the strip that these entries are; () if they are none."""
    kinds = {_kind(entry.said) for entry in entries}
    if len(entries) > MOST_ENTRIES or len(kinds) != 1:
        return ()
    kind = kinds.pop()
    here = sum(not entry.address for entry in entries)
    ways = tuple(dict.fromkeys(entry.address for entry in entries if entry.address))
    # Letters without records aren't links either; of dates there is one, that of the page.
    is_strip = here == 1 if kind == DATES else kind == LETTERS and here > 0 and len(entries) >= LEAST_LETTERS
    return ways if is_strip and all(_same_site(way, own) for way in ways) else ()


def _same_site(address: str, own: str) -> bool:
    one, other = split_address(address), split_address(own)
    return one is not None and other is not None and one.site == other.site


def _entries(page: Page, block: int, ways: Mapping[int, str], said: Mapping[int, str]) -> Iterator[_Entry]:
    """What stands in an element, marks left out: links, and texts that are in none."""
    node, stop = block, int(page.end[block])
    while node < stop:
        if node in ways:
            yield _Entry(said[node], ways[node])
            node = int(page.end[node])
            continue
        text = page.strings[page.text[node]].strip() if page.text[node] >= 0 else ""
        if text and not _MARKS.fullmatch(text):
            yield _Entry(text)
        node += 1


def _kind(said: str) -> str | None:
    """Whether a text is a date or stands for letters; a number of articles may follow: "May 2024 (17)".

    >>> [_kind(said) for said in ("December 2024", "2024", "2024-11", "A–F", "Kitchen", "7", "März")]
    ['dates', 'dates', 'dates', 'letters', None, None, 'dates']
    """
    if len(said) > LONGEST_ENTRY:
        return None
    bare = _COUNT.sub("", said.strip()).lower()
    if _DATES.fullmatch(bare):
        return DATES
    words = _LAST_YEAR.sub("", bare).split()
    if len(words) == 1 and words[0].strip(".") in MONTHS:
        return DATES
    return LETTERS if _STRIP_RANGE.fullmatch(bare) else None
