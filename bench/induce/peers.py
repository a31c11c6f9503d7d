"""Tag paths as columns, without any induction: what every wrapper has to beat.

A page is one record; all texts with the same path are one column. What says the same on all pages to learn from is
template, and dropped. A path is made of tags alone, of tags with `class` and `id`, or of tags with their places among
siblings of the same tag (an XPath): the first two join too much, the last tears rows apart that move. `with labels` is
the strongest that we found of its kind: the path with classes, the last text before that all pages share, and how many
texts of this path came since.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode

UNSEEN = ["script", "style", "noscript", "template", "svg"]

Reader = Callable[[Path], list[dict[str, list[str]]]]
Leaves = list[tuple[str, str]]


@dataclass(frozen=True)
class Peer:
    """How paths are written, by the node and its place among its like, and whether labels are a part of them."""

    step: Callable[[LexborNode, int], str]
    labels: bool = False


def _tag(node: LexborNode, _place: int) -> str:
    return node.tag or ""


def _called(node: LexborNode, _place: int) -> str:
    attributes = node.attributes
    return f"{node.tag}.{attributes.get('class') or ''}#{attributes.get('id') or ''}"


def _placed(node: LexborNode, place: int) -> str:
    return f"{node.tag}[{place}]"


PEERS: Mapping[str, Peer] = {
    "tag paths": Peer(_tag),
    "with classes": Peer(_called),
    "with places": Peer(_placed),
    "with labels": Peer(_called, labels=True),
}


def learn(paths: Sequence[Path], peer: Peer) -> Reader:
    """A reader of pages like these: the columns that they have, without those that say the same on all of them."""
    leaves = [_read(path, peer) for path in paths]
    labels = set.intersection(*({text for _, text in page} for page in leaves)) if peer.labels and leaves else set()
    pages = [_columns(page, labels) for page in leaves]
    known = {column for page in pages for column in page}
    data = {column for column in known if len({tuple(page.get(column, ())) for page in pages}) > 1}

    def read(path: Path) -> list[dict[str, list[str]]]:
        found = _columns(_read(path, peer), labels)
        return [{column: texts for column, texts in found.items() if column in data}]

    return read


def _columns(leaves: Leaves, labels: Collection[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    label, since = "", Counter[str]()
    for path, text in leaves:
        if text in labels:
            label, since = text, Counter()
            continue
        column = f"{path}|{label}|{since[path]}" if labels else path
        since[path] += 1
        found.setdefault(column, []).append(text)
    return found


def _read(path: Path, peer: Peer) -> Leaves:
    parser = LexborHTMLParser(path.read_text("utf-8-sig", "replace"))
    parser.strip_tags(UNSEEN)
    return [] if parser.root is None else list(_leaves(parser.root, "", peer))


def _leaves(node: LexborNode, above: str, peer: Peer) -> Iterator[tuple[str, str]]:
    places: Counter[str] = Counter()
    for child in node.iter(include_text=True):
        if not child.is_text_node:
            tag = child.tag or ""
            yield from _leaves(child, f"{above}/{peer.step(child, places[tag])}", peer)
            places[tag] += 1
        elif text := " ".join((child.text_content or "").split()):
            yield above, text
