"""Playing a script from beginning to end."""

from collections.abc import Callable, Mapping, Sequence
from time import monotonic, sleep
from typing import Any, TypeAlias

from sightline.data import Value
from sightline.errors import CrashError, SightlineError, UsageError
from sightline.jobs import OnProgress, Progress
from sightline.navigate.play._blocks import BLOCKS
from sightline.navigate.play._browsing import Browsing, TargetError
from sightline.navigate.play._looking import LOOKS
from sightline.navigate.play._page_records import ListMissing
from sightline.navigate.play._run import Run, Scope, StepError, StopAsked
from sightline.navigate.play._secrets import Secrets
from sightline.navigate.play._trace import Moment, Played, StepOutcome, TraceFolder, Watcher
from sightline.navigate.script import (
    BackStep,
    CheckStep,
    ClickStep,
    DialogStep,
    DownloadStep,
    DragStep,
    FillStep,
    HoverStep,
    LogInStep,
    OpenStep,
    PressStep,
    ReloadStep,
    Script,
    ScrollStep,
    SecretName,
    SelectStep,
    SetStep,
    Step,
    TabStep,
    UncheckStep,
    UploadStep,
)
from sightline.navigate.targets import Target
from sightline.page import Page
from sightline.sources import Session

# The steps that do something to a page, as a hand would.

TURNED = ("checkbox", "radio", "switch")
MOST_SCROLLS = 100  # of one `scroll: end`; whatever still grows then is endless


def _open(run: Run, step: OpenStep) -> None:
    run.note = run.scope.fill(step.address)
    run.browsing.goto(run.note)


def _click(run: Run, step: ClickStep) -> None:
    place = run.place(step.target)
    seen = len(run.session.dialogs)
    run.acted(lambda: run.session.click(place.xpath))
    told = run.session.dialogs[seen:]
    run.note = ", ".join(f"{'accepted' if one.accepted else 'dismissed'} “{one.message}”" for one in told)


def _fill(run: Run, step: FillStep) -> None:
    place = run.place(step.target, "textbox", "slider")
    if isinstance(step.text, SecretName):
        run.browsing.hidden.append(place.xpath)
    text = run.typed(step.text)
    run.note = f"typed “{text}”"
    run.acted(lambda: run.session.fill(place.xpath, text))


def _select(run: Run, step: SelectStep) -> None:
    place = run.place(step.target, "combobox")
    options = [run.scope.fill(one) for one in step.options]
    run.note = f"chose {', '.join(f'“{one}”' for one in options)}"
    run.acted(lambda: run.session.select(place.xpath, *options))


def _check(run: Run, step: CheckStep) -> None:
    place = run.place(step.target, *TURNED)
    run.acted(lambda: run.session.check(place.xpath))


def _uncheck(run: Run, step: UncheckStep) -> None:
    place = run.place(step.target, *TURNED)
    run.acted(lambda: run.session.uncheck(place.xpath))


def _press(run: Run, step: PressStep) -> None:
    run.acted(lambda: run.session.press(run.scope.fill(step.key)))


def _hover(run: Run, step: HoverStep) -> None:
    place = run.place(step.target)
    run.acted(lambda: run.session.hover(place.xpath))


def _scroll(run: Run, step: ScrollStep) -> None:
    if isinstance(step.to, Target):
        node = run.place(step.to).node
        top = int(run.browsing.page.box[node][1]) if node is not None else 0
        run.acted(lambda: run.session.scroll(top))
    elif step.to == "end":
        _scroll_to_end(run)
    else:
        pixels = 0 if step.to == "top" else int(step.to)
        run.acted(lambda: run.session.scroll(pixels))


def _scroll_to_end(run: Run) -> None:
    """Scroll until the page no longer grows."""
    for _ in range(MOST_SCROLLS):
        bottom = run.browsing.bottom()
        run.acted(lambda: run.session.scroll(bottom))  # noqa: B023 - called at once
        if run.browsing.bottom() <= bottom:
            return
    run.doubts.append(f"the page still grew after {MOST_SCROLLS} scrolls; what is below was not seen")


def _drag(run: Run, step: DragStep) -> None:
    place = run.place(step.target)
    if step.onto is not None:
        to = run.place(step.onto)
        run.acted(lambda: run.session.drag(place.xpath, to=to.xpath))
    else:
        run.acted(lambda: run.session.drag(place.xpath, by=step.by))


def _upload(run: Run, step: UploadStep) -> None:
    place = run.place(step.target, "file")
    files = [run.script.folder / run.scope.fill(name) for name in step.files]
    run.acted(lambda: run.session.upload(place.xpath, *files))


