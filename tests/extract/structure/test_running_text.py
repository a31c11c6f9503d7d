"""Which lines are running text."""

from sightline.extract.structure._layout import PrintedWords
from sightline.extract.structure._pieces import with_running_text
from sightline.extract.structure._printed_line import PrintedLine

from ._made import line, written

LONG = ("a", "text", "of", "seven", "words", "or", "so")


def _prose(words: PrintedWords, lines: list[PrintedLine]) -> list[bool]:
    return [line.prose for line in with_running_text(words, lines)]


def test_block_of_long_lines_is_running_text() -> None:
    """Three lines of six words and more are a paragraph."""
    assert _prose(*written(LONG, LONG, LONG)) == [True] * 3
    assert _prose(*written(LONG[:6], LONG[:6], LONG[:6])) == [True] * 3


def test_block_of_short_lines_is_none() -> None:
    """Five words a line may be the lines of a cell."""
    assert _prose(*written(LONG[:5], LONG[:5], LONG[:5])) == [False] * 3


def test_fewer_lines_must_be_longer() -> None:
    """Two lines need nine words, one line fourteen."""
    assert _prose(*written(LONG, LONG)) == [False] * 2
    assert _prose(*written((*LONG, *LONG[:2]), (*LONG, *LONG[:2]))) == [True] * 2
    assert _prose(*written((*LONG, *LONG[:6]))) == [False]
    assert _prose(*written((*LONG, *LONG))) == [True]


def test_tag_of_a_table_speaks_against() -> None:
    """What a tagged PDF says is in a table is no running text."""
    assert _prose(*written(LONG, LONG, LONG, tags=("Table", "TR", "TD"))) == [False] * 3


def test_long_texts_beside_a_column_are_cells() -> None:
    """With pieces to the left that are even, long texts are the cells of a table; uneven pieces prove nothing."""
    words, held = written(LONG, LONG, LONG)
    moved = [line(one.text, 100, one.y0, words=one.words, x1=300) for one in held]
    even = [line("item", 10, one.y0, block=1, words=()) for one in moved]
    uneven = [line("item", 10 + 15 * place, one.y0, block=1, words=()) for place, one in enumerate(moved)]
    assert _prose(words, [*moved, *even])[:3] == [False] * 3
    assert _prose(words, [*moved, *uneven])[:3] == [True] * 3


def test_pieces_far_to_the_left_prove_nothing() -> None:
    """A column of the page further than twelve sizes away is no company."""
    words, held = written(LONG, LONG, LONG)
    moved = [line(one.text, 200, one.y0, words=one.words, x1=400) for one in held]
    far = [line("item", 10, one.y0, block=1, words=()) for one in moved]
    assert _prose(words, [*moved, *far])[:3] == [True] * 3


def test_order_of_the_lines_stays() -> None:
    """Lines come back in their places, changed or not."""
    words, held = written(LONG, LONG, LONG)
    found = with_running_text(words, [*held, line("x", 500, 0, block=2, words=())])
    assert [one.text for one in found] == [*(one.text for one in held), "x"]
