"""Changes of a YAML text that leave every other line as it was written: comments, order, quotes, indents and line ends.

Parts of the text are replaced at the marks of the parser, and the result is read again: if it does not say exactly what
was meant, the part is written anew as a whole, and if that does not help either, the change is refused.
"""

import difflib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from sightline.errors import UsageError
from sightline.yaml._given import YamlContent, parsed_yaml
from sightline.yaml._places import YamlPair, YamlPlaces, walk
from sightline.yaml._written import Indents, written_item, written_scalar, written_value

__all__ = ["YamlPath", "YamlText", "plain_values"]

YamlPath: TypeAlias = tuple[str | int, ...]
"""Keys and numbers of entries from the top of a text to a place in it."""

MARK = "\ufeff"
MOST_VALUES = 200_000  # of one text, with those that aliases repeat: a small text can mean billions


def plain_values(content: Any) -> Any:
    """What was read from YAML as plain values; numbers with a zero before them are texts, as they were written."""
    return _Plain().of(content)


class _Plain:
    def __init__(self) -> None:
        self._left = MOST_VALUES

    def of(self, value: Any) -> Any:
        self._left -= 1
        if self._left < 0:
            raise UsageError(f"The file says more than {MOST_VALUES:,} values, by its aliases; write it without them.")
        if isinstance(value, Mapping):
            return {str(key): self.of(one) for key, one in value.items()}
        if isinstance(value, list | tuple):
            return [self.of(one) for one in value]
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int):
            written = str(value)
            return written if written.lstrip("+-")[:1] == "0" and len(written) > 1 else int(value)
        return float(value) if isinstance(value, float) else str(value)


def _same(one: Any, other: Any) -> bool:
    """Whether values are the same with their order and types; `true` is not 1 here."""
    return repr(one) == repr(other)


@dataclass(frozen=True)
class _Splice:
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class _How:
    """How carefully a change is made: part by part, or the whole value anew; with texts over several lines, or not.

    `levels` of mappings in a new value have lines of their own.
    """

    in_parts: bool
    plain: bool
    levels: int = 1

    @property
    def as_a_whole(self) -> "_How":
        return replace(self, in_parts=False)


# What is tried in turn: from what leaves most of the text as it is to what is read most surely.
_WAYS = (_How(in_parts=True, plain=False), _How(in_parts=False, plain=False), _How(in_parts=False, plain=True))


