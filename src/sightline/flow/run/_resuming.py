"""Which run a flow goes on with: an open one of the same due date and inputs that is young enough, or a new one."""

import hashlib
from collections.abc import Iterator
from dataclasses import fields, replace
from datetime import UTC, datetime
from pathlib import Path

import orjson

from sightline.errors import UsageError
from sightline.flow.run._state import FlowStore, RunFolder, RunState, length_of_time
from sightline.flow.spec import DeliverStep, Flow, FlowStep, NotifyStep, PythonStep
from sightline.redaction import hide_passwords, redacted_in
from sightline.yaml import inside

LONGEST_NAME = 4_096  # characters of what may be the name of a file


def run_to_do(  # noqa: PLR0913 - what decides about it
    store: FlowStore, flow: Flow, *, now: datetime, due: datetime | None, fresh: bool, resume: str, run_id: str
) -> RunFolder:
    """The open run that is taken up, or a new one; an open run that can't be taken up is closed, with a sentence."""
    if resume:
        return _named(store, resume)
    if run_id and run_id in store.run_ids():
        return store.run(run_id)
    open_run = None if run_id else store.unfinished()
    notices: tuple[str, ...] = ()
    inputs = inputs_of(flow)
    if open_run is not None:
        why = "a new run was asked for" if fresh else why_not(open_run.state, flow, inputs, now, due)
        if not why:
            return open_run
        notices = (abandon(open_run, why, now),)
    state = RunState(
        "",
        flow.name,
        now.astimezone(UTC).isoformat(),
        text=flow.text,
        variables=dict(flow.variables),
        due=(due or now).isoformat(),  # in its own zone, whose days it means
        dated=due is not None,
        inputs=inputs,
        notices=notices,
    )
    return store.begin(state, run_id)


def _named(store: FlowStore, run_id: str) -> RunFolder:
    if run_id not in store.run_ids():
        raise UsageError(f"The flow {store.flow} has no run {run_id}; `sightline history` lists its runs.")
    folder = store.run(run_id)
    if folder.state.is_finished:
        raise UsageError(f"The run {run_id} is finished, so there is nothing to resume; leave out --resume.")
    return folder


def why_not(state: RunState, flow: Flow, inputs: str, now: datetime, due: datetime | None) -> str:
    """Why an open run isn't taken up; empty if it is."""
    if (due is not None) != state.dated or (due is not None and due != state.due_at):
        return "it has another due date"
    if state.inputs != inputs:
        return "its flow or variables have changed since"
    for name, done in state.steps.items():
        if done.is_done and done.files != files_of(flow, flow.filled(flow.steps[name])):
            return f"the files of `{name}` have changed since"
    age = now - state.last_active
    if age > flow.resume_within:
        longest = length_of_time(flow.resume_within.total_seconds())
        return f"it is {length_of_time(age.total_seconds())} old, and runs are taken up within {longest}"
    return ""


def abandon(folder: RunFolder, why: str, now: datetime) -> str:
    """Close an open run for good; returns the sentence that says so."""
    state = folder.state
    told = f"The run {state.id} was abandoned: {why}."
    folder.write(replace(state, verdict="failed", ended=now.astimezone(UTC).isoformat(), abandoned=told))
    return told


def inputs_of(flow: Flow) -> str:
    """What a run is made from, as a digest: its file, its variables, and where its secrets are kept."""
    secrets = {name: str(place) for name, place in flow.secrets.items()}
    return _digest([hide_passwords(flow.text), redacted_in(flow.variables), secrets])


def files_of(flow: Flow, step: FlowStep) -> str:
    """The versions of the files that a step names, by themselves, by a pattern or by their folder, as a digest.

    `step` is one whose variables are filled in; what a flow writes to is nothing that it is made from.
    """
    if isinstance(step, DeliverStep | NotifyStep):
        return ""
    texts = [*_texts(step), *_modules(step)]
    versions = [_version(path) for text in texts for path in _matching(flow.folder, text)]
    return _digest(versions) if versions else ""


def _modules(step: FlowStep) -> list[str]:
    """The file of the module whose function a step runs, if it is beside the flow."""
    return [f"{step.function.partition(':')[0].replace('.', '/')}.py"] if isinstance(step, PythonStep) else []


def _digest(document: object) -> str:
    return hashlib.sha256(orjson.dumps(document, option=orjson.OPT_SORT_KEYS)).hexdigest()[:16]


def _texts(step: FlowStep) -> Iterator[str]:
    for one in fields(step):
        if "form" in one.metadata and one.name != "sql":
            yield from (text for text in inside(getattr(step, one.name)) if isinstance(text, str))


def _matching(folder: Path, text: str) -> list[Path]:
    if not text or len(text) > LONGEST_NAME or "\0" in text or "://" in text:
        return []
    try:
        path = folder / Path(text).expanduser()
        if any(sign in text for sign in "*?["):
            return sorted(Path(path.anchor).glob(str(path.relative_to(path.anchor))))
        if path.is_dir():
            return sorted(one for one in path.iterdir() if one.is_file())
        return [path] if path.is_file() else []
    except (OSError, ValueError, RuntimeError):  # a text that can't be the name of a file
        return []


def _version(path: Path) -> list[str | int]:
    try:
        found = path.stat()
    except OSError:
        return [str(path)]
    return [str(path), found.st_size, found.st_mtime_ns]