def _download(run: Run, step: DownloadStep) -> None:
    if not run.session.stores_downloads:
        raise UsageError("There is no folder for downloads; name one: `--downloads DIR`, or sl.session(downloads=…).")
    place = run.place(step.target)
    try:
        found = run.session.download(place.xpath)
    finally:
        run.browsing.changed()
    run.downloads.append(found)
    run.note = f"stored {found.name} as {found.path}"
    if step.variable:
        run.scope.put_in_record(step.variable, Value(str(found.path)))


def _back(run: Run, step: BackStep) -> None:
    for _ in range(step.times):
        run.acted(run.session.back)


def _reload(run: Run, _: ReloadStep) -> None:
    run.acted(run.session.reload)


def _tab(run: Run, step: TabStep) -> None:
    words = {"newest": -1, "first": 0}
    which = run.scope.fill(step.which)
    if which not in words and not which.isdigit():
        raise UsageError(f"There is no tab “{which}”; say `newest`, `first`, or a number from 1.")
    number, count = words.get(which, int(which) - 1 if which.isdigit() else 0), len(run.session.tabs)
    if not -count <= number < count or which == "0":
        raise UsageError(f"There is no tab {which}; {count} {'is' if count == 1 else 'are'} open, and the first is 1.")
    run.acted(lambda: run.session.tab(number))


def _dialog(run: Run, step: DialogStep) -> None:
    text = None if step.text is None else run.scope.fill(step.text)
    run.session.dialog(accept=step.answer == "accept", text=text)


def _log_in(run: Run, step: LogInStep) -> None:
    run.session.login(run.scope.fill(step.address), run.typed(step.user), run.typed(step.password))


ACTIONS: dict[type[Step], Callable[[Run, Any], None]] = {
    OpenStep: _open,
    ClickStep: _click,
    FillStep: _fill,
    SelectStep: _select,
    CheckStep: _check,
    UncheckStep: _uncheck,
    PressStep: _press,
    HoverStep: _hover,
    ScrollStep: _scroll,
    DragStep: _drag,
    UploadStep: _upload,
    DownloadStep: _download,
    BackStep: _back,
    ReloadStep: _reload,
    TabStep: _tab,
    DialogStep: _dialog,
    LogInStep: _log_in,
}
"""What each of these steps does."""


# Plays a script in a session, step by step. Nothing is clicked unless it is certain what it is.

PLAIN = {**ACTIONS, **LOOKS}
ELSE = "else."  # in the numbers of steps that are done otherwise: 3.else.1

Mend: TypeAlias = Callable[[Moment, str], Step | None]
"""Asked about a step that could not be done, and why: gives the step to do instead, or None to stop there."""


class Player:
    """Plays one script once."""

    def __init__(
        self, run: Run, watchers: Sequence[Watcher] = (), *, slow: float = 0.0, mend: Mend | None = None
    ) -> None:
        self._run = run
        self._watchers = watchers
        self._slow = slow
        self._mend = mend
        self._mended: dict[str, Step] = {}  # by their places, since a loop comes to them again

    def play(self, start: int = 1) -> Played:
        """Play from a step on, by its number in the script; what was extracted is kept, however it ends."""
        try:
            self._begin(start)
            self._steps(self._run.script.steps[start - 1 :], "", start)
        except StopAsked as told:
            return self._run.played("stop", str(told))
        except SightlineError as problem:
            return self._run.played("failed", problem.message)
        return self._run.played("end")

    def so_far(self) -> Played:
        """What was extracted until somebody interrupted it."""
        return self._run.played("interrupted", "it was interrupted")

    def _begin(self, start: int) -> None:
        """Get ready for a later step: the last address before it is opened, and settings are made."""
        before = self._run.script.steps[: start - 1]
        opened = [step for step in before if isinstance(step, OpenStep)][-1:]
        for number, step in enumerate(before, 1):
            if isinstance(step, LogInStep | DialogStep) or step in opened or _is_plain(step):
                self._step(step, str(number))

    def _steps(self, steps: Sequence[Step], prefix: str, first: int = 1) -> None:
        for number, step in enumerate(steps, first):
            self._step(step, f"{prefix}{number}")

    def _step(self, step: Step, place: str) -> None:
        step = self._mended.get(place, step)
        while (other := self._attempt(step, place)) is not None:
            step = self._mended[place] = other
            self._run.browsing.changed()

    def _attempt(self, step: Step, place: str) -> Step | None:
        """Do a step; one that cannot be done may be mended: then this is what to do instead."""
        run = self._run
        around = run.scope.current
        moment = Moment(place, step, run.done, around.label if around else "")
        if self._slow and run.done:
            sleep(self._slow)
        for watcher in self._watchers:
            watcher.before(moment, run.browsing)
        run.how, run.box, run.note, problem = "", None, "", "it was interrupted"
        failed: SightlineError | None = None
        try:
            self._do(step, place)
            problem = ""
        except StopAsked:
            problem = ""
            raise
        except SightlineError as error:
            problem = run.secrets.redact(error.message)
            failed = error
        finally:
            run.done += not problem
            outcome = StepOutcome(problem, run.how, run.box, run.secrets.redact(run.note))
            for watcher in self._watchers:
                watcher.after(moment, outcome)
        if failed is None:
            return None
        # What went wrong in an inner step was asked about there.
        other = self._mend(moment, problem) if self._mend and not isinstance(failed, StepError) else None
        if other is None:
            raise self._placed(failed, step, place) from failed
        return other

    def _placed(self, error: SightlineError, step: Step, place: str) -> SightlineError:
        """An error that says at which step it happened; inner steps have said so already."""
        if isinstance(error, StepError):
            return error
        redact = self._run.secrets.redact
        where = f"{self._run.script.file}, line {step.line}, step {place} ({redact(str(step))})"
        hint = ""
        if self._run.new_tab and isinstance(error, TargetError | ListMissing):
            hint = f" Step {self._run.new_tab} opened a new tab; go on there with `tab: newest`."
        return StepError(f"{where}: {redact(error.message)}{hint}", cause=error)

    def _do(self, step: Step, place: str) -> None:
        """Do a step; one whose tab crashes is done once more, in a fresh one."""
        run, block = self._run, BLOCKS.get(type(step))
        if block:
            otherwise = getattr(step, "otherwise", ())
            block(run, step, lambda steps: self._steps(steps, f"{place}.{ELSE if steps is otherwise else ''}"))
            return
        tabs = len(run.session.tabs)
        try:
            PLAIN[type(step)](run, step)
            run.new_tab = place if len(run.session.tabs) > tabs else "" if isinstance(step, TabStep) else run.new_tab
        except CrashError:
            run.session.renew()
            run.browsing.changed()
            run.doubts.append(f"the tab crashed at step {place} ({step}), which was then done in a fresh one")
            PLAIN[type(step)](run, step)


