"""What a page says about itself, as it stands: one document for each block of JSON, item in the markup, or state."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

OwnPath: TypeAlias = tuple[str | int, ...]
OwnSyntax: TypeAlias = Literal["json-ld", "microdata", "rdfa", "meta", "microformats", "state"]
Leaf: TypeAlias = str | int | float | bool


@dataclass(frozen=True)
class OwnDocument:
    """One block of JSON-LD, one outermost item of markup, all `meta` elements together, or one state of a script.

    >>> said = OwnDocument("meta", 0, {"author": ["Ada"]}, nodes={("author", 0): 7})
    >>> said.node_at(("author", 0)), said.node_at(())
    (7, 0)
    """

    syntax: OwnSyntax
    node: int
    """The element that holds it."""
    data: Any
    """Like JSON, as the page says it."""
    nodes: Mapping[OwnPath, int] = field(default_factory=dict)
    """The elements that the values stand in, where they are written in the markup; empty for JSON."""
    name: str = ""
    """What the page calls a state, such as `__NEXT_DATA__`."""

    def node_at(self, path: OwnPath) -> int:
        """The element in which the value at a path stands, or what is around it."""
        while path:
            if path in self.nodes:
                return self.nodes[path]
            path = path[:-1]
        return self.node

    def to_dict(self) -> dict[str, Any]:
        """The document for JSON."""
        named = {"name": self.name} if self.name else {}
        return {"syntax": self.syntax, **named, "node": self.node, "data": self.data}


@dataclass(frozen=True)
class OwnValue:
    """One value of a document, with the place where it stands."""

    syntax: OwnSyntax
    node: int
    document: int
    """The number of the document."""
    path: OwnPath
    """The keys and places in lists that lead to the value in the document's `data`."""
    value: Leaf


def leaves(data: Any, path: OwnPath = ()) -> Iterator[tuple[OwnPath, Leaf]]:
    """Every value in data with the path to it, in order; `None` is no value.

    >>> list(leaves({"a": [1, {"b": "x"}], "c": None}))
    [(('a', 0), 1), (('a', 1, 'b'), 'x')]
    """
    open_ones = [iter([(path, data)])]
    while open_ones:
        for at, value in open_ones[-1]:
            if isinstance(value, dict):
                open_ones.append(iter([((*at, key), inner) for key, inner in value.items()]))
                break
            if isinstance(value, list):
                open_ones.append(iter([((*at, place), inner) for place, inner in enumerate(value)]))
                break
            if value is not None:
                yield at, value
        else:
            open_ones.pop()
