"""The things that a page describes, wherever it does: products, articles, people, under the names of schema.org."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

from sightline.page.own_data._documents import OwnDocument, OwnPath, OwnSyntax, OwnValue
from sightline.page.own_data._items import short_name, short_type
from sightline.page.own_data._vocabularies import MICROFORMAT_NAMES, MICROFORMAT_TYPES

OF_THINGS = frozenset(("json-ld", "microdata", "rdfa", "microformats"))
TRANSPARENT = ("@graph", "@list", "@set")
AT_THE_END = ("name", "@value", "@id")
JOINED_LEVELS = 3  # references within what a reference leads to; every further one multiplies what is joined
MOST_MEMBERS = 4  # dictionaries that stand for one value: `{"name": {"@value": "Ada"}}`

Kept: TypeAlias = dict[str, Any]


@dataclass(frozen=True, eq=False)
class OwnPlace:
    """A value within the documents."""

    document: int
    path: OwnPath
    value: Any

    def inside(self, step: str | int) -> "OwnPlace":
        """What stands in it, by its key or its place in a list."""
        return OwnPlace(self.document, (*self.path, step), self.value[step])


@dataclass(frozen=True)
class OwnThing:
    """One thing that the page describes, with all that is said of it in that place."""

    types: tuple[str, ...]
    """Without their vocabulary: `Product`."""
    document: int
    """The number of the document that it is from."""
    syntax: OwnSyntax
    path: OwnPath
    """Where in the document it stands."""
    node: int
    _among: "OwnThings" = field(repr=False, compare=False)

    @property
    def data(self) -> Mapping[str, Any]:
        """What is said of it, by the names of schema.org; what JSON-LD refers to by `@id` is joined."""
        joined: Mapping[str, Any] = self._among.joined(self._raw, self.syntax)
        return joined

    def values(self, *names: str) -> list[OwnValue]:
        """Every value below a chain of properties, through lists and references.

        What is a thing itself stands for its name, or else for its value or identifier.

        >>> from sightline.page.own_data import OwnData
        >>> said = {"@type": "Product", "offers": [{"price": 5}, {"price": 7}], "brand": {"name": "Canon"}}
        >>> product, = OwnData((OwnDocument("json-ld", 0, said),)).things("Product")
        >>> [value.value for value in product.values("offers", "price")]
        [5, 7]
        >>> product.values("brand")
        [OwnValue(syntax='json-ld', node=0, document=0, path=('brand', 'name'), value='Canon')]
        """
        return list(self._among.values_below(OwnPlace(self.document, self.path, self._raw), names))

    def to_dict(self) -> dict[str, Any]:
        """The thing for JSON."""
        return {"types": list(self.types), "syntax": self.syntax, "node": self.node, "data": self.data}

    @property
    def _raw(self) -> Kept:
        raw: Any = self._among.documents[self.document].data
        for step in self.path:
            raw = raw[step]
        held: Kept = raw
        return held


class OwnThings:
    """All things of some documents, and what they are called there."""

    def __init__(self, documents: Sequence[OwnDocument]) -> None:
        self.documents = documents
        self._joined: dict[tuple[int, int], Any] = {}

    @cached_property
    def all(self) -> tuple[OwnThing, ...]:
        """Every thing; those that are not within another one come first."""
        found: dict[int, list[OwnThing]] = defaultdict(list)
        for number, document in enumerate(self.documents):
            if document.syntax in OF_THINGS:
                for depth, path, raw in _described(document.data):
                    types = _types(raw, document.syntax)
                    if types or not depth:
                        node = document.node_at(path)
                        found[depth].append(OwnThing(types, number, document.syntax, path, node, self))
        return tuple(thing for depth in sorted(found) for thing in found[depth])

    @cached_property
    def _by_id(self) -> Mapping[str, OwnPlace]:
        """The fullest description in JSON-LD of everything with an identifier."""
        found: dict[str, OwnPlace] = {}
        for number, document in enumerate(self.documents):
            if document.syntax == "json-ld":
                for _, path, raw in _described(document.data):
                    name = raw.get("@id")
                    if isinstance(name, str) and len(raw) > len(found[name].value if name in found else ("@id",)):
                        found[name] = OwnPlace(number, path, raw)
        return found

    # ------------------------------------------------------------------ values

    def values_below(self, place: OwnPlace, names: Sequence[str]) -> Iterator[OwnValue]:
        """The values below a chain of properties of one thing."""
        places = [place]
        for name in names:
            held = {(inner.document, inner.path): inner for one in places for inner in self._property(one, name)}
            places = list(held.values())
        for one in places:
            yield from self._leaf(one, MOST_MEMBERS)

    def _property(self, place: OwnPlace, name: str) -> Iterator[OwnPlace]:
        for one in self._members(place):
            if isinstance(one.value, dict):
                syntax = self.documents[one.document].syntax
                for key, own_name in _named(one.value, syntax):
                    if own_name == name:
                        yield from self._members(one.inside(key))

    def _members(self, place: OwnPlace) -> Iterator[OwnPlace]:
        """What stands in a place, one by one: lists opened, references followed."""
        waiting = [place]
        while waiting:
            one = waiting.pop()
            if isinstance(one.value, list):
                waiting += [one.inside(number) for number in reversed(range(len(one.value)))]
            elif isinstance(one.value, dict) and (key := _transparent(one.value)):
                waiting.append(one.inside(key))
            else:
                yield self._referred(one)

    def _referred(self, place: OwnPlace) -> OwnPlace:
        name = _reference(place.value)
        return self._by_id.get(name, place) if name and self.documents[place.document].syntax == "json-ld" else place

    def _leaf(self, place: OwnPlace, most: int) -> Iterator[OwnValue]:
        for one in self._members(place):
            if isinstance(one.value, dict):
                held = (named for name in AT_THE_END if (named := list(self._property(one, name))))
                for inner in next(held, []) if most else []:
                    yield from self._leaf(inner, most - 1)
            elif one.value is not None:
                document = self.documents[one.document]
                yield OwnValue(document.syntax, document.node_at(one.path), one.document, one.path, one.value)

    # ------------------------------------------------------------------ data

    def joined(self, raw: Any, syntax: OwnSyntax, levels: int = JOINED_LEVELS) -> Any:
        """Data by the names of schema.org, with what it refers to; one object wherever it is the same."""
        if isinstance(raw, list):
            return [self.joined(inner, syntax, levels) for inner in raw]
        if not isinstance(raw, dict):
            return raw
        place = self._by_id.get(_reference(raw)) if syntax == "json-ld" else None
        if place is not None and levels:
            return self._kept(place.value, syntax, levels - 1)
        return self._kept(raw, syntax, levels)

    def _kept(self, raw: Kept, syntax: OwnSyntax, levels: int) -> Kept:
        known = self._joined.get((id(raw), levels))
        if known is None:
            known = {}
            for key, name in _named(raw, syntax):
                value = self.joined(raw[key], syntax, levels)
                known[name] = [*_listed(known[name]), *_listed(value)] if name in known else value
            self._joined[id(raw), levels] = known
        kept: Kept = known
        return kept


def _described(data: Any) -> Iterator[tuple[int, OwnPath, Kept]]:
    """Every dictionary in data that describes something, with how many others it stands in."""
    waiting: list[tuple[int, OwnPath, Any]] = [(0, (), data)]
    while waiting:
        depth, path, value = waiting.pop()
        if isinstance(value, list):
            waiting += [(depth, (*path, place), inner) for place, inner in enumerate(value)][::-1]
        elif isinstance(value, dict):
            is_one = _says_something(value)
            if is_one:
                yield depth, path, value
            waiting += [
                (depth + (is_one and key not in TRANSPARENT), (*path, key), inner)
                for key, inner in value.items()
                if isinstance(inner, dict | list)
            ][::-1]


def _says_something(value: Kept) -> bool:
    return "@type" in value or any(not key.startswith("@") for key in value)


def _reference(value: Any) -> str:
    """The identifier of which a dictionary says nothing else."""
    if not isinstance(value, dict) or len(value) > 2:
        return ""
    name = value.get("@id")
    return name if isinstance(name, str) and value.keys() <= {"@id", "@type"} else ""


def _transparent(value: Kept) -> str:
    return next((key for key in TRANSPARENT if key in value), "") if len(value) <= len(TRANSPARENT) else ""


def _types(raw: Kept, syntax: OwnSyntax) -> tuple[str, ...]:
    said = raw.get("@type")
    names = [name for name in _listed(said) if isinstance(name, str)]
    if syntax == "microformats":
        names = [MICROFORMAT_TYPES.get(name, name) for name in names]
    return tuple(dict.fromkeys(filter(None, map(_short_type, names))))


def _named(raw: Kept, syntax: OwnSyntax) -> Iterator[tuple[str, str]]:
    """The keys of a dictionary, each with the name that schema.org has for it."""
    if syntax == "microformats":
        kinds = [MICROFORMAT_NAMES.get(kind, {}) for kind in _listed(raw.get("@type")) if isinstance(kind, str)]
        for key in raw:
            yield key, next((names[key] for names in kinds if key in names), key)
    else:
        for key in raw:
            yield key, _short_name(key)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


_short_type = lru_cache(4096)(short_type)
_short_name = lru_cache(4096)(short_name)
