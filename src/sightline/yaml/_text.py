"""Changes of a YAML text that leave every other line as it was written: comments, order, quotes, indents and line ends.

ruamel.yaml's round trip of a whole text does not keep that promise. It gave back the project's own examples byte for
byte. Of 300 generated flows (those of tests/flow/spec/test_lines.py, without byte order mark and with plain line ends)
it gave back 50, with the best of ten settings of its indents for each: 205 indent their levels differently, which it
cannot, and 45 of the other 95 changed as well. In 35 of the 300 a comment was lost or changed with every setting. It
also takes a comment above a key for one of the key before it, so that removing a key would remove the wrong comment.

So ruamel.yaml reads the text, says where its parts are, and writes the parts that differ; nothing else is touched. The
result is read again: if it does not say exactly what was meant, the value is written anew as a whole, and if that does
not help either, the change is refused.
"""

import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property
from io import StringIO
from typing import Any, TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.nodes import CollectionNode, MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.scalarstring import DoubleQuotedScalarString, LiteralScalarString, SingleQuotedScalarString

from sightline.errors import UsageError
from sightline.yaml._places import YamlPart, YamlPlaces
from sightline.yaml._yaml_value import YamlContent, parsed_yaml

# -- what a YAML text says as plain values, and changes of those ----------------------------------------------------

YamlPath: TypeAlias = tuple[str | int, ...]
"""Keys and numbers of entries from the top of a text to a place in it."""

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


def check_plain(value: Any) -> None:
    """Refuse what no text in YAML can hold."""
    if isinstance(value, str) and any("\ud800" <= sign <= "\udfff" for sign in value):
        raise UsageError("The text has half of a character; remove it.")
    if isinstance(value, Mapping):
        for key, one in value.items():
            check_plain(key)
            check_plain(one)
    elif isinstance(value, list):
        for one in value:
            check_plain(one)


def same_values(one: Any, other: Any) -> bool:
    """Whether values are the same with their order and types; `true` is not 1 here."""
    return repr(one) == repr(other)


def value_at(values: Any, path: YamlPath) -> Any:
    """The value at a place."""
    for part in path:
        values = values[part]
    return values


def put_value(values: Any, path: YamlPath, value: Any, after: str | None) -> None:
    """Set a value in plain values; a new key comes after another one."""
    for number, part in enumerate(path[:-1]):
        if isinstance(values, dict) and values.get(part) is None:
            values[part] = {}
        values = value_at(values, path[number : number + 1])
    last = path[-1]
    if isinstance(values, dict) and last not in values and after in values:
        items = list(values.items())
        place = list(values).index(after) + 1
        values.clear()
        values.update([*items[:place], (str(last), value), *items[place:]])
    else:
        values[last] = value


def with_value_at(values: Any, path: YamlPath, value: Any) -> Any:
    """Plain values with another one at a place; the given ones stay."""
    if not path:
        return value
    if isinstance(values, dict):
        return {key: with_value_at(one, path[1:], value) if key == path[0] else one for key, one in values.items()}
    return [with_value_at(one, path[1:], value) if key == path[0] else one for key, one in enumerate(values)]


# -- changes of a YAML text that leave every other line as it was written -------------------------------------------

# Values as text in YAML: what stands after a colon or a dash, and the lines below it.

