"""The parts of a sheet, which the last steps hand on to each other and the page is written from."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sightline.extract.structure._block_kinds import BlockKind
from sightline.extract.structure._found_table import FoundTable
from sightline.extract.structure._printed_line import PrintedLine

__all__ = ["SheetPart", "with_captions"]


@dataclass(frozen=True, eq=False)
class SheetPart:
    """A paragraph, a table, a header or a footer of a sheet, in its place of the reading order."""

    kind: BlockKind
    lines: tuple[PrintedLine, ...] = ()
    table: FoundTable | None = None
    level: int = 0  # of a heading
    caption: tuple[PrintedLine, ...] = ()  # of a table


def with_captions(parts: Sequence[SheetPart]) -> list[SheetPart]:
    """The parts, with the caption right above or below a table inside it."""
    found: list[SheetPart | None] = list(parts)
    for place, part in enumerate(parts):
        if part.kind is not BlockKind.TABLE:
            continue
        for near in (place - 1, place + 1):
            caption = found[near] if 0 <= near < len(found) else None
            if caption is not None and caption.kind is BlockKind.CAPTION:
                found[place], found[near] = replace(part, caption=caption.lines), None
                break
    return [part for part in found if part is not None]
