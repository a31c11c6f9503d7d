"""References."""

from sightline.extract.structure._paragraphs import BlockKind
from sightline.extract.structure._structure import with_references

from ._made import paragraph

CITED = "[1] J. Carme, M. Ceresna: The Lixto Project. Proc. BTW, pp. 1-15, 2006."
PLAIN = "The dome was opened in the year before the last, and closed again."
H, P, R = BlockKind.HEADING, BlockKind.PLAIN, BlockKind.REFERENCE


def _kinds(*texts: str, heads: tuple[int, ...] = (), listed: bool = False) -> tuple[list[BlockKind], bool]:
    kinds = [H if place in heads else P for place in range(len(texts))]
    return with_references([paragraph(text) for text in texts], kinds, listed=listed)


def test_everything_below_the_heading_is_a_reference() -> None:
    """A heading that says “References” makes references of what follows, up to the next heading."""
    assert _kinds("References", PLAIN, "Appendix", PLAIN, heads=(0, 2)) == ([H, R, H, P], False)
    assert _kinds("References", PLAIN, heads=(0,)) == ([H, R], True)


def test_list_continues_on_the_next_sheet() -> None:
    """A list that is open at the end of a sheet continues on the next."""
    assert _kinds(PLAIN, listed=True) == ([R], True)
    assert _kinds(PLAIN, listed=False) == ([P], False)


def test_run_of_citations_is_a_list() -> None:
    """Three citations close together are references, without any heading; one or two are not."""
    assert _kinds(CITED, CITED, CITED)[0] == [R, R, R]
    assert _kinds(CITED, CITED)[0] == [P, P]
    assert _kinds(CITED, PLAIN * 3, PLAIN * 3, PLAIN * 3, CITED, PLAIN * 3)[0] == [P] * 6


def test_paragraph_among_citations_is_one() -> None:
    """Where citations are most of a sheet, what stands between them is a reference too."""
    assert _kinds(CITED, CITED, "Ibid.", CITED)[0] == [R, R, R, R]


def test_text_with_a_year_is_no_citation() -> None:
    """A year alone makes no reference."""
    assert _kinds(*["The dome was opened in 1998."] * 4)[0] == [P] * 4


def test_headings_stay() -> None:
    """What is a heading or a caption is never a reference."""
    assert _kinds("References", "More", PLAIN, heads=(0, 1))[0] == [H, H, P]
