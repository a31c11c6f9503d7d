"""Writes results to files: the format that a name means, and how many files it takes."""

import re
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from sightline.cli._console import output, remark
from sightline.cli._flags import ROW_FILES, flag, origins_of, output_file, switch
from sightline.cli._sources import OpeningT, ShowingFlags
from sightline.cli._text import clean, counted, print_trace
from sightline.data import FORMATS, Exportable, Extraction, ItemList, Table, XPath, export, what_is_lost
from sightline.errors import CoercionWarning, UsageError
from sightline.files import write_bytes
from sightline.page import Page
from sightline.settings import Settings, setting

if TYPE_CHECKING:
    from sightline.data import Mark
    from sightline.jobs import XPaths

# Formats that hold any number of tables in one file, in a form that can be taken apart again.
LONGEST_STEM = 80  # characters
TOGETHER = ("json", "html", "xlsx")

FoundT = TypeVar("FoundT", bound=Exportable)
ResultT = TypeVar("ResultT", Table, ItemList)


def check_suffix(path: Path, *others: str, folder: bool = False) -> None:
    """Reject a suffix that names no format, before any page is opened; `others` are additional formats.

    With `folder` it may be that of a folder, in which each result gets a file of its own.

    >>> check_suffix(Path("x.csv"))
    """
    if path.is_dir():
        if not folder:
            raise UsageError(f"{path} is a folder; name a file in it.")
        return
    if _suffix(path, others) not in (*(f".{name}" for name in FORMATS), *others):
        suffixes = ", ".join((*(f".{name}" for name in FORMATS), *others))
        or_folder = ", or name a folder that exists" if folder else ""
        raise UsageError(f"{path}: the suffix sets the format; use one of {suffixes}{or_folder}.")
    _check_place(path)


def check_file(path: Path, suffix: str, form: str) -> None:
    """Reject a file of another suffix, or in a folder that is not there, before any work is done for it.

    >>> check_file(Path("x.txt"), ".json", "sites are written as JSON")
    Traceback (most recent call last):
    ...
    sightline.errors.UsageError: x.txt: sites are written as JSON; give the file the suffix .json.
    """
    if path.is_dir():
        raise UsageError(f"{path} is a folder; name a file in it.")
    if path.suffix.lower() != suffix:
        raise UsageError(f"{path}: {form}; give the file the suffix {suffix}.")
    _check_place(path)


def _check_place(path: Path) -> None:
    if not path.parent.is_dir():
        raise UsageError(f"{path}: there is no folder {path.parent}; create it first, or choose another place.")


def write_all(  # noqa: PLR0913 - what is written, where, and how it is told
    found: Sequence[FoundT],
    path: Path,
    content: Callable[[FoundT | Sequence[FoundT], Path], bytes],
    *,
    what: str,
    sources: Sequence[str] = (),
    others: tuple[str, ...] = (),
    advice: str = "",
) -> None:
    """Write one file if its format holds everything, else one numbered file each; nothing if there are no results.

    `what` is the noun for a result, `sources` where each was found; `advice` is printed if several files had to be
    written. In a folder each result has a CSV file of its own, named by its source.
    """
    if not found:
        nothing_to_write(path)
        return
    if path.is_dir():
        names = names_in(path, sources, ".csv")
        for result, name in zip(found, names, strict=True):
            write_bytes(name, content(result, name))
        remark(f"Written: {counted(len(names), 'file')} in {path} ({names[0].name}{', …' * (len(names) > 1)})")
        return
    suffix = _suffix(path, others)
    parts: Sequence[FoundT | Sequence[FoundT]] = [found] if suffix.removeprefix(".") in TOGETHER else found
    contents = [content(part, path) for part in parts]
    names = [path] if len(parts) == 1 else [_numbered(path, number, suffix) for number in range(1, len(parts) + 1)]
    written = [write_bytes(name, content) for name, content in zip(names, contents, strict=True)]
    summary = f"{counted(len(found), what)}{f'; {advice}' if advice and len(written) > 1 else ''}"
    remark(f"Written: {', '.join(map(str, written))} ({summary})")


@dataclass(frozen=True, kw_only=True)
class ExportSettings(Settings):
    """How results are written to files."""

    typed: bool = setting(default=False, help="whether CSV, JSON lines and XML get ISO dates and plain numbers")
    coerce: bool = setting(
        default=False,
        help="whether columns keep the type of most values, with their texts in a second column (CSV, Excel, Parquet)",
    )
    raw: bool = setting(
        default=False, help="whether CSV gets texts as they are, also those that a spreadsheet would run"
    )


def content_of(
    part: Exportable | Sequence[Exportable],
    path: Path,
    origins: XPath | None,
    how: ExportSettings | None = None,
    sources: Sequence[str] = (),
    titles: Sequence[str] = (),
) -> bytes:
    """The content of a file with this name; what would be lost by a type is said.

    `sources` and `titles` are those of several results in one file.
    """
    how = how or ExportSettings()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", CoercionWarning)
        content = export(
            part,
            path.suffix,
            origins=origins is not None,
            xpath=origins,
            typed=how.typed,
            coerce=how.coerce,
            raw=how.raw,
            sources=() if isinstance(part, Exportable) else sources,
            titles=() if isinstance(part, Exportable) else titles,
        )
    for warning in caught:
        remark(str(warning.message))
    if not how.coerce and (how.typed or path.suffix.lower() == ".parquet"):
        for exported in [part] if isinstance(part, Exportable) else part:
            _tell_misfits(exported)
    return content


