"""Answers of tools: plain values, few of them, and what a page said kept apart from what we say.

Agents pay for every token. So names of columns are said once, ids are short, cells and rows have limits, and an answer
says how many there are in all and how to get the rest.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

import msgspec

from sightline.data import Column, Origin, Result
from sightline.documents import check_document
from sightline.errors import UsageError
from sightline.jobs import XPaths
from sightline.page import Page

ToolAnswer: TypeAlias = dict[str, Any]
"""What a tool gives, as a JSON object."""

FROM_PAGE = "from_page"
"""The entry of an answer that holds what pages say: data, and never instructions."""

MOST_CHARACTERS = 20_000  # of the cells in one answer: some 5,000 tokens, which every client takes
MOST_COLUMNS = 60
LONGEST_NAME = 120


@dataclass(frozen=True, slots=True)
class AnswerWindow:
    """Which rows of a result are wanted, and how long their cells may be."""

    offset: int
    limit: int
    longest: int


def rows_answer(result: Result | None, window: AnswerWindow, places: "Places | None" = None) -> ToolAnswer:
    """Some rows of a result: how many there are, where the next ones begin, and columns and rows as the page says them.

    >>> from sightline.data import Table
    >>> table = Table.from_rows([["Star", "Magnitude"], ["Sirius", "-1.46"], ["Vega", "0.03"]])
    >>> rows_answer(table, AnswerWindow(0, 1, 100))
    {'rows_in_all': 2, 'next_offset': 1, 'types': ['text', 'number'], 'from_page': {'columns': ['Star', 'Magnitude'], \
'rows': [['Sirius', '-1.46']]}}
    """
    every = result.columns if result is not None else ()
    columns = every[:MOST_COLUMNS]
    total = len(every[0].cells) if every else 0
    rows = _rows(columns, window, total)
    following = window.offset + len(rows)
    answer: ToolAnswer = {
        "rows_in_all": total,
        "next_offset": following if following < total else None,
        "columns_left_out": len(every) - len(columns),
        "types": [str(column.type) for column in columns],
        FROM_PAGE: {
            "columns": [as_said(column.name, LONGEST_NAME) for column in columns],
            "rows": rows,
        },
    }
    if places:
        answer["origins"] = [places.row(columns, row) for row in range(window.offset, following)]
    return without_empty(answer)


def _rows(columns: Sequence[Column], window: AnswerWindow, total: int) -> list[list[str | None]]:
    """The rows of a window, fewer if they are long; the first one always."""
    rows: list[list[str | None]] = []
    room = MOST_CHARACTERS
    for number in range(window.offset, min(window.offset + window.limit, total)):
        cells = [column.cells[number] for column in columns]
        row = [as_said(cell.text, window.longest) if cell else None for cell in cells]
        room -= sum(len(text or "") for text in row)
        if rows and room < 0:
            break
        rows.append(row)
    return rows


class Places:
    """Where values are on their pages: the XPath of the element and its box, in pixels."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self._pages = {page.whole_id: page for page in pages}

    def row(self, columns: Sequence[Column], number: int) -> list[Any]:
        """The place of each cell of a row."""
        cells = [column.cells[number] for column in columns]
        return [self.of(cell.origin if cell else None) for cell in cells]

    def of(self, origin: Origin | None) -> list[Any] | None:
        """An XPath and a box; None for what is nowhere on a page."""
        page = self._pages.get(origin.page) if origin else None
        return _place(page, origin) if page and origin else None


def _place(page: Page, origin: Origin) -> list[Any]:
    """The XPath of an origin and its box, in whole pixels; a page without a layout has no boxes."""
    xpaths = XPaths()
    xpaths.add(page, [origin])
    box = origin.box
    return [xpaths(origin), [round(side) for side in box] if box and box[0] == box[0] else None]


def also_said(answer: ToolAnswer, **said: Any) -> ToolAnswer:
    """The answer with more of what a page says; what is empty is left out.

    >>> also_said({"page": "4352de3aaefe", "from_page": {"rows": [["Vega"]]}}, caption="Stars", notes=[])
    {'page': '4352de3aaefe', 'from_page': {'caption': 'Stars', 'rows': [['Vega']]}}
    """
    return without_empty(answer | {FROM_PAGE: without_empty(said | answer.get(FROM_PAGE, {}))})


def without_empty(answer: ToolAnswer) -> ToolAnswer:
    """The answer without entries that say nothing.

    >>> without_empty({"rows_in_all": 0, "next_offset": None, "notes": []})
    {'rows_in_all': 0}
    """
    empty: tuple[Any, ...] = (None, [], {}, "", ())
    return {
        name: value
        for name, value in answer.items()
        if not any(value is one or value == one for one in empty) and not (name.endswith("_left_out") and value == 0)
    }


# Texts of pages on their way to an agent: harmless, and no longer than they are worth.

# Control characters, and marks that change the direction of text. And characters that no person sees but every language
# model reads: tag characters and variation selectors spell out hidden instructions.
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e0fff]+"
)
_LONGEST_ERROR = 600  # characters; the longest of our own messages are half as long


def as_said(text: str, most: int) -> str:
    r"""A text as a person sees it, on one line; what is beyond `most` characters is cut, and how much is told.

    >>> as_said("EOS\n 5D\x1b[31m\U000e0041\U000e0042", 100)
    'EOS 5D�[31m�'
    >>> as_said("x" * 1200, 5)
    'xxxxx… [1,195 characters more]'
    """
    seen = " ".join(_UNSEEN.sub("\ufffd", text).split())
    return seen if len(seen) <= most else f"{seen[:most]}… [{len(seen) - most:,} characters more]"


def one_sentence(message: str) -> str:
    """An error for an agent: one line, in which whatever a page or a caller said is harmless."""
    return as_said(message, _LONGEST_ERROR)


# -- the arguments of every tool ------------------------------------------------------------------------------------

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


class AboutArguments(ToolArguments):
    """Arguments of `about`."""

    page: PageSource
    kind: Annotated[
        str | None, msgspec.Meta(description="The kind to read the page as, such as product; else the likeliest.")
    ] = None
    fields: Annotated[
        str | dict[str, Any] | None,
        msgspec.Meta(
            description="Fields to read instead, on any page: names such as `name, price: money, colours: texts`, "
            "or a JSON Schema. What was not found is null, with `proposals`."
        ),
    ] = None
    longest: Annotated[int, msgspec.Meta(ge=20, le=20_000, description="Characters of a value.")] = 400


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
