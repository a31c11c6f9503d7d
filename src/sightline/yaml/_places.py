"""Where the parts of a YAML text begin and end, character by character, so that one can be replaced."""

import re
from dataclasses import dataclass

from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

_ALIAS = re.compile(r"[ \t]*\*[^\s,\[\]{}]+")
_COLON = re.compile(r"[ \t]*:")
_BREAK = re.compile(r"\r\n|\r|\n")
_COMMENT = re.compile(r"[^#]*?([ \t]+#.*?)?[ \t]*")  # at the end of a line


@dataclass(frozen=True, eq=False)
class YamlPart:
    """A key with its value, or an entry of a list (without its dash): where it begins and really ends.

    `after` is the end of the colon, or the beginning of an entry and of a value whose key is written as `? key`;
    `column` is that of the key or of the dash.
    """

    key: Node | None
    value: Node
    start: int
    after: int
    end: int
    column: int

    @property
    def word(self) -> str:
        """The key as a text."""
        return str(self.key.value) if self.key is not None else ""

    @property
    def is_alias(self) -> bool:
        """Whether the value is one from elsewhere in the text, by its anchor."""
        return bool(self.value.start_mark.index < self.after)


class YamlPlaces:
    """The places in one text. The parser ends a block where the next one begins; here it ends with its last sign."""

    def __init__(self, text: str) -> None:
        self.text = text
        found = _BREAK.search(text)
        self.newline = found[0] if found else "\n"

    def parts(self, node: MappingNode | SequenceNode) -> list[YamlPart]:
        """The parts of a mapping or list; ValueError for an entry that is an alias."""
        if isinstance(node, MappingNode):
            return [self._pair(key, value) for key, value in node.value]
        starts = [int(item.start_mark.index) for item in node.value]
        if min(starts, default=node.start_mark.index) < node.start_mark.index:
            raise ValueError("an entry is an alias")
        dash = int(node.start_mark.column)
        ends = map(self._end, node.value, starts)
        return [
            YamlPart(None, item, start, start, end, dash)
            for item, start, end in zip(node.value, starts, ends, strict=True)
        ]

    def _pair(self, key: Node, value: Node) -> YamlPart:
        colon = _COLON.match(self.text, key.end_mark.index)
        after = colon.end() if colon else int(value.start_mark.index)
        start, column = int(key.start_mark.index), int(key.start_mark.column)
        return YamlPart(key, value, start, after, self._end(value, after), column)

    def _end(self, node: Node, after: int) -> int:
        """Where a value that begins after a colon or dash really ends."""
        start, end = int(node.start_mark.index), int(node.end_mark.index)
        if start < after:
            alias = _ALIAS.match(self.text, after)
            if alias is None:
                raise ValueError("an alias is expected here")
            return alias.end()
        if start == end and isinstance(node, ScalarNode):
            return after  # without a value, the parser's mark is that of whatever comes next
        if isinstance(node, ScalarNode) and node.style in ("|", ">"):
            written = self.text[start:end]
            # The blank lines below belong to the text only after `|+`.
            keeps = "+" in _BREAK.split(written, maxsplit=1)[0].split("#", maxsplit=1)[0]
            return start + len(_without_break(written) if keeps else written.rstrip())
        if not isinstance(node, MappingNode | SequenceNode) or node.flow_style or not node.value:
            return end
        return self.parts(node)[-1].end

    # ------------------------------------------------------------------ lines

    def line_start(self, place: int) -> int:
        """Where the line of a place begins."""
        return max(self.text.rfind("\n", 0, place), self.text.rfind("\r", 0, place)) + 1

    def line_end(self, place: int) -> int:
        """Where the line of a place ends, before its line break."""
        return len(_without_break(self.text[: self.next_line(place)]))

    def next_line(self, place: int) -> int:
        """Where the line after that of a place begins, or the end of the text."""
        found = _BREAK.search(self.text, place)
        return found.end() if found else len(self.text)

    def comment_after(self, place: int) -> str:
        """The comment in the rest of a line, with the blanks before it."""
        found = _COMMENT.fullmatch(self.text[place : self.line_end(place)])
        return (found[1] or "") if found else ""

    def after_block(self, end: int, column: int) -> int:
        """Where the line after a block begins; comments below it that are indented like its inside belong to it."""
        found = place = self.next_line(end)
        while place < len(self.text):
            line = self.text[place : (place := self.next_line(place))]
            inner = line.lstrip(" \t")
            if inner.startswith("#") and len(line) - len(inner) > column:
                found = place
            elif inner.strip():
                break
        return found

    def with_comments_above(self, start: int, column: int) -> int:
        """Where the comments begin that stand directly above a line and are indented like it."""
        found = self.line_start(start)
        while found:
            line = self.text[self._line_before(found) : found]
            if line[:column].strip() or not line[column:].startswith("#"):
                break
            found -= len(line)
        return found

    def blank_before(self, start: int) -> bool:
        """Whether the line before one that begins at a place is blank, or there is none."""
        return not self.text[self._line_before(start) : start].strip()

    def _line_before(self, start: int) -> int:
        return self.line_start(len(_without_break(self.text[:start])))


def _without_break(text: str) -> str:
    return text[:-2] if text.endswith("\r\n") else text[:-1] if text.endswith(("\r", "\n")) else text
