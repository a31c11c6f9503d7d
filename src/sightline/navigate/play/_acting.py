"""The steps that do something to a page, as a hand would."""

from collections.abc import Callable
from typing import Any

from sightline.data import Value
from sightline.errors import UsageError
from sightline.navigate.play._run import Run
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
    ScrollStep,
    SecretName,
    SelectStep,
    Step,
    TabStep,
    UncheckStep,
    UploadStep,
)
from sightline.navigate.targets import Target

__all__ = ["ACTIONS"]

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
