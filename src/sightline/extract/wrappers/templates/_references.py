"""Which addresses of a page are data: where the records of a set lead, and pictures of what pages and records show.

An address is a field only if it differs: a shop's logo, a star, a link to the basket are on every page, in every
record. Everything is decided on what a template has read on the pages that it was learned from.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from sightline.data import infer
from sightline.extract.schemas import Inner, Leaf, Reference, Slot, Template, TemplateRow, leaves_in
from sightline.extract.wrappers.templates._addresses import SAID, SEPARATOR, PageAddresses, Picture
from sightline.extract.wrappers.templates._edit_fields import fields_in
from sightline.extract.wrappers.templates._read import TemplateReading
from sightline.page import Page

LINK, IMAGE = "link", "image"
TITLE = "title"
# Shares that tell data from decoration, set by judgement: the benchmark's truth has no addresses. On its sites most
# shares are near 0 or near 1.
LEAST_FILLED = 0.6  # of the records or pages have the address
LEAST_DISTINCT = 0.5  # different addresses among them; a star or a button has few
MORE_FILLED = 0.05  # of the records; a further kind of element counts if it adds so many
LEAST_SHOWN = 0.6  # of the pages have a large picture there, or one called like the page
LARGE = 100  # CSS pixels; what is smaller in any direction is a thumbnail, a logo or an icon
NAMED_ALIKE = 2  # words that the text for a picture shares with the title; the logo of a make has one
MARKS = ".#@"  # of class tokens, ids and itemprops; the tag has none
SHARED = 2  # pages; what an element is called on one page only says nothing about the others
EXAMPLES = 3


OnPage: TypeAlias = tuple[int, str]
"""An address, after the number of its page."""


class ReadPage(NamedTuple):
    """A page, its addresses, and what the template read on it."""

    page: Page
    addresses: PageAddresses
    reading: TemplateReading


def add_references(template: Template, pages: Sequence[Page], readings: Sequence[TemplateReading]) -> Template:
    """The template with links and pictures as fields."""
    read = [ReadPage(page, PageAddresses(page), reading) for page, reading in zip(pages, readings, strict=True)]
    named = _PictureNames(read)
    for slot in _record_sets(read):
        _add_link(slot, read)
        _add_picture(slot, read, named)
    return Template(template.alphabet, template.root, _page_picture(template, read, named))


# ---------------------------------------------------------------- records


def _record_sets(read: Iterable[ReadPage]) -> list[Slot]:
    """The sets whose items are records, not values or texts that never differ."""
    found = {id(span.slot): span.slot for one in read for span in one.reading.items}
    return [
        slot
        for slot in found.values()
        if not slot.is_of_values and any(leaf.fixed is None for leaf in leaves_in(slot.inner))
    ]


def _add_link(slot: Slot, read: Sequence[ReadPage]) -> None:
    """Make the link of the title, or else of the field that leads to most places, a field of the records.

    Texts that never differ lead to a basket or a form more often than to the thing itself.
    """
    records = sum(span.slot is slot for one in read for span in one.reading.items)
    leads: dict[int, list[OnPage]] = defaultdict(list)
    leaves: dict[int, Leaf] = {}
    for number, one in enumerate(read):
        for label in one.reading.labels:
            leaf = label.leaf
            if leaf is None or leaf.fixed is not None or _innermost_set(label.path) is not slot:
                continue
            leaves[id(leaf)] = leaf
            if found := one.addresses.link(label.first, int(one.page.end[label.last])):
                leads[id(leaf)].append((number, found.address))
    telling = [key for key, found in leads.items() if _are_data(found, records)]
    if telling:
        best = max(telling, key=lambda key: (leaves[key].name == TITLE, len(leads[key])))
        leaves[best].link = _reference(LINK, [address for _, address in leads[best]], slot)


def _innermost_set(path: Sequence[object]) -> Slot | None:
    sets = [taker for taker in path if isinstance(taker, Slot) and taker.take in ("set", "group")]
    return sets[-1] if sets else None


def _add_picture(slot: Slot, read: Sequence[ReadPage], named: "_PictureNames") -> None:
    """Make the picture of each record a field: the first of a kind of element of which every record has its own."""
    records = [
        (number, list(one.addresses.pictures(span.first, span.stop)))
        for number, one in enumerate(read)
        for span in one.reading.items
        if span.slot is slot
    ]
    chosen = _elements_that_differ(records, named)
    if chosen:
        slot.image = _reference(IMAGE, list(_shown(slot, read, chosen)), slot)
        slot.image.elements = chosen


def _elements_that_differ(records: Sequence[tuple[int, Sequence[Picture]]], named: "_PictureNames") -> tuple[str, ...]:
    """The kinds of elements that hold a picture of its own for most records, the commonest first."""
    by_element: dict[str, dict[int, OnPage]] = defaultdict(dict)
    for record, (page, pictures) in enumerate(records):
        for picture in pictures:
            by_element[named.of(picture)].setdefault(record, (page, picture.written))
    telling = {name: found for name, found in by_element.items() if _differ(list(found.values()))}
    chosen: list[str] = []
    filled: set[int] = set()
    for name, found in sorted(telling.items(), key=lambda one: -len(one[1])):
        if len(found.keys() - filled) > MORE_FILLED * len(records):
            chosen.append(name)
            filled |= found.keys()
    return tuple(chosen) if len(filled) >= LEAST_FILLED * len(records) and len(records) > 1 else ()


def _shown(slot: Slot, read: Iterable[ReadPage], elements: Sequence[str]) -> Iterator[str]:
    """The addresses of the pictures of records, in full."""
    for one in read:
        for span in one.reading.items:
            found = one.addresses.picture(elements, span.first, span.stop) if span.slot is slot else None
            if found:
                yield found.address


# ---------------------------------------------------------------- pages


def _page_picture(template: Template, read: Sequence[ReadPage], named: "_PictureNames") -> Reference | None:
    """The picture of what the pages are about: what they say it is, or else one that is large or called like them."""
    said = [(number, one.addresses.said.address) for number, one in enumerate(read) if one.addresses.said]
    if _are_data(said, len(read)):
        return _page_reference(template, [address for _, address in said], (SAID,))
    by_element: dict[str, dict[int, Picture]] = defaultdict(dict)
    for number, one in enumerate(read):
        for picture in _outside_records(one):
            by_element[named.of(picture)].setdefault(number, picture)
    shares = {
        name: sum(_shows(read[number].page, picture) for number, picture in found.items()) / len(read)
        for name, found in by_element.items()
        if _are_data([(number, picture.written) for number, picture in found.items()], len(read))
    }
    best = max(shares, key=shares.__getitem__, default="")
    if not best or shares[best] < LEAST_SHOWN:
        return None
    shown = [read[number].addresses.shown(picture) for number, picture in by_element[best].items()]
    return _page_reference(template, [found.address for found in shown if found], (best,))


def _page_reference(template: Template, addresses: Sequence[str], elements: tuple[str, ...]) -> Reference:
    taken = {named.name for named in fields_in(template)}
    reference = _named_reference(_free_name(IMAGE, taken), addresses)
    reference.elements = elements
    return reference


def _outside_records(one: ReadPage) -> list[Picture]:
    firsts = np.array([span.first for span in one.reading.items], dtype=np.int64)
    stops = np.array([span.stop for span in one.reading.items], dtype=np.int64)
    inside = np.zeros(len(one.page) + 1, dtype=np.int64)
    np.add.at(inside, firsts, 1)
    np.add.at(inside, stops, -1)
    depth = np.cumsum(inside)
    return [picture for picture in one.addresses.pictures(0, len(one.page)) if depth[picture.node] == 0]


def _shows(page: Page, picture: Picture) -> bool:
    """Whether a picture is large, or called like the page."""
    node = page.node(picture.node)
    if len(_words(node.attributes.get("alt", "")) & _words(page.title)) >= NAMED_ALIKE:
        return True
    if box := node.box:
        return min(box[2] - box[0], box[3] - box[1]) >= LARGE
    sizes = [node.attributes.get(name, "").strip().removesuffix("px") for name in ("width", "height")]
    return all(size.isascii() and size.isdigit() and int(size) >= LARGE for size in sizes)


def _words(text: str) -> set[str]:
    return {word for word in text.casefold().split() if any(map(str.isalnum, word))}


# ---------------------------------------------------------------- all


def _are_data(addresses: Sequence[OnPage], places: int) -> bool:
    """Whether so many of the places have an address, and most of these one of their own."""
    return len(addresses) >= LEAST_FILLED * places and _differ(addresses)


def _differ(found: Sequence[OnPage]) -> bool:
    """Whether addresses differ among the pages, and on each of them."""
    different = len({address for _, address in found})
    return different > 1 and min(different, len(set(found))) >= LEAST_DISTINCT * len(found)


class _PictureNames:
    """What the elements of pictures are called, by the words that pages share."""

    def __init__(self, read: Iterable[ReadPage]) -> None:
        self._pages_with: Counter[str] = Counter()
        for one in read:
            pictures = one.addresses.pictures(0, len(one.page))
            self._pages_with.update({word for picture in pictures for word in picture.around | picture.own})

    def of(self, picture: Picture) -> str:
        """The element around a picture and its own, such as `a .thumb > img .photo`."""
        return f"{self._name(picture.around)}{SEPARATOR}{self._name(picture.own)}"

    def _name(self, words: frozenset[str]) -> str:
        shared = {word for word in words if self._pages_with[word] >= SHARED or word[0] not in MARKS}
        return " ".join(sorted(shared, key=lambda word: (word[0] in MARKS, word)))


def _reference(name: str, addresses: Sequence[str], slot: Slot) -> Reference:
    """A reference in the records of a set; it is set aside with them."""
    reference = _named_reference(_free_name(name, set(_names_in(slot.inner))), addresses)
    fields = [leaf for leaf in leaves_in(slot.inner) if leaf.fixed is None]
    reference.aside = reference.dropped = all(leaf.aside and leaf.dropped for leaf in fields)
    return reference


def _named_reference(name: str, addresses: Sequence[str]) -> Reference:
    examples = list(dict.fromkeys(addresses))
    return Reference(examples[:EXAMPLES], name=name, type=infer(examples))


def _free_name(name: str, taken: set[str]) -> str:
    """A name that no other field of the record has."""
    number = 2
    free = name
    while free in taken:
        free = f"{name} {number}"
        number += 1
    return free


def _names_in(inner: Inner | None) -> Iterator[str]:
    """The names of the fields and sets of a record."""
    if isinstance(inner, Leaf):
        yield inner.name
    elif inner is not None:
        for taker in inner.takers:
            if isinstance(taker, TemplateRow) or taker.take in ("one", "rest"):
                yield from _names_in(taker.inner)
            else:
                yield taker.name
