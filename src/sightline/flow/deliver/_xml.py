"""Delivery to an XML file: by a schema (XSD) that it has to be valid by, or as the house writes XML."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from sightline.data import xml_row
from sightline.errors import MissingExtra, OutputError, UsageError
from sightline.flow.deliver._files import write_rows
from sightline.flow.deliver._rows import as_rows, as_text, check_mapping, mapped
from sightline.flow.deliver._schema import LoadColumns
from sightline.flow.deliver._target import Delivered, Load, XmlOptions

_DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>\n'
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_NAME = re.compile(r"[^\W\d][\w.\-·]*")  # without a colon: prefixes are ours to give
# A row is a line, so line ends inside of it are written as references, which mean the same.
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
)
_XSD = "{http://www.w3.org/2001/XMLSchema}"


def deliver_load(load: Load, batches: Iterable[Any]) -> Delivered:
    """Write the document anew; one that its schema does not allow never becomes the file."""
    options = load.options
    assert isinstance(options, XmlOptions)
    if not options.element:
        return write_rows(load, batches, partial(_HouseWriter, options=options))
    schema = _Schema(options.schema) if options.schema else None
    return write_rows(load, batches, partial(_PathWriter, options=options, xsd=schema))


class _HouseWriter:
    """`<records>` with a `<record>` for each row, as exports have it; decimals with all their digits."""

    def __init__(self, stream: BinaryIO, schema: Any, columns: LoadColumns, *, options: XmlOptions) -> None:  # noqa: ARG002
        if options.columns:
            raise UsageError("The option `columns` needs `element`, the path of the element of a row; give both.")
        self._stream, self._columns, self._rows = stream, columns, 0
        stream.write(_DECLARATION + b"<records>\n")

    def write(self, piece: Any) -> None:
        """Add a line for each row."""
        for row in as_rows(piece, self._columns):
            self._rows += 1
            texts = {name: _texts(value, self._rows, name) for name, value in row.items()}
            self._stream.write(xml_row(texts).encode())

    def finish(self) -> None:
        """End the document."""
        self._stream.write(b"</records>\n")

    def close(self) -> None:
        """Nothing is held."""


def _texts(value: Any, row: int, path: str) -> Any:
    """A value with texts for leaves, which nothing rounds any more."""
    if value is None:
        return None
    if isinstance(value, dict):
        return {name: _texts(part, row, f"{path}/{name}") for name, part in value.items()}
    if isinstance(value, list):
        return [_texts(item, row, path) for item in value]
    return _checked(as_text(value), row, path)


def _checked(text: str, row: int, path: str) -> str:
    if found := _FORBIDDEN.search(text):
        raise OutputError(
            f"Row {row} has U+{ord(found[0]):04X} at {path}, a character that XML does not allow; remove it first."
        )
    return text


class _PathWriter:
    """An element for each row, with its columns at their paths; checked by the schema when all are written."""

    def __init__(
        self, stream: BinaryIO, schema: Any, columns: LoadColumns, *, options: XmlOptions, xsd: "_Schema | None"
    ) -> None:
        check_mapping(schema, options.columns)
        self._stream, self._columns, self._rows = stream, columns, 0
        self._mapping, self._schema = options.columns, xsd
        *self._around, self._element = _steps(options.element)
        self._head, self._tail = _frame(self._around, xsd)
        stream.write(self._head)

    def write(self, piece: Any) -> None:
        """Add a line for each row."""
        for row in as_rows(piece, self._columns):
            self._rows += 1
            tree = mapped(row, self._mapping)
            self._stream.write(("".join(_written(self._element, tree, self._rows, "")) + "\n").encode())

    def finish(self) -> None:
        """End the document, and check it."""
        self._stream.write(self._tail)
        self._stream.flush()
        if self._schema is not None:
            self._schema.check(self._stream, self._head, self._tail)

    def close(self) -> None:
        """Nothing is held."""


def _steps(path: str) -> list[str]:
    steps = path.strip("/").split("/")
    for step in steps:
        _check_name(step, path)
    return steps


def _check_name(name: str, path: str) -> None:
    if not _NAME.fullmatch(name):
        raise UsageError(f"{path!r} has the step {name!r:.60}, which isn't an XML element name; write another path.")


def _frame(around: list[str], schema: "_Schema | None") -> tuple[bytes, bytes]:
    """What stands before and after the rows; its lines hold no row."""
    space = schema.namespace if schema else ""
    root, *others = around
    if space and not schema.qualified:  # type: ignore[union-attr]
        start, end = f'<p:{root} xmlns:p="{space.translate(_ESCAPES)}">', f"</p:{root}>"
    else:
        start = f'<{root} xmlns="{space.translate(_ESCAPES)}">' if space else f"<{root}>"
        end = f"</{root}>"
    head = start + "".join(f"<{name}>" for name in others)
    tail = "".join(f"</{name}>" for name in reversed(others)) + end
    return _DECLARATION + head.encode() + b"\n", tail.encode() + b"\n"


def _written(name: str, content: Any, row: int, path: str) -> Iterator[str]:
    """An element, or several if its content is a list."""
    if isinstance(content, list):
        for item in content:
            yield from _written(name, item, row, path)
        return
    where = f"{path}/{name}" if path else name
    _check_name(name, where)
    if not isinstance(content, Mapping):
        yield f"<{name}>{_leaf(content, row, where)}</{name}>"
        return
    attributes = [(key[1:], value) for key, value in content.items() if key.startswith("@")]
    for key, _ in attributes:
        _check_name(key, where)
    said = "".join(f' {key}="{_leaf(value, row, where)}"' for key, value in attributes)
    yield f"<{name}{said}>{_leaf(content.get(''), row, where)}"
    for key, value in content.items():
        if key and not key.startswith("@"):
            yield from _written(key, value, row, where)
    yield f"</{name}>"


def _leaf(value: Any, row: int, path: str) -> str:
    if isinstance(value, list | dict):
        raise UsageError(
            f"Row {row} has a list or struct at {path}, where a single value belongs; map it to an element."
        )
    return "" if value is None else _checked(as_text(value), row, path).translate(_ESCAPES)


class _Schema:
    """A schema in an XSD file."""

    def __init__(self, path: str) -> None:
        try:
            from lxml import etree
        except ImportError as problem:
            raise MissingExtra("xml", "Checking XML by a schema") from problem
        self._etree, self._path = etree, path
        try:
            tree = etree.parse(Path(path), etree.XMLParser(resolve_entities=False, no_network=True))
            self._schema = etree.XMLSchema(tree)
        except OSError as problem:
            raise UsageError(f"{path}: the schema cannot be read; check its name.") from problem
        except (etree.XMLSyntaxError, etree.XMLSchemaParseError) as problem:
            said = str(problem).splitlines()[0]
            raise UsageError(f"{path} isn't a usable schema (XSD) ({said:.300}); fix it first.") from problem
        root = tree.getroot()
        self.namespace: str = root.get("targetNamespace", "")
        self.qualified: bool = root.get("elementFormDefault") == "qualified"

    def check(self, stream: BinaryIO, head: bytes, tail: bytes) -> None:
        """Raise an error that names the row and the path if the document is not valid; memory stays bounded."""
        stream.seek(0)
        self._etree.clear_error_log()  # it would still hold what was wrong with the last document
        try:
            for _, element in self._etree.iterparse(
                stream, schema=self._schema, huge_tree=True, resolve_entities=False
            ):
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]
        except self._etree.XMLSyntaxError as problem:
            said = problem.error_log[0].message if problem.error_log else str(problem)
            raise OutputError(
                f"{self._located(said, stream, head, tail)}, which {self._path} does not allow: {_bare(said):.400} "
                "Change the rows or their paths."
            ) from problem

    def _located(self, said: str, stream: BinaryIO, head: bytes, tail: bytes) -> str:
        """The row and path of an error, found by checking rows one by one; some errors are of the whole document."""
        stream.seek(len(head))
        for number, line in enumerate(stream, 1):
            if line == tail:
                break
            tree = self._etree.fromstring(head + line + tail, self._etree.XMLParser(huge_tree=True))
            if not self._schema.validate(tree):
                for entry in self._schema.error_log:
                    if entry.message == said:
                        return f"Row {number} has something at {_path_of(tree, entry.path)}"
        return "The document has something"


def _path_of(tree: Any, path: str) -> str:
    """The names on the way to an element; libxml2 writes `*` for those in a namespace."""
    prefixes = {prefix: space for prefix, space in tree.nsmap.items() if prefix}
    element = tree.getroottree().xpath(path, namespaces=prefixes)[0]
    names = [one.tag.rpartition("}")[2] for one in (element, *element.iterancestors())]
    return "/".join(reversed(names))


def _bare(said: str) -> str:
    """A message without namespaces, which stand before each name."""
    return re.sub(r"\{[^}]*\}", "", said).rstrip(".") + "."
