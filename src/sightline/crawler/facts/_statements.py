"""What one page states: subject, attribute and value of every cell of its tables and definition lists."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from sightline.crawler._addresses import web_site
from sightline.crawler.facts._compare import (
    Comparable,
    attribute_key,
    attribute_label,
    comparables,
    decimal_marks,
    name_key,
    page_subject,
    text_key,
    title_parts,
)
from sightline.crawler.facts._page_subjects import heading_of, repeated_keys, subjects_of_pairs, thing_named
from sightline.data import Cell, Origin, Table, Triple, Value, infer, origin_of, read_title
from sightline.extract.tables import find_tables
from sightline.jobs import XPaths
from sightline.page import Page

LONGEST_NAME = 120  # characters of a subject or an attribute; what is longer is prose
LONGEST_VALUE = 300
MOST_NAMING = 2  # columns besides the first that may belong to a name, such as model and edition
_JOINER = " / "
_MEASURE = re.compile(r"\s*\d[\d.,']*\s+[^\W\d]+\.?\s*")  # also with units that nobody knows: 440 shots
_WORD = re.compile(r"(?!X+[SL]\b)[^\W\d_]{3}")  # XXL is a size
_MAKERS = frozenset(("brand", "manufacturer", "maker", "make", "company", "vendor"))
_MODELS = frozenset(("model", "name", "product", "model name", "product name", "type"))


@dataclass(frozen=True, slots=True)
class Sighting:
    """Where a value was seen: the address or name of the page, its id, the XPath and the box."""

    address: str
    page: str
    xpath: str | None = None
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """One cell in the words of its table; `about_page` if its subject is what the page is about."""

    subject: str
    attribute: str
    value: Value
    xpath: str | None = None
    about_page: bool = False


@dataclass(frozen=True, slots=True)
class PageStatements:
    """All that a page states; `content` is a hash of its text, `set_aside` the cells that name no clear subject."""

    address: str
    site: str
    page: str
    content: str
    language: str | None
    statements: tuple[Statement, ...]
    title: str = ""
    set_aside: int = 0


def state(page: Page, source: str = "") -> PageStatements:
    """Read what a page states.

    >>> from sightline.testing import grid_page
    >>> page = grid_page([["Name", "Weight"], ["EOS 5D", "675 g"], ["D70", "700 g"], ["D80", "701 g"]])
    >>> [(one.subject, one.attribute, one.value.text) for one in state(page).statements][:1]
    [('EOS 5D', 'Weight', '675 g')]
    """
    tables = [*find_tables(page), *_definition_lists(page)]
    thing = thing_named(page) if tables else ""  # which takes long, so it is asked where it is needed
    title = thing or heading_of(page)
    readings = [oriented(table, page_subject(title), is_thing=bool(thing)) for table in tables]
    pairs = [reading.table for reading in readings if reading.about_page]
    subjects = subjects_of_pairs(pairs, title, is_thing=bool(thing))
    sections = repeated_keys(pairs) if thing else frozenset[str]()
    found, aside = list[tuple[str, Triple, bool]](), 0
    for reading in readings:
        if reading.about_page:
            own = subjects.get(id(reading.table))
            apart = sections if own is None else frozenset[str]()
            triples = (_in_section(triple, reading.table, apart) for triple in reading.table.triples())
            found += [(own or title, triple, own is None) for triple in triples]
        else:
            rows, unclear = _rows(reading.table)
            named = [(subject, triple, False) for subject, triple in rows if not thing or _WORD.search(subject)]
            found += named
            aside += unclear + len(rows) - len(named)  # the sizes of a thing are no things: “XS”, “39.5”
    xpaths = XPaths()
    kept = [(subject, triple, about) for subject, triple, about in found if _says_something(subject, triple)]
    xpaths.add(page, (triple.object.origin for _, triple, _ in kept if triple.object.origin))
    statements = [_statement(subject, triple, xpaths, about_page=about) for subject, triple, about in kept]
    address = page.address
    return PageStatements(
        address or page.url or source,
        _site(address) or _folder(page.url or source),
        page.id,
        _content(page, address),
        next((table.language for table in tables if table.language), None),
        tuple(statements),
        title,
        aside + len(found) - len(kept),
    )


def _statement(subject: str, triple: Triple, xpaths: XPaths, *, about_page: bool) -> Statement:
    origin = triple.object.origin
    attribute = triple.predicate.rpartition(_JOINER)[2] if about_page else triple.predicate
    return Statement(subject, attribute, triple.object, xpaths(origin) if origin else None, about_page)


def _says_something(subject: str, triple: Triple) -> bool:
    """Whether a cell has a subject and an attribute that could be names, and a value that isn't prose."""
    names = (subject, triple.predicate)
    if any(len(name) > LONGEST_NAME for name in names) or len(triple.object.text) > LONGEST_VALUE:
        return False
    is_numbered = triple.predicate.startswith("column ") and triple.predicate[7:].isdigit()
    return not is_numbered and bool(name_key(subject).letters) and bool(attribute_key(triple.predicate).letters)


