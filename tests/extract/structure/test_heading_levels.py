"""Levels of headings."""

from hypothesis import given
from hypothesis import strategies as st

from sightline.extract.structure._paragraphs import BlockKind
from sightline.extract.structure._sheet_parts import SheetPart, levels_of, with_levels

from ._made import line


def _heading(text: str = "Title", *, size: float = 12, bold: bool = False, tags: tuple[str, ...] = ()) -> SheetPart:
    return SheetPart(BlockKind.HEADING, (line(text, size=size, bold=bold, tags=tags),))


def test_larger_stands_above() -> None:
    """Sizes make ranks, and at one size bold stands above plain."""
    held = [_heading(size=12), _heading(size=20), _heading(size=12, bold=True)]
    assert levels_of(held) == [3, 1, 2]


def test_numbers_make_levels() -> None:
    """Numbers with more places stand deeper, though they are set alike."""
    assert levels_of([_heading(text) for text in ("1 A", "1.1 B", "1.1.1 C", "2 D")]) == [1, 2, 3, 1]


def test_tag_stands() -> None:
    """What a tagged PDF says of a level is taken."""
    assert levels_of([_heading(tags=("Sect", "H4")), _heading(tags=("H",))]) == [4, 1]


def test_other_parts_have_no_level() -> None:
    """Levels go to headings, over all sheets; everything else stays as it is."""
    plain = SheetPart(BlockKind.PLAIN, (line("x"),))
    found = with_levels([[_heading(size=20), plain], [_heading(size=14)]])
    assert [[part.level for part in parts] for parts in found] == [[1, 0], [2]]
    assert found[0][1] is plain


@given(
    st.lists(
        st.tuples(st.sampled_from(["A", "1 A", "2.3 A", "4.5.6 A"]), st.integers(8, 40), st.booleans()), max_size=20
    )
)
def test_levels_are_those_of_html(headings: list[tuple[str, int, bool]]) -> None:
    """Whatever the headings, there is a level from 1 to 6 for each."""
    found = levels_of([_heading(text, size=size, bold=bold) for text, size, bold in headings])
    assert len(found) == len(headings)
    assert all(1 <= level <= 6 for level in found)
