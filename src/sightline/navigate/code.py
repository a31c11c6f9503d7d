"""Navigation scripts as code for other frameworks.

A navigation script as a Playwright script in Python, which runs without Sightline.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sightline.errors import UsageError
from sightline.extract.wrappers import Selector, Wrapper, selectors_of
from sightline.navigate.script import (
    AddStep,
    BackStep,
    CheckStep,
    ClickStep,
    DialogStep,
    DownloadStep,
    DragStep,
    ExtractStep,
    FillStep,
    FollowStep,
    ForEachStep,
    FrameStep,
    HoverStep,
    IfMissingStep,
    IfPresentStep,
    LogInStep,
    NextPagesStep,
    OpenStep,
    PageCondition,
    PressStep,
    Reading,
    RecordSource,
    ReloadStep,
    RepeatUntilStep,
    RepeatWhileStep,
    Script,
    ScrollStep,
    SecretName,
    SelectStep,
    SetStep,
    Step,
    StopStep,
    TabStep,
    UncheckStep,
    UploadStep,
    WaitForStep,
    WaitUntilGoneStep,
)
from sightline.navigate.targets import Target

__all__ = ["playwright_code"]

INDENT = "    "
MAIN = '''

def main():
    """Run the steps, and print the records, or write them to the file that is named as argument."""
    outputs = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("BROWSER_PATH") or None, headless="--headed" not in sys.argv
        )
        context = browser.new_context(accept_downloads=True)
        try:
            run(context, ChainMap(dict(VARIABLES)), outputs)
        except Stop as told:
            print(f"Stopped: {told}", file=sys.stderr)
        browser.close()
    text = json.dumps(outputs, ensure_ascii=False, indent=2)
    files = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    if files:
        with open(files[0], "w", encoding="utf-8") as file:
            file.write(text)
    else:
        print(text)


if __name__ == "__main__":
    main()
'''


def playwright_code(script: Script) -> str:
    """The script as Python code; a step that has no counterpart is an error that names it."""
    return "".join(_Writer(script).lines())


class _Writer:
    """Writes one script."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._loops: list[str] = []  # the names of the records that loops are at

    def lines(self) -> Iterator[str]:
        """The whole program."""
        about = (self._script.about or "A navigation script").replace('"""', "'''").replace("\\", "")
        yield f'"""{about}\n\nMade from {Path(self._script.file).name}. It needs Playwright: pip install playwright\n\n'
        yield 'Run it: python THIS_FILE [records.json] [--headed]\n"""\n\n'
        yield "import json\nimport os\nimport re\nimport sys\nimport time\nfrom collections import ChainMap\n"
        yield "from urllib.parse import urljoin\n\nfrom playwright.sync_api import sync_playwright\n\n"
        yield f"VARIABLES = {dict(self._script.variables)!r}\n"
        yield HELPERS
        yield "\n\ndef run(context, scope, outputs):\n"
        yield f'{INDENT}"""The steps."""\n{INDENT}page = root = context.new_page()\n'
        yield f'{INDENT}answers = {{"accept": True, "text": None}}\n'
        yield f'{INDENT}context.on("dialog", lambda dialog: answer(dialog, **answers))\n'
        yield from (f"{INDENT}{line}\n" for line in self._inner(self._script.steps))
        yield MAIN

    def _inner(self, steps: Sequence[Step]) -> Iterator[str]:
        for step in steps:
            yield from self._step(step)

    def _step(self, step: Step) -> Iterator[str]:
        yield f"# {' '.join(str(step).split())}"
        if isinstance(step, NextPagesStep):
            raise self._without_counterpart(step, "how pages are turned is found out while they are read")
        simple = self._simple(step)
        yield from [simple] if simple is not None else self._longer(step)

    def _without_counterpart(self, step: Step, why: str) -> UsageError:
        where = f"{self._script.file}, line {step.line}"
        return UsageError(
            f"{where}: `{step.word}` has no counterpart in Playwright, since {why}; use `sightline play`."
        )

    # ------------------------------------------------------------------ one line

    def _simple(self, step: Step) -> str | None:
        """The line of a step that needs only one."""
        if isinstance(step, OpenStep):
            return f"page.goto({_text(step.address)})"
        if isinstance(step, FillStep):
            return f"{self._find(step.target)}.fill({self._typed(step.text)})"
        if isinstance(step, SelectStep):
            return f"{self._find(step.target)}.select_option(label=[{', '.join(map(_text, step.options))}])"
        if isinstance(step, UploadStep):
            return f"{self._find(step.target)}.set_input_files([{', '.join(map(_text, step.files))}])"
        if isinstance(step, ClickStep | CheckStep | UncheckStep | HoverStep):
            return f"{self._find(step.target)}.{step.word}()"
        return self._without_target(step)

    def _without_target(self, step: Step) -> str | None:
        if isinstance(step, PressStep):
            return f"page.keyboard.press({_text(step.key)})"
        if isinstance(step, ReloadStep):
            return "page.reload()"
        if isinstance(step, StopStep):
            return f"raise Stop({_text(step.why)})"
        if isinstance(step, DialogStep):
            return f"answers.update(accept={step.answer == 'accept'}, text={_text(step.text) if step.text else None})"
        if isinstance(step, WaitForStep | WaitUntilGoneStep):
            return self._waiting(step)
        return None

    def _waiting(self, step: WaitForStep | WaitUntilGoneStep) -> str:
        condition = step.condition
        if condition.target is None:
            raise self._without_counterpart(step, "only elements can be waited for")
        if isinstance(step, WaitForStep):
            return f"{self._find(condition.target, f', seconds={step.seconds}')}"
        return f"find(root, {self._ways(condition.target)}).wait_for(state='hidden', timeout={1000 * step.seconds})"

    # ------------------------------------------------------------------ several lines

    def _longer(self, step: Step) -> Iterator[str]:
        if isinstance(step, BackStep):
            yield f"for _ in range({step.times}):"
            yield f"{INDENT}page.go_back()"
        elif isinstance(step, ScrollStep):
            yield self._scroll(step)
        elif isinstance(step, DragStep):
            yield from self._drag(step)
        elif isinstance(step, DownloadStep):
            yield from self._download(step)
        elif isinstance(step, TabStep):
            number = {"newest": "-1", "first": "0"}.get(step.which, f"int({_text(step.which)}) - 1")
            yield f"page = root = context.pages[{number}]"
        elif isinstance(step, LogInStep):
            raise self._without_counterpart(step, "Playwright takes such users when it opens the browser")
        elif isinstance(step, SetStep | AddStep | ExtractStep):
            yield from self._taking(step)
        else:
            yield from self._loop(step)

    def _taking(self, step: SetStep | AddStep | ExtractStep) -> Iterator[str]:
        if isinstance(step, SetStep):
            for name, reading in step.values.items():
                yield f"scope[{name!r}] = {self._reading(reading, step)}"
        elif isinstance(step, AddStep):
            values = ", ".join(f"{name!r}: {self._reading(one, step)}" for name, one in step.values.items())
            yield f"outputs.setdefault({step.output!r}, []).append({{{values}}})"
        else:
            yield from self._extract(step)

    def _scroll(self, step: ScrollStep) -> str:
        if isinstance(step.to, Target):
            return f"{self._find(step.to)}.scroll_into_view_if_needed()"
        if step.to == "end":
            return "scroll_to_end(page)"
        return f'page.evaluate("scrollTo(0, {0 if step.to == "top" else step.to})")'

    def _drag(self, step: DragStep) -> Iterator[str]:
        if step.onto is not None:
            yield f"{self._find(step.target)}.drag_to({self._find(step.onto)})"
        elif step.by is not None:
            yield f"drag(page, {self._find(step.target)}, {step.by[0]:g}, {step.by[1]:g})"

    def _download(self, step: DownloadStep) -> Iterator[str]:
        yield "with page.expect_download() as offered:"
        yield f"{INDENT}{self._find(step.target)}.click()"
        yield "stored = offered.value.suggested_filename"
        yield "offered.value.save_as(stored)"
        if step.variable:
            yield f"scope[{step.variable!r}] = stored"

    def _extract(self, step: ExtractStep) -> Iterator[str]:
        found = self._selectors(step.source, step)
        into = f"outputs.setdefault({step.output!r}, [])"
        if len(found) == 1 and found[0].fields:
            yield f"for record in first_of(page, {list(found[0].paths)!r}).all():"
            yield f"{INDENT}{into}.append({_record(found[0].fields, 'record')})"
        else:
            yield f"{into}.append({_record(found, 'page')})"

    def _loop(self, step: Step) -> Iterator[str]:
        if isinstance(step, ForEachStep):
            yield from self._for_each(step)
        elif isinstance(step, IfPresentStep | IfMissingStep):
            is_not = "not " if isinstance(step, IfMissingStep) else ""
            yield f"if {is_not}{self._condition(step.condition, step)}:"
            yield from self._indented(step.then)
            if step.otherwise:
                yield "else:"
                yield from self._indented(step.otherwise)
        elif isinstance(step, RepeatUntilStep | RepeatWhileStep):
            is_not = "not " if isinstance(step, RepeatWhileStep) else ""
            yield f"for _ in range({step.most}):"
            yield f"{INDENT}if {is_not}{self._condition(step.condition, step)}:"
            yield f"{INDENT * 2}break"
            yield from self._indented(step.steps)
        elif isinstance(step, FrameStep):
            yield f"root = {self._find(step.target)}.content_frame"
            yield from self._inner(step.steps)
            yield "root = page"
        elif isinstance(step, FollowStep):
            yield from self._follow(step)

    def _indented(self, steps: Sequence[Step]) -> Iterator[str]:
        for line in self._inner(steps):
            yield f"{INDENT}{line}"

    def _for_each(self, step: ForEachStep) -> Iterator[str]:
        found = self._selectors(step.source, step)
        if len(found) != 1 or not found[0].fields:
            raise self._without_counterpart(step, "the wrapper has no set of records")
        taken = _taken(found[0].fields, step.take)
        self._loops.append("inner_" * len(self._loops) + "record")
        record = self._loops[-1]
        yield f"{record}s = {list(found[0].paths)!r}"
        yield f"for number in range(first_of(page, {record}s).count()):"
        yield f"{INDENT}{record} = first_of(page, {record}s).nth(number)  # found again after each way back"
        yield f"{INDENT}scope = scope.new_child({_record(taken, record)})"
        yield from self._indented(step.steps)
        yield f"{INDENT}outputs.setdefault({step.output!r}, []).append(dict(scope.maps[0]))"
        yield f"{INDENT}scope = scope.parents"
        self._loops.pop()

    def _follow(self, step: FollowStep) -> Iterator[str]:
        condition = step.condition
        yield "home = page.url"
        if condition.target is not None:
            yield f"page.goto(urljoin(home, {self._find(condition.target)}.get_attribute('href')))"
        elif condition.value:
            yield f"page.goto(urljoin(home, scope[{condition.value!r}]))"
        else:
            yield f"page.goto({_text(condition.address)})"
        yield from self._inner(step.steps)
        yield "page.goto(home)"

    # ------------------------------------------------------------------ parts of lines

    def _find(self, target: Target, more: str = "") -> str:
        number = f", number={target.number}" if target.number is not None else ""
        return f"find({self._root(target)}, {self._ways(target)}{number}{more})"

    def _root(self, target: Target) -> str:
        if target.inside is None:
            return "root"
        return self._find(target.inside) if isinstance(target.inside, Target) else self._loops[-1]

    def _ways(self, target: Target) -> str:
        ways = [f"named({target.kind!r}, {_text(target.name)})"] if target.kind else []
        if target.wrapper:
            selectors = self._all_selectors(target.wrapper)
            paths = next((one.paths for one in selectors if one.name == target.field), ())
            ways += [f"selected({f'xpath={path}'!r})" for path in paths]
        ways += [f"selected({_text(f'css={target.css}')})"] if target.css else []
        ways += [f"selected({_text(f'xpath={target.xpath}')})"] if target.xpath else []
        return ", ".join(ways)

    def _typed(self, text: str | SecretName) -> str:
        if not isinstance(text, SecretName):
            return _text(text)
        place = self._script.secrets[text.name]
        if place.environment:
            return f"os.environ[{place.environment!r}]"
        return f"__import__('keyring').get_password({place.keyring!r}, {place.user!r})"

    def _condition(self, condition: PageCondition, step: Step) -> str:
        if condition.value:
            return f"scope.get({condition.value!r})"
        if condition.address:
            return f"exactly({_text(condition.address)}).match(page.url)"
        if condition.target is None:
            raise self._without_counterpart(step, "its condition is empty")
        return f"there({self._root(condition.target)}, {self._ways(condition.target)})"

    def _reading(self, reading: Reading, step: Step) -> str:
        if reading.text is not None:
            return _text(reading.text)
        if reading.address:
            return "page.url"
        if reading.beside:
            return f"beside(page, {_text(reading.beside)})"
        if reading.column:
            return f"cell(page, {_text(reading.column)}{f', {_text(reading.row)}' if reading.row else ''})"
        if reading.wrapper:
            found = [one for one in self._all_selectors(reading.wrapper) if one.name == reading.field]
            if not found:
                raise self._without_counterpart(step, f"the wrapper has no field “{reading.field}”")
            return _value(found[0], "page")
        assert reading.target is not None
        attribute = f", {reading.attribute!r}" if reading.attribute else ""
        return f"read(there({self._root(reading.target)}, {self._ways(reading.target)}){attribute})"

    def _selectors(self, source: RecordSource, step: Step) -> Sequence[Selector]:
        if not source.wrapper:
            raise self._without_counterpart(step, f"`{source.kind}` are found by looking at the page; teach a wrapper")
        return selectors_of(Wrapper.load(self._script.folder / source.wrapper))

    def _all_selectors(self, file: str) -> list[Selector]:
        """The fields of a wrapper, those of its records among them."""
        found = selectors_of(Wrapper.load(self._script.folder / file))
        return [inner for one in found for inner in (one, *one.fields)]


