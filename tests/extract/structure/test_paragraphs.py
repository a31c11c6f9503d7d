"""The paragraphs of a block."""

from hypothesis import given
from hypothesis import strategies as st

from sightline.extract.structure._paragraphs import paragraphs_of

from ._made import line, paragraph

FULL = "x" * 60


def _texts(*lines: tuple[float, str]) -> list[int]:
    """How many lines each paragraph has, of lines 12 pixels apart that begin at a place across."""
    held = [line(text, x, 12 * n) for n, (x, text) in enumerate(lines)]
    return [len(one.lines) for one in paragraphs_of(held)]


def test_full_lines_are_one_paragraph() -> None:
    """Lines of one width belong together."""
    assert _texts((0, FULL), (0, FULL), (0, "end.")) == [3]
    assert not paragraphs_of([])


def test_indent_begins_a_paragraph() -> None:
    """A line set in by 0.8 of the size begins a paragraph; a little less does not."""
    assert _texts((0, FULL), (0, FULL), (8.5, FULL), (0, FULL)) == [2, 2]
    assert _texts((0, FULL), (0, FULL), (7.5, FULL), (0, FULL)) == [4]


def test_short_line_with_a_full_stop_ends_a_paragraph() -> None:
    """After a short line that ends a sentence, a capital begins a paragraph."""
    assert _texts((0, FULL), (0, "end."), (0, "A" + FULL), (0, FULL)) == [2, 2]
    assert _texts((0, FULL), (0, "end"), (0, "A" + FULL), (0, FULL)) == [4]
    assert _texts((0, FULL), (0, "end."), (0, "a" + FULL), (0, FULL)) == [4]


def test_hanging_lines_belong_to_the_line_before() -> None:
    """Where all lines but the first are set in, the ones that stand out begin paragraphs."""
    assert _texts((0, FULL), (20, FULL[4:]), (0, FULL), (20, FULL[4:]), (0, FULL)) == [2, 2, 1]


def test_items_are_paragraphs() -> None:
    """A mark after a full stop begins an item."""
    assert _texts((0, "1. " + FULL + "."), (0, "2. " + FULL + "."), (0, "3. " + FULL + ".")) == [1, 1, 1]


def test_labelled_lines_stand_alone() -> None:
    """Lines such as “Date: 3 May” are not one text."""
    assert _texts((0, "Date: 3 May"), (0, "Number: 12")) == [1, 1]


def test_size_and_weight_are_those_of_most_text() -> None:
    """The longest text of one size decides, and so does the weight of most characters."""
    one = paragraph("short")
    mixed = type(one)((line("long text", size=10), line("x", size=20, bold=True)), 0)
    assert mixed.size == 10
    assert not mixed.is_bold
    assert (mixed.text, mixed.x0, mixed.y1) == ("long text x", 0, 20)


@given(
    st.lists(
        st.tuples(st.sampled_from([0.0, 5.0, 12.0, 30.0]), st.sampled_from(["Ab.", "• x", FULL, "a:"])), max_size=9
    )
)
def test_no_line_is_lost(lines: list[tuple[float, str]]) -> None:
    """Every line is in one paragraph, and their order stays."""
    held = [line(text, x, 12 * n) for n, (x, text) in enumerate(lines)]
    assert [one for found in paragraphs_of(held) for one in found.lines] == held
