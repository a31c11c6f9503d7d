"""The project folder itself: plain files that people can look at, copy and delete.

```
project.json               that this is a project, and the version of its format
pages/3f/3f2a….page        every page by its id, so the same page is kept once
pages/3f/3f2a….bare        a PDF as it is printed, before its structure was found
pages/3f/3f2a….json        what is known of it without opening it
pages/3f/3f2a….pictures    the parts of its picture that somebody has looked at
results/ID/KEY.json        how people changed a result of that page: steps, and how many count
lessons/NAME.lesson.json   lessons
wrappers/NAME.wrapper.json wrappers, as the command line reads and writes them
runs/2026-03-14T….json     one file for each run, named by when it began
runs/2026-03-14T….rows     the rows of a run, if they were kept
profiles/NAME.json         what the last good run of that name took
```
"""

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from math import ceil
from pathlib import Path
from typing import Any

import orjson
import zstandard

from sightline.data import Column, ColumnType, Origin, Profile, Value, Verdict
from sightline.documents import MOST_BYTES, check_document, decoded_document, encoded_document
from sightline.errors import UsageError
from sightline.files import make_folder, read_bytes, write_bytes
from sightline.geometry import Box, around
from sightline.page import Page, PageKind, dumps, loads
from sightline.project._documents import Documents, check_name

# What is known of a kept page without opening it, so that a list of pages costs a few small files.


@dataclass(frozen=True, kw_only=True)
class PageInfo:
    """A kept page in a few facts: where it is from, when it was opened, its size, and what to know about it.

    `sheets` are the sheets of a PDF by number; `pictures` are the parts of its picture, from top to bottom; `wall` says
    what blocked the way to the content, if anything did.
    """

    id: str
    title: str = ""
    url: str = ""
    source: str = ""
    kind: PageKind = "static"
    opened: str = ""
    width: int = 0
    height: int = 0
    nodes: int = 0
    sheets: tuple[tuple[int, Box], ...] = ()
    pictures: tuple[Box, ...] = ()
    notes: tuple[str, ...] = ()
    wall: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The facts as plain values."""
        return asdict(self)


def page_info(
    page: Page, *, source: str, pictures: Sequence[Box] = (), wall: str | None = None, opened: datetime | None = None
) -> PageInfo:
    """The facts of a page, opened now if not said.

    >>> from sightline.testing import list_page
    >>> page_info(list_page(["one", "two"]), source="stars.html").nodes
    7
    """
    when = opened or datetime.now(UTC)
    bounds = page.bounds or (0.0, 0.0, 0.0, 0.0)
    sheets = [(float(x0), float(y0), float(x1), float(y1)) for x0, y0, x1, y1 in page.sheets.tolist()]
    numbers = page.sheet_numbers or range(1, len(sheets) + 1)
    _, _, right, bottom = around([bounds, *sheets])
    return PageInfo(
        id=page.id,
        title=page.title,
        url=page.url,
        source=source,
        kind=page.kind,
        opened=when.isoformat(timespec="milliseconds"),
        width=ceil(right),
        height=ceil(bottom),
        nodes=len(page),
        sheets=tuple(zip(numbers, sheets, strict=True)) if page.kind == "pdf" else (),
        pictures=tuple(pictures),
        notes=page.notes,
        wall=wall,
    )


# The last good run in one file, for the next run to be compared with.

ADVICE = "name another file, or remove it to start afresh"


class History:
    """Remembers the profile of the last good run in a JSON file."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path: Path = Path(path)

    def last(self) -> Profile | None:
        """The profile of the last good run, or None if there was none yet."""
        if not self.path.exists():
            return None
        content = read_bytes(self.path, ADVICE, MOST_BYTES)
        try:
            document = decoded_document(content)
            # A file of another kind must not be taken for a history, since it would be overwritten.
            if not isinstance(document, dict) or not {"pages", "fields", "marks"} <= document.keys():
                raise UsageError("it has no pages, fields and marks")
            check_document(document, Profile)
            return Profile.from_json(document)
        except UsageError as problem:
            reason = str(problem).removesuffix(".")
            raise UsageError(f"{self.path}: this is not the history of a run ({reason}); {ADVICE}.") from problem

    def remember(self, profile: Profile) -> Path:
        """Replace what is remembered."""
        return write_bytes(self.path, orjson.dumps(profile.to_json(), option=orjson.OPT_INDENT_2) + b"\n")


