"""The written page: spans, links, raised letters, blanks, pictures."""

from sightline.extract.structure import trace_structure
from sightline.extract.structure._paragraphs import BlockKind
from sightline.extract.structure._printed_line import FoundTable, PrintedCell
from sightline.extract.structure._sheet_parts import SheetPart
from sightline.extract.structure._written_page import written_page
from sightline.page import Page

from ...sources.pdf._bare import bare
from ...sources.pdf._write import pdf, put, rows
from ._sheets import grid, opened, outline, prose, spans


def _written(*parts: BlockKind, level: int = 0) -> Page:
    """A page with the same line for each part."""
    layout = trace_structure(bare(pdf(put("Tern camera", 72, 700)))).layout
    (line,) = layout.sheets[0].lines
    return written_page(layout, [[SheetPart(kind, (line,), level=level) for kind in parts]])


def test_each_kind_has_its_element() -> None:
    """Every kind of block is written, each as the element that the documentation names."""
    expected = {
        BlockKind.PLAIN: "p", BlockKind.HEADING: "h2", BlockKind.CAPTION: "figcaption", BlockKind.NOTE: "aside",
        BlockKind.FORMULA: "div", BlockKind.REFERENCE: "div", BlockKind.FIGURE: "figure", BlockKind.ITEM: "ul",
        BlockKind.HEADER: "header", BlockKind.FOOTER: "footer",
    }  # fmt: skip
    assert set(expected) | {BlockKind.TABLE} == set(BlockKind)
    for kind, tag in expected.items():
        assert outline(_written(kind, level=2)) == [(tag, "Tern camera")]


def test_items_that_follow_each_other_are_one_list() -> None:
    """Items are put into one list until something else comes."""
    page = _written(BlockKind.ITEM, BlockKind.ITEM, BlockKind.PLAIN, BlockKind.ITEM)
    assert [tag for tag, _ in outline(page)] == ["ul", "p", "ul"]
    assert len(page.with_tag("li")) == 3


def test_cells_spans_and_empty_places() -> None:
    """Cells have their spans; a place that no cell covers is an empty cell with a box."""
    layout = trace_structure(bare(pdf(rows([["a", "b", "c", "d"]], [72, 172, 272, 372], 700)))).layout
    cells = (PrintedCell(0, 0, 2, 1, (0,)), PrintedCell(0, 1, 1, 2, (1,)), PrintedCell(1, 1, 1, 1, (2,)))
    table = FoundTable((90, 100, 500, 140), 2, 3, cells, (90.0, 230.0, 360.0), "lattice")
    page = written_page(layout, [[SheetPart(BlockKind.TABLE, (), table)]])
    assert spans(page) == {"a": {"rowspan": "2"}, "b": {"colspan": "2"}}
    assert grid(page) == [["a", "b"], ["c", ""]]
    (blank,) = [number for number in page.with_tag("td").tolist() if not page.text_of(number)]
    assert page.box[blank, [0, 2]].tolist() == [360, 500]


def test_raised_letters_are_marked() -> None:
    """A small raised letter is `sup`, in the element of its text."""
    raised = put("The tube", 72, 600, size=10) + put("2", 112, 604, size=6) + put("is long.", 118, 600, size=10)
    page = opened(prose() + raised)
    assert [page.text_of(number) for number in page.with_tag("sup").tolist()] == ["²"]


def test_bookmarks_stay_on_their_sheet() -> None:
    """The section of a sheet keeps the bookmarks that lead to it."""
    outlines = [
        b"<</Type/Outlines/First 9 0 R/Last 9 0 R/Count 1>>",
        b"<</Title(Optics)/Parent 8 0 R/Dest[6 0 R/Fit]>>",
    ]
    content = pdf(prose(), prose(), catalog=b"/Outlines 8 0 R", more=outlines)
    page = opened(content=content)
    sections = [page.node(number).attributes for number in page.with_tag("section").tolist()]
    assert [one.get("data-bookmarks") for one in sections] == [None, "1 Optics"]
