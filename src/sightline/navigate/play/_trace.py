"""A trace of a script: what the window showed before each step, the page itself, and a report to leaf through."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np

from sightline.data import Records, Verdict
from sightline.errors import SightlineError, UsageError
from sightline.files import write_bytes
from sightline.geometry import Box
from sightline.navigate.play._browsing import Browsing
from sightline.navigate.play._secrets import BLACKENED, Secrets
from sightline.navigate.script import Script, Step
from sightline.page import Page, dumps
from sightline.sources import Download

# -- what came of a script ------------------------------------------------------------------------------------------

Ended: TypeAlias = Literal["end", "stop", "failed", "interrupted"]
"""Whether all steps were done, a step said to stop, one could not be done, or somebody interrupted it."""


@dataclass(frozen=True)
class Played:
    """What a script extracted, by the names of its outputs; how it ended and why; and what may be wrong.

    `steps` counts those that were done, `downloads` are the files that were stored.
    `doubts` says what else a reader of the data has to know.
    """

    outputs: Mapping[str, Records]
    ended: Ended
    why: str = ""
    doubts: tuple[str, ...] = ()
    steps: int = 0
    downloads: tuple[Download, ...] = field(default=())

    @property
    def verdict(self) -> Verdict:
        """Whether everything was done, and without doubts."""
        if self.ended in ("failed", "interrupted"):
            kept = self.downloads or any(len(one) for one in self.outputs.values())
            return "suspicious" if kept else "failed"
        return "suspicious" if self.doubts else "ok"

    @property
    def records(self) -> Records:
        """The records, if all are in one output; the first output otherwise."""
        return next(iter(self.outputs.values()), Records(()))


# Who watches a script being played: a progress line, a trace, the Studio.


@dataclass(frozen=True)
class Moment:
    """A step that is about to be done: its number, such as 3.2 for the second step in the third, and the step.

    `done` counts the steps before it, `record` is the first value of the record that a loop is at.
    """

    place: str
    step: Step
    done: int
    record: str = ""


@dataclass(frozen=True)
class StepOutcome:
    """What came of a step: a problem, if there was one; the way in which its target was found, and where it was.

    `note` says what a step did in particular: the address that it opened, the text that it typed, the values it set.
    """

    problem: str = ""
    how: str = ""
    box: Box | None = None
    note: str = ""


class Watcher(Protocol):
    """Is told of every step, before and after."""

    def before(self, moment: Moment, browsing: Browsing) -> None:
        """A step is about to be done."""

    def after(self, moment: Moment, outcome: StepOutcome) -> None:
        """It was done, or there was a problem."""


# -- A trace of a script --------------------------------------------------------------------------------------------

REPORT = "index.html"
LOG = "steps.jsonl"


@dataclass
class TraceFolder:
    """Writes a trace into a folder. Secrets are blackened in texts, pages and pictures."""

    path: Path
    _script: Script | None = None
    _secrets: Secrets = field(default_factory=lambda: Secrets({}))
    _steps: list[dict[str, Any]] = field(default_factory=list)
    _window: tuple[int, int] | None = None

    @classmethod
    def at(cls, path: str | os.PathLike[str]) -> "TraceFolder":
        """A trace in a folder that is new, empty, or has an earlier trace, which is replaced."""
        folder = Path(path)
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"{folder} is a file; name a folder for the trace.")
        if folder.exists() and any(folder.iterdir()) and not (folder / LOG).exists():
            raise UsageError(f"{folder} has other files in it; name a new folder for the trace.")
        return cls(folder)

    def begin(self, script: Script, secrets: Secrets) -> None:
        """Make the folder, and remove what an earlier trace left in it."""
        self._script, self._secrets = script, secrets
        self.path.mkdir(parents=True, exist_ok=True)
        for old in [*self.path.glob("[0-9]*.png"), *self.path.glob("[0-9]*.page"), self.path / REPORT]:
            old.unlink(missing_ok=True)
        write_bytes(self.path / LOG, b"")

    def before(self, moment: Moment, browsing: Browsing) -> None:
        """Keep what the window shows and the page, before a step."""
        name = f"{len(self._steps) + 1:04}"
        entry: dict[str, Any] = {
            "step": moment.place,
            "line": moment.step.line,
            "what": self._secrets.redact(str(moment.step)),
            "record": self._secrets.redact(moment.record),
            "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        }
        try:
            page = browsing.page
            picture = browsing.session.screenshot(hide=[*browsing.hidden, *self._showing(page)])
        except SightlineError as problem:  # before the first page there is nothing to see
            entry["nothing to see"] = self._secrets.redact(problem.message)
        else:
            entry |= {"address": self._secrets.redact(page.url), "title": self._secrets.redact(page.title)}
            entry |= {"picture": f"{name}.png", "page": f"{name}.page"}
            self._window = page.viewport
            write_bytes(self.path / entry["picture"], picture)
            write_bytes(self.path / entry["page"], dumps(self._secrets.blacken_page(page)))
        self._steps.append(entry)

    def after(self, moment: Moment, outcome: StepOutcome) -> None:
        """Note how a step went; the step is the latest one with its number."""
        entry = next(one for one in reversed(self._steps) if one["step"] == moment.place and "ok" not in one)
        entry |= {"ok": not outcome.problem, "problem": outcome.problem, "found by": outcome.how, "note": outcome.note}
        if outcome.box and self._window:
            entry["box"] = _share(outcome.box, self._window)
        with (self.path / LOG).open("ab") as log:
            log.write(json.dumps(entry, ensure_ascii=False).encode() + b"\n")

    def end(self) -> None:
        """Write the report, however the script ended."""
        write_bytes(self.path / REPORT, report_page(self._title, self._steps, "").encode())

    def tell(self, played: Played) -> None:
        """Write the report with how the script ended."""
        counts = ", ".join(f"{len(records):,} {name}" for name, records in played.outputs.items())
        ended = {"end": "All steps were done", "stop": "A step said to stop", "failed": "It had to stop"}
        ended["interrupted"] = "It did not come to its end"
        told = ". ".join(part for part in (ended[played.ended], played.why.rstrip("."), counts, *played.doubts) if part)
        write_bytes(self.path / REPORT, report_page(self._title, self._steps, f"{told}.").encode())

    @property
    def _title(self) -> str:
        return self._script.about or Path(self._script.file).name if self._script else ""

    def _showing(self, page: Page) -> list[str]:
        """The elements whose texts have a secret: a picture of them would show it."""
        texts = np.flatnonzero(page.is_text & page.visible).tolist()
        telling = [node for node in texts if BLACKENED in self._secrets.redact(page.strings[int(page.text[node])])]
        return [page.xpath(int(page.parent[node])) for node in telling]


def _share(box: Box, window: tuple[int, int]) -> list[float]:
    """Left, top, width and height of a box as shares of the window."""
    left, top, right, bottom = box
    return [
        round(part, 4)
        for part in (left / window[0], top / window[1], (right - left) / window[0], (bottom - top) / window[1])
    ]


# The report of a trace: one HTML page with a picture for each step, to step through with the arrow keys.

STYLE = """
:root { color-scheme: light dark; --line: #8884; --mark: #1a7f5a; --bad: #c0392b }
* { box-sizing: border-box }
body { margin: 0; font: 15px/1.45 system-ui, sans-serif; height: 100vh }
body { display: grid; grid-template: auto 1fr / 24rem 1fr }
header { grid-column: 1 / 3; padding: .7rem 1rem; border-bottom: 1px solid var(--line) }
h1 { font-size: 1.1rem; margin: 0 } header p { margin: .2rem 0 0 }
ol { list-style: none; margin: 0; padding: 0; overflow: auto; border-right: 1px solid var(--line) }
li { padding: .45rem .8rem; cursor: pointer; border-left: 4px solid transparent; border-bottom: 1px solid var(--line) }
li[aria-current] { border-left-color: var(--mark); background: #8882 }
li.bad { color: var(--bad) } li b { font-variant-numeric: tabular-nums; margin-right: .5rem; font-weight: 600 }
li small { display: block; opacity: .75; overflow-wrap: anywhere }
main { overflow: auto; padding: 1rem } main img { max-width: 100%; border: 1px solid var(--line) }
main p { margin: 0 0 .6rem; overflow-wrap: anywhere }
figure { margin: 0; position: relative }
figure i { position: absolute; outline: 3px solid #e0218a; outline-offset: 2px }
"""

SCRIPT = """
const items = [...document.querySelectorAll('li')], main = document.querySelector('main');
const show = number => {
  const item = items[Math.max(0, Math.min(items.length - 1, number))];
  items.forEach(one => one.toggleAttribute('aria-current', one === item));
  item.scrollIntoView({ block: 'nearest' });
  main.replaceChildren(item.querySelector('template').content.cloneNode(true));
};
let at = 0;
items.forEach((item, number) => item.addEventListener('click', () => show(at = number)));
addEventListener('keydown', event => {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (step) { event.preventDefault(); show(at = Math.max(0, Math.min(items.length - 1, at + step))) }
});
const first = items.findLastIndex(item => item.className === 'bad');
const seen = items.findIndex(item => item.querySelector('template').content.querySelector('img'));
if (items.length) show(at = Math.max(0, first < 0 ? seen : first));
"""


def report_page(title: str, steps: Sequence[Mapping[str, Any]], ended: str) -> str:
    """The page; its pictures are files beside it."""
    items = "".join(map(_item, steps))
    told = escape(ended) or f"{len(steps)} steps."
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
        f"<header><h1>{escape(title)}</h1><p>{told} Use the arrow keys to step through it.</p></header>"
        f"<ol>{items}</ol><main></main><script>{SCRIPT}</script></html>"
    )


def _item(step: Mapping[str, Any]) -> str:
    problem = step.get("problem", "")
    small = "".join(
        f"<small>{escape(text)}</small>"
        for text in (step.get("record", ""), problem or step.get("note", ""), _found(step))
        if text
    )
    name = f"<b>{escape(step['step'])}</b>{escape(step['what'])}"
    kind = ' class="bad"' if problem else ""
    inset = 0.8 + 0.9 * step["step"].count(".")
    deep = f' style="padding-left: {inset:.1f}rem"'
    return f"<li{kind}{deep}>{name}{small}<template>{_detail(step)}</template></li>"


def _found(step: Mapping[str, Any]) -> str:
    how = step.get("found by", "")
    return f"found by {how}" if how and how != "name" else ""


def _detail(step: Mapping[str, Any]) -> str:
    where = f"<p>Line {step['line']} · {escape(step.get('address', ''))}</p>"
    problem = f"<p><strong>{escape(step['problem'])}</strong></p>" if step.get("problem") else ""
    note = f"<p>{escape(step['note'])}</p>" if step.get("note") else ""
    return f"{where}{problem}{note}{_picture(step)}"


def _picture(step: Mapping[str, Any]) -> str:
    """What the window showed, with a frame around the target."""
    if "picture" not in step:
        return f"<p>There is no picture: {escape(step.get('nothing to see', 'no page was open'))}</p>"
    frame = ""
    if "box" in step:
        left, top, width, height = (f"{100 * part:.2f}%" for part in step["box"])
        frame = f'<i style="left: {left}; top: {top}; width: {width}; height: {height}"></i>'
    return f'<figure><img src="{step["picture"]}" alt="The window before this step">{frame}</figure>'
