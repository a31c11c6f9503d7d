"""Pages that broke us, cut down to what was hard about them: each is read as it should be from now on.

A folder of `tests/pages` has the source (`page.html`, `page.pdf`, or several `page-N.html` of one site), `why.md` with
one line on what went wrong, and `expected.json`:

- `extract`: what is asked of it (a key of `EXTRACTORS`), with `options` for settings and arguments;
- `rendered`: whether a browser shows it; the HTML alone is read otherwise;
- `result`: what is found;
- `needs`: rules that this takes: with any of them left out the result is another.
"""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import sightline as sl
from sightline.extract.lists import ListSettings, TopSettings
from sightline.extract.schemas import InduceSettings
from sightline.extract.structure import StructureSettings, structured
from sightline.extract.tables import TableSettings
from sightline.page import Page
from sightline.sources import Loader

from .sources.browser._site import shared_loader

PAGES = Path(__file__).parent / "pages"
CASES = sorted(folder.name for folder in PAGES.iterdir() if folder.is_dir())


def _tables(pages: list[Page], without: tuple[str, ...], **options: Any) -> Any:
    found = sl.tables(pages[0], settings=TableSettings(without=without, **options))
    return [{"head": table.header_rows, "rows": [list(row) for row in table.rows]} for table in found]


def _totals(pages: list[Page], without: tuple[str, ...]) -> Any:
    """The rows that are totals, by their first cells."""
    (table,) = sl.tables(pages[0], settings=TableSettings(without=without))
    return [table.rows[row][0] for row in table.totals]


def _lists(pages: list[Page], without: tuple[str, ...], **options: Any) -> Any:
    settings = ListSettings(without=without, navigation=False, **options)
    return [[" ".join(item.text.text.split()) for item in one] for one in sl.lists(pages[0], settings=settings)]


def _top(pages: list[Page], without: tuple[str, ...], **options: Any) -> Any:
    found = sl.top_list(pages[0], settings=TopSettings(without=without), **options)
    return found and [item.title.text for item in found]


def _content(pages: list[Page], _without: tuple[str, ...], **options: Any) -> Any:
    return sl.content(pages[0], **options).text.splitlines()


def _induce(pages: list[Page], without: tuple[str, ...], **options: Any) -> Any:
    wrapper = sl.induce(pages, settings=InduceSettings(without=without, **options))
    return [wrapper.extract(page).to_dicts() for page in pages]


def _teach(pages: list[Page], _without: tuple[str, ...], **wanted: Any) -> Any:
    lesson = sl.teach(pages[0])
    for name, text in wanted.items():
        lesson.want(name, text)
    return [lesson.wrapper.extract(page).to_dicts() for page in pages]


def _text(pages: list[Page], _without: tuple[str, ...]) -> Any:
    return " ".join(pages[0].text_of(0).split())


def _sheet(pages: list[Page], without: tuple[str, ...]) -> Any:
    page = structured(pages[0], settings=StructureSettings(without=without))
    return [[list(row) for row in table.rows] for table in sl.tables(page)]


EXTRACTORS: dict[str, Callable[..., Any]] = {
    "tables": _tables,
    "totals": _totals,
    "lists": _lists,
    "top": _top,
    "content": _content,
    "induce": _induce,
    "teach": _teach,
    "text": _text,
    "sheet": _sheet,
}


@cache
def _expected(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((PAGES / name / "expected.json").read_text("utf-8"))
    return found


@cache
def _opened(name: str) -> list[Page]:
    """The pages of a case; PDFs come as their bare lines, since their structure is what is asked for."""
    sources = sorted(path for path in (PAGES / name).iterdir() if path.stem.startswith("page"))
    loader = shared_loader() if _expected(name).get("rendered") else Loader(static=True)
    return [loader.load(path) for path in sources]


def _result(name: str, without: tuple[str, ...] = ()) -> Any:
    expected = _expected(name)
    found = EXTRACTORS[expected["extract"]](_opened(name), without, **expected.get("options", {}))
    return json.loads(json.dumps(found))


def _case(name: str) -> Any:
    """A case; one that is read wrongly again is known to be, by its `misses`, until it is read rightly."""
    misses = _expected(name).get("misses")
    return pytest.param(name, marks=pytest.mark.xfail(reason=misses, strict=True)) if misses else name


@pytest.mark.parametrize("name", [_case(name) for name in CASES])
def test_page_that_broke_us_is_read(name: str) -> None:
    """What is found is what a person would say stands there."""
    assert _result(name) == _expected(name)["result"]


@pytest.mark.parametrize(
    ("name", "rule"), [(name, rule) for name in CASES for rule in _expected(name).get("needs", ())]
)
def test_page_that_broke_us_needs_its_rule(name: str, rule: str) -> None:
    """Without the rule that was made for such pages the result is another."""
    assert _result(name, (rule,)) != _expected(name)["result"]


@pytest.mark.parametrize("name", CASES)
def test_page_that_broke_us_says_why(name: str) -> None:
    """Each case is small, and has one line on what was hard about it."""
    (line,) = (PAGES / name / "why.md").read_text("utf-8").splitlines()
    assert len(line) > 30
    assert all(path.stat().st_size < 8_000 for path in (PAGES / name).iterdir())
