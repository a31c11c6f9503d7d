"""Changes of a flow that people make one by one: each gives the new text, and says in words what it did."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sightline.errors import UsageError
from sightline.flow.spec._draft import DraftStep, FlowDraft, ports_of
from sightline.flow.spec._flow import FLOW_HEAD, FLOW_KEYS, Flow, renamed_in_sql, tables_of
from sightline.flow.spec._forms import STEP_NAME
from sightline.flow.spec._steps import FLOW_STEPS, OTHER_WORDS
from sightline.yaml import YamlPath, YamlText, check_plain, did_you_mean, keys_of

LONGEST_NAME = 60  # characters of a step's name; it is also the name of a table and of files
STEPS = "steps"


@dataclass(frozen=True, eq=False)
class FlowEdit:
    """What an edit made: the text, what was done in words, what is left to do, and the step that it added."""

    yaml: YamlText
    words: str
    notes: tuple[str, ...] = ()
    added: str | None = None


def set_key(draft: FlowDraft, step: str, key: str, value: Any) -> FlowEdit:
    """Give a key of a step a value; None takes the key away, or leaves only the word of the step."""
    found = _step(draft, step)
    path: YamlPath = (STEPS, step, key)
    if value is None and key != found.word:
        if key not in found.values:
            raise UsageError(f"`{step}` has no key `{key}` to take away.")
        return FlowEdit(draft.yaml.remove(path[:-1], [key]), f"{step}: removed {key}")
    check_plain(value)
    made = draft.yaml.set(path, value, after=_key_before(found, key))
    return FlowEdit(made, f"{step}: {key} {_shown(value)}".rstrip())


def add_step(
    draft: FlowDraft, word: str, values: Mapping[str, Any], *, name: str | None = None, after: str | None = None
) -> FlowEdit:
    """Add a step, after another one or at the end; what it still needs may be missing."""
    _check_readable(draft)
    if word not in FLOW_STEPS:
        raise UsageError(f"There is no step `{word}`; {did_you_mean(word, FLOW_STEPS, OTHER_WORDS)}")
    chosen = name if name is not None else free_step_name(draft, _wanted_name(word, values))
    _check_name(draft, chosen)
    if after is not None:
        _step(draft, after)
    check_plain(dict(values))
    step = {word: values.get(word), **{key: value for key, value in values.items() if key != word}}
    made = draft.yaml.set((STEPS, chosen), step, after=after, levels=2)
    return FlowEdit(made, f"added {chosen} ({word})", added=chosen)


def remove_steps(draft: FlowDraft, names: Sequence[str]) -> FlowEdit:
    """Take steps away; those that took their rows lose that input."""
    wanted = list(dict.fromkeys(names))
    if not wanted:
        raise UsageError("No step is named; choose at least one to remove.")
    for name in wanted:
        _step(draft, name)
    yaml = draft.yaml.remove((STEPS,), wanted)
    left = [step for name, step in draft.steps.items() if name not in wanted]
    takers = [step for step in left if any(one.step in wanted for one in step.inputs)]
    yaml = _without_inputs(yaml, takers, lambda step, port: [one for one in step.taken_by(port) if one not in wanted])
    notes = tuple(_still_read(step, wanted) for step in takers if step.word == "sql")
    told = wanted[0] if len(wanted) == 1 else f"{len(wanted)} steps: {', '.join(wanted)}"
    return FlowEdit(yaml, f"removed {told}", notes)


def rename_step(draft: FlowDraft, name: str, new: str) -> FlowEdit:
    """Give a step another name, there and wherever its rows are taken, also in SQL if that keeps its meaning."""
    _step(draft, name)
    if new == name:
        return FlowEdit(draft.yaml, f"renamed {name} → {new}")
    _check_name(draft, new, but=name)
    changes: dict[YamlPath, Any] = {}
    keys: dict[YamlPath, str] = {(STEPS, name): new}
    notes = []
    for step in draft.readers(name):
        if step.word == "sql":
            sql = renamed_in_sql(str(step.values["sql"]), name, new)
            if sql is None:
                notes.append(f"The SQL of `{step.name}` still says `{name}`; change it there by hand.")
            else:
                changes[STEPS, step.name, "sql"] = sql
            continue
        for port in ports_of(step.word):
            if name in step.taken_by(port):
                taken = [new if one == name else one for one in step.taken_by(port)]
                changes[STEPS, step.name, port] = taken if isinstance(step.values[port], list) else taken[0]
        for column, steps in _union_columns(step).items():
            if name in steps:
                keys[STEPS, step.name, "columns", column, name] = new
    # The step itself comes last: until then, everything is at its old place.
    order = sorted(keys, key=len, reverse=True)
    yaml = draft.yaml.set_all(changes).rename({path: keys[path] for path in order})
    return FlowEdit(yaml, f"renamed {name} → {new}", tuple(notes))


def connect_steps(draft: FlowDraft, giver: str, taker: str, port: str | None = None) -> FlowEdit:
    """Let one step take the rows of another; what would go round in a circle is refused."""
    _step(draft, giver)
    step = _step(draft, taker)
    chosen = _port(step, port)
    if giver in step.taken_by(chosen):
        raise UsageError(f"`{taker}` takes the rows of `{giver}` already.")
    if giver == taker:
        raise UsageError(f"`{taker}` cannot take its own rows.")
    if circle := draft.circle(taker, giver):
        told = " → ".join(f"`{one}`" for one in circle)
        raise UsageError(f"`{taker}` cannot take the rows of `{giver}`: they would go round in a circle, {told}.")
    path: YamlPath = (STEPS, taker, chosen)
    words = f"connected {giver} → {taker}"
    if step.word == "sql":
        if str(step.values.get("sql") or "").strip():
            raise UsageError(
                f"The SQL of `{taker}` says which steps it reads; name `{giver}` there, after FROM or JOIN."
            )
        sql = f"SELECT * FROM {giver}"
        # A name such as `both` is a word of SQL.
        return FlowEdit(draft.yaml.set(path, f'SELECT * FROM "{giver}"' if tables_of(sql).problem else sql), words)
    many = ports_of(step.word)[chosen]
    value: Any = [*step.taken_by(chosen), giver] if many else giver
    return FlowEdit(draft.yaml.set(path, value, after=_key_before(step, chosen)), words)


def disconnect_steps(draft: FlowDraft, giver: str, taker: str, port: str | None = None) -> FlowEdit:
    """Let a step no longer take the rows of another."""
    step = _step(draft, taker)
    chosen = port or next((one.port for one in step.inputs if one.step == giver), "")
    if giver not in step.taken_by(chosen):
        raise UsageError(f"`{taker}` does not take the rows of `{giver}`.")
    if step.word == "sql":
        raise UsageError(f"The SQL of `{taker}` reads `{giver}`; take it out of the SQL.")
    yaml = _without_inputs(
        draft.yaml,
        [step],
        lambda one, key: [name for name in one.taken_by(key) if (key, name) != (chosen, giver)],
    )
    return FlowEdit(yaml, f"disconnected {giver} → {taker}")


def set_head(draft: FlowDraft, key: str, value: Any) -> FlowEdit:
    """Set what stands above the steps, such as `about`, `schedule` or `on_failure`; nothing takes it away."""
    _check_readable(draft)
    if key not in FLOW_HEAD:
        raise UsageError(f"There is no key `{key:.60}` above the steps; {did_you_mean(key, FLOW_HEAD)}")
    known = draft.yaml.values or {}
    if not value:
        made = draft.yaml.remove((), [key]) if key in known else draft.yaml
        return FlowEdit(made, f"removed {key}")
    check_plain(value)
    before = [one for one in FLOW_KEYS[: FLOW_KEYS.index(key)] if one in known]
    made = draft.yaml.set((key,), value, after=before[-1] if before else None)
    return FlowEdit(made, f"{key} {_shown(value)}")


def free_step_name(draft: FlowDraft, wanted: str) -> str:
    """A name like the one that is wanted, that no step has."""
    plain = re.sub(r"\W+", "_", wanted, flags=re.ASCII).strip("_").lower()[:LONGEST_NAME] or "step"
    stem = plain if STEP_NAME.fullmatch(plain) else f"step_{plain}"
    taken = {name.lower() for name in draft.steps}
    numbered = (f"{stem}_{number}" for number in range(2, len(taken) + 3))
    return next(name for name in (stem, *numbered) if name not in taken)


# ---------------------------------------------------------------------- checks


def _check_readable(draft: FlowDraft) -> None:
    if not draft.readable:
        problem = draft.problems[0]
        where = f"line {problem.line}: " if problem.line else ""
        raise UsageError(f"The text of the flow cannot be read ({where}{problem.message.rstrip('.')}); fix it first.")
    known = draft.yaml.values or {}
    if not isinstance(known, dict):
        raise UsageError("The text of the flow has no keys; write `flow: 1` and `steps:` first.")
    if not isinstance(known.get(STEPS) or {}, dict):
        raise UsageError("The `steps` of the flow have no names; write each step below its name first.")


def _step(draft: FlowDraft, name: str) -> DraftStep:
    _check_readable(draft)
    if name not in draft.steps:
        known = did_you_mean(name, draft.steps) if draft.steps else "there is none yet."
        raise UsageError(f"There is no step `{name:.60}`; {known}")
    return draft.steps[name]


def _check_name(draft: FlowDraft, name: str, but: str = "") -> None:
    if not STEP_NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        raise UsageError(
            f"`{name:.60}` cannot be the name of a step; names have up to {LONGEST_NAME} letters, digits and `_`, no "
            "digit first."
        )
    if any(known.lower() == name.lower() for known in draft.steps if known != but):
        raise UsageError(f"There is a step `{name}` already; choose another name.")


# ---------------------------------------------------------------------- parts


def _key_before(step: DraftStep, key: str) -> str | None:
    """The key of a step after which a new one is written, so that they are in the order of the language."""
    kind = FLOW_STEPS.get(step.word)
    order = list(keys_of(kind)) if kind else []
    before = order[: order.index(key)] if key in order else []
    return next((one for one in reversed(before) if one in step.values), None)


def _port(step: DraftStep, port: str | None) -> str:
    ports = ports_of(step.word)
    if not ports:
        raise UsageError(f"`{step.name}` takes its rows from outside, not from other steps.")
    if port is not None:
        if port not in ports:
            raise UsageError(f"`{step.name}` takes no rows by `{port}`; {did_you_mean(port, ports)}")
        return port
    return next((one for one in ports if not step.taken_by(one)), next(iter(ports)))


def _without_inputs(yaml: YamlText, takers: Iterable[DraftStep], left_of: Any) -> YamlText:
    """Without some of what steps take; `left_of` says what is left of a port."""
    for step in takers:
        changes: dict[YamlPath, Any] = {}
        gone = []
        for port, many in ports_of(step.word).items() if step.word != "sql" else ():
            left = left_of(step, port)
            if len(left) == len(step.taken_by(port)):
                continue
            if many:
                changes[STEPS, step.name, port] = left
            elif port == step.word:
                changes[STEPS, step.name, port] = None
            else:
                gone.append(port)
        columns = _union_columns(step)
        kept = _kept_columns(columns, left_of(step, step.word)) if columns else columns
        if columns and not kept:
            gone.append("columns")
        elif kept != columns:
            changes[STEPS, step.name, "columns"] = kept
        yaml = yaml.set_all(changes)
        yaml = yaml.remove((STEPS, step.name), gone) if gone else yaml
    return yaml


def _union_columns(step: DraftStep) -> dict[str, dict[str, Any]]:
    columns = step.values.get("columns") if step.word == "union" else None
    return {name: steps for name, steps in (columns or {}).items() if isinstance(steps, dict)}


def _kept_columns(columns: Mapping[str, Mapping[str, Any]], left: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The columns of a union with only the steps that are left."""
    kept = {name: {step: old for step, old in steps.items() if step in left} for name, steps in columns.items()}
    return {name: steps for name, steps in kept.items() if steps}


