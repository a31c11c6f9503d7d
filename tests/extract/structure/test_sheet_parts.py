"""The parts of a sheet: captions, and the order in which they are read."""

from sightline.extract.structure._paragraphs import BlockKind, Paragraph
from sightline.extract.structure._printed_line import FoundTable
from sightline.extract.structure._sheet_parts import SheetPart, in_reading_order, with_captions

from ._made import line, sheet, written

TABLE = FoundTable((0, 0, 1, 1), 1, 1, (), (), "white")


def _part(kind: BlockKind, text: str = "x") -> SheetPart:
    return SheetPart(kind, (line(text),), TABLE if kind is BlockKind.TABLE else None)


def _kinds(*kinds: BlockKind) -> list[tuple[str, bool]]:
    found = with_captions([_part(kind) for kind in kinds])
    return [(part.kind.value, bool(part.caption)) for part in found]


def test_caption_goes_into_the_table_beside_it() -> None:
    """A caption right above or below a table becomes part of it; the one above is taken first."""
    caption, table, plain = BlockKind.CAPTION, BlockKind.TABLE, BlockKind.PLAIN
    assert _kinds(caption, table) == _kinds(table, caption) == [("table", True)]
    assert _kinds(caption, table, caption) == [("table", True), ("caption", False)]
    assert _kinds(caption, plain, table) == [("caption", False), ("plain", False), ("table", False)]


def test_caption_is_taken_once() -> None:
    """A caption between two tables belongs to the first."""
    assert _kinds(BlockKind.TABLE, BlockKind.CAPTION, BlockKind.TABLE) == [("table", True), ("table", False)]


def test_table_stands_where_its_first_line_does() -> None:
    """Lines that a table holds come once, as the table, between the paragraphs around it."""
    words, held = written(("before",), ("cell", "one"), ("cell", "two"), ("after",))
    table = FoundTable((0, 0, 1, 1), 2, 1, (), (), "white", lines=tuple(held[1:3]))
    found = list(in_reading_order(words, sheet(held=held), [table]))
    assert [one.text if isinstance(one, Paragraph) else one.kind.value for one in found] == ["before", "table", "after"]


def test_line_that_a_table_holds_in_part_is_cut() -> None:
    """The words beside a table in one line are a paragraph: no word is lost."""
    words, (whole,) = written(("label", "cell"))
    table = FoundTable((0, 0, 1, 1), 1, 1, (), (), "white", lines=(line("cell", words=whole.words[1:]),))
    found = list(in_reading_order(words, sheet(held=[whole]), [table]))
    assert [one.text for one in found if isinstance(one, Paragraph)] == ["label"]
    assert [one.kind for one in found if isinstance(one, SheetPart)] == [BlockKind.TABLE]


def test_running_lines_are_header_or_footer() -> None:
    """What runs in the upper half is a header, in the lower half a footer."""
    words, held = written(("top",), running=True)
    _, foot = written(("foot",), running=True, y=900, block=1)
    kinds = [one.kind for one in in_reading_order(words, sheet(held=[*held, *foot]), []) if isinstance(one, SheetPart)]
    assert kinds == [BlockKind.HEADER, BlockKind.FOOTER]
