"""Columns from the parser's tree, node by node: the plain way, for pages that the fast way declines."""

import numpy as np
from selectolax.lexbor import LexborHTMLParser, LexborNode

from sightline.page import ABSENT, TEXT, Attributes, ends
from sightline.sources._tree import Tree

__all__ = ["walk"]


def walk(parser: LexborHTMLParser) -> Tree:
    """The tree of a parsed document."""
    nodes = [node for node in _nodes(parser) if node.tag != "-comment"]
    numbers = {node.mem_id: number for number, node in enumerate(nodes)}
    parent = np.array(
        [numbers[node.parent.mem_id] if number else ABSENT for number, node in enumerate(nodes) if node.parent],
        dtype=np.int32,
    )
    strings: dict[str, int] = {}
    tag = [_number(strings, TEXT if node.is_text_node else node.tag or "") for node in nodes]
    text = [_number(strings, node.text_content or "") if node.is_text_node else ABSENT for node in nodes]
    attributes = _attributes(nodes, strings)
    return Tree(
        strings=tuple(strings),
        parent=parent,
        end=ends(parent),
        tag=np.array(tag, dtype=np.int32),
        text=np.array(text, dtype=np.int32),
        attributes=attributes,
    )


def _nodes(parser: LexborHTMLParser) -> list[LexborNode]:
    return list(parser.root.traverse(include_text=True)) if parser.root else []


def _number(strings: dict[str, int], string: str) -> int:
    return strings.setdefault(string, len(strings))


def _attributes(nodes: list[LexborNode], strings: dict[str, int]) -> Attributes:
    held = [node.attributes if node.is_element_node else {} for node in nodes]
    pairs = [(_number(strings, name), _number(strings, value or "")) for one in held for name, value in one.items()]
    columns = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    start = np.concatenate([[0], np.cumsum([len(one) for one in held])]).astype(np.int32)
    return Attributes(start=start, name=columns[:, 0], value=columns[:, 1])
