"""The author of a text: of all names that a page tells as that of an author, the one that most speaks for."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, chain, islice
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from sightline.arrays import BoolArray
from sightline.data import Value
from sightline.extract.content._beginning import Beginning, Said, cleaned, worth
from sightline.extract.content._date import WRITTEN, has_year
from sightline.extract.content._lines import (
    AT_END,
    BY,
    INNER_BY,
    PERSON,
    ROLE,
    is_label,
    is_name,
    may_say_by,
    name_in,
    without_dates,
)
from sightline.page import ABSENT
from sightline.signals import NodeNumbers

# What speaks for a name. Fitted by `python -m bench.content.fit_about author`.
BYLINE_WEIGHTS: Mapping[str, float] = {
    "article person": 2.19,
    "by date": 0.91,
    "by line": 0.63,
    "by node": 0.64,
    "capitals": 0.62,
    "class line": 0.4,
    "class node": 0.17,
    "close after": 2.36,
    "contained": 0.67,
    "dated": 0.58,
    "digit": -0.49,
    "end by": 1.99,
    "far": 0.75,
    "first by": 0.55,
    "first class": 0.85,
    "first link": 0.73,
    "first user": 2.07,
    "label line": 1.45,
    "link node": 0.41,
    "lower": 0.63,
    "many words": -0.47,
    "meta article": 1.14,
    "meta author": 1.11,
    "meta twitter": 1.92,
    "microdata first": 1.2,
    "one word": 0.53,
    "plain": -0.58,
    "plain after": 0.61,
    "plain before": -0.94,
    "plain common": -2.2,
    "plain next": 0.44,
    "plain word": -1.37,
    "role": -0.42,
    "seen": 1.47,
    "site": 1.13,
    "two or three words": 1.22,
}
# Worth below which a line names nobody, unless the data of the page has that name: on articles and threads with a date
# and without one, and on pages of other kinds, most of which have no author. On the pages of the set they cost half a
# point of the right names, and spare 140 of 263 names on pages without an author.
LEAST_DATED, LEAST_UNDATED, LEAST_ELSEWHERE = 1.0, 2.5, 4.5
AUTHORED = ("article", "forum", "")  # kinds of pages; the last is not judged

# Where the data of a page names all who wrote a text.
TELLING = frozenset(("article person", "page person", "meta author", "meta article", "meta other", "microdata"))
# What stands between the names of several people, in the languages of half the world's newspapers.
LISTED = re.compile(r"\s*[,;&]\s*|\s+(?:and|und|et|y|e|en|og|och|i|ja|és|und|и|і|ve|και|و|और|dan|na)\s+|[、・]")

BYLINE_SIZE, NAME_SIZE, END_SIZE = 90, 150, 200  # characters of lines that say "by", that hold a name, and at the end
NEARNESS = 5  # blocks, at which a name counts half as much as next to the beginning
PLAIN_FROM, PLAIN_TO = -8, 12  # blocks around the beginning in which a name may stand without any sign
NEXT = 3  # blocks below the title in which the author is named most often
END = (8, 15)  # blocks before and after the last one of the text
MOST_FAR, MOST_NODES, MOST_SAID = 4, 4, 3
SPLIT = re.compile(r"\s+[|•·–—/-]\s+|[|•·]|\d+ min\w*(?: read)?")
SPLIT_SIGNS = ("|", "•", "·", "–", "—", "/", "-", "min")  # without any of these there is nothing to split
BEHIND_PLACE = re.compile(r"\s(?:in|on|at)\s.*$")
AROUND_ALL = ("html", "body")
NAMING = ("class", "rel", "itemprop", "id")
# Parts of names, in lower case; looked for as plain texts, which is several times as fast as a pattern.
AUTHOR_NAMES = ("author", "byline", "auteur", "autor")
USER_NAMES = (
    *("username", "user-name", "user_name", "poster", "creator", "nickname", "displayname", "display-name", "started"),
    *("profilename", "profile-name"),
)
LINK_PARTS = (
    *("/author", "/contributor", "/writer", "/by/", "/byline/", "author=", "/u/", "/user", "/member", "/profile"),
    "/people",
)
AUTHOR_LINK = re.compile(
    r"/(?:authors?|contributors?|writers?|by|byline)/|[?&]author=|/u/[^/]+/?$"
    r"|/(?:users?|members?|profile|people)[/.][^/]+"
)
SITES = ("og:site_name", "application-name", "publisher", "apple-mobile-web-app-title")
WRITTEN_BY = re.compile(r"writ|author|by\b|autor|verfasst|écrit|escrito", re.IGNORECASE)
METAS = {"author": "meta author", "article:author": "meta article", "citation_author": "meta citation"} | dict.fromkeys(
    (
        *(
            "sailthru.author",
            "parsely-author",
            "dc.creator",
            "dcterms.creator",
            "creator",
            "byl",
            "og:author",
            "authors",
        ),
        *("dc.author", "author_name", "article:author_name", "content:author", "page-author", "blog:author"),
    ),
    "meta other",
)
WORD = re.compile(r"\w+")


@dataclass(eq=False)
class NameCandidate:
    """A name that may be the author's, its words, what speaks for it, and the block where it is read."""

    name: str
    words: tuple[str, ...]
    parts: dict[str, float] = field(default_factory=dict)
    row: int = -1
    told: bool = False  # by the data of the page

    @cached_property
    def flat(self) -> str:
        """The words in one line, to look for them in others."""
        return f" {' '.join(self.words)} "


