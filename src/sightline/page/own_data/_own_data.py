"""All that a page says about itself, and how it is asked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sightline.page.own_data._documents import OwnDocument, OwnValue, leaves
from sightline.page.own_data._things import OwnThing, OwnThings


@dataclass(frozen=True)
class OwnData:
    """What a page says about itself for machines, each value with the place where it does.

    >>> from sightline.testing import element, page_of
    >>> name = element("b", "Canon EOS 5D", itemprop="name")
    >>> page = page_of(element("div", name, itemscope="", itemtype="https://schema.org/Product"))
    >>> product, = page.own_data.things("Product")
    >>> product.values("name")[0].value, page.node(product.values("name")[0].node)
    ('Canon EOS 5D', <Node 1 b>)
    """

    documents: tuple[OwnDocument, ...] = ()
    gaps: tuple[str, ...] = ()
    """What was not read, and why."""

    def things(self, *types: str) -> tuple[OwnThing, ...]:
        """The things of these types, or all; those that are within others come last."""
        if not types:
            return self._things.all
        wanted = {kind.lower() for kind in types}
        return tuple(thing for thing in self._things.all if any(kind.lower() in wanted for kind in thing.types))

    def values(self) -> Iterator[OwnValue]:
        """Every value of every document."""
        for number, document in enumerate(self.documents):
            for path, value in leaves(document.data):
                yield OwnValue(document.syntax, document.node_at(path), number, path, value)

    @cached_property
    def meta(self) -> Mapping[str, tuple[str, ...]]:
        """What the `meta` elements say, by their names in lower case."""
        found: dict[str, tuple[str, ...]] = {}
        for document in self.documents:
            if document.syntax == "meta":
                for name, said in document.data.items():
                    found[name.lower()] = (*found.get(name.lower(), ()), *said)
        return found

    def to_dict(self) -> dict[str, Any]:
        """All of it for JSON."""
        return {"documents": [document.to_dict() for document in self.documents], "gaps": list(self.gaps)}

    @cached_property
    def _things(self) -> OwnThings:
        return OwnThings(self.documents)
