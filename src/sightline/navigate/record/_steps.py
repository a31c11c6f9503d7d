"""The steps of a script from the acts of a person: noise left out, and what belongs together in one step."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from sightline.navigate.record._learn import Act
from sightline.navigate.script import (
    VARIABLE,
    BackStep,
    CheckStep,
    ClickStep,
    DialogStep,
    DownloadStep,
    DragStep,
    FillStep,
    HoverStep,
    OpenStep,
    PressStep,
    ReloadStep,
    ScrollStep,
    SecretName,
    SecretPlace,
    SelectStep,
    Step,
    TabStep,
    UncheckStep,
    UploadStep,
)
from sightline.navigate.targets import Target

__all__ = ["RecordedStep", "Recording", "steps_of"]

GROWN = 1.02  # times as high a page must be after a scroll that loaded something; toolbars come and go
CHOSEN = ("checkbox", "radio", "file")  # inputs whose clicks are told by what they change
PICKED = ("range", "color", "date", "time", "month", "week", "datetime-local", "number")
EDITING = ("Backspace", "Delete", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown", "Insert")
SCROLLING = ("Space", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown")
SECRETS = {"password": "password", "code": "one_time_code", "card": "card"}


@dataclass(frozen=True)
class RecordedStep:
    """A step, and why it may not do the same again."""

    step: Step
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Recording:
    """The steps so far, with the secrets and variables that they use."""

    steps: tuple[RecordedStep, ...] = ()
    secrets: dict[str, SecretPlace] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)


def steps_of(acts: Sequence[Act]) -> Recording:
    """The steps that do what a person did."""
    writer = _Writer()
    for act in acts:
        writer.write(act)
    steps = tuple(RecordedStep(one.step, tuple(one.doubts)) for one in writer.made)
    return Recording(steps, writer.secrets, writer.variables)


@dataclass
class _Made:
    """A step, what it was made from, and whether the page has come to rest since."""

    step: Step
    act: Act
    doubts: list[str] = field(default_factory=list)

    @property
    def about(self) -> str:
        return self.act.about


class _Writer:
    """Writes steps one act after the other."""

    def __init__(self) -> None:
        self.made: list[_Made] = []
        self.secrets: dict[str, SecretPlace] = {}
        self.variables: dict[str, str] = {}
        self._secret_of: dict[str, str] = {}
        self._tab: int | None = None  # where it began
        self._answer: tuple[bool, str | None] = (True, None)
        self._scroll: Act | None = None

    def write(self, act: Act) -> None:
        handler = _HANDLERS.get(act.kind)
        if handler:
            handler(self, act)

    # ------------------------------------------------------------------ the browser

    def _rest(self, act: Act) -> None:
        """A scroll counts if the page has grown since it began."""
        scroll = self._scroll
        if scroll and scroll.height and act.height > GROWN * scroll.height:
            self._scroll = None
            self._drop_last(ScrollStep)
            self._add(ScrollStep(to=scroll.event.top), scroll)

    def _opened(self, act: Act) -> None:
        self._switch(act)
        self._add(OpenStep(address=act.event.url), act)

    def _forward(self, act: Act) -> None:
        self._switch(act)
        self._add(OpenStep(address=act.event.url), act, "going forward is recorded as the address that it led to")

    def _back(self, act: Act) -> None:
        self._switch(act)
        before = self._last_step
        times = act.event.times + (before.times if isinstance(before, BackStep) else 0)
        self._drop_last(BackStep)
        self._add(BackStep(times=times), act)

    def _reload(self, act: Act) -> None:
        self._switch(act)
        self._add(ReloadStep(), act)

    def _closed(self, act: Act) -> None:
        """The player goes on in the newest tab, as the browser does."""
        if self._tab is None or act.event.tab == self._tab or self._tab >= act.event.tabs:
            self._tab = max(0, act.event.tabs - 1)

    def _dialog(self, act: Act) -> None:
        event = act.event
        if event.type == "beforeunload":
            return
        typed = event.value if event.type == "prompt" and event.accepted and event.value != event.text else None
        answer = (event.accepted, typed)
        if answer == self._answer or (event.type == "alert" and self._answer[1] is None):
            return
        self._answer = answer
        step = DialogStep(answer="accept" if event.accepted else "dismiss", text=self._text(typed) if typed else None)
        if len(self.made) > 1 and self.made[-2].act.kind == "dialog":
            self.made[-1].doubts.append("it opens several dialogs that were answered differently; only the last counts")
            self.made.pop(-2)
        self.made.insert(max(0, len(self.made) - 1), _Made(step, act))

    def _download(self, act: Act) -> None:
        if self.made and isinstance(self.made[-1].step, ClickStep):
            self.made[-1].step = DownloadStep(target=self.made[-1].step.target)
        elif self.made and not isinstance(self.made[-1].step, DownloadStep):
            self.made[-1].doubts.append(f"it started the download of {act.event.message}, which no click did")

    # ------------------------------------------------------------------ elements

    def _click(self, act: Act) -> None:
        event = act.event
        if event.tag in ("select", "option", "optgroup") or event.type in (*CHOSEN, "range"):
            return
        if event.label_of and event.label_type in CHOSEN:
            return
        if not event.count and not self._was_pressed(act):
            return  # the browser's own click, on the button of a form that was sent with Enter
        self._switch(act)
        if act.opener and self._last_step != HoverStep(target=act.opener.target):
            self._add(HoverStep(target=act.opener.target), act, act.opener.doubt)
        if act.was_on is not None and act.target:
            kind = UncheckStep if act.was_on else CheckStep
            self._add(kind(target=act.target.target), act, act.target.doubt)
        else:
            self._about(act, lambda target: ClickStep(target=target))

    def _was_pressed(self, act: Act) -> bool:
        """Whether a key on the same element made this click; then the click says it better."""
        if not self.made or not isinstance(self.made[-1].step, PressStep) or self.made[-1].about != act.about:
            return False
        self.made.pop()
        return True

    def _check(self, act: Act) -> None:
        self._switch(act)
        if act.event.checked:
            self._about(act, lambda target: CheckStep(target=target))
        else:
            self._about(act, lambda target: UncheckStep(target=target))

    def _input(self, act: Act) -> None:
        self._switch(act)
        self._forget(act, ClickStep, PressStep, FillStep)
        text = SecretName(self._secret(act)) if act.event.secret else self._text(act.event.value.rstrip("\n"))
        self._about(act, lambda target: FillStep(target=target, text=text))

    def _choice(self, act: Act) -> None:
        self._switch(act)
        self._forget(act, PressStep, SelectStep)
        options = tuple(self._text(one) for one in act.event.options)
        if options:
            self._about(act, lambda target: SelectStep(target=target, options=options))

    def _files(self, act: Act) -> None:
        self._switch(act)
        self._drop_last(ClickStep)  # it opened the window in which files are chosen
        files = tuple(self._text(one) for one in act.event.files)
        if files:
            self._about(act, lambda target: UploadStep(target=target, files=files))
            names = ", ".join(files)
            self.made[-1].doubts.append(f"a page does not say where a file was; put {names} beside the script")

    def _key(self, act: Act) -> None:
        if self._is_noise(act):
            return
        self._switch(act)
        focused = bool(self.made) and self.made[-1].about == act.about
        doubt = "" if focused or act.event.tag == "body" else "the key goes to whatever has the focus by then"
        self._add(PressStep(key=act.event.key), act, "" if act.event.key == "Escape" else doubt)

    def _is_noise(self, act: Act) -> bool:
        """Keys that edit a text, change an input (which says so itself), scroll, or only move the focus."""
        event = act.event
        if event.key == "Tab" or event.tag == "select" or event.type in CHOSEN or event.type == "range":
            return True
        if act.target and act.target.role == "textbox":
            lines = event.tag != "input" and event.key in ("Enter", "ArrowUp", "ArrowDown")
            picked = event.type in PICKED and event.key in ("ArrowUp", "ArrowDown")
            return event.key in EDITING or lines or picked
        return event.tag in ("body", "html") and event.key in SCROLLING

    def _scroll_to(self, act: Act) -> None:
        if act.event.whole and not act.event.first and isinstance(self._last_step, ScrollStep):
            self.made[-1].step = ScrollStep(to=act.event.top)
        elif act.event.whole and (act.event.first or self._scroll):
            height = self._scroll.height if self._scroll and not act.event.first else act.height
            self._scroll = replace(act, height=height)

    def _drag(self, act: Act) -> None:
        self._switch(act)
        by, onto = act.event.by, act.onto
        slider = act.target is not None and act.target.role == "slider"
        if onto is not None and not slider and (by is None or not onto.doubt):
            self._about(act, lambda target: DragStep(target=target, onto=onto.target))
            self.made[-1].doubts += [onto.doubt] if onto.doubt else []
        elif by is not None:
            self._about(act, lambda target: DragStep(target=target, by=by))

    # ------------------------------------------------------------------ helpers

    @property
    def _last_step(self) -> Step | None:
        return self.made[-1].step if self.made else None

    def _add(self, step: Step, act: Act, doubt: str = "") -> None:
        self.made.append(_Made(step, act, [doubt] if doubt else []))

    def _about(self, act: Act, make: Callable[[Target], Step]) -> None:
        if act.target:
            self._add(make(act.target.target), act, act.target.doubt)

    def _drop_last(self, kind: type[Step]) -> None:
        if isinstance(self._last_step, kind):
            self.made.pop()

    def _forget(self, act: Act, *kinds: type[Step]) -> None:
        """Drop the last steps on the same element that this act makes superfluous."""
        while self.made and isinstance(self.made[-1].step, kinds) and self.made[-1].about == act.about:
            self.made.pop()

    def _switch(self, act: Act) -> None:
        """Say in which tab it goes on, if that is another one."""
        event = act.event
        before, self._tab = self._tab, event.tab
        if before in (None, event.tab):
            return
        which = "newest" if event.tab == event.tabs - 1 else "first" if event.tab == 0 else str(event.tab + 1)
        self._add(TabStep(which=which), act)

    def _secret(self, act: Act) -> str:
        """The name of the secret of an input; another input has another one."""
        if act.about not in self._secret_of:
            plain = SECRETS.get(act.event.secret, act.event.secret)
            taken = set(self.secrets)
            name = next(one for one in (plain, *(f"{plain}_{n}" for n in range(2, 99))) if one not in taken)
            self._secret_of[act.about] = name
            self.secrets[name] = SecretPlace(environment=name.upper())
        return self._secret_of[act.about]

    def _text(self, text: str) -> str:
        """A text as a script has it; braces in it would be a variable, so such a text is one."""
        if not VARIABLE.search(text):
            return text
        known = next((name for name, value in self.variables.items() if value == text), None)
        name = known or f"text_{len(self.variables) + 1}"
        self.variables[name] = text
        return f"{{{name}}}"


_HANDLERS: dict[str, Callable[[_Writer, Act], None]] = {
    "rest": _Writer._rest,
    "opened": _Writer._opened,
    "back": _Writer._back,
    "forward": _Writer._forward,
    "reload": _Writer._reload,
    "closed": _Writer._closed,
    "dialog": _Writer._dialog,
    "download": _Writer._download,
    "click": _Writer._click,
    "check": _Writer._check,
    "input": _Writer._input,
    "choice": _Writer._choice,
    "files": _Writer._files,
    "key": _Writer._key,
    "scroll": _Writer._scroll_to,
    "drag": _Writer._drag,
}