FORMAT, VERSION = "sightline project", 1
PROJECT = "project.json"
_ID = re.compile(r"[0-9a-f]{8,128}")


def is_page_id(text: str) -> bool:
    """Whether a text can be the id of a page, or the beginning of one.

    >>> is_page_id("4352de3aaefe"), is_page_id("https://example.org/")
    (True, False)
    """
    return bool(_ID.fullmatch(text))


@dataclass(frozen=True)
class StoredRun:
    """What is kept of a run: its name, when it began, its verdict and reasons, and the pages it read, by id."""

    name: str
    verdict: Verdict
    began: str = ""
    sources: int = 0
    reasons: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The name of its file: when it began, in letters that every file system takes."""
        return re.sub(r"[^\dT.-]", "-", self.began.removesuffix("+00:00"))

    def to_json(self) -> dict[str, Any]:
        """The run as plain values."""
        return asdict(self)


class Project:
    """A folder of pages, runs and profiles; it is made when something is first kept in it.

    >>> import tempfile
    >>> from sightline.testing import list_page
    >>> store = Project(tempfile.mkdtemp())
    >>> number = store.keep_page(list_page(["one", "two"]))
    >>> store.page(number).title
    'A list'
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder: Path = Path(folder)

    def prepare(self) -> None:
        """Make the folder a project, or check that it is one that this version can read."""
        path = self.folder / PROJECT
        if not path.exists():
            content = orjson.dumps({"format": FORMAT, "version": VERSION}, option=orjson.OPT_INDENT_2)
            self._write(path, content + b"\n")
            return
        try:
            found = decoded_document(read_bytes(path, "choose another folder", MOST_BYTES))
            check_document(found, _ProjectFile)
        except UsageError as problem:
            reason = str(problem).removesuffix(".")
            raise UsageError(
                f"{path}: this is not a project of Sightline ({reason}); choose another folder."
            ) from problem
        if found["format"] != FORMAT:
            raise UsageError(
                f"{path}: this is not a project of Sightline ({found['format']!r}); choose another folder."
            )
        if found["version"] > VERSION:
            raise UsageError(
                f"{self.folder} was made by a newer Sightline (format {found['version']}, this one reads {VERSION}); "
                "update Sightline, or choose another folder with --project."
            )

    @property
    def is_project(self) -> bool:
        """Whether the folder is a project that this version can read; nothing is made or changed."""
        if not (self.folder / PROJECT).is_file():
            return False
        try:
            self.prepare()
        except UsageError:
            return False
        return True

    def documents(self, kind: str, suffix: str, what: str) -> Documents:
        """The versioned documents of one kind, in a folder of their own: `documents("lessons", ".lesson.json", …)`."""
        return Documents(self.folder / kind, suffix, what)

    # ---------------------------------------------------------------- pages

    def keep_page(self, page: Page, info: PageInfo | None = None) -> str:
        """Keep a page and return its id; a page that is here already is not written again.

        `info` is what is listed of it. A page whose screenshot was missing gets the new one.
        """
        path = self.page_path(page.id)
        if not path.exists() or (page.screenshot and self.page(page.id).screenshot is None):
            shutil.rmtree(self._pictures(page.id), ignore_errors=True)
            self._write(path, dumps(page))
        if info is not None:
            self.keep_info(info)
        return page.id

    def keep_info(self, info: PageInfo) -> None:
        """Keep what is listed of a page, in place of what was kept before."""
        self._write(self.page_path(info.id).with_suffix(".json"), orjson.dumps(info.to_json()))

    def info(self, page_id: str) -> PageInfo | None:
        """What is known of a page without opening it, or None if nobody kept it."""
        path = self.page_path(page_id).with_suffix(".json")
        if not path.exists():
            return None
        try:
            found = decoded_document(read_bytes(path, "remove it", MOST_BYTES))
            return _converted(found, page_id)
        except UsageError:
            return None  # of another version, or damaged; the page itself tells the same

    def has_page(self, page_id: str) -> bool:
        """Whether there is such a page."""
        return self.page_path(page_id).exists()

    def page_content(self, page_id: str) -> bytes:
        """The bytes of the file of a page."""
        advice = f"there is no page {page_id} in {self.folder}; list them with `page_ids`"
        return read_bytes(self.page_path(page_id), advice)

    def keep_bare_page(self, page_id: str, bare: Page) -> None:
        """Keep a PDF as it is printed, beside the page with its structure, which is made of it."""
        self._write(self._bare_path(page_id), dumps(replace(bare, screenshot=None)))

    def bare_page(self, page_id: str) -> Page | None:
        """The PDF as it is printed, or None where that was not kept."""
        path = self._bare_path(page_id)
        return loads(read_bytes(path, "remove it"), name=f"the page {page_id}") if path.exists() else None

    def _bare_path(self, page_id: str) -> Path:
        return self.page_path(page_id).with_suffix(".bare")

    def keep_picture(self, page_id: str, index: int, content: bytes) -> None:
        """Keep a part of the picture of a page, so that nobody draws it again."""
        self._write(self._pictures(page_id) / f"{index}.png", content)

    def picture(self, page_id: str, index: int) -> bytes | None:
        """A part of the picture of a page, or None if nobody has drawn it yet."""
        path = self._pictures(page_id) / f"{index}.png"
        return read_bytes(path, "remove it") if path.exists() else None

    def _pictures(self, page_id: str) -> Path:
        return self.page_path(page_id).with_suffix(".pictures")

    def delete_page(self, page_id: str) -> None:
        """Delete a page and what was made of its results; lessons and runs that name it stay."""
        path = self.page_path(page_id)
        for one in (path.with_suffix(".json"), self._bare_path(page_id), path):
            one.unlink(missing_ok=True)
        for folder in (self._pictures(page_id), self.folder / "results" / page_id):
            shutil.rmtree(folder, ignore_errors=True)

    def page(self, page_id: str) -> Page:
        """The page of an id."""
        return loads(self.page_content(page_id), name=f"the page {page_id}")

    def page_ids(self) -> Iterator[str]:
        """The ids of all pages, sorted."""
        return (path.stem for path in sorted((self.folder / "pages").glob("*/*.page")))

    def page_path(self, page_id: str) -> Path:
        """The file of a page; the id is checked first."""
        if not is_page_id(page_id):
            raise UsageError(f"{page_id!r:.60} is not the id of a page; an id is hexadecimal, such as {'3f2a' * 4}.")
        return self.folder / "pages" / page_id[:2] / f"{page_id}.page"

    # ---------------------------------------------------------------- runs

    def keep_run(self, run: StoredRun) -> Path:
        """Keep a run under the time it began, now if it does not say so."""
        check_name(run.name, "a run")
        begun = replace(run, began=run.began or datetime.now(UTC).isoformat(timespec="microseconds"))
        content = orjson.dumps(begun.to_json(), option=orjson.OPT_INDENT_2)
        return self._write(self.folder / "runs" / f"{begun.id}.json", content)

    def runs(self, name: str | None = None) -> list[StoredRun]:
        """All runs, the oldest first; with a name only those of that name."""
        found = [_run(path) for path in sorted((self.folder / "runs").glob("*.json"))]
        return [run for run in found if name is None or run.name == name]

    def keep_rows(self, run_id: str, columns: Sequence[Column]) -> Path:
        """Keep the rows of a run, each value with the place it was seen at."""
        return self._write(self._rows_path(run_id), written_columns(columns))

    def rows(self, run_id: str) -> tuple[Column, ...] | None:
        """The rows of a run as columns, or None if none were kept."""
        path = self._rows_path(run_id)
        return read_columns(read_bytes(path, "run it again"), str(path)) if path.exists() else None

    def _rows_path(self, run_id: str) -> Path:
        return self.folder / "runs" / f"{check_name(run_id, 'a run')}.rows"

    # ---------------------------------------------------------------- profiles

    def profile(self, name: str) -> Profile | None:
        """What the last good run of a name took, or None."""
        return self._history(name).last()

    def keep_profile(self, name: str, profile: Profile) -> Path:
        """Keep what a good run took, in place of what was kept before."""
        history = self._history(name)
        make_folder(history.path.parent)
        return history.remember(profile)

    def _history(self, name: str) -> History:
        return History(self.folder / "profiles" / f"{check_name(name, 'a run')}.json")

    def _write(self, path: Path, content: bytes) -> Path:
        make_folder(path.parent)
        return write_bytes(path, content)


