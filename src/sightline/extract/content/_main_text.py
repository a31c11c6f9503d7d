"""The main text made of the blocks that were chosen: each part of the result is made when it is first asked for."""

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from urllib.parse import unquote, urlsplit

import numpy as np

from sightline.arrays import BoolArray
from sightline.data import Content, ContentImage, ContentPart, Value, content_parts, origins_at, values_at
from sightline.extract.content._beginning import Beginning, Said, cleaned, worth
from sightline.extract.content._byline import find_names, people_in_list
from sightline.extract.content._date import find_date
from sightline.extract.content._markup import Markup
from sightline.geometry import Box
from sightline.page import Page, nearest
from sightline.signals import NodeNumbers, TextBlocks

KINDS = (
    *("h1", "h2", "h3", "h4", "h5", "h6", "li", "td", "th", "dt", "dd", "pre", "blockquote", "figcaption", "p"),
    *("caption", "summary"),
)


class MainText:
    """What the kept blocks of a page are as content, of which the `chosen` nodes were taken.

    Without `texts`, they are the texts of the blocks as they are read; `said` are the blocks of comments.
    """

    def __init__(
        self,
        blocks: TextBlocks,
        kept: BoolArray,
        chosen: BoolArray,
        page_kind: str = "",
        said: BoolArray | None = None,
        texts: Sequence[str] | None = None,
    ) -> None:
        self.blocks, self.chosen, self.said, self._texts = blocks, chosen, said, texts
        self.rows: NodeNumbers = np.flatnonzero(kept)
        self.about = find_about(blocks, kept, page_kind)
        self.page_kind = page_kind

    def content(self, score: float, doubts: tuple[str, ...] = ()) -> Content:
        """The result; what is not asked for is never made."""
        page = self.blocks.page
        return Content.made_later(
            {name: partial(self._made, *names) for name, names in MADE_TOGETHER.items()},
            score=score,
            language=page.language,
            by=None,
            evidence=(),
            address=page.address or None,
            page_kind=self.page_kind or None,
            doubts=doubts,
        )

    def _made(self, *names: str) -> Mapping[str, object]:
        """The fields of these names."""
        return {name: getattr(self.about if name in ABOUT else self, name.lstrip("_")) for name in names}

    @cached_property
    def read(self) -> Sequence[str]:
        """The text of each part."""
        return _visible_texts(self.blocks, self.rows) if self._texts is None else self._texts

    @property
    def parts(self) -> tuple[ContentPart, ...]:
        """The parts of the text, with their places and markup."""
        told = _telling(self.blocks, self.rows)
        kinds = _kinds(self.blocks.page, told)
        values = _values(self.blocks, self.rows, self.read, self.chosen)
        return content_parts(values, kinds, self._markup.parts(self.read, told, kinds))

    @property
    def images(self) -> tuple[ContentImage, ...]:
        """The images between the parts."""
        return self._markup.images()

    @cached_property
    def _markup(self) -> Markup:
        return Markup(self.blocks, self.rows, self.chosen)

    @property
    def comments(self) -> tuple[ContentPart, ...]:
        """What readers say, a part for each block."""
        if self.said is None or not self.said.any():
            return ()
        blocks, rows = self.blocks, np.flatnonzero(self.said)
        values = _values(blocks, rows, _visible_texts(blocks, rows), ~blocks.page.is_blank)
        return content_parts(values, _kinds(blocks.page, _telling(blocks, rows)))


ABOUT = ("title", "byline", "authors", "date")
# What is made when a field is asked for: the field, or what comes with it at no cost.
MADE_TOGETHER: Mapping[str, tuple[str, ...]] = {
    "_read": ("_read",),
    "parts": ("parts", "images"),
    "images": ("parts", "images"),
    "comments": ("comments",),
    **{name: (name,) for name in ABOUT},
}


def _values(blocks: TextBlocks, rows: NodeNumbers, texts: Sequence[str], chosen: BoolArray) -> list[Value]:
    """The values of some blocks: their texts, and the places of their chosen nodes."""
    places = np.flatnonzero(chosen[blocks.nodes])
    nodes = blocks.nodes[places].tolist()
    bounds = places.searchsorted(np.stack([blocks.first[rows], blocks.first[rows + 1]])).T.tolist()
    boxes: list[Box | None] = [tuple(box) if box[0] == box[0] else None for box in blocks.boxes[rows].tolist()]
    return values_at(texts, origins_at(blocks.page, [nodes[first:last] for first, last in bounds], boxes))


