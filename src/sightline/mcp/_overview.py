"""A first look at a page: what is on it, in one line, and which of it is worth reading."""

from sightline.data import Content
from sightline.jobs import SurveyedResult, survey
from sightline.mcp._answers import ToolAnswer, also_said, without_empty
from sightline.mcp._desk import Desk, PageAtHand
from sightline.mcp._texts import as_said

__all__ = ["overview"]

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