class YamlText:
    r"""A YAML text and its changes, each of which gives a new one.

    >>> text = YamlText("a: 1   # one\nb: {c: x, d: [1, 2]}\n")
    >>> print(text.set(("b", "d"), [1, 3]).set(("a",), "two").remove(("b",), ["c"]).text, end="")
    a: two   # one
    b: {d: [1, 3]}
    """

    def __init__(self, text: str, file: str = "file") -> None:
        self.text = text
        self.file = file
        # A byte order mark is no part of YAML; it stays where it is.
        self._mark = MARK if text.startswith(MARK) else ""
        self._places = YamlPlaces(text.removeprefix(MARK))

    @cached_property
    def content(self) -> YamlContent:
        """What the text says, with lines and nodes; an error with its line if it is no YAML."""
        return parsed_yaml(self._places.text, self.file)

    @cached_property
    def values(self) -> Any:
        """What the text says, as plain values."""
        return plain_values(self.content.given.value)

    def set(self, path: YamlPath, value: Any, *, after: str | None = None, levels: int = 1) -> "YamlText":
        """With another value at a place; a key that is not there is added after another one, or at the end.

        In a new value, `levels` of mappings have lines of their own; what is deeper is on one line.
        """
        return self.set_all({path: value}, after=after, levels=levels)

    def set_all(self, changes: Mapping[YamlPath, Any], *, after: str | None = None, levels: int = 1) -> "YamlText":
        """With other values at several places, none of which is inside another."""
        wanted = deepcopy(self.values)
        for path, value in changes.items():
            _put(wanted, path, value, after)

        def splices(how: _How) -> Iterable[_Splice]:
            for path, value in changes.items():
                yield from self._set(path, value, after, replace(how, levels=levels))

        try:
            return self._changed(splices, wanted)
        except UsageError:
            if not self._lacks_end:
                raise
            return self._with_end.set_all(changes, after=after, levels=levels)

    def remove(self, path: YamlPath, keys: Sequence[str]) -> "YamlText":
        """Without some keys of a mapping, and without the comments directly above them."""
        wanted = deepcopy(self.values)
        mapping = _at(wanted, path)
        for key in keys:
            del mapping[key]
        return self._changed(lambda how: self._remove(path, keys, how), wanted)

    def rename(self, names: Mapping[YamlPath, str]) -> "YamlText":
        """With other names for some keys, at the same places."""
        wanted = self.values
        for path, new in names.items():
            mapping = _at(wanted, path[:-1])
            renamed = {new if key == path[-1] else key: value for key, value in mapping.items()}
            wanted = _replaced(wanted, path[:-1], renamed)
        return self._changed(lambda _: self._rename(names), wanted)

    @cached_property
    def _lacks_end(self) -> bool:
        """Whether the text ends within a text over lines, which would get one more line if anything followed it."""
        end = len(self._places.text)
        return not self._places.text.endswith(("\n", "\r")) and any(
            isinstance(node, ScalarNode) and node.style in ("|", ">") and node.end_mark.index >= end
            for node in walk(self.content.node)
        )

    @property
    def _with_end(self) -> "YamlText":
        return YamlText(self.text + self._places.newline, self.file)

    # ------------------------------------------------------------------ checking

    def _changed(self, splices: Any, wanted: Any) -> "YamlText":
        if _same(self.values, wanted):
            return self
        for how in _WAYS:
            try:
                made = YamlText(self._mark + self._spliced(splices(how)), self.file)
                if _same(made.values, wanted):
                    return made
            except (UsageError, ValueError):
                continue
        raise UsageError(
            f"{self.file} is written there in a way that cannot be changed from here, such as an anchor that is used "
            "elsewhere; change it in the text."
        )

    def _spliced(self, splices: Iterable[_Splice]) -> str:
        text, parts, place = self._places.text, [], 0
        for one in sorted(splices, key=lambda one: (one.start, one.end)):
            if one.start < place:
                raise ValueError("two changes touch each other")
            parts += [text[place : one.start], one.text]
            place = one.end
        return "".join((*parts, text[place:]))

    # ------------------------------------------------------------------ setting

    def _set(self, path: YamlPath, value: Any, after: str | None, how: _How) -> Iterator[_Splice]:
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
            yield from self._set(
                path[:-1], {str(path[-1]): value}, None, replace(how.as_a_whole, levels=how.levels + 1)
            )
        else:
            raise ValueError("the text has no keys")

    def _assign(self, pair: YamlPair, value: Any, how: _How) -> Iterator[_Splice]:
        """Give a key another value."""
        if how.in_parts and not pair.is_alias:
            try:
                yield from list(self._in_parts(pair.value, value, how))
                return
            except ValueError:
                pass
        if pair.in_braces:
            yield _Splice(pair.colon, pair.end, f" {written_scalar(value)}")
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
        yield _Splice(pair.colon, max(end, pair.colon), places.newline.join([inline + comment, *below]))

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

    def _in_parts(self, node: Node, value: Any, how: _How) -> Iterator[_Splice]:
        """Change only what differs inside a value; ValueError if it is of another kind."""
        if isinstance(node, MappingNode) and isinstance(value, dict) and node.value and value:
            yield from self._mapping_in_parts(node, value, how)
        elif isinstance(node, SequenceNode) and isinstance(value, list) and node.value and value:
            yield from self._sequence_in_parts(node, value, how)
        elif not self._says(node, value):
            raise ValueError("it is of another kind")

    def _says(self, node: Node, value: Any) -> bool:
        return any(_same(plain_values(known), value) for known in self._known.get(id(node), ()))

    @cached_property
    def _known(self) -> dict[int, list[Any]]:
        """What each node says, by the node."""
        found: dict[int, list[Any]] = {}
        waiting = [(self.content.node, self.content.given.value)]
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

    def _mapping_in_parts(self, node: MappingNode, value: dict[str, Any], how: _How) -> Iterator[_Splice]:
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

    def _sequence_in_parts(self, node: SequenceNode, value: list[Any], how: _How) -> Iterator[_Splice]:
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

    def _assign_item(self, node: SequenceNode, number: int, value: Any, how: _How) -> Iterator[_Splice]:
        item, end = list(self._places.items(node))[number]
        if how.in_parts:
            try:
                yield from list(self._in_parts(item, value, how))
                return
            except ValueError:
                pass
        lines = (written_scalar(value),) if node.flow_style else written_item(value, self._indents)
        between = self._places.newline + " " * int(item.start_mark.column)
        yield _Splice(int(item.start_mark.index), end, between.join(lines))

    # ------------------------------------------------------------------ inserting

    def _insert(
        self, path: YamlPath, node: MappingNode, key: str, value: Any, after: str | None, how: _How
    ) -> Iterator[_Splice]:
        pairs = self._places.pairs(node)
        if not pairs:
            if not path:
                raise ValueError("the text has no keys")
            yield from self._set(path, {key: value}, None, replace(how.as_a_whole, levels=how.levels + 1))
            return
        before = next((pair for pair in pairs if pair.word == after), pairs[-1])
        yield self._inserted(node, before, {key: value}, how)

    def _inserted(self, node: MappingNode, before: YamlPair, added: Mapping[str, Any], how: _How) -> _Splice:
        """More keys after one of a mapping."""
        if node.flow_style:
            told = ", ".join(f"{written_scalar(key)}: {written_scalar(value)}" for key, value in added.items())
            return _Splice(before.end, before.end, f", {told}")
        lines: list[str] = []
        for key, value in added.items():
            made = written_value(value, self._indents_in(node), plain=how.plain, levels=how.levels)
            lines += [*self._blank_between(node), f"{written_scalar(key)}: {made.inline}".rstrip(), *made.below]
        indent, newline = " " * before.column, self._places.newline
        block = newline.join(f"{indent}{line}" if line.strip() else "" for line in lines)
        place = self._places.after_block(before.end, before.column)
        if place == len(self._places.text) and not self._places.text.endswith(("\n", "\r")):
            return _Splice(place, place, newline + block)
        return _Splice(place, place, block + newline)

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

    def _inserted_items(self, node: SequenceNode, before: int, values: Sequence[Any]) -> _Splice:
        item, end = list(self._places.items(node))[before]
        if node.flow_style:
            return _Splice(end, end, "".join(f", {written_scalar(value)}" for value in values))
        dash, column = int(node.start_mark.column), int(item.start_mark.column)
        newline, lines = self._places.newline, []
        for value in values:
            first, *more = written_item(value, self._indents)
            lines += [f"{' ' * dash}-{' ' * (column - dash - 1)}{first}", *(f"{' ' * column}{line}" for line in more)]
        place = self._places.after_block(end, dash)
        block = newline.join(lines)
        if place == len(self._places.text) and not self._places.text.endswith(("\n", "\r")):
            return _Splice(place, place, newline + block)
        return _Splice(place, place, block + newline)

    # ------------------------------------------------------------------ removing and renaming

    def _remove(self, path: YamlPath, keys: Sequence[str], how: _How) -> Iterator[_Splice]:
        node = self._node(path)
        if not isinstance(node, MappingNode):
            raise ValueError("no keys are there")
        if len(node.value) > len(keys):
            yield from self._without(node, keys)
        else:
            yield from self._set(path, {}, None, how.as_a_whole)

    def _without(self, node: MappingNode, keys: Sequence[str]) -> Iterator[_Splice]:
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

    def _without_items(self, node: SequenceNode, start: int, end: int) -> Iterator[_Splice]:
        if end - start == len(node.value):
            raise ValueError("nothing is left")
        items = list(self._places.items(node))
        spans = [(int(item.start_mark.index), last) for item, last in items]
        if node.flow_style:
            first, last = spans[start], spans[end - 1]
            if end < len(spans):
                yield _Splice(first[0], spans[end][0], "")
            else:
                yield _Splice(spans[start - 1][1], last[1], "")
            return
        dash = int(node.start_mark.column)
        for place, last_sign in spans[start:end]:
            line = self._places.line_start(place)
            if self._places.text[line:place].strip() != "-":
                raise ValueError("the dash is elsewhere")
            yield self._without_lines(line + dash, last_sign, dash)

    def _without_lines(self, start: int, end: int, column: int) -> _Splice:
        places = self._places
        first, last = places.with_comments_above(start, column), places.after_block(end, column)
        while places.is_blank_line(last) and places.blank_before(first):
            last = places.next_line(last)
        return _Splice(first, last, "")

    def _rename(self, names: Mapping[YamlPath, str]) -> Iterator[_Splice]:
        for path, new in names.items():
            node = self._node(path[:-1])
            if not isinstance(node, MappingNode):
                raise ValueError("no keys are there")
            pair = next(one for one in self._places.pairs(node) if one.word == path[-1])
            yield _Splice(pair.start, int(pair.key.end_mark.index), written_scalar(new))

    # ------------------------------------------------------------------ looking

    def _node(self, path: YamlPath) -> Node | None:
        node = self.content.node
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
        for node in walk(self.content.node):
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


