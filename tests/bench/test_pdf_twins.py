"""Tables of manuals against those of their HTML editions, and which areas of a PDF are known to be tables."""

from pathlib import Path

import pytest
from bench.pdf.areas import shared_with
from bench.pdf.growing import held_out
from bench.pdf.icdar import Cell, Found, Region
from bench.pdf.known import Edition, KnownRows, by_edition, edition_of, plain
from bench.pdf.twins import TwinDocument, TwinTable, score

from sightline.extract.structure._printed_line import rows_of
from sightline.extract.structure._table_measures import AREA_MEASURES
from sightline.extract.structure._table_rows import ROW_MEASURES

from ..extract.structure._made import lines

TEXTS = [["Port", "Ships"], ["Arle", "412"], ["Bex", "88"]]
CELLS = tuple(
    Cell(row, row, column, column, text) for row, line in enumerate(TEXTS) for column, text in enumerate(line)
)


def _found(texts: list[list[str]], page: int = 1, header: int | None = 1) -> Found:
    cells = tuple(Cell(row, row, x, x, text) for row, line in enumerate(texts) for x, text in enumerate(line))
    return Found(cells, frozenset({page}), (Region(page, 0, 0, 1, 1),), header)


def _document(*pages: int, doubtful: frozenset[str] = frozenset()) -> TwinDocument:
    table = TwinTable("manual", frozenset(pages), CELLS, 1, "grid", doubtful)
    return TwinDocument("manual", Path("manual.pdf"), "troff", frozenset({1}), (table,))


def test_the_same_table_is_right() -> None:
    """Blanks, quotes and hyphens do not count; whether its header rows are right is told."""
    ((one,), extra) = score(_document(1), [_found([["P-ort", "“Ships”"], ["Ar le", "412"], ["Bex", "88"]])])
    assert (one.is_found, one.f1, one.exact, one.header, extra) == (True, 1.0, True, True, 0)


def test_what_is_not_found_has_nothing_right() -> None:
    """A table of other words is one too many, on a sheet where all are known."""
    ((one,), extra) = score(_document(1), [_found([["x", "y"], ["z", "w"]])])
    assert (one.is_found, one.f1, one.header, extra) == (False, 0.0, None, 1)


def test_parts_on_several_sheets_are_joined() -> None:
    """With and without a head that is repeated."""
    ((one,), extra) = score(_document(1, 2), [_found(TEXTS[:2]), _found([TEXTS[0], TEXTS[2]], page=2)])
    assert (one.f1, one.exact, extra) == (1.0, True, 0)


def test_relations_of_doubtful_texts_are_not_asked_for() -> None:
    """A cell that the PDF may not have costs nothing."""
    texts = [["Port", "Ships"], ["Arle", "wrong"], ["Bex", "88"]]
    assert score(_document(1), [_found(texts)])[0][0].f1 < 1
    assert score(_document(1, doubtful=frozenset({"412"})), [_found(texts)])[0][0].f1 == pytest.approx(1)


def test_how_much_rows_and_a_table_share() -> None:
    """Of a table that stands in an area, a part of the area may leave something out, or hold something else."""
    rows = rows_of(lines([["a", "b"]] * 6, [0, 100]))
    known = KnownRows([frozenset(), *[frozenset({1})] * 4, None])
    assert shared_with(known, rows, 1, 5) == 1
    assert shared_with(known, rows, 0, 5) == pytest.approx(4 / 5)
    assert shared_with(known, rows, 1, 3) == pytest.approx(1 / 2)
    assert shared_with(known, rows, 0, 1) == 0
    assert shared_with(known, rows, 5, 6) is None
    assert shared_with(KnownRows(known.tables, is_complete=False), rows, 0, 1) is None


def test_rows_are_known_by_the_other_edition(tmp_path: Path) -> None:
    """They stand in a table of data there, or outside of all; what stands in both tells nothing."""
    (tmp_path / "manual.html").write_text(
        "<p>Running text of the manual</p><p>Arle twice</p><table><tr><th>Harbour<th>Number of ships"
        "<tr><td>Arle twice<td>412<tr><td>Bexhill<td>eighty-eight</table>"
        "<table class=menu><tr><td>Index<td>of all<tr><td>Harbour<td>pages</table>"
    )
    edition = edition_of(tmp_path)
    assert isinstance(edition, Edition)
    held = rows_of(
        lines([["Harbour", "Number of ships"], ["Running text", "of the manual"], ["Arle twice", ""]], [0, 100])
    )
    told = by_edition(edition)(0, None, held)  # type: ignore[arg-type]
    assert told.tables[1] == frozenset()
    assert told.tables[0] is not None and len(told.tables[0]) == 1
    assert told.tables[2] is None


@pytest.mark.parametrize(("name", "measures"), [("tables", AREA_MEASURES), ("rows", ROW_MEASURES)])
def test_trees_of_each_fold_are_kept(name: str, measures: dict[str, str]) -> None:
    """Each fold's trees ask for known measures, and the families of the sets are told into folds."""
    fold, forests = held_out(name)
    assert set(fold.values()) == set(range(len(forests)))
    assert all(set(forest.names) <= set(measures) for forest in forests)
    assert {"Texinfo / pdfTeX", "eu-001"} <= set(fold)


def test_texts_are_compared_without_leaders() -> None:
    """Dots that lead to a number are no text."""
    assert plain("Births . . . . . 210") == plain("Births_____210") == "Births210"