def find_names(said: Said, beginning: Beginning | None, title: str, *, dated: bool) -> list[Value]:
    """Who wrote a text: the name for which most speaks, and those told beside it, located where they can be read."""
    found = name_candidates(said, beginning, title)
    best = best_name(found, BYLINE_WEIGHTS)
    least = LEAST_ELSEWHERE if said.page_kind not in AUTHORED else LEAST_DATED if dated else LEAST_UNDATED
    if best is None or not (best.told or worth(best.parts, BYLINE_WEIGHTS) >= least):
        return []
    return [
        beginning.value([one.row], one.name) if beginning is not None and one.row >= 0 else Value(one.name)
        for one in told_together(found, best)
    ]


def told_together(found: Sequence[NameCandidate], best: NameCandidate) -> list[NameCandidate]:
    """The best name, and those that the data of the page tells in the same place; none that is part of another.

    What stands beside a name in its line is as often a job or a place: out of fold that loses two points of F1.
    """
    chosen, sources = [best], TELLING & best.parts.keys()
    for one in found if sources else ():
        if sources & one.parts.keys() and not any(one.flat in other.flat or other.flat in one.flat for other in chosen):
            chosen.append(one)
    return chosen


def people_in_list(name: str) -> list[str]:
    """The names in a line of several.

    >>> people_in_list("Ada Lovelace, Charles Babbage und Mary Somerville"), people_in_list("Smith, Inc")
    (['Ada Lovelace', 'Charles Babbage', 'Mary Somerville'], ['Smith, Inc'])
    """
    pieces = [piece.strip() for piece in LISTED.split(name) if piece.strip()]
    is_list = len(pieces) > 1 and len(pieces[0].split()) > 1 and all(map(is_name, pieces))
    return pieces if is_list else [name]


def best_name(found: Sequence[NameCandidate], weights: Mapping[str, float]) -> NameCandidate | None:
    """The candidate for which most speaks."""
    return max(found, key=lambda one: worth(one.parts, weights), default=None)


def name_candidates(said: Said, beginning: Beginning | None, title: str) -> list[NameCandidate]:
    """The names that a page tells in its data, and around its text."""
    names = _Names(said, title)
    names.read_data()
    for one in names.found.values():
        one.told = True
    if beginning is not None:
        lines = _Lines(said, beginning, names)
        lines.read_known()
        lines.read_marked()
        lines.read_plain()
        lines.read_end()
        lines.read_far()
    names.compare()
    return list(names.found.values())


