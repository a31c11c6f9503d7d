"""Generates a small web for discovery: 60 sites, 5,000 pages, 6 of the sites with the data that is looked for.

The other 54 are made to be mistaken for them: blogs and news about the domain (some posts compare two or three things
in a small table), forums whose threads are tables, spam farms stuffed with the phrases and tables of offers, glossaries
with every phrase in a table, directories of links, and shops and databases of similar things with tables of the same
make. Which site is made how is random; so are the names of attributes, the marking-up, and the sizes. In prose some
phrases are much more common than others (the n-th has the weight 1/n), each time others.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.crawl.discovery_domains import Attribute, Domain, Kind

__all__ = ["PAGES", "RELEVANT", "SITES", "GeneratedSite", "make_sites", "make_web", "write_warc"]

SITES, RELEVANT, PAGES = 60, 6, 5_000
# How many sites there are of each sort; the rest of the 60 are blogs.
SORTS = {"relevant": 6, "neighbour": 11, "news": 8, "forum": 8, "spam": 5, "glossary": 3, "directory": 3, "shop": 3}
WORDS = (  # noqa: SIM905 - nobody reads 260 literals
    "about after again already also always another around because before better between bought bright build carry "
    "case change city clear close cold come common compare cost course day deal different early easy enough evening "
    "every expect feel few find first follow friend garden general give good great group hand happen hard heard heavy "
    "help high home hope house important inside interest keep kind know large last later leave left less letter life "
    "light like line little live long look make many market matter mean mind modern money month more morning most "
    "mountain move much must name near need never new news next nice night nothing number offer often old once only "
    "open order other outside over own paper part people perhaps person photo place plan play point price problem "
    "product quality question quick quite rather read ready real reason recent result return right river road room "
    "school season second seem sell send several short show side simple since small some soon sound space stand start "
    "still stop store story street strong such sure table take talk tell test thing think time today together too "
    "town travel tree trip true try turn under until use value very visit wait walk want warm watch water way week "
    "well while whole wide window winter without wonder work world write year yesterday young "
).split()
SYLLABLES = (
    *("ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "qui", "ro", "su", "ta", "ve", "wi"),
    *("xa", "yo", "zu", "bri", "cla", "dro", "fle", "gri", "pla", "sto", "tra"),
)


@dataclass(frozen=True)
class GeneratedSite:
    """A site: its name, what sort it is of, and its pages, each a path with HTML."""

    host: str
    sort: str
    pages: tuple[tuple[str, str], ...]


def make_web(domain: Domain, seed: int, pages: int = PAGES) -> list[GeneratedSite]:
    """All sites, in random order."""
    counts = {**SORTS, "blog": SITES - sum(SORTS.values())}
    return make_sites(domain, counts, pages, random.Random(f"{domain.name} {seed}"))


def make_sites(domain: Domain, counts: Mapping[str, int], pages: int, chance: random.Random) -> list[GeneratedSite]:
    """So many sites of each sort, in random order."""
    sorts = [sort for sort, count in counts.items() for _ in range(count)]
    sizes = _sizes(sorts, pages, chance)
    hosts = _hosts(len(sorts), chance)
    common = chance.sample(domain.phrases, len(domain.phrases))
    sites = [
        _Maker(domain, sort, host, chance, common).site(size)
        for sort, host, size in zip(sorts, hosts, sizes, strict=True)
    ]
    chance.shuffle(sites)
    return sites


def _sizes(sorts: Sequence[str], pages: int, chance: random.Random) -> list[int]:
    """How many pages each site has: from a dozen to some hundreds, the relevant ones no larger than others."""
    raw = [chance.lognormvariate(0, 0.7) * (0.3 if sort == "glossary" else 1.0) for sort in sorts]
    scale = (pages - 12 * len(sorts)) / sum(raw)
    sizes = [12 + int(one * scale) for one in raw]
    sizes[-1] += pages - sum(sizes)
    return sizes


def _hosts(count: int, chance: random.Random) -> list[str]:
    names: set[str] = set()
    while len(names) < count:
        names.add("".join(chance.choices(SYLLABLES, k=3)))
    prefixes = ("", "www.", "shop.", "blog.")
    endings = (".example", ".test.example", ".co.uk", ".com", ".org")
    hosts = [f"{chance.choice(prefixes)}{name}{chance.choice(endings)}" for name in sorted(names)]
    chance.shuffle(hosts)
    # `a.test.example` and `b.test.example` would be one site.
    return [host.replace(".test.example", ".example") for host in hosts]


class _Maker:
    """Makes the pages of one site, all in one style."""

    def __init__(self, domain: Domain, sort: str, host: str, chance: random.Random, common: Sequence[str]) -> None:
        """`common` are the phrases, those that prose has most first."""
        self.domain = domain
        self.common = common
        self.sort = sort
        self.host = host
        self.chance = chance
        self.kind = domain.kind if sort != "neighbour" else chance.choice(domain.neighbours)
        self.names = {
            attribute: attribute.names[0] if chance.random() < 0.65 else chance.choice(attribute.names)
            for attribute in self.kind.attributes
        }
        kept = chance.uniform(0.65, 1.0)
        several = [attribute for attribute in self.kind.attributes if chance.random() < kept]
        self.attributes = several if len(several) >= 4 else list(self.kind.attributes)
        self.style = chance.choice(("th", "td", "bold", "dl-table"))
        self.menu = "".join(f"<li><a href='/{word}/'>{word.title()}</a>" for word in chance.sample(WORDS, 7))
        self.spam_rows = [(self.thing_name(), "Best price", "Buy now") for _ in range(8)]

    def site(self, size: int) -> GeneratedSite:
        """The site with so many pages."""
        makers: dict[str, Callable[[int], tuple[str, str]]] = {
            "relevant": self.relevant,
            "neighbour": self.relevant,
            "blog": self.post,
            "news": self.article,
            "forum": self.thread,
            "spam": self.spam,
            "glossary": self.glossary,
            "directory": self.directory,
            "shop": self.other_shop,
        }
        self.data_share = self.chance.uniform(0.4, 0.85)
        self.catalogue_share = self.chance.choice((0.0, 0.1, 0.5, 1.0))
        return GeneratedSite(self.host, self.sort, tuple(makers[self.sort](number) for number in range(size)))

    # ---------------------------------------------------------------- words

    def words(self, count: int) -> str:
        return " ".join(self.chance.choices(WORDS, k=count))

    def prose(self, sentences: int, density: float) -> str:
        """Sentences, with phrases of the domain at a density."""
        made = []
        for _ in range(sentences):
            words = self.chance.choices(WORDS, k=self.chance.randint(6, 16))
            for place in range(len(words)):
                if self.chance.random() < density:
                    words[place] = self.phrase()
            made.append(" ".join(words).capitalize() + ".")
        return " ".join(made)

    def paragraphs(self, count: int, density: float) -> str:
        return "".join(f"<p>{self.prose(self.chance.randint(2, 6), density)}</p>" for _ in range(count))

    def value(self, pattern: str) -> str:
        chosen = self.chance.choice(pattern.split("|"))
        return "".join(str(self.chance.randint(1, 9)) if letter == "#" else letter for letter in chosen)

    def thing_name(self, kind: Kind | None = None) -> str:
        maker = self.chance.choice((kind or self.kind).makers)
        return f"{maker} {self.chance.choice('ABCDEGKLMPRSXZ')}{self.chance.randint(1, 999)}"

    def nickname(self) -> str:
        return "".join(self.chance.choices(SYLLABLES, k=2))

    def phrase(self) -> str:
        """A phrase of the domain as prose has them."""
        return self.chance.choices(self.common, [1 / (1 + place) for place in range(len(self.common))])[0]

    # ---------------------------------------------------------------- pages

    def page(self, title: str, body: str) -> str:
        return (
            f"<!doctype html><html lang=en><head><meta charset=utf-8><title>{title}</title></head><body>"
            f"<header><h1>{self.host}</h1><nav><ul>{self.menu}</ul></nav></header><main><h2>{title}</h2>{body}</main>"
            f"<aside><h3>Popular</h3><ul><li><a href='/a'>{self.words(3)}</a><li><a href='/b'>{self.words(4)}</a>"
            f"<li><a href='/c'>{self.words(3)}</a></ul></aside><footer>{self.words(6)} · Privacy · Contact</footer>"
            "</body></html>"
        )

    def relevant(self, number: int) -> tuple[str, str]:
        """A page of a shop or database: one thing, a list of things, or something beside them."""
        if self.chance.random() > self.data_share:
            density = self.chance.choice((0.0, 0.03, 0.06))
            return f"/{self.chance.choice(('news', 'help'))}/{number}", self.page(
                self.words(4).title(), self.paragraphs(self.chance.randint(2, 5), density)
            )
        if self.chance.random() < self.catalogue_share:
            title = f"{self.chance.choice(self.kind.makers)} {self.kind.thing} list {number}"
            return f"/list/{number}.html", self.page(title, self.catalogue(self.chance.randint(5, 20)))
        name = self.thing_name()
        # Sites about similar things speak of the domain, too: a lens is for a camera.
        density = self.chance.choice((0.02, 0.05, 0.08))
        body = (
            f"{self.paragraphs(1, density)}<h3>Specifications</h3>{self.specification()}{self.paragraphs(1, density)}"
        )
        return f"/{self.kind.thing.split()[-1]}/{name.replace(' ', '-').lower()}-{number}", self.page(
            f"{name} {self.kind.thing}", body
        )

    def specification(self) -> str:
        rows = [(self.names[one], self.value(one.values)) for one in self.attributes if self.chance.random() < 0.95]
        head, cell = {"th": ("th", "td"), "bold": ("td", "td")}.get(self.style, ("td", "td"))
        shown = [f"<b>{name}</b>" if self.style == "bold" else name for name, _ in rows]
        lines = (
            f"<tr><{head}>{name}</{head}><{cell}>{value}</{cell}></tr>"
            for name, (_, value) in zip(shown, rows, strict=True)
        )
        return f"<table class=specs>{''.join(lines)}</table>"

    def catalogue(self, count: int, attributes: Sequence[Attribute] | None = None) -> str:
        chosen = list(attributes or self.attributes[:8])
        head = "".join(f"<th>{self.names[one]}</th>" for one in chosen)
        rows = (
            f"<tr><td><a href='/x/{number}'>{self.thing_name()}</a></td>"
            + "".join(f"<td>{self.value(one.values)}</td>" for one in chosen)
            + "</tr>"
            for number in range(count)
        )
        return f"<table><tr><th>Model</th>{head}</tr>{''.join(rows)}</table>"

    def post(self, number: int) -> tuple[str, str]:
        density = self.chance.choice((0.0, 0.03, 0.08))
        body = self.paragraphs(self.chance.randint(3, 8), density)
        if self.chance.random() < 0.12:  # a comparison of two or three things
            few = self.chance.sample(self.attributes, min(4, len(self.attributes)))
            body += self.catalogue(self.chance.randint(2, 3), few)
        if self.chance.random() < 0.3:
            days = "".join(f"<td>{day}</td>" + ("</tr><tr>" if day % 7 == 0 else "") for day in range(1, 31))
            body += f"<table class=calendar><caption>Archive</caption><tr>{days}</tr></table>"
        return f"/20{self.chance.randint(10, 25)}/{number:02}/{self.chance.choice(WORDS)}", self.page(
            self.prose(1, density)[:60], body
        )

    def article(self, number: int) -> tuple[str, str]:
        density = self.chance.choice((0.0, 0.02, 0.05))
        body = self.paragraphs(self.chance.randint(3, 9), density)
        if self.chance.random() < 0.2:
            things = self.chance.sample(self.domain.phrases, 3)
            head = "".join(f"<th>{thing} sales</th>" for thing in things)
            counts = [[self.value("#,###") for _ in things] for _ in range(9)]
            rows = "".join(
                f"<tr><td>{year}</td>{''.join(f'<td>{count}</td>' for count in line)}</tr>"
                for year, line in enumerate(counts, start=2015)
            )
            body += f"<table><caption>The market in numbers</caption><tr><th>Year</th>{head}</tr>{rows}</table>"
        return f"/article/{number}.html", self.page(self.prose(1, density)[:70], body)

    def thread(self, number: int) -> tuple[str, str]:
        density = self.chance.choice((0.02, 0.06, 0.1))
        if self.chance.random() < 0.4:
            rows = "".join(
                f"<tr><td><a href='/t/{place}'>{self.prose(1, density)[:70]}</a></td><td>{self.nickname()}</td>"
                f"<td>{self.value('##')}</td><td>{self.value('###')}</td><td>{self.value('## May 20##')}</td></tr>"
                for place in range(self.chance.randint(10, 25))
            )
            heads = "<tr><th>Topic</th><th>Author</th><th>Replies</th><th>Views</th><th>Last post</th></tr>"
            return f"/forum/{number}", self.page(self.words(3).title(), f"<table>{heads}{rows}</table>")
        rows = "".join(
            f"<tr><td>{self.nickname()}<br>{self.value('## May 20##')}</td>"
            f"<td>{self.prose(self.chance.randint(1, 5), density)}</td></tr>"
            for _ in range(self.chance.randint(3, 12))
        )
        return f"/thread/{number}", self.page(self.prose(1, density)[:60], f"<table class=posts>{rows}</table>")

    def spam(self, number: int) -> tuple[str, str]:
        """Phrases over phrases, and the same offers on every page."""
        phrases = self.chance.sample(self.domain.phrases, min(9, len(self.domain.phrases)))
        stuffed = f"<p>{', '.join(phrases)}: cheap {phrases[0]}, best {phrases[1]}, {self.prose(3, 0.4)}</p>"
        heads = "".join(f"<th>{phrase}</th>" for phrase in phrases[:3])
        rows = "".join(f"<tr>{''.join(f'<td>{text}</td>' for text in row)}</tr>" for row in self.spam_rows)
        fresh = "".join(
            f"<tr><td>{self.thing_name()}</td><td>{self.value('$###.00')}</td><td>Buy now</td></tr>" for _ in "12"
        )
        body = f"{stuffed}<table><tr>{heads}</tr>{rows}{fresh}</table>{self.paragraphs(2, 0.3)}"
        return f"/cheap-{'-'.join(phrases[0].split())}-{number}", self.page(" ".join(phrases[:5]), body)

    def glossary(self, number: int) -> tuple[str, str]:
        """One page explains every phrase; the others explain other words."""
        terms = list(self.domain.phrases) if number == 0 else self.chance.sample(WORDS, 14)
        if number and self.chance.random() < 0.3:
            terms += self.chance.sample(self.domain.phrases, 2)
        rows = "".join(
            f"<tr><td>{term}</td><td>{self.prose(self.chance.randint(1, 3), 0.04)}</td></tr>" for term in terms
        )
        return f"/glossary/{number}", self.page(
            f"Glossary {number}", f"<table><tr><th>Term</th><th>Meaning</th></tr>{rows}</table>"
        )

    def directory(self, number: int) -> tuple[str, str]:
        rows = "".join(
            f"<tr><td><a href='http://{self.chance.choice(SYLLABLES)}.example'>{self.words(2).title()}</a></td>"
            f"<td>{self.prose(1, 0.12)}</td><td>{self.value('#.#')}</td></tr>"
            for _ in range(self.chance.randint(8, 20))
        )
        return f"/links/{number}", self.page(
            f"Links: {self.chance.choice(self.domain.phrases)}",
            f"<table><tr><th>Site</th><th>About</th><th>Rating</th></tr>{rows}</table>",
        )

    def other_shop(self, number: int) -> tuple[str, str]:
        """Other things altogether, with a word on the domain now and then."""
        names = self.chance.sample(WORDS, 5)
        rows = "".join(f"<tr><th>{name.title()}</th><td>{self.value('##|### cm|yes')}</td></tr>" for name in names)
        density = self.chance.choice((0.0, 0.02, 0.05))
        return f"/item/{number}", self.page(
            self.words(3).title(), f"{self.paragraphs(2, density)}<table>{rows}</table>"
        )


def write_warc(sites: Sequence[GeneratedSite], path: Path) -> Path:
    """All pages of all sites in one archive."""
    with path.open("wb") as stream:
        for record in _records(sites):
            stream.write(record)
    return path


def _records(sites: Sequence[GeneratedSite]) -> Iterator[bytes]:
    for site in sites:
        for place, html in site.pages:
            body = html.encode()
            answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
            head = (
                f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: https://{site.host}{place}\r\n"
                "WARC-Date: 2024-05-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000000>\r\n"
                f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(answer)}\r\n\r\n"
            )
            yield head.encode() + answer + b"\r\n\r\n"
