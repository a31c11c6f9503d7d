"""Settings for finding tables, and the rules that can be switched off one by one."""

from dataclasses import dataclass
from typing import Literal

from sightline.extract.tables._evidence import PARTS
from sightline.settings import Settings, check_rules, setting

__all__ = ["RULES", "TableSettings"]

# The score from which on a grid is returned. In cross-validation it keeps 99 % of the data tables, and 4 to 5 % of what
# it keeps are others; at 0.5 it is 96 % and 3 %. Small tables without lines, which people also mean, score about 0.3.
LEAST_SCORE = 0.28

RULES: dict[str, str] = {
    "elements": "method A: cells from the boxes of elements",
    "words": "method B: cells from the boxes of words",
    "markup": "tags determine which rows and columns are headings, if there are tags",
    "alternatives": "lines by their bottoms or middles, and columns before rows, if tops fail",
    "steps": "a line that makes a step with the lines above it begins another table",
    "order": "cells in the same order, clear of each other, are columns even if their edges differ",
    "gaps": "a gap wider than usual between lines ends a table",
    "twins": "a complete table continues below another only if it touches it and is as wide",
    "edges": "a cell spans rows only if it ends where other cells end",
    "captions": "what is laid out as a caption is not a row",
    "dashes": "columns from lines drawn with dashes",
    "alignment": "columns from words that share a left, middle or right coordinate",
    "unwrapping": "lines of preformatted text that were broken at the margin are rejoined",
    "looks": "headings are recognised by their looks",
    "kinds": "headings are recognised by the kinds of their texts, if nothing looks different",
    "reconciling": "of overlapping readings only the better is kept",
    "score": "only tables that score enough are returned",
} | {f"part: {name}": text for name, text in PARTS.items()}


@dataclass(frozen=True, kw_only=True)
class TableSettings(Settings):
    """How tables are found."""

    least_score: float = setting(
        LEAST_SCORE, help="lowest score of a grid of cells that counts as a data table", minimum=0, maximum=1
    )
    header_rows: int | None = setting(
        None, help="how many rows at the top of every table are headings; they are found by default", minimum=0
    )
    notes: Literal["apart", "keep"] = setting(
        "apart",
        help="marks of footnotes: apart from the value of their cell (in Python `cell.notes`), or kept in it",
        choices=("apart", "keep"),
    )
    without: tuple[str, ...] = setting((), help="names of rules to switch off, to see what each is worth", hidden=True)

    def __post_init__(self) -> None:
        """Reject rules that do not exist."""
        super().__post_init__()
        check_rules(self.without, RULES)