class _Names:
    """The names of a page, each with all that speaks for it."""

    def __init__(self, said: Said, title: str) -> None:
        self.said = said
        self.found: dict[tuple[str, ...], NameCandidate] = {}
        self.title = _words(title)

    def add(self, name: str, *parts: str, row: int = -1, value: float = 1.0) -> None:
        words = _words(name)
        if not words or words == self.title:
            return
        one = self.found.setdefault(words, NameCandidate(name, words))
        for part in parts:
            one.parts[part] = max(one.parts.get(part, 0.0), value)
        if row >= 0 and one.row < 0:
            one.row, one.name = row, name

    def read_data(self) -> None:
        """JSON-LD, meta elements and microdata."""
        for thing in self.said.things:
            for key in ("author", "creator"):
                for name, kind in self._people(thing.values.get(key)):
                    self.add(name, f"{thing.rank} {kind}")
        for text, part in self._metas():
            if name := name_in(text):
                self.add(name, part)
        for place in "12":
            label, text = ((self.said.meta.get(f"twitter:{kind}{place}") or [""])[0] for kind in ("label", "data"))
            if WRITTEN_BY.search(label) and (name := name_in(text)):
                self.add(name, "meta twitter")
        for number, name in enumerate(islice(self._microdata(), MOST_SAID)):
            self.add(name, "microdata", *([] if number else ["microdata first"]))

    def _metas(self) -> Iterator[tuple[str, str]]:
        """What meta elements say of authors, and where; lists of three and more are taken apart."""
        for key, part in METAS.items():
            for text in self.said.meta.get(key, ())[:MOST_SAID]:
                yield from ((one, part) for one in (text.split(",") if text.count(",") > 1 else [text]))

    def _people(self, given: Any) -> Iterator[tuple[str, str]]:
        """The names of authors in JSON-LD, and whether each is a person; references are followed."""
        for one in given if isinstance(given, list) else [given]:
            who = one
            if isinstance(one, dict) and "name" not in one and isinstance(one.get("@id"), str):
                who = self.said.by_id.get(one["@id"], one)
            kind = "organization" if isinstance(who, dict) and "Organization" in str(who.get("@type")) else "person"
            names = who.get("name") if isinstance(who, Mapping) else who
            for text in names if isinstance(names, list) else [names]:
                if isinstance(text, str) and (name := name_in(cleaned(text))):
                    yield name, kind

    def _microdata(self) -> Iterator[str]:
        """The names of authors in microdata that are not written, in the order of the page."""
        page = self.said.page
        written = page.value_id("itemprop", "author")
        if written == ABSENT:
            return
        props, contents = self.said.attribute("itemprop"), self.said.attribute("content")
        nodes = np.flatnonzero((props >= 0) & (contents >= 0))
        for author in np.flatnonzero(props == written).tolist():
            inside = nodes[(nodes >= author) & (nodes < page.end[author])].tolist()
            told = [node for node in inside if node == author or page.strings[props[node]] == "name"]
            if told and (name := name_in(cleaned(page.strings[contents[told[0]]]))):
                yield name

    def compare(self) -> None:
        """What a name is like, and what is known of it only beside the others."""
        host = urlsplit(self.said.address).netloc.removeprefix("www.").replace("-", "")
        title = f" {' '.join(self.title)} "
        flats = [one.flat for one in self.found.values()]
        for one in self.found.values():
            joined = "".join(one.words)
            tokens = one.name.split()
            one.parts |= {
                "site": float(one.words in self._sites),
                "host": float(bool(host) and (joined in host or (len(tokens) > 1 and host.split(".")[0] in joined))),
                "one word": float(len(one.words) == 1),
                "two or three words": float(len(one.words) in (2, 3)),
                "many words": float(len(one.words) > 4),
                "role": float(bool(ROLE.search(one.name))),
                "digit": float(any(letter.isdigit() for letter in one.name)),
                "capitals": sum(token[:1].isupper() for token in tokens) / len(tokens),
                "lower": float(one.name.islower()),
                "contains": float(any(len(flat) < len(one.flat) and flat in one.flat for flat in flats)),
                "contained": float(any(len(flat) > len(one.flat) and one.flat in flat for flat in flats)),
                "in title": float(one.flat in title),
            }

    @cached_property
    def _sites(self) -> set[tuple[str, ...]]:
        """The words of the names of the site and of organizations."""
        names = [name for key in SITES for name in self.said.meta.get(key, ())]
        return {_words(name) for name in (*names, *self.said.makers)}


