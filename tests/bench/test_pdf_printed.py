"""Tables that are printed to be read again: what is drawn, how it is printed, and how it is scored."""

import json
from pathlib import Path
from typing import Any

import pytest
from bench.pdf import printed, setters, sheets
from bench.pdf.icdar import Cell, Found
from bench.pdf.printed import BARE, Printed, corpus_of, print_sheets, result, scores, spaced
from bench.pdf.sheets import LEVEL_STYLES, REAL_STYLES, Sheet, bare_sheets, level_sheets, markup, real_sheets

GRID = [["Name", "Count"], ["North Sea", "1"], ["South", "22"], ["East", "3"]]


def _cells(grid: list[list[str]]) -> tuple[Cell, ...]:
    return tuple(Cell(y, y, x, x, text) for y, row in enumerate(grid) for x, text in enumerate(row))


def _truth(path: Path, *grids: list[list[str]]) -> Path:
    lines = (json.dumps({"id": "1", "tables": [{"rows": grid}]}) for grid in grids)
    path.write_text("\n".join(lines), "utf-8")
    return path


class _Placed(Printed):
    """A document whose sheets stand on one page each, without a file."""

    @property
    def pages(self) -> tuple[frozenset[int], ...]:  # type: ignore[override]
        return tuple(frozenset({number}) for number in range(1, len(self.sheets) + 1))


def _document(style: str = "grid", count: int = 2, **changes: Any) -> Printed:
    sheet = Sheet(**{"kind": "real", "body": "", "cells": _cells(GRID)} | changes)
    return _Placed(style, Path("none.pdf"), (sheet,) * count)


# ---------------------------------------------------------------------- what is drawn


