"""A flow as it is while people work on it: each step is read by itself, and every problem is at its step and key.

`Flow.loads` wants a flow that can run, and stops at the first mistake. A draft is drawn and saved with its mistakes.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, replace
from functools import cached_property
from typing import Any, get_args, get_type_hints

from sightline.errors import MissingExtra, UsageError
from sightline.flow.spec._flow import (
    DATE_VARIABLES,
    FLOW_HEAD,
    FLOW_KEYS,
    FLOW_VERSION,
    Flow,
    circle_from,
    in_circles,
    tables_of,
)
from sightline.flow.spec._forms import (
    PLAIN_CHANGES,
    STEP_NAME,
    Changes,
    ColumnNames,
    Duration,
    Input,
    Inputs,
    Private,
    PrivateByName,
    Privates,
    SameColumns,
    Share,
    UnionColumns,
)
from sightline.flow.spec._normal_form import NORMAL_KINDS, NormalColumns, NormalKind, normal_keys
from sightline.flow.spec._sql_variables import sql_variables
from sightline.flow.spec._steps import FLOW_STEPS, OTHER_WORDS, STEP_GROUPS, FlowStep, SqlStep
from sightline.yaml import (
    COUNT,
    FLAG,
    VARIABLE,
    WORDS,
    Codec,
    GivenPair,
    Line,
    Mapped,
    MistakeError,
    OneOf,
    SecretName,
    SecretPlace,
    YamlText,
    YamlValue,
    check_version,
    did_you_mean,
    inside,
    keys_of,
    listed,
    plain_values,
)

# Of the text of a flow. One with 60 steps has 10,000; reading this many takes two seconds.
MOST_CHARACTERS = 200_000
MOST_STEPS = 500  # more cannot be drawn
HEAD_SETTINGS = ("resume_within", "on_failure", "on_suspicious", "on_success")


@dataclass(frozen=True)
class DraftProblem:
    """What is wrong, and where: the step and its key, if it is about one, and the line."""

    message: str
    step: str | None = None
    key: str | None = None
    line: int | None = None


@dataclass(frozen=True)
class DraftInput:
    """That a step takes the rows of another; `port` is the key that names it."""

    port: str
    step: str


@dataclass(frozen=True)
class DraftStep:
    """A step as the file has it: its keys as plain values, and the step itself if it can be read."""

    name: str
    word: str
    line: int
    values: Mapping[str, Any]
    inputs: tuple[DraftInput, ...] = ()
    problems: tuple[DraftProblem, ...] = ()
    lines: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)
    step: FlowStep | None = None

    @property
    def what(self) -> str:
        """The step in one line."""
        if self.step is not None:
            return str(self.step)
        value = self.values.get(self.word)
        told = ", ".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)
        return f"{self.word} {' '.join(told.split())}".strip()

    def taken_by(self, port: str) -> tuple[str, ...]:
        """The names of the steps that a port takes the rows of."""
        return tuple(one.step for one in self.inputs if one.port == port)


def ports_of(word: str) -> dict[str, bool]:
    """The keys of a kind of steps that name other steps, each with whether it takes several."""
    kind = FLOW_STEPS.get(word)
    if kind is None:
        return {}
    if word == "sql":
        return {"sql": True}
    forms = {key: one.metadata["form"] for key, one in keys_of(kind).items()}
    return {key: isinstance(form, Inputs) for key, form in forms.items() if isinstance(form, Input | Inputs)}


class FlowDraft:
    r"""A flow that may have mistakes, with all of them.

    >>> draft = FlowDraft.loads("flow: 1\nsteps:\n  ours:\n    read: ours.csv\n  kept:\n    deliver: oura\n")
    >>> for problem in draft.problems:
    ...     print(problem.step, problem.key, problem.line, problem.message)
    kept to 5 the step `deliver` needs the key `to`.
    kept deliver 6 `kept` takes the rows of `oura`, which no step makes; did you mean `ours`?
    """

    def __init__(self, yaml: YamlText) -> None:
        self.yaml = yaml
        self.file: str = yaml.file
        self.about: str = ""
        self.schedule: str = ""
        self.variables: Mapping[str, str] = {}
        self.secrets: Mapping[str, SecretPlace] = {}
        self.steps: Mapping[str, DraftStep] = {}
        self.readable: bool = True
        self.head: Mapping[str, Any] = {}
        """What the file says above the steps of how it runs and whom it tells, as plain values."""
        self._general: list[DraftProblem] = []
        self._head: Mapping[str, Any] = {}
        self._read()

    @classmethod
    def loads(cls, text: str, file: str = "flow") -> "FlowDraft":
        """The draft in a text; only one that is far too long is refused."""
        if len(text) > MOST_CHARACTERS:
            raise UsageError(
                f"{file} has {len(text):,} characters, and a flow at most {MOST_CHARACTERS:,}; shorten it."
            )
        return cls(YamlText(text, file))

    @property
    def text(self) -> str:
        """The text of the file."""
        return self.yaml.text

    @property
    def problems(self) -> tuple[DraftProblem, ...]:
        """Everything that is wrong, first what concerns no step, then step by step."""
        return (*self._general, *(problem for step in self.steps.values() for problem in step.problems))

    @cached_property
    def flow(self) -> Flow:
        """The flow that can run; the first mistake is an error."""
        return Flow.loads(self.text.removeprefix("\ufeff"), self.file)

    def sound_part(self) -> Flow:
        """The steps that could run already: those without a problem that take rows of such steps only."""
        sound = {name: step.step for name, step in self.steps.items() if step.step is not None and not step.problems}
        while unsound := [name for name, step in sound.items() if not sound.keys() >= set(step.inputs)]:
            for name in unsound:
                del sound[name]
        return Flow(
            steps=sound,
            **self._head,
            file=self.file,
            text=self.text.removeprefix("\ufeff"),
        )

    def readers(self, name: str) -> tuple[DraftStep, ...]:
        """The steps that take the rows of a step."""
        return tuple(step for step in self.steps.values() if any(one.step == name for one in step.inputs))

    def circle(self, taker: str, giver: str) -> tuple[str, ...]:
        """The steps that would go round in a circle if one took the rows of another; none if it may."""
        inputs = _inputs_by_step(self.steps)
        inputs[taker] = [*inputs.get(taker, ()), giver]
        return circle_from(taker, inputs)

    # ------------------------------------------------------------------ reading

    def _read(self) -> None:
        try:
            given = self.yaml.content.given
            plain_values(given.value)
        except MistakeError as problem:
            self.readable = False
            self._general.append(DraftProblem(problem.problem, line=problem.line))
            return
        except UsageError as problem:
            self.readable = False
            self._general.append(DraftProblem(problem.message))
            return
        if not isinstance(given.value, dict):
            self._note(f"a flow has the keys {listed(FLOW_KEYS)}; this has none.", line=1)
            return
        pairs = {}
        for pair in given.pairs():
            pairs[pair.word] = pair
            if pair.word not in FLOW_KEYS:
                hint = did_you_mean(pair.word, FLOW_KEYS)
                self._note(f"a flow has no key `{pair.word}`; {hint}", pair.word, pair.key.line)
        self._read_head(given, pairs)
        if "steps" in pairs and pairs["steps"].value.value not in (None, {}):
            self._read_steps(pairs["steps"].value)
        else:
            self._note("the flow has no `steps`; write what is to be done.", "steps")

    def _note(self, message: str, key: str | None = None, line: int | None = None) -> None:
        self._general.append(DraftProblem(message, None, key, line))

    def _read_head(self, given: YamlValue, pairs: Mapping[str, GivenPair]) -> None:
        found: dict[str, Any] = {}
        version = pairs["flow"].value if "flow" in pairs else None
        try:
            check_version(given, version, "flow", FLOW_VERSION, "flow")
        except MistakeError as problem:
            self._note(problem.problem, "flow", problem.line)
        for key, reader in FLOW_HEAD.items():
            try:
                if key in pairs and pairs[key].value.value is not None:
                    found[key] = reader(pairs[key].value)
            except MistakeError as problem:
                self._note(problem.problem, key, problem.line)
        self.about, self.schedule = found.get("about", ""), found.get("schedule", "")
        self.variables, self.secrets = found.get("variables", {}), found.get("secrets", {})
        self._head = found
        self.head = {key: plain_values(pairs[key].value.value) for key in HEAD_SETTINGS if key in pairs}

    def _read_steps(self, given: YamlValue) -> None:
        if not isinstance(given.value, dict):
            self._note(
                "`steps` has names, each with a step below it, such as `catalogue: {read: catalogue.csv}`.", "steps"
            )
            return
        if len(given.value) > MOST_STEPS:
            self._note(f"a flow has at most {MOST_STEPS} steps; make several flows of it.", "steps", given.line)
            return
        found = {pair.word: _StepReader(self, pair).read() for pair in given.pairs()}
        beside = _Beside(found)
        self.steps = {name: beside.checked(step) for name, step in found.items()}


class _Beside:
    """What only shows beside the other steps: names that are alike, inputs that nobody makes, circles."""

    def __init__(self, steps: Mapping[str, DraftStep]) -> None:
        self._steps = steps
        self._alike = Counter(name.lower() for name in steps)
        self._inputs = _inputs_by_step(steps)
        self._round = in_circles(self._inputs)

    def checked(self, step: DraftStep) -> DraftStep:
        """A step with these problems, too."""
        steps = self._steps
        problems = list(step.problems)

        def note(message: str, key: str | None) -> None:
            line = step.lines.get(key or "", step.line)
            problems.append(DraftProblem(message, step.name, key, line))

        if self._alike[step.name.lower()] > 1:
            note(f"`{step.name}` differs from another step only by capitals; give it another name.", None)
        for one in step.inputs:
            if one.step not in steps:
                others = [name for name in steps if name != step.name]
                hint = did_you_mean(one.step, others) if others else "there is no other step."
                note(f"`{step.name}` takes the rows of `{one.step}`, which no step makes; {hint}", one.port)
        if step.name in self._round:
            circle = circle_from(step.name, self._inputs)
            told = " → ".join(f"`{one}`" for one in circle)
            port = next((one.port for one in step.inputs if one.step in circle), None)
            note(f"the steps go round in a circle: {told}; cut it somewhere.", port)
        return replace(step, problems=tuple(problems))


def _inputs_by_step(steps: Mapping[str, DraftStep]) -> dict[str, list[str]]:
    return {name: [one.step for one in step.inputs if one.step in steps] for name, step in steps.items()}


class _StepReader:
    """Reads one step, key by key."""

    def __init__(self, draft: FlowDraft, pair: GivenPair) -> None:
        self._draft = draft
        self._name = pair.word
        self._line = pair.key.line
        self._given = pair.value
        self._problems: list[DraftProblem] = []

    def read(self) -> DraftStep:
        """The step with its own problems."""
        if not STEP_NAME.fullmatch(self._name):
            self._note(
                f"`{self._name}` cannot be the name of a step; names have letters, digits and `_`, no digit first."
            )
        if not isinstance(self._given.value, dict) or not self._given.value:
            self._note(f"nothing is below `{self._name}:`; write a step there, such as `read: catalogue.csv`.")
            return DraftStep(self._name, "", self._line, {}, problems=tuple(self._problems))
        pairs = {pair.word: pair for pair in self._given.pairs()}
        values = plain_values(self._given.value)
        lines = {word: pair.key.line for word, pair in pairs.items()}
        word = next((word for word in pairs if word in FLOW_STEPS), "")
        if not word:
            first = next(iter(pairs))
            self._note(
                f"there is no step `{first}`; {did_you_mean(first, FLOW_STEPS, OTHER_WORDS)}", first, lines[first]
            )
            return DraftStep(self._name, first, self._line, values, (), tuple(self._problems), lines)
        step = self._step(FLOW_STEPS[word], pairs)
        inputs = tuple(self._inputs(word, values))
        if step is not None:
            step = replace(step, lines=lines)
        if isinstance(step, SqlStep):
            step = replace(step, tables=tuple(one.step for one in inputs))
        return DraftStep(self._name, word, self._line, values, inputs, tuple(self._problems), lines, step)

    def _note(self, message: str, key: str | None = None, line: int | None = None) -> None:
        self._problems.append(DraftProblem(message, self._name, key, line or self._line))

    def _step(self, kind: type[FlowStep], pairs: Mapping[str, GivenPair]) -> FlowStep | None:
        known = keys_of(kind)
        found: dict[str, Any] = {}
        for word, pair in pairs.items():
            if word not in known:
                self._unknown(kind, pair)
                continue
            if pair.value.value is None and (known[word].default is not MISSING or word == kind.word):
                continue
            try:
                found[known[word].name] = known[word].metadata["form"].read(pair.value)
                self._check_names(word, pair, found[known[word].name])
            except MistakeError as problem:
                self._note(problem.problem, word, problem.line)
        told = {problem.key for problem in self._problems}
        for word, one in known.items():
            if one.name not in found and one.default is MISSING and word not in told:
                missing = "a value" if word == kind.word else f"the key `{word}`"
                line = pairs[word].key.line if word in pairs else None
                self._note(f"the step `{kind.word}` needs {missing}.", word, line)
        if self._problems:
            return None
        return kind(name=self._name, line=self._line, **found)

    def _unknown(self, kind: type[FlowStep], pair: GivenPair) -> None:
        own = [word for word in keys_of(kind) if word != kind.word]
        hint = f"`{kind.word}` and `{pair.word}` are two steps; give the second a name of its own."
        if pair.word not in FLOW_STEPS:
            hint = did_you_mean(pair.word, own) if own else f"it is the only key of `{kind.word}`."
        self._note(f"the step `{kind.word}` has no key `{pair.word}`; {hint}", pair.word, pair.key.line)

    def _check_names(self, word: str, pair: GivenPair, value: Any) -> None:
        """Variables and secrets that nobody declared."""
        draft = self._draft
        for one in inside(value):
            if isinstance(one, SecretName) and one.name not in draft.secrets:
                told = f"the secret `{one.name}` is not known; add it under `secrets`, with where it is kept."
                self._note(told, word, pair.key.line)
            named = sql_variables if word in ("sql", "query") else VARIABLE.findall
            for name in named(one) if isinstance(one, str) else ():
                if name in draft.variables or name in DATE_VARIABLES:
                    continue
                known = did_you_mean(name, draft.variables) if draft.variables else "add it under `variables`."
                told = f"the variable `{name}` is not known; {known}"
                if name in draft.secrets:
                    told = f"`{name}` is a secret, which is given as a whole: `{{secret: {name}}}`."
                self._note(told, word, pair.key.line)

    def _inputs(self, word: str, values: Mapping[str, Any]) -> Iterator[DraftInput]:
        if word == "sql":
            yield from self._tables(values.get("sql"))
            return
        for port in ports_of(word):
            value = values.get(port)
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, str) and one:
                    yield DraftInput(port, one)

    def _tables(self, sql: Any) -> Iterator[DraftInput]:
        if not isinstance(sql, str) or not sql.strip():
            return
        try:
            tables = tables_of(sql)
        except MissingExtra as problem:
            self._note(problem.message, "sql")
            return
        if tables.problem:
            self._note(f"the SQL of `{self._name}` cannot be read: {tables.problem}; fix it.", "sql")
        elif not tables:
            self._note(f"the SQL of `{self._name}` reads no step; name one after FROM.", "sql")
        for name in tables:
            yield DraftInput("sql", name)


# -- the kinds of steps as an editor needs them ---------------------------------------------------------------------
# Everything comes from the declarations that read the file; a key that is added there has its form here.

_FORMS: Mapping[type, Callable[[Any], dict[str, Any]]] = {
    Line: lambda _: {"kind": "text"},
    type(WORDS): lambda _: {"kind": "words"},
    type(FLAG): lambda _: {"kind": "flag"},
    type(COUNT): lambda _: {"kind": "number", "minimum": 1, "whole": True},
    OneOf: lambda form: {"kind": "choice", "options": list(form.words)},
    Mapped: lambda _: {"kind": "map"},
    Share: lambda _: {"kind": "share"},
    Duration: lambda _: {"kind": "duration"},
    Input: lambda _: {"kind": "step"},
    Inputs: lambda _: {"kind": "steps"},
    Private: lambda _: {"kind": "secret or text"},
    Privates: lambda _: {"kind": "secret or text", "many": True},
    PrivateByName: lambda _: {"kind": "options"},
    ColumnNames: lambda _: {"kind": "names"},
    SameColumns: lambda _: {"kind": "names"},
    UnionColumns: lambda _: {"kind": "union columns"},
    Changes: lambda _: {"kind": "changes", "options": list(PLAIN_CHANGES)},
    NormalColumns: lambda _: {"kind": "normal columns", "kinds": [_normal(*one) for one in NORMAL_KINDS.items()]},
}


_LABELS = {"keep_last": "Keep last rows for", "on_new_column": "A new column"}
"""Keys whose own words don't say enough beside a field."""


