"""The arguments of every tool: typed, each with a description that teaches, checked before anything is done."""

from typing import Annotated, Any

import msgspec

from sightline.documents import check_document
from sightline.errors import UsageError

__all__ = [
    "CheckArguments",
    "ContentArguments",
    "ExtractArguments",
    "InduceArguments",
    "ListsArguments",
    "NextArguments",
    "OpenArguments",
    "TablesArguments",
    "TeachArguments",
    "TeachPage",
    "ToolArguments",
    "TopArguments",
    "input_schema",
    "read_arguments",
]

MOST_PAGES = 50  # of one call: with a second for each, it ends before clients lose patience

PageSource = Annotated[str, msgspec.Meta(min_length=1, description="An id from `open` (no loading), or a web address.")]
PageSources = Annotated[
    list[Annotated[str, msgspec.Meta(min_length=1)]],
    msgspec.Meta(min_length=1, max_length=MOST_PAGES, description="Page ids from `open`, or web addresses."),
]
Offset = Annotated[int, msgspec.Meta(ge=0, description="Rows to skip; take `next_offset` of the last answer.")]
Limit = Annotated[int, msgspec.Meta(ge=1, le=500, description="Rows wanted.")]
Longest = Annotated[int, msgspec.Meta(ge=1, le=20_000, description="Characters of a cell; longer ones are cut.")]
Origins = Annotated[bool, msgspec.Meta(description="Add where each value is: [XPath, [x0, y0, x1, y1]].")]
WrapperName = Annotated[str, msgspec.Meta(min_length=1, description="The name of a wrapper.")]
Replace = Annotated[bool, msgspec.Meta(description="Whether a wrapper of that name may be replaced.")]
Containing = Annotated[str | None, msgspec.Meta(description="Only those with this text in them.")]
Count = Annotated[int, msgspec.Meta(ge=1)]
Texts = dict[str, str | list[str]]


class ToolArguments(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The arguments of a tool."""


class OpenArguments(ToolArguments):
    """Arguments of `open`."""

    source: Annotated[str, msgspec.Meta(min_length=1, description="A web address, such as https://example.org/list.")]
    static: Annotated[bool, msgspec.Meta(description="Only the HTML, without a browser: quicker, no layout.")] = False


class TablesArguments(ToolArguments):
    """Arguments of `tables`."""

    page: PageSource
    number: Annotated[int, msgspec.Meta(ge=1, description="Which table; 1 is the best.")] = 1
    containing: Containing = None
    offset: Offset = 0
    limit: Limit = 20
    longest: Longest = 200
    origins: Origins = False


class ListsArguments(TablesArguments):
    """Arguments of `lists`."""

    number: Annotated[int, msgspec.Meta(ge=1, description="Which list; 1 is the most important.")] = 1


class TopArguments(ToolArguments):
    """Arguments of `top`."""

    page: PageSource
    k: Annotated[Count | None, msgspec.Meta(description="How many items, if the title does not say.")] = None
    offset: Offset = 0
    limit: Limit = 20
    longest: Longest = 200
    origins: Origins = False


class ContentArguments(ToolArguments):
    """Arguments of `content`."""

    page: PageSource
    offset: Annotated[int, msgspec.Meta(ge=0, description="Parts to skip; take `next_offset` of the last answer.")] = 0
    characters: Annotated[int, msgspec.Meta(ge=100, le=100_000, description="About how much text is wanted.")] = 6_000
    origins: Annotated[bool, msgspec.Meta(description="Add where each part is: [XPath, [x0, y0, x1, y1]].")] = False


class NextArguments(ToolArguments):
    """Arguments of `next`."""

    page: PageSource


class InduceArguments(ToolArguments):
    """Arguments of `induce`."""

    name: WrapperName
    pages: PageSources
    replace: Replace = False


class TeachPage(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The examples on one page."""

    page: PageSource
    fields: Annotated[
        Texts, msgspec.Meta(description="Field name → its text on the page; one text of a list stands for all.")
    ] = msgspec.field(default_factory=dict)
    records: Annotated[
        list[Texts], msgspec.Meta(description="Rows of a list, each field name → text; two or three are enough.")
    ] = msgspec.field(default_factory=list)
    wrong: Annotated[Texts, msgspec.Meta(description="Texts that must not be taken for a field.")] = msgspec.field(
        default_factory=dict
    )
    absent: Annotated[list[str], msgspec.Meta(description="Fields that this page lacks.")] = msgspec.field(
        default_factory=list
    )


class TeachArguments(ToolArguments):
    """Arguments of `teach`."""

    name: WrapperName
    examples: Annotated[list[TeachPage], msgspec.Meta(min_length=1, max_length=MOST_PAGES)]
    replace: Replace = False


class ExtractArguments(ToolArguments):
    """Arguments of `extract`."""

    wrapper: WrapperName
    pages: PageSources
    offset: Offset = 0
    limit: Limit = 50
    longest: Longest = 200
    origins: Origins = False


class CheckArguments(ToolArguments):
    """Arguments of `check`."""

    wrapper: WrapperName
    pages: PageSources
    limit: Annotated[int, msgspec.Meta(ge=1, le=200, description="Issues wanted, worst first.")] = 20


def read_arguments(kind: type[ToolArguments], given: dict[str, Any]) -> ToolArguments:
    """The arguments of a call; an error that says which one is wrong.

    >>> read_arguments(NextArguments, {"page": 7})
    Traceback (most recent call last):
    ...
    sightline.errors.UsageError: The arguments do not fit: page must be a text, not a whole number; there are page.
    """
    names = [field.name for field in msgspec.structs.fields(kind)]
    strange = next((name for name in given if name not in names), None)
    if strange is not None:
        raise UsageError(f"There is no argument {strange!r:.60}; there are {', '.join(names)}.")
    try:
        check_document(given, kind)
    except UsageError as problem:
        raise UsageError(f"The arguments do not fit: {problem}; there are {', '.join(names)}.") from problem
    return msgspec.convert(given, kind)


def input_schema(kind: type[ToolArguments]) -> dict[str, Any]:
    """The JSON schema of the arguments, without what says nothing to a caller.

    >>> sorted(input_schema(NextArguments))
    ['additionalProperties', 'properties', 'required', 'type']
    """
    _, parts = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    schema = _bare(parts.pop(kind.__name__))
    return schema | {"$defs": {name: _bare(part) for name, part in parts.items()}} if parts else schema


def _bare(schema: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in schema.items() if name not in ("title", "description")}