def _text(text: str) -> str:
    """A text of a script as code; one with variables is filled in when it is needed."""
    return f"filled({text!r}, scope)" if "{" in text else repr(text)


def _taken(
    fields: Sequence[Selector], take: Mapping[str, str] | None
) -> list[tuple[str, Selector]] | Sequence[Selector]:
    if take is None:
        return fields
    known = {one.name: one for one in fields}
    return [(new, known[name]) for new, name in take.items()]


def _record(fields: Any, root: str) -> str:
    named = [one if isinstance(one, tuple) else (one.name, one) for one in fields]
    return "{" + ", ".join(f"{name!r}: {_value(one, root)}" for name, one in named) + "}"


def _value(one: Selector, root: str) -> str:
    more = "".join(f", {key}={getattr(one, key)!r}" for key in ("attribute", "cut", "many") if getattr(one, key))
    return f"value_of({root}, {list(one.paths)!r}{more})"


# -- the helpers that an exported script brings along: ordinary Playwright, to be read and changed ------------------

HELPERS = r'''
ROLES = {"image": ["img"], "textbox": ["textbox", "searchbox", "spinbutton"], "combobox": ["combobox", "listbox"]}
CONTROLS = ["button", "link", "checkbox", "radio", "switch", "combobox", "slider", "tab", "menuitem", "option"]
TYPED = "input:not([type=hidden]), textarea, select, [contenteditable]"


class Stop(Exception):
    """A step said to stop."""


def filled(text, scope):
    """A text with the values of its variables."""
    return re.sub(r"\{([A-Za-z_][A-Za-z0-9_ .-]*)\}", lambda found: scope[found[1]] or "", text)


def exactly(name):
    """A name as a whole; case and blanks do not matter, and a star stands for anything."""
    words = r"\s+".join(".*".join(map(re.escape, word.split("*"))) for word in name.split())
    return re.compile(rf"^\s*{words}\s*$", re.IGNORECASE | re.DOTALL)


def named(kind, name):
    """How to look for something by what it is called."""

    def look(root):
        wanted = exactly(name)
        if kind == "text":
            return root.get_by_text(wanted)
        if kind in ("label", "file"):
            return root.get_by_label(wanted).locator("visible=true").and_(root.locator(TYPED))
        roles = CONTROLS if kind == "anything" else ROLES.get(kind, [kind])
        found = root.get_by_role(roles[0], name=wanted)
        for role in roles[1:]:
            found = found.or_(root.get_by_role(role, name=wanted))
        if kind in ("textbox", "anything"):  # inputs for passwords and dates have no role of their own
            found = found.or_(root.get_by_label(wanted).and_(root.locator(TYPED)))
        return found

    return look


def selected(selector):
    """How to look for something by a selector."""
    return lambda root: root.locator(selector)


def answer(dialog, accept, text):
    """Answer a dialog as the script says."""
    if accept:
        dialog.accept(text or dialog.default_value)
    else:
        dialog.dismiss()


def ready(root):
    """Wait until the page has loaded."""
    page = root if hasattr(root, "goto") else getattr(root, "page", None)
    if page is not None:
        page.wait_for_load_state()


def there(root, *ways):
    """What is there now: in the page or in one of its frames, by the first way that finds anything."""
    ready(root)
    frames = root.frames if hasattr(root, "frames") else [root]
    for way in ways:
        for frame in frames:
            if way(frame).count():
                return way(frame)
    return None


def find(root, *ways, number=None, seconds=30):
    """The same, once it is there; Playwright itself refuses to act on several."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = there(root, *ways)
        if found is not None:
            return found if number is None else found.nth(number - 1)
        time.sleep(0.1)
    raise TimeoutError(f"nothing was found in {seconds} s")


def first_of(root, paths):
    """What the first of some XPaths that finds anything finds."""
    ready(root)
    found = [root.locator(f"xpath={path}") for path in paths]
    return next((one for one in found if one.count()), found[0])


def value_of(root, paths, attribute="", cut="", many=False):
    """The texts that some XPaths find, or an attribute of them."""
    nodes = first_of(root, paths)
    texts = [read(one, attribute) or "" for one in nodes.all()]
    if attribute in ("href", "src", "action", "poster", "data-src"):
        texts = [urljoin(nodes.page.url, text) for text in texts]
    if cut:
        texts = [found[1].strip() for text in texts if (found := re.search(cut, text, re.DOTALL))]
    texts = [text for text in texts if text]
    return texts if many else next(iter(texts), None)


def cell(page, column, row=""):
    """The cell below a heading, in the row that has a text."""
    ready(page)
    for table in page.locator("table").all():
        lines = [[read(one) for one in line.locator("th, td").all()] for line in table.locator("tr").all()]
        for place, headings in enumerate(lines):
            at = next((at for at, heading in enumerate(headings) if exactly(column).match(heading)), None)
            if at is None:
                continue
            if not row and len(headings) == 2 and at == 0:
                return headings[1]  # a table of labels and values
            found = [line for line in lines[place + 1 :] if not row or any(map(exactly(row).match, line))]
            if len(found) > 1:
                raise LookupError(f"{column!r} has {len(found)} rows with {row!r}")
            if found:
                return found[0][at]
    return None


def beside(page, label):
    """The text that follows a label: after its colon, or the next line on the page."""
    ready(page)
    lines = [" ".join(line.split()) for line in page.locator("body").inner_text().replace("\t", "\n").splitlines()]
    lines = [line for line in lines if line]
    wanted = label.rstrip(":").casefold()
    for number, line in enumerate(lines):
        if line.rstrip(": ").casefold() == wanted and number + 1 < len(lines):
            return lines[number + 1]
        if line.casefold().startswith(wanted + ":"):
            return line[len(wanted) + 1 :].strip()
    return None


def read(found, attribute=""):
    """The text of an element, or an attribute of it."""
    if found is None:
        return None
    return found.get_attribute(attribute) if attribute else " ".join(found.inner_text().split())


def drag(page, found, dx, dy):
    """Press in the middle of an element, move, and let go."""
    box = found.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y + dy, steps=10)
    page.mouse.up()


def scroll_to_end(page, most=100):
    """Scroll until the page no longer grows."""
    for _ in range(most):
        height = page.evaluate("document.documentElement.scrollHeight")
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        page.wait_for_load_state("networkidle")
        if page.evaluate("document.documentElement.scrollHeight") <= height:
            return
'''