def flow_kinds() -> list[dict[str, Any]]:
    """Every kind of steps, in the order in which rows go through a flow.

    >>> [kind["word"] for kind in flow_kinds()][:3]
    ['read', 'query', 'extract']
    """
    return [_kind(kind) for kind in FLOW_STEPS.values()]


def _kind(kind: type[FlowStep]) -> dict[str, Any]:
    keys = keys_of(kind)
    return {
        "word": kind.word,
        "group": STEP_GROUPS[kind.word],
        "title": kind.word.capitalize() if kind.word != "sql" else "SQL",
        "about": (kind.__doc__ or "").strip(),
        "ports": [
            {"key": port, "many": many, "label": _words(keys[port].name)} for port, many in ports_of(kind.word).items()
        ],
        "keys": [_key(kind, word, one) for word, one in keys.items()],
    }


def _key(kind: type[FlowStep], word: str, one: "Field[Any]") -> dict[str, Any]:
    form: Codec = one.metadata["form"]
    required = one.default is MISSING
    default = None if required or one.default in (None, "", ()) else form.write(one.default)
    return {
        "key": word,
        "required": required,
        "default": default,
        "label": _label(kind, word, one),
        "about": one.metadata["about"],
        "form": _FORMS[type(form)](form) | dict(one.metadata["editor"]),
    }