def _visible_texts(blocks: TextBlocks, rows: NodeNumbers) -> list[str]:
    """The texts of some blocks; visible ones as they are read, with line breaks in code."""
    visible = rows[blocks.visible[rows]]
    read = dict(
        zip(visible.tolist(), blocks.page.texts_between(blocks.start[visible], blocks.last[visible] + 1), strict=True)
    )
    return [read.get(row, blocks.texts[row]) for row in rows.tolist()]


def _telling(blocks: TextBlocks, rows: NodeNumbers) -> list[int]:
    """The innermost element around each of some blocks that tells of what kind it is, or -1."""
    page = blocks.page
    telling: list[int] = nearest(page.parent, page.mask(*KINDS))[blocks.owner[rows]].tolist()
    return telling


def _kinds(page: Page, told: Sequence[int]) -> list[str]:
    """The kinds of some blocks: the tag of the element that tells, else a paragraph."""
    return [page.strings[page.tag[node]] if node >= 0 else "p" for node in told]


# Title, byline and date of a text: what the page says about itself, located where it can be read.
#
# Each is the best of several candidates, taken from the page's own data, its headings and the lines around the text.
# What speaks for one is weighed; the weights were fitted over the pages of a benchmark. A value that can be read on the
# page has its place there; one that is only in the page's own data has none.


class About:
    """Who wrote what when, as far as it is found; each is looked for when it is first asked for."""

    def __init__(self, said: Said, beginning: Beginning | None) -> None:
        self._said, self._beginning = said, beginning

    @cached_property
    def title(self) -> Value | None:
        """What the text is called."""
        return find_title(self._said, self._beginning)

    @cached_property
    def date(self) -> Value | None:
        """When it was published."""
        return find_date(self._said, self._beginning)

    @property
    def byline(self) -> Value | None:
        """Who wrote it, as it is told; of several people who are told apart, the first."""
        return self._names[0] if self._names else None

    @property
    def authors(self) -> tuple[Value, ...]:
        """Everybody who wrote it, one by one."""
        people = {name: replace(value, text=name) for value in self._names for name in people_in_list(value.text)}
        return tuple(people.values())

    @cached_property
    def _names(self) -> list[Value]:
        """The names of the authors, which aren't part of its title, and are told of most texts that have a date."""
        title = self.title.text if self.title else ""
        return find_names(self._said, self._beginning, title, dated=self.date is not None)


def find_about(blocks: TextBlocks, kept: BoolArray, page_kind: str = "") -> About:
    """Title, byline and date of the text made of the kept blocks, on a page judged to be of this kind."""
    return About(Said(blocks.page, page_kind), Beginning(blocks, kept))


def about_from_data(page: Page) -> About:
    """Title, byline and date of a page that shows no text, from its own data."""
    return About(Said(page), None)


# -- the title of a text: of all that a page might call it, what most speaks for ------------------------------------

# What speaks for a title. Fitted by `python -m bench.content.fit_about title`.
TITLE_WEIGHTS: Mapping[str, float] = {
    "article but last": -0.35,
    "article h1 near": 0.03,
    "article headline": 0.62,
    "article in og": 0.61,
    "article no site": 0.41,
    "article of slug": 0.14,
    "data and": -0.72,
    "data slogan": -1.01,
    "first": 0.63,
    "h1": 1.01,
    "h1 hidden": 1.42,
    "h1 in og": 0.84,
    "h1 in title": -1.03,
    "h1 kept": -0.44,
    "h1 length": 0.71,
    "h1 like title": -1.49,
    "h1 near": 0.79,
    "h1 of slug": 0.66,
    "h1 only": 0.45,
    "h2 above": 1.54,
    "h3": -0.65,
    "h3 above": 0.87,
    "heading and": -0.57,
    "heading slogan": -0.66,
    "headline seen": 0.86,
    "home h1": 0.54,
    "home h2 above": 0.68,
    "home in title": 1.21,
    "home length": 0.42,
    "home title": -0.36,
    "home whole": 0.46,
    "in h1": 0.72,
    "in og": 0.89,
    "in title": 1.89,
    "last": -0.5,
    "length": 0.53,
    "like title": 1.82,
    "long": -0.52,
    "meta": 0.91,
    "middle": -0.3,
    "news first": -0.76,
    "news h1 only": -1.66,
    "news headline": 1.73,
    "news in og": 0.45,
    "news in title": -2.32,
    "news og": 1.58,
    "news title": -0.45,
    "news told, unseen": 1.02,
    "news whole": -0.62,
    "of slug": 0.71,
    "og": 0.73,
    "og seen": -0.01,
    "one word": 0.41,
    "other h1": 0.57,
    "other h1 near": -0.68,
    "other in title": 0.66,
    "other of slug": 0.47,
    "other og": 0.94,
    "title": -0.85,
    "told, unseen": -1.19,
    "twitter": 0.58,
    "two words": 0.69,
}

