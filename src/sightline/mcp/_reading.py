"""The tools that read pages: open, tables, lists, top, content, next."""

from dataclasses import replace

from sightline import next_page
from sightline.data import Content, Extraction, Result
from sightline.jobs import SurveyedResult, survey
from sightline.mcp._answers import (
    FROM_PAGE,
    AnswerWindow,
    Places,
    ToolAnswer,
    also_said,
    as_said,
    rows_answer,
    without_empty,
)
from sightline.mcp._arguments import (
    ContentArguments,
    ListsArguments,
    NextArguments,
    OpenArguments,
    TablesArguments,
    TopArguments,
)
from sightline.mcp._desk import Desk, PageAtHand, ToolCall
from sightline.page import Page

__all__ = ["find_lists", "find_next", "find_tables", "find_top", "open_page", "read_content"]

LONGEST_CAPTION = 200
LONGEST_ADDRESS = 2_000
MOST_ADDRESSES = 10
NOUNS = {"tables": "table", "lists": "list", "top": "list of a title's promise"}


def open_page(desk: Desk, given: OpenArguments, call: ToolCall) -> ToolAnswer:
    """A first look at a page."""
    opened = desk.open(given.source, call, static=given.static)
    call.at("Looking for tables, lists and text")
    return overview(desk, opened)


def find_tables(desk: Desk, given: TablesArguments, call: ToolCall) -> ToolAnswer:
    """Some rows of a table."""
    return _numbered("tables", desk, given, call)


def find_lists(desk: Desk, given: ListsArguments, call: ToolCall) -> ToolAnswer:
    """Some rows of a list."""
    return _numbered("lists", desk, given, call)


def _numbered(tool: str, desk: Desk, given: TablesArguments, call: ToolCall) -> ToolAnswer:
    opened = desk.open(given.page, call)
    found = desk.find(tool, opened.id, **({"containing": given.containing} if given.containing else {}))
    chosen = found.results[given.number - 1] if given.number <= len(found) else None
    answer = {"page": opened.id, f"{tool}_in_all": len(found)}
    if chosen is None:
        return answer | {"note": _nothing(tool, len(found), given.containing)}
    window = AnswerWindow(given.offset, given.limit, given.longest)
    return answer | {"number": given.number} | _captioned(chosen, window, opened.page if given.origins else None)


def _nothing(tool: str, count: int, containing: str | None) -> str:
    noun = NOUNS[tool]
    if count:
        return f"There is no {noun} of that number; give a number from 1 to {count}."
    which = " with that text" if containing else ""
    other = "lists" if tool == "tables" else "content"
    return f"The page has no {noun}{which}; try {other}, or open it without static if it was opened so."


def find_top(desk: Desk, given: TopArguments, call: ToolCall) -> ToolAnswer:
    """The items that the title of a page promises."""
    opened = desk.open(given.page, call)
    found = desk.find("top", opened.id, **({"k": given.k} if given.k else {}))
    if not found.results:
        return {"page": opened.id, "note": "The title promises no list that is on the page; try lists, or say k."}
    window = AnswerWindow(given.offset, given.limit, given.longest)
    return {"page": opened.id} | _captioned(found.results[0], window, opened.page if given.origins else None)


def _captioned(result: Result, window: AnswerWindow, page: Page | None) -> ToolAnswer:
    """Some rows with the caption over them."""
    caption = getattr(result, "caption", None) or ""
    answer = rows_answer(result, window, Places([page]) if page else None)
    return also_said(answer, caption=as_said(caption, LONGEST_CAPTION))


def read_content(desk: Desk, given: ContentArguments, call: ToolCall) -> ToolAnswer:
    """Some of the main text of a page, as Markdown."""
    opened = desk.open(given.page, call)
    found = desk.find("content", opened.id)
    (text,) = found.results
    assert isinstance(text, Content)
    parts = _some_parts(text, given)
    following = given.offset + len(parts)
    facts = {name: as_said(said, LONGEST_CAPTION) for name, said in text.facts().items() if said and not given.offset}
    return _doubts(found) | without_empty(
        {
            "page": opened.id,
            "parts_in_all": len(text),
            "next_offset": following if following < len(text) else None,
            FROM_PAGE: without_empty(
                {**facts, "markdown": _markdown(text, given.offset, len(parts), given.characters)}
            ),
            "origins": _part_places(opened, text, given) if given.origins else None,
        }
    )


