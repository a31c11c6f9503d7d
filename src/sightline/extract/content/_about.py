"""Title, byline and date of a text: what the page says about itself, located where it can be read.

A value that can be read on the page has its place there; one that is only in the page's own data has none.
"""

import datetime
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from html import unescape

import numpy as np

from sightline.arrays import BoolArray
from sightline.data import Value, origin_at, origin_of
from sightline.page import Page
from sightline.signals import TITLE_MARKS, NodeNumbers, TextBlocks, published_data

__all__ = ["About", "about_from_data", "find_about"]

# Where pages say it, the most trusted first; names are compared in lower case.
TITLES = ("headline", "og:title", "twitter:title", "dc.title", "citation_title")
SITES = ("og:site_name", "application-name", "publisher", "apple-mobile-web-app-title")
AUTHORS = ("author", "article:author", "sailthru.author", "parsely-author", "dc.creator", "citation_author", "creator")
DATES = (
    *("datepublished", "article:published_time", "og:published_time", "og:publish_date", "date", "pubdate"),
    *("publishdate", "publish-date", "dc.date", "dc.date.issued", "dcterms.created", "parsely-pub-date"),
    *("sailthru.date", "citation_publication_date", "citation_date", "datecreated", "uploaddate"),
    *("datemodified", "article:modified_time", "og:updated_time", "last-modified"),
)

# Titles. Set by hand, looking at the titles of the set `content`: 87 % of them are right, with WHOLE from 0.2 to 0.4.
ALIKE = 0.6  # of the words of the longer of two titles, for them to count as one
FIRST_LEVEL, SEEN, WHOLE = 0.1, 0.05, 0.3  # bonuses of a heading: h1, visible, like the whole of a title
WORD = re.compile(r"\w+")
# Every heading is compared with every form of a title. The pages of the sets have up to 26 titles of 300 characters.
MOST_TITLES, LONGEST_TITLE = 100, 1000

# Bylines and dates.
SEARCHED = 40  # blocks before and after the beginning of the text in which they are looked for
LONGEST_NAME = 8  # words; longer lines near a name are sentences about somebody
LONGEST_BYLINE = 12  # words
BYLINE_SIZE, NAME_SIZE, DATE_SIZE = 90, 150, 120  # characters of lines that say "by", that hold a name, or a date
BYLINE_NAMES = re.compile("author|byline", re.IGNORECASE)
NAMING = ("class", "rel", "itemprop", "id")
BY = re.compile(
    r"(?:written|posted|words|reported|story|published|reviewed|updated)?\s*\b(?:by|von|par|por|di|door)\b\s*:?\s*",
    re.IGNORECASE,
)
BEHIND_NAME = re.compile(
    r"\s[|•·–—-]\s|,\s*(?=\d|[A-Z][a-z]{2,8}\.? \d)|\s\(|\bon\b|\bpublished\b|\bupdated\b", re.IGNORECASE
)
_MONTHS = r"(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-zéä]*\.?"
_DAYS = r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?"
_YEAR = r"(?:19|20)\d\d"
NO_NAME = re.compile(
    rf"https?:|@|\badmin\b|^(?:by|author|staff|(?:contributing |staff |senior )?(?:writer|editor|contributor))$"
    rf"|^(?:{_DAYS},?\s*)?{_MONTHS}\s*\d|^{_DAYS}$",
    re.IGNORECASE,
)
ISO_DATE = re.compile(rf"\b{_YEAR}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)")
WRITTEN_DATE = re.compile(
    rf"\b{_MONTHS}\s+\d{{1,2}}(?:st|nd|rd|th)?\s*,?\s+{_YEAR}"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th|\.)?\s+{_MONTHS},?\s+{_YEAR}"
    rf"|\b{_YEAR}[-/.]\d{{1,2}}[-/.]\d{{1,2}}\b|\b\d{{1,2}}[/.]\d{{1,2}}[/.]{_YEAR}\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class About:
    """Who wrote what when, as far as it was found."""

    title: Value | None = None
    byline: Value | None = None
    date: Value | None = None


def find_about(blocks: TextBlocks, kept: BoolArray) -> About:
    """Title, byline and date of the text made of the kept blocks."""
    reader = _Reader(blocks, kept)
    return About(reader.title(), reader.byline(), reader.date())


def about_from_data(page: Page) -> About:
    """Title, byline and date of a page that shows no text, from its own data."""
    published = _Published(page)
    day = published.day
    return About(
        Value(published.title) if published.title else None,
        Value(published.authors[0]) if published.authors else None,
        Value(day.isoformat(), day) if day else None,
    )