def _is_plain(step: Step) -> bool:
    """Whether a step gives texts to variables, and needs no page for that."""
    return isinstance(step, SetStep) and all(reading.text is not None for reading in step.values.values())


class Playing:
    """A script that is played in a session: `run` it once. If that is interrupted, `so_far` has what there is.

    `secrets` are those that somebody has just typed, by their names; the others are looked up where they are kept.
    `mend` is asked about a step that could not be done, and may give another one for it. `on_page` gets every page that
    something is read from.
    """

    def __init__(  # noqa: PLR0913 - one for each choice
        self,
        script: Script,
        session: Session,
        *,
        variables: Mapping[str, str] | None = None,
        slow: float = 0.0,
        trace: TraceFolder | None = None,
        on_progress: OnProgress | None = None,
        watchers: Sequence[Watcher] = (),
        secrets: Mapping[str, str] | None = None,
        mend: Mend | None = None,
        on_page: Callable[[Page], object] | None = None,
    ) -> None:
        kept = Secrets(script.secrets, secrets)
        watchers = [*watchers, *([_Teller(on_progress, kept)] if on_progress else [])]
        if trace:
            trace.begin(script, kept)
            watchers.append(trace)
        scope = Scope.of({**script.variables, **_known(script, variables or {})})
        self._trace = trace
        self._count = len(script.steps)
        run = Run(script, session, kept, scope, on_page=on_page)
        self._player = Player(run, watchers, slow=slow, mend=mend)

    def run(self, start: int = 1) -> Played:
        """Play from a step on, by its number; what was extracted is kept, however it ends."""
        if not 1 <= start <= self._count:
            raise UsageError(f"There is no step {start}; the script has {self._count}.")
        try:
            return self._told(self._player.play(start))
        except BaseException:
            if self._trace:
                self._trace.end()
            raise

    def so_far(self) -> Played:
        """What was extracted until it was interrupted."""
        return self._told(self._player.so_far())

    def _told(self, played: Played) -> Played:
        if self._trace:
            self._trace.tell(played)
        return played


def _known(script: Script, variables: Mapping[str, str]) -> Mapping[str, str]:
    unknown = next((name for name in variables if name not in script.variables), None)
    if unknown is not None:
        known = ", ".join(script.variables) or "none"
        raise UsageError(f"The script has no variable `{unknown}`; it has {known}.")
    return variables


class _Teller:
    """Tells a listener which step it is."""

    def __init__(self, listener: OnProgress, secrets: Secrets) -> None:
        self._listener = listener
        self._secrets = secrets
        self._began = monotonic()

    def before(self, moment: Moment, _: Browsing) -> None:
        """A step is about to be done."""
        record = f" · {moment.record}" if moment.record else ""
        said = self._secrets.redact(f"{moment.place} {moment.step}{record}")
        self._listener(Progress("Playing", moment.done, None, said, seconds=monotonic() - self._began))

    def after(self, moment: Moment, outcome: StepOutcome) -> None:
        """A step was done; the next one will say so."""
