"""What a wrapper file may hold: every entry with its type and range; anything else is refused when it is loaded.

A key is the name of its entry with blanks for underscores. Entries that have a default may be missing.
"""

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec import field as entry

from sightline.data import ColumnType, Profile, Verdict

# A taught wrapper has some dozens of patterns with a few rules each, and a page is looked at for every condition.
MOST_PATTERNS = 1_000
MOST_RULES = 200
MOST_CONDITIONS = 50
MOST_SEPARATORS = 20  # of values in one text; there are rarely more than two
MOST_KINDS = 100  # of texts; there are fewer than ten
MOST_JOINTS = 100  # pieces of wording in a text; there are fewer than ten
MOST_ELEMENTS = 100  # kinds of elements that hold the picture of a record; there are rarely more than two

# A lesson by hand has a few dozen steps; these limits only keep a stranger's file from exhausting memory.
MOST_STEPS = 10_000
MOST_PAGES = 10_000

MOST_STEPS_DOWN = 64  # keys and places in lists that lead to a value of the page's data
MOST_PIECES = (
    20  # of a text that follows from the page's data, and ways in which it may; there are rarely more than ten
)
MOST_WORDS = 1_000  # texts that values stand for

Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]  # far more than any page holds
Share = Annotated[float, Meta(ge=0, le=1)]
Place = Annotated[float, Meta(ge=-1e9, le=1e9)]  # an order among siblings
Text = Annotated[str, Meta(max_length=1_000_000)]
Name = Annotated[str, Meta(min_length=1, max_length=1_000)]
Element = Annotated[str, Meta(min_length=1, max_length=1_000_000)]  # a tag and all its words
DataPath = Annotated[list[str | Count], Meta(max_length=MOST_STEPS_DOWN)]

StepAction: TypeAlias = Literal[
    "want", "reject", "absent", "only", "show", "add page", "remove page", "rename", "drop", "group", "rule"
]
"""What a step does."""


def _key(name: str) -> str:
    return name.replace("_", " ")


class _Form(Struct, rename=_key):
    """An object of a wrapper file."""


class TrainingForm(_Form, kw_only=True):
    """How a wrapper was learned."""

    pages: Count = 0
    needed: Count = 0
    complying: Count = 0
    left_out: list[Text] = []


class CheckedForm(_Form, kw_only=True):
    """A page that a wrapper was checked on."""

    page: Text
    verdict: Verdict
    found: Share
    known: Share


class DataSlotForm(_Form, kw_only=True):
    """A value of the page's data in a text."""

    path: DataPath
    form: Text = "text"


class DataWordForm(_Form, kw_only=True):
    """A text for a value."""

    data: str | int | float | bool | None
    text: Text | None


class WrittenForm(_Form, kw_only=True):
    """How a text follows from the page's data."""

    pieces: Annotated[list[str | DataSlotForm], Meta(min_length=1, max_length=MOST_PIECES)]
    words: Annotated[list[DataWordForm], Meta(max_length=MOST_WORDS)] = []


Written = Annotated[list[WrittenForm], Meta(min_length=1, max_length=MOST_PIECES)]


class _PlaceForm(_Form, kw_only=True):
    syntax: Literal["json-ld", "state"]
    name: Text
    path: DataPath


class ValuePathForm(_PlaceForm, kw_only=True):
    """Where pages carry a value."""

    written: Written | None = None


class FieldPathsForm(_Form, kw_only=True):
    """The paths of a field."""

    field: Name
    alone: bool = True
    paths: Annotated[list[ValuePathForm], Meta(min_length=1, max_length=MOST_PIECES)]


class RecordsPathForm(_PlaceForm, kw_only=True):
    """The array of the records of a set."""

    records: Name
    fields: dict[Name, Written]


class BehindForm(_Form, kw_only=True):
    """What the pages' own data gives."""

    fields: Annotated[list[FieldPathsForm], Meta(max_length=MOST_PATTERNS)] = []
    lists: Annotated[list[RecordsPathForm], Meta(max_length=MOST_PATTERNS)] = []


class _AboutForm(_Form, kw_only=True):
    rendered: bool = False
    needs: Literal["static", "rendered"] = "rendered"
    language: Annotated[str, Meta(max_length=1_000)] | None = None
    training: TrainingForm = entry(default_factory=TrainingForm)
    checked: list[CheckedForm] = []
    behind: BehindForm = entry(default_factory=BehindForm)
    profile: Profile = Profile()


# ---------------------------------------------------------------- templates


class InducedForm(_AboutForm, kw_only=True):
    """A wrapper learned from pages alone."""

    templates: list["TemplateForm"]
    sheet: "SheetLabelsForm | None" = None


class SheetLabelsForm(_Form, kw_only=True):
    """What PDFs of one template share."""

    lines: list[Text] = []
    labels: list[Text] = []
    prefixes: list[Text] = []


class TemplateForm(_Form, kw_only=True):
    """A template, and the set whose items are the records."""

    records: Text | None = None
    picture: "ReferenceForm | None" = None
    page: "BodyForm"