# ---------------------------------------------------------------- the subjects of rows


def _rows(table: Table) -> tuple[list[tuple[str, Triple]], int]:
    """The triples of a table, each with a subject that no other row has; and how many are left without one.

    Where the first column names several rows alike, as one of brands does, the next columns of text belong to the name.
    """
    names = table.names
    rows = list(_grouped(table.triples(), names))
    naming = _naming(rows, names)
    subjects = [_full_name(row, naming) for row in rows]
    counts = Counter(name_key(subject).letters for subject in subjects)
    clear = [counts[name_key(subject).letters] == 1 and not subject.isdigit() for subject in subjects]
    taken = set(naming)
    kept = [
        (subject, triple)
        for subject, row, is_clear in zip(subjects, rows, clear, strict=True)
        for triple in row
        if is_clear and triple.predicate not in taken
    ]
    return kept, sum(len(row) for row, is_clear in zip(rows, clear, strict=True) if not is_clear)


def _grouped(triples: Sequence[Triple], names: Sequence[str]) -> Iterator[list[Triple]]:
    """The triples of each row: a row ends where the subject changes or the columns begin again."""
    places = {name: place for place, name in enumerate(names)}
    row: list[Triple] = []
    for triple in triples:
        if row and (triple.subject != row[-1].subject or places[triple.predicate] <= places[row[-1].predicate]):
            yield row
            row = []
        row.append(triple)
    if row:
        yield row


def _naming(rows: Sequence[Sequence[Triple]], names: Sequence[str]) -> list[str]:
    """The columns that belong to the names of the rows, besides the first."""
    if not rows:
        return []
    given = [attribute_label(name).casefold() for name in names]
    makers = [name for name, label in zip(names, given, strict=True) if label in _MAKERS]
    models = [name for name, label in zip(names, given, strict=True) if label in _MODELS]
    if makers and models and makers[0] == names[0]:
        return models[:1]
    own = next((place for place, name in enumerate(names) if name not in _predicates(rows)), 0)
    chosen: list[str] = []
    for name in names[own + 1 : own + 1 + MOST_NAMING]:
        if _all_different(rows, chosen):
            break
        if not _names_things([triple.object.text for row in rows for triple in row if triple.predicate == name]):
            return []
        chosen.append(name)
    return chosen if _all_different(rows, chosen) else []


def _predicates(rows: Sequence[Sequence[Triple]]) -> set[str]:
    return {triple.predicate for row in rows for triple in row}


def _all_different(rows: Sequence[Sequence[Triple]], naming: Sequence[str]) -> bool:
    return len({text_key(_full_name(row, naming)) for row in rows}) == len(rows)


def _names_things(texts: Sequence[str]) -> bool:
    """Whether a column next to the first could be a part of the name: a text that seldom repeats, and no quantity."""
    measures = sum(_MEASURE.fullmatch(text) is not None for text in texts)
    return bool(texts) and infer(texts).kind == "text" and 2 * len(set(texts)) > len(texts) > 2 * measures


def _full_name(row: Sequence[Triple], naming: Sequence[str]) -> str:
    values = {triple.predicate: triple.object.text for triple in row}
    return " ".join(filter(None, (row[0].subject, *(values.get(name, "") for name in naming))))


# ---------------------------------------------------------------- tables of keys and values


def _in_section(triple: Triple, table: Table, repeated: frozenset[str]) -> Triple:
    """A triple of a section of a thing: “Type” under “Display” is that of the display, if another section has one."""
    caption = page_subject(table.caption or "")
    own = triple.predicate.rpartition(_JOINER)[2]
    if not caption or attribute_key(triple.predicate).letters not in repeated:
        return triple
    return replace(triple, predicate=f"{caption} {own}")


