"""The steps of a flow: each a frozen dataclass whose fields carry the forms of its keys."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field
from datetime import timedelta
from typing import Any, ClassVar, TypeAlias

from sightline.extract.about import KINDS
from sightline.flow.spec._forms import (
    ANY_INPUTS,
    CHANGES,
    COLUMN_NAMES,
    DURATION,
    INPUT,
    INPUTS,
    PRIVATE,
    PRIVATE_BY_NAME,
    PRIVATES,
    SAME_COLUMNS,
    SHARE,
    UNION_COLUMNS,
    ChangeRule,
)
from sightline.flow.spec._normal_form import NORMAL_COLUMNS, NormalColumn
from sightline.yaml import (
    COUNT,
    FLAG,
    LINE,
    WORDS,
    Mapped,
    OneOf,
    SecretName,
    YamlValue,
    did_you_mean,
    key,
    keys_of,
    main,
)

MOST_PAGES = 100  # of a list that is collected, unless told otherwise
# What other tools call the steps.
OTHER_WORDS = {
    **dict.fromkeys(("load", "file", "csv", "input", "source"), "read"),
    **dict.fromkeys(("select", "transform"), "sql"),
    **dict.fromkeys(("scrape", "wrap", "tables", "lists", "pdf"), "extract"),
    **dict.fromkeys(("thing", "product", "recipe", "article"), "about"),
    **dict.fromkeys(("navigate", "script"), "play"),
    **dict.fromkeys(("concat", "append", "merge"), "union"),
    **dict.fromkeys(("dedupe", "distinct", "unique"), "deduplicate"),
    **dict.fromkeys(("flatten", "explode"), "unnest"),
    **dict.fromkeys(("normalize", "convert", "clean"), "normalise"),
    **dict.fromkeys(("validate", "verify", "test", "gate"), "check"),
    **dict.fromkeys(("write", "save", "export", "output", "sink", "store"), "deliver"),
    **dict.fromkeys(("alert", "mail", "tell", "message"), "notify"),
}


# What the forms of an editor need to know beyond the form of a value.
_LONG = {"kind": "long text"}
_COLUMN = {"columns": True}
_TABLE_FILES = {"kind": "file", "many": True, "suffixes": [".csv", ".tsv", ".xlsx", ".json", ".jsonl", ".parquet"]}
_PAGE_FILES = {"kind": "file", "many": True, "suffixes": [".html", ".pdf", ".mhtml", ".warc", ".warc.gz", ".page"]}
_WRAPPERS = {"kind": "file", "suffixes": [".wrapper.json"]}
_SCRIPTS = {"kind": "file", "suffixes": [".nav.yaml"]}
_DECISIONS = {"kind": "file", "suffixes": [".jsonl"]}


@dataclass(frozen=True, kw_only=True)
class FlowStep:
    """One step; `name` is what other steps call its rows, and `line` where it is in its file."""

    word: ClassVar[str] = ""
    name: str = ""
    line: int = field(default=0, compare=False)
    lines: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the steps whose rows it takes."""
        return ()

    @property
    def is_source(self) -> bool:
        """Whether its rows come from outside."""
        return not self.inputs

    def __str__(self) -> str:
        """The step as a line of progress."""
        value = getattr(self, keys_of(type(self))[self.word].name)
        shown = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
        return f"{self.word} {' '.join(shown.split())}"


# ---------------------------------------------------------------------- sources


@dataclass(frozen=True, kw_only=True)
class SourceStep(FlowStep):
    """A step whose rows come from outside, and what to do if they don't come."""

    optional: bool = key(
        FLAG, "optional", default=False, about="Whether the run goes on without its rows if they can't be read"
    )
    keep_last: timedelta | None = key(
        DURATION,
        "keep_last",
        None,
        about="How old its last good rows may be that stand in if they can't be read",
    )
    on_new_column: str = key(
        OneOf(("keep", "ignore", "stop")), "on_new_column", "keep", about="What becomes of a column that is new"
    )


