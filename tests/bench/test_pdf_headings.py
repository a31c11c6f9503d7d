"""The headings of tables against labels by eye: which texts count, and what is right."""

from pathlib import Path

import pytest
from bench.pdf.headings import headings_of, labels, right_headings, share_right
from bench.pdf.icdar import Cell, Document, Found

GRID = [["", "Sales", "Sales"], ["Shop", "2005", "2006"], ["North", "1", "2"], ["South", "3", "4"]]


def _found(grid: list[list[str]], header_rows: int | None = None, page: int = 1) -> Found:
    cells = (Cell(y, y, x, x, text) for y, row in enumerate(grid) for x, text in enumerate(row))
    return Found(tuple(cells), frozenset({page}), (), header_rows)


@pytest.mark.parametrize(
    ("grid", "header_rows", "is_right"),
    [
        (GRID, 2, True),
        (GRID, 1, False),
        (GRID, None, False),
        ([GRID[0], ["", "", ""], *GRID[1:]], 3, True),  # an empty row makes no difference
        (GRID[1:], 1, False),  # a heading is missing
    ],
)
def test_headings_are_compared_by_their_texts(grid: list[list[str]], header_rows: int | None, is_right: bool) -> None:
    """The rows that hold the same texts as the true headings are right, however many they are."""
    (one,) = right_headings("x", [_found(GRID)], [2], [_found(grid, header_rows)])
    assert (one.name, one.true, one.found, one.right) == ("x, table 1", 2, header_rows, is_right)


def test_a_table_that_was_not_found_is_wrong() -> None:
    """Nothing on its page is no merit, and every found table counts for one true table only."""
    told = right_headings("x", [_found(GRID), _found(GRID)], [2, 2], [_found(GRID, 2), _found(GRID, 2, page=2)])
    assert [(one.found, one.right) for one in told] == [(2, True), (None, False)]
    assert share_right(told) == 0.5
    assert share_right([]) == 0


def test_only_labelled_documents_count(tmp_path: Path) -> None:
    """One without labels has no headings to compare; of two truths the one that fits best tells."""
    for name in ("eu-009a", "eu-009b", "other"):
        (tmp_path / f"{name}-str.xml").write_text("<document/>", "utf-8")
    assert headings_of(Document(tmp_path / "other.pdf", ((_found(GRID),),), ()), [_found(GRID, 2)]) == []
    truths = ((_found([["Title", "", ""], *GRID]),), (_found(GRID),))
    (one,) = headings_of(Document(tmp_path / "eu-009a.pdf", truths, ()), [_found(GRID, 2)])
    assert (one.true, one.right) == (2, True)


def test_every_document_of_the_set_is_labelled() -> None:
    """Twenty-seven documents, one of them with two truths, and seventy-six tables."""
    assert len(labels()) == 28
    assert sum(map(len, labels().values())) == 77
