"""A trace of a script: what the window showed before each step, the page itself, and a report to leaf through."""

import json
import os
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from sightline.errors import SightlineError, UsageError
from sightline.files import write_bytes
from sightline.geometry import Box
from sightline.navigate.play._browsing import Browsing
from sightline.navigate.play._played import Played
from sightline.navigate.play._report import report_page
from sightline.navigate.play._secrets import BLACKENED, Secrets
from sightline.navigate.play._watch import Moment, StepOutcome
from sightline.navigate.script import Script
from sightline.page import Page, dumps

__all__ = ["TraceFolder"]

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
            "what": self._secrets.blacken(str(moment.step)),
            "record": self._secrets.blacken(moment.record),
            "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        }
        try:
            page = browsing.page
            picture = browsing.session.screenshot(hide=[*browsing.hidden, *self._showing(page)])
        except SightlineError as problem:  # before the first page there is nothing to see
            entry["nothing to see"] = self._secrets.blacken(problem.message)
        else:
            entry |= {"address": self._secrets.blacken(page.url), "title": self._secrets.blacken(page.title)}
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
        telling = [node for node in texts if BLACKENED in self._secrets.blacken(page.strings[int(page.text[node])])]
        return [page.xpath(int(page.parent[node])) for node in telling]


def _share(box: Box, window: tuple[int, int]) -> list[float]:
    """Left, top, width and height of a box as shares of the window."""
    left, top, right, bottom = box
    return [
        round(part, 4)
        for part in (left / window[0], top / window[1], (right - left) / window[0], (bottom - top) / window[1])
    ]