SITES = ("og:site_name", "application-name", "apple-mobile-web-app-title")
OTHER_TITLES = ("title", "dc.title", "citation_title", "parsely-title", "sailthru.title")
MARKS = re.compile(r"\s++[|–—·•»›/~-]{1,2}\s+|(?<=\S):{1,2}\s+|\s\|\s?")
WORD = re.compile(r"\w+")
SLUG_WORD = re.compile(r"[^\W\d]{3}")
SLUG_MARKS = re.compile(r"[-_+]|\.\w{3,5}$")
SLOGAN = re.compile(r"[.!]$|\b(?:you|your|our|we|us|welcome)\b", re.IGNORECASE)
# The pages of the sets have up to 26 titles of 300 characters.
MOST, LONGEST = 60, 300
SAME = 0.8  # of the words of two titles in common, for them to count as one
ALIKE = 0.6  # of the words of the longer of two titles, for a lower heading to count
REMEMBERED = 500  # texts
SITE_WORDS = 6  # words of names that are compared with the host
LONG = 10  # words, above which a title is long
COMPARED = ("og", "title", "h1")
# What counts differently for headings, where there are none, and on articles, products, front pages and others.
BY_HEADING = ("length", "in title", "like title", "in og", "of slug")
ALONE = ("og", "title", "h2")
BY_KIND = (
    *("whole", "first", "no site", "but last", "longest", "h1", "h1 near", "h1 only", "h1 hidden", "h2 above", "og"),
    *("in slug", "of slug", "in title", "in og", "length", "headline", "title"),
)


@dataclass(eq=False)
class TitleCandidate:
    """A text that may be the title: its words, what speaks for it, and the blocks where it is read."""

    text: str
    words: frozenset[str]
    rows: Sequence[int] = ()
    parts: dict[str, float] = field(default_factory=dict)


def find_title(said: Said, beginning: Beginning | None) -> Value | None:
    """What a text is called: the text for which most speaks, located where it can be read."""
    best = best_title(title_candidates(said, beginning), TITLE_WEIGHTS)
    if best is None:
        return None
    return beginning.value(best.rows, best.text) if beginning is not None and best.rows else Value(best.text)


def title_candidates(said: Said, beginning: Beginning | None) -> list[TitleCandidate]:
    """The titles in the data of a page, whole and in parts, and its headings."""
    titles = _Titles(said)
    titles.read_data()
    if beginning is not None:
        titles.read_headings(beginning)
    titles.compare()
    return titles.named()


def best_title(found: Sequence[TitleCandidate], weights: Mapping[str, float]) -> TitleCandidate | None:
    """The candidate that is most likely like the title: likely itself, or like others that are.

    Of those that are like it, the one for which most speaks.
    """
    if not found:
        return None
    worths = [worth(one.parts, weights) for one in found]
    most = max(worths)
    odds = [math.exp(own - most) for own in worths]
    agreed = [
        sum(likely for other, likely in zip(found, odds, strict=True) if _is_same(one.words, other.words))
        for one in found
    ]
    chosen = found[max(range(len(found)), key=lambda number: (agreed[number], worths[number]))].words
    alike = [number for number, one in enumerate(found) if _is_same(one.words, chosen)]
    return found[max(alike, key=lambda number: worths[number])]


def _is_same(one: frozenset[str], other: frozenset[str]) -> bool:
    return 2 * len(one & other) >= SAME * (len(one) + len(other))