def _still_read(step: DraftStep, gone: Sequence[str]) -> str:
    names = ", ".join(dict.fromkeys(f"`{one.step}`" for one in step.inputs if one.step in gone))
    return f"The SQL of `{step.name}` still reads {names}; change it there."


def _wanted_name(word: str, values: Mapping[str, Any]) -> str:
    """What a new step could be called: a source as its file, another one as what it does to whose rows."""
    value = values.get(word)
    first = value[0] if isinstance(value, list) and value else value
    if word in ("read", "extract", "about", "play") and isinstance(first, str):
        return re.split(r"[/\\]", first.split("#")[0])[-1].split(".")[0] or word
    return word


def _shown(value: Any) -> str:
    """A value as the history shows it."""
    if isinstance(value, dict | list):
        return f"({len(value)})"
    text = " ".join(str(value).split()) if value is not None else ""
    return text if len(text) <= 40 else f"{text[:39]}…"


# A flow as its file has it: changed in place, with the comments, order and quotes that people wrote.


class FlowDocument:
    r"""The text of a flow, changed step by step; whatever is not changed stays as it was written.

    >>> document = FlowDocument("flow: 1\nsteps:\n  ours:  # the catalogue\n    read: ours.csv\n")
    >>> document.add("kept", {"deliver": "ours", "to": "x.duckdb#t"})
    >>> document.rename("ours", "catalogue")
    >>> print(document.text)
    flow: 1
    steps:
      catalogue:  # the catalogue
        read: ours.csv
      kept:
        deliver: catalogue
        to: "x.duckdb#t"
    <BLANKLINE>
    """

    def __init__(self, text: str, file: str = "flow") -> None:
        self._file = file
        self._draft = FlowDraft.loads(text, file)
        self._flow = self._draft.flow

    @property
    def flow(self) -> Flow:
        """The flow that the text is now."""
        return self._flow

    @property
    def text(self) -> str:
        """The text as it is now."""
        return self._draft.text

    def set(self, step: str, key: str, value: Any) -> None:
        """Give a key of a step a value; None takes the key away. What makes no flow is refused."""
        self._take(set_key(self._draft, step, key, value))

    def add(self, name: str, step: Mapping[str, Any]) -> None:
        """Add a step at the end."""
        word = next(iter(step), "")
        self._take(add_step(self._draft, word, step, name=name))

    def remove(self, name: str) -> None:
        """Take a step away; steps that take its rows must have gone before."""
        if name not in self._flow.steps:
            raise UsageError(f"There is no step `{name}`; there are {', '.join(self._flow.steps)}.")
        self._take(self._draft.yaml.remove(("steps",), [name]))

    def rename(self, name: str, new: str) -> None:
        """Give a step another name, there and wherever its rows are taken; refused if SQL would have to be guessed."""
        self._take(rename_step(self._draft, name, new))

    def _take(self, made: FlowEdit | YamlText) -> None:
        """Go on with a new text, if it is a flow."""
        draft = FlowDraft(made.yaml if isinstance(made, FlowEdit) else made)
        flow = draft.flow
        self._draft, self._flow = draft, flow