@dataclass
class _ProjectFile:
    """The form of `project.json`."""

    format: str
    version: int


def _converted(found: Any, page_id: str) -> PageInfo:
    check_document(found, PageInfo)
    facts = {name: value for name, value in found.items() if name in _FACTS}
    lists = {name: tuple(found.get(name, ())) for name in ("notes", "pictures", "sheets")}
    boxes = {
        "pictures": tuple(tuple(box) for box in lists["pictures"]),
        "sheets": tuple((number, tuple(box)) for number, box in lists["sheets"]),
    }
    return PageInfo(**facts | lists | boxes | {"id": page_id})


_FACTS = {one.name for one in fields(PageInfo)}


def _run(path: Path) -> StoredRun:
    content = read_bytes(path, "remove it from the project folder", MOST_BYTES)
    try:
        found = decoded_document(content)
        check_document(found, StoredRun)
    except UsageError as problem:
        reason = str(problem)
        raise UsageError(f"{path}: this is not a run of a project ({reason}); remove it from the folder.") from problem
    lists = {key: tuple(found.get(key, ())) for key in ("reasons", "pages")}
    return StoredRun(found["name"], found["verdict"], found.get("began", ""), found.get("sources", 0), **lists)


# The rows of a run as a file: the cells of each column with their places, to be shown and exported again.

