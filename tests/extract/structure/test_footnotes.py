"""Footnotes."""

import pytest

from sightline.extract.structure._paragraphs import BlockKind, Paragraph, TextNorms
from sightline.extract.structure._structure import with_footnotes

from ._made import paragraph, sheet

NORMS = TextNorms(10, set())
RULE = (0.0, 893.0, 100.0, 894.0)


def _kinds(
    *paragraphs: Paragraph, rules: tuple[tuple[float, ...], ...] = (), norms: TextNorms = NORMS
) -> list[BlockKind]:
    return with_footnotes(norms, sheet(rules=rules), paragraphs, [BlockKind.PLAIN] * len(paragraphs))


@pytest.mark.parametrize(
    ("text", "size", "y", "expected"),
    [
        ("1 Fits the tube.", 8, 900, BlockKind.NOTE),
        ("* Fits the tube.", 8, 900, BlockKind.NOTE),
        ("Fits the tube.", 8, 900, BlockKind.PLAIN),  # no mark
        ("1 Fits the tube.", 9.5, 900, BlockKind.PLAIN),  # the size of the text
        ("1 Fits the tube.", 8, 440, BlockKind.PLAIN),  # in the upper part
    ],
)
def test_small_marked_text_at_the_foot(text: str, size: float, y: float, expected: BlockKind) -> None:
    """A note is small, low on the sheet, and begins with a mark."""
    assert _kinds(paragraph(text, y=y, size=size)) == [expected]


def test_raised_letter_is_a_mark() -> None:
    """A line that begins with a raised letter is marked, whatever it says."""
    note = paragraph("Fits the tube.", y=900, size=8)
    assert _kinds(note, norms=TextNorms(10, {note.lines[0].number})) == [BlockKind.NOTE]


def test_line_above_is_a_mark() -> None:
    """A short line drawn right above parts notes from the text; one far above does not."""
    note = paragraph("Fits the tube.", y=900, size=8)
    assert _kinds(note, rules=(RULE,)) == [BlockKind.NOTE]
    assert _kinds(note, rules=((0, 870, 100, 871),)) == [BlockKind.PLAIN]
    assert _kinds(note, rules=((0, 893, 30, 894),)) == [BlockKind.PLAIN]


def test_no_note_stands_above_text() -> None:
    """Small text above text of the usual size is no note; text in the other half of the sheet does not matter."""
    small = paragraph("1 Fits the tube.", y=800, size=8)
    below = paragraph("Text of the page.", y=900)
    beside = paragraph("Text of the page.", x0=500, y=900)
    assert _kinds(small, below)[0] is BlockKind.PLAIN
    assert _kinds(small, beside)[0] is BlockKind.NOTE
