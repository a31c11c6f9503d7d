"""Gathers the statements of any number of pages: what is kept grows with the facts, not with the pages."""

from collections import Counter
from dataclasses import dataclass, field

from sightline.crawler.facts._compare import Comparable, comparables, decimal_marks
from sightline.crawler.facts._names import page_subject, text_key, title_parts
from sightline.crawler.facts._statements import PageStatements, Sighting, Statement

__all__ = ["Claim", "GatheredClaims", "Support"]

FEWEST_TITLES = 3  # of a site, before a part that most of them have counts as the site's own name


@dataclass(slots=True)
class Support:
    """How often a site says something, and where: the first few places."""

    pages: int = 0
    places: list[Sighting] = field(default_factory=list)
    last: int = -1  # the page that was counted last, so that it counts once


@dataclass(slots=True)
class _HeadingColumn:
    """All that a site says under one heading: subject, text, support."""

    languages: Counter[str | None] = field(default_factory=Counter)
    cells: dict[int, dict[str, Support]] = field(default_factory=dict)

    @property
    def texts(self) -> list[str]:
        return list(dict.fromkeys(text for cell in self.cells.values() for text in cell))

    @property
    def language(self) -> str | None:
        return self.languages.most_common(1)[0][0]


@dataclass(frozen=True, slots=True)
class Claim:
    """What one site says about one subject under one heading, and what that means."""

    site: int
    subject: int
    heading: str
    value: Comparable
    support: Support


class GatheredClaims:
    """Takes pages one by one; `claims` gives what they say together, each text read as its column and site say."""

    def __init__(self, places: int = 3) -> None:
        self.pages = 0
        self.mirrors = 0
        self.set_aside = 0
        self.sites: dict[str, int] = {}
        self._places = places
        self._contents: dict[str, int] = {}
        self._subjects: dict[tuple[str, int, bool], int] = {}
        self._columns: dict[tuple[int, str], _HeadingColumn] = {}

    def add(self, page: PageStatements) -> None:
        """Take what a page states; a page that another site had word for word speaks for that site."""
        self.pages += 1
        self.set_aside += page.set_aside
        if not page.statements:
            return
        own = self.sites.setdefault(page.site, len(self.sites))
        site = self._contents.setdefault(page.content, own)
        self.mirrors += site != own
        for statement in page.statements:
            self._add(site, page, statement)

    def _add(self, site: int, page: PageStatements, statement: Statement) -> None:
        name = (" ".join(statement.subject.split()), site, statement.about_page)
        subject = self._subjects.setdefault(name, len(self._subjects))
        column = self._columns.setdefault((site, " ".join(statement.attribute.split())), _HeadingColumn())
        column.languages[page.language] += 1
        text = " ".join(statement.value.text.split())
        support = column.cells.setdefault(subject, {}).setdefault(text, Support())
        if support.last == self.pages:
            return
        support.pages, support.last = support.pages + 1, self.pages
        if len(support.places) < self._places:
            support.places.append(Sighting(page.address, page.page, statement.xpath, statement.value.origin))

    def subjects(self) -> list[tuple[str, int]]:
        """The name and site of every subject by number; titles of pages are without the name of their site."""
        titles: dict[int, list[str]] = {}
        for text, site, is_title in self._subjects:
            if is_title:
                titles.setdefault(site, []).append(text)
        repeated = {site: _repeated(several) for site, several in titles.items()}
        names = {number: site for site, number in self.sites.items()}
        return [
            (page_subject(text, repeated[site] | _named(text, names[site])) or text if is_title else text, site)
            for text, site, is_title in self._subjects
        ]

    def claims(self) -> list[Claim]:
        """Everything that was said, by site and heading."""
        by_site: dict[int, list[tuple[str, _HeadingColumn]]] = {}
        for (site, heading), column in self._columns.items():
            by_site.setdefault(site, []).append((heading, column))
        found: list[Claim] = []
        for site, columns in by_site.items():
            decimal = decimal_marks((heading, column.texts, column.language) for heading, column in columns)
            for heading, column in columns:
                read = comparables(heading, column.texts, column.language, decimal)
                found += [
                    Claim(site, subject, heading, read[text], support)
                    for subject, cell in column.cells.items()
                    for text, support in cell.items()
                ]
        return found


def _repeated(titles: list[str]) -> frozenset[str]:
    """The parts that most titles of a site share: its own name, or what kind of pages these are."""
    parts = Counter(key for title in titles for key in {text_key(part) for part in title_parts(title)})
    enough = len(titles) >= FEWEST_TITLES
    return frozenset(key for key, count in parts.items() if enough and 2 * count > len(titles))


def _named(title: str, site: str) -> frozenset[str]:
    """The parts of a title that are the name of the site as its address has it."""
    host = text_key(site.rpartition(".")[0] or site)
    return frozenset(key for part in title_parts(title) if (key := text_key(part)) and key == host)