@dataclass(frozen=True, kw_only=True)
class ReadSource(SourceStep):
    """Read tables: CSV, Excel, JSON or Parquet files."""

    word: ClassVar[str] = "read"
    files: tuple[str, ...] = main(WORDS, about="Files with rows; `*` stands for any letters", editor=_TABLE_FILES)
    limits: Mapping[str, int] | None = key(
        Mapped(COUNT), "limits", None, about="What a file may cost, such as `table columns: 50000`"
    )


@dataclass(frozen=True, kw_only=True)
class QuerySource(SourceStep):
    """Read the rows of a query from DuckDB, SQLite or PostgreSQL."""

    word: ClassVar[str] = "query"
    sql: str = main(LINE, about="A query in the SQL of that database", editor=_LONG)
    database: str | SecretName = key(PRIVATE, "from", about="File or address of the database, or a secret")
    files: tuple[str, ...] = key(
        WORDS, "files", (), about="Folders or files beyond the folder of the flow that a query of DuckDB may read"
    )


@dataclass(frozen=True, kw_only=True)
class ExtractSource(SourceStep):
    """Extract records from pages, PDFs, folders or archives: by a wrapper, or the main table, list or top list."""

    word: ClassVar[str] = "extract"
    sources: tuple[str, ...] = main(WORDS, about="Addresses, files, folders or archives of pages", editor=_PAGE_FILES)
    wrapper: str = key(LINE, "wrapper", "", about="The wrapper that reads the pages", editor=_WRAPPERS)
    take: str = key(OneOf(("tables", "lists", "top")), "take", "", about="What is taken where no wrapper is given")
    containing: str = key(LINE, "containing", "", about="A word that the table or list has")
    static: bool = key(FLAG, "static", default=False, about="Read the pages without a browser")


@dataclass(frozen=True, kw_only=True)
class AboutSource(SourceStep):
    """Read each page as the thing that it is about, such as a product or a recipe: one row a page."""

    word: ClassVar[str] = "about"
    sources: tuple[str, ...] = main(WORDS, about="Addresses, files, folders or archives of pages", editor=_PAGE_FILES)
    kind: str = key(
        OneOf(tuple(KINDS)), "kind", "", about="The kind of thing to read every page as; the likeliest if not said"
    )
    static: bool = key(FLAG, "static", default=False, about="Read the pages without a browser")


PagesSource: TypeAlias = ExtractSource | AboutSource
"""A source that names its pages one by one."""


@dataclass(frozen=True, kw_only=True)
class CollectSource(SourceStep):
    """Collect a list over all its pages, and the pages that its records lead to."""

    word: ClassVar[str] = "collect"
    address: str = main(LINE, about="The first page of the list")
    what: str = key(OneOf(("lists", "tables", "top")), "what", "lists", about="What is taken where no wrapper is given")
    wrapper: str = key(LINE, "wrapper", "", about="The wrapper that reads the list", editor=_WRAPPERS)
    details: str = key(
        LINE, "details", "", about="The wrapper of the pages that the records lead to, or auto", editor=_WRAPPERS
    )
    pages: int = key(COUNT, "pages", MOST_PAGES, about="How many pages of the list are read at most")
    static: bool = key(FLAG, "static", default=False, about="Read the pages without a browser")


@dataclass(frozen=True, kw_only=True)
class PlaySource(SourceStep):
    """Play a navigation script and take one of its outputs."""

    word: ClassVar[str] = "play"
    script: str = main(LINE, about="The navigation script", editor=_SCRIPTS)
    output: str = key(LINE, "output", "records", about="Which of its outputs")
    variables: Mapping[str, str] = key(Mapped(LINE), "variables", None, about="Other values for its variables")


# ---------------------------------------------------------------------- integrate


@dataclass(frozen=True, kw_only=True)
class OneInputStep(FlowStep):
    """A step that takes the rows of one other."""

    @property
    def input(self) -> str:
        """The name of the step whose rows it takes."""
        return str(getattr(self, keys_of(type(self))[self.word].name))

    @property
    def inputs(self) -> tuple[str, ...]:
        """The same."""
        return (self.input,)