def _definition_lists(page: Page) -> Iterator[Table]:
    """Lists of terms and definitions as tables of keys and values; a term with several definitions has the first."""
    tags = {name: frozenset(page.with_tag(name).tolist()) for name in ("dt", "dd")}
    for start in page.with_tag("dl").tolist():
        pairs: list[tuple[int, int]] = []
        term = -1
        for node in range(start + 1, int(page.end[start])):
            if node in tags["dt"]:
                term = node
            elif node in tags["dd"] and term >= 0:
                pairs.append((term, node))
                term = -1
        shown = [(term, value) for term, value in pairs if page.visible[term] and page.visible[value]]
        if len(shown) > 1:
            cells = [
                _cell(page, row, column, node) for row, pair in enumerate(shown) for column, node in enumerate(pair)
            ]
            yield Table(tuple(cells), header_columns=1, language=_language(page))


def _cell(page: Page, row: int, column: int, node: int) -> Cell:
    value = Value(" ".join(page.text_of(node).split()), origin=origin_of(page, [node]))
    return Cell(row, column, value=value, role="data" if column else "row header")


def _language(page: Page) -> str | None:
    language = page.attribute("lang")
    return next((page.strings[language[node]] for node in page.with_tag("html") if language[node] >= 0), None)


# ---------------------------------------------------------------- sites and copies


def _site(address: str) -> str:
    """The site of an address; nothing for what is not on the web."""
    try:
        return web_site(address)
    except ValueError:  # such as http://[
        return ""


def _folder(name: str) -> str:
    """The folder of a file, which stands for its site; records of an archive share theirs."""
    return name.partition("#")[0].rpartition("/")[0] or "."


def _content(page: Page, address: str) -> str:
    """A hash of what a page says, without the name of its host: mirrors have the same."""
    text = " ".join(page.text_of(0).split())
    site = _site(address)
    plain = text.replace(site, "") if site else text
    return hashlib.blake2b(plain.encode("utf-8", "replace"), digest_size=12).hexdigest()


# Which side of a table names the subjects: its rows, its columns, or the page.

# By how much the values along a row must be more alike than those down a column before the columns name the subjects.
# On the planted tables of `bench/crawl/facts.py` the right side leads by 0.2 or more where there are three kinds of
# attributes; below 0.05 it is noise of small tables.
CLEARLY_ALIKE = 0.1
FEWEST_TO_COMPARE = 2  # subjects side by side
FEWEST_PAIRS = 3
MOST_TITLED = 3  # columns of pairs below a title: a group, a key and a value
# The largest share of one kind among the values of pairs; a column of one attribute has nearly all of one kind.
MOST_ALIKE_PAIRS = 0.6
_KEY_HEADINGS = frozenset(
    ("", "feature", "features", "specification", "specifications", "attribute", "property", "spec")
)
_VALUE_HEADINGS = frozenset(("value", "values", "details", "detail", "description", "data", "specification", "wert"))


@dataclass(frozen=True, slots=True)
class Oriented:
    """How a table is read: its subjects are at the left, or the page is the subject of its one record."""

    table: Table
    about_page: bool = False


def oriented(table: Table, page_subject: str, *, is_thing: bool = False) -> Oriented:
    """A table turned so that every row is about one subject; one of keys and values is about the page.

    On the page of one thing, a heading over both columns is a title, and one with a digit over the values is a value.

    >>> specs = Table.from_rows([["Weight", "675 g"], ["Sensor", "full frame"]], header_rows=0)
    >>> oriented(specs, "EOS 5D").about_page
    True
    >>> versus = Table.from_rows([["", "EOS 5D", "D70"], ["Weight", "675 g", "700 g"], ["Price", "$900", "$800"]])
    >>> [triple.subject for triple in oriented(versus, "").table.triples()]
    ['EOS 5D', 'EOS 5D', 'D70', 'D70']
    """
    whole = table.without_totals()
    if not whole.header_rows and whole.header_columns and whole.width - whole.header_columns > 1:
        return Oriented(_with_roles(whole.transposed()))  # several records side by side, named by nothing
    if not whole.header_rows:
        is_pairs = whole.width == 2 and _are_keys(whole)
        pairs = _with_roles(replace(whole, header_columns=1)) if is_pairs else whole
        return Oriented(pairs, about_page=is_pairs or (whole.header_columns == 1 and whole.width == 2))
    if is_thing and 1 < whole.width <= MOST_TITLED and len(set(map(text_key, whole.rows[whole.header_rows - 1]))) == 1:
        return Oriented(_without_headings(whole), about_page=True)
    if whole.width == 2 and _are_keys(whole):
        if _names_values(whole):
            return Oriented(_without_headings(whole), about_page=True)
        if _are_pairs(whole, page_subject) or (is_thing and _has_value_on_top(whole)):
            return Oriented(_with_roles(replace(whole, header_rows=0, header_columns=1)), about_page=True)
    return Oriented(_turned(whole) if _names_subjects_on_top(whole, page_subject) else whole)


