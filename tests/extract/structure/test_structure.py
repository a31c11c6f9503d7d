"""The steps of the structure of a PDF, each of which can be drawn on its sheet."""

from sightline.extract.structure import trace_structure

from ...sources.pdf._bare import bare
from ...sources.pdf._write import pdf, put, rows


def test_every_step_says_where_on_the_sheet_it_is() -> None:
    """A table without lines: its area, its borders and its parts have boxes."""
    grid = [["Camera", "Price"], ["Tern", "1,200"], ["Heron", "900"], ["Egret", "450"]]
    page = bare(pdf(put("Prices of this year", 72, 760), rows(grid, [72, 300], 700)))
    steps = {step.name: step for step in trace_structure(page).steps()}
    assert list(steps) == ["edges", "pieces", "areas", "rows and columns", "tables", "parts"]
    table = steps["tables"].rows[0]
    assert (table["rows"], table["columns"], table["box"]) == (4, 2, steps["tables"].boxes[0])
    x0, y0, x1, y1 = steps["areas"].boxes[0]
    borders = steps["rows and columns"].boxes
    assert sum(left == right for left, _, right, _ in borders) == 3  # of two columns, with both ends
    assert all(x0 <= left <= right <= x1 and y0 <= top <= bottom <= y1 for left, top, right, bottom in borders)
    assert len(steps["parts"].boxes) == len(steps["parts"].rows)
