"""Who hears of how a run ended, whatever became of its steps, and of its process."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import orjson

from sightline.data import Verdict
from sightline.errors import JobCancelled, SightlineError, UsageError
from sightline.files import write_bytes
from sightline.flow.run._state import FlowStore, RunFolder, RunState
from sightline.flow.spec import Flow
from sightline.project import Lock
from sightline.yaml import SecretName, look_up

MOST_LINES = 20  # reasons in one message
CUT_OFF = "its process ended before the run did; run the flow again, and it goes on where it was"
CUT_OFF_TOLD = "cut-off.told"


def told_outcome(flow: Flow, state: RunState) -> RunState:
    """Tell how a run ended, once for each way in which it did; what could not be told is a notice of the run."""
    verdict: Verdict = state.verdict or "failed"
    digest = hashlib.sha256("\n".join((verdict, *state.reasons)).encode()).hexdigest()[:16]
    if digest == state.told:
        return state
    failed = tell_outcome(flow, verdict, state.reasons, run=state.id)
    return replace(state, told=digest, notices=tuple(dict.fromkeys((*state.notices, *failed))))


def tell_outcome(flow: Flow, verdict: Verdict, reasons: Sequence[str], run: str = "") -> tuple[str, ...]:
    """Send one message to whom the flow names for this verdict; a sentence for each address that did not take it."""
    named = {"failed": flow.on_failure, "suspicious": flow.on_suspicious, "ok": flow.on_success}[verdict]
    if not named:
        return ()
    from sightline.flow.notify import notify  # its package is an extra

    addresses, missing = [], []
    for one in named:
        try:
            addresses.append(
                look_up(one.name, flow.secrets[one.name]) if isinstance(one, SecretName) else flow.filled_in(one)
            )
        except UsageError as problem:
            missing.append(problem.message)
    what = f"the run {run} is {verdict}" if run else "the run could not begin"
    told = notify([what, *reasons[:MOST_LINES]], addresses, title=f"{flow.name}: {verdict}")
    return (*missing, *told.failed)


# -- processes that end before their run does: killed, out of memory, without power ------------------------------------


def tell_left(flow: Flow, store: FlowStore) -> None:
    """Tell what became of the last run, if its process could not: it was cut off, or ended and was not told of."""
    ids = store.run_ids()
    if not ids:
        return
    folder = store.run(ids[-1])
    state = folder.state
    if state.verdict is None:
        tell_cut_off(flow, folder)
    elif not state.told and not state.abandoned and state.version > 1:
        folder.write(told_outcome(flow, state))


def tell_cut_off(flow: Flow, folder: RunFolder) -> None:
    """Tell once that a run was cut off, by whichever process notices it first."""
    marker = folder.path / CUT_OFF_TOLD
    if not flow.on_failure or marker.exists():
        return
    with Lock(folder.path / "telling.lock", wait=True):
        if not marker.exists():
            failed = tell_outcome(flow, "failed", (CUT_OFF,), run=folder.path.name)
            write_bytes(marker, "\n".join(failed).encode())


# Waits until its input ends. A byte before that says that all is well; else the parent is gone, and it becomes the
# process that tells. It imports nothing, so that it costs some ten milliseconds.
WATCHED = "SIGHTLINE_WATCHED_RUN"  # which run that is; not among its words, which every user of the machine can read
_WAIT = "import os, sys\nif not os.read(0, 1): os.execv(sys.argv[1], sys.argv[1:])"


@contextmanager
def watched(flow: Flow, store: Path, run_id: str) -> Iterator[None]:
    """While a process of its own waits for this one to end, so that people hear of a run that is killed.

    It is only there if the flow says who hears of failures.
    """
    if not flow.on_failure or not Path(flow.file).exists():
        yield
        return
    told = orjson.dumps([str(Path(flow.file).absolute()), str(store.absolute()), run_id, dict(flow.variables)])
    waiting = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _WAIT, sys.executable, "-m", "sightline.flow.run._cut_off"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={**os.environ, WATCHED: told.decode()},
    )
    is_well = False
    try:
        yield
        is_well = True
    except (SightlineError, JobCancelled, KeyboardInterrupt):
        is_well = True
        raise
    finally:
        assert waiting.stdin is not None
        with waiting.stdin:
            if is_well:
                waiting.stdin.write(b"\n")
        if is_well:
            waiting.wait()
