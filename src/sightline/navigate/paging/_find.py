"""Where a page of a list leads, from its links, its buttons and what it says about itself."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from sightline.navigate.paging._buttons import LONGEST_BUTTON, MOST_NODES, Buttons
from sightline.navigate.paging._clues import Candidate, candidates_of
from sightline.navigate.paging._steps import split_address
from sightline.navigate.paging._weights import NEXT_WEIGHTS, PAGE_WEIGHTS
from sightline.page import Page, full_address, link_base
from sightline.signals import word_set

# Both chosen by cross-validation over sites, `bench/navigate/fit_paging.py`: the greatest F1 of the next page with at
# most 6 % of the pages that have none given one, and the greatest F1 of all pages. The first one is the least chance
# that the page has a next page at all, whichever link it is: where two lists have a pager each, they share it.
LEAST_NEXT = 0.7
LEAST_PAGE = 0.2
BIAS = "of every link"  # the weight of being a link at all
MOST_CLUES = 6  # that are told as evidence
MOST_LISTS = 5  # with a pager of their own that are told
MOST_TEXTS = 2_000  # with a number, that are searched for a counter
LONGEST_TEXT = 200  # characters of a text that are searched for a number
AROUND = 2  # elements around a number that may be a counter

_DIGIT = re.compile(r"\d")

PagingWay: TypeAlias = Literal["link", "button", "box"]


@dataclass(frozen=True)
class Paging:
    """Where a page of a list leads.

    `next` is what the page calls its next page, `pages` are all pages of the list that it links to, in the order of the
    page, and `way` is how one gets on: by a link, the `button` (a node), or a `box` and the `choice` in it. `total` is
    how many pages there are and `records` how many records, if the page says so. `strip` are the other parts of a list
    that is separated by dates or letters. `others` are the next pages of further lists on the page, each with its own
    pager. `evidence` says what it stands on.
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
    others: tuple[str, ...] = ()
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
            "others": list(self.others),
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
    base = full_address(own, link_base(page)) or own
    buttons = Buttons(page, base)
    candidates = candidates_of(page, own, buttons=buttons)
    of_lists = _next_of_lists(candidates)
    chosen, others = (of_lists[0], of_lists[1:]) if of_lists else (None, [])
    counter = counter_in(_texts_with_numbers(page))
    pages = [one.address for one in candidates if one is chosen or page_chance(one.clues) >= LEAST_PAGE]
    evidence = [*_link_evidence(chosen), *([f"the page says “{counter.text}”"] if counter else [])]
    strip = strip_on(page, candidates, own)
    if strip:
        evidence.append(f"a strip leads to {len(strip)} other parts of the list")
    following = chosen.address if chosen else None
    button = chosen.button if chosen else buttons.first()
    if button is not None:
        evidence.append(f"a button says “{buttons.said(button)}”")
    if button is not None and following is None and (declared := _declared_next(page, base, own)):
        following = declared
        evidence.append("the head of the page names the next one")
    box = None if chosen or button is not None else buttons.box()
    if box is not None:
        following = box.address or None
        pages += box.addresses
        evidence.append(f"a box offers “{box.choice}” after the page that is chosen")
    return Paging(
        next=following,
        pages=tuple(dict.fromkeys([*pages, *([following] if following else [])])),
        way="button" if button is not None else "link" if chosen else "box" if box is not None else None,
        total=counter.pages if counter else None,
        records=counter.records if counter else None,
        button=button,
        box=box.node if box else None,
        choice=box.choice if box else None,
        strip=strip,
        others=tuple(one.address for one in others),
        evidence=tuple(evidence),
    )


def _next_of_lists(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The next page of the list, and then those of other lists on the page: each has its own pager and series."""
    found: list[Candidate] = []
    left = list(candidates)
    while left and len(found) <= MOST_LISTS:
        chances = next_chances(left)
        if sum(chances) < LEAST_NEXT:
            break
        best = left[max(range(len(left)), key=chances.__getitem__)]
        found.append(best)
        left = [one for one in left if one.series != best.series and one.blocks.isdisjoint(best.blocks)]
    return found


def _declared_next(page: Page, base: str, own: str) -> str:
    """The next page that the head of the page names; "" if it names none.

    It counts only where a button leads on: heads often name pages that nobody who looks at this one is led to.
    """
    rel, href = page.attribute("rel"), page.attribute("href")
    for node in page.with_tag("link").tolist():
        if rel[node] >= 0 and href[node] >= 0 and "next" in page.strings[rel[node]].lower().split():
            address = full_address(base, page.strings[href[node]]).partition("#")[0]
            return address if address != own.partition("#")[0] else ""
    return ""


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
    "counts pages": "its address counts pages",
    "follows in a series": "it follows in a series of addresses",
    "in a pager": "it is in a row of links to pages",
    "is a number": "it is a number",
    "more of the list": "it leads to more of the same list",
    "nearest on": "it is the nearest page after this one",
    "next in the list": "it points onwards and stays in the list",
    "number after the current": "its number follows that of this page",
    "number two": "it is number 2",
    "one step on": "its address is one step on",
    "says newer": "it says “newer”",
    "says next": "it says “next”",
    "just next on the path": "it says “next” and stays on the same path",
    "says older": "it says “older”",
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