@dataclass(frozen=True, kw_only=True)
class UnionStep(FlowStep):
    """Put the rows of several steps below each other; `columns` says what each column is called in each step."""

    word: ClassVar[str] = "union"
    steps: tuple[str, ...] = main(INPUTS, about="The steps whose rows are put together")
    columns: Mapping[str, Mapping[str, str]] | None = key(
        UNION_COLUMNS, "columns", None, about="What each column is called in each step; proposed if not said"
    )
    label: str = key(LINE, "label", "", about="A new column with the name of the step that a row came from")

    @property
    def inputs(self) -> tuple[str, ...]:
        """The steps."""
        return self.steps


@dataclass(frozen=True, kw_only=True)
class JoinStep(FlowStep):
    """Put the columns of two steps beside each other, where the values of some columns are the same."""

    word: ClassVar[str] = "join"
    steps: tuple[str, ...] = main(INPUTS, about="The steps whose columns are put side by side")
    same: Mapping[str, str] = key(SAME_COLUMNS, "on", about="The columns whose values are the same in both")
    how: str = key(OneOf(("inner", "left", "full")), "how", "left", about="Which rows stay that have no partner")

    @property
    def inputs(self) -> tuple[str, ...]:
        """The steps."""
        return self.steps


@dataclass(frozen=True, kw_only=True)
class DeduplicateStep(OneInputStep):
    """Keep one row of each key: the first or last, in the order of a column if one is named."""

    word: ClassVar[str] = "deduplicate"
    rows: str = main(INPUT, about="The step whose rows are taken")
    by: Mapping[str, str] = key(COLUMN_NAMES, "by", about="The columns by which rows are the same")
    order: str = key(LINE, "order", "", about="The column that rows are ordered by", editor=_COLUMN)
    keep: str = key(OneOf(("first", "last")), "keep", "first", about="Which of the same rows stays")


@dataclass(frozen=True, kw_only=True)
class NestStep(OneInputStep):
    """One row for each key; the other columns become a list of rows inside it."""

    word: ClassVar[str] = "nest"
    rows: str = main(INPUT, about="The step whose rows are taken")
    by: Mapping[str, str] = key(COLUMN_NAMES, "by", about="The columns that each row keeps")
    into: str = key(LINE, "into", "rows", about="The new column with the list")


@dataclass(frozen=True, kw_only=True)
class UnnestStep(OneInputStep):
    """One row for each entry of a list; the other columns are repeated."""

    word: ClassVar[str] = "unnest"
    rows: str = main(INPUT, about="The step whose rows are taken")
    column: str = key(LINE, "column", about="The column that has lists", editor=_COLUMN)


@dataclass(frozen=True, kw_only=True)
class SqlStep(FlowStep):
    """Any SQL of DuckDB over the rows of other steps, by their names."""

    word: ClassVar[str] = "sql"
    sql: str = main(LINE, about="A query over the rows of other steps, each a table by its name", editor=_LONG)
    files: tuple[str, ...] = key(
        WORDS, "files", (), about="Folders or files beyond the folder of the flow that the query may read"
    )
    tables: tuple[str, ...] = field(default=(), compare=False)

    @property
    def inputs(self) -> tuple[str, ...]:
        """The tables that the query reads."""
        return self.tables


@dataclass(frozen=True, kw_only=True)
class PythonStep(FlowStep):
    """Make rows by a function of Python: Arrow tables in, one out. It may do whatever you may, so it needs trust."""

    word: ClassVar[str] = "python"
    function: str = main(LINE, about="The function as module:name, or the name by which a package offers it")
    takes: tuple[str, ...] = key(ANY_INPUTS, "takes", (), about="The steps whose rows it gets, in this order")
    options: Mapping[str, Any] | None = key(
        PRIVATE_BY_NAME, "options", None, about="Further arguments of the function, by their names"
    )

    @property
    def inputs(self) -> tuple[str, ...]:
        """The steps whose rows it gets."""
        return self.takes


