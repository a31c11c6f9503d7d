"""Where the parts of a YAML text begin and end, sign by sign, so that one can be replaced and the rest stays."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

__all__ = ["YamlPair", "YamlPlaces"]

_ALIAS = re.compile(r"[ \t]*\*[^\s,\[\]{}]+")
_COLON = re.compile(r"[ \t]*:")
_BLANK_OR_COMMENT = re.compile(r"[ \t]*(#.*)?")
_BREAK = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, eq=False)
class YamlPair:
    """A key with its value in a mapping: their nodes, where the colon ends, and where the value really ends."""

    key: Node
    value: Node
    colon: int
    end: int
    in_braces: bool

    @property
    def word(self) -> str:
        """The key as a text."""
        return str(self.key.value)

    @property
    def start(self) -> int:
        """Where the key begins."""
        return int(self.key.start_mark.index)

    @property
    def column(self) -> int:
        """How far the key is indented."""
        return int(self.key.start_mark.column)

    @property
    def is_alias(self) -> bool:
        """Whether the value is one from elsewhere in the text, by its anchor."""
        return bool(self.value.start_mark.index < self.key.end_mark.index)


class YamlPlaces:
    """The places in one text. YAML's marks of a block end where the next one begins; these with its last sign."""

    def __init__(self, text: str) -> None:
        self.text = text
        found = _BREAK.search(text)
        self.newline = found[0] if found else "\n"

    def pairs(self, node: MappingNode) -> list[YamlPair]:
        """The pairs of a mapping; a key that is written as `? key`, or as an alias, raises ValueError."""
        return [self._pair(key, value, in_braces=bool(node.flow_style)) for key, value in node.value]

    def _pair(self, key: Node, value: Node, *, in_braces: bool = False) -> YamlPair:
        colon = _COLON.match(self.text, key.end_mark.index)
        if colon is None:
            raise ValueError("no colon follows the key")
        return YamlPair(key, value, colon.end(), self._end(value, colon.end()), in_braces)

    def items(self, node: SequenceNode) -> Iterator[tuple[Node, int]]:
        """The entries of a list, each with where it really ends."""
        for item in node.value:
            yield item, self._end(item, int(item.start_mark.index))

    def end(self, node: Node) -> int:
        """Where a node really ends."""
        return self._end(node, int(node.start_mark.index))

    def _end(self, node: Node, after: int) -> int:
        """Where a value that begins after a colon or dash really ends."""
        start, end = int(node.start_mark.index), int(node.end_mark.index)
        if start < after:
            alias = _ALIAS.match(self.text, after)
            if alias is None:
                raise ValueError("an alias is expected here")
            return alias.end()
        if isinstance(node, ScalarNode):
            if start == end:
                return after  # nothing is there, and YAML's mark is that of whatever comes next
            return self._block_end(start, end) if node.style in ("|", ">") else end
        if not isinstance(node, MappingNode | SequenceNode) or node.flow_style or not node.value:
            return end
        if isinstance(node, MappingNode):
            return self._pair(*node.value[-1]).end
        return self._end(node.value[-1], int(node.value[-1].start_mark.index))

    def _block_end(self, start: int, end: int) -> int:
        """Where the text after `|` ends: the blank lines below it belong to it only after `|+`."""
        written = self.text[start:end]
        if "+" in _BREAK.split(written, maxsplit=1)[0].split("#", maxsplit=1)[0]:
            return end - len(written) + len(written.removesuffix("\n").removesuffix("\r"))
        return start + len(written.rstrip())

    # ------------------------------------------------------------------ lines

    def line_start(self, place: int) -> int:
        """Where the line of a place begins."""
        return max(self.text.rfind("\n", 0, place), self.text.rfind("\r", 0, place)) + 1

    def line_end(self, place: int) -> int:
        """Where the line of a place ends, before its line break."""
        found = _BREAK.search(self.text, place)
        return found.start() if found else len(self.text)

    def next_line(self, place: int) -> int:
        """Where the line after that of a place begins; the end of the text if there is none."""
        found = _BREAK.search(self.text, place)
        return found.end() if found else len(self.text)

    def comment_after(self, place: int) -> str:
        """The comment in the rest of a line, with the blanks before it; empty if something else is there."""
        rest = self.text[place : self.line_end(place)]
        return rest.rstrip() if _BLANK_OR_COMMENT.fullmatch(rest) and "#" in rest else ""

    def lines_from(self, place: int) -> Iterator[tuple[int, str]]:
        """The lines from one that begins at a place, each with its beginning."""
        while place < len(self.text):
            yield place, self.text[place : self.line_end(place)]
            place = self.next_line(place)

    def after_block(self, end: int, column: int) -> int:
        """Where the lines of a block are over, with the comments below that are indented like its inside."""
        found = self.next_line(end)
        for start, line in self.lines_from(found):
            stripped = line.lstrip(" \t")
            if stripped and not (stripped.startswith("#") and len(line) - len(stripped) > column):
                break
            if stripped:
                found = self.next_line(start)
        return found

    def block_end(self, end: int, column: int) -> int:
        """Where the last line of a block ends, before its line break; comments of its inside are a part of it."""
        last = self.after_block(end, column)
        return last - len(self.text[:last]) + len(self.text[:last].removesuffix("\n").removesuffix("\r"))

    def with_comments_above(self, start: int, column: int) -> int:
        """Where the comments begin that stand directly above a line and are indented like it."""
        found = self.line_start(start)
        while found:
            before = self.line_start(found - 1 if self.text[found - 2 : found] != "\r\n" else found - 2)
            line = self.text[before : self.line_end(before)]
            if (not line[:column].isspace() and column) or not line[column:].startswith("#"):
                break
            found = before
        return found

    def is_blank_line(self, place: int) -> bool:
        """Whether the line at a place is there and has nothing in it."""
        return place < len(self.text) and not self.text[place : self.line_end(place)].strip()

    def blank_before(self, place: int) -> bool:
        """Whether the line before one that begins at a place is blank, or there is none."""
        if not place:
            return True
        before = self.line_start(place - 2 if self.text[place - 2 : place] == "\r\n" else place - 1)
        return not self.text[before:place].strip()

    def first_on_line(self, place: int) -> bool:
        """Whether only blanks are before a place in its line."""
        return not self.text[self.line_start(place) : place].strip()


def walk(node: Any) -> Iterator[Node]:
    """A node and all below it, each once."""
    seen: set[int] = set()
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if id(one) in seen or one is None:
            continue
        seen.add(id(one))
        yield one
        if isinstance(one, MappingNode):
            waiting.extend(part for pair in one.value for part in pair)
        elif isinstance(one, SequenceNode):
            waiting.extend(one.value)