@pytest.mark.parametrize(
    ("grid", "is_taken"),
    [
        (GRID, True),
        (GRID[:3], False),  # too few rows
        ([["Name", "Meaning"], ["a", "one"], ["b", "two"], ["c", "three"]], False),  # a list of terms
        ([*GRID, ["West", "4", "5"]], False),  # ragged
        ([*GRID, ["Altogether", "Altogether"]], False),  # it spanned
        ([*GRID, ["", ""]], False),  # a row that is not seen
        ([[*row, ""] for row in GRID], False),  # a column that is not seen
        ([*GRID, ["西", "4"]], False),  # there may be no font for it
        ([*GRID, ["x" * 80, "4"]], False),  # wider than the sheet
        ([*GRID, ["one two " * 9, "4"]], True),  # it wraps
    ],
)
def test_tables_are_drawn_that_can_be_read(
    grid: list[list[str]], is_taken: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of middling size, filled, and with nothing that paper does not show."""
    monkeypatch.setattr(sheets, "SEEN", 0)
    found = real_sheets(_truth(tmp_path / "truth.jsonl", grid))
    assert [sheet.cells for sheet in found] == ([_cells(grid)] if is_taken else [])


def test_tables_that_were_looked_at_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They and those that are equal to them, wherever they stand."""
    grids = [[*GRID, ["West", str(number // 2)]] for number in range(8)]
    path = _truth(tmp_path / "truth.jsonl", *grids)
    monkeypatch.setattr(sheets, "SEEN", 1)
    assert len(real_sheets(path)) == 6
    monkeypatch.setattr(sheets, "SEEN", 8)
    assert real_sheets(path) == []


def test_made_tables_are_the_same_in_all_styles() -> None:
    """Of the dots behind labels the truth knows nothing; a heading spans the columns below it."""
    made = [level_sheets(style) for style in LEVEL_STYLES]
    assert all([sheet.cells for sheet in own] == [sheet.cells for sheet in made[0]] for own in made)
    dotted = [style for style, own in zip(LEVEL_STYLES, made, strict=True) if "....." in own[0].body]
    assert dotted == [sheets.LEADERS]
    for sheet in made[0]:
        places = [(y, x) for cell in sheet.cells for y in {cell.top} for x in range(cell.left, cell.right + 1)]
        assert len(places) == len(set(places))
        heads = [cell for cell in sheet.cells if cell.top == 0]
        assert all(cell.right > cell.left for cell in heads)
        assert max(cell.right for cell in heads) == max(cell.right for cell in sheet.cells)


def test_sheets_without_tables_are_twenty() -> None:
    """Nothing on them is marked up as a table."""
    found = bare_sheets()
    assert len(found) == 20
    assert not any(sheet.cells or "<table" in sheet.body for sheet in found)
    assert "<table" not in markup(BARE, found)


# ---------------------------------------------------------------------- scores


def test_false_tables_on_a_sheet_count_against_its_table() -> None:
    """One sheet is right, the other has a second table, and loses precision."""
    tables = [Found(_cells(GRID), frozenset({page})) for page in (1, 2, 2)]
    one, other = (score.structure for score in scores(_document(), tables))
    assert one.f1 == 1
    assert (other.precision, other.recall) == (1 / 2, 1)
    own = result([_document()], [tables])
    assert own.styles == {"grid": pytest.approx((1 + 2 / 3) / 2)}
    assert own.right == {"grid": 1}
    assert own.f1 == own.styles["grid"]


def test_styles_count_the_same() -> None:
    """However many tables they have, and sheets without tables are no style."""
    whole = [Found(_cells(GRID), frozenset({page})) for page in (1, 2, 3)]
    own = result([_document("a", 3), _document("b", 1), _document(BARE, kind="list", cells=())], [whole, [], whole[:1]])
    assert own.f1 == pytest.approx(1 / 2)
    assert own.false == {"list": 1}
    assert set(own.styles) == {"a", "b"}


def test_leading_dots_are_no_text() -> None:
    """Whether they are handed out or not; a column of their own is wrong, and a cell may say nothing else."""
    dotted = [[f"{first} ...... ", second] for first, second in GRID]
    apart = [[first, "........", second] for first, second in GRID]
    found = [Found(_cells(dotted), frozenset({1})), Found(_cells(apart), frozenset({2}))]
    one, other = (score.structure.f1 for score in scores(_document(), found))
    assert one == 1
    assert other < 1
    cells = _cells([*GRID, ["...", "......"]])
    (last,) = (score.structure for score in scores(_document(count=1, cells=cells), [Found(cells, frozenset({1}))]))
    assert last.f1 == 1
    assert last.true == 13


def test_blanks_are_counted_by_themselves() -> None:
    """Relations do not see that words run together; cells that are not found do not count."""
    joined = [[text.replace(" ", "") for text in row] for row in GRID] + [["Else", ""]]
    found = [Found(_cells(joined), frozenset({1}))]
    count = spaced(_document(count=1), found)
    assert (count.right, count.found) == (7, 8)
    assert result([_document(count=1)], [found]).spaced == 7 / 8


# ---------------------------------------------------------------------- print


def test_sheets_are_printed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the browser; every sheet is found again by its title, though it goes on over pages."""
    monkeypatch.setattr(printed, "PRINTED", tmp_path / "printed")
    monkeypatch.setattr(printed, "REAL_STYLES", {"grid": REAL_STYLES["grid"]})
    monkeypatch.setattr(printed, "LEVEL_STYLES", {})
    monkeypatch.setattr(sheets, "SEEN", 0)
    truth = _truth(tmp_path / "truth.jsonl", GRID)
    long = Sheet("prose", "<p>Much to read.</p>" * 90)
    monkeypatch.setattr(printed, "bare_sheets", lambda: [long, Sheet("prose", "<p>Little.</p>")])
    documents = print_sheets(truth, None)
    assert [document.style for document in documents] == ["grid", BARE]
    assert documents[0].pages == (frozenset({1}),)
    first, second = documents[1].pages
    assert len(first) > 1
    assert second == {max(first) + 1}
    assert len(corpus_of(documents).files) == 2
    assert not any(map(printed._is_tagged, (document.path for document in documents)))
    monkeypatch.setattr(setters, "find_browser", lambda: None)
    assert print_sheets(truth, None) == documents
    with pytest.raises(SystemExit, match="there is none"):
        print_sheets(truth, 1)


def test_a_browser_that_prints_nothing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what it said; nothing is kept."""
    monkeypatch.setattr(printed, "PRINTED", tmp_path)
    monkeypatch.setattr(sheets, "SEEN", 0)
    monkeypatch.setattr(setters, "find_browser", lambda: Path("/bin/false"))
    with pytest.raises(SystemExit, match="printed nothing"):
        print_sheets(_truth(tmp_path / "truth.jsonl", GRID), None)
    assert not list(tmp_path.glob("*.pdf"))


def test_tags_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser that tags what it prints gives the answer away."""
    monkeypatch.setattr(printed, "PRINTED", tmp_path)
    monkeypatch.setattr(sheets, "SEEN", 0)
    monkeypatch.setattr(setters, "UNTAGGED", "--no-such-flag")
    with pytest.raises(SystemExit, match="does not know"):
        print_sheets(_truth(tmp_path / "truth.jsonl", GRID), 1)
    assert not list(tmp_path.glob("*.pdf"))


def test_a_set_without_tables_is_refused(tmp_path: Path) -> None:
    """The reason is told."""
    with pytest.raises(SystemExit, match="no tables that can be printed"):
        print_sheets(_truth(tmp_path / "truth.jsonl", GRID[:2]), None)