class _Lines:
    """Finds names in the lines around a text."""

    def __init__(self, said: Said, beginning: Beginning, names: _Names) -> None:
        self.said, self.beginning, self.names = said, beginning, names
        self.blocks, self.page, self.texts = beginning.blocks, beginning.page, beginning.blocks.texts
        self.near = [row for row in beginning.around.tolist() if len(self.texts[row]) < NAME_SIZE]

    def read_known(self) -> None:
        """Where the names in the data can be read."""
        known = list(self.names.found.values())
        if not known:
            return
        for row in self.near:
            folded = self.texts[row].casefold()
            if not any(one.words[0] in folded for one in known):
                continue
            flat = f" {' '.join(WORD.findall(folded))} "
            part = "seen" if self.blocks.visible[row] else "hidden seen"
            for one in known:
                if one.flat in flat:
                    self.names.add(one.name, part, row=row)
                    self.names.add(one.name, "seen close", value=self._closeness(row))

    def read_marked(self) -> None:
        """Lines that say "by", that follow a label, or whose element or link is that of an author."""
        first: dict[str, int] = {}
        marks = {source: inside.tolist() for source, inside in self._marks.items() if inside.any()}
        for row in self.near:
            text = self.texts[row]
            sources = [source for source, inside in marks.items() if inside[row]]
            if len(text) < BYLINE_SIZE and may_say_by(text) and BY.match(text):
                sources.append("by")
            if self._is_labelled(row):
                sources.append("label")
            if not sources or is_label(text):
                continue
            visible = bool(self.blocks.visible[row])
            for name, how in self._names_in(row):
                for source in sources:
                    if visible:
                        first.setdefault(source, row)
                    hidden = "" if visible else "hidden "
                    self.names.add(name, f"{hidden}{source}", f"{source} {how}", row=row)
                    if first.get(source) == row:
                        self.names.add(name, f"first {source}")
                side = "after" if row >= self.beginning.begin else "before"
                self.names.add(name, f"close {side}", value=self._closeness(row))

    def read_plain(self) -> None:
        """Lines around the title that are a name, or have one beside a date, without any other sign."""
        begin, dated = self.beginning.begin, self._dated
        for row in self.near:
            text, far = self.texts[row], row - begin
            if not PLAIN_FROM <= far <= PLAIN_TO or not far:
                continue
            side = "after" if far > 0 else "before"
            inner = INNER_BY.search(text) if "by" in text or "By" in text or "BY" in text else None
            if inner and inner.start() and (name := name_in(text[inner.end() :])):
                self.names.add(name, "inner by", *(["inner by dated"] if row in dated else []), row=row)
                self.names.add(name, f"close {side}", value=self._closeness(row))
            around = {row - 2, row - 1, row + 1, row + 2} & dated
            for name in _people_in(text):
                words = name.split()
                # A name is nowhere on the page in small letters.
                common = sum(word.casefold().strip(".,") in self._written for word in words) / len(words)
                if len(words) == 1 and (common or not (row in dated or around)):
                    continue
                parts = ["plain" if len(words) > 1 else "plain word"]
                parts += ["dated"] if row in dated else ["by date"] if around else []
                parts += ["plain next"] if 0 < far <= NEXT and self.blocks.visible[row] else []
                parts += ["plain kept"] if self.beginning.kept[row] else []
                self.names.add(name, *parts, row=row)
                self.names.add(name, "plain common", value=common)
                self.names.add(name, f"plain {side}", value=self._closeness(row))

    def read_end(self) -> None:
        """Lines around the end of the text that say who wrote it."""
        near, last = set(self.near), self.beginning.last
        for row in range(max(last - END[0], 0), min(last + END[1], len(self.texts))):
            text = self.texts[row]
            if row in near or len(text) > END_SIZE:
                continue
            said = AT_END.match(text)
            if said and (name := name_in(text[said.end() :])):
                self.names.add(name, "end by", row=row)
            elif self._is_labelled(row) and (name := name_in(text)):
                self.names.add(name, "end label", row=row)

    def read_far(self) -> None:
        """Lines of authors elsewhere, as below the text; only a few, for lists have them as well."""
        marks = self._marks
        rows = np.flatnonzero((marks["class"] | marks["link"]) & self.blocks.visible).tolist()
        near = set(self.near)
        far = (row for row in rows if row not in near and len(self.texts[row]) < BYLINE_SIZE)
        for row in islice(far, MOST_FAR):
            if name := name_in(self.texts[row]):
                self.names.add(name, "far", row=row)

    @cached_property
    def _marks(self) -> dict[str, BoolArray]:
        """Which blocks are in elements named after an author or a user, or in links to one."""
        page, inside = self.page, self.blocks.inside
        anchors = page.with_tag("a")
        links = self.said.attribute("href")[anchors].tolist()
        holding = _holding(page.strings, {link for link in links if link >= 0}, LINK_PARTS)[0]
        to_people = {number for number in holding if AUTHOR_LINK.search(page.strings[number])}
        linked = anchors[[link in to_people for link in links]] if to_people else anchors[:0]
        author, user = self._called
        nodes = {"class": author, "user": user, "link": linked}
        nowhere = np.zeros(len(self.blocks), dtype=bool)
        return {source: inside(own) if len(own) else nowhere for source, own in nodes.items()}

    @cached_property
    def _called(self) -> tuple[NodeNumbers, NodeNumbers]:
        """The elements named after an author, and those named after a user."""
        page = self.page
        is_naming = np.zeros(len(page.strings) + 1, dtype=bool)  # the last one serves the number -1
        is_naming[[page.attribute_id(name) for name in NAMING]] = True
        is_naming[-1] = False
        rows = np.flatnonzero(is_naming[page.attributes.name])
        values = page.attributes.value[rows].tolist()
        author, user = (
            self._elements(rows, values, set(holding))
            for holding in _holding(page.strings, {value for value in values if value >= 0}, AUTHOR_NAMES, USER_NAMES)
        )
        return author, user

    def _elements(self, rows: NodeNumbers, values: Sequence[int], wanted: set[int]) -> NodeNumbers:
        """The elements, but those around everything, of attributes that have a wanted value."""
        if not wanted:
            return rows[:0]
        page = self.page
        found = rows[[value in wanted for value in values]]
        nodes = (page.attributes.start.searchsorted(found, side="right") - 1).tolist()
        return np.array(
            sorted({node for node in nodes if page.strings[page.tag[node]] not in AROUND_ALL}), dtype=np.intp
        )

    @cached_property
    def _dated(self) -> set[int]:
        """The lines near the beginning that hold a date."""
        return {row for row in self.near if has_year(self.texts[row]) and WRITTEN.search(self.texts[row])}

    @cached_property
    def _written(self) -> set[str]:
        """All that is on the page between blanks."""
        return set(chain.from_iterable(self.blocks.tokens))

    def _is_labelled(self, row: int) -> bool:
        """Whether a line, and no sentence, follows one such as "written by"."""
        if row <= 0 or not is_label(self.texts[row - 1]):
            return False
        text = self.texts[row]
        return len(text) < BYLINE_SIZE and not text.endswith((".", "!", "?"))

    def _names_in(self, row: int) -> Iterator[tuple[str, str]]:
        """The name in a line, and those in the single texts that it is made of."""
        line = name_in(self.texts[row])
        if line:
            yield line, "line"
        nodes = self.blocks.nodes[self.blocks.first[row] : self.blocks.first[row + 1]]
        nodes = nodes[~self.page.is_blank[nodes]]
        if len(nodes) == 1 and line:
            yield line, "node"
        for node in nodes[:MOST_NODES].tolist() if len(nodes) > 1 else ():
            if name := name_in(cleaned(self.page.strings[self.page.text[node]])):
                yield name, "node"

    def _closeness(self, row: int) -> float:
        return 1 / (1 + abs(row - self.beginning.begin) / NEARNESS)


