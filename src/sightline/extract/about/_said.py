"""What a page says about its thing: the one among all things in its own data that the page is about, field by field."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from urllib.parse import urlsplit

from sightline.extract.about._kinds import KIND_OF_TYPE, ThingField, ThingKind
from sightline.extract.about._typed import iso_span, minutes_in
from sightline.page import OwnPath, OwnThing, Page
from sightline.page.own_data import read_descriptions

# Things that stand in another one's list are what the page points to.
OTHERS = frozenset(
    (
        *(
            "itemListElement",
            "isRelatedTo",
            "isSimilarTo",
            "relatedLink",
            "review",
            "reviews",
            "comment",
            "hasPart",
            "mentions",
        ),
        *(
            "citation",
            "recommendation",
            "associatedArticle",
            "isPartOf",
            "publisher",
            "suggestedAnswer",
            "itemReviewed",
        ),
    )
)
WORD = re.compile(r"\w+")
# What a template left where nothing was filled in.
UNFILLED = re.compile(r"\$\w+|\$?\{+[^{}]*\}+|\[\{?|<%.*|undefined|null|none|nan|n/?a|-+", re.IGNORECASE)


@dataclass(frozen=True)
class SaidValue:
    """What data for machines says of a field, and where: the number of the document, and the path in it."""

    text: str
    syntax: str
    document: int
    path: OwnPath
    node: int


@dataclass(frozen=True)
class SaidThing:
    """A thing that the page describes, and how much speaks for it to be the one that the page is about."""

    thing: OwnThing
    kind: str
    worth: float


def things_said(page: Page) -> list[SaidThing]:
    """The things of known kinds that a page describes, the one it is likeliest about first.

    >>> from sightline.testing import element, page_of
    >>> from sightline.page import Page
    >>> text = '{"@type": "Product", "name": "Bee", "offers": {"price": 5}}'
    >>> page = page_of(element("script", text, type="application/ld+json"), kind="static")
    >>> [(one.kind, one.thing.data["name"]) for one in things_said(page)]
    [('product', 'Bee')]
    """
    found = []
    address, title = _bare_address(page.address), set(WORD.findall(_heading(page).casefold()))
    for order, thing in enumerate(read_descriptions(page).things()):
        kind = next((KIND_OF_TYPE[one] for one in thing.types if one in KIND_OF_TYPE), None)
        if kind is None or any(step in OTHERS for step in thing.path):
            continue
        found.append(SaidThing(thing, kind, _worth(thing, kind, address, title) - 0.01 * order))
    return sorted(found, key=lambda one: -one.worth)


def _worth(thing: OwnThing, kind: str, address: str, title: set[str]) -> float:
    """How much speaks for a thing: its own address, its name in the heading, what is said of it, its kind."""
    data = thing.data
    own = [data.get(name) for name in ("url", "@id", "mainEntityOfPage")]
    own += [one.get("@id") for one in own if isinstance(one, dict)]
    is_here = bool(address) and any(isinstance(one, str) and _bare_address(one) == address for one in own)
    name = next((value for key in ("name", "headline", "title") if isinstance(value := data.get(key), str)), "")
    words = set(WORD.findall(name.casefold()))
    shared = len(words & title) / max(1, len(words | title))
    nested = len(
        [
            step
            for step in thing.path
            if isinstance(step, str) and step not in ("@graph", "mainEntity", "mainEntityOfPage")
        ]
    )
    return 2.0 * is_here + 3.0 * shared + 0.1 * min(len(data), 15) - 1.5 * nested - 4.0 * (kind in WIDE)


WIDE = frozenset(("person", "organisation", "place"))  # what nearly every page says of who made it


def _heading(page: Page) -> str:
    """The title and the first heading of a page."""
    heads = page.with_tag("h1").tolist()
    return f"{page.title} {page.text_of(heads[0]) if heads else ''}"


def _bare_address(address: str) -> str:
    told = urlsplit(address.strip())
    return f"{(told.hostname or '').removeprefix('www.')}{told.path.rstrip('/')}".casefold()


def said_values(page: Page, thing: OwnThing | None, field: ThingField) -> list[SaidValue]:
    """All that data for machines says of a field: the thing's own properties, or else the `meta` elements."""
    if thing is not None and field.parted:
        parts = [value for path in field.parted for value in _of_thing(thing, path)]
        if any(part.path[-1] == "text" for part in parts):
            return _without_names_of_steps(sorted(parts, key=_place))
    for path in field.paths if thing else ():
        values = list(_of_thing(thing, path)) if thing else []
        if values:
            return values
    if thing is not None and field.summed and (total := _sum(thing, field.summed)):
        return [total]
    return list(_of_meta(page, field.meta))


def _place(one: SaidValue) -> list[str]:
    """Where a part stands among the others; the name of a section comes before what is in it."""
    return ["" if step == "name" else str(step).zfill(6) for step in one.path]


def _without_names_of_steps(parts: Sequence[SaidValue]) -> list[SaidValue]:
    """The texts of steps, and the names of sections; a step's own name is a short form of its text."""
    steps = {(part.document, part.path[:-1]) for part in parts if part.path[-1] == "text"}
    return [part for part in parts if part.path[-1] != "name" or (part.document, part.path[:-1]) not in steps]


def _sum(thing: OwnThing, names: Sequence[str]) -> SaidValue | None:
    """What several spans of time come to, where all of them are said."""
    parts = [next(_of_thing(thing, (name,)), None) for name in names]
    spans = [None if part is None else minutes_in(part.text) for part in parts]
    first = parts[0]
    if first is None or None in spans:
        return None
    total = iso_span(sum((span for span in spans if span), Decimal(0)))
    path = (*first.path[:-1], " + ".join(names))
    return SaidValue(total, first.syntax, first.document, path, first.node)


def _of_thing(thing: OwnThing, path: Sequence[str]) -> Iterator[SaidValue]:
    seen = set()
    for one in thing.values(*path):
        text = str(one.value).strip()
        if text and text not in seen and not UNFILLED.fullmatch(text):
            seen.add(text)
            yield SaidValue(text, one.syntax, one.document, one.path, one.node)


def _of_meta(page: Page, names: Sequence[str]) -> Iterator[SaidValue]:
    own = read_descriptions(page)
    for number, document in enumerate(own.documents):
        if document.syntax != "meta":
            continue
        for name in names:
            for place, text in enumerate(own.meta.get(name, ())):
                if text.strip():
                    yield SaidValue(text.strip(), "meta", number, (name, place), document.node_at((name, place)))
            if own.meta.get(name):
                return


def kind_said(page: Page, things: Sequence[SaidThing]) -> str | None:
    """The kind that a page says it is of, by its things or by `og:type`."""
    if things and things[0].worth > 0:
        return things[0].kind
    told = {text.casefold() for text in read_descriptions(page).meta.get("og:type", ())}
    return next((OPEN_GRAPH[one] for one in told if one in OPEN_GRAPH), None)


OPEN_GRAPH = {
    "product": "product",
    "product.item": "product",
    "og:product": "product",
    "article": "article",
    "book": "book",
    "books.book": "book",
    "video.movie": "film",
    "recipe": "recipe",
    "event": "event",
}


def thing_of_kind(things: Sequence[SaidThing], kind: ThingKind) -> OwnThing | None:
    """The first thing of a kind."""
    return next((one.thing for one in things if one.kind == kind.name), None)
