"""Writes tables to files: in the usual formats, as grids, or as triples."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from sightline.cli._console import remark
from sightline.cli._files import ExportSettings, check_suffix, content_of, nothing_to_write, write_all
from sightline.data import Records, Table, Triple, XPath
from sightline.errors import UsageError
from sightline.files import write_bytes

__all__ = ["check_name", "write_tables", "write_triples"]

GRID = ".grid.xml"


def check_name(path: Path, *, triples: bool) -> None:
    """Reject a suffix that names no format, before any page is opened."""
    if triples and _is_grid(path):
        raise UsageError(f"{path}: a grid holds cells, not triples; use .csv or .jsonl, or leave out --triples.")
    check_suffix(path, GRID, folder=not triples)


def write_tables(
    tables: Sequence[Table],
    path: Path,
    *,
    origins: XPath | None,
    how: ExportSettings,
    sources: Sequence[str] = (),
) -> None:
    """Write one file if its format holds all tables, else one numbered file each; nothing without tables."""

    def content(part: Table | Sequence[Table], file: Path) -> bytes:
        if isinstance(part, Table) and _is_grid(file):
            return part.to_grid_xml().encode()
        return content_of(part, file, origins, how, sources)

    advice = "--first 1 writes only the best"
    write_all(tables, path, content, what="table", sources=sources, others=(GRID,), advice=advice)


def write_triples(triples: Iterable[Triple], path: Path, *, origins: XPath | None, how: ExportSettings) -> None:
    """Write all triples to one file, a row each; nothing without triples."""
    rows = [{"subject": triple.subject, "predicate": triple.predicate, "object": triple.object} for triple in triples]
    if not rows:
        nothing_to_write(path)
        return
    written = write_bytes(path, content_of(Records(rows), path, origins, how))
    remark(f"Written: {written} ({len(rows):,} triple{'s' * (len(rows) > 1)})")


def _is_grid(path: Path) -> bool:
    return path.name.lower().endswith(GRID)