WIDTH = 1 << 30  # characters of a line: a folded one would be hard to edit
# Words that mean nothing else in YAML: they begin with a letter and are not a number, a truth value or null.
_PLAIN = re.compile(r"(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z][\w .()/+-]*(?<! )", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class Indents:
    """How a text is indented: a level of keys, the dash of a list below its key, and an entry after its dash."""

    mapping: int = 2
    dash: int = 2
    entry: int = 2


def yaml_writer(indents: Indents = Indents()) -> YAML:
    """Writes as people do, and folds no line."""
    writer = YAML(typ="rt")
    writer.width = WIDTH
    writer.brace_single_entry_mapping_in_flow_sequence = True
    writer.indent(mapping=indents.mapping, sequence=indents.dash + indents.entry, offset=indents.dash)
    return writer


def on_one_line(value: Any) -> Any:
    """A value as YAML in braces and brackets."""
    if isinstance(value, Mapping):
        inner: Any = CommentedMap({quoted(key): on_one_line(one) for key, one in value.items()})
    elif isinstance(value, list):
        inner = CommentedSeq([on_one_line(one) for one in value])
    else:
        return quoted(value)
    inner.fa.set_flow_style()
    return inner


def quoted(value: Any) -> Any:
    """A text in quotes, unless it is a few plain words, which nothing else can be meant by."""
    return DoubleQuotedScalarString(value) if isinstance(value, str) and not _PLAIN.fullmatch(value) else value


def written_value(
    value: Any, indents: Indents, *, style: str | None = None, plain: bool = False, levels: int = 1
) -> list[str]:
    r"""What stands after a key and its colon, and the lines below, indented as if the key were not.

    `style` is the quote of a text, `plain` allows no text over lines, and mappings of the first `levels` have a line
    for each key.

    >>> written_value({"to": "EUR", "digits": 2}, Indents())
    ['', '  to: EUR', '  digits: 2']
    >>> written_value("a\nb\n", Indents()), written_value("a\nb\n", Indents(), plain=True)
    (['|', '  a', '  b'], ['"a\\nb\\n"'])
    """
    if value is None:
        return [""]
    first, *below = _lines(CommentedMap({"k": _laid_out(value, style, plain=plain, levels=levels)}), indents)
    return [first.removeprefix("k:").strip(), *below]


def written_item(value: Any, indents: Indents) -> list[str]:
    """The lines of an entry of a list, without its dash and as if that were not indented."""
    if isinstance(value, Mapping) and value:
        return _lines(CommentedMap({quoted(name): on_one_line(one) for name, one in value.items()}), indents)
    return [written_scalar(value)]


def written_scalar(value: Any) -> str:
    """A value on one line, in braces and brackets if it is more than a text."""
    return (
        _lines(on_one_line([value]), Indents())[0].removeprefix("[").removesuffix("]") if value is not None else "null"
    )


def _lines(content: Any, indents: Indents) -> list[str]:
    out = StringIO()
    yaml_writer(indents).dump(content, out)
    return out.getvalue().removesuffix("\n").split("\n")


def _laid_out(value: Any, style: str | None, *, plain: bool, levels: int) -> Any:
    """A value as people would write it: some levels of names below each other, and what is deeper on one line."""
    if isinstance(value, Mapping) and value and levels:
        inner = {quoted(name): _laid_out(one, None, plain=plain, levels=levels - 1) for name, one in value.items()}
        return CommentedMap(inner)
    if isinstance(value, list) and any(isinstance(one, Mapping) for one in value) and levels:
        return CommentedSeq([_laid_out(one, None, plain=plain, levels=1) for one in value])
    if not isinstance(value, str):
        return on_one_line(value)
    if "\n" in value and levels and not plain and value.strip() and not value[0].isspace() and "\r" not in value:
        return LiteralScalarString(value)
    if style == "'" and "\n" not in value:
        return SingleQuotedScalarString(value)
    return DoubleQuotedScalarString(value) if style == '"' else quoted(value)


MARK = "\ufeff"
ANY_DEPTH = 1000


@dataclass(frozen=True)
class _Splice:
    """A part of a text and what takes its place."""

    start: int
    end: int
    text: str


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
        # A byte order mark is not a part of YAML; it stays where it is.
        self._mark = MARK if text.startswith(MARK) else ""
        self._places = YamlPlaces(text.removeprefix(MARK))

    @cached_property
    def content(self) -> YamlContent:
        """What the text says, with lines and nodes; an error with its line if it is not YAML."""
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
            put_value(wanted, path, value, after)
        try:
            return self._saying(wanted, max(map(len, changes), default=0), levels)
        except UsageError:
            if self.text.endswith(("\n", "\r")):
                raise
            # A text over lines at the very end gets one more line if anything follows it.
            return YamlText(self.text + self._places.newline, self.file).set_all(changes, after=after, levels=levels)

    def remove(self, path: YamlPath, keys: Sequence[str]) -> "YamlText":
        """Without some keys of a mapping, and without the comments directly above them."""
        wanted = deepcopy(self.values)
        mapping = value_at(wanted, path)
        for key in keys:
            del mapping[key]
        return self._saying(wanted, len(path) + 1)

    def rename(self, names: Mapping[YamlPath, str]) -> "YamlText":
        """With other names for some keys, at the same places."""
        wanted = self.values
        for path, new in names.items():
            mapping = value_at(wanted, path[:-1])
            renamed = {new if key == path[-1] else key: value for key, value in mapping.items()}
            wanted = with_value_at(wanted, path[:-1], renamed)
        return self._changed(lambda _: [self._renamed(path, new) for path, new in names.items()], wanted, [0])

    def _renamed(self, path: YamlPath, new: str) -> _Splice:
        node, key, after = self.content.node, None, 0
        for word in path:
            parts = self._places.parts(node) if isinstance(node, MappingNode) else []
            node, key, after = next((one.value, one.key, one.after) for one in parts if one.word == word)
        if key is None or self._places.text[key.end_mark.index : after].strip(" \t") != ":":
            raise ValueError("it is written as `? key`")
        return _Splice(int(key.start_mark.index), int(key.end_mark.index), written_scalar(new))

    def _saying(self, wanted: Any, depth: int, levels: int = 1) -> "YamlText":
        """With what differs from other values; the change is about a place so many keys deep."""

        def splices(deepest: int) -> Iterable[_Splice]:
            splicer = _Splicer(self.content.node, self._places, depth + levels, deepest)
            return splicer.differences(self.content.node, self.values, wanted, 1)

        return self._changed(splices, wanted, [ANY_DEPTH, depth])

    def _changed(self, splices: Callable[[int], Iterable[_Splice]], wanted: Any, depths: Iterable[int]) -> "YamlText":
        if same_values(self.values, wanted):
            return self
        for deepest in depths:
            try:
                made = YamlText(self._mark + _spliced(self._places.text, splices(deepest)), self.file)
                if same_values(made.values, wanted):
                    return made
            except (UsageError, ValueError, StopIteration):
                continue
        raise UsageError(
            f"{self.file} is written there in a way that cannot be changed from here, such as an anchor that is used "
            "elsewhere; change it in the text."
        )


def _spliced(text: str, splices: Iterable[_Splice]) -> str:
    parts, place = [], 0
    for one in sorted(splices, key=lambda one: (one.start, one.end)):
        if one.start < place:
            raise ValueError("two changes touch each other")
        parts += [text[place : one.start], one.text]
        place = one.end
    return "".join((*parts, text[place:]))


class _Splicer:
    """Which parts of a text are replaced, and by what, so that it says other values.

    Mappings have lines of their own up to a depth of `lined`, and whatever differs at a depth of `deepest` is written
    as a whole. ValueError if a part is written in an unknown way.
    """

    def __init__(self, top: Node | None, places: YamlPlaces, lined: int, deepest: int) -> None:
        self._top, self._places, self._lined, self._deepest = top, places, lined, deepest

    def differences(self, node: Node | None, old: Any, value: Any, depth: int) -> Iterator[_Splice]:
        """The splices of what differs in a mapping or list; ValueError if it has to be written as a whole."""
        if not (value and old and isinstance(node, MappingNode | SequenceNode) and type(old) is type(value)):
            raise ValueError("it is of another kind")
        if is_mapping := isinstance(node, MappingNode):
            # Without `<<`, by which more keys come than those that are written here.
            parts = [part for part in self._places.parts(node) if part.word in old]
            before = [part.word for part in parts]
            own = {*before, *(word for word in value if word not in old or not same_values(old[word], value[word]))}
            after = [word for word in value if word in own]
        else:
            parts, before, after = self._places.parts(node), [*map(repr, old)], [*map(repr, value)]
        for what, start, end, first, last in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            if what == "delete" and end - start < len(parts):
                yield from (self._without(node, parts, number) for number in range(start, end))
            elif what == "insert" and start:
                added = [(word, value[word]) for word in after[first:last]] if is_mapping else value[first:last]
                yield self._inserted(node, parts[start - 1], added, depth)
            elif what == "equal" or (what == "replace" and not is_mapping and end - start == last - first):
                for number, other in zip(range(start, end), range(first, last), strict=True):
                    was, now = (before[number], after[other]) if is_mapping else (number, other)
                    yield from self._assigned(node, parts[number], old[was], value[now], depth)
            else:
                raise ValueError("it is in another order")

    def _assigned(self, node: CollectionNode, part: YamlPart, old: Any, value: Any, depth: int) -> list[_Splice]:
        if same_values(old, value):
            return []
        try:
            if depth < self._deepest and not part.is_alias:
                return list(self.differences(part.value, old, value, depth + 1))
        except ValueError:
            pass  # then as a whole
        if node.flow_style or part.key is None:
            lines = [written_scalar(value)] if node.flow_style else written_item(value, self._indents)
            between = self._places.newline + " " * int(part.value.start_mark.column)
            return [_Splice(part.after, part.end, " " * (part.key is not None) + between.join(lines))]
        return [self._assigned_block(part, value, depth)]

    def _assigned_block(self, part: YamlPart, value: Any, depth: int) -> _Splice:
        places, start = self._places, int(part.value.start_mark.index)
        style = part.value.style if isinstance(part.value, ScalarNode) and not part.is_alias else None
        gap = "" if part.is_alias else places.text[part.after : start]
        first, *below = self._written(value, self._indents, depth, style)
        first = f"{gap if gap and not gap.strip(' ') else ' '}{first}".rstrip()
        is_below = not part.is_alias and part.end > part.after and places.line_start(start) > part.start
        comment, end = "", part.end
        if style in ("|", ">") or is_below:
            # What was below the key goes as a whole, with its own comments; the one in the line of the key stays.
            comment = places.comment_after(part.after)
            end = part.end if style else places.line_end(places.after_block(part.end, part.column) - 1)
        elif below and (comment := places.comment_after(part.end)):
            end = places.line_end(part.end)
        lines = [first + comment, *(f"{' ' * part.column}{line}".rstrip(" ") for line in below)]
        return _Splice(part.after, end, places.newline.join(lines))

    def _written(self, value: Any, indents: Indents, depth: int, style: str | None = None) -> list[str]:
        levels, plain = max(self._lined - depth, 1), self._deepest < ANY_DEPTH
        return written_value(value, indents, style=style, plain=plain, levels=levels)

    def _inserted(self, node: CollectionNode, before: YamlPart, added: Sequence[Any], depth: int) -> _Splice:
        """More keys or entries after one."""
        if node.flow_style:
            words = [": ".join(map(written_scalar, one if before.key else [one])) for one in added]
            return _Splice(before.end, before.end, "".join(f", {one}" for one in words))
        lines = self._key_lines(node, added, depth) if before.key else self._entry_lines(before, added)
        text, newline = self._places.text, self._places.newline
        place = self._places.after_block(before.end, before.column)
        ends = place < len(text) or text.endswith(("\n", "\r"))
        block = [f"{' ' * before.column}{line}".rstrip(" ") for line in lines]
        return _Splice(place, place, newline.join([*block, ""] if ends else ["", *block]))

    def _key_lines(self, node: Node, added: Sequence[tuple[str, Any]], depth: int) -> Iterator[str]:
        indents = replace(self._indents, mapping=next(_inner_indents(node), self._indents.mapping))
        for key, value in added:
            first, *below = self._written(value, indents, depth)
            yield from ("",) * self._has_blank_lines(node)
            yield from (f"{written_scalar(key)}: {first}", *below)

    def _entry_lines(self, before: YamlPart, added: Sequence[Any]) -> Iterator[str]:
        width = int(before.value.start_mark.column) - before.column
        for value in added:
            first, *below = written_item(value, self._indents)
            yield from ("-".ljust(width) + first, *(" " * width + line for line in below))

    def _has_blank_lines(self, node: Node) -> bool:
        """Whether most blocks of a mapping are set apart by blank lines."""
        if len(node.value) < 2 or all(isinstance(value, ScalarNode) for _, value in node.value):
            return False
        places, marks = self._places, [key.start_mark for key, _ in node.value[1:]]
        apart = [places.blank_before(places.with_comments_above(mark.index, mark.column)) for mark in marks]
        return sum(apart) * 2 > len(apart)

    def _without(self, node: CollectionNode, parts: Sequence[YamlPart], number: int) -> _Splice:
        """Without a key or an entry: its lines with the comments above, or its part of a line and the comma."""
        places, part = self._places, parts[number]
        line = places.line_start(part.start)
        is_alone = places.text[line : part.start].strip() == ("" if part.key is not None else "-")
        if not node.flow_style and is_alone:
            first = places.with_comments_above(line, part.column)
            last = places.after_block(part.end, part.column)
            while (
                last < len(places.text) and places.blank_before(first) and places.blank_before(places.next_line(last))
            ):
                last = places.next_line(last)  # one blank line is enough
            return _Splice(first, last, "")
        if not node.flow_style and part.key is None:
            raise ValueError("the dash is elsewhere")
        if number + 1 < len(parts):
            return _Splice(part.start, parts[number + 1].start, "")
        return _Splice(parts[number - 1].end, part.end, "")

    @cached_property
    def _indents(self) -> Indents:
        """How this text is indented: as most of its blocks are, and as its first list."""
        blocks: Counter[int] = Counter()
        lists: dict[int, tuple[int, int]] = {}
        seen: dict[int, Node] = {}
        waiting = [self._top]
        while waiting:
            node = waiting.pop()
            if isinstance(node, MappingNode | SequenceNode) and id(node) not in seen:
                seen[id(node)] = node
                waiting += [one[1] if isinstance(one, tuple) else one for one in node.value]
        for node in seen.values():
            if not isinstance(node, MappingNode):
                continue
            blocks.update(_inner_indents(node))
            for key, value in node.value:
                if isinstance(value, SequenceNode) and value.value and not value.flow_style:
                    dash, entry = value.start_mark.column, value.value[0].start_mark.column
                    lists[value.start_mark.index] = (max(dash - key.start_mark.column, 0), max(entry - dash, 2))
        dash, entry = lists[min(lists)] if lists else (2, 2)
        return Indents(blocks.most_common(1)[0][0] if blocks else 2, dash, entry)


def _inner_indents(node: Node) -> Iterator[int]:
    """How far the blocks in a mapping are indented."""
    for key, value in node.value:
        inside = int(value.start_mark.column) - int(key.start_mark.column)
        is_alias = value.start_mark.index < key.end_mark.index
        if isinstance(value, MappingNode) and not value.flow_style and not is_alias and inside > 0:
            yield inside
