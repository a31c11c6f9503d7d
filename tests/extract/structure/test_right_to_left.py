"""Sheets in scripts that are read from right to left."""

from ...sources.pdf._write import FIRST, FONT, assemble, lattice, put, stream
from ._sheets import grid, opened, outline

CMAP = (
    b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /x def /CMapType 2 def "
    b"1 begincodespacerange <00> <ff> endcodespacerange "
    b"2 beginbfrange <20> <40> <0020> <61> <7a> <05d0> endbfrange endcmap end end"
)
LETTERS = {chr(ord("a") + place): chr(0x5D0 + place) for place in range(26)}


def _hebrew(content: bytes) -> bytes:
    """A PDF whose small letters are those of the Hebrew alphabet."""
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode %d 0 R>>" % (FIRST + 2)
    return assemble(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[%d 0 R]/Count 1>>" % FIRST,
            font,
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F %d 0 R>>>>/Contents %d 0 R>>"
            % (FONT, FIRST + 1),
            stream(content),
            stream(CMAP),
        ]
    )


def _said(text: str) -> str:
    return "".join(LETTERS.get(sign, sign) for sign in text)


def test_lines_are_read_from_right_to_left() -> None:
    """Letters of words and words of lines turn; numbers keep their digits in order."""
    lines = ("fedcba 12,5 ihg", "onm lkj")
    page = opened(content=_hebrew(b"".join(put(line, 300, 700 - 14 * row) for row, line in enumerate(lines))))
    ((_, text),) = outline(page)
    assert text == _said("ghi 12,5 abcdef jkl mno")


def test_columns_are_read_from_right_to_left() -> None:
    """The column of labels, at the right, comes first; an empty cell stays in its place."""
    texts = [["edcba", "hgf"], ["", "kji"], ["12", "onml"]]
    cells = b"".join(
        put(text, x, 700 - 16 * row)
        for row, line in enumerate(texts)
        for x, text in zip((80, 220), line, strict=True)
        if text
    )
    page = opened(content=_hebrew(cells + lattice([70, 210, 300], [714, 698, 682, 666])))
    assert grid(page) == [[_said("fgh"), _said("abcde")], [_said("ijk"), ""], [_said("lmno"), "12"]]
    boxes = {page.text_of(node): page.box[node].tolist() for node in page.with_tag("td", "th").tolist()}
    assert boxes[""][2] <= boxes[_said("ijk")][0]
