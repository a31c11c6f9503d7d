"""What can be set about finding lists, and the rules that can be left out one by one."""

from dataclasses import dataclass

from sightline.extract.lists._find_regions import LEAST_RECORDS
from sightline.extract.lists._measures import MEASURES
from sightline.extract.lists._title_choices import CHOICE_MEASURES
from sightline.settings import Settings, check_rules, setting

__all__ = ["LIST_RULES", "TOP_RULES", "ListSettings", "TopSettings"]

# On the pages that the weights were fitted to, nearly all lists of the truth score 0.3 and more; this keeps also what
# is short or beside the point, and drops the parts of a page's frame that only happen to repeat.
LEAST_SCORE = 0.1
# Nearly all kept promises score more than 0.6, and what a wrong number finds rarely does.
LEAST_TOP_SCORE = 0.5

LIST_RULES: dict[str, str] = {
    "joining": "a list that was split into several containers is one list",
    "forests": "records of several units, such as a heading and its text",
    "inline": "inline elements in one line are a list",
    "headings": "a run of units ends where a heading stands between them",
    "unlike": "what is made unlike the other records and stands among them is none",
    "cells": "single texts in rows and columns, words in some and numbers in others, are cells of a table",
    "looks": "paragraphs and lines are told apart by how they look",
    "make": "elements without a common class are told apart by how they are made",
    "threads": "records in records of their own kind, such as answers to comments, are laid out flat",
    "nested": "regions that repeat inside the records of another are parts of those records",
    "doubles": "lists that say the same are handed out once",
    "pieces": "lines are cut into their links and what stands apart",
    "unfading": "what waits for a script to be shown counts as seen",
} | {f"measure: {name}": text for name, text in MEASURES.items()}

TOP_RULES: dict[str, str] = {
    "visual area": "importance is read from the boxes of the items",
    "interleaving": "units of one element that alternate in style are one list",
    "k ± 1": "one line too many is left out, one of another style is taken in",
    "item title": "the title of an item is its heading, or what is bold or a link in its first line",
    "paths": "elements of one tag path, grown up to the items that they are in (the published algorithm)",
    "headings": "headings spread through an article, with their items behind them",
    "bold lines": "lines of nothing but bold text, likewise",
    "regions": "the records of repeated regions",
    "windows": "of more lines of one make than there are items, any run of k may be the items",
    "numbering": "numbers that count the items",
    "hidden": "when nothing that can be seen keeps the promise, what is hidden may: the other pictures of a slide show",
    "unfading": "what waits for a script to be shown counts as seen",
} | {f"measure: {name}": text for name, text in CHOICE_MEASURES.items()}


@dataclass(frozen=True, kw_only=True)
class ListSettings(Settings):
    """How repeated regions are found."""

    least_records: int = setting(LEAST_RECORDS, help="the number of records from which something is a list", minimum=2)
    least_score: float = setting(
        LEAST_SCORE, help="the score from which a repeated region is handed out", minimum=0, maximum=1
    )
    navigation: bool = setting(default=True, help="hand out menus as well, marked as navigation")
    without: tuple[str, ...] = setting((), help="rules to leave out, by name, to see what each is worth")

    def __post_init__(self) -> None:
        """Refuse rules that do not exist."""
        super().__post_init__()
        check_rules(self.without, LIST_RULES)


@dataclass(frozen=True, kw_only=True)
class TopSettings(Settings):
    """How the items that a title promises are found."""

    least_score: float = setting(
        LEAST_TOP_SCORE, help="the score from which a list counts as what the title promises", minimum=0, maximum=1
    )
    without: tuple[str, ...] = setting((), help="rules to leave out, by name, to see what each is worth")

    def __post_init__(self) -> None:
        """Refuse rules that do not exist."""
        super().__post_init__()
        check_rules(self.without, TOP_RULES)
