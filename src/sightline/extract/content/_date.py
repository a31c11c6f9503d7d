"""The date of a text: of all days that a page tells as its own, the one that most speaks for."""

import datetime
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from sightline.data import Value, origin_of
from sightline.extract.content._beginning import SEARCHED, Beginning, Said, worth
from sightline.page import ABSENT

# What speaks for a day. Fitted by `python -m bench.content.fit_about date`.
DATE_WEIGHTS: Mapping[str, float] = {
    "article modified": 0.51,
    "article published": -0.42,
    "close after": 0.71,
    "earliest": 0.42,
    "latest": -0.55,
    "main meta": 1.24,
    "modified": 0.26,
    "page modified": 0.37,
    "published": 1.04,
    "published and shown": 0.88,
    "shown": 0.61,
    "text first": 1.16,
    "text plain": 0.39,
    "time far": 0.67,
    "time near": 0.79,
    "ways": 0.64,
}
DATE_SIZE = 160  # characters of lines that hold a date of the text, not one that it is about
LABEL_SIZE = 40  # characters before a date in which its label is looked for
SHORT = 50  # characters of a line that holds little more than a date
NEARNESS = 5  # blocks, at which a date counts half as much as next to the beginning
AT_END = (5, 15)  # blocks before and after the last one of the text
MOST_TIMES = 200
FIRST_YEAR, LAST_YEAR = 1980, 2100

_MONTHS = (
    *("jan ene gen", "feb fév fev", "mar mär maa", "apr abr avr", "may mai mag mei", "jun jui giu", "jul lug"),
    *("aug ago aoû", "sep set", "oct okt ott out", "nov", "dec dez dic déc"),
)
MONTHS = {name: number for number, names in enumerate(_MONTHS, start=1) for name in names.split()}
MONTH = rf"(?:{'|'.join(MONTHS)})[a-zéäûç]*\.?"
_YEAR = r"(?:19|20)\d\d"
YEAR = re.compile(_YEAR)
WRITTEN = re.compile(
    rf"\b(?P<month>{MONTH})\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s*,?\s+(?P<year>{_YEAR})"
    rf"|\b(?P<day2>\d{{1,2}})(?:st|nd|rd|th|\.|er)?\s+(?:of\s+|de\s+)?(?P<month2>{MONTH}),?\s+(?:de\s+)?(?P<year2>{_YEAR})"
    rf"|\b(?P<year3>{_YEAR})(?P<mark3>[-/.])(?P<month3>\d{{1,2}})(?P=mark3)(?P<day3>\d{{1,2}})(?!\d)"
    rf"|\b(?P<first>\d{{1,2}})(?P<mark>[/.-])(?P<second>\d{{1,2}})(?P=mark)(?P<year4>{_YEAR})\b",
    re.IGNORECASE,
)
COMPACT = re.compile(rf"\b({_YEAR})(\d\d)(\d\d)(?:T|\b)")
ADDRESS = re.compile(rf"/({_YEAR})[/-](\d\d?)[/-](\d\d?)(?!\d)")
UPDATED = re.compile(r"updat|modif|review|edit|revis|aktualisiert|actualiz|mis à jour", re.IGNORECASE)
JOINED = re.compile(r"\b(?:join|member since|registered|registriert|copyright|©)", re.IGNORECASE)
PUBLISHED = re.compile(r"publi|post|creat|written|added|veröff|erstellt|started", re.IGNORECASE)
# Names of meta elements.
ABOUT_TIME = re.compile("dat|time|publish|issued|modif|created|posted")
MODIFIED_NAME = re.compile("modif|updat")
PUBLISHED_NAME = re.compile(r"publish|pub-?_?date|issued|release|posted|sailthru\.date|citation_date|created")
PLAIN_NAME = re.compile(r"date$|^date|^dc\.date|^dcterms\.date")
MAIN_NAMES = ("article:published_time", "datepublished")
SAID_AS = {"datePublished": "published", "dateCreated": "created", "dateModified": "modified", "uploadDate": "created"}


@dataclass(eq=False)
class DateCandidate:
    """A day that may be the date of a text, what speaks for it, and where it is read."""

    day: datetime.date
    parts: dict[str, float] = field(default_factory=dict)
    told: bool = False
    row: int = -1
    written: str = ""
    node: int = -1


