"""What each reader found, in a form in which the same value is the same, and how much of what either found each has."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape
from typing import Any, TypeAlias

from sightline.page import OwnValue, Page

Found: TypeAlias = frozenset[tuple[str, str, str]]
"""The values of a page: syntax, property and value."""

SYNTAXES = ("json-ld", "microdata", "rdfa", "meta", "microformats")
OPEN_GRAPH = ("og:", "article:", "product:", "book:", "profile:", "video:", "music:")
ZONE = re.compile(r"([+-]\d\d):(\d\d)$")  # of a time, which mf2py writes without a colon


@dataclass(frozen=True)
class Share:
    """How many values either reader found on all pages, and how many each did."""

    either: int
    ours: int
    peer: int


def ours_of(page: Page) -> Found:
    """What we read, without the state of programs, which no peer reads."""
    triples: Iterable[tuple[str, str, Any]] = (
        (value.syntax, _name(value), value.value) for value in page.own_data.values() if value.syntax != "state"
    )
    return found_of(triples)


def _name(value: OwnValue) -> str:
    """The property that a value belongs to; what a thing in RDFa is called is the value of the one that leads to it."""
    names = [step for step in value.path if isinstance(step, str)]
    if value.syntax == "rdfa" and names[-1] == "@id":
        names.pop()
    return names[-1] if names else ""


def found_of(triples: Iterable[tuple[str, str, Any]]) -> Found:
    """Values without regard to blanks, case, entities and vocabularies; types and identifiers are not compared."""
    return frozenset(_plain(triples))


def _plain(triples: Iterable[tuple[str, str, Any]]) -> Iterator[tuple[str, str, str]]:
    for syntax, name, value in triples:
        short = name if syntax == "meta" else name.replace("#", "/").rpartition("/")[2].rpartition(":")[2]
        said = "".join(unescape(unescape(str(value))).split()).lower().rstrip("/")
        said = ZONE.sub(r"\1\2", said)
        if said and name and not name.startswith("@") and (syntax != "meta" or name.lower().startswith(OPEN_GRAPH)):
            yield syntax, short.lower(), said


def share(ours: Iterable[Found], theirs: Iterable[Found], syntax: str) -> Share:
    """How much of what either found each found, in one syntax."""
    either = own = peer = 0
    for mine, other in zip(ours, theirs, strict=True):
        first, second = ({one for one in found if one[0] == syntax} for found in (mine, other))
        either, own, peer = either + len(first | second), own + len(first), peer + len(second)
    return Share(either, own, peer)
