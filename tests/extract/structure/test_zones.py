"""Areas between lines of one width."""

from sightline.extract.structure._layout import Edges
from sightline.extract.structure._tables import parts_of_zone, rows_of_zone, zones_of

from ._made import edges, line, lines, texts

TEXTS = [["Tube", "cm", "kg"], ["Osric", "30", "31"], ["Tern", "22", "72"]]
XS = [5.0, 105.0, 205.0]
LINES = lines(TEXTS, XS, top=5)


def _across(*ys: float, right: float = 300) -> Edges:
    return edges([(y, 0, right) for y in ys])


def test_rows_between_two_lines_are_a_zone() -> None:
    """A line above and a line below rows of several pieces bound a zone."""
    assert zones_of(LINES, _across(0, 20, 60), []) == [(0, 0, 300, 60)]


def test_short_lines_bound_nothing() -> None:
    """Lines under words are shorter than sixty pixels."""
    assert not zones_of(LINES, _across(0, 60, right=59), [])


def test_lines_of_other_width_bound_nothing() -> None:
    """Two lines must have four fifths of the longer in common."""
    assert not zones_of(LINES, edges([(0, 0, 300), (60, 0, 230)]), [])
    assert zones_of(LINES, edges([(0, 0, 300), (60, 0, 250)]), [])


def test_area_that_is_taken_is_no_zone() -> None:
    """The lines of a table that was found, or of a chart, bound no other."""
    assert not zones_of(LINES, _across(0, 60), [(0, 0, 300, 60)])


def test_running_text_is_no_zone() -> None:
    """Paragraphs between two lines are no table."""
    held = [line("x" * 50, 0, 5 + 12 * n, prose=True) for n in range(4)]
    assert not zones_of(held, _across(0, 60), [])


def test_heading_with_room_around_it_parts_zones() -> None:
    """A text alone in a high band is a heading between two tables, not a row."""
    below = lines(TEXTS, XS, top=125)
    heading = [line("Heading", 5, 85)]
    assert len(zones_of([*LINES, *heading, *below], _across(0, 60, 120, 180), [])) == 2
    low = [line("Heading", 5, 65)]
    assert len(zones_of([*LINES, *low, *lines(TEXTS, XS, top=85)], _across(0, 60, 80, 140), [])) == 1


def test_tables_with_other_columns_are_parted() -> None:
    """Where columns disappear if both parts are taken together, the parts are two tables of one width."""
    above = lines([["a" * 8] * 8] * 2, [44.0 * n for n in range(8)], top=5)
    below = lines([["aa"] * 6] * 2, [37.0 + 44 * n for n in (0, 1, 2, 4, 5, 6)], top=45)
    zone, drawn = (0.0, 0.0, 350.0, 80.0), _across(0, 40, 80, right=350)
    assert parts_of_zone([*above, *below], zone, drawn) == [(0, 0, 350, 40), (0, 40, 350, 80)]
    same = lines([["a" * 8] * 8] * 2, [44.0 * n for n in range(8)], top=45)
    assert parts_of_zone([*above, *same], zone, drawn) == [zone]


def test_rows_below_the_last_line_belong_to_the_table() -> None:
    """Rows that continue the columns right below the last line are rows of the table; those further off are not."""
    more = lines([["Sum", "52", "103"]], XS, top=64)
    assert texts(rows_of_zone([*LINES, *more], (0, 0, 300, 60)))[-1] == ["Sum", "52", "103"]
    far = lines([["Sum", "52", "103"]], XS, top=75)
    assert len(rows_of_zone([*LINES, *far], (0, 0, 300, 60))) == 3


def test_text_below_the_last_line_does_not() -> None:
    """A note below the table that stands across its columns is no row."""
    note = [line("x" * 40, 5, 64)]
    assert len(rows_of_zone([*LINES, *note], (0, 0, 300, 60))) == 3


def test_heading_above_the_first_line_belongs_to_the_table() -> None:
    """Names of columns right above the first line are its first row."""
    heads = lines([["Name", "Height", "Weight"]], XS, top=-14)
    assert texts(rows_of_zone([*LINES, *heads], (0, 0, 300, 60)))[0] == ["Name", "Height", "Weight"]
