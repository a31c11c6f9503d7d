"""The step that runs a Python function of one's own: Arrow tables in, an Arrow table out, in a process of its own.

The process keeps a crash or a leak of the function away from the run, and can be ended. It protects from nothing else:
the function may do whatever the user may, so it is run only if the flow is trusted.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sightline.errors import UnreadableError, UsageError
from sightline.flow.run._context import StepContext, StepResult, kept_rows
from sightline.flow.spec import Flow, PythonStep
from sightline.plugins import plugins

GROUP = "sightline.steps"
LOOK_EVERY = 0.2  # seconds between two looks at whether somebody wants it to stop
MOST_PRINTED = 5  # lines of what the function printed that are shown; the file has all


@dataclass(frozen=True)
class FlowFunction:
    """A function that a package offers to flows, by an entry point of the group `sightline.steps`."""

    name: str
    about: str
    function: Callable[..., Any]


def check_trusted(flow: Flow, *, trust: bool) -> None:
    """Refuse a flow that runs Python code, unless somebody has said that it is trusted."""
    step = next((one for one in flow.steps.values() if isinstance(one, PythonStep)), None)
    if step is not None and not trust:
        raise flow.fail(
            step,
            f"`{step.name}` runs the Python code of {step.function}, which can do whatever you can; read it, and then "
            "run the flow with --trust (in Python: trust=True).",
        )


def python_step(context: StepContext, step: PythonStep) -> StepResult:
    """Run the function over the tables of other steps, and keep what it gives."""
    if not context.trust:
        check_trusted(context.flow, trust=False)
    if not step.takes and (captured := context.captured) is not None:
        return context.take(captured)
    result = context.run.path / f".{step.name}.result.part"
    printed = context.run.path / f"{step.name}.log"
    told = {
        "function": step.function,
        "tables": [str(context.path_of(name)) for name in step.takes],
        "options": context.plain(step.options or {}),
        "result": str(result),
    }
    try:
        status = _run(context, told, printed)
        lines = printed.read_text("utf-8", "replace").splitlines() if printed.exists() else []
        if status != 0:
            reason = lines[-1].rstrip(".") if lines else f"it ended with status {status}"
            raise UnreadableError(step.function, f"failed ({reason:.300}); {printed} has what it printed.")
        rows = kept_rows(result)
        _check_names(context, rows.schema.names)
        return StepResult(context.keep(rows), notes=tuple(lines[:MOST_PRINTED]))
    finally:
        result.unlink(missing_ok=True)


def _run(context: StepContext, told: dict[str, Any], printed: Path) -> int:
    """The status with which the process of the function ended."""
    command = [sys.executable, "-m", "sightline.flow.run._python_process"]
    with (
        printed.open("wb") as log,
        subprocess.Popen(
            command, cwd=context.flow.folder, stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT
        ) as process,
    ):
        assert process.stdin is not None
        with process.stdin:
            process.stdin.write(json.dumps(told).encode())
        try:
            while True:
                try:
                    return process.wait(LOOK_EVERY)
                except subprocess.TimeoutExpired:
                    context.cancel.check(0)
        except BaseException:
            process.kill()
            raise


def _check_names(context: StepContext, names: list[str]) -> None:
    doubled = next((name for at, name in enumerate(names) if name in names[:at]), "")
    if doubled:
        raise context.fail(f"the function gave two columns `{doubled}`; rename one of them.", "python")


def flow_functions() -> dict[str, FlowFunction]:
    """The functions that packages offer to flows."""
    return plugins(GROUP, FlowFunction)


def function_of(name: str, folder: Path) -> Callable[..., Any]:
    """The function that a step names: `module:name`, with modules of the flow's folder first, or one of a package."""
    module, colon, attribute = name.partition(":")
    if not colon:
        known = flow_functions()
        if name not in known:
            there = f"there are {', '.join(known)}" if known else "none is installed"
            raise UsageError(f"No package has a step {name!r} ({there}); write `module:function` for one of your own.")
        return known[name].function
    from importlib import import_module

    sys.path.insert(0, str(folder))
    try:
        found = getattr(import_module(module), attribute, None)
    except ModuleNotFoundError as problem:
        if problem.name != module.partition(".")[0]:
            raise
        raise UsageError(
            f"There is no module {module} in {folder}, and none is installed; check its name."
        ) from problem
    if not callable(found):
        raise UsageError(f"The module {module} has no function {attribute}; check its name.")
    return found  # type: ignore[no-any-return]
