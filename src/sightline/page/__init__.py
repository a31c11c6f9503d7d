"""The page model: what sources produce and all that extractors know."""

from sightline.page._answers import PageAnswer, PageAnswers, PageRequest
from sightline.page._canonical import NumberedStrings
from sightline.page._codec import MAGIC, dumps, loads
from sightline.page._columns import (
    ABSENT,
    INNER,
    PLAIN,
    SLOTTED,
    TEXT,
    Attributes,
    DrawnRules,
    PageKind,
    PagePart,
    Words,
    below,
    depths,
    ends,
    frozen,
    nearest,
    no_boxes,
    no_edges,
    no_ints,
    subtree_counts,
)
from sightline.page._page import Node, Page
from sightline.page._parts import full_address, link_base, link_of, rows_of, said_by
from sightline.page._printed import DOUBTFUL, Builder, Printed, PrintedLines, PrintedSheet, bare_page
from sightline.page._text import parting, single_page_title
from sightline.page._xpath import ENTER
from sightline.page.own_data import OwnData, OwnDocument, OwnPath, OwnThing, OwnValue

__all__ = [
    "ABSENT",
    "DOUBTFUL",
    "ENTER",
    "INNER",
    "MAGIC",
    "PLAIN",
    "SLOTTED",
    "TEXT",
    "Attributes",
    "Builder",
    "DrawnRules",
    "Node",
    "NumberedStrings",
    "OwnData",
    "OwnDocument",
    "OwnPath",
    "OwnThing",
    "OwnValue",
    "Page",
    "PageAnswer",
    "PageAnswers",
    "PageKind",
    "PagePart",
    "PageRequest",
    "Printed",
    "PrintedLines",
    "PrintedSheet",
    "Words",
    "bare_page",
    "below",
    "depths",
    "dumps",
    "ends",
    "frozen",
    "full_address",
    "link_base",
    "link_of",
    "loads",
    "nearest",
    "no_boxes",
    "no_edges",
    "no_ints",
    "parting",
    "rows_of",
    "said_by",
    "single_page_title",
    "subtree_counts",
]
