"""Home: the project at a glance, and what needs attention today; alerts of all flows."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query, Response
from typing_extensions import TypedDict

from sightline.checks import Severity
from sightline.data import Verdict
from sightline.errors import SightlineError, UsageError
from sightline.flow.run import RunState
from sightline.flow.schedule import Timetable
from sightline.flow.spec import Flow
from sightline.project import Documents
from sightline.server._about import FolderResponse
from sightline.server._flow_runs import FlowRuns, alerts_of, delivered_rows, has_flows
from sightline.server._problems import without_folders
from sightline.server._projects import ProjectResponse, project_shapes
from sightline.server._reviews import OpenReviews
from sightline.server._shapes import JsonResponse
from sightline.server._studio import Studio, StudioDep

router = APIRouter(tags=["home"])

VERDICTS = 14  # of the last runs of a flow: two weeks of a daily one
RECENT = 6
LOOKED_AT = 50  # runs of a flow in which alerts are looked for
MOST_ALERTS = 500
LATE = timedelta(hours=1)  # a run that is due may have to wait for others
THIN = 0.5  # of the rows of the run before; a source that brings less of them is told
_WORST = {"failed": 0, "suspicious": 1, "notice": 2}


class AlertResponse(TypedDict):
    """What a run told, or would have had to."""

    flow: str
    run: str
    step: str | None
    at: str
    severity: Severity
    said: str
    link: str


class AttentionResponse(TypedDict):
    """Something that a person should look at, and where."""

    severity: Severity
    title: str
    detail: str
    link: str
    at: str


class VerdictResponse(TypedDict):
    """What became of a run."""

    run: str
    began: str
    verdict: Verdict | None


class LastVerdictResponse(VerdictResponse):
    """The last run of a flow."""

    rows: int
    held: int


class HomeFlowResponse(TypedDict):
    """A flow with its last runs."""

    name: str
    about: str
    steps: int
    problem: str | None
    schedule: str
    due: str | None
    running: bool
    last: LastVerdictResponse | None
    verdicts: list[VerdictResponse]


class DueResponse(TypedDict):
    """When a flow is due."""

    flow: str
    at: str


class RecentResponse(TypedDict):
    """What was changed last."""

    kind: Literal["page", "lesson", "wrapper", "script", "flow"]
    name: str
    link: str
    changed: str


class HomeResponse(TypedDict):
    """The project at a glance; `runs_flows` says whether flows can run on this machine."""

    project: FolderResponse
    projects: list[ProjectResponse]
    runs_flows: bool
    flows: list[HomeFlowResponse]
    attention: list[AttentionResponse]
    due: list[DueResponse]
    recent: list[RecentResponse]


@dataclass(frozen=True)
class _Known:
    """A flow, as far as it can be read, with its last runs, the newest first."""

    name: str
    flow: Flow | None
    problem: str
    states: list[RunState]
    is_running: bool

    @property
    def link(self) -> str:
        return f"/flows/{quote(self.name)}"

    def run_link(self, state: RunState) -> str:
        return f"/history/{quote(self.name)}/{quote(state.id)}"


@router.get("/alerts", response_model=list[AlertResponse])
def list_alerts(studio: StudioDep, limit: Annotated[int, Query(ge=0, le=MOST_ALERTS)] = 100) -> Response:
    """What the runs of all flows told, the newest first: notifications, and runs that are not ok."""
    history = studio.part(FlowRuns)
    found: list[dict[str, Any]] = []
    for name in history.names() if has_flows() else ():
        for state in history.states(name, LOOKED_AT):
            found += _alerts(history, name, state)
    return JsonResponse(sorted(found, key=lambda one: str(one["at"]), reverse=True)[:limit])


def _alerts(history: FlowRuns, name: str, state: RunState) -> Iterator[dict[str, Any]]:
    link = f"/history/{quote(name)}/{quote(state.id)}"
    about = {"flow": name, "run": state.id, "link": link}
    if state.verdict in ("suspicious", "failed"):
        step = next((one for one, own in state.steps.items() if own.verdict == state.verdict), None)
        reason = next(iter(state.reasons), f"the run is {state.verdict}")
        yield about | {"step": step, "at": state.ended or state.began, "severity": state.verdict, "said": reason}
    folder, _ = history.run(name, state.id)
    for one in alerts_of(folder, state):
        severity = "suspicious" if one["failed"] else "notice"
        yield about | {"step": one["step"], "at": one["when"], "severity": severity, "said": "\n".join(one["said"])}


# ---------------------------------------------------------------------- home


@router.get("/home", response_model=HomeResponse)
def show_home(studio: StudioDep) -> Response:
    """The project, its flows and their last verdicts, what needs attention (worst first), and what changed last."""
    history = studio.part(FlowRuns)
    now = datetime.now(UTC)
    known = [_known(history, name) for name in history.names()] if has_flows() else []
    attention = [one for flow in known for one in (*_attention(flow), *_missed(flow, now))]
    if known:
        attention += _reviews(studio)
    due = {flow.name: _due(flow, now) for flow in known}
    here = {"name": studio.folder.resolve().name, "folder": str(studio.folder.resolve())}
    return JsonResponse(
        {
            "project": here,
            "projects": project_shapes(studio),
            "runs_flows": has_flows(),
            "flows": [_flow(flow, due[flow.name]) for flow in known],
            "attention": sorted(attention, key=lambda one: (_WORST[one["severity"]], _backwards(one["at"]))),
            "due": sorted(({"flow": name, "at": at} for name, at in due.items() if at), key=lambda one: str(one["at"])),
            "recent": _recent(studio),
        }
    )


def _known(history: FlowRuns, name: str) -> _Known:
    flow, problem = None, ""
    try:
        flow = Flow.load(history.file(name))
    except SightlineError as error:
        problem = without_folders(error.message)
    states = history.states(name, VERDICTS)
    is_running = bool(states) and not states[0].ended and history.store(name).is_locked
    states.sort(key=lambda state: (state.due_at, state.id), reverse=True)  # a late day is no news of today
    return _Known(name, flow, problem, states, is_running)


def _flow(known: _Known, due: str | None) -> dict[str, Any]:
    last = known.states[0] if known.states else None
    return {
        "name": known.name,
        "about": known.flow.about if known.flow else "",
        "steps": len(known.flow.steps) if known.flow else 0,
        "problem": known.problem or None,
        "schedule": known.flow.schedule if known.flow else "",
        "due": due,
        "running": known.is_running,
        "last": last
        and {
            "run": last.id,
            "began": last.began,
            "verdict": last.verdict,
            "rows": delivered_rows(last, known.flow),
            "held": sum(step.held for step in last.steps.values()),
        },
        "verdicts": [{"run": one.id, "began": one.began, "verdict": one.verdict} for one in known.states],
    }


def _due(known: _Known, now: datetime) -> str | None:
    if known.flow is None or not known.flow.schedule:
        return None
    try:
        return Timetable.read(known.flow.schedule).next(now).isoformat()
    except UsageError:
        return None


def _attention(known: _Known) -> Iterator[dict[str, Any]]:
    """What a person should look at in a flow, by its last run."""
    if known.problem:
        yield _asking("suspicious", f"{known.name} cannot run", known.problem, known.link, "")
    if not known.states or known.is_running:
        return
    last = known.states[0]
    link, at = known.run_link(last), last.ended or last.began
    if last.verdict == "failed":
        failed = next((step for step in last.steps.values() if step.verdict == "failed" and step.reasons), None)
        reason = failed.reasons[0] if failed else next(iter(last.reasons), "The run was interrupted.")
        yield _asking("failed", f"{known.name} failed", reason, link, at)
    elif last.verdict is None:
        yield _asking("suspicious", f"{known.name} was interrupted", "Run it again to go on.", link, at)
    for name, step in last.steps.items():
        if step.held:
            detail = next(iter(step.reasons), "They wait in quarantine.")
            where = f"{link}?step={quote(name)}&held=1"
            yield _asking("suspicious", f"{_counted(step.held, 'row')} held back in {known.name}", detail, where, at)
    if last.verdict == "suspicious" and not any(step.held for step in last.steps.values()):
        yield _asking("suspicious", f"{known.name} is suspicious", next(iter(last.reasons), "See its run."), link, at)
    yield from _thin_sources(known, last, link, at)


def _missed(known: _Known, now: datetime) -> Iterator[dict[str, Any]]:
    """A flow that did not run when it was due, because nothing was there to run it."""
    if known.flow is None or not known.flow.schedule or not known.states or known.is_running:
        return
    try:
        due = Timetable.read(known.flow.schedule).next(known.states[0].when)
    except UsageError:
        return
    if now - due > LATE:
        detail = (
            f"It was due {due:%A, %d %B %Y, %H:%M %Z}. Flows run while a Studio or `sightline schedule` is running."
        )
        yield _asking("suspicious", f"{known.name} did not run when it was due", detail, known.link, due.isoformat())


def _thin_sources(known: _Known, last: RunState, link: str, at: str) -> Iterator[dict[str, Any]]:
    before = next((state for state in known.states[1:] if state.ended), None)
    if known.flow is None or before is None:
        return
    for name, step in last.steps.items():
        older = before.steps.get(name)
        is_source = name in known.flow.steps and known.flow.steps[name].is_source
        if is_source and older and step.is_done and step.rows < THIN * older.rows:
            detail = f"{name} brought {step.rows} rows, after {older.rows} the time before."
            where = f"{link}?step={quote(name)}"
            yield _asking("suspicious", f"{name} of {known.name} got thin", detail, where, at)


def _reviews(studio: Studio) -> Iterator[dict[str, Any]]:
    """Pairs that wait for a decision."""
    for review in studio.part(OpenReviews).all():
        progress = review.queue.progress
        if progress.waiting:
            title = f"{_counted(progress.waiting, 'pair')} to review in {review.flow}"
            where = f"/match/{quote(review.flow)}/{quote(review.step)}"
            detail = "Your answers decide about the others as well."
            yield _asking("notice", title, detail, where, review.run.ended or review.run.began)


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _asking(severity: Severity, title: str, detail: str, link: str, at: str) -> dict[str, Any]:
    return {"severity": severity, "title": title, "detail": detail, "link": link, "at": at}


def _backwards(at: str) -> tuple[int, ...]:
    """Sorts times with the newest first."""
    return tuple(-ord(letter) for letter in at)


def _recent(studio: Studio) -> list[dict[str, Any]]:
    """What was changed last in the project."""
    found = [
        {"kind": "page", "name": info.title or info.source, "link": f"/pages/{info.id}", "changed": info.opened}
        for info in studio.infos()[:RECENT]
    ]
    kinds = (
        ("lesson", "lessons", ".lesson.json", "/teach/"),
        ("wrapper", "wrappers", ".wrapper.json", "/wrappers/"),
        ("script", ".", ".nav.yaml", "/record/"),
        ("flow", ".", ".flow.yaml", "/flows/"),
    )
    for kind, folder, suffix, link in kinds:
        documents = Documents(studio.folder / folder, suffix, f"a {kind}")
        for name in documents.names():
            changed = datetime.fromtimestamp(documents.changed(name), UTC).isoformat()
            found.append({"kind": kind, "name": name, "link": f"{link}{quote(name)}", "changed": changed})
    return sorted(found, key=lambda one: one["changed"], reverse=True)[:RECENT]
