"""Writes results to files: the format that a name means, and how many files it takes."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from sightline.cli._console import remark
from sightline.data import FORMATS, Exportable, XPath, export
from sightline.errors import UsageError
from sightline.files import write_bytes

__all__ = ["check_suffix", "content_of", "nothing_to_write", "write_all"]

# Formats that hold any number of tables in one file, in a form that can be taken apart again.
TOGETHER = ("json", "html", "xlsx")

FoundT = TypeVar("FoundT", bound=Exportable)


def check_suffix(path: Path, *others: str) -> None:
    """Reject a suffix that names no format, before any page is opened; `others` are additional formats.

    >>> check_suffix(Path("x.csv"))
    """
    if _suffix(path, others) not in (*(f".{name}" for name in FORMATS), *others):
        suffixes = ", ".join((*(f".{name}" for name in FORMATS), *others))
        raise UsageError(f"{path}: the suffix sets the format; use one of {suffixes}.")


def write_all(
    found: Sequence[FoundT],
    path: Path,
    content: Callable[[FoundT | Sequence[FoundT]], bytes],
    *,
    what: str,
    others: tuple[str, ...] = (),
    advice: str = "",
) -> None:
    """Write one file if its format holds everything, else one numbered file each; nothing if there are no results.

    `what` is the noun for a result; `advice` is printed if several files had to be written.
    """
    if not found:
        nothing_to_write(path)
        return
    suffix = _suffix(path, others)
    parts: Sequence[FoundT | Sequence[FoundT]] = [found] if suffix.removeprefix(".") in TOGETHER else found
    contents = [content(part) for part in parts]
    names = [path] if len(parts) == 1 else [_numbered(path, number, suffix) for number in range(1, len(parts) + 1)]
    written = [write_bytes(name, content) for name, content in zip(names, contents, strict=True)]
    summary = f"{len(found)} {what}{'s' * (len(found) > 1)}{f'; {advice}' if advice and len(written) > 1 else ''}"
    remark(f"Written: {', '.join(map(str, written))} ({summary})")


def content_of(part: Exportable | Sequence[Exportable], path: Path, origins: XPath | None) -> bytes:
    """The content of a file with this name."""
    return export(part, path.suffix, origins=origins is not None, xpath=origins)


def nothing_to_write(path: Path) -> None:
    """Write nothing, and say so: an empty file would look like a result."""
    remark(f"Nothing was written to {path}.")


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
