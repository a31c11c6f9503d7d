"""A flow: named steps, read from a file and checked as a whole."""

import atexit
import os
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson

from sightline.errors import MissingExtra, UsageError
from sightline.flow._duckdb import open_duckdb
from sightline.flow.spec._forms import DURATION, PRIVATES, STEP_NAME
from sightline.flow.spec._sql_variables import bound_sql, sql_variables, variables_in_names
from sightline.flow.spec._steps import (
    FLOW_STEPS,
    DeduplicateStep,
    DeliverStep,
    FlowStep,
    NotifyStep,
    QuerySource,
    SqlStep,
    read_flow_step,
)
from sightline.yaml import (
    LINE,
    TEXT_OR_NOTHING,
    VARIABLE,
    Mapped,
    MistakeError,
    SecretName,
    SecretPlace,
    YamlValue,
    check_length,
    did_you_mean,
    inside,
    keys_of,
    load_text,
    read_keys,
    read_secrets,
    secrets_schema,
)

FLOW_VERSION = 1
# What may stand above the steps, and how each of it is read.
FLOW_HEAD: Mapping[str, Callable[[YamlValue], Any]] = {
    "about": TEXT_OR_NOTHING.read,
    "variables": Mapped(TEXT_OR_NOTHING).read,
    "secrets": read_secrets,
    "schedule": LINE.read,
    "resume_within": DURATION.read,
    "on_failure": PRIVATES.read,
    "on_suspicious": PRIVATES.read,
    "on_success": PRIVATES.read,
}
FLOW_KEYS = ("flow", *FLOW_HEAD, "steps")
RESUME_WITHIN = timedelta(hours=1)
"""How old a run may be that is taken up again, unless its flow says otherwise."""
DATE_VARIABLES: Mapping[str, str] = {"date": "%Y-%m-%d", "year": "%Y", "month": "%m", "day": "%d"}
"""What a run knows of its due date, unless the flow has variables of these names."""
_SUFFIXES = re.compile(r"(\.flow)?\.ya?ml$", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Flow:
    r"""A flow, ready to be run: its steps by their names, in the order of the file.

    >>> steps = "  ours:\n    read: ours.csv\n  kept:\n    deliver: ours\n    to: x.duckdb#t\n"
    >>> flow = Flow.loads("flow: 1\nsteps:\n" + steps)
    >>> [str(step) for step in flow.steps.values()], flow.order
    (['read ours.csv', 'deliver ours'], ('ours', 'kept'))
    """

    steps: Mapping[str, FlowStep]
    about: str = ""
    variables: Mapping[str, str] = field(default_factory=dict)
    secrets: Mapping[str, SecretPlace] = field(default_factory=dict)
    schedule: str = ""
    resume_within: timedelta = RESUME_WITHIN
    on_failure: tuple[str | SecretName, ...] = ()
    on_suspicious: tuple[str | SecretName, ...] = ()
    on_success: tuple[str | SecretName, ...] = ()
    file: str = field(default="flow", compare=False)
    text: str = field(default="", compare=False, repr=False)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Flow":
        """The flow in a file."""
        return cls.loads(load_text(path, "flow"), str(path))

    @classmethod
    def loads(cls, text: str, file: str = "flow") -> "Flow":
        """The flow in a text; `file` is what errors call it."""
        check_length(text, file)
        values = read_keys(text, file, FLOW_KEYS, "flow", FLOW_VERSION)
        flow = cls(
            steps=_steps(values["steps"]),
            **{key: read(values[key]) for key, read in FLOW_HEAD.items() if key in values},
            file=file,
            text=text,
        )
        flow.check()
        return flow

    @property
    def name(self) -> str:
        """What its file is called, without the suffix."""
        return _SUFFIXES.sub("", Path(self.file).name)

    @property
    def folder(self) -> Path:
        """The folder of the flow, which the files in it are relative to."""
        return Path(self.file).absolute().parent

    def values_in_sql(self, step: FlowStep) -> dict[str, str]:
        """The variables that the SQL of a step names, with their values."""
        return {name: self.variables[name] for name in sql_variables(_sql_of(step))}

    @property
    def order(self) -> tuple[str, ...]:
        """The names of the steps, each after those whose rows it takes."""
        return in_order(self.steps, self.file)

    def upstream(self, name: str) -> tuple[str, ...]:
        """The names of all steps from which the rows of a step come, itself the last."""
        wanted = {name}
        for step in reversed(self.order):
            if step in wanted:
                wanted.update(self.steps[step].inputs)
        return tuple(step for step in self.order if step in wanted)

    def readers(self, name: str) -> tuple[str, ...]:
        """The steps that take the rows of a step."""
        return tuple(step.name for step in self.steps.values() if name in step.inputs)

    def holder(self, name: str) -> str:
        """The step that holds the rows of a step: itself, unless it only hands them on."""
        step = self.steps[name]
        while isinstance(step, DeliverStep | NotifyStep):
            step = self.steps[step.rows]
        return step.name

    def key_of(self, name: str, columns: Iterable[str]) -> tuple[str, ...]:
        """The columns that tell the rows of a step apart, as the flow uses them further on, if the step has them."""
        found = self._key_further_on(name) if name in self.steps else ()
        return found if set(found) <= set(columns) else ()

    def _key_further_on(self, name: str) -> tuple[str, ...]:
        for step in (self.steps[one] for one in self.order):
            if not isinstance(step, DeliverStep | NotifyStep | DeduplicateStep) or name not in self.upstream(step.name):
                continue
            if isinstance(step, DeduplicateStep):
                return tuple(step.by)
            if step.key_columns:
                named = step.columns if isinstance(step, DeliverStep) and step.columns else {}
                return tuple(named.get(one, one) for one in step.key_columns)
        return ()

    def check(self) -> None:
        """Say which name is not known, and where."""
        _ = self.order
        for step in self.steps.values():
            at = YamlValue(None, self.file, step.line)
            sql = _sql_of(step)
            self._check_names((value for value in _values(step) if value != sql), at)
            for name in sql_variables(sql):
                self._check_variable(name, at)
            for name in variables_in_names(sql):
                if name in self.variables or name in DATE_VARIABLES:
                    told = "where SQL takes no values; write it out."
                    at.fail(f"the variable `{name}` stands in a name or in `$$`, {told}")
        self._check_names((*self.on_failure, *self.on_suspicious, *self.on_success), YamlValue(None, self.file, 1))

    def _check_names(self, values: Iterable[Any], at: YamlValue) -> None:
        """Say which secret or variable that values name is not known."""
        for value in values:
            if isinstance(value, SecretName) and value.name not in self.secrets:
                at.fail(f"the secret `{value.name}` is not known; add it under `secrets`, with where it is kept.")
            for name in VARIABLE.findall(value) if isinstance(value, str) else ():
                self._check_variable(name, at)

    def _check_variable(self, name: str, at: YamlValue) -> None:
        if name in self.secrets and name not in self.variables:
            at.fail(f"`{name}` is a secret, which is given as a whole: `{{secret: {name}}}`.")
        if name not in self.variables and name not in DATE_VARIABLES:
            known = did_you_mean(name, self.variables) if self.variables else "add it under `variables`."
            at.fail(f"the variable `{name}` is not known; {known}")

    def with_variables(self, given: Mapping[str, str]) -> "Flow":
        """The flow with other values for some of its variables."""
        for name in given:
            if name not in self.variables:
                known = did_you_mean(name, self.variables) if self.variables else "it has none."
                raise UsageError(f"{self.file} has no variable `{name}`; {known}")
        return replace(self, variables={**self.variables, **given})

    def due_on(self, when: datetime) -> "Flow":
        """The flow with what its texts ask of the due date of a run; variables of the flow come first."""
        asked = {name for name in VARIABLE.findall(self.text) if name in DATE_VARIABLES and name not in self.variables}
        return replace(
            self, variables={**self.variables, **{name: when.strftime(DATE_VARIABLES[name]) for name in asked}}
        )

    @property
    def filled_text(self) -> str:
        """The text of the file with the values of its variables, as far as they are known."""
        return self.filled_in(self.text)

    def filled_in(self, text: str) -> str:
        """A text with the values of variables."""
        return VARIABLE.sub(lambda found: self.variables.get(found[1], found[0]), text)

    def filled(self, step: FlowStep) -> FlowStep:
        """A step with the values of variables in its texts; SQL has them bound when it is run."""
        changes = {
            one.name: _filled(getattr(step, one.name), self.variables)
            for one in fields(step)
            if "form" in one.metadata and one.name != "sql"
        }
        return replace(step, **changes)

    def fail(self, step: FlowStep, problem: str, key: str = "") -> MistakeError:
        """The error that something is wrong with a step, at its line or that of one of its keys."""
        return MistakeError(self.file, step.lines.get(key, step.line), problem)


MOST_STEPS = 1_000
"""Steps of a flow; so many are read in a second, and 20,000 took more than a minute."""


def _sql_of(step: FlowStep) -> str:
    return step.sql if isinstance(step, SqlStep | QuerySource) else ""


def _steps(given: YamlValue) -> dict[str, FlowStep]:
    if not isinstance(given.value, dict) or not given.value:
        given.fail("`steps` has names, each with a step below it, such as `catalogue: {read: catalogue.csv}`.")
    if len(given.value) > MOST_STEPS:
        given.fail(f"the flow has {len(given.value):,} steps, and at most {MOST_STEPS:,} are read; split it.")
    found: dict[str, FlowStep] = {}
    seen: set[str] = set()
    for pair in given.pairs():
        if not STEP_NAME.fullmatch(pair.word):
            pair.key.fail(
                f"`{pair.word}` cannot be the name of a step; names have letters, digits and `_`, no digit first."
            )
        if pair.word.lower() in seen:
            pair.key.fail(f"`{pair.word}` differs from another step only by capitals; give it another name.")
        seen.add(pair.word.lower())
        step = replace(read_flow_step(pair.word, pair.value), line=pair.key.line)
        found[pair.word] = _with_tables(step, given.file) if isinstance(step, SqlStep) else step
    return found


def _with_tables(step: SqlStep, file: str) -> SqlStep:
    """A step of SQL with the names of the tables that it reads."""
    at = YamlValue(None, file, step.line)
    tables = tables_of(step.sql)
    if tables.problem:
        at.fail(f"the SQL of `{step.name}` cannot be read: {tables.problem}; fix it.")
    if not tables:
        at.fail(f"the SQL of `{step.name}` reads no step; name one after FROM.")
    return replace(step, tables=tuple(tables))


def _values(step: FlowStep) -> Iterator[Any]:
    for one in fields(step):
        if "form" in one.metadata:
            yield from inside(getattr(step, one.name))


def _filled(value: Any, variables: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return VARIABLE.sub(lambda found: variables.get(found[1], found[0]), value)
    if isinstance(value, tuple):
        return tuple(_filled(one, variables) for one in value)
    if isinstance(value, list):
        return [_filled(one, variables) for one in value]
    if isinstance(value, Mapping):
        return {name: _filled(one, variables) for name, one in value.items()}
    if is_dataclass(value) and not isinstance(value, SecretName | type):
        changes = {one.name: _filled(getattr(value, one.name), variables) for one in fields(value) if one.init}
        return replace(value, **changes)
    return value


# The JSON Schema of flows, for editors that complete and check them while they are written.


def flow_schema() -> dict[str, Any]:
    """The schema of a whole flow, made from the same declarations that read one."""
    properties = {
        "flow": {"const": FLOW_VERSION, "description": "The version of the language"},
        "about": {"type": "string", "description": "What the flow does, for people"},
        "variables": {
            "type": "object",
            "additionalProperties": LINE.schema(),
            "description": "Names with values, used as {name}",
        },
        "secrets": secrets_schema(),
        "schedule": {"type": "string", "description": "When it runs, such as: every weekday at 6:30 Europe/Vienna"},
        "resume_within": DURATION.schema() | {"description": "How old a run may be that is taken up again: 1 hour"},
        **{
            f"on_{outcome}": PRIVATES.schema() | {"description": f"Who hears of a run that ended in {outcome}"}
            for outcome in ("failure", "suspicious", "success")
        },
        "steps": {
            "type": "object",
            "propertyNames": {"pattern": f"^{STEP_NAME.pattern}$"},
            "additionalProperties": {"anyOf": [_step(kind) for kind in FLOW_STEPS.values()]},
            "minProperties": 1,
            "description": "What is done: names, each with a step",
        },
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Flow of Sightline",
        "type": "object",
        "properties": properties,
        "required": ["flow", "steps"],
        "additionalProperties": False,
    }


def _step(kind: type[FlowStep]) -> dict[str, Any]:
    keys = keys_of(kind)
    required = [word for word, one in keys.items() if one.default is MISSING]
    properties = {}
    for word, one in keys.items():
        schema = one.metadata["form"].schema()
        properties[word] = schema if word in required else {"anyOf": [schema, {"type": "null"}]}
    return {
        "type": "object",
        "description": (kind.__doc__ or "").strip(),
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


# The graph of the steps: who takes whose rows, and in which order they can run.


def in_order(steps: Mapping[str, FlowStep], file: str) -> tuple[str, ...]:
    """The names of the steps, each after those whose rows it takes; else as in the file.

    A step that takes what nobody makes, or its own rows by a detour, is an error with its line.
    """
    for step in steps.values():
        for name in step.inputs:
            if name not in steps:
                others = [other for other in steps if other != step.name]
                hint = did_you_mean(name, others) if others else "there is no other step."
                YamlValue(None, file, _line(step)).fail(
                    f"`{step.name}` takes the rows of `{name}`, which no step makes; {hint}"
                )
    done: dict[str, None] = {}
    for name in steps:
        _visit(name, steps, file, done, ())
    return tuple(done)


def _visit(name: str, steps: Mapping[str, FlowStep], file: str, done: dict[str, None], path: tuple[str, ...]) -> None:
    if name in done:
        return
    if name in path:
        circle = (*path[path.index(name) :], name)
        told = " → ".join(f"`{one}`" for one in reversed(circle))
        YamlValue(None, file, _line(steps[name])).fail(f"the steps go round in a circle: {told}; cut it somewhere.")
    for other in steps[name].inputs:
        _visit(other, steps, file, done, (*path, name))
    done[name] = None


def circle_from(name: str, inputs: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The way that the rows of a step take back to it, the step first and last; none if they never come back.

    >>> circle_from("a", {"a": ["c"], "b": ["a"], "c": ["b"]})
    ('a', 'b', 'c', 'a')
    """
    came: dict[str, str] = {}
    waiting = [name]
    while waiting:
        taker = waiting.pop()
        for giver in inputs.get(taker, ()):
            if giver == name:
                circle = [name]
                while taker != name:
                    circle.append(taker)
                    taker = came[taker]
                return (*circle, name) if len(circle) == 1 else (name, *circle[1:], name)
            if giver not in came and giver in inputs:
                came[giver] = taker
                waiting.append(giver)
    return ()


def in_circles(inputs: Mapping[str, Sequence[str]]) -> set[str]:
    """The steps that cannot be put in an order: those of circles, and those between two of them.

    >>> sorted(in_circles({"a": [], "b": ["a", "c"], "c": ["b"], "d": ["c"]}))
    ['b', 'c']
    """
    left = {name: set(givers) for name, givers in inputs.items()}
    for _ in range(2):  # first without those that only take from others, then without those that only give
        takers: dict[str, list[str]] = {name: [] for name in left}
        for name, givers in left.items():
            for giver in givers:
                takers[giver].append(name)
        ready = [name for name, givers in left.items() if not givers]
        while ready:
            done = ready.pop()
            del left[done]
            for taker in takers[done]:
                left[taker].discard(done)
                if not left[taker]:
                    ready.append(taker)
        turned: dict[str, set[str]] = {name: set() for name in left}
        for name, givers in left.items():
            for giver in givers:
                turned[giver].add(name)
        left = turned
    return set(left)


def _line(step: FlowStep) -> int:
    return step.lines.get(step.word, step.line)


# -- which steps a query reads, and the same query after one of them got another name -------------------------------

REMEMBERED = 2_000  # queries whose tables are known: those of every flow that people have open
_NAMED = re.compile(r'\b(?:from|join)\s+"?([A-Za-z_]\w*)', re.IGNORECASE)
_lock = threading.Lock()


class QueryTables(tuple[str, ...]):
    """The tables that a query reads, sorted; `problem` says why it cannot be read, and they are then only guessed."""

    problem: str = ""

    @classmethod
    def guessed(cls, sql: str, problem: str) -> "QueryTables":
        """The names after FROM and JOIN in what isn't a query yet."""
        found = cls(sorted(set(_NAMED.findall(sql))))
        found.problem = problem
        return found


def tables_of(sql: str) -> QueryTables:
    """The tables that a query reads; what DuckDB said of one is remembered, since asking takes a millisecond."""
    try:
        import duckdb  # noqa: F401 - asked for here, so that what is remembered is never its absence
    except ImportError as problem:
        raise MissingExtra("flow", "A step of SQL") from problem
    return _asked(bound_sql(sql, lambda _: "''"))


@lru_cache(maxsize=REMEMBERED)
def _asked(sql: str) -> QueryTables:
    import duckdb

    with _lock:
        try:
            return QueryTables(sorted(_read(_connection(), sql)))
        except duckdb.Error as problem:
            return QueryTables.guessed(sql, str(problem).splitlines()[0].removesuffix("."))


@lru_cache(maxsize=1)
def _connection() -> Any:
    """A database without tables, for questions about texts; opening one takes longer than a hundred questions."""
    atexit.register(_close)  # a connection that is open at the end makes its library complain of leaks
    return open_duckdb()


def _close() -> None:
    _connection().close()
    _connection.cache_clear()


def _read(connection: Any, sql: str) -> set[str]:
    """The tables that a query reads; by its text alone where DuckDB wants to see their columns, as for USING."""
    import duckdb

    try:
        return set(connection.get_table_names(sql))
    except (duckdb.BinderException, duckdb.PermissionException):  # files are not looked at to read a flow
        tree = _tree(connection, sql)
        if tree is None:
            raise
    parts = list(_objects(tree))
    named = {one["key"].casefold() for part in parts if (ctes := part.get("cte_map")) for one in ctes["map"]}
    read = {part["table_name"] for part in parts if part.get("type") == "BASE_TABLE"}
    return {name for name in read if name.casefold() not in named}


def _tree(connection: Any, sql: str) -> Any:
    (text,) = connection.execute("SELECT json_serialize_sql(?)", [sql]).fetchone()
    tree = orjson.loads(text)
    return None if tree["error"] else tree


def _objects(tree: Any) -> Iterator[dict[str, Any]]:
    """All objects of a JSON document."""
    if isinstance(tree, dict):
        yield tree
    for part in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        yield from _objects(part)


# ---------------------------------------------------------------------- renaming


def renamed_in_sql(sql: str, name: str, new: str) -> str | None:
    """The query with another name for a table; None if it could come to mean something else, such as by an alias.

    >>> renamed_in_sql("SELECT north.price FROM north -- of north", "north", "nord")
    'SELECT nord.price FROM nord -- of north'
    >>> renamed_in_sql("SELECT north FROM north", "north", "nord") is None
    True
    """
    import duckdb

    with _lock:
        connection = _connection()
        try:
            before = _tree(connection, sql)
            made = _with_words(sql, name, new)
            after = _tree(connection, made)
        except duckdb.Error:
            return None
    if before is None or after is None:
        return None
    return made if _meant(before, name, new) == _without_places(after) else None


def _with_words(sql: str, name: str, new: str) -> str:
    """Every identifier that is the name, replaced."""
    import duckdb

    tokens = duckdb.tokenize(sql)
    raw = sql.encode()
    parts, place = [], 0
    for number, (start, kind) in enumerate(tokens):
        end = tokens[number + 1][0] if number + 1 < len(tokens) else len(raw)
        word = re.match(rb'"(?:[^"]|"")*"|\w+', raw[start:end])
        if kind != duckdb.token_type.identifier or word is None:
            continue
        if word[0].decode().strip('"').casefold() == name.casefold():
            parts += [raw[place:start], new.encode()]
            place = start + word.end()
    return b"".join((*parts, raw[place:])).decode()


def _meant(tree: Any, name: str, new: str) -> Any:
    """What a query means, after a table got another name: that of the table, and before the dot of its columns."""
    if isinstance(tree, list):
        return [_meant(one, name, new) for one in tree]
    if not isinstance(tree, dict):
        return tree
    found = {key: _meant(one, name, new) for key, one in tree.items() if not key.startswith("query_location")}
    if found.get("type") == "BASE_TABLE" and str(found["table_name"]).casefold() == name.casefold():
        found["table_name"] = new
        if isinstance(whole := found.get("qualified_name"), dict):
            found["qualified_name"] = {**whole, "path": [*whole["path"][:-1], new]}
    columns = found.get("column_names")
    if isinstance(columns, list) and len(columns) > 1 and str(columns[0]).casefold() == name.casefold():
        found["column_names"] = [new, *columns[1:]]
    if "relation_name" in found and str(found["relation_name"]).casefold() == name.casefold():
        found["relation_name"] = new
    return found


def _without_places(tree: Any) -> Any:
    return _meant(tree, "", "")