class _Titles:
    """The titles of a page, each with all that speaks for it."""

    def __init__(self, said: Said) -> None:
        self.said = said
        self.found: dict[tuple[str, ...], TitleCandidate] = {}
        self.address = urlsplit(said.address)

    def add(self, text: str, *parts: str, rows: Sequence[int] = ()) -> None:
        text = cleaned(text)[:LONGEST]
        key = _words_in(text)
        if not key or (key not in self.found and len(self.found) >= MOST):
            return
        one = self.found.setdefault(key, TitleCandidate(text, frozenset(key)))
        for part in parts:
            one.parts[part] = one.parts.get(part, 0.0) + 1.0
        if rows and not one.rows:
            one.text, one.rows = text, rows

    # ------------------------------------------------------------------ data

    def read_data(self) -> None:
        """JSON-LD, meta elements and the title of the page."""
        for thing in self.said.things:
            if thing.rank in ("article", "page"):
                for text in (thing.texts("headline") or thing.texts("name"))[:1]:
                    self.add(text, "headline" if thing.rank == "article" else "page name")
            elif thing.is_product:
                for text in thing.texts("name")[:1]:
                    self.add(text, "product")
        for source, text in self._wholes():
            self.add(text, source, "whole")
            for part, piece in self._pieces(text[:LONGEST]):
                self.add(piece, part)
        for name in OTHER_TITLES:
            for text in self.said.meta.get(name, ())[:1]:
                self.add(text, "meta")

    def _wholes(self) -> Iterator[tuple[str, str]]:
        for source in ("og", "twitter"):
            for text in self.said.meta.get(f"{source}:title", ())[:1]:
                yield source, text
        if self.said.title:
            yield "title", self.said.title

    def _pieces(self, title: str) -> Iterator[tuple[str, str]]:
        """The parts of a title between marks; sites write their own name in the last or the first of them."""
        marks = list(MARKS.finditer(title))
        pieces = [piece for piece in MARKS.split(title) if piece.strip()]
        if not marks or len(pieces) < 2:
            return
        yield "first", pieces[0]
        yield "last", pieces[-1]
        yield from (("middle", piece) for piece in pieces[1:-1])
        own = [piece for piece in pieces if not self._is_site(piece)]
        if own:
            yield "longest", max(own, key=len)
        yield "but last", title[: marks[-1].start()]
        if self._is_site(pieces[-1]):
            yield "no site", title[: marks[-1].start()]
        if self._is_site(pieces[0]):
            yield "no site", title[marks[0].end() :]

    def _is_site(self, text: str) -> bool:
        """Whether a text is the name of the site, as it says or by its host."""
        words = _words_in(text)
        return frozenset(words) in self._sites or (len(words) < SITE_WORDS and "".join(words) in self._host)

    @cached_property
    def _sites(self) -> set[frozenset[str]]:
        names = [name for key in SITES for name in self.said.meta.get(key, ())]
        return {_words(name) for name in (*names, *self.said.makers)}

    @cached_property
    def _host(self) -> str:
        return self.address.netloc.removeprefix("www.").replace("-", "")

    @cached_property
    def _slug(self) -> frozenset[str]:
        """The words of the last part of the address that has some."""
        parts = [part for part in unquote(self.address.path).split("/") if SLUG_WORD.search(part)]
        return _words(SLUG_MARKS.sub(" ", parts[-1])) if parts else frozenset()

    # ------------------------------------------------------------------ headings

    def read_headings(self, beginning: Beginning) -> None:
        """Headings of the first level; of lower ones the first, and those like another title."""
        blocks, page = beginning.blocks, beginning.page
        shown: list[list[int]] = []
        for node in page.with_tag("h1")[:MOST].tolist():
            low, high = np.searchsorted(blocks.start, [node, page.end[node]]).tolist()
            visible = [row for row in range(low, high) if blocks.visible[row]]
            if visible:
                shown.append(visible)
            elif low < high:
                self.add(" ".join(blocks.texts[low:high]), "h1 hidden", rows=range(low, high))
        above = [rows for rows in shown if rows[0] <= beginning.first]
        for rows in shown:
            parts = ["h1"]
            parts += ["h1 only"] if len(shown) == 1 else ["h1 first"] if rows is shown[0] else []
            parts += ["h1 near"] if above and rows is above[-1] else []
            parts += ["h1 after"] if not above and rows is shown[0] else []
            parts += ["h1 kept"] if beginning.kept[rows[0]] else []
            self.add(" ".join(blocks.texts[row] for row in rows), *parts, rows=rows)
        self._read_lower(beginning)

    def _read_lower(self, beginning: Beginning) -> None:
        blocks, page = beginning.blocks, beginning.page
        titles = [one.words for one in self.found.values()]
        for tag in ("h2", "h3"):
            headings = page.with_tag(tag)
            rows = np.flatnonzero(blocks.inside(headings) & blocks.visible).tolist() if len(headings) else []
            for row in rows:
                words = _words(blocks.texts[row])
                if row == rows[0] or any(len(words & other) >= ALIKE * max(len(words), len(other)) for other in titles):
                    parts = [tag, *([f"{tag} above"] if row <= beginning.first else [])]
                    self.add(blocks.texts[row], *parts, rows=[row])

    # ------------------------------------------------------------------ what they are like

    def compare(self) -> None:
        """What a title is like, and what is known of it only beside the others."""
        every = list(self.found.values())
        others = {source: [one.words for one in every if source in one.parts] for source in COMPARED}
        for one in every:
            one.parts |= self._likeness(one.words, others) | self._looks(one)
            if "h1" in one.parts:
                one.parts |= {f"h1 {name}": one.parts[name] for name in BY_HEADING if name in one.parts}
            elif not others["h1"]:
                one.parts |= {f"{name} without h1": one.parts[name] for name in ALONE if name in one.parts}
            for kind in (self._kind, *(["news"] if self._is_news else [])):
                one.parts |= {f"{kind} {name}": one.parts[name] for name in BY_KIND if name in one.parts}
            one.parts |= self._agreement(one.parts.keys())

    def named(self) -> list[TitleCandidate]:
        """The candidates; the name of the site, as it says, only on its front page or where there is nothing else."""
        every = list(self.found.values())
        own = [one for one in every if one.words not in self._sites] if self._kind != "home" else every
        return own or every

    def _likeness(self, words: frozenset[str], others: Mapping[str, Sequence[frozenset[str]]]) -> dict[str, float]:
        """How much of a title is in others and in the address."""
        parts = {}
        for source, titles in others.items():
            if titles:
                common = [(len(words & title), len(title)) for title in titles]
                parts[f"in {source}"] = max(shared for shared, _ in common) / len(words)
                parts[f"like {source}"] = max(2 * shared / (len(words) + size) for shared, size in common)
        if self._slug:
            shared = len(words & self._slug)
            parts["in slug"], parts["of slug"] = shared / len(words), shared / len(self._slug)
        return parts

    def _agreement(self, parts: Collection[str]) -> dict[str, float]:
        """How many places tell a title, and whether those for machines and for readers do; of news by itself."""
        told, shared, seen = "headline" in parts, "og" in parts or "no site" in parts, "h1" in parts
        found = {
            "told, unseen": float(told and shared and not seen),
            "headline seen": float(told and seen and not shared),
            "og seen": float(shared and seen and not told),
            "sources": float(
                sum((told, "og" in parts, "twitter" in parts, "title" in parts or "no site" in parts, seen))
            ),
        }
        return found | ({f"news {name}": value for name, value in found.items()} if self._is_news else {})

    def _looks(self, one: TitleCandidate) -> dict[str, float]:
        """What a title looks like."""
        size, own = len(one.words), "heading" if "h1" in one.parts else "data"
        return {
            "site": float(self._is_site(one.text)),
            "one word": float(size == 1),
            "two words": float(size == 2),
            "long": max(0, size - LONG) / LONG,
            "length": math.log(size),
            f"{own} slogan": float(bool(SLOGAN.search(one.text))),
            f"{own} and": float("&" in one.text or "|" in one.text),
        }

    @cached_property
    def _is_news(self) -> bool:
        """Whether it says that it is an article of a newspaper or the like."""
        return any(thing.rank == "article" and "News" in str(thing.values.get("@type")) for thing in self.said.things)

    @cached_property
    def _kind(self) -> str:
        """What kind of page it is, as it says."""
        types = self.said.meta.get("og:type", ())
        if not self._slug:
            return "home"
        if "article:published_time" in self.said.meta or any(thing.rank == "article" for thing in self.said.things):
            return "article"
        if any("product" in kind for kind in types) or any(thing.is_product for thing in self.said.things):
            return "product"
        return "article" if "article" in types else "other"


@lru_cache(REMEMBERED)
def _words_in(text: str) -> tuple[str, ...]:
    """The words of a title; most are given more than once, in the data, in the head and as a heading."""
    return tuple(WORD.findall(text.casefold()))


def _words(text: str) -> frozenset[str]:
    return frozenset(_words_in(text))
