"""Lists as one reads them from tags alone, without a browser: what every extractor has to beat.

`siblings`: elements of one parent with the same tag and class, three or more, are a list; the most text comes first.
`headings`: a title that promises k items keeps its promise by its headings. `tag_paths`: or by k texts of one tag path,
as the published method begins.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode

from bench.lists.items import Found, FoundList

UNSEEN = ["script", "style", "noscript", "template", "svg"]
FEWEST = 3  # items that make a list
FEWEST_PROMISED, MOST_PROMISED = 3, 100  # "2 years" and "the 2024 guide" promise nothing
LEVELS = ("h1", "h2", "h3", "h4", "h5", "h6")
# A number before a word; not of a price, a version, a percentage, a size or a name such as K2.
NUMBER = re.compile(r"(?<![\w$€£.,:/–-])(\d{1,3})\s+(?=[^\W\d])")
TOP = re.compile(r"\btop\s+(\d{1,3})\b", re.IGNORECASE)
RANK = re.compile(r"\W*(?:[^\W\d]+\s*)?#?\d{1,3}\s*[.):–—-]")


@dataclass(frozen=True)
class Document:
    """A page as its tags tell it."""

    body: LexborNode
    titles: tuple[str, ...]


def read(path: Path) -> Document:
    """A page from its file, without what nobody sees."""
    parser = LexborHTMLParser(path.read_text("utf-8-sig", "replace"))
    title = parser.css_first("title")
    heading = parser.css_first("h1")
    titles = tuple(_text(node) for node in (title, heading) if node is not None)
    parser.strip_tags(UNSEEN)
    if parser.body is None:
        raise ValueError(f"{path} has no body.")
    return Document(parser.body, titles)


def siblings(document: Document) -> list[FoundList]:
    """The groups of like siblings, most text first."""
    found = []
    for parent in document.body.traverse():
        alike: dict[tuple[str, str], list[LexborNode]] = defaultdict(list)
        for child in parent.iter():
            alike[child.tag or "", child.attributes.get("class") or ""].append(child)
        found += [several for several in alike.values() if len(several) >= FEWEST]
    lists = [[item for node in several if (item := _item(node)).text] for several in found]
    return sorted(
        (items for items in lists if len(items) >= FEWEST), key=lambda items: -sum(len(item.text) for item in items)
    )


def promised(document: Document) -> int | None:
    """How many items the title promises, or else the first heading; None where neither does."""
    for title in document.titles:
        for number in (*TOP.findall(title), *NUMBER.findall(title)):
            if FEWEST_PROMISED <= int(number) <= MOST_PROMISED:
                return int(number)
    return None


def headings(document: Document) -> FoundList:
    """The headings of the level that has k numbered ones, or else exactly k, or else the first k of more."""
    k = promised(document)
    if k is None:
        return []
    levels = [[_text(node) for node in document.body.css(level)] for level in LEVELS]
    filled = [[text for text in level if text] for level in levels]
    numbered = [[text for text in level if RANK.match(text)] for level in filled]
    fitting = [level for level in (*numbered, *filled) if len(level) == k]
    fitting += [level[:k] for level in filled if len(level) > k]
    return [Found(text, text) for text in (fitting or [[]])[0]]


def tag_paths(document: Document) -> FoundList:
    """The k texts of one tag path with the most text; nothing where no path has exactly k."""
    k = promised(document)
    by_path: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for path, text in _leaves(document.body, ()):
        by_path[path].append(text)
    exact = [texts for texts in by_path.values() if len(texts) == k]
    return [Found(text, text) for text in max(exact, key=lambda texts: sum(map(len, texts)), default=[])]


def _leaves(node: LexborNode, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    for child in node.iter(include_text=True):
        if not child.is_text_node:
            yield from _leaves(child, (*path, child.tag or ""))
        elif text := _flat(child.text_content or ""):
            yield path, text


def _item(node: LexborNode) -> Found:
    texts = tuple(_texts(node))
    return Found(texts[0] if texts else "", " ".join(texts), texts)


def _texts(node: LexborNode) -> Iterator[str]:
    for one in node.traverse(include_text=True):
        if one.is_text_node and (text := _flat(one.text_content or "")):
            yield text


def _text(node: LexborNode) -> str:
    return " ".join(_texts(node))


def _flat(text: str) -> str:
    return " ".join(text.split())
