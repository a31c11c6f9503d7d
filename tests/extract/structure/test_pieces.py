"""Lines cut into pieces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.extract.structure._pieces import cut_at_borders, part_of, pieces_of
from sightline.extract.structure._printed_line import rows_of

from ._made import edges, line, texts, written

NO_EDGES = edges()


def _pieces(*row: str, gap: float = 3, down: tuple[tuple[float, float, float], ...] = ()) -> list[str]:
    words, lines = written(row, gap=gap)
    return [piece.text for piece in pieces_of(words, lines, edges(down=down))]


def test_line_of_words_is_one_piece() -> None:
    """Nothing is cut without a reason."""
    words, lines = written(("The", "tube", "of", "2026"))
    assert pieces_of(words, lines, NO_EDGES) == lines


def test_cut_at_a_drawn_line() -> None:
    """An upright line between two words parts them, if it reaches their height."""
    assert _pieces("tube", "dome", gap=10, down=((25, -5, 15),)) == ["tube", "dome"]
    assert _pieces("tube", "dome", gap=10, down=((25, 20, 50),)) == ["tube dome"]


def test_cut_after_leaders() -> None:
    """Dots lead to a number; an ellipsis does not."""
    assert _pieces("Optics", "......", "14") == ["Optics ......", "14"]
    assert _pieces("Optics", ".", ".", ".", ".", "14") == ["Optics . . . .", "14"]
    assert _pieces("Optics", "...", "14") == ["Optics ... 14"]


@pytest.mark.parametrize(("gap", "count"), [(5.4, 1), (5.6, 2)])
def test_cut_between_numbers(gap: float, count: int) -> None:
    """Two numbers with more than 0.55 of the size between them are two cells; digits in groups are one."""
    assert len(_pieces("1,250", "310", gap=gap)) == count
    assert len(_pieces("tube", "310", gap=gap)) == 1


def test_currency_sign_goes_to_its_number() -> None:
    """A sign at the left edge of its column is part of the number, up to seven sizes away."""
    words, (sign, number) = written(("$",), ("45",))
    near = [line("$", 0, 0, words=sign.words), line("45", 70, 0, words=number.words)]
    assert [piece.text for piece in pieces_of(words, near, NO_EDGES)] == ["$45"]
    far = [line("$", 0, 0, words=sign.words), line("45", 80, 0, words=number.words)]
    assert len(pieces_of(words, far, NO_EDGES)) == 2


def test_mark_goes_to_the_number_before_it() -> None:
    """A per cent sign right after a number is part of it; beside a word it stands alone."""
    words, (first, second) = written(("45",), ("%",))
    mark = line("%", 15, 0, words=second.words)
    assert [piece.text for piece in pieces_of(words, [line("45", 0, 0, words=first.words), mark], NO_EDGES)] == ["45%"]
    assert len(pieces_of(words, [line("ab", 0, 0, words=first.words), mark], NO_EDGES)) == 2


def test_part_of_running_text_with_few_words_may_be_a_cell() -> None:
    """A part of up to three words is no longer marked as running text."""
    words, (whole,) = written(("a", "b", "c", "d", "e"), prose=True)
    assert not part_of(words, whole, whole.words[:3]).prose
    assert part_of(words, whole, whole.words[:4]).prose
    assert (part_of(words, whole, whole.words[1:3]).x0, part_of(words, whole, whole.words[1:3]).text) == (8, "b c")


def _cut(*row: str, border: float, gap: float = 3) -> list[list[str]]:
    words, lines = written(row, gap=gap)
    return texts(cut_at_borders(words, rows_of(lines), [border]))


def test_numbers_across_a_border_are_cut() -> None:
    """Numbers set close together are two cells where a column begins between them."""
    assert _cut("125", "310", border=16.5) == [["125", "310"]]


def test_words_across_a_border_are_one_text() -> None:
    """A heading with blanks of one width stands over both columns."""
    assert _cut("Height", "of", "tube", border=31.5) == [["Height of tube"]]


def test_words_with_a_wide_gap_at_the_border_are_cut() -> None:
    """Two words alone are cells if the gap is wider than a blank."""
    assert _cut("Height", "Weight", border=32, gap=4) == [["Height", "Weight"]]
    assert _cut("Height", "Weight", border=31.5, gap=3) == [["Height Weight"]]


def test_border_in_the_middle_of_a_word_cuts_nothing() -> None:
    """Where no gap lies at a border, a piece is one text."""
    assert _cut("125", "310310310", border=40) == [["125 310310310"]]


WORDS = st.lists(
    st.sampled_from(["Optics", "12", "3.5", "....", "of", "%", "$", "(7)", "tube"]), min_size=1, max_size=8
)


@given(st.lists(WORDS, min_size=1, max_size=4), st.floats(1, 12), st.floats(0, 120))
def test_no_word_is_lost_or_doubled(rows: list[list[str]], gap: float, border: float) -> None:
    """However lines are cut and signs joined, every word is in one piece."""
    words, lines = written(*rows, gap=gap)
    pieces = pieces_of(words, lines, edges(down=[(border, -100, 500)]))
    assert sorted(word for piece in pieces for word in piece.words) == list(range(len(words.text)))
    cut = cut_at_borders(words, rows_of(pieces), [border])
    assert sorted(word for row in cut for piece in row.lines for word in piece.words) == list(range(len(words.text)))
