"""Small pages by hand and at random, for the tests of the page model."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
from hypothesis import strategies as st

from sightline.geometry import NO_BOX, Box
from sightline.page import PLAIN, TEXT, Attributes, DrawnRules, Page, PageKind, Words, ends

STYLES = ("display", "visibility", "opacity", "clip", "clip-path", "overflow-x", "overflow-y", "position")
DEFAULTS = {
    "display": "block",
    "visibility": "visible",
    "opacity": "1",
    "clip": "auto",
    "clip-path": "none",
    "overflow-x": "visible",
    "overflow-y": "visible",
    "position": "static",
}


@dataclass(frozen=True)
class Element:
    """One node of a page to be: an element, or a text when `text` is set."""

    tag: str
    children: tuple["Element", ...] = ()
    attributes: dict[str, str] = field(default_factory=dict)
    box: Box | None = (0.0, 0.0, 100.0, 20.0)
    style: dict[str, str] = field(default_factory=dict)
    edge: int = PLAIN
    text: str | None = None


def el(tag: str, *children: "Element | str", **options: Any) -> Element:
    """Write an element; plain strings become texts with its box. Options that are no fields are attributes."""
    fields = {key: options.pop(key) for key in ("box", "style", "edge") if key in options}
    box = fields.get("box", (0.0, 0.0, 100.0, 20.0))
    nodes = tuple(text(child, box=box) if isinstance(child, str) else child for child in children)
    return Element(tag, nodes, {name.strip("_"): value for name, value in options.items()}, **fields)


def text(content: str, **options: Any) -> Element:
    """Write a text node."""
    style = {"display": "inline"} | options.pop("style", {})
    return Element(TEXT, text=content, style=style, **options)


def page(root: Element, *, kind: PageKind = "rendered", **facts: Any) -> Page:
    """Make the page with this root; every word of a text gets the box of its text."""
    return Builder().page(root, kind=kind, **facts)


class Builder:
    """Collects nodes in document order."""

    def __init__(self) -> None:
        self.strings: dict[str, int] = {}
        self.rows: list[tuple[int, Element]] = []

    def page(self, root: Element, *, kind: PageKind, **facts: Any) -> Page:
        """All columns of the page."""
        self._add(root, -1)
        nodes = [node for _, node in self.rows]
        parent = np.array([above for above, _ in self.rows], dtype=np.int32)
        laid_out = kind != "static"
        names = STYLES if laid_out else ()
        rows = [tuple(self._id((DEFAULTS | node.style)[name]) for name in names) for node in nodes]
        styles = list(dict.fromkeys(rows))
        boxes = [node.box if laid_out and node.box else NO_BOX for node in nodes]
        values: dict[str, Any] = {
            "parent": parent,
            "end": ends(parent),
            "tag": self._ids([node.tag for node in nodes]),
            "text": self._ids([node.text for node in nodes]),
            "attributes": self._attributes(nodes),
            "box": np.array(boxes, dtype=np.float32).reshape(-1, 4),
            "styles": np.array(styles, dtype=np.int32).reshape(len(styles), len(names)),
            "style_of": np.array([styles.index(row) for row in rows], dtype=np.int32),
            "style_names": names,
            "words": self._words(nodes) if laid_out else Words.empty(),
            "edge": np.array([node.edge for node in nodes], dtype=np.int8),
            "kind": kind,
            "viewport": (1000, 800) if laid_out else (0, 0),
        }
        return Page(strings=tuple(self.strings), **(values | facts))

    def _add(self, node: Element, parent: int) -> None:
        number = len(self.rows)
        self.rows.append((parent, node))
        for child in node.children:
            self._add(child, number)

    def _id(self, string: str) -> int:
        return self.strings.setdefault(string, len(self.strings))

    def _ids(self, strings: list[str | None]) -> Any:
        return np.array([-1 if string is None else self._id(string) for string in strings], dtype=np.int32)

    def _attributes(self, nodes: list[Element]) -> Attributes:
        pairs = [pair for node in nodes for pair in node.attributes.items()]
        start = np.cumsum([0, *(len(node.attributes) for node in nodes)]).astype(np.int32)
        return Attributes(
            start=start, name=self._ids([name for name, _ in pairs]), value=self._ids([value for _, value in pairs])
        )

    def _words(self, nodes: list[Element]) -> Words:
        rows = [
            (number, start, end, node.box)
            for number, node in enumerate(nodes)
            if node.text and node.box
            for start, end in runs(node.text)
        ]
        return Words(
            node=np.array([row[0] for row in rows], dtype=np.int32),
            start=np.array([row[1] for row in rows], dtype=np.int32),
            end=np.array([row[2] for row in rows], dtype=np.int32),
            box=np.array([row[3] for row in rows], dtype=np.float32).reshape(-1, 4),
        )


def runs(content: str) -> Iterator[tuple[int, int]]:
    """Where the words of a text begin and end."""
    start = None
    for place, character in enumerate(content + " "):
        if character in " \t\n\r\f":
            if start is not None:
                yield start, place
            start = None
        elif start is None:
            start = place


# ---------------------------------------------------------------------- pages at random

TAGS = ["html", "body", "div", "p", "ul", "li", "a", "svg", "clipPath", "o:p", "td", "x-y"]
TEXTS = [
    *(
        "one two",
        "\n  ",
        "a\u00a0b c",
        "",
        "\0",
        "\1\2",
        "x\0\1",
        "well-known words here",
        "a\ud800b",
        "\U0001f600 smile",
    ),
    *("one", "two", "three four", "日本語", "שלום", "#text", "<b>&amp;", "  lead and trail  "),
]
GRID = 64


@st.composite
def trees(draw: st.DrawFn, max_nodes: int = 40) -> list[int]:
    """Draw the parents of a pre-order with one root."""
    return random_tree(Random(draw(st.integers(0, 2**32))), draw(st.integers(1, max_nodes)))


def random_tree(random: Random, nodes: int) -> list[int]:
    """Make the parents of a pre-order: each node's is the one before it, or one above that."""
    parent = [-1]
    for number in range(1, nodes):
        above = number - 1
        while above > 0 and random.random() < 0.5:
            above = parent[above]
        parent.append(above)
    return parent