def _without_one(spans: Sequence[tuple[int, int]], number: int) -> _Splice:
    """Without one of several parts in a line, and without the comma or blanks that go with it."""
    if number + 1 < len(spans):
        return _Splice(spans[number][0], spans[number + 1][0], "")
    return _Splice(spans[number - 1][1], spans[number][1], "")


def _is_below(pair: YamlPair, places: YamlPlaces) -> bool:
    """Whether a value begins in a line below its key."""
    if pair.is_alias:
        return False
    return (
        places.line_start(int(pair.value.start_mark.index)) != places.line_start(pair.start) and pair.end > pair.colon
    )


def _at(values: Any, path: YamlPath) -> Any:
    for part in path:
        values = values[part]
    return values


def _put(values: Any, path: YamlPath, value: Any, after: str | None) -> None:
    """Set a value in plain values; a new key comes after another one."""
    for number, part in enumerate(path[:-1]):
        if isinstance(values, dict) and values.get(part) is None:
            values[part] = {}
        values = _at(values, path[number : number + 1])
    last = path[-1]
    if isinstance(values, dict) and last not in values and after in values:
        items = list(values.items())
        place = list(values).index(after) + 1
        values.clear()
        values.update([*items[:place], (str(last), value), *items[place:]])
    else:
        values[last] = value


def _replaced(values: Any, path: YamlPath, value: Any) -> Any:
    if not path:
        return value
    if isinstance(values, dict):
        return {key: _replaced(one, path[1:], value) if key == path[0] else one for key, one in values.items()}
    return [_replaced(one, path[1:], value) if key == path[0] else one for key, one in enumerate(values)]
