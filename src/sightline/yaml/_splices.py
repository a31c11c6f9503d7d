"""Which parts of a YAML text a change replaces, and by what; whether the result is right is checked elsewhere."""

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from sightline.yaml._places import YamlPair, YamlPlaces, walk
from sightline.yaml._plain_values import YamlPath, plain_values, same_values
from sightline.yaml._written import Indents, written_item, written_scalar, written_value
from sightline.yaml._yaml_value import YamlContent

__all__ = ["Splice", "SpliceWay", "YamlSplicer"]


@dataclass(frozen=True)
class Splice:
    """A part of a text and what takes its place."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class SpliceWay:
    """How carefully a change is made: part by part, or the whole value anew; with texts over several lines, or not.

    `levels` of mappings in a new value have lines of their own.
    """

    in_parts: bool
    plain: bool
    levels: int = 1

    @property
    def as_a_whole(self) -> "SpliceWay":
        """The same, but the whole value anew."""
        return replace(self, in_parts=False)


class YamlSplicer:
    """Finds the splices of changes in one text. ValueError if a part is written in a way that it does not know."""

    def __init__(self, content: YamlContent, places: YamlPlaces) -> None:
        self._content = content
        self._places = places

    # ------------------------------------------------------------------ setting

    def set(self, path: YamlPath, value: Any, after: str | None, how: SpliceWay) -> Iterator[Splice]:
        if not path:
            raise ValueError("a text as a whole is not set by a path")
        parent = self._node(path[:-1])
        if isinstance(parent, MappingNode):
            pair = next((one for one in self._places.pairs(parent) if one.word == path[-1]), None)
            if pair is None:
                yield from self._insert(path[:-1], parent, str(path[-1]), value, after, how)
            else:
                yield from self._assign(pair, value, how)
        elif isinstance(parent, SequenceNode) and isinstance(path[-1], int):
            yield from self._assign_item(parent, path[-1], value, how)
        elif len(path) > 1:
            yield from self.set(path[:-1], {str(path[-1]): value}, None, replace(how.as_a_whole, levels=how.levels + 1))
        else:
            raise ValueError("the text has no keys")

    def _assign(self, pair: YamlPair, value: Any, how: SpliceWay) -> Iterator[Splice]:
        """Give a key another value."""
        if how.in_parts and not pair.is_alias:
            try:
                yield from list(self._in_parts(pair.value, value, how))
                return
            except ValueError:
                pass
        if pair.in_braces:
            yield Splice(pair.colon, pair.end, f" {written_scalar(value)}")
            return
        places = self._places
        style = pair.value.style if isinstance(pair.value, ScalarNode) and not pair.is_alias else None
        made = written_value(value, self._indents, style=style, plain=how.plain, levels=how.levels)
        below = [f"{' ' * pair.column}{line}" if line.strip() else "" for line in made.below]
        inline = f"{self._gap(pair) if made.inline else ''}{made.inline}"
        if style in ("|", ">") or _is_below(pair, places):
            # What was below the key goes as a whole, with its own comments; one in the line of the key stays.
            comment = places.comment_after(self._header_end(pair))
            end = pair.end if style else places.block_end(pair.end, pair.column)
        else:
            comment = places.comment_after(pair.end) if below else ""
            end = places.line_end(pair.end) if comment else pair.end
        yield Splice(pair.colon, max(end, pair.colon), places.newline.join([inline + comment, *below]))

    def _gap(self, pair: YamlPair) -> str:
        """The blanks between a key and its value."""
        if pair.is_alias:
            return " "
        gap = self._places.text[pair.colon : pair.value.start_mark.index]
        return gap if gap and not gap.strip(" ") else " "

    def _header_end(self, pair: YamlPair) -> int:
        """Where the line of a key ends but for a comment: after the colon, or after the sign of a text over lines."""
        if isinstance(pair.value, ScalarNode) and pair.value.style in ("|", ">") and not pair.is_alias:
            start = int(pair.value.start_mark.index)
            head = self._places.text[start : self._places.line_end(start)].split("#", maxsplit=1)[0].rstrip()
            return start + len(head)
        return pair.colon

    def _in_parts(self, node: Node, value: Any, how: SpliceWay) -> Iterator[Splice]:
        """Change only what differs inside a value; ValueError if it is of another kind."""
        if isinstance(node, MappingNode) and isinstance(value, dict) and node.value and value:
            yield from self._mapping_in_parts(node, value, how)
        elif isinstance(node, SequenceNode) and isinstance(value, list) and node.value and value:
            yield from self._sequence_in_parts(node, value, how)
        elif not self._says(node, value):
            raise ValueError("it is of another kind")

    def _says(self, node: Node, value: Any) -> bool:
        return any(same_values(plain_values(known), value) for known in self._known.get(id(node), ()))

    @cached_property
    def _known(self) -> dict[int, list[Any]]:
        """What each node says, by the node."""
        found: dict[int, list[Any]] = {}
        waiting = [(self._content.node, self._content.given.value)]
        while waiting:
            node, value = waiting.pop()
            if node is None or id(node) in found:
                continue
            found[id(node)] = [value]
            if isinstance(node, MappingNode) and isinstance(value, Mapping):
                by_word = {str(key): one for key, one in value.items()}
                waiting.extend((one, by_word.get(str(key.value))) for key, one in node.value)
            elif isinstance(node, SequenceNode) and isinstance(value, list):
                waiting.extend(zip(node.value, value, strict=False))
        return found

    def _mapping_in_parts(self, node: MappingNode, value: dict[str, Any], how: SpliceWay) -> Iterator[Splice]:
        pairs = self._places.pairs(node)
        old, new = [pair.word for pair in pairs], list(value)
        kept = [word for word in old if word in value]
        if not kept or kept != [word for word in new if word in old] or new[: len(kept)] != kept:
            raise ValueError("the order is another one")
        if gone := [word for word in old if word not in value]:
            yield from self._without(node, gone)
        for pair in pairs:
            if pair.word in value and not self._says(pair.value, value[pair.word]):
                yield from self._assign(pair, value[pair.word], how)
        added = {word: value[word] for word in new if word not in old}
        if added:
            yield self._inserted(node, next(pair for pair in reversed(pairs) if pair.word in value), added, how)

    def _sequence_in_parts(self, node: SequenceNode, value: list[Any], how: SpliceWay) -> Iterator[Splice]:
        old = [repr(plain_values(self._known[id(item)][0])) for item in node.value]
        for what, start, end, first, last in difflib.SequenceMatcher(
            None, old, [repr(one) for one in value], autojunk=False
        ).get_opcodes():
            if what == "replace" and end - start == last - first:
                for number in range(start, end):
                    yield from self._assign_item(node, number, value[first + number - start], how)
            elif what == "delete":
                yield from self._without_items(node, start, end)
            elif what == "insert" and start:
                yield self._inserted_items(node, start - 1, value[first:last])
            elif what != "equal":
                raise ValueError("it is another list")

    def _assign_item(self, node: SequenceNode, number: int, value: Any, how: SpliceWay) -> Iterator[Splice]:
        item, end = list(self._places.items(node))[number]
        if how.in_parts:
            try:
                yield from list(self._in_parts(item, value, how))
                return
            except ValueError:
                pass
        lines = (written_scalar(value),) if node.flow_style else written_item(value, self._indents)
        between = self._places.newline + " " * int(item.start_mark.column)
        yield Splice(int(item.start_mark.index), end, between.join(lines))

    # ------------------------------------------------------------------ inserting

    def _insert(
        self, path: YamlPath, node: MappingNode, key: str, value: Any, after: str | None, how: SpliceWay
    ) -> Iterator[Splice]:
        pairs = self._places.pairs(node)
        if not pairs:
            if not path:
                raise ValueError("the text has no keys")
            yield from self.set(path, {key: value}, None, replace(how.as_a_whole, levels=how.levels + 1))
            return
        before = next((pair for pair in pairs if pair.word == after), pairs[-1])
        yield self._inserted(node, before, {key: value}, how)

    def _inserted(self, node: MappingNode, before: YamlPair, added: Mapping[str, Any], how: SpliceWay) -> Splice:
        """More keys after one of a mapping."""
        if node.flow_style:
            told = ", ".join(f"{written_scalar(key)}: {written_scalar(value)}" for key, value in added.items())
            return Splice(before.end, before.end, f", {told}")
        lines: list[str] = []
        for key, value in added.items():
            made = written_value(value, self._indents_in(node), plain=how.plain, levels=how.levels)
            lines += [*self._blank_between(node), f"{written_scalar(key)}: {made.inline}".rstrip(), *made.below]
        indent, newline = " " * before.column, self._places.newline
        block = newline.join(f"{indent}{line}" if line.strip() else "" for line in lines)
        place = self._places.after_block(before.end, before.column)
        if place == len(self._places.text) and not self._places.text.endswith(("\n", "\r")):
            return Splice(place, place, newline + block)
        return Splice(place, place, block + newline)

    def _blank_between(self, node: MappingNode) -> list[str]:
        """A blank line, if the blocks of a mapping are set apart by such lines."""
        starts = [int(key.start_mark.index) for key, value in node.value]
        if len(starts) < 2 or all(isinstance(value, ScalarNode) for _, value in node.value):
            return []
        places = self._places
        apart = [places.blank_before(places.with_comments_above(one, self._column(node))) for one in starts[1:]]
        return [""] if sum(apart) * 2 > len(apart) else []

    def _column(self, node: MappingNode) -> int:
        return int(node.value[0][0].start_mark.column)

    def _inserted_items(self, node: SequenceNode, before: int, values: Sequence[Any]) -> Splice:
        item, end = list(self._places.items(node))[before]
        if node.flow_style:
            return Splice(end, end, "".join(f", {written_scalar(value)}" for value in values))
        dash, column = int(node.start_mark.column), int(item.start_mark.column)
        newline, lines = self._places.newline, []
        for value in values:
            first, *more = written_item(value, self._indents)
            lines += [f"{' ' * dash}-{' ' * (column - dash - 1)}{first}", *(f"{' ' * column}{line}" for line in more)]
        place = self._places.after_block(end, dash)
        block = newline.join(lines)
        if place == len(self._places.text) and not self._places.text.endswith(("\n", "\r")):
            return Splice(place, place, newline + block)
        return Splice(place, place, block + newline)

    # ------------------------------------------------------------------ removing and renaming

    def remove(self, path: YamlPath, keys: Sequence[str], how: SpliceWay) -> Iterator[Splice]:
        node = self._node(path)
        if not isinstance(node, MappingNode):
            raise ValueError("no keys are there")
        if len(node.value) > len(keys):
            yield from self._without(node, keys)
        else:
            yield from self.set(path, {}, None, how.as_a_whole)

    def _without(self, node: MappingNode, keys: Sequence[str]) -> Iterator[Splice]:
        pairs = self._places.pairs(node)
        if len(pairs) == len(keys):
            raise ValueError("nothing is left")
        spans = [(pair.start, pair.end) for pair in pairs]
        for number, pair in enumerate(pairs):
            if pair.word not in keys:
                continue
            if node.flow_style or not self._places.first_on_line(pair.start):
                yield _without_one(spans, number)
            else:
                yield self._without_lines(pair.start, pair.end, pair.column)

    def _without_items(self, node: SequenceNode, start: int, end: int) -> Iterator[Splice]:
        if end - start == len(node.value):
            raise ValueError("nothing is left")
        items = list(self._places.items(node))
        spans = [(int(item.start_mark.index), last) for item, last in items]
        if node.flow_style:
            first, last = spans[start], spans[end - 1]
            if end < len(spans):
                yield Splice(first[0], spans[end][0], "")
            else:
                yield Splice(spans[start - 1][1], last[1], "")
            return
        dash = int(node.start_mark.column)
        for place, last_sign in spans[start:end]:
            line = self._places.line_start(place)
            if self._places.text[line:place].strip() != "-":
                raise ValueError("the dash is elsewhere")
            yield self._without_lines(line + dash, last_sign, dash)

    def _without_lines(self, start: int, end: int, column: int) -> Splice:
        places = self._places
        first, last = places.with_comments_above(start, column), places.after_block(end, column)
        while places.is_blank_line(last) and places.blank_before(first):
            last = places.next_line(last)
        return Splice(first, last, "")

    def rename(self, names: Mapping[YamlPath, str]) -> Iterator[Splice]:
        for path, new in names.items():
            node = self._node(path[:-1])
            if not isinstance(node, MappingNode):
                raise ValueError("no keys are there")
            pair = next(one for one in self._places.pairs(node) if one.word == path[-1])
            yield Splice(pair.start, int(pair.key.end_mark.index), written_scalar(new))

    # ------------------------------------------------------------------ looking

    def _node(self, path: YamlPath) -> Node | None:
        node = self._content.node
        for part in path:
            if isinstance(node, MappingNode):
                node = next((value for key, value in node.value if str(key.value) == part), None)
            elif isinstance(node, SequenceNode) and isinstance(part, int):
                node = node.value[part]
            else:
                return None
        return node

    @cached_property
    def _indents(self) -> Indents:
        """How this text is indented: as most of its blocks are, and as its first list."""
        mappings: Counter[int] = Counter()
        dash, entry = -1, 0
        for node in walk(self._content.node):
            if not isinstance(node, MappingNode):
                continue
            mappings.update(_inner_indents(node))
            for key, value in node.value:
                if isinstance(value, SequenceNode) and value.value and dash < 0 and not value.flow_style:
                    dash = max(int(value.start_mark.column) - int(key.start_mark.column), 0)
                    entry = int(value.value[0].start_mark.column) - int(value.start_mark.column)
        mapping = mappings.most_common(1)[0][0] if mappings else 2
        return Indents(mapping, dash if dash >= 0 else 2, entry if entry > 1 else 2)

    def _indents_in(self, node: MappingNode) -> Indents:
        """How what is new in a mapping is indented: as what is there."""
        inside = next(iter(_inner_indents(node)), self._indents.mapping)
        return replace(self._indents, mapping=inside)


def _inner_indents(node: MappingNode) -> Iterator[int]:
    """How far the blocks in a mapping are indented."""
    for key, value in node.value:
        if not isinstance(value, MappingNode) or value.flow_style or value.start_mark.index < key.end_mark.index:
            continue
        inside = int(value.start_mark.column) - int(key.start_mark.column)
        if inside > 0:
            yield inside


def _without_one(spans: Sequence[tuple[int, int]], number: int) -> Splice:
    """Without one of several parts in a line, and without the comma or blanks that go with it."""
    if number + 1 < len(spans):
        return Splice(spans[number][0], spans[number + 1][0], "")
    return Splice(spans[number - 1][1], spans[number][1], "")


def _is_below(pair: YamlPair, places: YamlPlaces) -> bool:
    """Whether a value begins in a line below its key."""
    if pair.is_alias:
        return False
    return (
        places.line_start(int(pair.value.start_mark.index)) != places.line_start(pair.start) and pair.end > pair.colon
    )
