"""Which fields of a page are main: what it is about, and not its menus, related things and other furniture.

Everything that varies stays in the template, which recognises pages by it; what is not main is set aside, and read
again with `all_fields`. How likely a field is main is told by a small model over where and how its texts stand, fitted
to real sites (`bench.induce.fit_main`, which also says what each measure is worth). Three things are not left to it: a
field that says what another one says loses nothing by being set aside; furniture, of which no site has made anything
main (none of 844 main fields); and what fills the page is what it is about.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log1p
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from sightline.extract.schemas import Leaf, Slot, Taker, cut_lead, is_neutral, leaves_in
from sightline.extract.wrappers.templates._main_weights import LEAST_MAIN, MAIN_WEIGHTS
from sightline.extract.wrappers.templates._read import NodeLabel, TemplateReading
from sightline.page import Page
from sightline.signals import class_words, within, word_set

# Of the varying characters of a page, and how many: a field with so many is main, whatever else speaks against it.
FILLS, FILLING = 0.25, 200
IN_MENU = 0.6  # of a field's texts are in what the page itself marks as navigation
LARGEST_REGION = 0.5  # of a page's texts; what holds more is the page itself, whatever its class says
FEWEST_ALIKE = 3  # pages on which one field says the same as another before it is a repetition
RARE = 0.15  # of the pages; what stands on no more of them may be a matter of those pages
MOSTLY = 0.8  # of a field's texts are made of the title and words that do not change
FEW_FORMS = 0.34  # of the pages: so few different remainders count as words that do not change
IN_LINKS = 0.9  # of a field's texts are links
FEW_TEXTS = 0.3  # of the pages: links with so few different texts are buttons ("Read reviews", "Write a review")
MOST_CELLS = 6  # fields in a set beyond which more of them say nothing
REGION_TAGS = ("nav", "footer", "aside")
HEADING_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6")
REGION_WORDS = word_set("""
    nav navigation navbar menu footer related similar recommended recommendations recommend suggestions also share
    sharing social follow advert advertisement advertising ads ad sponsor sponsored sponsors promo promos promotion
    banner copyright legal disclaimer terms privacy newsletter subscribe signup login signin register cart basket
    toolbar pager pagination popup cookie masthead topbar contentinfo complementary
    """)
NAMING = ("class", "id", "role", "aria-label")  # attributes that say what an element is
TRAIL_WORDS = word_set("breadcrumb breadcrumbs crumbs")  # where a thing belongs is something about it
# What other things stand under, in the languages of the sets that pages are tried with.
ABOUT_OTHERS = re.compile(
    r"\b(?:related|similar|recommend\w*|competitors?|sponsor\w*|advert\w*|share|follow us|newsletter|trending"
    r"|also (?:bought|purchased|viewed|like|liked|read)|you may|more from|other customers|other products"
    r"|ähnliche\w*|kunden kauften|auch interessant|similaires|vous aimerez|relacionad[oa]s|correlat[ie])\b",
    re.IGNORECASE,
)

Mask: TypeAlias = npt.NDArray[np.bool_]
Texts: TypeAlias = tuple[str, ...]
_Kept: TypeAlias = tuple[str, Mapping[int, Texts]]


@dataclass(eq=False)
class FieldSeen:
    """A field, or a set with all that is in it, and where its texts stood."""

    part: Leaf | Slot
    texts: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    in_region: list[bool] = field(default_factory=list)
    in_menu: list[bool] = field(default_factory=list)
    in_heading: list[bool] = field(default_factory=list)
    in_link: list[bool] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Its name."""
        return self.part.name

    @property
    def by_page(self) -> dict[int, Texts]:
        """Its texts on each page."""
        return {page: tuple(texts) for page, texts in self.texts.items()}

    @property
    def distinct(self) -> int:
        """How many different texts it has."""
        return len({text for texts in self.texts.values() for text in texts})

    @property
    def is_title(self) -> bool:
        """Whether it is what the page is called."""
        return self.name in ("title", "name")


def set_aside(pages: Sequence[Page], readings: Sequence[TemplateReading], *, records: str = "") -> dict[str, str]:
    """Drop the fields that are not main, in place; their names with the reason.

    `readings` is what the template has read on the pages, with all labels. `records` is the set whose items are the
    records, if there is one: it is what the pages are about.
    """
    seen = fields_seen(pages, readings)
    reasons = {one.name: why for one, why in _decide(seen, len(pages)) if one.name != records}
    if len(reasons) == len(seen):  # then there is nothing that the pages could be about instead
        return {}
    for one in seen:
        if one.name in reasons:
            _drop(one.part)
    return reasons


