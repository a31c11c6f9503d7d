"""Columns with their types: of real tables and sites, labelled by simple rules that share nothing with ours.

A rule knows what English pages write most often and nothing else. A column that it cannot judge is left out.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

from bench.pages import json_lines

NOTHING = frozenset(("", "-", "–", "—", "--", "n/a", "na", "n.a.", "none", "tba", "tbd", "unknown", "?"))
FEWEST = 2  # texts that say something
MOST = 400  # texts of a column; the rest of a long one says nothing new

NUMERAL = r"[+\-−–]?(?:\d{1,3}(?:,\d{3})+|0|[1-9]\d*)(?:\.\d+)?"
UNITS = "%|kg|km|m|cm|mm|ft|lbs?\\.?|mph|km/h|km2|km²|ha|mi"
FORMS = {
    "number": re.compile(NUMERAL),
    "money": re.compile(rf"-?[$£€]\s?(?:{NUMERAL})"),
    "measure": re.compile(rf"(?:{NUMERAL})\s?(?:{UNITS})"),
    "date": re.compile(r"\d{4}-\d\d-\d\d|[A-Z][a-z]+ \d{1,2}, \d{4}|\d{1,2} [A-Z][a-z]+ \d{4}"),
    "url": re.compile(r"(?:https?://|www\.)\S+"),
    "email": re.compile(r"[\w.+-]+@[\w-]+\.[\w.]+"),
}
DATES = ("%Y-%m-%d", "%B %d, %Y", "%d %B %Y", "%b %d, %Y", "%d %b %Y")
FOOTNOTE = re.compile(r"\s*\[[^\]]{1,12}\]\Z")
# What the attributes of the sites are; those that differ from site to site are judged by the rules.
ATTRIBUTES = {
    "text": "model author publisher title name category description company location director genre mpaa_rating team "
    "type mode path subject commit tree parent committer message product_type argument instructions isbn_13 phone upc "
    "engine fuel_economy diffstat seealso ingredients text",
    "url": "website",
    "number": "changes deleted files inserted number_of_reviews",
    "money": "price_excl_tax price_incl_tax tax",
}
KIND_OF = {name: kind for kind, names in ATTRIBUTES.items() for name in names.split()}


@dataclass(frozen=True)
class LabelledColumn:
    """A column with its kind, and the value of each text where a rule or its maker knows it."""

    where: str
    name: str
    texts: tuple[str, ...]
    kind: str
    language: str | None = "en"
    values: tuple[object, ...] | None = None


def says_nothing(text: str) -> bool:
    """Whether a text is one of the marks for a missing value that everybody knows."""
    return text.strip().casefold() in NOTHING


def labelled_columns(tables: Path, sites: Path) -> Iterator[LabelledColumn]:
    """All columns that the rules can judge."""
    for where, name, texts in (*_of_tables(tables), *_of_sites(sites)):
        kind = KIND_OF.get(name) if where.startswith("site") else None
        kind = kind or _kind(texts)
        if kind and sum(not says_nothing(text) for text in texts) >= FEWEST:
            yield LabelledColumn(where, name, tuple(texts), kind, values=_values(texts, kind))


def _of_tables(folder: Path) -> Iterator[tuple[str, str, list[str]]]:
    for page in json_lines(folder / "truth.jsonl"):
        for number, table in enumerate(page["tables"]):
            if not table.get("header_rows"):
                continue
            head, rows = table["rows"][: table["header_rows"]], table["rows"][table["header_rows"] :]
            for place in range(max(map(len, table["rows"]))):
                texts = [row[place] or "" for row in rows if place < len(row)]
                yield f"table {page['id']} {number}", head[-1][place] if place < len(head[-1]) else "", texts[:MOST]


def _of_sites(folder: Path) -> Iterator[tuple[str, str, list[str]]]:
    for truth in sorted(folder.glob("*/truth.jsonl")):
        columns: dict[str, list[str]] = defaultdict(list)
        for page in json_lines(truth):
            for record in (page.get("fields") or {}, *(page.get("records") or ())):
                for name, found in record.items():
                    columns[name] += found if isinstance(found, list) else [found]
        yield from ((f"site {truth.parent.name}", name, texts[:MOST]) for name, texts in columns.items())


def _kind(texts: Sequence[str]) -> str | None:
    """The kind of a column, or None if the rules do not suffice to judge it."""
    present = [_bare(text) for text in texts if not says_nothing(_bare(text))]
    forms = Counter(_form(text) for text in present)
    if len(forms) == 1 and None not in forms:
        return next(iter(forms))
    if any(not any(character.isdigit() for character in text) and not _form(text) for text in present):
        return "text"  # words: whatever the others are, these are nothing else
    return None


def _bare(text: str) -> str:
    return FOOTNOTE.sub("", text.strip())


def _form(text: str) -> str | None:
    return next((kind for kind, form in FORMS.items() if form.fullmatch(text)), None)


def _values(texts: Sequence[str], kind: str) -> tuple[object, ...] | None:
    if kind not in ("number", "money", "date"):
        return None
    return tuple(None if says_nothing(_bare(text)) else _value(_bare(text), kind) for text in texts)


def _value(text: str, kind: str) -> Decimal | date | None:
    if kind == "date":
        return next((found for form in DATES if (found := _date(text, form))), None)
    digits = text.replace(",", "").replace("−", "-").replace("–", "-").strip("$£€ ").replace("$", "")
    return Decimal(digits) if re.fullmatch(r"[+-]?\d+(\.\d+)?", digits) else None


def _date(text: str, form: str) -> date | None:
    try:
        return datetime.strptime(text, form).date()
    except ValueError:
        return None
