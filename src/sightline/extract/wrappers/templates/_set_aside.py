"""Which fields of a page are not what it is about: menus, related things, repetitions, texts that never differ.

They stay in the template, which recognises pages by them, and are read again with `all_fields`. A field with a label of
its own is set aside only if it repeats another one, is in a menu, or if its label says that it is about something else.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from sightline.extract.schemas import Leaf, Slot, Taker, cut_lead, is_neutral, leaves_in
from sightline.extract.wrappers.templates._read import NodeLabel, TemplateReading
from sightline.page import Page
from sightline.signals import class_words, within, word_set

IN_REGION = 0.6  # of a field's texts are in a menu, a footer or the like
LARGEST_REGION = 0.5  # of a page's texts; what holds more is the page itself, whatever its class says
FEWEST_ALIKE = 3  # pages on which one field says the same as another before it is a repetition
RARE = 0.15  # of the pages; what stands on fewer and has no name is a matter of those pages
MOSTLY = 0.8  # of a field's texts are made of the title and words that do not change
FEW_FORMS = 0.34  # of the pages: so few different remainders count as words that do not change
IN_LINKS = 0.9  # of a field's texts are links
FEW_TEXTS = 0.3  # of the pages: links with so few different texts are buttons ("Read reviews", "Write a review")
TYPED = ("date", "money", "measure")
REGION_TAGS = ("nav", "footer", "aside")
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
class _Seen:
    """A field, or a set with all that is in it, and where its texts stood."""

    part: Leaf | Slot
    texts: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    in_region: list[bool] = field(default_factory=list)
    in_menu: list[bool] = field(default_factory=list)
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


def set_aside(pages: Sequence[Page], readings: Sequence[TemplateReading], *, records: str = "") -> dict[str, str]:
    """Drop the fields that the pages are not about, in place; their names with the reason.

    `readings` is what the template has read on the pages, with all labels. `records` is the set whose items are the
    records, if there is one: it is what the pages are about.
    """
    seen = _fields_seen(pages, readings)
    reasons = {one.name: why for one, why in _decide(list(seen.values()), len(pages)) if one.name != records}
    if len(reasons) == len(seen):  # then there is nothing that the pages could be about instead
        return {}
    for one in seen.values():
        if one.name in reasons:
            _drop(one.part)
    return reasons


def _drop(part: Leaf | Slot) -> None:
    for leaf in [part] if isinstance(part, Leaf) else leaves_in(part.inner):
        if leaf.is_field:
            leaf.dropped = leaf.aside = True


# ---------------------------------------------------------------- decisions


def _decide(seen: Sequence[_Seen], pages: int) -> Iterator[tuple[_Seen, str]]:
    title = next((one for one in seen if one.name in ("title", "name")), None)
    said = {page: _words(texts[0]) for page, texts in title.texts.items()} if title else {}
    kept: list[_Kept] = []
    for one in sorted(seen, key=lambda one: (one is not title, is_neutral(one.name))):  # the better name is kept
        why = "" if one is title else _reason(one, kept, said, pages)
        if why:
            yield one, why
        else:
            kept.append((_base(one.name), one.by_page))


def _reason(one: _Seen, kept: Iterable[_Kept], title: Mapping[int, list[str]], pages: int) -> str:
    """Why a field is not what the pages are about; "" if it may be."""
    if _repeats(one, kept):
        return "repeats another field"
    if np.mean(one.in_menu) >= IN_REGION:
        return "is in a menu"
    if not is_neutral(one.name):
        return "is about other things" if ABOUT_OTHERS.search(one.name) else ""
    if np.mean(one.in_region) >= IN_REGION:
        return "is in a menu, a footer, or among related things"
    if one.distinct <= 1 and not _is_typed(one):
        return "never differs"
    if len(one.texts) <= max(1, RARE * pages):
        return "is on hardly any page"
    if isinstance(one.part, Leaf) and one.part.type.kind == "text" and _is_made_of(one, title):
        return "is made of the title"
    if isinstance(one.part, Leaf) and _is_button(one):
        return "is a link with the same few texts"
    return ""


def _is_typed(one: _Seen) -> bool:
    """Whether a field holds dates or amounts: that they are the same on a few pages may be chance."""
    return isinstance(one.part, Leaf) and one.part.type.kind in TYPED


def _repeats(one: _Seen, kept: Iterable[_Kept]) -> bool:
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


def _is_made_of(one: _Seen, title: Mapping[int, list[str]]) -> bool:
    """Whether its texts are words of the title with the same words around them, as in "Used EOS 5D for sale"."""
    rests = []
    for page, texts in one.texts.items():
        words, known = _words(texts[0]), set(title.get(page, ()))
        rest = [word for word in words if word not in known or word.isdigit()]
        if rest and len(rest) < len(words):
            rests.append(" ".join(rest))
    most = max(1, FEW_FORMS * len(one.texts))
    return len(one.texts) > 1 and len(rests) >= MOSTLY * len(one.texts) and len(set(rests)) <= most


def _is_button(one: _Seen) -> bool:
    return bool(np.mean(one.in_link) >= IN_LINKS) and one.distinct <= max(2, FEW_TEXTS * len(one.texts))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


# ---------------------------------------------------------------- what was seen where


def _fields_seen(pages: Sequence[Page], readings: Sequence[TemplateReading]) -> dict[int, _Seen]:
    """The fields and sets of the pages by identity, in order."""
    seen: dict[int, _Seen] = {}
    for number, (page, reading) in enumerate(zip(pages, readings, strict=True)):
        region, menus, links = _regions(page), _menus(page), _inside(page, page.with_tag("a"))
        for label in reading.labels:
            leaf = label.leaf
            if leaf is None or not leaf.is_field:
                continue
            part = _set_around(label.path) or leaf
            one = seen.setdefault(id(part), _Seen(part))
            one.texts[number].append(_text(page, label, leaf))
            one.in_region.append(bool(region[label.first]))
            one.in_menu.append(bool(menus[label.first]))
            one.in_link.append(bool(links[label.first]))
    return seen


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


def _inside(page: Page, elements: npt.NDArray[Any]) -> Mask:
    """Which nodes are one of the elements, or in one."""
    return within(np.arange(len(page)), elements, page.end)
