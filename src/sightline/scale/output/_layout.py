"""The columns of records, fixed by the schema of their wrapper before the first page is read."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import orjson

from sightline.data import Basic, Disjunction, Option, Schema, SetOf, TupleOf

Path: TypeAlias = tuple[str, ...]
"""The names on the way to a field, from the record down."""

Form: TypeAlias = Literal["text", "texts", "records"]

MIXED = "text"
"""The part of a nested record that holds an item which isn't a record."""


@dataclass(frozen=True, slots=True)
class RecordColumn:
    """A column: its name, its place in a row, what it holds, and the parts of the records in it."""

    name: str
    place: int
    form: Form
    parts: tuple[str, ...] = ()


FieldColumns: TypeAlias = dict[Path, RecordColumn]


@dataclass(slots=True)
class _Seen:
    """What a schema says about the fields of one path."""

    is_list: bool = False
    parts: dict[str, None] = field(default_factory=dict)
    has_texts: bool = False

    @property
    def form(self) -> Form:
        return "records" if self.parts else "texts" if self.is_list else "text"

    @property
    def all_parts(self) -> tuple[str, ...]:
        return tuple(self.parts | (dict.fromkeys([MIXED]) if self.parts and self.has_texts else {}))


def columns_of(schema: Schema) -> FieldColumns:
    """One column for each field: nested names are joined by points, and what may be a list is one on every page.

    >>> schema = TupleOf((("name", Basic()), ("maker", TupleOf((("city", Basic()),))), ("tags", SetOf(Basic()))))
    >>> [(column.name, column.form) for column in columns_of(schema).values()]
    [('name', 'text'), ('maker.city', 'text'), ('tags', 'texts')]
    """
    seen: dict[Path, _Seen] = {}
    _look(schema, (), seen)
    names = _unique(".".join(path) for path in seen)
    return {
        path: RecordColumn(name, place, kind.form, kind.all_parts)
        for place, ((path, kind), name) in enumerate(zip(seen.items(), names, strict=True))
    }


def _look(node: Schema, path: Path, seen: dict[Path, _Seen]) -> None:
    if isinstance(node, TupleOf):
        for name, part in node.fields:
            _look(part, (*path, name), seen)
    elif isinstance(node, Option | Disjunction):
        for child in node.children:
            _look(child, path, seen)
    elif path:  # what isn't a record has no name that a column could have
        found = seen.setdefault(path, _Seen())
        if isinstance(node, SetOf):
            found.is_list = True
            found.parts.update(dict.fromkeys(_parts(node.item, ())))
            found.has_texts |= _may_be_text(node.item)
        else:
            found.has_texts = True


def _parts(node: Schema, path: Path) -> Iterator[str]:
    """The names of the parts of records in a list; a list in them is one part."""
    if isinstance(node, TupleOf):
        for name, part in node.fields:
            yield from _parts(part, (*path, name))
    elif isinstance(node, Option | Disjunction):
        for child in node.children:
            yield from _parts(child, path)
    elif path:
        yield ".".join(path)


def _may_be_text(node: Schema) -> bool:
    if isinstance(node, Option | Disjunction):
        return any(map(_may_be_text, node.children))
    return isinstance(node, Basic | SetOf)


def _unique(names: Iterable[str]) -> list[str]:
    """Names of columns: none begins as ours do, and no two differ in case alone, which databases take for one name.

    >>> _unique(["_row", "Name", "name"])
    ['field_row', 'Name', 'name 2']
    """
    taken: set[str] = set()
    given = []
    for name in names:
        wanted = bare = storable_text(f"field{name}" if name.startswith("_") else name)
        number = 1
        while wanted.casefold() in taken:
            number += 1
            wanted = f"{bare} {number}"
        taken.add(wanted.casefold())
        given.append(wanted)
    return given


# -- texts as Parquet and JSON can hold them ------------------------------------------------------------------------

_SURROGATES = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\ufffd"


def storable_text(text: str) -> str:
    r"""The text with lone surrogates replaced.

    >>> storable_text("a\ud800b")
    'a�b'
    """
    return text if text.isascii() else _SURROGATES.sub(_REPLACEMENT, text)


def escaped(text: str) -> str:
    r"""A name with lone surrogates spelled out, so that two names stay two.

    >>> escaped("page-\udce4.html")
    'page-\\udce4.html'
    """
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def storable(content: Any) -> Any:
    """Plain lists and dicts with every text in them storable."""
    if isinstance(content, str):
        return storable_text(content)
    if isinstance(content, list | tuple):
        return [storable(one) for one in content]
    if isinstance(content, dict):
        return {storable(name): storable(one) for name, one in content.items()}
    return content


def json_text(content: Any) -> str:
    r"""Plain values as JSON.

    >>> json_text({"title": ["\ud800"]})
    '{"title":["�"]}'
    """
    try:
        return orjson.dumps(content).decode()
    except orjson.JSONEncodeError:  # a lone surrogate, which next to no page has: looking for them first would cost
        return orjson.dumps(storable(content)).decode()