def _drop(part: Leaf | Slot) -> None:
    for leaf in [part] if isinstance(part, Leaf) else leaves_in(part.inner):
        if leaf.is_field:
            leaf.dropped = leaf.aside = True


def _decide(seen: Sequence[FieldSeen], pages: int) -> Iterator[tuple[FieldSeen, str]]:
    chances = dict(zip(map(id, seen), main_chances(measures_of(seen, pages)).tolist(), strict=True))
    filling = {id(one) for one in seen if _fills(one, seen)}
    title, said = title_of(seen)
    kept: list[_Kept] = []
    for one in sorted(seen, key=lambda one: (one is not title, is_neutral(one.name))):  # the better name is kept
        if one is title or id(one) in filling:
            why = ""
        elif _repeats(one, kept):
            why = "repeats another field"
        else:
            unlikely = f"stands and looks like what pages are not about ({chances[id(one)]:.0%} likely to be main)"
            why = furniture(one, said) or (unlikely if chances[id(one)] < LEAST_MAIN else "")
        if why:
            yield one, why
        else:
            kept.append((_base(one.name), one.by_page))


def _fills(one: FieldSeen, seen: Sequence[FieldSeen]) -> bool:
    """Whether a field fills the pages that have it."""
    own = sum(len(text) for texts in one.texts.values() for text in texts)
    all_of = sum(len(text) for other in seen for page in one.texts for text in other.texts.get(page, ()))
    return own >= max(FILLING * len(one.texts), FILLS * all_of)


def _repeats(one: FieldSeen, kept: Iterable[_Kept]) -> bool:
    """Whether another field says the same wherever this one says something.

    Two labels make two statements: the author of a change is often, and not always, the one who commits it.
    """
    if len(one.texts) < FEWEST_ALIKE or one.distinct <= 1:
        return False
    own, name = one.by_page, _base(one.name)
    others = (texts for other, texts in kept if is_neutral(name) or other == name or name in TRAIL_WORDS)
    return any(all(other.get(page) == texts for page, texts in own.items()) for other in others)


def _base(name: str) -> str:
    """A name without the number that tells it from others."""
    return re.sub(r" \d+$", "", name)


# ---------------------------------------------------------------- furniture


def title_of(seen: Sequence[FieldSeen]) -> tuple[FieldSeen | None, dict[int, list[str]]]:
    """What the pages are called, and the words of that on each page."""
    title = next((one for one in seen if one.is_title), None)
    return title, {page: _words(texts[0]) for page, texts in title.texts.items()} if title else {}


def furniture(one: FieldSeen, title: Mapping[int, list[str]]) -> str:
    """Why a field is furniture of its pages; "" if it is not."""
    if np.mean(one.in_menu) >= IN_MENU:
        return "is in a menu"
    if ABOUT_OTHERS.search(one.name):
        return "is about other things"
    if isinstance(one.part, Leaf) and _is_button(one):
        return "is a link with the same few texts"
    if isinstance(one.part, Leaf) and one.part.type.kind == "text" and not one.is_title and _is_made_of(one, title):
        return "is made of the title"
    return ""


def _is_made_of(one: FieldSeen, title: Mapping[int, list[str]]) -> bool:
    """Whether its texts are words of the title with the same words around them, as in "Used EOS 5D for sale"."""
    rests = []
    for page, texts in one.texts.items():
        words, known = _words(texts[0]), set(title.get(page, ()))
        rest = [word for word in words if word not in known or word.isdigit()]
        if rest and len(rest) < len(words):
            rests.append(" ".join(rest))
    most = max(1, FEW_FORMS * len(one.texts))
    return len(one.texts) > 1 and len(rests) >= MOSTLY * len(one.texts) and len(set(rests)) <= most


def _is_button(one: FieldSeen) -> bool:
    return bool(np.mean(one.in_link) >= IN_LINKS) and one.distinct <= max(2, FEW_TEXTS * len(one.texts))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


# ---------------------------------------------------------------- how likely a field is main


