"""Basic top-k, as published in Zhang, Zhu, Wang & Li, "Automatic Extraction of Top-k Lists from the Web" (ICDE 2013).

Exactly k nodes of one tag path, grown up to the items that they are parts of; the list with the most text wins. None of
the paper's optimisations is in it. What Sightline does instead is in `sightline.extract.lists`.
"""

from dataclasses import dataclass, replace

from sightline.arrays import IntArray
from sightline.data import Item, ItemList, TraceStep
from sightline.extract.lists import PageSignals, Promise, SpanReader, expand_to_items, path_classes, promises_of
from sightline.geometry import Box, as_box, union_of
from sightline.page import Page


@dataclass(frozen=True)
class PathClass:
    """Nodes of one tag path, the items that they grow up to, and how many words these hold."""

    path: str
    nodes: tuple[Box, ...]
    items: tuple[Box, ...]
    levels: int
    words: int
    chosen: bool


@dataclass(frozen=True)
class BasicTopTrace:
    """What the title promises, every class of exactly k nodes, and the list that was chosen."""

    promises: tuple[Promise, ...]
    classes: tuple[PathClass, ...] = ()
    found: ItemList | None = None

    def steps(self) -> tuple[TraceStep, ...]:
        """The promise, the classes of tag paths, what they grow up to, and the choice."""
        promised = tuple({"k": one.k, "title": one.title} for one in self.promises[:1])
        classes = tuple({"path": one.path, "nodes": len(one.nodes)} for one in self.classes)
        grown = tuple({"path": one.path, "levels": one.levels, "words": one.words} for one in self.classes)
        chosen = [one for one in self.classes if one.chosen]
        return (
            TraceStep("promise", "the number of items that the title promises", promised),
            TraceStep("classes", "exactly k nodes with one tag path", classes, _boxes("nodes", self.classes)),
            TraceStep("growth", "each node, grown up while all stay apart", grown, _boxes("items", self.classes)),
            TraceStep(
                "choice",
                "the list with the most words",
                tuple({"path": one.path, "words": one.words} for one in chosen),
                _boxes("items", chosen),
            ),
        )


def basic_top(page: Page, *, k: int | None = None) -> ItemList | None:
    """The list with the most text among those of exactly k nodes of one tag path, or None.

    >>> from sightline.testing import list_page
    >>> len(basic_top(list_page(["Sirius", "Rigel"]), k=2))
    2
    """
    return trace_basic_top(page, k=k).found


def trace_basic_top(page: Page, *, k: int | None = None) -> BasicTopTrace:
    """As `basic_top`, with every step.

    >>> from sightline.testing import list_page
    >>> [step.name for step in trace_basic_top(list_page(["Sirius", "Rigel"]), k=2).steps()]
    ['promise', 'classes', 'growth', 'choice']
    """
    signals = PageSignals(page)
    promises = (Promise(k, "", 3),) if k is not None else tuple(promises_of(signals)[:1])
    if not promises:
        return BasicTopTrace(())
    counts = range(promises[0].k, promises[0].k + 1)
    grown = [(nodes, expand_to_items(page.parent, nodes)) for nodes in path_classes(signals, counts)]
    words = [_words(signals, items) for _, items in grown]
    # Classes within the same items give one list, and of equal ones the first counts.
    best = max(range(len(grown)), key=words.__getitem__, default=None)
    classes = tuple(
        _class(page, nodes, items, count, chosen=place == best)
        for place, ((nodes, items), count) in enumerate(zip(grown, words, strict=True))
    )
    found = None if best is None else _list(signals, promises[0], grown[best][1])
    return BasicTopTrace(promises, classes, found)


def _words(signals: PageSignals, items: IntArray) -> int:
    words = signals.tallies.words
    return int((words[signals.page.end[items]] - words[items]).sum())


def _class(page: Page, nodes: IntArray, items: IntArray, words: int, *, chosen: bool) -> PathClass:
    path = page.path_names[int(page.path[nodes[0]])]
    levels = int(page.depth[nodes[0]] - page.depth[items[0]])
    return PathClass(path, _laid_out(page, nodes), _laid_out(page, items), levels, words, chosen)


def _laid_out(page: Page, nodes: IntArray) -> tuple[Box, ...]:
    return tuple(box for node in nodes.tolist() if (box := as_box(page.box[node])))


def _boxes(of: str, classes: "tuple[PathClass, ...] | list[PathClass]") -> tuple[Box, ...]:
    return tuple(dict.fromkeys(box for one in classes for box in getattr(one, of)))


def _list(signals: PageSignals, promise: Promise, best: IntArray) -> ItemList:
    reader = SpanReader(signals)
    records = list(zip(best.tolist(), signals.page.end[best].tolist(), strict=True))
    reader.read(records)
    reader.locate(records)
    values = [reader.value(record) for record in records]
    items = tuple(Item(replace(value, text=value.text.split("\n", 1)[0]), value) for value in values)
    box = union_of(item.text.origin.box for item in items if item.text.origin)
    return ItemList(items, promise.k, "items", promise.title or None, box, 1.0, signals.page.language)