class _Published:
    """What a page says about itself."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.by_name: dict[str, list[str]] = {}
        for name, texts in published_data(page).items():
            self.by_name.setdefault(name.lower(), []).extend(texts)

    def texts(self, names: Sequence[str]) -> list[str]:
        """What the page says under some names, in plain text."""
        every = (" ".join(unescape(text).split()) for name in names for text in self.by_name.get(name, ()))
        return list(dict.fromkeys(filter(None, every)))

    @cached_property
    def titles(self) -> list[str]:
        """What the page calls itself."""
        return [*self.texts(TITLES), *filter(None, [" ".join(self.page.title.split())])]

    @cached_property
    def site(self) -> set[frozenset[str]]:
        """The words of the name of the site, in each of its forms."""
        return {_words(name) for name in self.texts(SITES)}

    @cached_property
    def title(self) -> str:
        """The first of the titles, without the name of the site."""
        return self._without_site(self.titles[0]) if self.titles else ""

    def _without_site(self, title: str) -> str:
        parts = re.split(r"\s+[|–—·»-]\s+", title)
        return max([part for part in parts if _words(part) not in self.site] or parts, key=len)

    @cached_property
    def forms(self) -> list[tuple[frozenset[str], float]]:
        """The words of each title and of its parts, without the site's name, and their share of the title."""
        forms: dict[frozenset[str], float] = {}
        for title in self.titles[:MOST_TITLES]:
            whole = _words(title)
            *parts, last = map(_words, TITLE_MARKS.split(title)) if len(title) <= LONGEST_TITLE else [whole]
            for part in (whole, *parts):
                if part and part not in self.site:
                    forms[part] = max(forms.get(part, 0.0), len(part) / len(whole))
            if parts and last and last not in self.site:  # most sites write their own name there
                forms.setdefault(last, 0.0)
        return list(forms.items())

    @cached_property
    def authors(self) -> list[str]:
        """The names of the authors."""
        return [name for name in self.texts(AUTHORS) if _is_name(name)]

    @cached_property
    def day(self) -> datetime.date | None:
        """The day of publication, else that of the last change."""
        return next((day for text in self.texts(DATES) if (day := _day_in(text))), None)


