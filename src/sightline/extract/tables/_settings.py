"""What can be set about finding tables, and the rules that can be left out one by one."""

from dataclasses import dataclass

from sightline.extract.tables._evidence import PARTS
from sightline.settings import Settings, check_rules, setting

__all__ = ["RULES", "TableSettings"]

# From which score on a grid is handed out. In cross-validation it keeps 99 % of the data tables, and 4 to 5 % of what
# it keeps are others; at 0.5 it is 96 % and 3 %. Small tables without lines, which people mean too, score about 0.3.
LEAST_SCORE = 0.28

RULES: dict[str, str] = {
    "elements": "method A: cells from the boxes of elements",
    "words": "method B: cells from the boxes of words",
    "markup": "tags say which rows and columns are headings, where there are tags",
    "alternatives": "lines by their bottoms or middles, and columns before rows, where tops fail",
    "steps": "a line that makes a step with the lines above it begins another table",
    "order": "cells that stand in the same order, clear of each other, are columns though their edges differ",
    "gaps": "a gap wider than is usual between the lines ends a table",
    "twins": "a whole table goes on below another only when it touches it and is as wide",
    "edges": "a cell spans rows only when it ends where other cells end",
    "captions": "what is laid out as a caption is no row",
    "dashes": "columns from lines drawn with dashes",
    "alignment": "columns from words that share a left, middle or right coordinate",
    "unwrapping": "lines of preformatted text that were broken at the margin are joined again",
    "looks": "headings are told by their looks",
    "kinds": "headings are told by the kinds of their texts, where nothing looks different",
    "reconciling": "of readings that overlap only the better is kept",
    "score": "only what scores enough is handed out",
} | {f"part: {name}": text for name, text in PARTS.items()}


@dataclass(frozen=True, kw_only=True)
class TableSettings(Settings):
    """How tables are found."""

    least_score: float = setting(
        LEAST_SCORE, help="the score from which a grid of cells counts as a data table", minimum=0, maximum=1
    )
    without: tuple[str, ...] = setting((), help="rules to leave out, by name, to see what each is worth")

    def __post_init__(self) -> None:
        """Refuse rules that do not exist."""
        super().__post_init__()
        check_rules(self.without, RULES)
