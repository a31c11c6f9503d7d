"""Headings over several columns."""

from sightline.extract.structure._layout import Edges
from sightline.extract.structure._placed_lines import spread_headings
from sightline.extract.structure._printed_line import LineRow, Spans, rows_of

from ._made import edges, line

COLUMNS = [(0.0, 40.0), (100.0, 120.0), (160.0, 180.0), (220.0, 240.0), (280.0, 300.0)]
NO_EDGES = edges()


def _table(*heads: tuple[str, float, int]) -> tuple[list[LineRow], Spans]:
    """A row of headings (text, middle, column), a row of names and a row of numbers, and where each piece stands."""
    top = [(line(text, middle - 2.5 * len(text), 0), column) for text, middle, column in heads]
    below = [(line("name", x0, y), column) for y in (20, 40) for column, (x0, _) in enumerate(COLUMNS)]
    placed = [*top, *below]
    return rows_of([one for one, _ in placed]), {one: (column, column) for one, column in placed}


def _spread(*heads: tuple[str, float, int], drawn: Edges = NO_EDGES) -> list[tuple[int, int]]:
    rows, spans = _table(*heads)
    found = spread_headings(rows, 2, spans, COLUMNS, drawn)
    return [found[one] for one in rows[0].lines]


def test_heading_spans_the_columns_below_its_line() -> None:
    """A line drawn right below a heading says what it stands over."""
    assert _spread(("Optics", 110, 1), ("Sky", 290, 4), drawn=edges([(14, 95, 185)]))[0] == (1, 2)


def test_line_below_two_headings_says_nothing() -> None:
    """A line that runs below several headings parts headings from rows, and spreads none."""
    spans = _spread(("Optics", 110, 1), ("Mount", 170, 2), ("Sky", 290, 4), drawn=edges([(14, 0, 300)]))
    assert spans == [(1, 1), (2, 2), (4, 4)]


def test_headings_share_out_all_columns() -> None:
    """Two headings, each over the middle of two columns, span these."""
    assert _spread(("Optics", 140, 1), ("Mount", 260, 3)) == [(1, 2), (3, 4)]


def test_heading_off_the_middle_is_not_spread() -> None:
    """A heading more than 1.6 sizes off the middle of any stretch stays over its column."""
    assert _spread(("Optics", 110, 1), ("Mount", 290, 4)) == [(1, 1), (4, 4)]


def test_full_row_of_headings_is_not_spread() -> None:
    """With a heading for each column, none spans two."""
    heads = [(f"h{n}", (x0 + x1) / 2, n) for n, (x0, x1) in enumerate(COLUMNS)]
    assert _spread(*heads) == [(n, n) for n in range(5)]


def test_label_of_the_first_column_stays() -> None:
    """What stands over the labels of rows spans nothing else."""
    assert _spread(("Tube", 20, 0), ("Optics", 140, 1), ("Mount", 260, 3)) == [(0, 0), (1, 2), (3, 4)]


def test_nothing_is_spread_without_rows_of_numbers() -> None:
    """Without a row of numbers below, no row is a heading."""
    rows, spans = _table(("Optics", 140, 1), ("Mount", 260, 3))
    assert spread_headings(rows, 0, spans, COLUMNS, NO_EDGES) == spans