def write_rows(rows: Exportable, path: Path, how: ExportSettings, told: str, origins: XPath | None = None) -> None:
    """Write rows to a file; what they are is `told`."""
    write_bytes(path, content_of(rows, path, origins, how))
    remark(f"Written: {path} ({told})")


def _tell_misfits(exported: Exportable) -> None:
    """Say which columns stay text because of a few values, and how to have them typed all the same."""
    for column in exported.columns:
        if column.misfits:
            remark(f"{what_is_lost(column)}, so the column is text; --coerce types it and keeps the texts beside it.")


def nothing_to_write(path: Path) -> None:
    """Write nothing, and say so: an empty file would look like a result."""
    remark(f"Nothing was written to {path}.")


def names_in(folder: Path, sources: Sequence[str], suffix: str) -> list[Path]:
    """A file for each result of some sources, named by its source, with numbers where a name comes again.

    >>> [path.name for path in names_in(Path("x"), ["a/b.html", "a/b.html", "https://example.org/news/7?x=1"], ".csv")]
    ['b-1.csv', 'b-2.csv', '7-x-1.csv']
    """
    stems = [_stem(source) for source in sources]
    counts, seen = Counter(stems), Counter[str]()
    names = []
    for stem in stems:
        seen[stem] += 1
        names.append(folder / f"{stem}{f'-{seen[stem]}' * (counts[stem] > 1)}{suffix}")
    return names


def _stem(source: str) -> str:
    """The last part of a path or an address, in characters that every file system takes."""
    last = source.rstrip("/").rpartition("/")[2]
    known = last if "?" in last else last.removesuffix(Path(last).suffix)
    return re.sub(r"[^\w.-]+", "-", re.sub(r"[?&=]+", "-", known)).strip(".-")[:LONGEST_STEM] or "page"


def _suffix(path: Path, others: tuple[str, ...]) -> str:
    """The suffix in lower case; one of the others may contain two dots."""
    name = path.name.lower()
    return next((other for other in others if name.endswith(other)), path.suffix.lower())


def _numbered(path: Path, number: int, suffix: str) -> Path:
    """The path with a number before its suffix.

    >>> str(_numbered(Path("x.CSV"), 2, ".csv")), str(_numbered(Path("a.grid.xml"), 1, ".grid.xml"))
    ('x-2.CSV', 'a-1.grid.xml')
    """
    stem, written = path.name[: -len(suffix)], path.name[-len(suffix) :]
    return path.with_name(f"{stem}-{number}{written}")


# `--image`: validation of the option, and drawing of the file.


def prepare_image(image: Path | None, sources: Sequence[str], opening: OpeningT) -> OpeningT:
    """Reject what cannot be drawn before any page is opened, and make pages keep a screenshot."""
    if image is None:
        return opening
    if image.suffix.lower() != ".png":
        raise UsageError(f"{image}: pictures are written as PNG; use the suffix .png.")
    if len(sources) > 1:
        raise UsageError("--image draws one page; give one source at a time.")
    return opening.with_screenshot()


def draw(page: Page, marks: "Sequence[Mark]", image: Path) -> None:
    """Draw a page with marks to a file, and say so."""
    from sightline.draw import picture  # slow to import, rarely needed

    remark(f"Picture: {write_bytes(image, picture(page, marks))}")


# What `tables`, `lists` and `top` share: where to put what was found on each page.

TRACED = "show every candidate, the evidence for and against it, and the decision"


@dataclass(frozen=True, kw_only=True)
class FindingFlags(ShowingFlags):
    """Where to put what is found."""

    out: Path | None = output_file(
        f"write to this file: {ROW_FILES}; or to this folder. "
        "Several lists become numbered files if the format holds only one"
    )
    origins: bool = origins_of("every part, in JSON, JSON lines and XML")
    image: Path | None = flag(None, help="draw the page with each list and its records framed")
    trace: bool = switch(help=TRACED)


@dataclass
class Findings(Generic[ResultT]):
    """What was found on all pages: drawn, printed, and finally written to a file."""

    flags: FindingFlags
    how: ExportSettings
    xpaths: "XPaths"
    kept: list[ResultT] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)

    @property
    def origins(self) -> "XPaths | None":
        """The places of all values for a file, if they are wanted."""
        return self.xpaths if self.flags.origins else None

    def take(self, source: str, page: Page, found: Extraction, results: Sequence[ResultT]) -> None:
        """Keep the results of a page as far as they are wanted, and draw them."""
        if self.flags.out:
            self.kept += results
            self.sources += [source] * len(results)
        if self.flags.origins:
            self.xpaths.add_results(page, results)
        if self.flags.image:
            draw(page, found.marks(), self.flags.image)

    def are_printed(self, source: str, found: Extraction, results: Sequence[ResultT]) -> bool:
        """Print the name of a page and its trace; whether its results are to follow."""
        flags = self.flags
        if flags.json or not (flags.trace or (results and not flags.out)):
            return False
        output.print(clean(source), style="dim", markup=False)
        if flags.trace and found.trace:
            print_trace(found.trace)
        return not flags.trace

    def write(self, what: str, advice: str = "") -> None:
        """Write everything that was kept, if wanted."""
        if path := self.flags.out:
            write_all(
                self.kept,
                path,
                lambda part, file: content_of(part, file, self.origins, self.how, self.sources),
                what=what,
                sources=self.sources,
                advice=advice,
            )