def _are_keys(table: Table) -> bool:
    """Whether the first of two columns holds different names, so that each can be what the second is about."""
    keys = [row[0].strip() for row in table.rows[table.header_rows :]]
    return len(keys) > 1 and all(keys) and len({text_key(key) for key in keys}) == len(keys)


def _names_values(table: Table) -> bool:
    return text_key(table.names[1]) in _VALUE_HEADINGS


def _are_pairs(table: Table, page_subject: str) -> bool:
    """Whether a row that was taken for headings is a pair like those below it: the values are of many kinds."""
    top, values = table.rows[table.header_rows - 1][1], [row[1] for row in table.rows[table.header_rows :]]
    if table.header_rows > 1 or not top.strip() or text_key(table.rows[0][0]) in _KEY_HEADINGS:
        return False
    if name_key(top).in_any_order == name_key(page_subject).in_any_order:
        return False
    is_mixed = len(values) >= FEWEST_PAIRS and _alike([values]) <= MOST_ALIKE_PAIRS
    return is_mixed or (len(values) >= FEWEST_TO_COMPARE and _with_units([row[0] for row in table.rows]) > 1)


def _has_value_on_top(table: Table) -> bool:
    """Whether the heading over the values is one itself, such as a model number."""
    return table.header_rows == 1 and any(map(str.isdigit, table.rows[0][1]))


def _without_headings(table: Table) -> Table:
    pairs = tuple(replace(cell, row=cell.row - table.header_rows) for cell in _below(table))
    return replace(table, anchors=pairs, header_rows=0, header_columns=table.width - 1)


def _below(table: Table) -> Iterator[Cell]:
    return (cell for cell in table.anchors if cell.row >= table.header_rows)


def _names_subjects_on_top(table: Table, page_subject: str) -> bool:
    """Whether the headings over the columns are the subjects, and those at the left the attributes."""
    rows = table.rows
    body = [row[1:] for row in rows[table.header_rows :]]
    tops, sides = rows[table.header_rows - 1][1:], [row[0] for row in rows[table.header_rows :]]
    if not body or not tops or not all(side.strip() for side in sides):
        return False
    units = _with_units(sides) - _with_units(tops)
    if units:
        return units > 0
    if len(tops) == 1:
        return bool(page_subject) and name_key(tops[0]).in_any_order == name_key(page_subject).in_any_order
    if len(tops) < FEWEST_TO_COMPARE or len(set(map(text_key, tops))) < len(tops):
        return False
    return _alike(body) - _alike(list(zip(*body, strict=True))) > CLEARLY_ALIKE


def _with_units(headings: Sequence[str]) -> int:
    return sum(read_title(heading).unit is not None for heading in headings)


def _alike(lines: Sequence[Sequence[str]]) -> float:
    """How alike the values of each line are: the share of the commonest kind, the mean over all lines."""
    shares = []
    for line in lines:
        kinds = Counter(_kind(text) for text in line if text.strip())
        if kinds.total() > 1:
            shares.append(max(kinds.values()) / kinds.total())
    return sum(shares) / len(shares) if shares else 0.0


@lru_cache(maxsize=8192)
def _kind(text: str) -> str:
    """What a value is by itself: a number of a unit or currency, a date, one word for a yes, or some text."""
    kind = str(infer([text]))
    if kind != "text":
        return kind
    words = "".join(character for character in text if character.isalpha())
    return f"text {any(map(str.isdigit, text))} {text_key(words) if len(words) <= len('yes') else ''}"


def _turned(table: Table) -> Table:
    """The table with its subjects at the left and its attributes on top."""
    beside = replace(table, header_columns=max(table.header_columns, 1))
    return _with_roles(beside.transposed())


def _with_roles(table: Table) -> Table:
    """Cells below headings and right of names are data, whatever they were when the table stood the other way."""
    roles = tuple(
        replace(cell, role="data")
        if cell.row >= table.header_rows and cell.column >= table.header_columns and cell.role.endswith("header")
        else cell
        for cell in table.anchors
    )
    return replace(table, anchors=roles)


# -- gathers the statements of any number of pages: what is kept grows with the facts, not with the pages -----------

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