def find_date(said: Said, beginning: Beginning | None) -> Value | None:
    """When a text was published: the day for which most speaks, located where it can be read."""
    best = best_date(date_candidates(said, beginning), DATE_WEIGHTS)
    if best is None:
        return None
    if beginning is not None and best.row >= 0:
        read = beginning.value([best.row], best.written)
        return Value(best.day.isoformat(), best.day, read.origin) if best.told else read
    origin = origin_of(said.page, [best.node]) if best.node >= 0 else None
    return Value(best.day.isoformat(), best.day, origin)


def best_date(found: Sequence[DateCandidate], weights: Mapping[str, float]) -> DateCandidate | None:
    """The candidate for which most speaks."""
    return max(found, key=lambda one: worth(one.parts, weights), default=None)


def date_candidates(said: Said, beginning: Beginning | None) -> list[DateCandidate]:
    """The days that a page tells in its data, in its address, and around its text."""
    days = _Days()
    days.read_data(said)
    if beginning is not None:
        days.read_times(said, beginning)
        days.read_texts(beginning)
    days.compare()
    return list(days.found.values())


class _Days:
    """The days of a page, each with all that speaks for it."""

    def __init__(self) -> None:
        self.found: dict[datetime.date, DateCandidate] = {}

    def add(self, day: datetime.date | None, *parts: str, near: float = 0.0) -> DateCandidate | None:
        if day is None or not FIRST_YEAR <= day.year <= LAST_YEAR:
            return None
        one = self.found.setdefault(day, DateCandidate(day))
        for part in parts:
            one.parts[part] = max(one.parts.get(part, 0.0), near or 1.0)
        return one

    def add_told(self, text: str, *parts: str) -> None:
        """A day that the page tells in its data."""
        one = self.add(day_in(text), *parts)
        if one:
            one.told = True

    def read_data(self, said: Said) -> None:
        """JSON-LD, meta elements and the address."""
        for thing in said.things:
            if thing.rank != "inner":  # of another article, a comment, a video
                for key, part in SAID_AS.items():
                    for text in thing.texts(key)[:1]:
                        self.add_told(text, f"{thing.rank} {part}", *([part] if thing.rank != "other" else ()))
        for name, texts in said.meta.items():
            if ABOUT_TIME.search(name) and (parts := _parts_of_meta(name)):
                self.add_told(texts[0], *parts)
        if address := ADDRESS.search(said.address):
            self.add_told("-".join(address.groups()), "address")

    def read_times(self, said: Said, beginning: Beginning) -> None:
        """The `<time>` elements near the beginning; those far away only if all of the page agree."""
        page = said.page
        if page.attribute_id("datetime") == ABSENT:
            return
        stamps, props = said.attribute("datetime"), said.attribute("itemprop")
        dated = [
            (node, day)
            for node in np.flatnonzero(stamps >= 0)[:MOST_TIMES].tolist()
            if (day := day_in(page.strings[stamps[node]]))
        ]
        agreed = len({day for _, day in dated}) == 1
        for node, day in dated:
            near = abs(beginning.row_of(node) - beginning.begin) <= SEARCHED
            if not near and not agreed and day not in self.found:
                continue
            one = self.add(day, "time near" if near else "time far")
            if one:
                one.told = True
                one.node = node if one.node < 0 else one.node
                if near and props[node] >= 0 and page.strings[props[node]] == "datePublished":
                    one.parts["time published"] = 1.0

    def read_texts(self, beginning: Beginning) -> None:
        """The dates written near the beginning; at the end those with a label."""
        blocks = beginning.blocks
        nothing_yet = True
        for row in _with_year(blocks.texts, beginning.around.tolist()):
            for found, label in _dates_in(blocks.texts, row):
                far = row - beginning.begin
                side = "after" if far >= 0 else "before"
                place = side if blocks.visible[row] else f"hidden {side}"
                one = self.add(_day_of(found), f"text {place}", f"text {place} {label}", f"text {label}")
                if not one:
                    continue
                self.add(one.day, f"close {side}", near=1 / (1 + abs(far) / NEARNESS))
                if len(blocks.texts[row]) < SHORT:
                    one.parts["short"] = 1.0
                if nothing_yet and blocks.visible[row]:
                    one.parts["text first"], nothing_yet = 1.0, False
                if one.row < 0:
                    one.row, one.written = row, found[0]
        for row in _with_year(blocks.texts, _rows_at_end(beginning)):
            for found, label in _dates_in(blocks.texts, row):
                if label != "plain" and (one := self.add(_day_of(found), "text end", f"text {label}")) and one.row < 0:
                    one.row, one.written = row, found[0]

    def compare(self) -> None:
        """What is known of a day only beside the others."""
        days = sorted(self.found)
        for one in self.found.values():
            parts = one.parts
            if "text after" in parts or "time near" in parts:
                parts["shown"] = 1.0
                if "published" in parts:
                    parts["published and shown"] = 1.0
            parts["ways"] = float(sum(way in parts for way in WAYS))
            parts["earliest"], parts["latest"] = float(one.day == days[0]), float(one.day == days[-1])