class _Reader:
    """Finds on the page what belongs to one text."""

    def __init__(self, blocks: TextBlocks, kept: BoolArray) -> None:
        self.blocks, self.kept = blocks, kept
        self.page: Page = blocks.page
        self.published = _Published(blocks.page)

    # ------------------------------------------------------------------ title

    def title(self) -> Value | None:
        """The heading most like the page's own title; else that title; else the first heading."""
        heading = self._like_the_title()
        if heading < 0 and self.published.title:
            return Value(self.published.title)
        if heading < 0 and len(self.first_headings):
            heading = int(self.first_headings[0])
        return self.value(heading) if heading >= 0 else None

    def _like_the_title(self) -> int:
        """The heading that is most like a title; -1 if none is."""
        best, heading = 0.0, -1
        for row in np.flatnonzero(self.blocks.inside(self.page.with_tag("h1", "h2", "h3"))).tolist():
            words = _words(self.blocks.texts[row])
            for form, share in self.published.forms:
                likeness = len(words & form) / max(len(words), len(form))
                if likeness < ALIKE:
                    continue
                worth = likeness + WHOLE * share + FIRST_LEVEL * self.is_first[row] + SEEN * self.blocks.visible[row]
                if worth > best:
                    best, heading = worth, row
        return heading

    @cached_property
    def is_first(self) -> BoolArray:
        """Which blocks are headings of the first level."""
        return self.blocks.inside(self.page.with_tag("h1"))

    @cached_property
    def first_headings(self) -> NodeNumbers:
        """Visible headings of the first level, in order."""
        return np.flatnonzero(self.is_first & self.blocks.visible)

    # ------------------------------------------------------------------ byline

    def byline(self) -> Value | None:
        """The author: the name in the page's data, located where it can be read; else the line that says "by"."""
        names = self.published.authors
        for name in names:
            row = next(self.near(partial(_contains_name, name.casefold())), -1)
            if row >= 0:
                return self.value(row, name)
        for row in [*self.near_rows(self._called_author()), *self.near(_begins_with_by)]:
            name = _name_in(self.blocks.texts[row])
            if name:
                return self.value(row, name)
        return Value(names[0]) if names else None

    def _called_author(self) -> NodeNumbers:
        """The short blocks near the beginning in elements named after the author."""
        marked = np.zeros(len(self.page), dtype=bool)
        for name in NAMING:
            column = self.page.attribute(name)
            used = np.unique(column)
            ids = [value for value in used.tolist() if value >= 0 and BYLINE_NAMES.search(self.page.strings[value])]
            marked |= np.isin(column, ids)
        rows = self.around[self.blocks.inside(np.flatnonzero(marked))[self.around]]
        return rows[[len(self.blocks.tokens[row]) <= LONGEST_BYLINE for row in rows.tolist()]]

    # ------------------------------------------------------------------ date

    def date(self) -> Value | None:
        """When it was published: by the page's own data, by `<time>`, or by a date near its beginning."""
        if self.published.day:
            return self._dated(self.published.day)
        return self._by_time() or self._by_text()

    def _dated(self, day: datetime.date) -> Value:
        """A day from the page's data, located where it can be read, if it can."""
        written = re.compile(rf"\b0?{day.day}(?:\D|$)")
        for row in self.near(_says_date):
            found = WRITTEN_DATE.search(self.blocks.texts[row])
            if found and str(day.year) in found[0] and written.search(found[0]):
                return Value(day.isoformat(), day, self.value(row).origin)
        return Value(day.isoformat(), day)

    def _by_time(self) -> Value | None:
        """The day of the first `<time>` near the beginning; of any, if all agree."""
        times = self.page.attribute("datetime")
        stamps = [(node, _day_in(self.page.strings[times[node]])) for node in np.flatnonzero(times >= 0).tolist()]
        dated = [(node, day) for node, day in stamps if day]
        near = [stamp for stamp in dated if self._is_near(stamp[0])]
        if not near and len({day for _, day in dated}) != 1:
            return None
        node, day = (near or dated)[0]
        return Value(day.isoformat(), day, origin_of(self.page, [node]))

    def _by_text(self) -> Value | None:
        """The date nearest to the beginning, as written."""
        for row in self.near(_says_date):
            found = WRITTEN_DATE.search(self.blocks.texts[row])
            if found:
                return self.value(row, found[0])
        return None

    # ------------------------------------------------------------------ places

    @cached_property
    def begin(self) -> int:
        """The block with which the text, or its heading, begins."""
        first = int(np.argmax(self.kept)) if self.kept.any() else 0
        above = self.first_headings[self.first_headings <= first]
        return int(above[-1]) if len(above) else first

    @cached_property
    def around(self) -> NodeNumbers:
        """The blocks near the beginning of the text: those closest after it first, then those before it."""
        rows = np.arange(max(0, self.begin - SEARCHED), min(len(self.blocks), self.begin + SEARCHED + 1))
        far = np.where(rows >= self.begin, rows - self.begin, 2 * (self.begin - rows))
        nearest_first: NodeNumbers = rows[np.argsort(far, kind="stable")]
        return nearest_first

    def near(self, wanted: Callable[[str], bool]) -> Iterator[int]:
        """The blocks near the beginning with a wanted text; hidden ones only if none is visible."""
        rows = self.around
        yield from self.near_rows(rows[[wanted(self.blocks.texts[row]) for row in rows.tolist()]])

    def near_rows(self, rows: NodeNumbers) -> Iterator[int]:
        """The visible ones of some blocks; all of them if none is."""
        visible = rows[self.blocks.visible[rows]]
        yield from (visible if len(visible) else rows).tolist()

    def _is_near(self, node: int) -> bool:
        """Whether a node is near the beginning of the text."""
        return abs(int(np.searchsorted(self.blocks.start, node)) - self.begin) <= SEARCHED

    def value(self, row: int, text: str | None = None) -> Value:
        """The text of a block, or a part of it, with its place."""
        nodes = self.blocks.nodes[self.blocks.first[row] : self.blocks.first[row + 1]]
        origin = origin_at(self.page, nodes[~self.page.is_blank[nodes]], self.blocks.box(row))
        return Value(text or self.blocks.texts[row], None, origin)


def _words(text: str) -> frozenset[str]:
    """The words of a title, as they are compared."""
    return frozenset(WORD.findall(text.casefold()))


def _contains_name(name: str, line: str) -> bool:
    """Whether a name, in lower case, is in a short line."""
    return len(line) < NAME_SIZE and name in line.casefold()


def _begins_with_by(line: str) -> bool:
    """Whether a short line begins with "by"."""
    return len(line) < BYLINE_SIZE and bool(BY.match(line))


def _says_date(line: str) -> bool:
    """Whether a short line has a date in it."""
    return len(line) < DATE_SIZE and bool(WRITTEN_DATE.search(line))


def _day_in(text: str) -> datetime.date | None:
    """The day in a text such as `2024-06-20T18:50:31Z`.

    >>> _day_in("2024-06-20T18:50:31Z"), _day_in("2024-02-31")
    (datetime.date(2024, 6, 20), None)
    """
    found = ISO_DATE.search(text)
    try:
        return datetime.date.fromisoformat(found[0]) if found else None
    except ValueError:  # the 31st of February
        return None


def _name_in(line: str) -> str:
    """The name in a byline.

    >>> _name_in("By Ada Lovelace, 5 May 2020")
    'Ada Lovelace'
    """
    rest = BY.sub("", line, count=1) if BY.match(line) else line
    rest = WRITTEN_DATE.sub("", BEHIND_NAME.split(rest)[0]).strip(" ,:;|-–—•·")
    return rest if _is_name(rest) else ""


def _is_name(text: str) -> bool:
    """Whether a text may be a person's name."""
    words = text.split()
    return 0 < len(words) <= LONGEST_NAME and not NO_NAME.search(text) and text[:1].isalpha() and len(text) > 2
