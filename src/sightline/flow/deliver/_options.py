"""The options that some kinds of targets take beyond their address: one frozen class for each kind."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from typing import Any

from sightline.errors import UsageError
from sightline.settings import Settings, setting

__all__ = ["NoOptions", "PostOptions", "SoapOptions", "TextFileOptions", "XmlOptions", "read_options"]


_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # what RFC 9110 calls so
_UNBOUNDED = {"minimum": None, "maximum": None, "choices": (), "hidden": False}


@dataclass(frozen=True, kw_only=True)
class NoOptions(Settings):
    """The address of the target says everything."""


@dataclass(frozen=True, kw_only=True)
class TextFileOptions(Settings):
    """How texts are written to CSV and TSV."""

    raw: bool = setting(
        default=False, help="whether texts are written as they are, also those that a spreadsheet would run"
    )


@dataclass(frozen=True, kw_only=True)
class XmlOptions(Settings):
    """How rows become the elements of a document."""

    schema: str = setting("", help="which XSD the document has to be valid by")
    element: str = setting("", help="the path of the element that is repeated for each row, such as prices/product")
    columns: Mapping[str, Any] | None = setting(None, help="the path of each column below the element of its row")

    def __post_init__(self) -> None:
        """Check the mapping, too."""
        super().__post_init__()
        check_columns(self.columns)
        if self.schema and "/" not in self.element.strip("/"):
            raise UsageError(
                "A schema needs the option `element`, the path from the root to the element of a row; "
                "write it as `element: prices/product`."
            )


@dataclass(frozen=True, kw_only=True)
class PostOptions(Settings):
    """How rows are posted, and where it is remembered which of them have arrived."""

    state: str = setting("", help="the file that remembers which parts have arrived")
    headers: Mapping[str, str] | None = field(  # not shown, since a header may hold a token
        default=None,
        repr=False,
        metadata={**_UNBOUNDED, "help": "further headers of each request, such as Authorization"},
    )
    part_rows: int = setting(500, help="how many rows are posted at a time", minimum=1)
    seconds: float = setting(30.0, help="how many seconds an answer may take", minimum=0.1)
    attempts: int = setting(6, help="how often a part is posted before the load fails", minimum=1)
    pause: float = setting(1.0, help="how many seconds to wait before the second attempt", minimum=0)

    def __post_init__(self) -> None:
        """Check the headers without showing them; there is no way to go on without a state."""
        super().__post_init__()
        if not self.state:
            raise UsageError(
                "Posting rows needs the option `state`, the name of a file that remembers which parts have arrived; "
                "give each target one of its own."
            )
        headers = {} if self.headers is None else self.headers
        if not isinstance(headers, Mapping):
            raise UsageError("The option `headers` must map names to texts; write `headers: {Authorization: …}`.")
        for name, text in headers.items():
            if not isinstance(name, str) or not isinstance(text, str):
                raise UsageError(f"The header {name!r} must be a text; put its value in quotes.")
            if not _TOKEN.fullmatch(name) or not text.isascii() or not text.isprintable():
                raise UsageError(
                    f"The header {name!r} has a name or a value that HTTP does not allow; use printable ASCII."
                )


@dataclass(frozen=True, kw_only=True)
class SoapOptions(PostOptions):
    """How rows become the message of an operation."""

    element: str = setting("", help="the path of the element of a row, below that of the operation")
    columns: Mapping[str, Any] | None = setting(None, help="the path of each column below the element of its row")
    values: Mapping[str, Any] | None = setting(None, help="what other elements of the message hold, by their paths")

    def __post_init__(self) -> None:
        """Check the mappings, too."""
        super().__post_init__()
        check_columns(self.columns)
        check_columns(self.values, "values")


def check_columns(columns: object, name: str = "columns") -> None:
    """Raise an error unless columns are mapped to paths; a nested one to its element and its own columns."""
    if columns is None:
        return
    if not isinstance(columns, Mapping) or not columns:
        raise UsageError(f"The option `{name}` must map names to paths; write `{name}: {{id: product/@id}}`.")
    for column, path in columns.items():
        if isinstance(path, Mapping) and name == "columns":
            _check_nested(str(column), path)
        elif not isinstance(path, str) or not path.strip("/"):
            raise UsageError(f"{name}: {column!r} must be mapped to a path such as `product/@id`, not to {path!r:.60}.")


def _check_nested(column: str, mapped: Mapping[str, Any]) -> None:
    for key in mapped:
        if key not in ("element", "columns"):
            raise UsageError(f"columns: {column!r} has the key {key!r}; {_meant(str(key), ('element', 'columns'))}")
    if not isinstance(mapped.get("element"), str):
        raise UsageError(f"columns: {column!r} needs an `element`, the path that is repeated for each of its items.")
    check_columns(mapped.get("columns"))


def read_options(kind: type[Settings], given: Settings | Mapping[str, Any] | None, shown: str) -> Settings:
    """The options of a kind from a mapping, such as the keys of a flow file; unknown ones are errors."""
    if isinstance(given, Settings):
        if type(given) is not kind:
            raise UsageError(f"{shown} takes {kind.__name__}, not {type(given).__name__}.")
        return given
    known = [declared.name for declared in fields(kind)]
    for name in given or {}:
        if name not in known:
            raise UsageError(f"{shown} has no option {name!r}; {_meant(str(name), known)}")
    return kind(**given or {})


def _meant(name: str, known: Sequence[str]) -> str:
    if not known:
        return "it takes none."
    near = get_close_matches(name, known, 1)
    return f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}."
