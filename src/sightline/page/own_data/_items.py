"""Items as microdata, RDFa and microformats write them into the markup, and the documents that they become."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias, Union

from sightline.page.own_data._documents import OwnDocument, OwnPath, OwnSyntax
from sightline.page.own_data._limits import DEEPEST, OwnBudget

VOCABULARIES = ("schema.org/", "data-vocabulary.org/", "rdf.data-vocabulary.org/#")
SCHEMES = ("https://", "http://", "//")
LEVELS = 2  # of a document for each item in an item: the dictionary, and the list that it stands in

MarkupValue: TypeAlias = Union[str, int, "MarkupItem"]


@dataclass(eq=False)
class MarkupItem:
    """One thing in the markup while it is read."""

    node: int
    types: list[str]
    id: str = ""
    properties: list[tuple[str, int, MarkupValue]] = field(default_factory=list)
    """The name of each property, the element that it stands in, and its value."""

    def add(self, names: Iterable[str], node: int, value: MarkupValue) -> None:
        """Give the item a value under some names."""
        self.properties += [(name, node, value) for name in names]


def short_type(name: str) -> str:
    """The name of a type without its vocabulary.

    >>> [short_type(name) for name in ("https://schema.org/Product", "schema:Recipe", "Article", "x/y#Thing")]
    ['Product', 'Recipe', 'Article', 'Thing']
    """
    last = name.rstrip("/#").replace("#", "/").rpartition("/")[2]
    return last.rpartition(":")[2]


def short_name(name: str) -> str:
    """The name of a property without schema.org's vocabulary; any other stays whole.

    >>> [short_name(name) for name in ("http://schema.org/price", "schema:name", "og:title", "offers")]
    ['price', 'name', 'og:title', 'offers']
    """
    if name.startswith("schema:"):
        return name[7:]
    for scheme in SCHEMES:
        if name.startswith(scheme):
            host = name[len(scheme) :].removeprefix("www.")
            return next((host[len(one) :] for one in VOCABULARIES if host.startswith(one)), "") or name
    return name


def documents_of(items: Iterable[MarkupItem], syntax: OwnSyntax, budget: OwnBudget) -> Iterator[OwnDocument]:
    """A document for each of some items; an item within itself, or too deep, is left out."""
    for item in items:
        nodes: dict[OwnPath, int] = {}
        data = _data(item, (), nodes, (syntax, budget), ())
        yield OwnDocument(syntax, item.node, data, nodes=nodes)


def _data(
    item: MarkupItem,
    path: OwnPath,
    nodes: dict[OwnPath, int],
    of: tuple[OwnSyntax, OwnBudget],
    around: tuple[MarkupItem, ...],
) -> dict[str, Any]:
    syntax, budget = of
    data: dict[str, Any] = {"@type": item.types}
    if item.id:
        data["@id"] = item.id
    for name, node, value in item.properties:
        inner = isinstance(value, MarkupItem)
        if inner and not _may_hold(value, (*around, item), of):
            continue
        if not budget.takes_values(1, f"A part of the {syntax}"):
            break
        values = data.setdefault(name, [])
        at = (*path, name, len(values))
        nodes[at] = node
        values.append(_data(value, at, nodes, of, (*around, item)) if isinstance(value, MarkupItem) else value)
    return data


def _may_hold(inner: MarkupValue, around: tuple[MarkupItem, ...], of: tuple[OwnSyntax, OwnBudget]) -> bool:
    syntax, budget = of
    if inner in around:
        budget.tell(f"An item of {syntax} holds itself, which was left out.")
        return False
    if len(around) * LEVELS >= DEEPEST - LEVELS:
        budget.tell(f"An item of {syntax} is cut off {DEEPEST} levels deep.")
        return False
    return True
