"""RDFa, as far as pages use it: RDFa Lite (https://www.w3.org/TR/rdfa-lite/), `content`, `about` and prefixed `rel`.

Only what is said of things with a type is read. What is said of the page itself, such as Open Graph, is with the other
`meta` elements.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from sightline.page.own_data._documents import OwnDocument
from sightline.page.own_data._items import MarkupItem, MarkupValue, documents_of, short_name, short_type
from sightline.page.own_data._markup import MarkupReader

WHAT = "rdfa"
# Of https://www.w3.org/2011/rdfa-context/rdfa-1.1, those whose names become short ones.
PREFIXES: Mapping[str, str] = {"schema": "http://schema.org/", "v": "http://rdf.data-vocabulary.org/#"}
MOST_PREFIXES = 100
ADDRESS_ATTRIBUTES = ("resource", "href")


@dataclass(frozen=True)
class Surroundings:
    """What the elements around say to those in them: the thing that is described, and how names are written."""

    end: int
    item: MarkupItem | None = None
    prefixes: Mapping[str, str] = field(default_factory=lambda: PREFIXES)
    awaiting: tuple[str, ...] = ()
    """Names of properties from a `rel`, whose value is the next thing inside."""


def read_rdfa(markup: MarkupReader) -> Iterator[OwnDocument]:
    """Every outermost thing with a type.

    >>> from sightline.testing import element, page_of
    >>> from sightline.page.own_data._limits import OwnBudget
    >>> name = element("span", "Ada", property="schema:name")
    >>> page = page_of(element("div", name, typeof="schema:Person"))
    >>> [document.data for document in read_rdfa(MarkupReader(page, OwnBudget()))]
    [{'@type': ['Person'], 'name': ['Ada']}]
    """
    if not any(map(str.strip, (markup.value(node, "typeof") or "" for node in markup.having("typeof")))):
        return
    reading = _Reading(markup)
    open_ones = [Surroundings(len(markup.page))]
    for node in markup.having("typeof", "property", "resource", "about", "prefix", "rel"):
        while len(open_ones) > 1 and open_ones[-1].end <= node:
            open_ones.pop()
        inner = reading.enter(node, open_ones[-1])
        if inner is not open_ones[-1]:
            open_ones.append(replace(inner, end=markup.end(node)))
    yield from documents_of(reading.outermost(), "rdfa", markup.budget)


class _Reading:
    """The things found so far, by what they are called."""

    def __init__(self, markup: MarkupReader) -> None:
        self.markup = markup
        self.items: list[MarkupItem] = []
        self.by_id: dict[str, MarkupItem] = {}
        self.owned: set[int] = set()

    def outermost(self) -> list[MarkupItem]:
        """The things with a type that are the property of no other."""
        return [item for item in self.items if item.types and item.node not in self.owned]

    def enter(self, node: int, around: Surroundings) -> Surroundings:
        """Read one element; returns what holds for those inside."""
        around = self._with_prefixes(node, around)
        said = self.markup.value
        names = self._names(node, "property", around)
        related = [name for name in self._names(node, "rel", around) if name]
        subject = self._subject(node, is_value=bool(names or related))
        if subject is None:
            return self._describe(node, names, related, around)
        owner = self._about(node, around)
        awaited = (*names, *related, *(around.awaiting if not names else ()))
        if owner is not None and owner is not subject and awaited and said(node, "about") is None:
            owner.add(awaited, node, subject)
            self.owned.add(subject.node)
        elif names and said(node, "about") is not None:
            subject.add(names, node, self._value(node))
        return replace(around, item=subject, awaiting=())

    def _describe(self, node: int, names: list[str], related: list[str], around: Surroundings) -> Surroundings:
        """Give the thing around a value; a relation without an address waits for a thing inside."""
        if around.item is None:
            return around
        if names:
            around.item.add(names, node, self._value(node))
        if not related:
            return around
        address = self.markup.first(node, (*ADDRESS_ATTRIBUTES, "src"))
        if address is None:
            return replace(around, awaiting=tuple(related))
        around.item.add(related, node, self.markup.address(address))
        return around

    def _subject(self, node: int, *, is_value: bool) -> MarkupItem | None:
        """The thing that an element begins to describe; None where it goes on with the one around it."""
        said = self.markup.value
        types = [short_type(name) for name in self.markup.words(node, "typeof")]
        name = said(node, "about")
        if name is None and (types or not is_value):
            name = said(node, "resource")
        if types and name is None and (address := self.markup.first(node, ("href", "src"))):
            name = self.markup.address(address)
        if not types and name is None:
            return None
        known = self.by_id.get(name or "")
        if known is None:
            known = MarkupItem(node, [], (name or "").strip())
            self.items.append(known)
            if name:
                self.by_id[name] = known
        known.types += [kind for kind in types if kind not in known.types]
        return known

    def _about(self, node: int, around: Surroundings) -> MarkupItem | None:
        """The thing of which an element says something."""
        name = self.markup.value(node, "about")
        return around.item if name is None else self.by_id.get(name, around.item)

    def _value(self, node: int) -> MarkupValue:
        """What an element says: its `content`, an address, or its text."""
        markup = self.markup
        content = markup.value(node, "content")
        if content is None and markup.tag(node) == "time":
            content = markup.value(node, "datetime")
        if content is not None:
            return content.strip()
        if markup.value(node, "datatype") is None:
            address = markup.first(node, ADDRESS_ATTRIBUTES)
            if address is not None:
                return self.by_id[address] if address in self.by_id else markup.address(address)
            source = markup.source(node)
            if source is not None:
                return source
        return markup.text_of(node, WHAT)

    def _names(self, node: int, attribute: str, around: Surroundings) -> list[str]:
        """The properties that an element names; relations only with a prefix, because `nofollow` is one too."""
        words = self.markup.words(node, attribute)
        if attribute == "rel":
            words = [word for word in words if ":" in word]
        return [_name(word, around.prefixes) for word in words]

    def _with_prefixes(self, node: int, around: Surroundings) -> Surroundings:
        words = self.markup.words(node, "prefix")
        if len(words) < 2 or len(around.prefixes) > MOST_PREFIXES:
            return around
        more = {name.rstrip(":"): address for name, address in zip(words[::2], words[1::2], strict=False)}
        return replace(around, prefixes={**around.prefixes, **more})


def _name(word: str, prefixes: Mapping[str, str]) -> str:
    prefix, colon, rest = word.partition(":")
    if colon and prefix in prefixes:
        full = short_name(prefixes[prefix] + rest)
        return word if "/" in full else full
    return short_name(word)
