"""The settings of structure recognition."""

from dataclasses import dataclass

from sightline.settings import Settings, check_rules, setting

__all__ = ["RULES", "StructureSettings"]

RULES = {
    "tags": "the tag tree of a tagged PDF is a witness for headings, items, captions, notes and tables",
    "lattices": "lines that meet draw the cells of a table",
    "zones": "lines of one width below each other bound a table",
    "white": "rows of pieces that are aligned below each other are a table without any line",
    "rivers": "lines are cut where white runs down through several rows",
    "titles": "a title with headings below it parts two tables",
    "pieces": "lines are cut after leaders, between numbers and at upright lines, and signs join their numbers",
    "joining": "a table that continues on the next sheet is joined to the one before it",
}


@dataclass(frozen=True, kw_only=True)
class StructureSettings(Settings):
    """The rules that find the structure of a PDF; `without` leaves some out, to see what each is worth.

    >>> StructureSettings(without=("tags",)).without
    ('tags',)
    """

    without: tuple[str, ...] = setting((), help="the rules of structure that are left out", hidden=True)

    def __post_init__(self) -> None:
        """Reject names that are not in `RULES`."""
        super().__post_init__()
        check_rules(self.without, RULES)
