"""Named values, nested."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, Union

from sightline.data._exports._text import plain_html
from sightline.data._result import Plain, XPath
from sightline.data._value import Value
from sightline.errors import UsageError

Field: TypeAlias = Union[Value, "Record", tuple["Field", ...], None]
"""The content of a field: a value, a record, several of either, or None if not found."""


class Record(Mapping[str, Field]):
    """Named fields in order; frozen, hashable, and nested as deeply as the page is.

    A plain text is taken as `Value(text)`, a list as a tuple and a dict as a record.

    >>> camera = Record({"name": "EOS 5D", "price": None, "shops": [{"name": "A"}, {"name": "B"}]})
    >>> camera["shops"][1]["name"].text
    'B'
    >>> camera.to_dict()
    {'name': 'EOS 5D', 'price': None, 'shops': [{'name': 'A'}, {'name': 'B'}]}
    """

    __slots__ = ("_fields", "_hash")

    def __init__(self, fields: Mapping[str, Any] | Sequence[tuple[str, Any]] = ()) -> None:
        pairs = list(fields.items() if isinstance(fields, Mapping) else fields)
        frozen = {_name(name): _field(name, value) for name, value in pairs}
        if len(frozen) < len(pairs):
            names = [name for name, _ in pairs]
            double = next(name for name in names if names.count(name) > 1)
            raise UsageError(f"A record cannot have two fields named {double!r}; use a list, or another name.")
        self._fields: dict[str, Field] = frozen
        self._hash: int | None = None

    @classmethod
    def trusted(cls, fields: dict[str, Field]) -> "Record":
        """A record of fields that are known to be right and are nobody else's: nothing is checked.

        >>> Record.trusted({"name": Value("EOS 5D")}) == Record({"name": "EOS 5D"})
        True
        """
        made = cls.__new__(cls)
        made._fields = fields
        made._hash = None
        return made

    def __getitem__(self, name: str) -> Field:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self._fields.items()))
        return self._hash

    def __repr__(self) -> str:
        return f"Record({self._fields!r})"

    def text(self, name: str) -> str | None:
        """The text of a field; None if the field was not found or is not a single value.

        >>> Record({"name": ""}).text("name"), Record({"name": None}).text("name")
        ('', None)
        """
        value = self._fields.get(name)
        return value.text if isinstance(value, Value) else None

    def replace(self, **changes: Any) -> "Record":
        """The record with some fields changed or added.

        >>> Record({"a": "1"}).replace(b="2").to_dict()
        {'a': '1', 'b': '2'}
        """
        return Record({**self._fields, **changes})

    def to_dict(self, *, origins: bool = False, typed: bool = False, xpath: XPath | None = None) -> dict[str, Any]:
        """The record as plain dicts and lists: texts as seen, typed values, or each value with its origin.

        >>> Record({"price": Value("5 €", 5)}).to_dict(typed=True)
        {'price': 5}
        """
        return plain_record(self, Plain(typed, origins, xpath))

    def _repr_html_(self) -> str:
        return plain_html(self.to_dict())


def _name(name: object) -> str:
    if not isinstance(name, str) or not name:
        raise UsageError(f"The name of a field must be a non-empty text, not {name!r}.")
    return name


def _field(name: str, value: object) -> Field:
    if value is None or type(value) is Value or isinstance(value, Record):
        return value
    if isinstance(value, str):
        return Value(value)
    if isinstance(value, Mapping):
        return Record(value)
    if isinstance(value, list | tuple):
        return tuple(_field(name, item) for item in value)
    raise UsageError(f"Field {name!r} is a {type(value).__name__}; use a Value, a Record, a text, a list or None.")


def plain_record(record: Record, plain: Plain) -> dict[str, Any]:
    """A record as a dict."""
    return {name: plain_field(field, plain) for name, field in record._fields.items()}


def plain_field(field: Field, plain: Plain) -> Any:
    """A field as plain values."""
    if field is None or type(field) is Value:
        return plain.of(field)
    if isinstance(field, tuple):
        return [plain_field(item, plain) for item in field]
    return plain_record(field, plain) if isinstance(field, Record) else plain.of(field)


def named_values(field: Field, name: str = "") -> Iterator[tuple[str, Value]]:
    """Every value of a field with its full name; nested names are joined by dots.

    >>> [name for name, _ in named_values(Record({"maker": {"city": "Ulm"}, "tags": ["x", "y"]}))]
    ['maker.city', 'tags', 'tags']
    """
    if isinstance(field, Value):
        yield name, field
    elif isinstance(field, Record):
        for part, inner in field.items():
            yield from named_values(inner, f"{name}.{part}" if name else part)
    elif field is not None:
        for item in field:
            yield from named_values(item, name)
