"""What a flow is tested with: what its sources read once, and what it is to make of that, in a folder beside it.

```
NAME.test/test.json           the due date, what each source read, and what is to become of each step
NAME.test/pages/…             the pages that were read
NAME.test/files/STEP/…        copies of the files that were read
NAME.test/rows/STEP.arrow     the answers of databases, scripts and functions
NAME.test/expected/STEP.jsonl the rows that each step is to give; people may edit them
```
"""

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import orjson

from sightline.data import Verdict
from sightline.documents import MOST_BYTES, check_document, decoded_document
from sightline.errors import UsageError
from sightline.files import make_folder, read_bytes, write_bytes
from sightline.flow.run._captures import Capture, CapturedSource
from sightline.flow.run._state import StepState
from sightline.flow.spec import CollectSource, Flow, FlowStep, PagesSource, ReadSource
from sightline.project import Project

FORMAT, VERSION = "sightline flow test", 1
CASE = "test.json"


@dataclass(frozen=True)
class ExpectedStep:
    """What is to become of a step beside its rows."""

    state: str
    verdict: Verdict
    columns: Mapping[str, str]
    held: int = 0


@dataclass(frozen=True)
class FlowCase:
    """What sources read once, and what the flow is to make of it; `sources` are plain values by step."""

    folder: Path
    due: datetime
    captured: datetime
    variables: Mapping[str, str]
    sources: Mapping[str, Mapping[str, Any]]
    expected: Mapping[str, ExpectedStep]

    is_whole = True

    @classmethod
    def load(cls, folder: Path) -> "FlowCase":
        """The case in a folder."""
        _put_back(folder)
        path = folder / CASE
        if not path.exists():
            raise UsageError(f"There is nothing to test with in {folder}; make it by `sightline test FLOW --capture`.")
        found = decoded_document(read_bytes(path, "capture it again with --capture", MOST_BYTES))
        try:
            check_document(found, _CaseFile)
        except UsageError as problem:
            raise UsageError(f"{path}: this is not the test of a flow ({problem}); capture it again.") from problem
        return cls(
            folder,
            datetime.fromisoformat(found["due"]),
            datetime.fromisoformat(found["captured"]),
            found["variables"],
            found["sources"],
            {name: ExpectedStep(**one) for name, one in found["expected"].items()},
        )

    def save(self) -> None:
        """Write the case; its pages, files and rows are there already."""
        document = {
            "format": FORMAT,
            "version": VERSION,
            "due": self.due.isoformat(),
            "captured": self.captured.isoformat(),
            "variables": dict(self.variables),
            "sources": dict(self.sources),
            "expected": {name: asdict(one) for name, one in self.expected.items()},
        }
        write_bytes(self.folder / CASE, orjson.dumps(document, option=orjson.OPT_INDENT_2) + b"\n")

    def is_about(self, step: FlowStep) -> bool:
        """Whether the case has what a source reads, as the flow says it now."""
        known = self.sources.get(step.name)
        return known is not None and known["what"] == source_line(step)

    def source(self, step: FlowStep) -> CapturedSource | None:
        """What a source read."""
        if step.inputs:
            return None
        known = self.sources.get(step.name)
        if known is None or not self.is_about(step):
            why = "reads something else than" if known else "is not among what"
            raise UsageError(
                f"`{step.name}` {why} was captured for the test; run `sightline test FLOW --capture` again."
            )
        if isinstance(step, ReadSource):
            return CapturedSource(files=tuple(self.folder / one for one in known["files"]))
        if isinstance(step, PagesSource | CollectSource):
            captures = tuple(Capture(**one) for one in known["captures"])
            return CapturedSource(captures, Project(self.folder))
        state = StepState("done", verdict=known["verdict"], reasons=tuple(known["reasons"]), at=known["at"])
        return CapturedSource(rows=self.folder / known["rows"], state=state)

    def rows(self, step: str) -> list[dict[str, Any]] | None:
        """The rows that a step is to give; None if nothing is said about them."""
        path = self._rows_path(step)
        if not path.exists():
            return None
        lines = read_bytes(path, "capture it again with --capture", MOST_BYTES).splitlines()
        try:
            return [orjson.loads(line) for line in lines if line.strip()]
        except orjson.JSONDecodeError as problem:
            raise UsageError(f"{path} isn't JSON lines ({problem}); mend that line.") from problem

    def _rows_path(self, step: str) -> Path:
        return self.folder / "expected" / f"{step}.jsonl"

    def keep_rows(self, step: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Write the rows that a step is to give."""
        make_folder(self._rows_path(step).parent)
        write_bytes(self._rows_path(step), b"".join(orjson.dumps(row) + b"\n" for row in rows))


@dataclass(frozen=True)
class _CaseFile:
    """The members of a case as its file has them."""

    format: str
    version: int
    due: str
    captured: str
    variables: Mapping[str, str]
    sources: Mapping[str, Any]
    expected: Mapping[str, Any]


def source_line(step: FlowStep) -> str:
    """What a source reads, in a line; where it stands in the file does not matter."""
    return str(step)


# A case is replaced as a whole. Between the two renames it is only under its other name, from which it is put back.


def put_case(part: Path, folder: Path) -> None:
    """Let a folder that is complete take the place of a case."""
    _put_back(folder)
    old = _old(folder)
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    part.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def _put_back(folder: Path) -> None:
    """Put back what a process that was killed had moved away."""
    if not folder.exists() and _old(folder).exists():
        _old(folder).rename(folder)


def _old(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.old")


def case_folder(flow: Flow) -> Path:
    """The folder beside a flow with what it is tested with."""
    return flow.folder / f"{flow.name}.test"


def plain_value(value: Any) -> Any:
    """A value as JSON has it, without losing a digit.

    >>> plain_value(Decimal("10.50")), plain_value(date(2026, 11, 16)), plain_value([1, None])
    ('10.50', '2026-11-16', [1, None])
    """
    match value:
        case None | bool() | int() | str() | float():
            return value
        case datetime() | date() | time():
            return value.isoformat()
        case list() | tuple():
            return [plain_value(one) for one in value]
        case dict():
            return {str(key): plain_value(one) for key, one in value.items()}
    return f"{value:f}" if isinstance(value, Decimal) else str(value)
