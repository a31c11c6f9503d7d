"""Where a run reads from and delivers to, for those who watch it."""

from sightline.errors import SightlineError
from sightline.flow.deliver import DeliveryTarget
from sightline.flow.run._context import StepContext
from sightline.flow.run._notifying import checked_delivery
from sightline.flow.run._watching import WatchedRun
from sightline.flow.spec import DeliverStep, FlowStep
from sightline.jobs import Cancel, new_loader


def watched_context(run: WatchedRun, step: FlowStep) -> StepContext:
    """The surroundings of a step, for questions about it; nothing is done with it."""
    when = run.state.due_at
    steps, pages = run.state.steps, run.folder.path
    loader = lambda static: new_loader(static=static)  # noqa: E731 - nobody calls it
    return StepContext(
        run.flow, step, run.store, run.folder, when, when, steps, loader, pages, Cancel(), lambda _: None
    )


def delivery_target(run: WatchedRun, step: DeliverStep) -> DeliveryTarget | None:
    """Where a step delivers to; None if that cannot be told, such as without its secret. Its place may be one."""
    try:
        return DeliveryTarget.read(checked_delivery(watched_context(run, step), step)[1])
    except SightlineError:  # the step itself tells it
        return None
