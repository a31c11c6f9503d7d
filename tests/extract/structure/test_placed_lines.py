"""The columns and bands that lines stand in."""

from sightline.extract.structure._layout import Edges
from sightline.extract.structure._placed_lines import PlacedLines, grid_of, place_lines
from sightline.extract.structure._printed_line import LineRow, rows_of

from ._made import edges, grid_edges, line, rows

NO_EDGES = edges()
BOX = (0.0, 0.0, 200.0, 100.0)


def _placed(held: list[LineRow], drawn: Edges = NO_EDGES) -> PlacedLines:
    return place_lines(grid_of(BOX, held, drawn), held, drawn)


def _spans(placed: PlacedLines) -> dict[str, tuple[int, int]]:
    return {one.text: span for one, span in placed.spans.items()}


def test_lines_stand_in_their_columns() -> None:
    """Each piece is in the column that white leaves for it."""
    placed = _placed(rows([["a", "b", "c"], ["d", "e", "f"]], [0, 80, 160]))
    assert _spans(placed) == {"a": (0, 0), "b": (1, 1), "c": (2, 2), "d": (0, 0), "e": (1, 1), "f": (2, 2)}
    assert placed.extents == [(0, 5), (80, 85), (160, 165)]


def test_text_across_white_spans_columns() -> None:
    """A text that covers two columns stands in both."""
    placed = _placed(rows([["a", "b", "c"], ["d", "e", "f"], ["g", "x" * 18, ""]], [0, 80, 160]))
    assert _spans(placed)["x" * 18] == (1, 2)


def test_text_never_crosses_a_drawn_line() -> None:
    """A text that juts out over a drawn border belongs where most of it is."""
    drawn = grid_edges([0, 100, 200], [0, 50, 100])
    held = rows_of([line("x" * 20, 20, 10), line("b", 150, 10), line("c", 20, 60), line("d", 150, 60)])
    assert _spans(_placed(held, drawn))["x" * 20] == (0, 0)


def test_neighbours_have_columns_of_their_own() -> None:
    """A long text gives way to the piece right beside it."""
    held = rows([["a", "b", "c"], ["d", "e", "f"]], [0, 80, 160])
    held += rows_of([line("x" * 17, 0, 60), line("y", 90, 60)])
    placed = _placed(held)
    assert _spans(placed)["x" * 17][1] < _spans(placed)["y"][0]


def test_bands_are_between_drawn_lines() -> None:
    """A line belongs to the band that its middle is in."""
    drawn = grid_edges([0, 100, 200], [0, 50, 100])
    placed = _placed(rows([["a", "b"], ["c", "d"], ["e", "f"]], [10, 110], top=5, step=30), drawn)
    assert {one.text: band for one, band in placed.bands.items()} == {"a": 0, "b": 0, "c": 0, "d": 0, "e": 1, "f": 1}


def test_heading_over_numbers_is_spread() -> None:
    """A heading over the middle of two columns of numbers spans them, unless upright lines say otherwise."""
    texts = [["name", "Aperture", "Weight"], ["Osric", "30", "31"], ["Tern", "22", "72"]]
    held = rows_of([line("Optics", 110, 0), *(one for row in rows(texts, [0, 80, 140], top=20) for one in row.lines)])
    assert _spans(_placed(held))["Optics"] == (1, 2)
    drawn = grid_edges([0, 60, 130, 200], [-5, 15, 35, 55, 75])
    assert _spans(_placed(held, drawn))["Optics"] == (1, 1)
