"""Settings for finding lists, and the rules that can be switched off one by one."""

from dataclasses import dataclass

from sightline.extract.lists._find_regions import LEAST_RECORDS
from sightline.extract.lists._measures import MEASURES
from sightline.extract.lists._title_choices import CHOICE_MEASURES
from sightline.settings import Settings, check_rules, setting

# On the pages the weights were fitted to, nearly all lists of the truth score 0.3 or more; this also keeps short or
# minor lists, and drops parts of a page's frame that merely happen to repeat.
LEAST_SCORE = 0.1
# Nearly all kept promises score above 0.6, and what a wrong number finds rarely does.
LEAST_TOP_SCORE = 0.5

LIST_RULES: dict[str, str] = {
    "joining": "a list split into several containers is joined into one",
    "forests": "records may consist of several units, such as a heading and its text",
    "inline": "inline elements in one line form a list",
    "headings": "a run of units ends at a heading between them",
    "unlike": "units among the records that are built differently are dropped",
    "looks": "paragraphs and lines are told apart by how they look",
    "make": "elements without a common class are told apart by their structure",
    "threads": "records nested in records of their own kind, such as replies to comments, are flattened",
    "nested": "regions that repeat inside another region's records are parts of those records",
    "doubles": "lists with the same text are returned once",
    "pieces": "lines are cut into their links and the text between them",
    "inline parts": "inline elements with a name of their own are parts of their own",
    "breaks": "line breaks within a property, a link or a sentence part nothing",
    "merging": "columns that fill each other's gaps and are alike are one column",
    "unfading": "content that waits for a script to appear counts as visible",
} | {f"measure: {name}": text for name, text in MEASURES.items()}

TOP_RULES: dict[str, str] = {
    "visual area": "importance is read from the boxes of the items",
    "interleaving": "units of one element that alternate in style are one list",
    "k ± 1": "one line too many is left out, one line of another style is added",
    "item title": "the title of an item is its heading, or the bold or linked part of its first line",
    "paths": "elements with one tag path, expanded to the items that contain them (the published algorithm)",
    "headings": "headings spread through an article, each followed by its item",
    "bold lines": "lines of nothing but bold text, likewise",
    "regions": "the records of repeated regions",
    "windows": "where there are more similar lines than items, any run of k may be the items",
    "numbering": "numbers that count the items",
    "awards": 'below a label such as "Best overall", the name of what it is given to is the title',
    "hidden": "if nothing visible keeps the promise, hidden content may: the other slides of a slide show",
    "unfading": "content that waits for a script to appear counts as visible",
} | {f"measure: {name}": text for name, text in CHOICE_MEASURES.items()}


@dataclass(frozen=True, kw_only=True)
class ListSettings(Settings):
    """How repeated regions are found."""

    least_records: int = setting(LEAST_RECORDS, help="fewest records that make a list", minimum=2)
    least_score: float = setting(
        LEAST_SCORE, help="lowest score of a repeated region that is returned", minimum=0, maximum=1
    )
    navigation: bool = setting(default=True, help="return menus as well, marked as navigation")
    without: tuple[str, ...] = setting((), help="names of rules to switch off, to see what each is worth", hidden=True)

    def __post_init__(self) -> None:
        """Reject rules that do not exist."""
        super().__post_init__()
        check_rules(self.without, LIST_RULES)


@dataclass(frozen=True, kw_only=True)
class TopSettings(Settings):
    """How the items that a title promises are found."""

    least_score: float = setting(
        LEAST_TOP_SCORE, help="lowest score of a list that counts as what the title promises", minimum=0, maximum=1
    )
    without: tuple[str, ...] = setting((), help="names of rules to switch off, to see what each is worth", hidden=True)

    def __post_init__(self) -> None:
        """Reject rules that do not exist."""
        super().__post_init__()
        check_rules(self.without, TOP_RULES)