def _label(kind: type[FlowStep], word: str, one: "Field[Any]") -> str:
    return _LABELS.get(word) or _words(one.name if word == kind.word else word)


def _words(name: str) -> str:
    return "SQL" if name == "sql" else name.replace("_", " ").capitalize()


# ---------------------------------------------------------------------- what is normalised


def _normal(word: str, kind: NormalKind) -> dict[str, Any]:
    own = {"key": word, "required": True, "default": None, "label": "Column", "about": "", "form": {"kind": "column"}}
    files = [_beside(key, kind, {"kind": "file", "suffixes": [".csv", ".json"]}) for key in kind.files]
    beside = [_beside(key, kind, {"kind": "column or value"}) for key in kind.beside]
    settings = [_setting(kind, key, one) for key, one in normal_keys(word).items()]
    return {"word": word, "title": word.capitalize(), "about": kind.about, "keys": [own, *settings, *files, *beside]}


def _beside(key: str, kind: NormalKind, form: dict[str, Any]) -> dict[str, Any]:
    required = key in kind.needed
    return {"key": key, "required": required, "default": None, "label": key.capitalize(), "about": "", "form": form}


def _setting(kind: NormalKind, key: str, one: "Field[Any]") -> dict[str, Any]:
    type_of = get_type_hints(kind.settings)[one.name]
    types = [part for part in get_args(type_of) if part is not type(None)] or [type_of]
    form: dict[str, Any] = {"kind": "text"}
    if choices := [choice for choice in one.metadata["choices"] if choice is not None]:
        form = {"kind": "choice", "options": choices}
    elif type_of == tuple[str, ...]:
        form = {"kind": "words"}
    elif types[0] is bool:
        form = {"kind": "flag"}
    elif types[0] in (int, float):
        form = {"kind": "number", "whole": types[0] is int}
    default = None if one.default in (MISSING, None, "") else one.default
    return {
        "key": key,
        "required": one.default is MISSING,
        "default": list(default) if isinstance(default, tuple) else default,
        "label": key.capitalize(),
        "about": one.metadata["help"],
        "form": form,
    }
