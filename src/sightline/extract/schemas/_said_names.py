"""What the pages' own data calls values: the names of properties, by the texts that they say and readers see.

A page says `"price": 1299` in its JSON-LD or in an item of its markup, and shows “$1,299.00”. Where most texts of a
field are values of one property on the pages, that property is what the field is called.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sightline.extract.schemas._outline import collapse_spaces
from sightline.page import OwnThing, Page
from sightline.page.own_data import read_descriptions
from sightline.signals import days_in, word_set

SHORTEST = 2  # characters; a digit is the value of many things
# The share of a field's texts that have to be values of the property. On 102 sites none of the 168 names is wrong with
# it; with 0.3 the first one is. Folds over the sites choose 0.5 (182 names), with which one of two pages would do.
# (`python -m bench.induce.said_names`)
AGREE = 0.6
MOST_UNTYPED = 3  # levels of things without a type within each other
LONGEST_DAY = 32  # characters of a text that is a day, with the weekday and a word such as “Published”

# What a thing is to the page here is no name of its values: a related product is called so for its price, too.
OTHERS = word_set("""
    isRelatedTo isSimilarTo relatedLink hasPart mentions citation recommendation associatedArticle isPartOf
    publisher itemReviewed potentialAction breadcrumb children
    """)
FURNITURE = word_set("""
    BreadcrumbList ListItem WebSite SearchAction ReadAction EntryPoint ImageObject VideoObject ItemList
    CollectionPage SiteNavigationElement WPHeader WPFooter PropertyValueSpecification
    """)
# Things whose names are not what the page is called, and that stand at the top of what many pages say.
NAMED_OFTEN = frozenset(["Person", "Organization", "NewsMediaOrganization", "Brand", "Question", "Answer", "FAQPage"])
# Properties that say what a thing is to the file and not to a reader, or that are any text.
UNTOLD = word_set("""
    url image logo sameAs inLanguage text item items itemListElement itemreviewed value caption position about
    mainEntity mainEntityOfPage identifier additionalType thumbnailUrl contentUrl embedUrl target encodingFormat
    keywords additionalProperty
    """)
LISTED = frozenset(("itemListElement", "item"))
PLAIN_TYPES = frozenset(("Thing", "WebPage"))  # of what a trail of links leads to
WITHIN = frozenset(("@graph", "@list", "@set", "mainEntity", "mainEntityOfPage")) | LISTED
TITLES = ("name", "headline", "title", "alternativeHeadline")
# Of several properties with the same values, the first one names them.
SAME = (TITLES, ("price", "lowPrice", "highPrice"), ("sku", "mpn", "productID"))
# What `meta` elements call the same.
META = {
    **dict.fromkeys(("product:price:amount", "og:price:amount"), "price"),
    **dict.fromkeys(("product:price:currency", "og:price:currency"), "priceCurrency"),
    **dict.fromkeys(("article:author", "author"), "author"),
    "article:published_time": "datePublished",
    "article:modified_time": "dateModified",
    "product:brand": "brand",
}
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]{2,39}")
_AMOUNT = re.compile(r"[^\w\s]{0,2}\s?(\d{1,3}(?:[.,\u00a0' ]\d{3})+|\d+)(?:[.,](\d{1,2}))?\s?[^\w\s]{0,2}")
_WORD = re.compile(r"[^\W\d_]{3}")
_ISO_DAY = re.compile(r"(\d{4}-\d\d-\d\d)(?!\d)")


@dataclass(frozen=True)
class SaidNames:
    """The properties that have a text as their value, and on how many pages.

    >>> SaidNames({"eos 5d": Counter(name=2), "eos 6d": Counter(name=1)}).name(["EOS 5D", "EOS 6D"])
    'name'
    >>> SaidNames({"38": Counter(reviewCount=2)}).name(["38", "38"])  # it may be anything
    ''
    """

    by_key: Mapping[str, Counter[str]]
    many: frozenset[str] = frozenset()
    """Those that have several values on one page, such as ingredients."""

    def name(self, texts: Sequence[str], *, is_title: bool = False) -> str:
        """What the pages call these texts, if nearly all are values of one property; a title has the name of one."""
        telling = [text for text in texts if len(text) >= SHORTEST]
        if not self.by_key or not telling:
            return ""
        named = [self._of(text) for text in telling]
        votes = Counter(name for names in named for name in names if name in TITLES or not is_title)
        name = _first(votes)
        if not name or votes[name] < AGREE * len(telling):
            return ""
        different = {key_of(text): names for text, names in zip(telling, named, strict=True) if name in names}
        return name if len(different) > 1 or all(_is_certain(*one) for one in different.items()) else ""

    def _of(self, text: str) -> frozenset[str]:
        return frozenset(name for key in keys_of(text) for name in self.by_key.get(key, ()))


def _is_certain(text: str, names: frozenset[str]) -> bool:
    """Whether one text alone tells its property: it has words, and is the value of nothing else."""
    return len(names) == 1 and _WORD.search(text) is not None


def _first(votes: Counter[str]) -> str:
    """The property with the most values; of several with as many, the one that says what the others say, too."""
    most = max(votes.values(), default=0)
    names = {name for name, count in votes.items() if count == most}
    if len(names) < 2:
        return next(iter(names), "")
    same = next((one for one in SAME if names <= set(one)), ())
    return next((name for name in same if name in names), "")


def said_names_of(pages: Iterable[Page]) -> SaidNames:
    """What the own data of pages calls the texts in it."""
    by_key: dict[str, Counter[str]] = defaultdict(Counter)
    many: set[str] = set()
    for page in pages:
        said = set(_said_by(page))
        for name, key in {(name, key) for name, text in said for key in keys_of(text, page.language)}:
            by_key[key][name] += 1
        many |= {name for name, count in Counter(name for name, _ in said).items() if count > 1}
    return SaidNames(dict(by_key), frozenset(many))


def key_of(text: str) -> str:
    """A text as it is compared: in lower case, without surrounding white space and currency signs."""
    return collapse_spaces(text).casefold().lstrip("$€£¥ ").rstrip("$€£¥ ")


def keys_of(text: str, language: str | None = None) -> Iterator[str]:
    """Everything by which a text is compared: as it is written, its amount, and its day.

    >>> sorted(keys_of("$1,299.00")), sorted(keys_of("2026-03-14T08:00")), sorted(keys_of("14 March 2026"))
    (['#1299', '1,299.00'], ['2026-03-14t08:00', '@2026-03-14'], ['14 march 2026', '@2026-03-14'])
    """
    yield key_of(text)
    if (found := _AMOUNT.fullmatch(text.strip())) is not None:
        whole, cents = re.sub(r"\D", "", found[1]).lstrip("0") or "0", (found[2] or "").rstrip("0")
        yield f"#{whole}.{cents}" if cents else f"#{whole}"
    if (day := _ISO_DAY.match(text)) is not None:
        yield f"@{day[1]}"
    elif len(text) <= LONGEST_DAY and any(map(str.isdigit, text)):
        days = list(days_in(text, language))
        if len(days) == 1:
            yield f"@{days[0].day.isoformat()}"


def _said_by(page: Page) -> Iterator[tuple[str, str]]:
    own = read_descriptions(page)
    for thing in own.things():
        yield from _said_of(thing)
    for name, property in META.items():
        yield from ((property, text) for text in own.meta.get(name, ()))


def _said_of(thing: OwnThing) -> Iterator[tuple[str, str]]:
    """The properties of a thing with their texts; what a thing itself is to another stands for its name."""
    above = [step for step in thing.path if isinstance(step, str)]
    types = frozenset(thing.types)
    is_link = not LISTED.isdisjoint(above) and types <= PLAIN_TYPES
    if is_link or not FURNITURE.isdisjoint(types):
        return
    has_own_name = WITHIN.issuperset(above) and NAMED_OFTEN.isdisjoint(types)
    yield from _pairs(thing.data, has_own_name=has_own_name, most=MOST_UNTYPED)


def _pairs(data: Mapping[str, Any], *, has_own_name: bool, most: int) -> Iterator[tuple[str, str]]:
    """Properties with their texts; those of a thing without a type are its own, too, and others have their own turn."""
    for name, value in data.items():
        is_told = _NAME.fullmatch(name) and name not in UNTOLD and name not in OTHERS
        for one in _listed(value) if is_told and (name != "name" or has_own_name) else ():
            if isinstance(one, dict):
                types = _listed(one.get("@type", []))
                if FURNITURE.isdisjoint(types):
                    names = map(_plain, _listed(one.get("name", one.get("@value"))))
                    yield from ((name, text) for text in names if text)
                if not types and most:
                    yield from _pairs(one, has_own_name=False, most=most - 1)
            elif text := _plain(one):
                yield name, text


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _plain(value: Any) -> str:
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