def main_chances(measures: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """How likely each field is main, by its measures."""
    scores = measures @ np.array([MAIN_WEIGHTS[name] for name in MEASURES]) + MAIN_WEIGHTS["bias"]
    found: npt.NDArray[np.float64] = 1 / (1 + np.exp(-scores))
    return found


# Shares are of the field's texts unless said otherwise.
MEASURES = (
    "title",  # it is what the page is called
    "named",  # a label, or what the page says about itself, names it
    "number",  # it holds numbers without a unit
    "set",  # it is a list
    "named set",  # a list with a name
    "cells",  # fields of a list
    "long",  # characters, as a logarithm
    "region",  # share in menus, footers, boxes of related things
    "heading",  # share in headings
    "present",  # share of the pages that have it
    "rare",  # it is on hardly any page
    "varied",  # share of its pages on which it says something of its own
)


def measures_of(seen: Sequence[FieldSeen], pages: int) -> npt.NDArray[np.float64]:
    """The measures of fields, a row each."""
    title, _ = title_of(seen)
    rows = [_measures(one, pages, is_title=one is title) for one in seen]
    return np.array(rows, dtype=np.float64).reshape(-1, len(MEASURES))


def _measures(one: FieldSeen, pages: int, *, is_title: bool) -> tuple[float, ...]:
    part, on = one.part, len(one.texts)
    texts = [text for texts in one.texts.values() for text in texts]
    is_set, is_named = isinstance(part, Slot), not is_neutral(one.name)
    cells = sum(leaf.is_field for leaf in leaves_in(part.inner)) if isinstance(part, Slot) else 0
    return (
        is_title,
        is_named,
        isinstance(part, Leaf) and part.type.kind == "number",
        is_set,
        is_set and is_named,
        min(MOST_CELLS, cells) / MOST_CELLS,
        log1p(sum(map(len, texts)) / len(texts)) / 8,
        float(np.mean(one.in_region)),
        float(np.mean(one.in_heading)),
        on / pages,
        on <= max(1, RARE * pages),
        len(set(one.by_page.values())) / on,
    )


# ---------------------------------------------------------------- what was seen where


def fields_seen(pages: Sequence[Page], readings: Sequence[TemplateReading]) -> list[FieldSeen]:
    """The fields and sets of the pages, in the order in which they were first seen."""
    seen: dict[int, FieldSeen] = {}
    for number, (page, reading) in enumerate(zip(pages, readings, strict=True)):
        region, menus = _regions(page), _menus(page)
        links, headings = _tagged(page, ("a",)), _tagged(page, HEADING_TAGS)
        for label in reading.labels:
            leaf = label.leaf
            if leaf is None or not leaf.is_field:
                continue
            part = _set_around(label.path) or leaf
            one = seen.setdefault(id(part), FieldSeen(part))
            one.texts[number].append(_text(page, label, leaf))
            one.in_region.append(bool(region[label.first]))
            one.in_menu.append(bool(menus[label.first]))
            one.in_heading.append(bool(headings[label.first]))
            one.in_link.append(bool(links[label.first]))
    return list(seen.values())


def _set_around(path: Iterable[Taker]) -> Slot | None:
    return next((taker for taker in path if isinstance(taker, Slot) and taker.take in ("set", "group")), None)


def _text(page: Page, label: NodeLabel, leaf: Leaf) -> str:
    text = page.texts_between(np.array([label.first]), page.end[[label.last]])[0]
    return cut_lead(" ".join(text.split()), leaf.lead).casefold()


def _regions(page: Page) -> Mask:
    """Which nodes are in a menu, a footer, an advertisement or the like; trails of categories are not."""
    tagged = np.concatenate([page.with_tag(tag) for tag in REGION_TAGS])
    said = np.concatenate([tagged, _called(page, REGION_WORDS)])
    texts = np.concatenate([[0], np.cumsum(page.is_text & ~page.is_blank)])
    small = texts[page.end[said]] - texts[said] <= LARGEST_REGION * texts[-1]
    return _inside(page, said[small]) & ~_inside(page, _called(page, TRAIL_WORDS))


def _menus(page: Page) -> Mask:
    """Which nodes are in what the page itself marks as navigation; a label there is that of a link."""
    marked = np.concatenate([page.with_tag("nav"), _called(page, frozenset(["navigation"]), ("role",))])
    return _inside(page, marked) & ~_inside(page, _called(page, TRAIL_WORDS))


def _called(page: Page, words: frozenset[str], names: Sequence[str] = NAMING) -> npt.NDArray[Any]:
    """The elements with one of the words in their class, id, role or label."""
    found = []
    for name in names:
        numbers = page.attribute(name)
        used = np.unique(numbers[numbers >= 0])
        telling = [number for number in used.tolist() if words.intersection(class_words(page.strings[number]))]
        found.append(np.flatnonzero(np.isin(numbers, telling)))
    return np.concatenate(found)


def _tagged(page: Page, tags: Sequence[str]) -> Mask:
    """Which nodes are one of the elements of some tags, or in one."""
    return _inside(page, np.concatenate([page.with_tag(tag) for tag in tags]))


def _inside(page: Page, elements: npt.NDArray[Any]) -> Mask:
    """Which nodes are one of the elements, or in one."""
    return within(np.arange(len(page)), elements, page.end)