WAYS = ("article published", "page published", "main meta", "time published")


def _parts_of_meta(name: str) -> tuple[str, ...]:
    """What the name of a meta element says about the day in it."""
    if MODIFIED_NAME.search(name):
        return ("modified",)
    if name in MAIN_NAMES:
        return ("published", "main meta")
    if PUBLISHED_NAME.search(name):
        return ("published", "other meta")
    return ("dated",) if PLAIN_NAME.search(name) else ()


def _rows_at_end(beginning: Beginning) -> Iterator[int]:
    """The blocks around the end of the text that are not near its beginning."""
    last = beginning.last
    rows = range(max(last - AT_END[0], 0), min(last + AT_END[1], len(beginning.blocks)))
    yield from (row for row in rows if abs(row - beginning.begin) > SEARCHED)


def _with_year(texts: list[str], rows: Iterable[int]) -> list[int]:
    """Those of some lines that are short and hold a year."""
    return [row for row in rows if len(texts[row]) <= DATE_SIZE and has_year(texts[row])]


def _dates_in(texts: list[str], row: int) -> Iterator[tuple[re.Match[str], str]]:
    """The dates in a short line, each with what is said about it: `published`, `updated` or `plain`."""
    text = texts[row]
    for found in WRITTEN.finditer(text):
        before = text[max(0, found.start() - LABEL_SIZE) : found.start()]
        if not before.strip() and row and len(texts[row - 1]) < LABEL_SIZE:
            before = texts[row - 1]
        label = "updated" if UPDATED.search(before) else "published" if PUBLISHED.search(before) else "plain"
        if not JOINED.search(before):
            yield found, label


def has_year(text: str) -> bool:
    """Whether a text holds the number of a year, as every written date does; most texts hold not even its beginning."""
    return ("19" in text or "20" in text) and bool(YEAR.search(text))


def day_in(text: str) -> datetime.date | None:
    """The day in a text such as `2024-06-20T18:50:31Z`.

    >>> day_in("2024-06-20T18:50:31Z"), day_in("July 17th, 2025"), day_in("2024-02-31")
    (datetime.date(2024, 6, 20), datetime.date(2025, 7, 17), None)
    """
    found = WRITTEN.search(text[:DATE_SIZE])
    if found:
        return _day_of(found)
    compact = COMPACT.search(text[:DATE_SIZE])
    return _day(*map(int, compact.groups())) if compact else None


def _day_of(found: re.Match[str]) -> datetime.date | None:
    """The day of a written date; of two numbers the first is the month, unless dots or its size say otherwise."""
    if found["year"]:
        return _day(int(found["year"]), _month(found["month"]), int(found["day"]))
    if found["year2"]:
        return _day(int(found["year2"]), _month(found["month2"]), int(found["day2"]))
    if found["year3"]:
        return _day(int(found["year3"]), int(found["month3"]), int(found["day3"]))
    month, day = int(found["first"]), int(found["second"])
    if found["mark"] == "." or month > len(_MONTHS):
        month, day = day, month
    return _day(int(found["year4"]), month, day)


def _month(name: str) -> int:
    name = name.lower()
    return 7 if name.startswith("juil") else MONTHS[name[:3]]


def _day(year: int, month: int, day: int) -> datetime.date | None:
    try:
        return datetime.date(year, month, day)
    except ValueError:  # the 31st of February
        return None