@st.composite
def pages(draw: st.DrawFn, max_nodes: int = 40) -> Page:
    """Draw any page that a source could make, of every kind.

    Only its size and a seed are drawn: drawing every column takes a hundred times as long, and shrinking by size is
    what makes a failure readable.
    """
    return random_page(Random(draw(st.integers(0, 2**32))), draw(st.integers(1, max_nodes)))


def random_page(random: Random, nodes: int) -> Page:
    """Make a page of so many nodes."""
    kind: PageKind = random.choice(["rendered", "rendered", "static", "pdf"])
    made = page(
        random_element(random, nodes, on_grid=random.random() < 0.7),
        kind=kind,
        url=random.choice(TEXTS),
        title=random.choice(TEXTS),
        notes=tuple(random.choice(TEXTS) for _ in range(random.randint(0, 2))),
        screenshot=random.choice([None, b"png"]),
    )
    return made if kind == "static" else _with_words_cut(made, random)


def random_element(random: Random, nodes: int, *, on_grid: bool) -> Element:
    """Make a tree of elements and texts."""
    parent = random_tree(random, nodes)
    children: list[list[int]] = [[] for _ in parent]
    for number, above in enumerate(parent[1:], start=1):
        children[above].append(number)

    def side() -> float:
        return random.randint(-6400, 200_000) / GRID if on_grid or random.random() < 0.5 else random.uniform(-1e5, 1e5)

    def make(number: int) -> Element:
        box = None if random.random() < 0.2 else (side(), side(), side(), side())
        if number and not children[number] and random.random() < 0.6:
            return text(random.choice(TEXTS), box=box)
        names = random.sample(["id", "class", "href", "Ä"], random.choice([0, 0, 1, 2]))
        return Element(
            random.choice(TAGS),
            tuple(make(child) for child in children[number]),
            {name: random.choice(TEXTS) for name in names},
            box=box,
            style={"display": random.choice(["block", "inline", "none"])},
        )

    return make(0)


def _with_words_cut(made: Page, random: Random) -> Page:
    """Take some words away, cut others in two, and move all a little, as lines and rounding do."""
    rows: list[tuple[int, int, int, list[float]]] = []
    columns = (made.words.node, made.words.start, made.words.end, made.words.box)
    for node, start, end, box in zip(*(column.tolist() for column in columns), strict=True):
        if random.random() < 0.1:
            continue
        middle = random.randint(start, end) if random.random() < 0.2 else start
        moved = [side + random.randint(-64, 64) / 64 for side in box]
        rows += [(node, first, last, moved) for first, last in ((start, middle), (middle, end)) if first < last]
    words = Words(
        node=np.array([row[0] for row in rows], dtype=np.int32),
        start=np.array([row[1] for row in rows], dtype=np.int32),
        end=np.array([row[2] for row in rows], dtype=np.int32),
        box=np.array([row[3] for row in rows], dtype=np.float32).reshape(-1, 4),
    )
    return changed(made, words=words)


def changed(made: Page, **fields: Any) -> Page:
    """Copy a page with some fields replaced."""
    names = made.__dataclass_fields__
    return Page(**({name: getattr(made, name) for name in names} | fields))


def with_rules(made: Page) -> Page:
    """Copy a page with two drawn lines on it and two sheets."""
    boxes = np.array([[0, 0, 10, 1], [0.1, 5, 10, 6]], dtype=np.float32)
    return changed(made, rules=DrawnRules(box=boxes, colour=np.array([0, -1], dtype=np.int32)), sheets=boxes)


def list_page(items: int = 3) -> Page:
    """Make a page with a list, its items below each other."""
    made = [el("li", f"item {row}", box=(10.0, row * 20.0, 200.0, row * 20.0 + 20), class_="x") for row in range(items)]
    return page(el("html", el("body", el("ul", *made, box=(0, 0, 300, items * 20.0)), box=(0, 0, 300, 400)), lang="en"))


def everything(made: Page) -> dict[str, Any]:
    """All columns of a page in strings and numbers, to compare pages whose strings are numbered differently."""
    strings = [*made.strings, None]
    attributes, words, part = made.attributes, made.words, made.part
    return {
        "parent": made.parent.tolist(),
        "end": made.end.tolist(),
        "tag": [strings[tag] for tag in made.tag],
        "text": [strings[content] for content in made.text],
        "attributes": [attributes.start.tolist()]
        + [[strings[number] for number in column] for column in (attributes.name, attributes.value)],
        "box": np.nan_to_num(made.box, nan=-1e9).tolist(),
        "style": [[strings[value] for value in row] for row in made.style],
        "words": [column.tolist() for column in (words.node, words.start, words.end, words.box)],
        "rules": [np.nan_to_num(made.rules.box, nan=-1e9).tolist(), [strings[colour] for colour in made.rules.colour]],
        "edge": made.edge.tolist(),
        "facts": (made.kind, made.viewport, made.style_names, made.screenshot),
        "sheets": made.sheets.tolist(),
        "part": part and (part.page, part.above, part.number.tolist(), part.position.tolist()),
    }
