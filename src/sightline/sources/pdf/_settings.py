"""How PDFs are read: one declaration for Python and the command line."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from sightline.errors import UsageError
from sightline.settings import Settings, setting

__all__ = ["PdfSettings", "sheets_text"]

RANGE = re.compile(r"\s*(\d{1,6})\s*(?:(-)\s*(\d{1,6})?)?\s*")


@dataclass(frozen=True, kw_only=True)
class PdfSettings(Settings):
    """Which sheets of a PDF to read, and its password.

    >>> PdfSettings(sheets="1-3, 7").numbers(10)
    [1, 2, 3, 7]
    """

    sheets: str = setting("", help="which sheets of a PDF to read, such as 1-20 or 1,3,8-; all by default")
    password: str = setting("", help="the password of a protected PDF")

    def __post_init__(self) -> None:
        """Reject text that names no sheets."""
        super().__post_init__()
        self._ranges()

    def numbers(self, count: int) -> list[int]:
        """The sheets to read of a document with `count` sheets, in order; missing ones are left out."""
        if not self.sheets:
            return list(range(1, count + 1))
        wanted: set[int] = set()
        for first, last in self._ranges():
            wanted.update(range(max(first, 1), min(last if last is not None else count, count) + 1))
        return sorted(wanted)

    def _ranges(self) -> list[tuple[int, int | None]]:
        found: list[tuple[int, int | None]] = []
        for part in self.sheets.split(",") if self.sheets else ():
            match = RANGE.fullmatch(part)
            if match is None or int(match[1]) < 1 or (match[3] and int(match[3]) < int(match[1])):
                raise UsageError(f"{part.strip()!r} names no sheets; write numbers and ranges such as 1-20 or 1,3,8-.")
            last = int(match[1]) if not match[2] else int(match[3]) if match[3] else None
            found.append((int(match[1]), last))
        return found


def sheets_text(numbers: "Iterable[int] | str | None") -> str:
    """Sheets as settings write them.

    >>> sheets_text(range(1, 4)), sheets_text([2, 3, 9]), sheets_text(None)
    ('1-3', '2-3,9', '')
    """
    if numbers is None or isinstance(numbers, str):
        return numbers or ""
    found: list[list[int]] = []
    for number in sorted(set(numbers)):
        if not isinstance(number, int) or number < 1:
            raise UsageError(f"{number!r} is not a sheet; sheets are counted from 1.")
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    if not found:
        raise UsageError("No sheets were named; leave `sheets` out to read them all.")
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in found)