def _some_parts(text: Content, given: ContentArguments) -> list[str]:
    """As many parts as there is room for, the first one always."""
    room, parts = given.characters, list[str]()
    for part in text.parts[given.offset :]:
        room -= len(part.text)
        if parts and room < 0:
            break
        parts.append(part.text)
    return parts


def _markdown(text: Content, offset: int, count: int, most: int) -> str:
    """Line by line, since lines are what Markdown is made of."""
    lines = replace(text, parts=text.parts[offset : offset + count]).to_markdown().splitlines()
    blanks = [len(line) - len(line.lstrip(" ")) for line in lines]
    said = [" " * blank + as_said(line, most) for blank, line in zip(blanks, lines, strict=True)]
    return "\n".join(said)


def _part_places(opened: PageAtHand, text: Content, given: ContentArguments) -> list[object]:
    places = Places([opened.page])
    count = len(_some_parts(text, given))
    return [places.of(part.value.origin) for part in text.parts[given.offset : given.offset + count]]


def _doubts(found: Extraction) -> ToolAnswer:
    """The verdict and its reasons, if it is not ok."""
    return {} if found.verdict == "ok" else {"verdict": found.verdict, "reasons": list(found.reasons)}


def find_next(desk: Desk, given: NextArguments, call: ToolCall) -> ToolAnswer:
    """Where a page of a list leads."""
    opened = desk.open(given.page, call)
    found = next_page(opened.page)
    addresses = [as_said(address, LONGEST_ADDRESS) for address in found.pages[:MOST_ADDRESSES]]
    return without_empty(
        {
            "page": opened.id,
            "way": found.way,
            "pages_in_all": found.total,
            "records_in_all": found.records,
            "note": "" if found.way else "No next page was found; this may be the last one, or the only one.",
            "addresses_left_out": len(found.pages) - len(addresses),
            FROM_PAGE: without_empty(
                {
                    "next": as_said(found.next, LONGEST_ADDRESS) if found.next else None,
                    "pages": addresses,
                    "evidence": [as_said(reason, LONGEST_CAPTION) for reason in found.evidence],
                }
            ),
        }
    )


# A first look at a page: what is on it, in one line, and which of it is worth reading.

MOST_CANDIDATES = 8  # a page has seldom more that matter; the tools themselves number all of them
MOST_NAMES = 8  # columns of a candidate
LONGEST_NAME = 40
LONGEST_TITLE = 200


def overview(desk: Desk, opened: PageAtHand) -> ToolAnswer:
    """What is on a page: a summary, and candidates to read, each with the tool and the number that read it."""
    page = opened.page
    found = survey(page, lambda name: desk.find(name, opened.id))
    candidates = [_candidate(one) for one in found if _is_candidate(one)]
    answer = {
        "page": opened.id,
        "summary": found.summary,
        "kind": page.kind,
        "candidates_left_out": max(0, len(candidates) - MOST_CANDIDATES),
    }
    return also_said(
        answer,
        title=as_said(page.title, LONGEST_TITLE),
        address=as_said(page.url, LONGEST_TITLE),
        notes=[as_said(note, LONGEST_TITLE) for note in page.notes],  # they may name what the page tried to load
        candidates=candidates[:MOST_CANDIDATES],
    )


def _is_candidate(one: SurveyedResult) -> bool:
    """Whether it is worth reading: no menu, and no second reading of a region unless as running text."""
    return not one.is_navigation and (one.reading_of is None or one.kind == "content")


def _candidate(one: SurveyedResult) -> ToolAnswer:
    tool, number = one.extractor
    if isinstance(one.result, Content):
        return {"tool": tool, "words": len(one.result.text.split())}
    columns, caption = one.result.columns, one.result.caption
    return without_empty(
        {
            "tool": tool,
            "number": number if tool != "top" else None,  # a page has one
            "rows": len(columns[0].cells) if columns else 0,
            "caption": as_said(caption, 2 * LONGEST_NAME) if caption else None,
            "columns": [as_said(column.name, LONGEST_NAME) for column in columns[:MOST_NAMES]],
        }
    )
