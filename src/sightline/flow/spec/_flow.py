"""A flow: named steps, read from a file and checked as a whole."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from sightline.errors import UsageError
from sightline.flow.spec._forms import STEP_NAME
from sightline.flow.spec._sql_names import tables_of
from sightline.flow.spec._steps import FLOW_STEPS, DeliverStep, FlowStep, NotifyStep, SqlStep, read_flow_step
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
    check_version,
    did_you_mean,
    inside,
    keys_of,
    listed,
    load_text,
    read_secrets,
    read_yaml,
    secrets_schema,
)

__all__ = ["FLOW_KEYS", "FLOW_VERSION", "Flow", "circle_from", "flow_schema", "in_circles"]

FLOW_VERSION = 1
FLOW_KEYS = ("flow", "about", "variables", "secrets", "schedule", "steps")
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
        given = read_yaml(text, file)
        if not isinstance(given.value, dict):
            given.fail(f"a flow has the keys {listed(FLOW_KEYS)}; this has none.")
        values = {}
        for pair in given.pairs():
            if pair.word not in FLOW_KEYS:
                pair.key.fail(f"a flow has no key `{pair.word}`; {did_you_mean(pair.word, FLOW_KEYS)}")
            values[pair.word] = pair.value
        check_version(given, values.get("flow"), "flow", FLOW_VERSION, "flow")
        if "steps" not in values:
            given.fail("the flow has no `steps`; write what is to be done.")
        flow = cls(
            steps=_steps(values["steps"]),
            about=TEXT_OR_NOTHING.read(values["about"]) if "about" in values else "",
            variables=Mapped(TEXT_OR_NOTHING).read(values["variables"]) if "variables" in values else {},
            secrets=read_secrets(values["secrets"]) if "secrets" in values else {},
            schedule=LINE.read(values["schedule"]) if "schedule" in values else "",
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

    def check(self) -> None:
        """Say which name is not known, and where."""
        _ = self.order
        for step in self.steps.values():
            at = YamlValue(None, self.file, step.line)
            for value in _values(step):
                if isinstance(value, SecretName) and value.name not in self.secrets:
                    at.fail(f"the secret `{value.name}` is not known; add it under `secrets`, with where it is kept.")
                for name in VARIABLE.findall(value) if isinstance(value, str) and step.word != "sql" else ():
                    if name in self.secrets and name not in self.variables:
                        at.fail(f"`{name}` is a secret, which is given as a whole: `{{secret: {name}}}`.")
                    if name not in self.variables:
                        hint = "add it under `variables`."
                        known = did_you_mean(name, self.variables) if self.variables else hint
                        at.fail(f"the variable `{name}` is not known; {known}")

    def with_variables(self, given: Mapping[str, str]) -> "Flow":
        """The flow with other values for some of its variables."""
        for name in given:
            if name not in self.variables:
                known = did_you_mean(name, self.variables) if self.variables else "it has none."
                raise UsageError(f"{self.file} has no variable `{name}`; {known}")
        return replace(self, variables={**self.variables, **given})

    @property
    def filled_text(self) -> str:
        """The text of the file with the values of its variables, as far as they are known."""
        return VARIABLE.sub(lambda found: self.variables.get(found[1], found[0]), self.text)

    def filled(self, step: FlowStep) -> FlowStep:
        """A step with the values of variables in its texts."""
        changes = {
            one.name: _filled(getattr(step, one.name), self.variables)
            for one in fields(step)
            if "form" in one.metadata and step.word != "sql"
        }
        return replace(step, **changes)

    def fail(self, step: FlowStep, problem: str, key: str = "") -> MistakeError:
        """The error that something is wrong with a step, at its line or that of one of its keys."""
        return MistakeError(self.file, step.lines.get(key, step.line), problem)


MOST_STEPS = 1_000
"""Steps of a flow; so many are read in a second, and 20,000 took more than a minute."""


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
