"""Tables into files: which format a name means, and how many files it takes."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from sightline.cli._console import remark
from sightline.data import FORMATS, Exportable, Records, Table, Triple, XPath, export
from sightline.errors import UsageError
from sightline.files import write_bytes

__all__ = ["check_name", "write_tables", "write_triples"]

GRID = ".grid.xml"
# What holds any number of tables in one file, in a form that a reader can take apart again.
TOGETHER = ("json", "html", "xlsx")


def check_name(path: Path, *, triples: bool) -> None:
    """Refuse a file whose suffix names no format, before any page is opened."""
    if triples and _is_grid(path):
        raise UsageError(f"{path}: a grid holds cells, not triples; use .csv or .jsonl, or leave out --triples.")
    if not _is_grid(path) and _format(path) not in FORMATS:
        known = ", ".join(f".{name}" for name in (*FORMATS, GRID[1:]))
        raise UsageError(f"{path}: the suffix names the format; use one of {known}.")


def write_tables(tables: Sequence[Table], path: Path, *, origins: XPath | None) -> None:
    """One file where its format holds all tables, else one numbered file each; nothing when there is none."""
    if not tables:
        remark(f"Nothing was written to {path}.")
        return
    parts: Sequence[Table | Sequence[Table]] = [tables] if _format(path) in TOGETHER else tables
    contents = [_content(part, path, origins) for part in parts]
    names = [path] if len(parts) == 1 else [_numbered(path, number) for number in range(1, len(parts) + 1)]
    _say([write_bytes(name, content) for name, content in zip(names, contents, strict=True)], len(tables))


def write_triples(triples: Iterable[Triple], path: Path, *, origins: XPath | None) -> None:
    """All triples in one file, a row each; nothing when there is none."""
    rows = [{"subject": one.subject, "predicate": one.predicate, "object": one.object} for one in triples]
    if not rows:
        remark(f"Nothing was written to {path}.")
        return
    written = write_bytes(path, _content(Records(rows), path, origins))
    remark(f"Written: {written} ({len(rows):,} triple{'s' * (len(rows) > 1)})")


def _content(part: Exportable | Sequence[Table], path: Path, origins: XPath | None) -> bytes:
    if isinstance(part, Table) and _is_grid(path):
        return part.to_grid_xml().encode()
    return export(part, _format(path), origins=origins is not None, xpath=origins)


def _say(paths: Sequence[Path], count: int) -> None:
    best = "; --first 1 writes only the best" if len(paths) > 1 else ""
    remark(f"Written: {', '.join(map(str, paths))} ({count} table{'s' * (count > 1)}{best})")


def _is_grid(path: Path) -> bool:
    return path.name.lower().endswith(GRID)


def _format(path: Path) -> str:
    return path.suffix.lower().removeprefix(".")


def _numbered(path: Path, number: int) -> Path:
    """`x.csv` and 2 give `x-2.csv`, `x.grid.xml` gives `x-2.grid.xml`."""
    suffix = path.name[-len(GRID) :] if _is_grid(path) else path.suffix
    return path.with_name(f"{path.name.removesuffix(suffix)}-{number}{suffix}")