class _FieldForm(_Form, kw_only=True):
    field: Name
    type: ColumnType = ColumnType()
    examples: list[Text] = []
    dropped: bool = False
    aside: bool = False


class ReferenceForm(_FieldForm, kw_only=True):
    """A field that holds addresses: where a text leads, or pictures."""

    elements: Annotated[list[Text], Meta(max_length=MOST_ELEMENTS)] = []


class WithinForm(_FieldForm, kw_only=True):
    """A field that is a part of a text: a value between words, or its paragraphs."""

    between: Annotated[list[Text], Meta(max_length=MOST_JOINTS)] = []
    number: Count = 0


class _BodyPartsForm(_Form, kw_only=True):
    headed: bool = False
    variants: dict[Element, Element] = {}
    constants: list[Text] = []
    rows_begin: list[Element] = []
    rows_open: bool = False
    rows_go_on: list[Element] | None = None
    rows: dict[Text, "RowForm"] = {}


class BodyForm(_BodyPartsForm, kw_only=True):
    """The content of an element."""

    seen: Count
    slots: list["SlotForm"]


class InsideForm(_BodyPartsForm, kw_only=True):
    """A body, a fixed text or a field: its keys say which, and the codec asks for what each of them needs."""

    seen: Count = 0
    slots: list["SlotForm"] = []
    text: Text = ""
    field: Text = ""
    type: ColumnType = ColumnType()
    examples: list[Text] = []
    prose: bool = False
    dropped: bool = False
    aside: bool = False
    begins: Text = ""
    leads_to: ReferenceForm | None = None
    within: list[WithinForm] = []


class SlotForm(_Form, kw_only=True):
    """A place among the children of an element."""

    takes: Literal["one", "set", "group", "rest"]
    seen: Count
    at: Place = 0.0
    elements: dict[Element, Count]
    name: Text = ""
    says: dict[Text, Count] = {}
    begins_with: dict[Text, Count] = {}
    kind: Annotated[int, Meta(ge=0, le=MOST_KINDS)] = 0
    single: bool = False
    holds: list[Element] = []
    begins: list[Element] = []
    goes_on: list[Element] = []
    anywhere: bool = False
    picture: ReferenceForm | None = None
    inside: InsideForm


class RowForm(_Form, kw_only=True):
    """A row of a body."""

    seen: Count
    at: Place = 0.0
    inside: InsideForm


# ---------------------------------------------------------------- patterns


class TaughtForm(_AboutForm, kw_only=True):
    """A wrapper taught by examples."""

    patterns: Annotated[list["PatternForm"], Meta(min_length=1, max_length=MOST_PATTERNS)]


class PatternForm(_Form, kw_only=True):
    """A field, or the records of a page."""

    name: Name
    many: bool = False
    optional: bool = False
    joined: bool = False
    lined: bool = False
    whole: bool = False
    flat: bool = False
    dropped: bool = False
    unsure: bool = False
    lone: bool = False
    partial: bool = False
    loose: bool = False
    unlearned: bool = False
    watched: bool = False
    needs_all: bool = False
    take: Name = "text"
    cut: Text | None = None
    split: Annotated[list[Name], Meta(max_length=MOST_SEPARATORS)] = []
    pages: Count = 0
    rules: Annotated[list["RuleForm"], Meta(max_length=MOST_RULES)]
    fields: Annotated[list["PatternForm"], Meta(max_length=MOST_PATTERNS)] = []


class RuleForm(_Form, kw_only=True):
    """Conditions that must all hold."""

    pick: Literal["all", "first", "last"] = "all"
    conditions: Annotated[list["ConditionForm"], Meta(max_length=MOST_CONDITIONS)] = entry(name="if")


class ConditionForm(_Form, kw_only=True):
    """One condition of a rule."""

    way: Name
    test: Name
    value: Text = ""
    negated: bool = entry(default=False, name="not")


# ---------------------------------------------------------------- lessons


class StepForm(_Form, kw_only=True):
    """A step in a file."""

    action: StepAction
    page: Text = ""
    field: Text = ""
    node: Count | None = None
    text: Text | None = None
    point: tuple[float, float] | None = None
    to: Text = ""
    fields: Annotated[list[Name], Meta(max_length=MOST_RULES)] = []
    into: Text = ""
    rules: Annotated[list["RuleForm"], Meta(max_length=MOST_RULES)] = []
    values: dict[Name, list[Text]] | None = None
    records: Annotated[list[dict[str, Any]], Meta(max_length=MOST_STEPS)] = []
    said: Text = ""


class LessonForm(_Form, kw_only=True):
    """A lesson in a file."""

    pages: Annotated[list[Name], Meta(max_length=MOST_PAGES)] = []
    steps: Annotated[list[StepForm], Meta(max_length=MOST_STEPS)] = []
    at: Annotated[int, Meta(ge=0, le=MOST_STEPS)]
    settings: dict[str, int] = {}