# ---------------------------------------------------------------------- normalise, match, check, deliver, notify


@dataclass(frozen=True, kw_only=True)
class NormaliseStep(OneInputStep):
    """Bring columns to one currency, unit and spelling; the originals stay beside them."""

    word: ClassVar[str] = "normalise"
    rows: str = main(INPUT, about="The step whose rows are taken")
    columns: tuple[NormalColumn, ...] = key(NORMAL_COLUMNS, "columns", about="What becomes of which column, in order")


@dataclass(frozen=True, kw_only=True)
class MatchStep(OneInputStep):
    """Find the record of a catalogue that each row is; adds `match`, `match_score`, `match_zone` and `match_why`."""

    word: ClassVar[str] = "match"
    rows: str = main(INPUT, about="The step whose rows are taken")
    catalogue: str = key(INPUT, "to", about="The step with the catalogue")
    columns: Mapping[str, str] | None = key(COLUMN_NAMES, "columns", None, about="The columns that are compared")
    catalogue_columns: Mapping[str, str] | None = key(
        COLUMN_NAMES, "catalogue columns", None, about="The columns of the catalogue that they are compared with"
    )
    catalogue_id: str = key(LINE, "id", "", about="The column that tells the records of the catalogue apart")
    assignment: str = key(
        OneOf(("one-to-one", "many-to-one")),
        "assignment",
        "many-to-one",
        about="Whether several rows may be the same record",
    )
    matched: float | None = key(SHARE, "matched", None, about="From which chance on a pair is matched")
    review: float | None = key(SHARE, "review", None, about="From which chance on people are asked")
    decisions: str = key(LINE, "decisions", "", about="A file with the answers of people", editor=_DECISIONS)

    @property
    def inputs(self) -> tuple[str, ...]:
        """The rows and the catalogue."""
        return (self.rows, self.catalogue)


@dataclass(frozen=True, kw_only=True)
class FlowCheckStep(OneInputStep):
    """Let only good rows through; the others go to quarantine with the reasons."""

    word: ClassVar[str] = "check"
    rows: str = main(INPUT, about="The step whose rows are taken")
    let: tuple[str, ...] = key(WORDS, "let", ("ok",), about="The verdicts on sources with which rows go on")
    need: Mapping[str, str] | None = key(COLUMN_NAMES, "need", None, about="Columns that must not be empty")
    unique: Mapping[str, str] | None = key(COLUMN_NAMES, "unique", None, about="Columns that no two rows share")
    rules: Mapping[str, str] | None = key(
        Mapped(LINE), "rules", None, about="Rules by a name: conditions in SQL that each row must meet"
    )
    least: int | None = key(COUNT, "at least", None, about="How many rows there must be")
    fall: float | None = key(SHARE, "at most fewer", None, about="How many fewer than in the last good run")


@dataclass(frozen=True, kw_only=True)
class DeliverStep(OneInputStep):
    """Bring rows to a database, file or service, each exactly once."""

    word: ClassVar[str] = "deliver"
    rows: str = main(INPUT, about="The step whose rows are taken")
    to: str | SecretName = key(
        PRIVATE, "to", about="File, database#table or address that the rows are brought to, or a secret"
    )
    table: str = key(LINE, "table", "", about="The table, if the address does not name it")
    mode: str = key(
        OneOf(("append", "replace", "upsert", "history")), "mode", "", about="What becomes of rows that are there"
    )
    key_columns: tuple[str, ...] = key(WORDS, "key", (), about="The columns that tell rows apart", editor=_COLUMN)
    columns: Mapping[str, str] | None = key(
        COLUMN_NAMES, "columns", None, about="The columns that are delivered, with other names if wanted"
    )
    changes: bool = key(FLAG, "allow schema changes", default=False, about="Change the table if columns differ")
    options: Mapping[str, Any] | None = key(
        PRIVATE_BY_NAME, "options", None, about="What else this destination can be told"
    )


