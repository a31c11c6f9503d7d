"""Who hears of how a run ended, whatever became of its steps."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from sightline.data import Verdict
from sightline.errors import UsageError
from sightline.flow.run._state import RunState
from sightline.flow.spec import Flow
from sightline.yaml import SecretName, look_up

MOST_LINES = 20  # reasons in one message


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