ROWS_FORMAT = "sightline rows"
MOST_ROWS_BYTES = 1_000_000_000  # of the document; a million rows of five short cells have about 400 MB


def written_columns(columns: Sequence[Column]) -> bytes:
    """Columns as the bytes of a file."""
    pages: dict[str, int] = {}
    document = {"format": ROWS_FORMAT, "columns": [_column(column, pages) for column in columns], "pages": list(pages)}
    return zstandard.ZstdCompressor(level=3).compress(encoded_document(document))


def read_columns(content: bytes, name: str) -> tuple[Column, ...]:
    """The columns in the bytes of a file; an error says that it is another file.

    >>> column = Column("price", (Value("5 €", origin=Origin("3f2a", (17,), (0.0, 1.0, 2.0, 3.0))), None))
    >>> read_columns(written_columns([column]), "x.rows") == (column,)
    True
    """
    try:
        plain = zstandard.ZstdDecompressor().decompress(content, max_output_size=MOST_ROWS_BYTES)
        document = decoded_document(plain, MOST_ROWS_BYTES)
        pages = document["pages"]
        return tuple(_read(column, pages) for column in document["columns"])
    except (zstandard.ZstdError, UsageError, KeyError, TypeError, ValueError, IndexError) as problem:
        raise UsageError(
            f"{name}: these are not the rows of a run; remove the file from the project folder."
        ) from problem


def _column(column: Column, pages: dict[str, int]) -> dict[str, Any]:
    found: dict[str, Any] = {"name": column.name, "cells": [_cell(cell, pages) for cell in column.cells]}
    if column.declared is not None:
        found["declared"] = column.declared.to_json()
    if column.language is not None:
        found["language"] = column.language
    return found


def _cell(cell: Value | None, pages: dict[str, int]) -> Any:
    """A text alone, or with its place: page, nodes, box, sheet and the text it is a part of."""
    if cell is None or cell.origin is None:
        return None if cell is None else cell.text
    origin = cell.origin
    page = pages.setdefault(origin.page, len(pages))
    return [cell.text, page, list(origin.nodes), origin.box, origin.sheet, origin.original]


def _read(column: dict[str, Any], pages: list[str]) -> Column:
    declared = ColumnType.from_json(column["declared"]) if "declared" in column else None
    cells = tuple(_value(cell, pages) for cell in column["cells"])
    return Column(column["name"], cells, declared, column.get("language"))


def _value(cell: Any, pages: list[str]) -> Value | None:
    if cell is None or isinstance(cell, str):
        return None if cell is None else Value(cell)
    text, page, nodes, box, sheet, original = cell
    origin = Origin(pages[page], tuple(nodes), None if box is None else tuple(box), sheet, original)
    return Value(text, origin=origin)