@dataclass(frozen=True, kw_only=True)
class NotifyStep(OneInputStep):
    """Tell people what changed since the last run."""

    word: ClassVar[str] = "notify"
    rows: str = main(INPUT, about="The step whose rows are taken")
    to: tuple[str | SecretName, ...] = key(PRIVATES, "to", about="Who is told: addresses of messages, or secrets")
    when: tuple[ChangeRule, ...] = key(CHANGES, "when", about="Which changes since the last run they hear of")
    key_columns: tuple[str, ...] = key(WORDS, "key", (), about="The columns that tell rows apart", editor=_COLUMN)


FLOW_STEPS: Mapping[str, type[FlowStep]] = {
    kind.word: kind
    for kind in (
        *(ReadSource, QuerySource, ExtractSource, AboutSource, CollectSource, PlaySource),
        *(UnionStep, JoinStep, DeduplicateStep, NestStep, UnnestStep, SqlStep, PythonStep),
        *(NormaliseStep, MatchStep, FlowCheckStep, DeliverStep, NotifyStep),
    )
}
"""Every step by its word."""

STEP_GROUPS: Mapping[str, str] = {
    **dict.fromkeys(("read", "query", "extract", "about", "collect", "play"), "source"),
    **dict.fromkeys(("union", "join", "deduplicate", "nest", "unnest", "sql", "python"), "combine"),
    "normalise": "clean",
    "match": "match",
    "check": "check",
    "deliver": "deliver",
    "notify": "deliver",
}
"""What each step is for, in one word."""


# ---------------------------------------------------------------------- reading and writing


def read_flow_step(name: str, given: YamlValue) -> FlowStep:
    """A step of a flow; an unknown word or a missing key is an error with its line."""
    given.check_there("a step, such as `read: catalogue.csv`")
    if not isinstance(given.value, dict):
        given.fail(f"{given} isn't a step; write its keys below `{name}:`, such as `read: catalogue.csv`.")
    pairs = list(given.pairs())
    kind = next((FLOW_STEPS[pair.word] for pair in pairs if pair.word in FLOW_STEPS), None)
    if kind is None:
        word = pairs[0].word if pairs else ""
        if pairs and not isinstance(pairs[0].key.value, str):
            pairs[0].key.fail(
                f"the first key of `{name}` has to be a word, such as `read`; check the braces before it."
            )
        hint = did_you_mean(word, FLOW_STEPS, OTHER_WORDS)
        (pairs[0].key if pairs else given).fail(f"there is no step `{word}`; {hint}")
    known = keys_of(kind)
    values: dict[str, Any] = {"name": name, "line": given.line}
    lines = {pair.word: pair.key.line for pair in pairs}
    for pair in pairs:
        if pair.word not in known:
            own = [word for word in known if word != kind.word]
            hint = f"`{kind.word}` and `{pair.word}` are two steps; give the second a name of its own."
            if pair.word not in FLOW_STEPS:
                hint = did_you_mean(pair.word, own) if own else f"it is the only key of `{kind.word}`."
            pair.key.fail(f"the step `{kind.word}` has no key `{pair.word}`; {hint}")
        if not (pair.value.value is None and known[pair.word].default is not MISSING):
            values[known[pair.word].name] = known[pair.word].metadata["form"].read(pair.value)
    for word, one in known.items():
        if one.name not in values and one.default is MISSING:
            given.fail(f"the step `{kind.word}` needs {'a value' if word == kind.word else f'the key `{word}`'}.")
    return kind(**values, lines=lines)


def write_flow_step(step: FlowStep) -> dict[str, Any]:
    """A step as plain YAML, without what is the default."""
    found: dict[str, Any] = {}
    for word, one in keys_of(type(step)).items():
        value = getattr(step, one.name)
        if one.default is MISSING or value != one.default:
            found[word] = one.metadata["form"].write(value)
    return found