def _people_in(line: str) -> Iterator[str]:
    """What looks like the name of a person in a line, beside dates and marks."""
    line = without_dates(line, "|")
    for part in SPLIT.split(line) if any(sign in line for sign in SPLIT_SIGNS) else [line]:
        name = part.strip(" ,:;-–—")
        name = BEHIND_PLACE.sub("", name) if " " in name else name
        if PERSON.match(name) and is_name(name) and not (may_say_by(name) and BY.match(name)):
            yield name


def _holding(strings: Sequence[str], used: set[int], *wanted: Sequence[str]) -> list[list[int]]:
    """For each group of texts, the numbers of the strings in use that hold one of them, whatever their case.

    All strings are searched as one, which is far quicker than to look into each.
    """
    numbers = list(used)
    own = [strings[number] for number in numbers]
    joined = "\0".join(own)
    if len(small := joined.lower()) != len(joined):  # a few capitals become two letters
        own = [string.lower() for string in own]
        small = "\0".join(own)
    found = [[text for text in texts if text in small] for texts in wanted]
    if not any(found):
        return [[] for _ in wanted]
    starts = list(accumulate((len(string) + 1 for string in own), initial=0))
    return [[numbers[row] for row in _rows_with(small, starts, texts)] for texts in found]


def _rows_with(joined: str, starts: Sequence[int], texts: Sequence[str]) -> set[int]:
    """Which of some strings, joined to one, hold one of some texts."""
    rows = set()
    for text in texts:
        place = joined.find(text)
        while place >= 0:
            row = bisect_right(starts, place) - 1
            rows.add(row)
            place = joined.find(text, starts[row + 1])
    return rows


def _words(text: str) -> tuple[str, ...]:
    return tuple(WORD.findall(text.casefold()))
