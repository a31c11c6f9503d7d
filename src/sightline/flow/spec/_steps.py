"""The steps of a flow: each a frozen dataclass whose fields carry the forms of its keys."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field
from typing import Any, ClassVar

from sightline.flow.spec._forms import (
    CHANGES,
    COLUMN_NAMES,
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
from sightline.yaml import COUNT, FLAG, LINE, WORDS, Given, Mapped, OneOf, SecretName, did_you_mean, key, keys_of, main

__all__ = [
    "FLOW_STEPS",
    "CollectSource",
    "DeduplicateStep",
    "DeliverStep",
    "ExtractSource",
    "FlowStep",
    "GateStep",
    "JoinStep",
    "MatchStep",
    "NestStep",
    "NormaliseStep",
    "NotifyStep",
    "PlaySource",
    "QuerySource",
    "ReadSource",
    "SqlStep",
    "UnionStep",
    "UnnestStep",
    "read_flow_step",
    "write_flow_step",
]

MOST_PAGES = 100  # of a list that is collected, unless told otherwise
# What other tools call the steps.
OTHER_WORDS = {
    **dict.fromkeys(("load", "file", "csv", "input", "source"), "read"),
    **dict.fromkeys(("select", "transform"), "sql"),
    **dict.fromkeys(("scrape", "wrap", "tables", "lists", "pdf"), "extract"),
    **dict.fromkeys(("navigate", "script"), "play"),
    **dict.fromkeys(("concat", "append", "merge"), "union"),
    **dict.fromkeys(("dedupe", "distinct", "unique"), "deduplicate"),
    **dict.fromkeys(("flatten", "explode"), "unnest"),
    **dict.fromkeys(("normalize", "convert", "clean"), "normalise"),
    **dict.fromkeys(("validate", "verify", "test", "gate"), "check"),
    **dict.fromkeys(("write", "save", "export", "output", "sink", "store"), "deliver"),
    **dict.fromkeys(("alert", "mail", "tell", "message"), "notify"),
}


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
class ReadSource(FlowStep):
    """Read tables: CSV, Excel, JSON or Parquet files."""

    word: ClassVar[str] = "read"
    files: tuple[str, ...] = main(WORDS)


@dataclass(frozen=True, kw_only=True)
class QuerySource(FlowStep):
    """Read the rows of a query from DuckDB, SQLite or PostgreSQL."""

    word: ClassVar[str] = "query"
    sql: str = main(LINE)
    database: str | SecretName = key(PRIVATE, "from")


@dataclass(frozen=True, kw_only=True)
class ExtractSource(FlowStep):
    """Extract records from pages, PDFs, folders or archives: by a wrapper, or the main table, list or top list."""

    word: ClassVar[str] = "extract"
    sources: tuple[str, ...] = main(WORDS)
    wrapper: str = key(LINE, "wrapper", "")
    take: str = key(OneOf(("tables", "lists", "top")), "take", "")
    containing: str = key(LINE, "containing", "")
    static: bool = key(FLAG, "static", default=False)


@dataclass(frozen=True, kw_only=True)
class CollectSource(FlowStep):
    """Collect a list over all its pages, and the pages that its records lead to."""

    word: ClassVar[str] = "collect"
    address: str = main(LINE)
    what: str = key(OneOf(("lists", "tables", "top")), "what", "lists")
    wrapper: str = key(LINE, "wrapper", "")
    details: str = key(LINE, "details", "")
    pages: int = key(COUNT, "pages", MOST_PAGES)
    static: bool = key(FLAG, "static", default=False)


@dataclass(frozen=True, kw_only=True)
class PlaySource(FlowStep):
    """Play a navigation script and take one of its outputs."""

    word: ClassVar[str] = "play"
    script: str = main(LINE)
    output: str = key(LINE, "output", "records")
    variables: Mapping[str, str] = key(Mapped(LINE), "variables", None)


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
    steps: tuple[str, ...] = main(INPUTS)
    columns: Mapping[str, Mapping[str, str]] | None = key(UNION_COLUMNS, "columns", None)
    label: str = key(LINE, "label", "")

    @property
    def inputs(self) -> tuple[str, ...]:
        """The steps."""
        return self.steps


@dataclass(frozen=True, kw_only=True)
class JoinStep(FlowStep):
    """Put the columns of two steps beside each other, where the values of some columns are the same."""

    word: ClassVar[str] = "join"
    steps: tuple[str, ...] = main(INPUTS)
    same: Mapping[str, str] = key(SAME_COLUMNS, "on")
    how: str = key(OneOf(("inner", "left", "full")), "how", "left")

    @property
    def inputs(self) -> tuple[str, ...]:
        """The steps."""
        return self.steps


@dataclass(frozen=True, kw_only=True)
class DeduplicateStep(OneInputStep):
    """Keep one row of each key: the first or last, in the order of a column if one is named."""

    word: ClassVar[str] = "deduplicate"
    rows: str = main(INPUT)
    by: Mapping[str, str] = key(COLUMN_NAMES, "by")
    order: str = key(LINE, "order", "")
    keep: str = key(OneOf(("first", "last")), "keep", "first")


@dataclass(frozen=True, kw_only=True)
class NestStep(OneInputStep):
    """One row for each key; the other columns become a list of rows inside it."""

    word: ClassVar[str] = "nest"
    rows: str = main(INPUT)
    by: Mapping[str, str] = key(COLUMN_NAMES, "by")
    into: str = key(LINE, "into", "rows")


@dataclass(frozen=True, kw_only=True)
class UnnestStep(OneInputStep):
    """One row for each entry of a list; the other columns are repeated."""

    word: ClassVar[str] = "unnest"
    rows: str = main(INPUT)
    column: str = key(LINE, "column")


@dataclass(frozen=True, kw_only=True)
class SqlStep(FlowStep):
    """Any SQL of DuckDB over the rows of other steps, by their names."""

    word: ClassVar[str] = "sql"
    sql: str = main(LINE)
    tables: tuple[str, ...] = field(default=(), compare=False)

    @property
    def inputs(self) -> tuple[str, ...]:
        """The tables that the query reads."""
        return self.tables


# ---------------------------------------------------------------------- normalise, match, check, deliver, notify


@dataclass(frozen=True, kw_only=True)
class NormaliseStep(OneInputStep):
    """Bring columns to one currency, unit and spelling; the originals stay beside them."""

    word: ClassVar[str] = "normalise"
    rows: str = main(INPUT)
    columns: tuple[NormalColumn, ...] = key(NORMAL_COLUMNS, "columns")


@dataclass(frozen=True, kw_only=True)
class MatchStep(OneInputStep):
    """Find the record of a catalogue that each row is; adds `match`, `match_score`, `match_zone` and `match_why`."""

    word: ClassVar[str] = "match"
    rows: str = main(INPUT)
    catalogue: str = key(INPUT, "to")
    columns: Mapping[str, str] | None = key(COLUMN_NAMES, "columns", None)
    catalogue_columns: Mapping[str, str] | None = key(COLUMN_NAMES, "catalogue columns", None)
    catalogue_id: str = key(LINE, "id", "")
    assignment: str = key(OneOf(("one-to-one", "many-to-one")), "assignment", "many-to-one")
    matched: float | None = key(SHARE, "matched", None)
    review: float | None = key(SHARE, "review", None)
    decisions: str = key(LINE, "decisions", "")

    @property
    def inputs(self) -> tuple[str, ...]:
        """The rows and the catalogue."""
        return (self.rows, self.catalogue)


@dataclass(frozen=True, kw_only=True)
class GateStep(OneInputStep):
    """Let only good rows through; the others go to quarantine with the reasons."""

    word: ClassVar[str] = "check"
    rows: str = main(INPUT)
    let: tuple[str, ...] = key(WORDS, "let", ("ok",))
    need: Mapping[str, str] | None = key(COLUMN_NAMES, "need", None)
    unique: Mapping[str, str] | None = key(COLUMN_NAMES, "unique", None)
    rules: Mapping[str, str] | None = key(Mapped(LINE), "rules", None)
    least: int | None = key(COUNT, "at least", None)
    fall: float | None = key(SHARE, "at most fewer", None)


@dataclass(frozen=True, kw_only=True)
class DeliverStep(OneInputStep):
    """Bring rows to a database, file or service, each exactly once."""

    word: ClassVar[str] = "deliver"
    rows: str = main(INPUT)
    to: str | SecretName = key(PRIVATE, "to")
    table: str = key(LINE, "table", "")
    mode: str = key(OneOf(("append", "replace", "upsert", "history")), "mode", "")
    key_columns: tuple[str, ...] = key(WORDS, "key", ())
    columns: Mapping[str, str] | None = key(COLUMN_NAMES, "columns", None)
    changes: bool = key(FLAG, "allow schema changes", default=False)
    options: Mapping[str, Any] | None = key(PRIVATE_BY_NAME, "options", None)


@dataclass(frozen=True, kw_only=True)
class NotifyStep(OneInputStep):
    """Tell people what changed since the last run."""

    word: ClassVar[str] = "notify"
    rows: str = main(INPUT)
    to: tuple[str | SecretName, ...] = key(PRIVATES, "to")
    when: tuple[ChangeRule, ...] = key(CHANGES, "when")
    key_columns: tuple[str, ...] = key(WORDS, "key", ())


FLOW_STEPS: Mapping[str, type[FlowStep]] = {
    kind.word: kind
    for kind in (
        *(ReadSource, QuerySource, ExtractSource, CollectSource, PlaySource),
        *(UnionStep, JoinStep, DeduplicateStep, NestStep, UnnestStep, SqlStep),
        *(NormaliseStep, MatchStep, GateStep, DeliverStep, NotifyStep),
    )
}
"""Every step by its word."""


# ---------------------------------------------------------------------- reading and writing


def read_flow_step(name: str, given: Given) -> FlowStep:
    """A step of a flow; an unknown word or a missing key is an error with its line."""
    given.check_there("a step, such as `read: catalogue.csv`")
    if not isinstance(given.value, dict):
        given.fail(f"{given} is no step; write its keys below `{name}:`, such as `read: catalogue.csv`.")
    pairs = list(given.pairs())
    kind = next((FLOW_STEPS[pair.word] for pair in pairs if pair.word in FLOW_STEPS), None)
    if kind is None:
        word = pairs[0].word if pairs else ""
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
